"""A problem of sequential assignment from texts: its distribution, its slots, and how many arrive.

| text | what it says |
| --- | --- |
| distribution | gamma(2, 50), 3d6, samples:FILE: one for all arrivals, or one for each, with ; between them |
| slots | 20: twenty of multiplier 1; 1-10, 1,3,5: multipliers; 15x1,5x2: fifteen of multiplier 1 and five of 2 |
| arrivals | 40; endless; 1:0.1,2:0.2,3:0.7: the chances of 1, 2 and 3 |
| regimes | 0.9,0.1;0.5,0.5: the chances to go from each regime to each; each has a distribution of its own |
| start | 1: the first regime by number, from 0 on; 0.5,0.5: its chances |
| batches | 5: batches of five; 3,2,1: their sizes in order |
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from tentimes18.assignment import Endless, RandomNumber, Regimes, ValueDistribution, read_distribution
from tentimes18.errors import Ten18Error
from tentimes18.game import Number, read_slots

MAX_SLOTS = 100_000
MAX_DISTRIBUTIONS = 100_000
ACCEPTED_SLOTS = "accepted: a number of slots like 20, multipliers like 1-10 or 1,3,5, or both like 15x1,5x2"
ACCEPTED_BATCHES = "accepted: the size of all batches like 5, or their sizes in order like 3,2,1"
ACCEPTED_REGIMES = "accepted: a row of chances for each regime, like 0.9,0.1;0.5,0.5"
ACCEPTED_ARRIVALS = "accepted: a number like 40, endless, or chances like 1:0.1,2:0.9"

_COUNT = re.compile(r"[0-9]{1,12}(?:[eE]\+?(?:[0-9]|1[0-2]))?")
_SPAN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_SOME = re.compile(r"([0-9]{1,12}) ?[x×*] ?(.+)")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2}|/[0-9]{1,40})?")

Samples = Callable[[str], Sequence[float]]
"""Reads the numbers of a file."""


def read_distributions(text: str, samples: Samples | None = None) -> list[ValueDistribution]:
    """One distribution, or one for each arrival in their order."""
    parts = text.split(";")
    if len(parts) > MAX_DISTRIBUTIONS:
        raise Ten18Error(f"{len(parts):,} distributions; at most {MAX_DISTRIBUTIONS:,} are accepted", "distribution")
    known = {part: read_distribution(part, samples) for part in dict.fromkeys(parts)}
    return [known[part] for part in parts]


def read_multipliers(text: str) -> int | list[Number]:
    """A number of slots, or their multipliers."""
    line = " ".join(text.split())
    if (slots := count_of(line)) is not None:
        return slots
    multipliers: list[Number] = []
    for part in line.split(","):
        match = _SOME.fullmatch(part.strip())
        try:
            some = read_slots(part) if match is None else [read_number(match[2], "slots")]
        except Ten18Error:
            raise Ten18Error(f"cannot read it; {ACCEPTED_SLOTS}", "slots", text) from None
        count = 1 if match is None else int(match[1])
        if not 1 <= count * len(some) <= MAX_SLOTS - len(multipliers):
            raise Ten18Error(f"1 to {MAX_SLOTS:,} slots are accepted", "slots", text)
        multipliers += count * some
    return multipliers


def read_arrivals(text: str) -> int | RandomNumber | Endless:
    line = " ".join(text.split()).lower()
    if line == "endless":
        return Endless()
    if (arrivals := count_of(line)) is not None:
        return arrivals
    chances: dict[int, Fraction | int] = {}
    for part in line.split(","):
        number, colon, chance = part.partition(":")
        if not colon or (count := count_of(number.strip())) is None:
            raise Ten18Error(f"cannot read it; {ACCEPTED_ARRIVALS}", "arrivals", text)
        if count in chances:
            raise Ten18Error(f"{count} arrivals are listed twice", "arrivals", text)
        chances[count] = read_number(chance, "arrivals")
    return RandomNumber(chances)


def read_regimes(text: str, start: str | None = None) -> Regimes:
    """A Markov chain of regimes, and the first of them, or its chances."""
    rows = [read_numbers(row, "regimes") for row in text.split(";")]
    if any(len(row) != len(rows) for row in rows):
        raise Ten18Error(f"is not a square matrix; {ACCEPTED_REGIMES}", "regimes", text)
    begin = [0] if start is None else read_numbers(start, "start")
    first = begin[0]
    return Regimes(rows, first if len(begin) == 1 and isinstance(first, int) else begin)


def read_batches(text: str) -> int | list[int]:
    """The size of all batches, or their sizes in order."""
    sizes = [size for part in text.split(",") if (size := count_of(part.strip())) is not None]
    if len(sizes) <= text.count(","):
        raise Ten18Error(f"cannot read it; {ACCEPTED_BATCHES}", "batches", text)
    return sizes if len(sizes) > 1 else sizes[0]


def read_free(text: str, size: int) -> list[int]:
    slots: set[int] = set()
    for part in re.sub(r"\s*([-,])\s*", r"\1", text.strip()).split(","):
        match = _SPAN.fullmatch(part)
        if match is None:
            raise Ten18Error(f"cannot read {part[:60]!r}; accepted: slots like 1,4,7 or 1-3,7", "free", text)
        first, last = sorted((int(match[1]), int(match[2] or match[1])))
        if first < 1 or last > size:
            raise Ten18Error(f"slots are 1 to {size:,}", "free", text)
        slots |= set(range(first, last + 1))
    return sorted(slots)


def count_of(text: str) -> int | None:
    """A whole number, also as people write large ones, like 1e6; None for any other text."""
    return int(Fraction(text)) if _COUNT.fullmatch(text) else None


def read_number(text: str, field: str) -> Number:
    """A number as it is written: 0.99 is 99/100."""
    line = text.strip()
    if not _NUMBER.fullmatch(line) or re.search(r"/0+$", line):
        raise Ten18Error("cannot read it; accepted: numbers like 12, 0.75, 3/4, 1e-3", field, text)
    number = Fraction(line)
    return number.numerator if number.denominator == 1 else number


def read_numbers(text: str, field: str) -> list[Number]:
    return [read_number(part, field) for part in text.split(",")]
