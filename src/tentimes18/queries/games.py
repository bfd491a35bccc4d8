"""Played games: what their moves lost, the games of a player, drills, and whether finished games were fair."""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import asdict

from tentimes18.coach.aims import Mean, own_aim, played_for, takebacks_of
from tentimes18.coach.drill import Answer, Drill, Question, close_calls
from tentimes18.coach.losses import CLASSES, classify
from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.coach.review import review as review_game
from tentimes18.coach.skill import level_of
from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.play.verification import CheckedGame
from tentimes18.queries import DiceText, Doc, SlotsText, query
from tentimes18.queries.json_numbers import Plain, answer_from, plain
from tentimes18.queries.moves import Mix
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import VERSION, Record, format_moves, record_from_json, record_to_json

if TYPE_CHECKING:
    from tentimes18.coach.summary import CostlyMove, MeasuredGames, RoundSummary, Stretch
    from tentimes18.play.game_in_play import GameInPlay

MAX_QUESTIONS = 50  # of a drill at once
MAX_SEED = 2**53 - 1  # the largest number that a browser keeps exactly
SHOWN_TAGS = ("name", "date", "comment")


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
    """What each move of a record gave up, and what was luck; a line of text or a JSON object, and nothing is kept."""
    game = record_from_json(record)
    return review_answer(review_game(game, own_aim(game) or Mean()), [])


def review_answer(reviewed: Review, bad: Sequence[BadLine] | None = None) -> ReviewAnswer:
    """The answer on a reviewed game, and on the lines of its file that are not games, if it has a file."""
    record = reviewed.record
    board, opponent = record.board, record.opponent
    return answer_from(
        ReviewAnswer,
        reviewed,
        version=VERSION,
        dice=str(board.game.dice),
        slots=board.game.slots,
        moves=[_reviewed_move(number, move) for number, move in enumerate(reviewed.moves, start=1)],
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
        bad_lines=UNSET if bad is None else bad_line_answers(bad),
    )


def _reviewed_move(number: int, move: ReviewedMove) -> ReviewedMoveAnswer:
    return answer_from(
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


def bad_line_answers(bad: Iterable[BadLine]) -> list[BadLineAnswer]:
    """The lines that are not games, each with the reason."""
    return [BadLineAnswer(number, reason) for number, reason in bad]


class PlayAnswer(Struct, frozen=True):
    """A game as it is stored, and the review of what was played; nothing where none was begun."""

    record: dict[str, Any] | None = None
    review: ReviewAnswer | None = None


def play_answer(game: "GameInPlay | None") -> PlayAnswer:
    """The answer on a game that was played, to its end or not."""
    return PlayAnswer() if game is None else PlayAnswer(record_to_json(game.record), review_answer(game.review()))


class SummaryAnswer(Struct, frozen=True):
    """The games of one kind together."""

    dice: str
    slots: str
    games: int
    finished: int
    moves: int
    choices: int
    mean_score: float | None
    mean_optimal: float | None
    mean_best: float | None
    value: float
    mean_loss: float
    mean_luck: float
    skill: float | None
    error_rate: float | None
    classes: dict[str, int]
    rounds: "Sequence[RoundSummary]"
    costliest: "Sequence[CostlyMove]"
    progress: "Sequence[Stretch]"
    level: str | None
    played_for: str
    measured_by: str
    practice: bool


class ManyReviewsAnswer(Struct, frozen=True):
    """The games of a file by kind, and the lines that are not games; ``aim`` is that of the first kind."""

    games: int
    finished: int
    aim: str
    bad_lines: list[BadLineAnswer]
    summaries: list[SummaryAnswer]


def summary_answer(games: "MeasuredGames") -> SummaryAnswer:
    """The answer on the games of one kind."""
    summary = games.summary
    return answer_from(
        SummaryAnswer,
        summary,
        dice=str(summary.game.dice),
        slots=summary.game.slots,
        level=None if games.level is None else games.level.name,
        played_for=games.played_for,
        measured_by=summary.aim.name,
        practice=games.is_practice,
    )


def many_reviews(kinds: "Sequence[MeasuredGames]", bad: Sequence[BadLine]) -> ManyReviewsAnswer:
    """The answer on the games of a file, by kind."""
    summaries = [games.summary for games in kinds]
    return ManyReviewsAnswer(
        sum(summary.games for summary in summaries),
        sum(summary.finished for summary in summaries),
        summaries[0].aim.name,
        bad_line_answers(bad),
        [summary_answer(games) for games in kinds],
    )


class MoveRow(Struct, frozen=True):
    """One of the moves of many games, the game by line.

    ``theirs`` is the opponent's slot, ``best`` the first of the best slots.
    """

    game: int
    round: int
    roll: int
    slot: int
    theirs: int | None
    best: int
    loss: float
    class_: str = field(name="class")
    luck: float
    choice: bool


def moves_of(kinds: "Iterable[MeasuredGames]") -> Iterator[MoveRow]:
    """All moves of all games."""
    for games in kinds:
        table = games.summary.table
        for g, line in enumerate(games.lines):
            opponent = line.record.opponent
            for r, (roll, slot) in enumerate(line.record.board.placements):
                yield MoveRow(
                    line.number,
                    r + 1,
                    roll,
                    slot,
                    None if opponent is None else opponent.placements[r].slot,
                    int(table.best[g, r]),
                    float(table.losses[g, r]),
                    CLASSES[int(table.classes[g, r])].name,
                    float(table.lucks[g, r]),
                    bool(table.is_choice[g, r]),
                )


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


class HistoryAnswer(Struct, frozen=True):
    """The games as they are stored with their measures, the summary of each kind, and what is unfinished or no game.

    The ``number`` of a game is that of its line.
    """

    games: list[dict[str, Any]]
    summaries: list[SummaryAnswer]
    unfinished: list[dict[str, Any]]
    bad_lines: list[BadLineAnswer]


def choose_games(
    lines: Iterable[Line | BadLine],
    dice: str | None = None,
    slots: str | None = None,
    last: int | None = None,
    name: str | None = None,
) -> tuple[list[Line], list[BadLine]]:
    """The last games with these dice and slots by this player, in order; and the lines that are not games.

    >>> from tentimes18.records.notation import parse_record
    >>> games = [Line(1, parse_record("1d6 1,2: 5@1; name=Ada")), Line(2, parse_record("8@5")), BadLine(3, "no game")]
    >>> [[line.number for line in part] for part in choose_games(games, dice="3d6")]
    [[2], [3]]
    """
    law = Dice.parse(dice) if dice is not None else None
    multipliers = Game.parse("3d6", slots).multipliers if slots is not None else None
    good: list[Line] = []
    bad: list[BadLine] = []
    for line in lines:
        if isinstance(line, BadLine):
            bad.append(line)
            continue
        game = line.record.board.game
        if (
            (law is None or game.dice == law)
            and (multipliers is None or game.multipliers == multipliers)
            and (name is None or _simplify(line.record.tags.get("name", "")) == _simplify(name))
        ):
            good.append(line)
    return good if last is None else good[-last:], bad


def _simplify(name: object) -> str:
    """A name without regard to capitals and blanks."""
    return " ".join(str(name).split()).casefold()


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
) -> HistoryAnswer:
    """The answer on the games of a player."""
    measures = measures_of(kinds)
    return HistoryAnswer(
        [
            record_to_json(line.record) | asdict(measures.get(line.number, UNKNOWN)) | {"number": line.number}
            for line in lines
        ],
        [summary_answer(games) for games in kinds],
        [record_to_json(record) for record in unfinished],
        bad_line_answers(bad),
    )


