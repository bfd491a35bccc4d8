"""Played games: what their moves lost, the games of a player, drills, and whether finished games were fair."""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import asdict

from tentimes18.coach.aims import Mean, own_aim, played_for, takebacks_of
from tentimes18.coach.drill import Drill, Question, close_calls
from tentimes18.coach.losses import CLASSES, classify
from tentimes18.coach.review import Review
from tentimes18.coach.review import review as review_game
from tentimes18.coach.skill import level_of
from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.play.verification import CheckedGame, CheckedRound
from tentimes18.queries import DiceText, Doc, SlotsText, query
from tentimes18.queries.json_numbers import Plain, answer_from, plain
from tentimes18.queries.moves import Mix
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import VERSION, Record, format_moves, record_from_json, record_to_json

if TYPE_CHECKING:
    from tentimes18.coach.summary import MeasuredGames
    from tentimes18.play.game_in_play import GameInPlay

MAX_QUESTIONS = 50  # of a drill at once
MAX_SEED = 2**53 - 1  # the largest number that a browser keeps exactly
SHOWN_TAGS = ("name", "date", "comment")
SUMMED = (
    *("games", "finished", "moves", "choices", "mean_score", "mean_optimal", "mean_best", "value", "mean_loss"),
    *("mean_luck", "skill", "error_rate", "classes", "rounds", "costliest", "progress"),
)


class ReviewedMoveAnswer(Struct, frozen=True):
    """A move: what it lost, what was luck, and the value of the position around it.

    ``gift`` is what the opponent's move changed in a duel; against the best play there are also both mixed moves.
    """

    round: int
    roll: int
    slot: int
    best: list[int]
    loss: Plain
    class_: str = field(name="class")
    mark: str
    luck: Plain
    gift: Plain
    before: Plain
    after: Plain
    choice: bool
    mix: Mix | UnsetType = UNSET
    opponent_mix: Mix | UnsetType = UNSET


class BadLineAnswer(Struct, frozen=True):
    """A line of a file that is not a game."""

    line: int
    reason: str


class ReviewAnswer(Struct, frozen=True):
    """A reviewed game; losses and luck are in points, or probabilities where the aim is one.

    ``skill`` is the mean loss of the moves that were a choice, ``percentile`` the probability that `optimal` scores
    this or less. ``bad_lines`` are the lines of its file that are not games.
    """

    version: int
    dice: str
    slots: str
    moves: list[ReviewedMoveAnswer]
    score: Plain
    finished: bool
    aim: str
    value: Plain
    luck: Plain
    loss: Plain
    gift: Plain
    skill: Plain | None
    classes: dict[str, int]
    percentile: Plain | None
    optimal_score: Plain | None
    best_score: Plain | None
    choices: int
    level: str | None
    played_for: str
    takebacks: int
    opponent: str | None
    opponent_score: Plain | None
    name: Any = UNSET
    date: Any = UNSET
    comment: Any = UNSET
    bad_lines: list[BadLineAnswer] | UnsetType = UNSET


@query(ReviewAnswer)
def review(record: Annotated[dict[str, Any], Doc("The game, as a line of notation or a JSON object.")]) -> ReviewAnswer:
    """What each move of a game lost, and how much was luck. The record is a line of text or JSON; it is not stored."""
    game = record_from_json(record)
    return review_answer(review_game(game, own_aim(game) or Mean()), [])


def review_answer(reviewed: Review, bad: Sequence[BadLine] | None = None) -> ReviewAnswer:
    record = reviewed.record
    board, opponent = record.board, record.opponent
    return answer_from(
        ReviewAnswer,
        reviewed,
        version=VERSION,
        dice=str(board.game.dice),
        slots=board.game.slots,
        moves=[
            answer_from(
                ReviewedMoveAnswer,
                move,
                round=number,
                best=list(move.best_slots),
                class_=move.move_class.name,
                mark=move.move_class.mark,
                choice=move.is_choice,
                mix=UNSET if move.mixes is None else list(move.mixes.mine),
                opponent_mix=UNSET if move.mixes is None else list(move.mixes.theirs),
            )
            for number, move in enumerate(reviewed.moves, start=1)
        ],
        score=plain(board.score),
        finished=record.finished,
        aim=reviewed.aim.name,
        value=plain(reviewed.start),
        classes=reviewed.counts,
        level=None if reviewed.level is None else reviewed.level.name,
        played_for=played_for(record),
        takebacks=takebacks_of(record),
        opponent=None if opponent is None else format_moves(opponent.placements),
        opponent_score=None if opponent is None else plain(opponent.score),
        **{tag: record.tags[tag] for tag in SHOWN_TAGS if tag in record.tags},
        bad_lines=UNSET if bad is None else _bad_lines(bad),
    )


