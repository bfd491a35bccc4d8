"""A problem of sequential assignment from texts: its law, its slots, and how many arrive.

law         gamma(2, 50), 3d6, samples:FILE, ...: one for all arrivals, or one each with semicolons between them
slots       20: so many of multiplier 1; 1-10, 1,3,5: multipliers; 15x1,5x2: fifteen of multiplier 1 and five of 2
arrivals    40; endless; 1:0.1,2:0.2,3:0.7: the chances of 1, 2 and 3
regimes     0.9,0.1;0.5,0.5: the chances to go from each regime to each, a row a regime; their laws stand in the law
start       1: the first regime by number, from 0 on; 0.5,0.5: its chances
batches     5: batches of five; 3,2,1: their sizes in order
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, Regimes, ValueLaw, read_law
from tentimes18.errors import Ten18Error
from tentimes18.game import Number, read_slots

__all__ = [
    "read_arrivals",
    "read_batches",
    "read_free",
    "read_laws",
    "read_multipliers",
    "read_number",
    "read_numbers",
    "read_problem",
    "read_regimes",
]

MOST_SLOTS: Final = 100_000
MOST_LAWS: Final = 100_000
ACCEPTED_SLOTS: Final = "accepted: a number of slots like 20, multipliers like 1-10 or 1,3,5, or both like 15x1,5x2"
ACCEPTED_BATCHES: Final = "accepted: the size of all batches like 5, or their sizes in order like 3,2,1"
ACCEPTED_REGIMES: Final = "accepted: a row of chances for each regime, like 0.9,0.1;0.5,0.5"
ACCEPTED_ARRIVALS: Final = "accepted: a number like 40, endless, or chances like 1:0.1,2:0.9"

_COUNT: Final = re.compile(r"[0-9]{1,12}")
_SPAN: Final = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_SOME: Final = re.compile(r"([0-9]{1,12}) ?[x×*] ?(.+)")
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2}|/[0-9]{1,40})?"
)

Samples = Callable[[str], Sequence[float]]
"""Reads the numbers of a file."""


def read_problem(
    law: str,
    slots: str,
    arrivals: str | None = None,
    *,
    rate: float | Sequence[tuple[float, float]] | None = None,
    until: float | None = None,
    chance: str = "1",
    discount: str = "1",
    must_fill: bool = False,
    revenue: bool = False,
    regimes: str | None = None,
    start: str | None = None,
    batches: str | None = None,
    ahead: int = 0,
    samples: Samples | None = None,
) -> Problem:
    """The problem that these texts say; a rate and a deadline stand in the place of a number of arrivals.

    >>> problem = read_problem("3d6", "1-3", "10")
    >>> problem.multipliers, problem.arrivals
    ((1, 2, 3), 10)
    """
    laws = read_laws(law, samples)
    if start is not None and regimes is None:
        raise Ten18Error("is the first of some regimes; give these, too", "start", start)
    given = None if arrivals is None else read_arrivals(arrivals)
    if rate is not None or until is not None:
        if rate is None or until is None:
            missing, named = ("rate", "a deadline") if rate is None else ("until", "a rate")
            raise Ten18Error(f"{named} alone does not say how many arrive; give both", missing)
        if given is not None:
            raise Ten18Error("a rate and a deadline say how many arrive; give these or a number", "arrivals", arrivals)
        coming: int | RandomNumber | Poisson | Endless | None = Poisson(rate, until)
    elif given is None and (len(laws) == 1 or regimes is not None):
        raise Ten18Error(f"says how many arrive; {ACCEPTED_ARRIVALS}", "arrivals")
    else:
        coming = given
    return Problem(
        laws if len(laws) > 1 else laws[0],
        read_multipliers(slots),
        coming,
        discount=read_number(discount, "discount"),
        chance=read_number(chance, "chance"),
        must_fill=must_fill,
        regimes=None if regimes is None else read_regimes(regimes, start),
        batches=None if batches is None else read_batches(batches),
        ahead=ahead,
        revenue=revenue,
    )


def read_laws(text: str, samples: Samples | None = None) -> list[ValueLaw]:
    """One law, or one for each arrival in their order.

    >>> [law.mean for law in read_laws("3d6; uniform(0, 1)")]
    [10.5, 0.5]
    """
    parts = text.split(";")
    if len(parts) > MOST_LAWS:
        raise Ten18Error(f"{len(parts):,} laws; at most {MOST_LAWS:,} are accepted", "law")
    known: dict[str, ValueLaw] = {}
    for part in parts:
        if part not in known:
            known[part] = read_law(part, samples)
    return [known[part] for part in parts]


def read_multipliers(text: str) -> int | list[Number]:
    """A number of slots, or their multipliers.

    >>> read_multipliers("20"), read_multipliers("1-3"), read_multipliers("2x1, 1/2")
    (20, [1, 2, 3], [Fraction(1, 2), 1, 1])
    """
    line = " ".join(text.split())
    if _COUNT.fullmatch(line):
        return int(line)
    found: list[Number] = []
    plain: list[str] = []
    for part in line.split(","):
        match = _SOME.fullmatch(part.strip())
        if match is None:
            plain.append(part)
            continue
        count = int(match[1])
        if not 1 <= count <= MOST_SLOTS - len(found):
            raise Ten18Error(f"1 to {MOST_SLOTS:,} slots are accepted", "slots", text)
        found += count * [read_number(match[2], "slots")]
    try:
        found += read_slots(",".join(plain)) if plain else []
    except Ten18Error:
        raise Ten18Error(f"cannot read it; {ACCEPTED_SLOTS}", "slots", text) from None
    return sorted(found)


def read_arrivals(text: str) -> int | RandomNumber | Endless:
    """How many arrive.

    >>> read_arrivals("40"), read_arrivals("endless"), read_arrivals("1:0.5, 3:0.5").most
    (40, Endless(), 3)
    """
    line = " ".join(text.split()).lower()
    if line == "endless":
        return Endless()
    if _COUNT.fullmatch(line):
        return int(line)
    chances: dict[int, Fraction | int] = {}
    for part in line.split(","):
        number, colon, chance = part.partition(":")
        if not colon or not _COUNT.fullmatch(number.strip()):
            raise Ten18Error(f"cannot read it; {ACCEPTED_ARRIVALS}", "arrivals", text)
        if int(number) in chances:
            raise Ten18Error(f"{int(number)} arrivals have two chances", "arrivals", text)
        chances[int(number)] = read_number(chance, "arrivals")
    return RandomNumber(chances)


def read_regimes(text: str, start: str | None = None) -> Regimes:
    """A Markov chain of regimes, and the first of them, or its chances.

    >>> read_regimes("0.9, 0.1; 1/2, 1/2", "1").begin
    (0, 1)
    """
    rows = [read_numbers(row, "regimes") for row in text.split(";")]
    if any(len(row) != len(rows) for row in rows):
        raise Ten18Error(f"is no square; {ACCEPTED_REGIMES}", "regimes", text)
    begin = [0] if start is None else read_numbers(start, "start")
    first = begin[0]
    return Regimes(rows, first if len(begin) == 1 and isinstance(first, int) else begin)


def read_batches(text: str) -> int | list[int]:
    """The size of all batches, or their sizes in order.

    >>> read_batches("5"), read_batches("3, 2,1")
    (5, [3, 2, 1])
    """
    sizes = [part.strip() for part in text.split(",")]
    if not all(map(_COUNT.fullmatch, sizes)):
        raise Ten18Error(f"cannot read it; {ACCEPTED_BATCHES}", "batches", text)
    found = [int(size) for size in sizes]
    return found if len(found) > 1 else found[0]


def read_free(text: str, size: int) -> list[int]:
    """Free slots by number.

    >>> read_free("7, 1-3", 10)
    [1, 2, 3, 7]
    """
    found: set[int] = set()
    for part in re.sub(r"\s*([-,])\s*", r"\1", text.strip()).split(","):
        match = _SPAN.fullmatch(part)
        if match is None:
            raise Ten18Error(f"cannot read {part[:60]!r}; accepted: slots like 1,4,7 or 1-3,7", "free", text)
        first, last = sorted((int(match[1]), int(match[2] or match[1])))
        if first < 1 or last > size:
            raise Ten18Error(f"slots are 1 to {size:,}", "free", text)
        found |= set(range(first, last + 1))
    return sorted(found)


def read_number(text: str, field: str) -> Number:
    """A number as it is written: 0.99 is 99/100.

    >>> read_number("0.99", "discount"), read_number("7", "value")
    (Fraction(99, 100), 7)
    """
    line = text.strip()
    if not _NUMBER.fullmatch(line) or re.search(r"/0+$", line):
        raise Ten18Error("cannot read it; accepted: numbers like 12, 0.75, 3/4, 1e-3", field, text)
    number = Fraction(line)
    return number.numerator if number.denominator == 1 else number


def read_numbers(text: str, field: str) -> list[Number]:
    """Numbers as they are written, with commas between them.

    >>> read_numbers("0.5, 1/2,3", "known")
    [Fraction(1, 2), Fraction(1, 2), 3]
    """
    return [read_number(part, field) for part in text.split(",")]
