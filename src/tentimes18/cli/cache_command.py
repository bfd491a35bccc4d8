"""`ten18 cache`: what is kept on disk to save time, and how it is cleared."""

from collections.abc import Iterator
from datetime import datetime

import typer
from msgspec.structs import astuple

from tentimes18.cli.command import JsonOption, Part, add_query
from tentimes18.cli.output import console, print_json, tell
from tentimes18.cli.tables import Column, Entry, Grid, table
from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE
from tentimes18.queries.cache import CacheAnswer, ClearedAnswer, EntryAnswer, cached

NAMED = 3


def register(app: typer.Typer) -> None:
    """Add these commands."""
    cache = typer.Typer()
    cache.callback(invoke_without_command=True)(overview)
    entries = lambda answer, _: [_for_programs(answer.entries, "entries")]  # noqa: E731
    removed = lambda answer, _: [_for_programs(answer.removed, "removed")]  # noqa: E731
    add_query(cache, "cached", lambda answer, _: _page(answer), ["entries"], command="list", csv=entries)
    add_query(
        cache,
        "clear_cache",
        lambda answer, _: _cleared_page(answer),
        ["removed"],
        command="clear",
        csv=removed,
        aside=_tell_problems,
        code=lambda answer: 1 if answer.not_removed else 0,
    )
    app.add_typer(cache, name="cache")


def overview(context: typer.Context, as_json: JsonOption = False) -> None:
    """What is kept on disk to save time: solved tables of duels, and compiled code.

    All of it can be made again. Tables are kept up to 5 GB in all: those used longest ago go first.

    The variable TEN18_CACHE_LIMIT sets another limit, like 500MB, 0 to keep none, or none for no limit.
    """
    if context.invoked_subcommand is None:
        answer = cached()
        if as_json:
            print_json(answer)
        else:
            for part in _page(answer):
                console().print(part)
    elif as_json:
        raise Ten18Error(f"belongs after {context.invoked_subcommand}", field="json")


def _tell_problems(answer: ClearedAnswer) -> None:
    for failure in answer.not_removed:
        tell(f"{failure.file} could not be removed: {failure.problem}")


def _page(answer: CacheAnswer) -> Iterator[Part]:
    entries = answer.entries
    yield _for_people(f"Kept in {answer.folder}", entries) if entries else f"Nothing is kept in {answer.folder}."
    limit = "no limit" if answer.limit is None else f"at most {_size(answer.limit)}"
    of_code, of_tables = (_sum(entries, is_code=is_code) for is_code in (True, False))
    yield f" tables   {of_tables}, {limit} ({LIMIT_VARIABLE})"
    yield f" code     {of_code}"
    if foreign := answer.foreign:
        named = ", ".join(map(_printable, foreign[:NAMED])) + (", ..." if len(foreign) > NAMED else "")
        yield f" others   {len(foreign):,}, not ours, never removed: {named}"


def _sum(entries: list[EntryAnswer], *, is_code: bool) -> str:
    return _size(sum(entry.size for entry in entries if (entry.kind == "compiled") is is_code))


def _cleared_page(answer: ClearedAnswer) -> Iterator[Part]:
    if answer.removed:
        yield _for_people(f"Removed from {answer.folder}", answer.removed)
    yield f"Removed {_size(answer.size)}, {_size(answer.left)} left."


def _for_people(title: str, entries: list[EntryAnswer]) -> Grid:
    """Without the names of files; with a column for what is not whole where there is something."""
    is_whole = all(entry.state == "whole" for entry in entries)
    columns = [Column("game", left=True), Column("size"), *(Column(name, left=True) for name in ("made", "used"))]
    grid = table(title, *columns, *([] if is_whole else [Column("", left=True)]), label="kind")
    for entry in entries:
        state = [] if is_whole else ["" if entry.state == "whole" else entry.state]
        grid.add_row(entry.kind, _game(entry), _size(entry.size), _date(entry.made), _date(entry.used), *state)
    return grid


def _for_programs(entries: list[EntryAnswer], name: str) -> Grid:
    grid = table("", *EntryAnswer.__struct_fields__, name=name)
    for entry in entries:
        grid.add_row(*(Entry(value, "") for value in astuple(entry)))
    return grid


def _printable(name: str) -> str:
    """A name that others gave: it may hold what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in name[:40])


def _game(entry: EntryAnswer) -> str:
    return "" if entry.dice is None else f"{entry.dice} {entry.slots}"


def _size(size: int) -> str:
    """Bytes as people read them."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.{1 if size < 100 * scale else 0}f} {unit}"
    return f"{size} bytes"


def _date(text: str) -> str:
    return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M")