def _bad_lines(bad: Iterable[BadLine]) -> list[BadLineAnswer]:
    return [BadLineAnswer(*line) for line in bad]


def play_answer(game: "GameInPlay | None") -> dict[str, Any]:
    """The record of a game that was played, to its end or not, and its review; null where none was begun."""
    if game is None:
        return {"record": None, "review": None}
    return {"record": record_to_json(game.record), "review": review_answer(game.review())}


def summary_answer(games: "MeasuredGames") -> dict[str, Any]:
    """The games of one kind together."""
    summary = games.summary
    return {
        "dice": str(summary.game.dice),
        "slots": summary.game.slots,
        **{name: getattr(summary, name) for name in SUMMED},
        "level": None if games.level is None else games.level.name,
        "played_for": games.played_for,
        "measured_by": summary.aim.name,
        "practice": games.is_practice,
    }


def many_reviews(kinds: "Sequence[MeasuredGames]", bad: Sequence[BadLine]) -> dict[str, Any]:
    """The games of a file by kind, and the lines that are not games; ``aim`` is that of the first kind."""
    return {
        "games": sum(games.summary.games for games in kinds),
        "finished": sum(games.summary.finished for games in kinds),
        "aim": kinds[0].summary.aim.name,
        "bad_lines": _bad_lines(bad),
        "summaries": [summary_answer(games) for games in kinds],
    }


def moves_of(kinds: "Iterable[MeasuredGames]") -> Iterator[tuple[int | float | str | bool | None, ...]]:
    """All moves of all games: line, round, roll, slot, the opponent's slot, best slot, loss, class, luck, choice."""
    for games in kinds:
        table = games.summary.table
        for g, line in enumerate(games.lines):
            opponent = line.record.opponent
            for r, (roll, slot) in enumerate(line.record.board.placements):
                theirs = None if opponent is None else opponent.placements[r].slot
                move_class = CLASSES[int(table.classes[g, r])].name
                measures = float(table.losses[g, r]), move_class, float(table.lucks[g, r]), bool(table.is_choice[g, r])
                yield line.number, r + 1, roll, slot, theirs, int(table.best[g, r]), *measures


class GameMeasures(Struct, frozen=True):
    """What a game lost, its luck and its skill, by the aim in ``measured_by``; unknown for a game that is too large.

    They are points, or probabilities where the aim is one. ``level`` is the word for the skill.
    """

    loss: float | None = None
    luck: float | None = None
    skill: float | None = None
    level: str | None = None
    measured_by: str | None = None


UNKNOWN = GameMeasures()


def choose_games(
    lines: Iterable[Line | BadLine],
    dice: str | None = None,
    slots: str | None = None,
    last: int | None = None,
    name: str | None = None,
) -> tuple[list[Line], list[BadLine]]:
    """The last games with these dice and slots by this player, in order; and the lines that are not games."""
    only = Dice.parse(dice) if dice is not None else None
    multipliers = Game.parse("3d6", slots).multipliers if slots is not None else None
    good: list[Line] = []
    bad: list[BadLine] = []
    for line in lines:
        if isinstance(line, BadLine):
            bad.append(line)
            continue
        game = line.record.board.game
        if (
            (only is None or game.dice == only)
            and (multipliers is None or game.multipliers == multipliers)
            and (name is None or _simplify(str(line.record.tags.get("name", ""))) == _simplify(name))
        ):
            good.append(line)
    return good if last is None else good[-last:], bad


def _simplify(name: str) -> str:
    return " ".join(name.split()).casefold()


def measures_of(kinds: "Iterable[MeasuredGames]", numbers: Container[int] | None = None) -> dict[int, GameMeasures]:
    """The measures of each game by the number of its line, or of the games with these numbers."""
    measures: dict[int, GameMeasures] = {}
    for games in kinds:
        table, random_loss = games.summary.table, games.random_loss
        unit = None if random_loss is None else float(random_loss)
        sums = (table.losses.sum(axis=1), table.lucks.sum(axis=1), table.is_choice.sum(axis=1))
        for line, loss, luck, choices in zip(games.lines, *(part.tolist() for part in sums), strict=True):
            if numbers is not None and line.number not in numbers:
                continue
            skill = loss / choices if choices else None
            level = level_of(skill, unit)
            name = None if level is None else level.name
            measures[line.number] = GameMeasures(loss, luck, skill, name, games.summary.aim.name)
    return measures


