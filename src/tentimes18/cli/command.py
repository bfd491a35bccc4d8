"""Commands and the forms of their results: a page for people, JSON or CSV for programs, a file.

The options of a query's command follow from its declaration; other commands are functions with options of their own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from inspect import Parameter as Signed
from inspect import Signature, getdoc, signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tentimes18 import pictures
from tentimes18.cli.completion import completer_of
from tentimes18.cli.grid import Grid
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.cli.output import console, print_json, progress_bar, show, tell, text_of, trimmed_output, write
from tentimes18.errors import Ten18Error
from tentimes18.files import verify_ending, verify_place, write_whole
from tentimes18.queries import QUERIES, Parameter, Query, answer_of, parameters_of, to_json

if TYPE_CHECKING:
    from rich.console import RenderableType

Part: TypeAlias = "RenderableType"
"""Of a page: a table, a paragraph, or what else can be printed."""

Arguments: TypeAlias = Mapping[str, Any]
"""What a query was asked with."""

Page: TypeAlias = Callable[[Any, Arguments], Iterable[Part]]
"""Renders the result of a query for people."""

INTERRUPTED = 130


class Form(StrEnum):
    text = "text"
    json = "json"
    csv = "csv"


ENDINGS = {".json": Form.json, ".csv": Form.csv, ".txt": Form.text}


@dataclass(frozen=True)
class Result:
    """What a command computes, and how it looks.

    Attributes
    ----------
    answer
        What JSON shows, or a function that makes it.
    page
        Makes the page for people.
    tables
        Makes the tables that are for programs alone, beside those of the page.
    code
        The exit code.
    """

    answer: Any
    page: Callable[[], Iterable[Part]]
    tables: Callable[[], Iterable[Grid]] = tuple
    code: int = 0

    def to_json(self) -> Any:
        return self.answer() if callable(self.answer) else answer_of(self.answer)

    def table(self, name: str) -> Grid:
        """The table of this name; the tables after it are not made."""
        for part in chain(self.tables(), self.page()):
            if isinstance(part, Grid) and part.name == name:
                return part
        raise Ten18Error(f"there is no table {name!r} here", field="table")


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
    aside: Callable[[Any], None] = lambda _: None,
    code: Callable[[Any], int] = lambda _: 0,
    **settings: Any,
) -> None:
    """Add the command of a query.

    Parameters
    ----------
    app, name, command
        Where to add it, the name of the query, and that of the command if it is another.
    page
        Renders the result for people.
    tables
        The names of its tables; --csv writes the first.
    csv
        Makes the tables that are for programs alone.
    bar, late
        The text of the progress bar, which may name {parameters}; a late one appears only if the work takes long.
    aside
        Tells people something on standard error.
    code
        Gives the exit code; it is 130 if the work was interrupted.
    **settings
        Passed to typer.
    """
    query = QUERIES[name]

    def run(*, form: Form, **arguments: Any) -> Result:
        with _internal(query, (bar or name).format(**arguments), late) as internal:
            result = query(**arguments, **internal)
        if form is Form.text:
            aside(result)
        exit_code = code(result) if getattr(result, "finished", True) else INTERRUPTED
        return Result(result, partial(page, result, arguments), partial(csv, result, arguments), exit_code)

    options = [option_of(parameter, command or name) for parameter in query.parameters]
    run.__signature__ = Signature([Signed("form", Signed.KEYWORD_ONLY), *options])  # type: ignore[attr-defined]
    run.__doc__ = query.function.__doc__
    add_command(app, run, tables, command or name, **settings)


@contextmanager
def _internal(query: Query, bar: str, late: bool) -> Iterator[dict[str, Any]]:
    """The arguments of a query that the program fills in."""
    known: dict[str, Any] = {"tell": tell, "read_samples": read_samples, "read_rate": read_rate}
    known["stage"] = partial(progress_bar, late=True)
    if not query.internal.isdisjoint({"find", "find_known"}):
        from tentimes18.strategies import user_code

        known |= {"find": user_code.find, "find_known": user_code.find_known}
    with progress_bar(bar, late=late) if "progress" in query.internal else nullcontext() as progress:
        yield {name: progress if name == "progress" else known[name] for name in query.internal}


def add_command(
    app: typer.Typer, command: Callable[..., Result], tables: Sequence[str], name: str | None = None, **settings: Any
) -> None:
    """Add a command, with the options for the form of its result.

    ``tables`` are the names of its tables, the one that --csv writes first. A parameter ``form`` of the command gets
    the form of the result.
    """

    def run(*, as_json: bool, as_csv: bool, output: Path | None, table: str = tables[0], **options: Any) -> None:
        form = _choose_form(as_json, as_csv, output)
        if table not in tables:
            raise Ten18Error(f"{table!r} is not known; accepted: {', '.join(tables)}", field="table")
        if table != tables[0] and form is not Form.csv:
            raise Ten18Error("names the table to write as CSV; give --csv as well", field="table")
        result = command(**options, **({"form": form} if takes_form else {}))
        _give(result, form, table, output, as_json=as_json)
        if result.code:
            raise typer.Exit(result.code)

    name = name or command.__name__
    own = [option for option in options_of(command, name) if option.name != "form"]
    takes_form = "form" in signature(command).parameters
    run.__signature__ = Signature([*own, *_form_options(tables)])  # type: ignore[attr-defined]
    app.command(name, help=flowed(command), **settings)(run)


def add_plain(app: typer.Typer, command: Callable[..., None], name: str | None = None, **settings: Any) -> None:
    name = name or command.__name__
    command.__signature__ = Signature(options_of(command, name))  # type: ignore[attr-defined]
    app.command(name, help=flowed(command), **settings)(command)


def add_group(app: typer.Typer, name: str, doc: str) -> typer.Typer:
    group = typer.Typer()

    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            with trimmed_output():
                write(context.get_help() + "\n")

    show_help.__doc__ = doc
    group.callback(invoke_without_command=True)(show_help)
    app.add_typer(group, name=name)
    return group


def flowed(command: Callable[..., Any]) -> str:
    """The docstring in paragraphs that fill the lines of a terminal, wherever the lines of the source end."""
    return "\n\n".join(" ".join(part.split()) for part in (getdoc(command) or "").split("\n\n"))


def options_of(command: Callable[..., Any], name: str) -> list[Signed]:
    if isinstance(own := getattr(command, "__signature__", None), Signature):
        return list(own.parameters.values())
    documented = {parameter.name: option_of(parameter, name) for parameter in parameters_of(command)}
    parameters = signature(command, eval_str=True).parameters.values()
    return [documented.get(own.name, own.replace(kind=Signed.KEYWORD_ONLY)) for own in parameters]


def option_of(parameter: Parameter, command: str) -> Signed:
    doc = parameter.doc
    settings: dict[str, Any] = {"help": doc.text, "metavar": doc.metavar or None}
    settings["autocompletion"] = completer_of(command, parameter.name)
    if doc.default:
        settings["show_default"] = doc.default
    if doc.least is not None or doc.most is not None:
        settings |= {"min": doc.least, "max": doc.most}
    option = doc.option or f"--{parameter.name.rstrip('_').replace('_', '-')}"
    info = typer.Argument(**settings) if doc.is_argument else typer.Option(option, **settings)
    default = Signed.empty if parameter.is_required or doc.is_required else parameter.default
    return Signed(parameter.name, Signed.KEYWORD_ONLY, default=default, annotation=Annotated[parameter.type, info])


JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
OutputOption: TypeAlias = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")]
HtmlOption: TypeAlias = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures, for a browser.")
]


def _form_options(tables: Sequence[str]) -> list[Signed]:
    csv = f"Print {'the' if len(tables) == 1 else 'a'} table as CSV."
    options: list[tuple[str, Any, Any]] = [
        ("as_json", JsonOption, False),
        ("as_csv", Annotated[bool, typer.Option("--csv", help=csv)], False),
    ]
    if len(tables) > 1:
        text = f"The table to print as CSV: {', '.join(tables)}."
        options.append(("table", Annotated[str, typer.Option("--table", metavar="NAME", help=text)], tables[0]))
    text = "Write the result to a file: .json, .csv or .txt."
    kind = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=text)]
    options.append(("output", kind, None))
    return [Signed(name, Signed.KEYWORD_ONLY, default=value, annotation=hint) for name, hint, value in options]


def _choose_form(as_json: bool, as_csv: bool, output: Path | None) -> Form:
    """The form of the result, once it is clear that the file can be written."""
    if as_json and as_csv:
        raise Ten18Error("--json and --csv exclude each other; give one of them")
    form = Form.json if as_json else Form.csv if as_csv else None
    if output is None:
        return form or Form.text
    verify_output(output, () if form else tuple(ENDINGS))
    return form or ENDINGS[output.suffix.lower()]


def _give(result: Result, form: Form, table: str, output: Path | None, *, as_json: bool) -> None:
    if output is not None:
        if form is Form.json:
            content = to_json(result.to_json()) + b"\n"
        else:
            text = result.table(table).csv() if form is Form.csv else text_of(result.page())
            content = text.encode(errors="replace")
        write_whole(output, content)
        report_file(output, as_json)
    elif form is Form.json:
        print_json(result.to_json())
    elif form is Form.csv:
        write(result.table(table).csv())
    else:
        show(result.page(), console())


def verify_output(path: Path, endings: Iterable[str] = (), option: str = "output") -> None:
    """Raise before any work if the file could not be written; without ``endings`` any is accepted."""
    if endings:
        verify_ending(path, tuple(endings), option)
    verify_place(path, option)


def verify_picture(path: Path) -> None:
    """Raise before any work if the picture could not be drawn and written."""
    verify_output(path, pictures.ENDINGS)
    pictures.require_matplotlib()


def report_file(output: Path, as_json: bool) -> None:
    report({"output": _as_text(output)}, written(output), as_json)


def report(answer: Any, line: str, as_json: bool) -> None:
    if as_json:
        print_json(answer)
    else:
        write(f"{line}\n")


def written(output: Path) -> str:
    return f"Wrote {_as_text(output)}"


def _as_text(path: Path) -> str:
    return str(path).encode(errors="replace").decode()  # a name may be no text
