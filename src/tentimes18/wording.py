"""How a worth, a loss, an aim, a class of moves or a game is worded.

A worth is counted in a unit (`coach.losses`): in points, or as a chance, which people read in percent. `number_format`
has plain numbers.
"""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tentimes18.coach.aims import EQUILIBRIUM, Aim, Mix, Mixes, played_for, takebacks_of
from tentimes18.coach.losses import MoveClass, Unit, Worth
from tentimes18.coach.skill import SkillLevel
from tentimes18.game import Game
from tentimes18.number_format import (
    HUGE,
    counted,
    decimal,
    percent,
    points,
    power_of_ten,
    short,
    shown_number,
    with_minus,
)
from tentimes18.records.notation import Record

if TYPE_CHECKING:  # they load numpy
    from tentimes18.coach.review import Review
    from tentimes18.coach.summary import MeasuredGames

MAX_NAME = 24  # characters of dice and of slots in a heading
RESULTS = ("won", "drawn", "lost")


class UnitWords(NamedTuple):
    sign: str  # after every number
    tail: str  # after a number in a sentence
    name: str  # what losses are counted in
    value: str  # the worth of a move
    expected: str  # the worth of a position, above a column
    start: str  # the worth of the whole game, above a column
    in_percent: str  # beside the name of a number without its sign
    digits: int  # after the point, where all that may matter are shown


_POINTS = UnitWords("", " points", "points", "value", "expected", "value of the game", "", 5)
_CHANCE = UnitWords("%", "%", "percentage points", "chance", "chance", "chance at start", " in percent", 3)
_OBJECTIVES = {
    "target": "chance of the target",
    "utility": "certainty equivalent",
    "quantile": "the quantile",
    "cvar": "mean of the worst share",
}


def words_of(unit: Unit) -> UnitWords:
    return _POINTS if unit is Unit.points else _CHANCE


def fixed(worth: Worth, unit: Unit, digits: int = 2, *, is_change: bool = False) -> str:
    """A worth in a column where all have the same digits; a change has plus or minus."""
    return decimal(unit.counted(worth), f"{'+' if is_change else ''}z.{digits}f")


def shown_value(worth: Worth, unit: Unit) -> str:
    """What a move is worth or loses, with all digits that may matter: −642.23900, or 21.340%."""
    return fixed(worth, unit, words_of(unit).digits) + words_of(unit).sign


def shown_worth(worth: Worth, unit: Unit, digits: int = 1) -> str:
    """What a position is worth, in a cell: 642.2, or 21.3%."""
    if abs(unit.counted(worth)) >= 10**6:
        return shown_number(worth)
    return fixed(worth, unit, digits) + words_of(unit).sign


def loss_cell(loss: Worth, unit: Unit, digits: int = 1) -> str:
    """What a move loses, in a cell with room for ``digits`` after the point; more where it is small."""
    if not loss:
        return "best"
    number = unit.counted(loss)
    digits = max(0, digits - 1) if number >= 100 else digits if number >= 9.95 else max(1, digits)
    return f"{number:.{digits if number >= 0.095 else 2}f}" if number >= 0.005 else "~0"


