"""Laws in text: `gamma(2, 50)`, `uniform(0, 1)`, `3d6`, `samples:FILE`, a number.

The parameters of a continuous family are its shapes, then its scale (where it has one), then its place:

| text | law |
| --- | --- |
| uniform(a, b) | from a to b, exact |
| exponential(mean, place) | |
| normal(mean, sd), lognormal(s, scale, place), halfnormal(scale, place) | |
| gamma(shape, scale, place), weibull(shape, scale, place), pareto(shape, scale, place), lomax(shape, scale, place) | |
| beta(a, b, scale, place), triangular(mode, scale, place), logistic(place, scale), laplace(place, scale) | |
| poisson(rate), binomial(n, p), geometric(p), negative_binomial(r, p), integers(a, b) | on the integers |
| samples:FILE | the numbers of a file, for callers who read files |
| 0.3*3d6 + 0.7*gamma(2, 5) | a mixture |
| anything else | dice, or a number |

A text is data: nothing of it is run, and a file is read only by the function that the caller gives.
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from tentimes18.assignment.laws.families import FAMILIES, family_law
from tentimes18.assignment.laws.finite import constant, dice_law, sample_law
from tentimes18.assignment.laws.lattice import LATTICES, lattice_law
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.mixtures import MixtureLaw
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.dice import Dice
from tentimes18.errors import InvalidDice, Ten18Error

__all__ = ["ACCEPTED", "read_law"]

ACCEPTED: Final = "gamma(2, 50), uniform(0, 1), normal(100, 15), poisson(3), 3d6, 0.3*3d6+0.7*gamma(2, 5), a number"
LONGEST: Final = 2000

# How many shapes a family has; whether its place comes before its scale.
_SHAPES: Final = {"beta": 2, "gamma": 1, "lognormal": 1, "lomax": 1, "pareto": 1, "triangular": 1, "weibull": 1}
_PLACE_FIRST: Final = {"laplace", "logistic", "normal"}
_COUNTS: Final = {"binomial": 2, "geometric": 1, "integers": 2, "negative_binomial": 2, "poisson": 1}

_NUMBER: Final = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?(?:/[0-9]{1,40})?"
_CALL: Final = re.compile(rf"([a-z_]+) ?\( ?((?:{_NUMBER}(?: ?, ?{_NUMBER}){{0,5}})?) ?\)")
_ONE_NUMBER: Final = re.compile(_NUMBER)
_PART: Final = re.compile(rf"({_NUMBER}) ?\* ?(.+)")


def read_law(text: str, samples: Callable[[str], Sequence[float]] | None = None) -> ValueLaw:
    """The law that is written so; ``samples`` reads the numbers of a file, for callers who trust its name.

    >>> read_law("gamma(2, 50)").mean, read_law("3d6").mean, read_law("uniform(0, 1/3)").exact_mean()
    (100.0, 10.5, Fraction(1, 6))
    >>> read_law("samples:/etc/passwd")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: law 'samples:/etc/passwd': files are not read here; accepted: gamma(2, 50), ...
    """
    line = " ".join(text.split())
    if not line or len(line) > LONGEST:
        raise Ten18Error(f"cannot read it; accepted: {ACCEPTED}", "law", text)
    if line.startswith("samples:"):
        if samples is None:
            raise Ten18Error(f"files are not read here; accepted: {ACCEPTED}", "law", text)
        return sample_law(samples(line.removeprefix("samples:").strip()))
    try:
        parts = _parts(line)
        if len(parts) > 1 or _PART.fullmatch(line):
            return _mixture(parts, text)
        return _one(line, text)
    except (InvalidDice, Ten18Error) as error:
        raise Ten18Error(error.problem, "law", text) from None


def _parts(line: str) -> list[str]:
    """The text between the signs + that stand in front of a weight."""
    found = re.split(rf" ?\+ ?(?={_NUMBER} ?\*)", line)
    return found if all(_PART.fullmatch(part) for part in found) else [line]


def _mixture(parts: list[str], text: str) -> MixtureLaw:
    chances, laws = [], []
    for part in parts:
        match = _PART.fullmatch(part)
        if match is None:
            raise Ten18Error(f"cannot read {part!r}; accepted: {ACCEPTED}", "law", text)
        chances.append(_fraction(match[1]))
        laws.append(_one(match[2], text))
    return MixtureLaw(chances, laws)


def _one(line: str, text: str) -> ValueLaw:
    if _ONE_NUMBER.fullmatch(line):
        return constant(_fraction(line))
    match = _CALL.fullmatch(line)
    if match is None:
        try:
            return dice_law(Dice.parse(line))
        except InvalidDice:
            raise Ten18Error(f"cannot read it; accepted: {ACCEPTED}", "law", text) from None
    name, numbers = match[1], [_fraction(part) for part in match[2].split(",") if part.strip()]
    if name == "uniform":
        if len(numbers) not in (0, 2):
            raise Ten18Error("uniform takes two ends: uniform(0, 1)", "law", text)
        return UniformLaw(*(numbers or (0, 1)))
    if name in LATTICES:
        if len(numbers) != _COUNTS[name]:
            raise Ten18Error(f"{name} takes {_COUNTS[name]} numbers", "law", text)
        return lattice_law(name, *numbers)
    if name not in FAMILIES:
        known = ", ".join(sorted(["uniform", *FAMILIES, *LATTICES]))
        raise Ten18Error(f"{name} is no law; accepted: {known}, samples:FILE, dice, a number", "law", text)
    return _family(name, [float(number) for number in numbers], text)


def _family(name: str, numbers: list[float], text: str) -> ValueLaw:
    count = _SHAPES.get(name, 0)
    if not count <= len(numbers) <= count + 2:
        raise Ten18Error(f"{name} takes {count} to {count + 2} numbers", "law", text)
    rest = numbers[count:]
    if name in _PLACE_FIRST:
        loc, scale = (*rest, *(0.0, 1.0)[len(rest) :])
    else:
        scale, loc = (*rest, *(1.0, 0.0)[len(rest) :])
    return family_law(name, *numbers[:count], loc=loc, scale=scale)


def _fraction(text: str) -> Fraction:
    number, _, divisor = text.strip().partition("/")
    if divisor and not int(divisor):
        raise Ten18Error(f"{text.strip()} divides by 0", "law", text)
    return Fraction(number) / (int(divisor) if divisor else 1)
