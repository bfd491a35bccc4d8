"""What the pages on commands say of each: its purpose, its options, and the fields of its JSON, from the declarations.

`python -m tools.command_pages` writes each part between its marks, `<!-- ten18 solve -->` and `<!-- end -->`. The part
`<!-- ten18 plot -->` is a table of the commands of that group without a part of their own. The examples between the
parts are console blocks, which `tools.console` runs.
"""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, UnsetType, structs

from tentimes18.cli import COMMANDS, make_command
from tentimes18.queries import QUERIES

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference" / "commands"
INDEX = FOLDER.with_suffix(".md")
COMMON = {"as_json", "as_csv", "table", "output", "help", "data", "player"}
MIN_COMMANDS = 4  # that have an option, for the table of common options
MIN_SHARED = 3  # options that an earlier command describes, for a reference to it
OTHER_QUERIES = {"cache list": "cached", "cache clear": "clear_cache", "export prism": "prism"}
DESCRIBED_BY_HAND = {"drill", "review"}  # the fields of their JSON

_MARKED = re.compile(r"(<!-- (ten18[a-z0-9 -]*) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    return [INDEX, *sorted(FOLDER.glob("*.md"))]


def leaves(command: Any, name: str = "ten18") -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its whole name."""
    children = getattr(command, "commands", {})
    if not children:
        yield name, command
    for inner, child in children.items():
        yield from leaves(child, f"{name} {inner}")


def panel(name: str) -> str:
    """The group that `ten18 --help` lists a command in."""
    return COMMANDS[name.split()[1]].panel


def rendered(text: str) -> str:
    """The page with these parts as they are now."""
    commands = dict(leaves(make_command(is_whole=True)))
    rows = [(_row(option), name) for name, command in commands.items() for option in _options(command)]
    counts = Counter(row for row, _ in rows)
    # Where a row of options, or a type of answers, is described: with "ten18" itself, or the first command that has it.
    described: dict[Any, str] = {row: "ten18" for row, _ in rows if counts[row] >= MIN_COMMANDS}
    for row, name in rows:
        described.setdefault(row, name)
    for name in sorted(commands, key=lambda name: len(_results(name))):
        for result in _results(name):
            described.setdefault(result, name)

    def replaced(match: re.Match[str]) -> str:
        name = match[2]
        if name == "ten18":
            content = _table(row for row in described if described[row] == name)
        elif name in commands:
            has_block = f"$ {name} " in text or f"| {name} " in text
            content = part(name, commands[name], described, has_example=not has_block)
        else:
            group = [key for key in commands if key.startswith(f"{name} ") and f"<!-- {key} -->" not in text]
            examples = [f"| `{_example(commands[key])}` | {_help(commands[key], ' ')} |\n" for key in group]
            content = f"| command | what it does |\n| --- | --- |\n{''.join(examples)}"
        return f"{match[1]}{content}{match[3]}"

    return _MARKED.sub(replaced, text)


def part(name: str, command: Any, described: Mapping[Any, str], *, has_example: bool) -> str:
    """A command, but for its name: its help, an example if the page has none, its own options, and its JSON."""
    options = {_row(option): f"`{_usage(option).split()[0]}`" for option in _options(command)}
    sources = Counter(described[row] for row in options)
    others = ["ten18", *(other for other in sources if other not in {"ten18", name} and sources[other] >= MIN_SHARED)]
    also = [", ".join(option for row, option in options.items() if described[row] == other) for other in others]
    also[1:] = [f"{names} as for `{other}`" for other, names in zip(others[1:], also[1:], strict=True)]
    tables = next((option.help.partition(": ")[2] for option in command.params if option.name == "table"), "")
    paragraphs = [
        _help(command),
        f"Example: `{_example(command)}`" if has_example else "",
        _table(row for row in options if described[row] not in others).rstrip("\n"),
        " ".join(
            [f"Also {'; '.join(filter(None, also))}."] * any(also) + [f"Tables for `--csv`: {tables}"] * bool(tables)
        ),
        _json(name, described),
    ]
    return "\n".join(f"{paragraph}\n" for paragraph in paragraphs if paragraph)


def _options(command: Any) -> list[Any]:
    return [option for option in command.params if option.name not in COMMON]


def _help(command: Any, between: str = "\n\n") -> str:
    return _code(between.join(" ".join(paragraph.split()) for paragraph in command.help.split("\n\n")))


def _example(command: Any) -> str:
    return str(command.epilog).removeprefix("Example: ")


def _table(rows: Iterable[str]) -> str:
    """A table of options, or nothing without rows."""
    content = "".join(rows)
    return content and f"| option | meaning |\n| --- | --- |\n{content}"


def _row(option: Any) -> str:
    return f"| `{_usage(option)}` | {_code(option.help or '')}{_default(option)} |\n"


def _usage(option: Any) -> str:
    choices = getattr(option.type, "choices", None)
    value = option.metavar or ("|".join(map(str, choices)) if choices else "" if option.name == "dice" else "N")
    if option.param_type_name == "argument":
        return str(value).strip("{}").replace("|", "\\|")
    flag = max(option.opts, key=len)
    return flag if option.is_flag else f"{flag} {value}".replace("|", "\\|")


def _default(option: Any) -> str:
    if isinstance(option.show_default, str):
        return f" Default: {option.show_default}."
    if option.default is None or option.default is False or option.default == "" or option.required:
        return " Required." if option.required and option.param_type_name != "argument" else ""
    return f" Default: `{getattr(option.default, 'value', option.default)}`."


def _results(name: str) -> Sequence[Any]:
    """The types of the answers of a command."""
    name = name.removeprefix("ten18 ")
    query = OTHER_QUERIES.get(name, name.replace(" ", "_"))
    if query not in QUERIES or name in DESCRIBED_BY_HAND:
        return ()
    return get_args(QUERIES[query].result) or (QUERIES[query].result,)


def _json(name: str, described: Mapping[Any, str]) -> str:
    """The fields of the answers, and what the declared types say of them; each type is described once."""
    shown: set[Any] = set()
    answers = [
        f"`{shape(one, shown)}`. {_code(' '.join((one.__doc__ or '').split()))}".rstrip()
        if described[one] == name
        else f"what `{described[one]}` prints."
        for one in _results(name)
    ]
    if len(answers) > 1:
        return "`--json` prints one of these:\n\n" + "\n".join(f"- {answer}" for answer in answers)
    return f"`--json` prints {answers[0]}" if answers else ""


def shape(kind: Any, shown: set[Any]) -> str:
    """The fields of a type: `{"dice", "slots": [...]}`; a ? marks a field that may be absent."""
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and (issubclass(kind, Struct) or dataclasses.is_dataclass(kind)):
        if kind in shown:
            return "{...}"
        shown.add(kind)
        hints = get_type_hints(kind)
        every = structs.fields(kind) if issubclass(kind, Struct) else dataclasses.fields(kind)
        names = [(getattr(field, "encode_name", field.name), hints[field.name]) for field in every]
        return "{" + ", ".join(_field(name, hint, shown) for name, hint in names) + "}"
    if origin in (Union, UnionType):
        return next(filter(None, (shape(one, shown) for one in inner)), "")
    if origin in (list, Sequence) or (origin is tuple and inner[1:] == (...,)):
        part = shape(inner[0], shown)
        return f"[{part}, ...]" if part.startswith("{") else "[...]"
    return {dict: "{...}", tuple: "[...]"}.get(origin, "")


def _field(name: str, hint: Any, shown: set[Any]) -> str:
    inner = shape(hint, shown)
    return f'"{name}"{"?" if UnsetType in get_args(hint) else ""}{inner and ": "}{inner}'


def _code(text: str) -> str:
    """A text with its options as code."""
    parts = re.sub(r"``([^`]+)``", r"`\1`", text).replace("|", "\\|").split("`")
    parts[::2] = [re.sub(r"(?<!\w)(--[a-z][a-z-]+)", r"`\1`", part) for part in parts[::2]]
    return "`".join(parts)


def main() -> None:
    for page in pages():
        page.write_text(rendered(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
