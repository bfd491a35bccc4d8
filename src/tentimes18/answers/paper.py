"""Every number of the paper beside ours."""

from collections.abc import Iterable
from typing import TypedDict

from tentimes18.paper.checks import Check, summary
from tentimes18.queries.json_numbers import Written, plain

__all__ = ["CheckAnswer", "PaperAnswer", "paper"]


class CheckAnswer(TypedDict):
    """One thing that the paper prints, and ours; the note explains a slip."""

    where: str
    printed: str
    computed: Written
    agrees: bool
    note: str


class PaperAnswer(TypedDict):
    """All checks, and how many agree, are explained, and differ."""

    checks: list[CheckAnswer]
    agree: int
    explained: int
    differ: int


def paper(checks: Iterable[Check]) -> PaperAnswer:
    """What these checks come to.

    >>> from tentimes18.paper.checks import number
    >>> paper([number("Table 1", "a tie", "10.5", 10.5)])["agree"]
    1
    """
    checks = list(checks)
    counts = summary(checks)
    return {
        "checks": [
            {
                "where": f"{check.where}: {check.item}",
                "printed": check.printed,
                "computed": check.computed if isinstance(check.computed, str) else plain(check.computed),
                "agrees": check.agrees,
                "note": check.note,
            }
            for check in checks
        ],
        "agree": counts["agree"],
        "explained": counts["explained"],
        "differ": counts["differ"],
    }