class AnsweredQuestion(Struct, frozen=True):
    """Free slots and a roll, the slot that was answered, all that are best, what it loses, and the class of that."""

    free: list[int]
    roll: int
    answer: int
    best: list[int]
    loss: Plain
    class_: str = field(name="class")


class DrillAnswer(Struct, frozen=True):
    """How many questions were asked and answered with a best slot, and what an answer loses on average."""

    asked: int
    right: int
    mean_loss: Plain | None
    questions: list[AnsweredQuestion]


def drill_answer(drill: Drill) -> DrillAnswer:
    """The answer on a drill so far."""
    mean_loss = drill.mean_loss
    return DrillAnswer(
        len(drill.answers),
        drill.right,
        None if mean_loss is None else plain(mean_loss),
        [_answered(answer) for answer in drill.answers],
    )


def _answered(answer: Answer) -> AnsweredQuestion:
    return AnsweredQuestion(
        list(answer.question.record.board.free_slots),
        answer.advice.roll,
        answer.slot,
        list(answer.advice.best_slots),
        plain(answer.loss),
        answer.move_class.name,
    )


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
    count: Annotated[int, Doc("How many questions.", metavar="N", least=1, most=MAX_QUESTIONS)] = 10,
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


class CheckedRoundAnswer(Struct, frozen=True):
    """A round: its roll, None before it is opened, and its commitment, None where that is not a digest."""

    round: int
    roll: int | None
    commitment: str | None
    verified: bool
    problem: str | None


class CheckedGameAnswer(Struct, frozen=True):
    """A game by the number of its line, with the score that its board makes; ``problems`` beside its rounds."""

    line: int
    id: str | None
    dice: str
    slots: str
    score: Plain
    finished: bool
    verified: bool
    rounds: list[CheckedRoundAnswer]
    problems: list[str]


class VerificationAnswer(Struct, frozen=True):
    """How many games could be read, how many of them are verified, and the lines that are not games."""

    games: int
    verified: int
    bad_lines: list[BadLineAnswer]
    results: list[CheckedGameAnswer]


def checked_game(checked: CheckedGame, line: int = 1) -> CheckedGameAnswer:
    """The answer on a game that was checked."""
    return answer_from(
        CheckedGameAnswer,
        checked,
        line=line,
        dice=str(checked.game.dice),
        slots=checked.game.slots,
        rounds=[answer_from(CheckedRoundAnswer, part) for part in checked.rounds],
        problems=list(checked.problems),
    )


def verification(games: Iterable[tuple[int, CheckedGame]], bad: Sequence[BadLine] = ()) -> VerificationAnswer:
    """The answer on the games of a file, each with its line, and on the lines that are not games."""
    results = [checked_game(checked, line) for line, checked in games]
    return VerificationAnswer(len(results), sum(result.verified for result in results), bad_line_answers(bad), results)