def shown_loss(loss: Worth, unit: Unit, digits: int = 1) -> str:
    """What a move loses, in words: 3.2 points, or 3.1 percentage points."""
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
    """
    number = unit.counted(worth)
    if 0 < abs(number) < 10**-digits / 2 and (number > 0 or not is_narrow):
        return f"{'−' if number < 0 else ''}<{10**-digits:.{digits}f}"
    if is_narrow:
        return with_minus(f"{number:.6g}" if abs(number) >= 10**7 else f"{number:z.{digits}f}")
    return with_minus(power_of_ten(number) if abs(number) >= HUGE else f"{number:,.{digits}f}")


def signed(worth: Worth, unit: Unit, *, is_narrow: bool = False) -> str:
    """A change of a worth in a table, with plus or minus: +1.50, or −25.00."""
    if is_narrow:
        text = amount(abs(float(worth)), unit, is_narrow=True)
        return text if not worth else f"{'+' if worth > 0 else '−'}{text}"
    text = amount(worth, unit)
    return f"+{text}" if worth > 0 and not text.startswith("<") else text


def headline_worth(worth: Worth, unit: Unit) -> str:
    return points(worth) if unit is Unit.points else f"{unit.counted(worth):.1f}%"


def headline_change(change: Worth, unit: Unit) -> str:
    """By how much a worth changes, in a headline that says whether more or less: 60.7, 0.03, or 2.0%."""
    size = abs(float(change))
    if unit is Unit.points and size < 0.095:
        return short(size)
    return power_of_ten(size) if size >= HUGE else f"{unit.counted(size):,.1f}{words_of(unit).sign}"


def measured_by(aim: Aim, *, names_draws: bool = False) -> str:
    """What an aim measures moves by: 'the expected final score', 'the chance of 30 points or more', ..."""
    if aim.target is not None:
        return f"the chance of {aim.target} points or more"
    if aim.against is not None:
        opponent = "the best play" if aim.against == EQUILIBRIUM else aim.against
        return f"the chance to win against {opponent}{', draws by half' if names_draws else ''}"
    return "the expected final score"


def meaning_of_worths(aim: Aim) -> str:
    """What the worths of moves are, below them."""
    meaning = "points of this move and of the best play after it"
    if aim.target is not None:
        meaning = f"of {aim.target} points or more, under the best play for that"
    elif aim.against is not None:
        meaning = "to win the duel, a draw counting one half"
    return f"{words_of(aim.unit).value}: {meaning}"


def review_note(aim: Aim) -> str:
    """What the numbers of a game are; nothing where they are points."""
    if aim.unit is Unit.points:
        return ""
    return f"Measured by {measured_by(aim, names_draws=True)}; losses{words_of(aim.unit).in_percent}."


def summary_note(aim: Aim) -> str:
    """What the numbers of many games are; nothing where they are points."""
    return "" if aim.unit is Unit.points else f"Measured by {aim.name}: losses and luck are chances, in percent."


def objective_label(strategy: str) -> str:
    """What the best play for an objective makes the most of, by the name of its strategy."""
    kind, name, *_ = strategy.split(":")
    is_own = kind == "utility" and name not in ("exp", "power")  # it has no inverse, so no certainty equivalent
    return "expected utility" if is_own else _OBJECTIVES[kind]


def class_name(move_class: MoveClass) -> str:
    """A class with its mark, as in a sentence: 'a mistake ?'."""
    if not move_class.mark:
        return move_class.name
    return f"{'an' if move_class.name[0] in 'aeiou' else 'a'} {move_class.name} {move_class.mark}"


def game_name(game: Game) -> str:
    """The game for a heading, cut where its notation is long: '3d6, slots 1-10'."""
    dice, slots = str(game.dice), game.slots
    slots = slots if len(slots) <= MAX_NAME else f"{slots[:13]}... ({game.size} slots)"
    return f"{dice if len(dice) <= MAX_NAME else f'{dice[: MAX_NAME - 3]}...'}, slots {slots}"


def kind_name(games: "MeasuredGames") -> str:
    parts = [game_name(games.summary.game)]
    if games.played_for != "mean":
        parts.append(f"for {games.played_for[:40]}")
    return ", ".join([*parts, *(["practice"] if games.is_practice else [])])


def kind_notes(games: "MeasuredGames") -> list[str]:
    result, aim = [], games.summary.aim
    if games.played_for != aim.name:
        result.append(f"Played for {games.played_for[:60]}, measured by {measured_by(aim)}.")
    if games.is_practice:
        result.append("Moves were taken back in these games: practice, so no level, and apart from all others.")
    return result


def mix_text(mix: Mix) -> str:
    """A mixed move, slot by slot; one slot alone needs no chance: 'slot 4 62.3%, slot 5 37.7%', 'slot 5'."""
    return ", ".join(f"slot {slot}" if len(mix) == 1 else f"slot {slot} {percent(share)}" for slot, share in mix)


def mixes_text(mixes: Mixes) -> str:
    """Both players' mixed moves, in one sentence."""
    return f"Best play: {mix_text(mixes.mine)}; the opponent's: {mix_text(mixes.theirs)}."


def skill_text(skill: Worth, unit: Unit, level: SkillLevel | None) -> str:
    """What a decision lost on average, and the level if there is one."""
    lost = f"{amount(skill, unit, is_narrow=True)} {words_of(unit).name} lost per decision"
    return lost if level is None else f"{lost}: {level.name}"


def result_of(record: Record) -> str | None:
    """One of RESULTS for a duel that was played to the end, otherwise None."""
    if record.opponent is None or not record.finished:
        return None
    lead = record.board.score - record.opponent.score
    return RESULTS[0 if lead > 0 else 1 if lead == 0 else 2]


def headline(record: Record) -> str:
    """How a game ended ('Won, 14 to 13'), or its points so far."""
    score, result = points(record.board.score), result_of(record)
    if record.opponent is None or result is None:
        return f"{score} points"
    return f"{result.capitalize()}, {score} to {points(record.opponent.score)}"


def notes(review: "Review") -> list[str]:
    """Where a game is practice, or measured by another aim than its own."""
    record, result = review.record, []
    if count := takebacks_of(record):
        result.append(f"{counted(count, 'move')} {'was' if count == 1 else 'were'} taken back: practice, so no level.")
    if (played := played_for(record)) not in ("mean", review.aim.name):
        result.append(f"Played for {played[:60]}, measured by {measured_by(review.aim)}.")
    return result


def shown_date(record: Record) -> str:
    """The date of a game to the minute; any other text unchanged."""
    date = str(record.tags.get("date", ""))
    try:
        time = datetime.fromisoformat(date)
    except ValueError:
        return " ".join(date.split())
    return time.strftime("%Y-%m-%d %H:%M" if len(date) > len("2026-11-15") else "%Y-%m-%d")


def standing(record: Record) -> list[str]:
    board, against = record.board, record.tags.get("against")
    parts = [f"{board.rounds} of {board.game.size} rounds", f"score {shown_number(board.score)}"]
    return parts if against is None else [*parts, f"against {against}"]


def fairness_verdict(games: int, verified: int, bad_lines: int) -> str:
    """What the check of games comes to, in a line."""
    others = f" {counted(bad_lines, 'line')} could not be read." if bad_lines else ""
    if games == 1:
        right = "Verified: the rolls are those that were committed to, and they make the score."
        return (right if verified else "Not verified.") + others
    verdict = "all verified" if games == verified else f"{verified:,} verified, {games - verified:,} not"
    return f"{counted(games, 'game')}, {verdict}.{others}"
