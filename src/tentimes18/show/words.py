"""How a worth, a loss, a score, an aim, a class of moves or a game is told, in words and figures: here, and only here.

A worth is counted in a unit (`coach.units`): in points, or as a chance, which people read in percent. The words of a
unit are in `words_of`; the functions write a worth for the place where it stands, from a narrow cell to a headline.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from tentimes18.coach.aims import EQUILIBRIUM, Aim
from tentimes18.coach.classes import CLASSES, MoveClass
from tentimes18.coach.units import Unit, Worth
from tentimes18.game import Game, Number

__all__ = [
    "UnitWords",
    "amount",
    "class_bounds",
    "class_name",
    "counted",
    "game_name",
    "headline_change",
    "headline_worth",
    "loss_cell",
    "meaning_of_worths",
    "measure_label",
    "measured_by",
    "ordinal",
    "percent",
    "points",
    "review_note",
    "rough",
    "short",
    "shown_loss",
    "shown_mean",
    "shown_number",
    "shown_score",
    "shown_value",
    "shown_worth",
    "signed",
    "span",
    "summary_note",
    "tick_of",
    "times",
    "words_of",
]

LONGEST: Final = 24  # characters of dice and of slots in a heading


class UnitWords(NamedTuple):
    """What goes with worths of one unit.

    >>> words_of(Unit.points).tail, words_of(Unit.chance).tail, words_of(Unit.chance).in_head
    (' points', '%', ', %')
    """

    sign: str  # after every number
    noun: str  # after a number with its sign, in a sentence
    name: str  # what losses are counted in
    value: str  # the worth of a move
    expected: str  # the worth of a position, above a column
    expected_end: str  # the same in a sentence
    start: str  # the worth of the whole game, above a column
    whole: str  # the same in a sentence
    in_percent: str  # beside the name of a number that stands without its sign
    bounds: str  # after the bounds of the classes
    digits: int  # after the point, where all are shown that may matter

    @property
    def tail(self) -> str:
        """After a number, in a sentence."""
        return self.sign + self.noun

    @property
    def in_head(self) -> str:
        """After the name of a column."""
        return f", {self.sign}" if self.sign else ""


_WORDS: Final = {
    Unit.points: UnitWords(
        sign="",
        noun=" points",
        name="points",
        value="value",
        expected="expected",
        expected_end="expected score",
        start="value of the game",
        whole="value of the game",
        in_percent="",
        bounds="points",
        digits=5,
    ),
    Unit.chance: UnitWords(
        sign="%",
        noun="",
        name="percentage points",
        value="chance",
        expected="chance",
        expected_end="chance",
        start="chance at start",
        whole="chance at the start",
        in_percent=" in percent",
        bounds="% of the chances",
        digits=3,
    ),
}


def words_of(unit: Unit) -> UnitWords:
    """The words of a unit.

    >>> words_of(Unit.points).start, words_of(Unit.chance).start
    ('value of the game', 'chance at start')
    """
    return _WORDS[unit]


def shown_value(worth: Worth, unit: Unit) -> str:
    """What a move is worth or loses, with all digits that may matter.

    >>> shown_value(642.239, Unit.points), shown_value(0.2134, Unit.chance)
    ('642.23900', '21.340%')
    """
    words = words_of(unit)
    return f"{unit.counted(worth):.{words.digits}f}{words.sign}"


def shown_worth(worth: Worth, unit: Unit) -> str:
    """What a position is worth, in a cell.

    >>> shown_worth(642.239, Unit.points), shown_worth(0.2134, Unit.chance)
    ('642.2', '21.3%')
    """
    number = unit.counted(worth)
    return f"{number:.1f}{words_of(unit).sign}" if abs(number) < 10**6 else shown_number(worth)


def loss_cell(loss: Worth, unit: Unit) -> str:
    """What a move loses, as short as it gets.

    >>> loss_cell(Fraction(16, 5), Unit.points), loss_cell(0.00031, Unit.chance), loss_cell(1e-9, Unit.points)
    ('3.2', '0.03', '~0')
    >>> loss_cell(0, Unit.points), loss_cell(1234, Unit.points)
    ('best', '1234')
    """
    if not loss:
        return "best"
    number = unit.counted(loss)
    digits = 0 if number >= 100 else 1 if number >= 0.095 else 2
    return f"{number:.{digits}f}" if number >= 0.005 else "~0"


def shown_loss(loss: Worth, unit: Unit, digits: int = 1) -> str:
    """What a move loses, in words.

    >>> shown_loss(Fraction(16, 5), Unit.points), shown_loss(0.031, Unit.chance)
    ('3.2 points', '3.1 percentage points')
    """
    number = unit.counted(loss)
    while 0 < number < 10**-digits and digits < 5:
        digits += 1
    if 0 < number < 10**-digits:
        return "next to nothing"
    text = f"{number:.{digits}f}"
    return f"{text} point" if unit is Unit.points and float(text) == 1 else f"{text} {words_of(unit).name}"


def amount(worth: Worth, unit: Unit, digits: int = 2, *, is_narrow: bool = False) -> str:
    """A worth in a table, without its sign; what is too small to be seen is marked as such.

    Where the room is narrow, there are no commas, and a large number is rounded.

    >>> amount(1234.5, Unit.points), amount(0.00001, Unit.chance), amount(-0.25, Unit.points)
    ('1,234.50', '<0.01', '−0.25')
    >>> amount(1234.5, Unit.points, is_narrow=True), amount(123456789, Unit.points, is_narrow=True)
    ('1234.50', '1.23457e+08')
    """
    number = unit.counted(worth)
    least = 10**-digits
    if is_narrow:
        if abs(number) >= 10**7:
            return f"{number:.6g}"
        return f"<{least:.{digits}f}" if 0 < number < least / 2 else f"{number:.{digits}f}"
    if 0 < abs(number) < least / 2:
        return f"{'−' if number < 0 else ''}<{least:.{digits}f}"
    return f"{number:,.{digits}f}".replace("-", "−")


def signed(worth: Worth, unit: Unit, *, is_narrow: bool = False) -> str:
    """A change of a worth in a table, with plus or minus.

    >>> signed(1.5, Unit.points), signed(-0.25, Unit.chance), signed(0, Unit.points), signed(0.001, Unit.points)
    ('+1.50', '−25.00', '0.00', '<0.01')
    """
    if is_narrow:
        text = amount(abs(float(worth)), unit, is_narrow=True)
        return text if not worth else f"{'+' if worth > 0 else '−'}{text}"
    text = amount(worth, unit)
    return f"+{text}" if worth > 0 and not text.startswith("<") else text


def headline_worth(worth: Worth, unit: Unit) -> str:
    """A worth in a headline.

    >>> headline_worth(Fraction(128447, 200), Unit.points), headline_worth(0.5, Unit.chance)
    ('642.2', '50.0%')
    """
    return points(Fraction(worth)) if unit is Unit.points else f"{unit.counted(worth):.1f}%"


def headline_change(change: Worth, unit: Unit) -> str:
    """By how much a worth changes, in a headline that says whether more or less.

    >>> headline_change(-60.67, Unit.points), headline_change(0.0345, Unit.points), headline_change(0.02, Unit.chance)
    ('60.7', '0.03', '2.0%')
    """
    size = abs(float(change))
    if unit is Unit.points and size < 0.095:
        return short(size)
    return f"{unit.counted(size):,.1f}{words_of(unit).sign}"


def shown_mean(loss: Worth, unit: Unit) -> str:
    """What a choice lost on average, in a headline.

    >>> shown_mean(1.234, Unit.points), shown_mean(0.01234, Unit.chance)
    ('1.23', '1.2%')
    """
    return f"{float(loss):.2f}" if unit is Unit.points else f"{unit.counted(loss):.2g}%"


def tick_of(unit: Unit) -> Callable[[float, object], str] | None:
    """How an axis of worths names a place; None: by the number as it stands.

    >>> tick_of(Unit.points)
    >>> (tick_of(Unit.chance) or str)(0.125, None)
    '12.5%'
    """
    return None if unit is Unit.points else lambda share, _: f"{unit.counted(share):.4g}%"


def measured_by(aim: Aim, *, names_draws: bool = False) -> str:
    """What an aim measures moves by.

    >>> from tentimes18.coach.aims import Chance, Duel, Mean
    >>> game = Game.parse("1d6", "1-3")
    >>> measured_by(Mean()), measured_by(Chance(game, 30)), measured_by(Duel(game))
    ('the expected final score', 'the chance of 30 points or more', 'the chance to win against the best play')
    """
    if aim.target is not None:
        return f"the chance of {aim.target} points or more"
    if aim.against is not None:
        opponent = "the best play" if aim.against == EQUILIBRIUM else aim.against
        return f"the chance to win against {opponent}{', draws by half' if names_draws else ''}"
    return "the expected final score"


def measure_label(aim: Aim) -> str:
    """What an aim measures moves by, beside the name of a game; nothing for points, which go without saying.

    >>> from tentimes18.coach.aims import Chance
    >>> measure_label(Chance(Game.parse("1d6", "1-3"), 30))
    'measured by the chance of 30 points or more'
    """
    return "" if aim.unit is Unit.points else f"measured by {measured_by(aim)}"


def meaning_of_worths(aim: Aim) -> str:
    """What the worths of moves are, said beneath them.

    >>> from tentimes18.coach.aims import Mean
    >>> meaning_of_worths(Mean())
    'value: points of this move and of the best play after it'
    """
    meaning = "points of this move and of the best play after it"
    if aim.target is not None:
        meaning = f"of {aim.target} points or more, under the best play for that"
    elif aim.against is not None:
        meaning = "to win the duel, a draw counting one half"
    return f"{words_of(aim.unit).value}: {meaning}"


def review_note(aim: Aim) -> str:
    """What has to be said of the numbers of a game; nothing where they are points.

    >>> from tentimes18.coach.aims import Chance
    >>> review_note(Chance(Game.parse("1d6", "1-3"), 30))
    'Measured by the chance of 30 points or more; losses in percent.'
    """
    if aim.unit is Unit.points:
        return ""
    return f"Measured by {measured_by(aim, names_draws=True)}; losses{words_of(aim.unit).in_percent}."


def summary_note(aim: Aim) -> str:
    """What has to be said of the numbers of many games; nothing where they are points.

    >>> from tentimes18.coach.aims import Chance
    >>> summary_note(Chance(Game.parse("1d6", "1-3"), 30))
    'Measured by target:30: losses and luck are chances, in percent.'
    """
    return "" if aim.unit is Unit.points else f"Measured by {aim.name}: losses and luck are chances, in percent."


def class_name(found: MoveClass) -> str:
    """A class with its mark, as in a sentence.

    >>> class_name(CLASSES[4]), class_name(CLASSES[2])
    ('a mistake ?', 'good')
    """
    if not found.mark:
        return found.name
    article = "an" if found.name[0] in "aeiou" else "a"
    return f"{article} {found.name} {found.mark}"


def class_bounds(unit: Unit) -> str:
    """From which loss on a move has which mark.

    >>> class_bounds(Unit.points)
    'inaccuracy ?! from 1, mistake ? from 3, blunder ?? from 8 points'
    """
    bounds = [f"{found.name} {found.mark} from {points(found.least)}" for found in CLASSES if found.mark]
    return f"{', '.join(bounds)} {words_of(unit).bounds}"


def counted(count: int, name: str) -> str:
    """So many things of this name.

    >>> counted(1, "game"), counted(2000, "game"), counted(2, "inaccuracy")
    ('1 game', '2,000 games', '2 inaccuracies')
    """
    plural = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{count:,} {name if count == 1 else plural}"


def shown_number(value: Number | Worth, digits: int = 2) -> str:
    """A score or a multiplier, short enough for a cell.

    >>> shown_number(44), shown_number(Fraction(7, 2)), shown_number(10**12)
    ('44', '3.5', '1e+12')
    """
    number = float(value)
    if value == int(value) and abs(number) < 10**7:
        return str(int(value))
    if abs(number) >= 10**7:
        return f"{number:.4g}"
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def points(value: Fraction) -> str:
    """Points with four digits or more, as a person reads them.

    >>> points(Fraction(128447, 200)), points(Fraction(19, 4)), points(Fraction(10**7))
    ('642.2', '4.75', '10,000,000')
    """
    size = abs(value)
    if size >= 10**9:
        return f"{float(value):.6g}"
    if size >= 1000:
        return f"{float(value):,.0f}"
    return f"{float(value):z.{1 if size >= 100 else 2 if size >= 10 else 3}f}".rstrip("0").rstrip(".")


def shown_score(score: Number | float) -> str:
    """A score in a sentence, its minus as a printer sets it.

    >>> shown_score(698), shown_score(-28)
    ('698', '−28')
    """
    return points(Fraction(score)).replace("-", "−")


def percent(chance: Worth) -> str:
    """A chance in a sentence.

    >>> percent(0.235), percent(0.00123)
    ('23.5%', '0.12%')
    """
    return f"{100 * float(chance):.1f}%" if chance >= 0.01 else f"{100 * float(chance):.2g}%"


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

    >>> times(3), times(Fraction(5, 2)), times(Fraction(123456789, 1000003))
    ('×3', '×5/2', '×123.46')
    """
    text = str(multiplier)
    return f"×{text if len(text) <= 8 else f'{float(multiplier):.5g}'}"


def ordinal(rank: int, free: int) -> str:
    """The rank in words: "last" for the highest of the free slots.

    >>> [ordinal(rank, 23) for rank in (1, 2, 3, 4, 11, 22, 23)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', 'last']
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


def game_name(game: Game) -> str:
    """The game for a heading, cut where its notation is long.

    >>> game_name(Game.classic()), game_name(Game.parse("d{1,2,3,5,7,11,13,17,19}", "1-3"))
    ('3d6, slots 1-10', 'd{1,2,3,5,7,11,13,17,..., slots 1-3')
    """
    dice, slots = str(game.dice), game.slots
    slots = slots if len(slots) <= LONGEST else f"{slots[:13]}... ({game.size} slots)"
    return f"{dice if len(dice) <= LONGEST else f'{dice[: LONGEST - 3]}...'}, slots {slots}"
