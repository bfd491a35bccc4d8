"""Metrics as Prometheus reads them: the text format, version 0.0.4."""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import inf
from typing import Final

from tentimes18.server.edge.metrics import Family

__all__ = ["CONTENT_TYPE", "exposition"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def exposition(families: Iterable[Family]) -> str:
    """The text.

    >>> moves = Family("ten18_moves_total", "counter", "Moves on disk.", ("kind",), samples={("solo",): [3]})
    >>> print(exposition([moves]), end="")
    # HELP ten18_moves_total Moves on disk.
    # TYPE ten18_moves_total counter
    ten18_moves_total{kind="solo"} 3
    """
    return "".join(f"{line}\n" for family in families for line in _lines(family))


def _lines(family: Family) -> Iterator[str]:
    what = family.what.replace("\\", r"\\").replace("\n", r"\n")
    yield f"# HELP {family.name} {what}"
    yield f"# TYPE {family.name} {family.kind}"
    for values, numbers in sorted(family.samples.items()):
        labels = list(zip(family.labels, values, strict=True))
        if family.kind != "histogram":
            yield f"{family.name}{_told(labels)} {_number(numbers[0])}"
            continue
        *counts, total = numbers
        for bound, count in zip((*family.bounds, inf), accumulate(counts), strict=True):
            yield f"{family.name}_bucket{_told([*labels, ('le', _number(bound))])} {_number(count)}"
        yield f"{family.name}_sum{_told(labels)} {_number(total)}"
        yield f"{family.name}_count{_told(labels)} {_number(sum(counts))}"


def _told(labels: list[tuple[str, str]]) -> str:
    if not labels:
        return ""
    escaped = ((name, value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")) for name, value in labels)
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped) + "}"


def _number(value: float) -> str:
    if value == inf:
        return "+Inf"
    return str(int(value)) if float(value).is_integer() else repr(value)
