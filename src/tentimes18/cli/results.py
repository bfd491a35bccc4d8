"""What a command comes to, and the forms in which it is given: a page for people, JSON or CSV for programs, a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from tentimes18.cli.options import verify_output
from tentimes18.cli.output import console, print_json, show, text_of, write
from tentimes18.cli.tables import Grid
from tentimes18.errors import Ten18Error
from tentimes18.files import write_whole
from tentimes18.queries import to_json

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Form", "Part", "Result", "add_command", "report_file", "written"]

Part: TypeAlias = "RenderableType"
"""Of a page: a table, a paragraph, or what else can be printed."""


class Form(StrEnum):
    """The form in which a result is asked for."""

    text = "text"
    json = "json"
    csv = "csv"


ENDINGS: Final = {".json": Form.json, ".csv": Form.csv, ".txt": Form.text}


@dataclass(frozen=True)
class Result:
    """An answer, and the page that shows it to people.

    ``tables`` are those that are for programs alone, beside the ones of the page.
    """

    answer: Mapping[str, object]
    page: Callable[[], Iterable[Part]]
    tables: Callable[[], Iterable[Grid]] = tuple
    code: int = 0

    def table(self, name: str) -> Grid:
        """The table of this name."""
        parts = chain(self.tables(), self.page())  # one after the other: those behind the one are not made
        found = next((part for part in parts if isinstance(part, Grid) and part.name == name), None)
        if found is None:
            raise Ten18Error(f"there is no table {name!r} here", field="table")
        return found


def add_command(
    app: typer.Typer, command: Callable[..., Result], tables: Sequence[str], name: str | None = None, **settings: Any
) -> None:
    """Add a command that comes to a result, with the options for its form.

    ``tables`` are the names of its tables, the one that --csv gives first. A command with a parameter ``form`` is told
    which form is asked for.
    """

    @wraps(command)
    def run(*, as_json: bool, as_csv: bool, output: Path | None, table: str = tables[0], **options: Any) -> None:
        form = _form(as_json, as_csv, output)
        if table not in tables:
            raise Ten18Error(f"{table!r} is not known; accepted: {', '.join(tables)}", field="table")
        if table != tables[0] and form is not Form.csv:
            raise Ten18Error("names the table to write as CSV; give --csv as well", field="table")
        result = command(**options, **({"form": form} if takes_form else {}))
        _give(result, form, table, output, as_json=as_json)
        if result.code:
            raise typer.Exit(result.code)

    own = signature(command)
    takes_form = "form" in own.parameters
    asked = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY) for name, parameter in own.parameters.items() if name != "form"
    ]
    shape = own.replace(parameters=[*asked, *_added(tables)], return_annotation=None)
    vars(run).update(__signature__=shape, __annotations__={})  # what is read instead of the function's own
    app.command(name, **settings)(run)


def _added(tables: Sequence[str]) -> list[Parameter]:
    """The options that every such command has."""
    csv = "The table as CSV." if len(tables) == 1 else "One table as CSV."
    options: list[tuple[str, object, Any]] = [
        ("as_json", Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")], False),
        (
            "as_csv",
            Annotated[bool, typer.Option("--csv", help=csv)],
            False,
        ),
    ]
    if len(tables) > 1:
        text = f"Which table as CSV: {', '.join(tables)}."
        options.append(("table", Annotated[str, typer.Option("--table", metavar="NAME", help=text)], tables[0]))
    text = "Write it to a file: .json, .csv or .txt."
    kind = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=text)]
    options.append(("output", kind, None))
    return [Parameter(name, Parameter.KEYWORD_ONLY, default=value, annotation=hint) for name, hint, value in options]


def _form(as_json: bool, as_csv: bool, output: Path | None) -> Form:
    """What is asked for, once it is clear that the file can be written."""
    if as_json and as_csv:
        raise Ten18Error("--json and --csv exclude each other; give one of them")
    asked = Form.json if as_json else Form.csv if as_csv else None
    if output is None:
        return asked or Form.text
    verify_output(output, () if asked else tuple(ENDINGS))
    return asked or ENDINGS[output.suffix.lower()]


def _give(result: Result, form: Form, table: str, output: Path | None, *, as_json: bool) -> None:
    if output is not None:
        content = {
            Form.json: lambda: to_json(result.answer).decode() + "\n",
            Form.csv: lambda: result.table(table).csv(),
            Form.text: lambda: text_of(result.page()),
        }[form]()
        write_whole(output, content.encode(errors="replace"))
        report_file(output, as_json)
    elif form is Form.json:
        print_json(result.answer)
    elif form is Form.csv:
        write(result.table(table).csv())
    else:
        show(result.page(), console())


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
    return str(path).encode(errors="replace").decode()  # of a name that is no text
