"""Modules and style sheets as they are sent: without the comments that stand on lines of their own.

They are a fifth of what would go over the wire, and no browser needs them. Nothing else is touched, and every line
stays where it was: what a browser's tools show has the numbers of the file in the repository.
"""

import re
from typing import Final

__all__ = ["lean"]

_COMMENT: Final = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)$", re.MULTILINE | re.DOTALL)


def lean(text: str) -> str:
    r"""The text without comments on lines of their own; those lines are empty.

    >>> lean("// What it is for.\nlet a = 1; // stays\n/** @type {number}\n *  of it */\nlet b;\n")
    '\nlet a = 1; // stays\n\n\nlet b;\n'
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
