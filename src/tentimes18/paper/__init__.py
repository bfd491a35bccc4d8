"""The paper beside ours: a check is one thing that it prints; `sections` makes all of them.

A printed number agrees when our exact one, rounded to the printed digits, is the same. A misprint is a place where
the paper prints something else than it means; it counts as explained only while our number shows exactly that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from tentimes18.game import Number


@dataclass(frozen=True, slots=True)
class Check:
    """One thing the paper prints, and ours: ``where`` names the table or section, ``item`` the place in it.

    A section leaves out its own heading. ``line`` names the line of a table that has the number, if it is in one.
    """

    item: str
    printed: str
    computed: Number | float | str
    agrees: bool
    note: str = ""
    where: str = ""
    line: str = ""

    @property
    def differs(self) -> bool:
        return not self.agrees and not self.note


def number(item: str, printed: str, computed: Number | float, where: str = "", line: str = "") -> Check:
    """A printed number, which agrees when ours rounds to it."""
    exact = Fraction(computed)
    plain = exact.numerator if exact.denominator == 1 else float(exact)
    return Check(item, printed, plain, _rounded(exact, printed) == Decimal(printed), where=where, line=line)


def claim(item: str, printed: str, computed: str, agrees: bool, where: str = "", note: str = "") -> Check:
    return Check(item, printed, computed, agrees, note if agrees else "", where)


def misprint(item: str, printed: str, computed: str | float, shown: bool, note: str, where: str = "") -> Check:
    """What the paper prints is not what it means; explained while ``shown``, the proof by number, holds."""
    return Check(item, printed, computed, False, note if shown else "", where)


def _rounded(exact: Fraction, printed: str) -> Decimal:
    """The exact number at the printed precision: as many decimals, or significant digits with an exponent."""
    digits = Decimal(printed)
    if "e" in printed:
        return Context(prec=len(digits.as_tuple().digits)).divide(exact.numerator, exact.denominator)
    places = -int(digits.as_tuple().exponent)
    scaled = Decimal(round(exact * 10**places))
    return scaled.scaleb(-places, Context(prec=60, rounding=ROUND_HALF_EVEN))


def summary(checks: Iterable[Check]) -> dict[str, int]:
    checks = list(checks)
    agree = sum(check.agrees for check in checks)
    differ = sum(check.differs for check in checks)
    return {"agree": agree, "explained": len(checks) - agree - differ, "differ": differ}
