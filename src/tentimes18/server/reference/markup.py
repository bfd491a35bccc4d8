"""Pieces of HTML that the reference is made of; whatever comes from outside is escaped."""

import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

__all__ = [
    "PLACES",
    "about",
    "capital",
    "chip",
    "felt_head",
    "field_name",
    "inline",
    "marked_path",
    "plain",
    "pretty",
    "prose",
    "table",
]

SHORT: Final = 60  # characters of JSON in one line


PLACES: Final = {  # the plain pages of the service
    "/verify": "Check a game",
    "/commitments": "Commitments",
    "/api/docs": "API",
}


def felt_head(place: str) -> str:
    """The head of a plain page at this address: the way to the game, and to the other pages of its kind.

    >>> felt_head("/verify").count("aria-current")
    1
    """
    links = "".join(
        f'<a href="{address}"{" aria-current=page" * (address == place)}>{name}</a>' for address, name in PLACES.items()
    )
    return (
        '<div class="felt"><div><a class="brand" href="/"><svg aria-hidden="true" viewBox="0 0 26 22">'
        '<rect width="12" height="2" rx="1"/><rect y="5" width="19" height="5" rx="1.5"/>'
        f'<rect y="13" width="26" height="9" rx="2"/></svg>10×18</a><nav aria-label="Pages">{links}</nav></div></div>\n'
    )


def table(title: str | None, rows: Iterable[tuple[str, str, str]], head: tuple[str, ...] = ()) -> str:
    """A table of three columns."""
    caption = f"<h4>{title}</h4>" if title else ""
    top = f"<thead><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr></thead>" if head else ""
    names = [f' data-name="{name}"' for name in head] or [""] * 3
    lines = ("".join(f"<td{name}>{cell}</td>" for name, cell in zip(names, row, strict=True)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'{caption}<div class="scroll"><table>{top}<tbody>{body}</tbody></table></div>'


def chip(method: str) -> str:
    """A method, in its colour."""
    return f'<b class="method {method.lower()}">{escape(method)}</b>'


def marked_path(path: str) -> str:
    """A path that may break after a slash, its parameters set off."""
    return re.sub(r"\{(\w+)\}", r"<i>{\1}</i>", escape(path).replace("/", "<wbr>/"))


def capital(text: str) -> str:
    """A text with a capital at its start.

    >>> capital("games and duels")
    'Games and duels'
    """
    return text[:1].upper() + text[1:]


def prose(text: str) -> str:
    """Paragraphs, from the text of a docstring."""
    return "".join(f"<p>{inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def inline(text: str) -> str:
    """A text with its code set as such.

    >>> inline("``roll`` is `null` < 1")
    '<code>roll</code> is <code>null</code> &lt; 1'
    """
    return re.sub(r"``?([^`]+)``?", r"<code>\1</code>", escape(" ".join(text.split()), quote=False))


def field_name(name: str, *, is_needed: bool) -> str:
    """The name of a field, and whether it may be left out."""
    return f"<code>{escape(name)}</code>" + ("" if is_needed else " <small>optional</small>")


def about(part: Mapping[str, Any]) -> str:
    """What is said of a field or a parameter, and its default."""
    schema = part.get("schema", part)
    inner = (one["description"] for one in schema.get("anyOf", []) if "description" in one)
    told = inline(part.get("description") or schema.get("description") or next(inner, ""))
    if schema.get("default") is not None:
        told += f" Default: <code>{escape(plain(schema['default']))}</code>."
    return told.strip()


def plain(value: object) -> str:
    """A value as it stands in a query."""
    return value if isinstance(value, str) else json.dumps(value)


def pretty(value: object, indent: int = 0) -> str:
    """JSON that is read by people: a field a line, what is short in one.

    >>> print(pretty({"slots": [1, 2], "opened": [{"round": 1, "roll": 11}]}))
    {
      "slots": [1, 2],
      "opened": [{"round": 1, "roll": 11}]
    }
    """
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (indent and len(line) <= SHORT):
        return line
    space = "  " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {pretty(part, indent + 1)}" for name, part in value.items()]
    else:
        parts = [pretty(part, indent + 1) for part in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{space}" + f",\n{space}".join(parts) + "\n" + "  " * indent + end
