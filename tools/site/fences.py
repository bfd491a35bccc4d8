"""Texts of ours as the builder of sites reads them best: code inside of fences, and brackets that are no links."""

import re
from collections.abc import Callable, Iterator

_FENCE = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}[^\n]*(?:\n|\Z)|\n(?= {4}))+")
_LISTED = re.compile(r" {0,3}(?:[-*+]|\d+\.) | {1,4}\S")
_CODE = re.compile(r"(`+).*?\1", re.DOTALL)


def fenced(text: str) -> str:
    r"""A docstring with its examples, and whatever is indented, inside of fences.

    >>> fenced("A sum.\n\n>>> 1 + 1\n2\n").replace("`", "'").split("\n")
    ['A sum.', '', "'''pycon", '>>> 1 + 1', '2', "'''", '']
    """
    lines: list[str] = []
    is_inside = False
    for line in text.split("\n"):
        if not is_inside and line.startswith(">>> "):
            lines.append("```pycon")
            is_inside = True
        elif is_inside and not line.strip():
            lines.append("```")
            is_inside = False
        lines.append("" if line.strip() == "<BLANKLINE>" and is_inside else line)
    return plain("\n".join([*lines, "```"] if is_inside else lines))


def plain(text: str) -> str:
    r"""A page with its indented code in fences, and its mathematics protected from being read as links.

    >>> plain("V[A][j] is `a[1][2]`, by\n\n    N[A][j] = 0\n").replace("`", "'")
    "V[A]\\[j] is 'a[1][2]', by\n\n'''text\nN[A][j] = 0\n'''\n"
    """
    text = "".join(outside_fences(text, _with_fences))
    return "".join(outside_fences(text, _without_links))


def outside_fences(text: str, change: Callable[[str], str]) -> Iterator[str]:
    """The parts of a text, those between its fences changed."""
    end = 0
    for fence in _FENCE.finditer(text):
        yield change(text[end : fence.start()])
        yield fence[0]
        end = fence.end()
    yield change(text[end:])


def _with_fences(text: str) -> str:
    def fence(found: re.Match[str]) -> str:
        before = text[: found.start()].rstrip("\n").rpartition("\n")[2]
        if _LISTED.match(before):  # it belongs to an entry of a list
            return found[0]
        lines = [line[4:] for line in found[0].rstrip("\n").split("\n")]
        return "```text\n" + "\n".join(lines) + "\n```\n"

    return _INDENTED.sub(fence, text)


def _without_links(text: str) -> str:
    end, parts = 0, []
    for code in _CODE.finditer(text):
        parts += [text[end : code.start()].replace("][", "]\\["), code[0]]
        end = code.end()
    return "".join([*parts, text[end:].replace("][", "]\\[")])
