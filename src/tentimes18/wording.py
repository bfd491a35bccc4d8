"""How a worth, a loss, an aim, a class of moves or a game is told: here, and only here.

A worth is counted in a unit (`coach.units`): in points, or as a chance, which people read in percent. The words of a
unit are in `words_of`; the functions write a worth for the place where it stands, from a narrow cell to a headline.
Plain numbers are told in `show.figures`.

How a kind of games is told: its name, and what has to be said of its numbers.

How the mixed moves of a duel are told: for this roll, so often to this slot and so often to that.

How the skill of a player is told: the loss a choice, its level, and what the levels mean.

A game in a sentence: how far it has come, who won, the score, and what the rolls and the moves were like.

How the check of games is told.
"""

from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from typing import Final, NamedTuple

from tentimes18.coach.aims import EQUILIBRIUM, Aim, Mix, Mixes, played_for, takebacks_of
from tentimes18.coach.losses import CLASSES, MoveClass, Unit, Worth
from tentimes18.coach.review import Review
from tentimes18.coach.skill import LEVELS, SkillLevel
from tentimes18.coach.summary import MeasuredGames
from tentimes18.game import Game
from tentimes18.number_format import (
    HUGE,
    counted,
    listed,
    percent,
    points,
    power_of_ten,
    short,
    shown_number,
    shown_score,
)
from tentimes18.records.notation import Record

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

_OBJECTIVES: Final = {
    "target": "chance of the target",
    "utility": "certainty equivalent",
    "quantile": "the quantile",
    "cvar": "mean of the worst share",
}


def words_of(unit: Unit) -> UnitWords:
    """The words of a unit.

    >>> words_of(Unit.points).start, words_of(Unit.chance).start
    ('value of the game', 'chance at start')
    """
    return _WORDS[unit]


def shown_value(worth: Worth, unit: Unit) -> str:
    """What a move is worth or loses, with all digits that may matter.

    >>> shown_value(-642.239, Unit.points), shown_value(0.2134, Unit.chance)
    ('−642.23900', '21.340%')
    """
    words = words_of(unit)
    return f"{unit.counted(worth):z.{words.digits}f}{words.sign}".replace("-", "−")


def shown_worth(worth: Worth, unit: Unit, digits: int = 1) -> str:
    """What a position is worth, in a cell.

    >>> shown_worth(642.239, Unit.points), shown_worth(0.2134, Unit.chance), shown_worth(-642.239, Unit.points, 2)
    ('642.2', '21.3%', '−642.24')
    """
    number = unit.counted(worth)
    text = f"{number:z.{digits}f}{words_of(unit).sign}" if abs(number) < 10**6 else shown_number(worth)
    return text.replace("-", "−")


