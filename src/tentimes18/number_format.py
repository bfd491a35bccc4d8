"""Plain numbers for people: a score, a share, a multiplier, a rank, a count, a range of rolls.

Worths are formatted by their unit, in `wording`.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, inf, log10

from tentimes18.coach.losses import Worth
from tentimes18.game import Number

HUGE = 10**9  # from here on numbers have a power of ten
EXACT = 10**15  # from here on a float64 has no digits after the point
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def with_minus(text: str) -> str:
    """A text with the minus of negative numbers as people read it; the hyphen of a range stays one.

    >>> with_minus("-9 to -1"), with_minus("600-609")
    ('−9 to −1', '600-609')
    """
    return re.sub(r"(?<![0-9])-", "−", text)


def counted(count: int, name: str) -> str:
    plural = f"{name[:-1]}ies" if re.search("[^aeiou]y$", name) else f"{name}s"
    return f"{count:,} {name if count == 1 else plural}"


def listed(names: Iterable[object]) -> str:
    """Things one after the other, as in a sentence: '1 blunder, 2 mistakes and 1 inaccuracy'."""
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last


def percentile(share: str | float) -> str:
    """The name of a percentile.

    >>> percentile("0.01"), percentile(0.25)
    ('1st percentile', '25th percentile')
    """
    percent = f"{100 * float(share):g}"
    return f"{percent}{'st' if percent == '1' else 'th'} percentile"


def shown_number(value: Number | Worth, digits: int = 2) -> str:
    """A score or a multiplier, short enough for a cell."""
    number = float(value)
    if abs(number) >= 10**7:
        return with_minus(f"{number:.4g}")
    return with_minus(str(int(value)) if value == int(value) else _without_zeros(f"{number:z.{digits}f}"))


def points(value: Number | float) -> str:
    """Points with four digits or more, as a person reads them."""
    size = abs(Fraction(value))
    if size >= HUGE:
        return power_of_ten(value)
    digits = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 10 else 3
    return with_minus(_without_zeros(f"{float(value):z,.{digits}f}"))


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimal(value: float, form: str) -> str:
    """A number in this form, but with a power of ten where the form would show digits that a float64 does not have.

    >>> decimal(642.2393504, ".3f"), decimal(8.999999999999999e26, ".3f")
    ('642.239', '9×10²⁶')
    """
    is_rounded = isinstance(value, float) and EXACT <= abs(value) < inf and form.endswith("f")
    return power_of_ten(value) if is_rounded else f"{value:{form}}".replace("-", "−")


def power_of_ten(value: Worth) -> str:
    """A large number with six digits: 1.23457×10¹²."""
    number, _, exponent = f"{float(value):.5e}".partition("e")
    return with_minus(f"{_without_zeros(number)}×10{str(int(exponent)).translate(RAISED)}")


def score_name(score: Number) -> str:
    """A score as the name of a row: exact, unless it is long."""
    exact = Fraction(score)
    is_short = max(abs(exact.numerator), exact.denominator) < 10**9
    if 10**4 % exact.denominator == 0 and is_short:
        return _without_zeros(f"{float(exact):.4f}")
    return str(score) if is_short or (exact.denominator == 1 and abs(exact) < 10**15) else f"{float(exact):.7g}"


def percent(chance: Worth) -> str:
    """A chance in a sentence: 23.5%, or 0.12%."""
    return f"{100 * float(chance):.1f}%" if chance >= 0.01 else f"{100 * float(chance):.2g}%"


def chance_cell(chance: Worth) -> str:
    """A chance in a table, with more digits where it is rare or nearly certain; 0% and 100% are exact."""
    rest = min(chance, 1 - chance)
    if not rest:
        return f"{100 * int(chance)}%"
    if rest >= 0.00005 or float(chance) in (0.0, 1.0):
        return f"{100 * float(chance):.2f}%"
    if rest < 1e-8:
        return f"{100 * float(chance):.2g}%" if rest == chance else f"100% − {100 * float(rest):.2g}%"
    return f"{100 * float(chance):.{1 - floor(log10(100 * float(rest)))}f}%"


def share(part: Worth) -> str:
    """A part of games or moves, in a table: 33.3%."""
    return f"{100 * float(part):.1f}%"


def rough(value: Worth) -> str:
    """A number for a headline, with about two digits: 65, 2.3 or 0.9."""
    number = float(value)
    return f"{number:,.0f}" if abs(number) >= 9.95 else f"{number:.2g}"


def short(loss: Worth) -> str:
    """A loss for a small place: 35, 2.8, 0.03 or 0.001."""
    number = float(loss)
    if 0 < number < 0.0095:
        return f"{number:.1g}"
    return f"{number:,.{0 if number >= 9.95 or not number else 1 if number >= 0.095 else 2}f}"


def times(multiplier: Number) -> str:
    """A multiplier as on the board, a long one rounded."""
    text = str(multiplier)
    if len(text) <= 8:
        return f"×{text}"
    number = f"{float(multiplier):.5g}"
    return f"×{number}" if "e" not in number else f"×{power_of_ten(float(number)).replace('×', '·').removeprefix('1·')}"


def ordinal(rank: int, free: int | None = None) -> str:
    """A rank in words: 1st, 2nd, 11th; "last" for the highest of the free slots, where their number is given."""
    if rank == free:
        return "last"
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def span(rolls: Sequence[int]) -> str:
    """Consecutive rolls as a range: 7–9, or -2 to -1."""
    if len(rolls) == 1:
        return str(rolls[0])
    return f"{rolls[0]}{' to ' if rolls[0] < 0 else '–'}{rolls[-1]}"


def shown_roll(roll: int | None) -> str:
    """A roll with all its digits; a question mark where there is none yet."""
    return "?" if roll is None else with_minus(str(roll))
