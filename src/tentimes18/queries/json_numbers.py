"""How numbers are written in JSON: plain ones, exact fractions as "p/q", decimals of any number of digits."""

from collections.abc import Callable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import floor, log10
from typing import Any, SupportsFloat, TypeAlias, TypeVar

from msgspec import Struct

GUARD_DIGITS = 3
WIDE = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)

Plain: TypeAlias = int | float
"""Integers stay integers."""

Written: TypeAlias = int | float | str
"""A plain number, or one of more precision as a text."""


def plain(value: SupportsFloat) -> Plain:
    """A plain number: integers stay integers, whatever else is a float."""
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return float(value)


_Answer = TypeVar("_Answer", bound=Struct)


def answer_from(kind: type[_Answer], source: object, **fields: Any) -> _Answer:
    """An answer with these fields, and all others that the source has by the same name; fractions as plain numbers."""
    for name in kind.__struct_fields__:
        if name not in fields and hasattr(source, name):
            value = getattr(source, name)
            fields[name] = plain(value) if isinstance(value, Fraction) else value
    return kind(**fields)


def fraction_text(value: int | float | Fraction) -> str:
    """The value as p/q, in lowest terms."""
    exact = Fraction(value)
    return f"{exact.numerator}/{exact.denominator}"


def ratio_text(numerator: int, denominator: int, digits: int) -> str:
    """The ratio of two integers with this many significant digits, in lowest terms or not, rounded half to even.

    A few digits more than these are divided out as an integer, with one more that says whether anything is left: long
    integers are never turned into decimals, which takes the square of their length.
    """
    magnitude = floor((abs(numerator).bit_length() - denominator.bit_length()) * log10(2)) if numerator else 0
    shift = digits + GUARD_DIGITS - magnitude
    scaled, left = divmod(abs(numerator) * 10 ** max(0, shift), denominator * 10 ** max(0, -shift))
    quotient = Context(prec=digits).plus(Decimal(10 * scaled + bool(left)).scaleb(-shift - 1, WIDE))
    places = digits - 1 - quotient.adjusted() if quotient else digits - 1
    return f"{quotient if numerator >= 0 else quotient.copy_negate():.{max(0, places)}f}"


def writer(exact: bool = False, digits: int | None = None) -> Callable[[int | float | Fraction], float | str]:
    """How each number of an answer is written: as a float, as a fraction, or with this many digits."""
    if exact:
        return fraction_text
    if digits is not None:
        return lambda value: ratio_text(*Fraction(value).as_integer_ratio(), digits)
    return float