def history(
    lines: Iterable[Line], bad: Sequence[BadLine], unfinished: Iterable[Record], kinds: "Sequence[MeasuredGames]"
) -> dict[str, Any]:
    """The games as they are stored, each with the number of its line and its measures, and the sums of each kind."""
    measures = measures_of(kinds)
    return {
        "games": [
            record_to_json(line.record) | asdict(measures.get(line.number, UNKNOWN)) | {"number": line.number}
            for line in lines
        ],
        "summaries": [summary_answer(games) for games in kinds],
        "unfinished": [record_to_json(record) for record in unfinished],
        "bad_lines": _bad_lines(bad),
    }


def drill_answer(drill: Drill) -> dict[str, Any]:
    """How many questions were answered, and with a best slot, what an answer loses on average, and each of them."""
    return {
        "asked": len(drill.answers),
        "right": drill.right,
        "mean_loss": drill.mean_loss,
        "questions": [
            {
                "free": answer.question.record.board.free_slots,
                "roll": answer.advice.roll,
                "answer": answer.slot,
                "best": answer.advice.best_slots,
                "loss": answer.loss,
                "class": answer.move_class.name,
            }
            for answer in drill.answers
        ],
    }


class SlotWorth(Struct, frozen=True):
    """A slot for a roll: the expected final score under the best play after it, what it loses, and its class."""

    slot: int
    value: Plain
    loss: Plain
    class_: str = field(name="class")


class CloseCall(Struct, frozen=True):
    """A position with a roll to place: the moves that led to it, and the worth of every free slot, best first."""

    moves: str
    board: dict[str, int]
    free: list[int]
    roll: int
    best: list[int]
    worths: list[SlotWorth]


class CloseCallsAnswer(Struct, frozen=True):
    """Close calls in a game, no two the same; the same seed gives the same ones."""

    dice: str
    slots: str
    seed: int
    questions: list[CloseCall]


@query(CloseCallsAnswer)
def drill(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    count: Annotated[int, Doc("The number of questions.", metavar="N", least=1, most=MAX_QUESTIONS)] = 10,
    seed: Annotated[int, Doc("The same seed gives the same questions.", least=0, most=MAX_SEED)] = 0,
) -> CloseCallsAnswer:
    """Close calls: positions with a roll to place where the best slot is hard to tell, and what every slot is worth."""
    game = Game.parse(dice, slots)
    calls = islice(close_calls(game, Random(f"drill {seed}")), count)
    return CloseCallsAnswer(str(game.dice), game.slots, seed, [_close_call(call) for call in calls])


def _close_call(call: Question) -> CloseCall:
    board, advice = call.record.board, call.advice
    return CloseCall(
        format_moves(board.placements),
        {str(slot): roll for roll, slot in board.placements},
        list(board.free_slots),
        advice.roll,
        list(advice.best_slots),
        [SlotWorth(move.slot, plain(move.worth), plain(move.loss), classify(move.loss).name) for move in advice.moves],
    )


class CheckedGameAnswer(Struct, frozen=True):
    """A game by the number of its line, with the score that its board makes; ``problems`` beside its rounds."""

    line: int
    id: str | None
    dice: str
    slots: str
    score: Plain
    finished: bool
    verified: bool
    rounds: list[CheckedRound]
    problems: list[str]


class VerificationAnswer(Struct, frozen=True):
    """How many games could be read, how many of them are verified, and the lines that are not games."""

    games: int
    verified: int
    bad_lines: list[BadLineAnswer]
    results: list[CheckedGameAnswer]


def checked_game(checked: CheckedGame, line: int = 1) -> CheckedGameAnswer:
    return answer_from(
        CheckedGameAnswer,
        checked,
        line=line,
        dice=str(checked.game.dice),
        slots=checked.game.slots,
        rounds=list(checked.rounds),
        problems=list(checked.problems),
    )


def verification(games: Iterable[tuple[int, CheckedGame]], bad: Sequence[BadLine] = ()) -> VerificationAnswer:
    results = [checked_game(checked, line) for line, checked in games]
    return VerificationAnswer(len(results), sum(result.verified for result in results), _bad_lines(bad), results)