def loss_cell(loss: Worth, unit: Unit, digits: int = 1) -> str:
    """What a move loses, in a cell that has room for so many digits after the point; more where it is small.

    >>> loss_cell(Fraction(16, 5), Unit.points), loss_cell(0.00031, Unit.chance), loss_cell(1e-9, Unit.points)
    ('3.2', '0.03', '~0')
    >>> loss_cell(0, Unit.points), loss_cell(1234, Unit.points)
    ('best', '1234')
    >>> [loss_cell(Fraction(49, 4), Unit.points, digits) for digits in (0, 1, 2)]
    ['12', '12.2', '12.25']
    """
    if not loss:
        return "best"
    number = unit.counted(loss)
    digits = max(0, digits - 1) if number >= 100 else digits if number >= 9.95 else max(1, digits)
    return f"{number:.{digits if number >= 0.095 else 2}f}" if number >= 0.005 else "~0"


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

    >>> amount(1234.5, Unit.points), amount(0.00001, Unit.chance), amount(-0.25, Unit.points), amount(1e10, Unit.points)
    ('1,234.50', '<0.01', '−0.25', '1×10¹⁰')
    >>> amount(1234.5, Unit.points, is_narrow=True), amount(123456789, Unit.points, is_narrow=True)
    ('1234.50', '1.23457e+08')
    """
    number = unit.counted(worth)
    least = 10**-digits
    if is_narrow:
        if abs(number) >= 10**7:
            return f"{number:.6g}".replace("-", "−")
        return f"<{least:.{digits}f}" if 0 < number < least / 2 else f"{number:z.{digits}f}".replace("-", "−")
    if 0 < abs(number) < least / 2:
        return f"{'−' if number < 0 else ''}<{least:.{digits}f}"
    return (power_of_ten(number) if abs(number) >= HUGE else f"{number:,.{digits}f}").replace("-", "−")


def fixed(worth: Worth, unit: Unit, digits: int = 2, *, is_change: bool = False) -> str:
    """A worth in a column of a terminal, where all have the same digits; a change has plus or minus.

    >>> fixed(1234.5, Unit.points), fixed(0.00001, Unit.chance, 3), fixed(-0.25, Unit.points, is_change=True)
    ('1234.50', '0.001', '−0.25')
    """
    return f"{unit.counted(worth):{'+' if is_change else ''}z.{digits}f}".replace("-", "−")


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
    if size >= HUGE:
        return power_of_ten(size)
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


def objective_label(strategy: str) -> str:
    """What the best play for an objective makes the most of, by the name of its strategy.

    >>> objective_label("cvar:0.1"), objective_label("utility:exp:0.01"), objective_label("utility:math:sqrt")
    ('mean of the worst share', 'certainty equivalent', 'expected utility')
    """
    kind, name, *_ = strategy.split(":")
    is_own = kind == "utility" and name not in ("exp", "power")  # it has no inverse, so no certainty equivalent
    return "expected utility" if is_own else _OBJECTIVES[kind]


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


def game_name(game: Game) -> str:
    """The game for a heading, cut where its notation is long.

    >>> game_name(Game.classic()), game_name(Game.parse("d{1,2,3,5,7,11,13,17,19}", "1-3"))
    ('3d6, slots 1-10', 'd{1,2,3,5,7,11,13,17,..., slots 1-3')
    """
    dice, slots = str(game.dice), game.slots
    slots = slots if len(slots) <= LONGEST else f"{slots[:13]}... ({game.size} slots)"
    return f"{dice if len(dice) <= LONGEST else f'{dice[: LONGEST - 3]}...'}, slots {slots}"


def kind_name(games: MeasuredGames) -> str:
    """The game, and what it was played for where that is not the mean.

    >>> from tentimes18.coach.summary import measured_kinds
    >>> from tentimes18.records.files import Line
    >>> from tentimes18.records.notation import parse_record
    >>> (found,), _ = measured_kinds([Line(1, parse_record("1d6 1-3: 4@1; aim=target:30; takebacks=1"))])
    >>> kind_name(found)
    '1d6, slots 1-3, for target:30, practice'
    """
    parts = [game_name(games.summary.game)]
    if games.played_for != "mean":
        parts.append(f"for {games.played_for[:40]}")
    if games.is_practice:
        parts.append("practice")
    return ", ".join(parts)


def kind_notes(games: MeasuredGames) -> list[str]:
    """What has to be said of the numbers: that they are no points, practice, or by another aim than the games' own.

    >>> from tentimes18.coach.summary import measured_kinds
    >>> from tentimes18.records.files import Line
    >>> from tentimes18.records.notation import parse_record
    >>> (found,), _ = measured_kinds([Line(1, parse_record("1d6 1-3: 4@1; aim=duel"))])
    >>> kind_notes(found)
    ['Played for duel, measured by the expected final score.']
    """
    found = []
    aim = games.summary.aim
    if games.played_for != aim.name:
        found.append(f"Played for {games.played_for[:60]}, measured by {measured_by(aim)}.")
    if games.is_practice:
        found.append("Moves were taken back in these games: practice, so no level, and apart from all others.")
    return found


def told_mix(mix: Mix) -> str:
    """A mixed move, slot by slot; one slot alone needs no chance.

    >>> told_mix(((4, 0.623), (5, 0.377))), told_mix(((5, 1.0),))
    ('slot 4 62.3%, slot 5 37.7%', 'slot 5')
    """
    return ", ".join(f"slot {slot}" if len(mix) == 1 else f"slot {slot} {percent(share)}" for slot, share in mix)


def told_mixes(mixes: Mixes) -> str:
    """Both players' mixed moves, in one sentence.

    >>> told_mixes(Mixes(mine=((4, 0.623), (5, 0.377)), theirs=((5, 1.0),)))
    "Best play: slot 4 62.3%, slot 5 37.7%; the opponent's: slot 5."
    """
    return f"Best play: {told_mix(mixes.mine)}; the opponent's: {told_mix(mixes.theirs)}."


def level_bounds() -> str:
    """Which level loses how much of what random play loses, in a sentence.

    >>> level_bounds()
    'perfect: nothing, master: up to 1%, expert: 3%, advanced: 10%, intermediate: 30%, beginner: more'
    """
    bounds = []
    for place, (name, most) in enumerate(LEVELS):
        bound = "more" if most is None else "nothing" if not most else f"{'up to ' * (place == 1)}{points(100 * most)}%"
        bounds.append(f"{name}: {bound}")
    return ", ".join(bounds)


def level_fact(skill: Worth, unit: Worth) -> str:
    """What stands below the name of a level: the skill against what random play loses a choice.

    >>> level_fact(0.55, 7.2)
    'level: 7.6% of the loss of random play'
    """
    percent = 100 * float(skill / unit)
    shown = f"{percent:.1f}" if percent >= 0.1 or not percent else "<0.1"
    return f"level: {shown}% of the loss of random play"


def skill_text(skill: Worth, unit: Unit, level: SkillLevel | None) -> str:
    """What a choice lost on average, and the level where there is one.

    >>> skill_text(0.55, Unit.points, LEVELS[3])
    '0.55 points lost a choice: advanced'
    """
    lost = f"{amount(skill, unit, is_narrow=True)} {words_of(unit).name} lost a choice"
    return lost if level is None else f"{lost}: {level.name}"


RESULTS: Final = ("won", "drawn", "lost")
MARKED: Final = tuple(reversed([found for found in CLASSES if found.mark]))  # the worst first


def result_of(record: Record) -> str | None:
    """Of a duel to the end, one of RESULTS; else nothing.

    >>> from tentimes18.records.notation import parse_record
    >>> result_of(parse_record("1d6 1,2: 5@2 4@1; opponent=5@1 4@2")), result_of(parse_record("1d6 1,2: 5@2 4@1"))
    ('won', None)
    """
    if record.opponent is None or not record.finished:
        return None
    lead = record.board.score - record.opponent.score
    return RESULTS[0 if lead > 0 else 1 if lead == 0 else 2]


def headline(record: Record) -> str:
    """How a game ended, or its points so far.

    >>> from tentimes18.records.notation import parse_record
    >>> headline(parse_record("1d6 1,2: 5@2 4@1; opponent=5@1 4@2"))
    'Won, 14 to 13'
    """
    score, result = shown_score(record.board.score), result_of(record)
    if record.opponent is None or result is None:
        return f"{score} points"
    return f"{result.capitalize()}, {score} to {shown_score(record.opponent.score)}"


def opponent_name(record: Record) -> str:
    """Whom a duel was played against.

    >>> from tentimes18.records.notation import parse_record
    >>> opponent_name(parse_record("8@5; opponent=8@4; against=nearest")), opponent_name(parse_record("8@5"))
    ('nearest', 'the opponent')
    """
    return str(record.tags.get("against", "the opponent"))


def notes(review: Review) -> list[str]:
    """What has to be said of a game besides its numbers: practice, and an aim that it is not measured by.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> notes(review(parse_record("8@5; takebacks=1; aim=target:700")))
    ['1 move was taken back: practice, so no level.', 'Played for target:700, measured by the expected final score.']
    """
    record, found = review.record, []
    if count := takebacks_of(record):
        found.append(f"{counted(count, 'move')} {'was' if count == 1 else 'were'} taken back: practice, so no level.")
    if (played := played_for(record)) not in ("mean", review.aim.name):
        found.append(f"Played for {played[:60]}, measured by {measured_by(review.aim)}.")
    return found


def shown_date(record: Record) -> str:
    """The date of a game to the minute; what is no date, as it stands.

    >>> from tentimes18.records.notation import parse_record
    >>> shown_date(parse_record("8@5; date=2026-11-15T18:30:21+01:00")), shown_date(parse_record("8@5; date=a Sunday"))
    ('2026-11-15 18:30', 'a Sunday')
    """
    date = str(record.tags.get("date", ""))
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        return " ".join(date.split())
    return found.strftime("%Y-%m-%d %H:%M" if len(date) > len("2026-11-15") else "%Y-%m-%d")


def standing(record: Record) -> list[str]:
    """How far a game has come: its rounds, its score, and whom it is played against.

    >>> from tentimes18.records.notation import parse_record
    >>> standing(parse_record("8@5 4@1"))
    ['2 of 10 rounds', 'score 44']
    """
    board, against = record.board, record.tags.get("against")
    parts = [f"{board.rounds} of {board.game.size} rounds", f"score {shown_number(board.score)}"]
    return parts if against is None else [*parts, f"against {against}"]


def verdict(review: Review) -> str:
    """A game in a sentence: the rolls, and the moves.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> verdict(review(parse_record("1d6 1-3: 4@1 6@3 5@2")))
    'Lucky rolls, and 1 inaccuracy.'
    """
    board, unit = review.record.board, review.aim.unit
    if not board.rounds:
        return "Nothing is played yet."
    parts = [counted(review.counts[found.name], found.name) for found in MARKED if review.counts[found.name]]
    play = "no error" if review.loss else "every move a best one"
    if parts:
        play = listed(parts)
    rest = ""
    if not review.record.finished:
        end = amount(review.end, unit) + words_of(unit).tail
        rest = f" After {board.rounds} of {board.game.size} rounds {end} can be expected."
    return f"{review.fortune.value.capitalize()} rolls, and {play}.{rest}"


def fairness_verdict(games: int, verified: int, bad_lines: int) -> str:
    """What the check of so many games comes to, in a line.

    >>> fairness_verdict(3, 2, 1)
    '3 games, 2 verified, 1 not. 1 line could not be read.'
    """
    others = f" {counted(bad_lines, 'line')} could not be read." if bad_lines else ""
    if games == 1:
        right = "Verified: the rolls are those that were committed to, and they make the score."
        return (right if verified else "Not verified.") + others
    told = "all verified" if games == verified else f"{verified:,} verified, {games - verified:,} not"
    return f"{counted(games, 'game')}, {told}.{others}"
