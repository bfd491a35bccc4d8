"""Commands from queries: their options from the declaration, their results as a page, JSON, CSV or a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from inspect import Parameter as Signed
from inspect import Signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tentimes18.cli.output import console, print_json, progress_bar, show, text_of, write
from tentimes18.cli.tables import Grid
from tentimes18.errors import Ten18Error
from tentimes18.files import verify_ending, verify_place, write_whole
from tentimes18.queries import QUERIES, Parameter, answer_of, to_json

if TYPE_CHECKING:
    from rich.console import RenderableType

Part: TypeAlias = "RenderableType"
"""Of a page: a table, a paragraph, or what else can be printed."""

Arguments: TypeAlias = Mapping[str, Any]
"""What a query was asked with."""

Page: TypeAlias = Callable[[Any, Arguments], Iterable[Part]]
"""Renders the result of a query for people."""


class Form(StrEnum):
    """The form in which a result is asked for."""

    text = "text"
    json = "json"
    csv = "csv"


ENDINGS = {".json": Form.json, ".csv": Form.csv, ".txt": Form.text}

JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
OutputOption: TypeAlias = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")]


def add_query(
    app: typer.Typer,
    name: str,
    page: Page,
    tables: Sequence[str],
    *,
    command: str = "",
    csv: Callable[[Any, Arguments], Iterable[Grid]] = lambda _, __: (),
    bar: str = "",
    late: bool = True,
    code: Callable[[Any], int] = lambda _: 0,
    **settings: Any,
) -> None:
    """Add the command of a query.

    ``page`` renders the result for people, ``tables`` are the names of its tables (--csv writes the first), ``csv``
    gives those that are for programs alone. ``bar`` is the text of the progress bar; a ``late`` one appears only where
    the work takes long. ``code`` gives the exit code.
    """
    query = QUERIES[name]

    def run(as_json: bool, as_csv: bool, output: Path | None, table: str = tables[0], **arguments: Any) -> None:
        form = choose_form(as_json, as_csv, output)
        if table not in tables:
            raise Ten18Error(f"{table!r} is not known; accepted: {', '.join(tables)}", field="table")
        if table != tables[0] and form is not Form.csv:
            raise Ten18Error("names the table to write as CSV; give --csv as well", field="table")
        internal: dict[str, Any] = {}
        if "find" in query.internal:
            from tentimes18.strategies.user_code import find, find_known

            internal["find"] = find if query.name in FINDS_ANY else find_known
        if "progress" in query.internal:
            with progress_bar(bar or query.name, late=late) as internal["progress"]:
                result = query(**arguments, **internal)
        else:
            result = query(**arguments, **internal)
        made = partial(page, result, arguments)
        give(result, made, partial(csv, result, arguments), form, table, output, as_json=as_json)
        if exit_code := code(result):
            raise typer.Exit(exit_code)

    run.__signature__ = Signature([*map(option_of, query.parameters), *form_options(tables)])  # type: ignore[attr-defined]
    run.__doc__ = query.doc
    app.command(command or name, **settings)(run)


FINDS_ANY = ("simulate", "tournament", "rollout", "table", "duel_play")
"""Queries that play games, and so need not know the distribution of a strategy's score."""


def option_of(parameter: Parameter) -> Signed:
    """The option of a command for a parameter of a query."""
    doc = parameter.doc
    settings: dict[str, Any] = {"help": doc.text, "metavar": doc.metavar or None}
    if doc.default:
        settings["show_default"] = doc.default
    if doc.least is not None or doc.most is not None:
        settings |= {"min": doc.least, "max": doc.most}
    if doc.is_argument:
        info: Any = typer.Argument(**settings)
    else:
        info = typer.Option(f"--{parameter.name.rstrip('_').replace('_', '-')}", **settings)
    default = Signed.empty if parameter.is_required or doc.is_required else parameter.default
    return Signed(parameter.name, Signed.KEYWORD_ONLY, default=default, annotation=Annotated[parameter.type, info])


def form_options(tables: Sequence[str]) -> list[Signed]:
    """The options that every query has for the form of its result."""
    csv = "The table as CSV." if len(tables) == 1 else "One table as CSV."
    options: list[tuple[str, Any, Any]] = [
        ("as_json", JsonOption, False),
        ("as_csv", Annotated[bool, typer.Option("--csv", help=csv)], False),
    ]
    if len(tables) > 1:
        text = f"Which table as CSV: {', '.join(tables)}."
        options.append(("table", Annotated[str, typer.Option("--table", metavar="NAME", help=text)], tables[0]))
    text = "Write it to a file: .json, .csv or .txt."
    kind = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=text)]
    options.append(("output", kind, None))
    return [Signed(name, Signed.KEYWORD_ONLY, default=value, annotation=hint) for name, hint, value in options]


def choose_form(as_json: bool, as_csv: bool, output: Path | None) -> Form:
    """What is asked for, once it is clear that the file can be written."""
    if as_json and as_csv:
        raise Ten18Error("--json and --csv exclude each other; give one of them")
    asked = Form.json if as_json else Form.csv if as_csv else None
    if output is None:
        return asked or Form.text
    verify_output(output, () if asked else tuple(ENDINGS))
    return asked or ENDINGS[output.suffix.lower()]


def give(
    result: Any,
    page: Callable[[], Iterable[Part]],
    tables: Callable[[], Iterable[Grid]],
    form: Form,
    table: str,
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print a result in a form, or write it to a file."""
    if output is not None:
        if form is Form.json:
            content = to_json(result) + b"\n"
        else:
            text = _named(page, tables, table).csv() if form is Form.csv else text_of(page())
            content = text.encode(errors="replace")
        write_whole(output, content)
        report_file(output, as_json)
    elif form is Form.json:
        print_json(answer_of(result))
    elif form is Form.csv:
        write(_named(page, tables, table).csv())
    else:
        show(page(), console())


def _named(page: Callable[[], Iterable[Part]], tables: Callable[[], Iterable[Grid]], name: str) -> Grid:
    """The table of this name; those behind it are not made."""
    for part in chain(tables(), page()):
        if isinstance(part, Grid) and part.name == name:
            return part
    raise Ten18Error(f"there is no table {name!r} here", field="table")


def verify_output(path: Path, endings: tuple[str, ...], option: str = "output") -> None:
    """Raise before any work where the file could not be written; without ``endings`` any will do."""
    if endings:
        verify_ending(path, endings, option)
    verify_place(path, option)


def report_file(output: Path, as_json: bool) -> None:
    """Say which file was written."""
    if as_json:
        print_json({"output": _as_text(output)})
    else:
        write(f"{written(output)}\n")


def written(output: Path) -> str:
    """The line that says so."""
    return f"Wrote {_as_text(output)}"


def _as_text(path: Path) -> str:
    return str(path).encode(errors="replace").decode()  # a name may be no text
