"""How plain numbers are told, whatever they count: a score, a share, a multiplier, a rank, a count, a range of rolls.

What is worth something is told by its unit, in `show.words`.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from typing import Final

from tentimes18.coach.losses import Worth
from tentimes18.game import Number

HUGE: Final = 10**9  # from here on a number is told with a power of ten
RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def counted(count: int, name: str) -> str:
    """So many things of this name.

    >>> counted(1, "game"), counted(2000, "game"), counted(2, "inaccuracy"), counted(3, "day")
    ('1 game', '2,000 games', '2 inaccuracies', '3 days')
    """
    plural = f"{name[:-1]}ies" if re.search("[^aeiou]y$", name) else f"{name}s"
    return f"{count:,} {name if count == 1 else plural}"


def listed(names: Sequence[object]) -> str:
    """Things one after the other, as in a sentence.

    >>> listed([3]), listed([3, 5]), listed(["1 blunder", "2 mistakes", "1 inaccuracy"])
    ('3', '3 and 5', '1 blunder, 2 mistakes and 1 inaccuracy')
    """
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last


def shown_number(value: Number | Worth, digits: int = 2) -> str:
    """A score or a multiplier, short enough for a cell.

    >>> shown_number(44), shown_number(Fraction(-7, 2)), shown_number(10**12)
    ('44', '−3.5', '1e+12')
    """
    number = float(value)
    if value == int(value) and abs(number) < 10**7:
        text = str(int(value))
    elif abs(number) >= 10**7:
        text = f"{number:.4g}"
    else:
        text = f"{number:z.{digits}f}".rstrip("0").rstrip(".")
    return text.replace("-", "−")


def points(value: Fraction) -> str:
    """Points with four digits or more, as a person reads them.

    >>> points(Fraction(128447, 200)), points(Fraction(19, 4)), points(Fraction(10**7)), points(Fraction(10**10))
    ('642.2', '4.75', '10,000,000', '1×10¹⁰')
    """
    size = abs(value)
    if size >= HUGE:
        return power_of_ten(value)
    digits = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 10 else 3
    text = f"{float(value):z,.{digits}f}".replace("-", "−")
    return text.rstrip("0").rstrip(".") if digits else text


def power_of_ten(value: Worth) -> str:
    """A number from a thousand millions on, with six digits.

    >>> power_of_ten(1234567890123), power_of_ten(-1e9)
    ('1.23457×10¹²', '−1×10⁹')
    """
    number, _, exponent = f"{float(value):.5e}".replace("-", "−").partition("e")
    return f"{number.rstrip('0').rstrip('.')}×10{str(int(exponent)).translate(RAISED)}"


def shown_score(score: Number | float) -> str:
    """A score in a sentence.

    >>> shown_score(698), shown_score(-28)
    ('698', '−28')
    """
    return points(Fraction(score))


def score_name(score: Number) -> str:
    """A score that is told from its neighbours: exact, unless it is long.

    >>> score_name(600), score_name(Fraction(11, 2)), score_name(Fraction(-7, 3)), score_name(Fraction(10**30, 7))
    ('600', '5.5', '-7/3', '1.428571e+29')
    """
    exact = Fraction(score)
    is_short = max(abs(exact.numerator), exact.denominator) < 10**9
    if 10**4 % exact.denominator == 0 and is_short:
        return f"{float(exact):.4f}".rstrip("0").rstrip(".")
    return str(score) if is_short or (exact.denominator == 1 and abs(exact) < 10**15) else f"{float(exact):.7g}"


def percent(chance: Worth) -> str:
    """A chance in a sentence.

    >>> percent(0.235), percent(0.00123)
    ('23.5%', '0.12%')
    """
    return f"{100 * float(chance):.1f}%" if chance >= 0.01 else f"{100 * float(chance):.2g}%"


def chance_cell(chance: Worth) -> str:
    """A chance in a table of a law, with more digits where it is rare or nearly certain: 0% and 100% are exact.

    >>> [chance_cell(chance) for chance in (0.12345, 0.0000123, 0.99999876, 0, 1, 3e-9)]
    ['12.35%', '0.0012%', '99.99988%', '0%', '100%', '3e-07%']
    """
    rest = min(chance, 1 - chance)
    if not rest:
        return f"{100 * int(chance)}%"
    if rest >= 0.00005 or float(chance) in (0.0, 1.0):
        return f"{100 * float(chance):.2f}%"
    if rest < 1e-8:
        return f"{100 * float(chance):.2g}%" if rest == chance else f"100% − {100 * float(rest):.2g}%"
    decimals = 1 - floor(log10(100 * float(rest)))
    return f"{100 * float(chance):.{decimals}f}%"


def share(part: Worth) -> str:
    """A part of games or moves, in a table or a fact.

    >>> share(Fraction(1, 3)), share(0.0004)
    ('33.3%', '0.0%')
    """
    return f"{100 * float(part):.1f}%"


def rough(value: Worth) -> str:
    """A number for a headline, with about two digits.

    >>> rough(64.739), rough(2.333), rough(0.9028), rough(12345.6)
    ('65', '2.3', '0.9', '12,346')
    """
    number = float(value)
    return f"{number:,.0f}" if abs(number) >= 9.95 else f"{number:.2g}"


def short(loss: Worth) -> str:
    """A loss for a small place: whole points where it is large, more decimals where it is small.

    >>> short(34.55), short(2.78), short(0.0345), short(0.00123), short(0)
    ('35', '2.8', '0.03', '0.001', '0')
    """
    number = float(loss)
    if 0 < number < 0.0095:
        return f"{number:.1g}"
    return f"{number:,.{0 if number >= 9.95 or not number else 1 if number >= 0.095 else 2}f}"


def times(multiplier: Number) -> str:
    """A multiplier as on the board, a long one rounded.

    >>> times(3), times(Fraction(5, 2)), times(Fraction(123456789, 1000003)), times(2 * 10**9)
    ('×3', '×5/2', '×123.46', '×2·10⁹')
    """
    text = str(multiplier)
    if len(text) <= 8:
        return f"×{text}"
    number = f"{float(multiplier):.5g}"
    return f"×{number}" if "e" not in number else f"×{power_of_ten(float(number)).replace('×', '·').removeprefix('1·')}"


def ordinal(rank: int, free: int | None = None) -> str:
    """A rank in words: "last" for the highest of so many free slots, where their number is given.

    >>> [ordinal(rank, 23) for rank in (1, 2, 3, 4, 11, 22, 23)], ordinal(23)
    (['1st', '2nd', '3rd', '4th', '11th', '22nd', 'last'], '23rd')
    """
    if rank == free:
        return "last"
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def span(rolls: Sequence[int]) -> str:
    """Consecutive rolls as a range.

    >>> span((7,)), span((7, 8, 9)), span((-2, -1))
    ('7', '7–9', '-2 to -1')
    """
    if len(rolls) == 1:
        return str(rolls[0])
    return f"{rolls[0]}{' to ' if rolls[0] < 0 else '–'}{rolls[-1]}"


def shown_roll(roll: int | None) -> str:
    """A roll with all its digits; a question mark where there is none yet.

    >>> shown_roll(-7), shown_roll(10**12), shown_roll(None)
    ('−7', '1000000000000', '?')
    """
    return "?" if roll is None else str(roll).replace("-", "−")
