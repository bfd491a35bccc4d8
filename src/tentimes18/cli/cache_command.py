"""`ten18 cache`: the files that are stored to save time, and how to clear them."""

from collections.abc import Iterator
from datetime import datetime

import typer
from msgspec.structs import astuple

from tentimes18.cli.command import JsonOption, Part, add_query
from tentimes18.cli.grid import Column, Grid, data_table, table
from tentimes18.cli.output import console, print_json, printable, show, tell
from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE
from tentimes18.queries.cache import CacheAnswer, ClearedAnswer, EntryAnswer, cached

NAMED = 3


def register(app: typer.Typer) -> None:
    cache = typer.Typer()
    cache.callback(invoke_without_command=True)(overview)
    entries = lambda answer, _: [_for_programs(answer.entries, "entries")]  # noqa: E731
    removed = lambda answer, _: [_for_programs(answer.removed, "removed")]  # noqa: E731
    add_query(cache, "cached", _page, ["entries"], command="list", csv=entries)
    code = lambda answer: 1 if answer.not_removed else 0  # noqa: E731
    page, about = _cleared_page, _tell_problems
    add_query(cache, "clear_cache", page, ["removed"], command="clear", csv=removed, aside=about, code=code)
    app.add_typer(cache, name="cache")


def overview(context: typer.Context, as_json: JsonOption = False) -> None:
    """List or clear the files that are stored to save time.

    These are solved tables of duels and compiled code; ten18 can make all of them again. Tables take up to 5 GB: beyond
    that, the least recently used are removed. The variable TEN18_CACHE_LIMIT sets another limit: 500MB, 0 to store
    no tables, or none for no limit.
    """
    if context.invoked_subcommand is None:
        answer = cached()
        if as_json:
            print_json(answer)
        else:
            show(_page(answer), console())
    elif as_json:
        raise Ten18Error(f"belongs after {context.invoked_subcommand}", field="json")


def _tell_problems(answer: ClearedAnswer) -> None:
    for failure in answer.not_removed:
        tell(f"{failure.file} could not be removed: {failure.problem}")


def _page(answer: CacheAnswer, _: object = None) -> Iterator[Part]:
    entries = answer.entries
    yield _for_people(f"Stored in {answer.folder}", entries) if entries else f"Nothing is stored in {answer.folder}."
    limit = "no limit" if answer.limit is None else f"at most {_size(answer.limit)}"
    size = sum(entry.size for entry in entries)
    of_code = sum(entry.size for entry in entries if entry.kind == "compiled")
    yield f" tables   {_size(size - of_code)}, {limit} ({LIMIT_VARIABLE})"
    yield f" code     {_size(of_code)}"
    if foreign := answer.foreign:
        named = ", ".join(printable(name[:40]) for name in foreign[:NAMED]) + (", ..." if len(foreign) > NAMED else "")
        yield f" others   {len(foreign):,}, not ours, never removed: {named}"


def _cleared_page(answer: ClearedAnswer, _: object) -> Iterator[Part]:
    if answer.removed:
        yield _for_people(f"Removed from {answer.folder}", answer.removed)
    yield f"Removed {_size(answer.size)}, {_size(answer.left)} left."


def _for_people(title: str, entries: list[EntryAnswer]) -> Grid:
    is_whole = all(entry.state == "whole" for entry in entries)
    columns = [Column("game", left=True), Column("size"), *(Column(name, left=True) for name in ("made", "used"))]
    rows = (
        (
            entry.kind,
            "" if entry.dice is None else f"{entry.dice} {entry.slots}",
            *(_size(entry.size), _date(entry.made), _date(entry.used)),
            *([] if is_whole else ["" if entry.state == "whole" else entry.state]),
        )
        for entry in entries
    )
    return table(title, *columns, *([] if is_whole else [Column("", left=True)]), label="kind", rows=rows)


def _for_programs(entries: list[EntryAnswer], name: str) -> Grid:
    return data_table(name, EntryAnswer.__struct_fields__, map(astuple, entries))


def _size(size: int) -> str:
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.{1 if size < 100 * scale else 0}f} {unit}"
    return f"{size} bytes"


def _date(text: str) -> str:
    return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M")
