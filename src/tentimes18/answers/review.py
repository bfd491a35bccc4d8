"""What the moves of played games gave up, and what was luck: of one game move by move, of many in sum."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NotRequired, TypedDict

from tentimes18.coach.aims import played_for, takebacks_of
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.records.formats import BadLine
from tentimes18.records.notation import VERSION, format_moves

if TYPE_CHECKING:
    from tentimes18.coach.summary import MeasuredGames

__all__ = [
    "SHOWN_TAGS",
    "BadLineAnswer",
    "CostlyMoveAnswer",
    "ManyReviewsAnswer",
    "MoveRow",
    "OneReviewAnswer",
    "ReviewAnswer",
    "ReviewedMoveAnswer",
    "RoundAnswer",
    "StretchAnswer",
    "SummaryAnswer",
    "bad_lines_json",
    "many_reviews",
    "moves_of",
    "one_review",
    "review_json",
    "summary_json",
]

SHOWN_TAGS: Final[tuple[Literal["name", "date", "comment"], ...]] = ("name", "date", "comment")

ReviewedMoveAnswer = TypedDict(
    "ReviewedMoveAnswer",
    {
        "round": int,
        "roll": int,
        "slot": int,
        "best": list[int],
        "loss": Plain,
        "class": str,
        "mark": str,
        "luck": Plain,
        "gift": Plain,
        "before": Plain,
        "after": Plain,
        "choice": bool,
        "mix": NotRequired[list[tuple[int, float]]],
        "opponent_mix": NotRequired[list[tuple[int, float]]],
    },
)
"""A move: what it lost, what was luck, and the worth of the position around it; in a duel how both mix their moves."""


class ReviewAnswer(TypedDict):
    """A reviewed game; losses and luck are in points, or chances where the aim is one."""

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
    name: NotRequired[Any]
    date: NotRequired[Any]
    comment: NotRequired[Any]


MoveRow = TypedDict(
    "MoveRow",
    {
        "game": int,
        "round": int,
        "roll": int,
        "slot": int,
        "theirs": int | None,
        "best": int,
        "loss": float,
        "class": str,
        "luck": float,
        "choice": bool,
    },
)
"""A move among those of many games, its game by line; ``theirs``: the opponent's slot; ``best``: the first best one."""


class BadLineAnswer(TypedDict):
    """A line of a file that is no game."""

    line: int
    reason: str


class OneReviewAnswer(ReviewAnswer):
    """The game of a file, and the lines that are none."""

    bad_lines: list[BadLineAnswer]


class RoundAnswer(TypedDict):
    """The moves of one round."""

    round: int
    choices: int
    mean_loss: float
    error_rate: float


class CostlyMoveAnswer(TypedDict):
    """A move that lost much, its game by number."""

    game: int
    round: int
    roll: int
    slot: int
    best: int
    loss: float


class StretchAnswer(TypedDict):
    """Consecutive games."""

    first: int
    last: int
    mean_score: float | None
    skill: float | None


class SummaryAnswer(TypedDict):
    """Games of one kind in sum."""

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
    rounds: list[RoundAnswer]
    costliest: list[CostlyMoveAnswer]
    progress: list[StretchAnswer]
    level: str | None
    played_for: str
    measured_by: str
    practice: bool


class ManyReviewsAnswer(TypedDict):
    """The games of a file by kind, and the lines that are none."""

    games: int
    finished: int
    aim: str
    bad_lines: list[BadLineAnswer]
    summaries: list[SummaryAnswer]


def review_json(reviewed: Review) -> ReviewAnswer:
    """A reviewed game.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> found = review_json(review(parse_record("1d6 1,2: 5@1 4@2; name=Ada")))
    >>> found["score"], found["value"], found["luck"], found["loss"], found["name"]
    (13, 11.25, 3.25, 1.5, 'Ada')
    """
    record = reviewed.record
    answer: ReviewAnswer = {
        "version": VERSION,
        "dice": str(record.board.game.dice),
        "slots": record.board.game.slots,
        "moves": [_move(number, move) for number, move in enumerate(reviewed.moves, start=1)],
        "score": plain(record.board.score),
        "finished": record.finished,
        "aim": reviewed.aim.name,
        "value": plain(reviewed.start),
        "luck": plain(reviewed.luck),
        "loss": plain(reviewed.loss),
        "gift": plain(reviewed.gift),
        "skill": None if reviewed.skill is None else plain(reviewed.skill),
        "classes": reviewed.counts,
        "percentile": None if reviewed.percentile is None else plain(reviewed.percentile),
        "optimal_score": None if reviewed.optimal_score is None else plain(reviewed.optimal_score),
        "best_score": None if reviewed.best_score is None else plain(reviewed.best_score),
        "choices": reviewed.choices,
        "level": None if reviewed.level is None else reviewed.level.name,
        "played_for": played_for(record),
        "takebacks": takebacks_of(record),
        "opponent": None if record.opponent is None else format_moves(record.opponent.placements),
        "opponent_score": None if record.opponent is None else plain(record.opponent.score),
    }
    for tag in SHOWN_TAGS:
        if tag in record.tags:
            answer[tag] = record.tags[tag]
    return answer


def _move(number: int, move: ReviewedMove) -> ReviewedMoveAnswer:
    answer: ReviewedMoveAnswer = {
        "round": number,
        "roll": move.roll,
        "slot": move.slot,
        "best": list(move.best_slots),
        "loss": plain(move.loss),
        "class": move.move_class.name,
        "mark": move.move_class.mark,
        "luck": plain(move.luck),
        "gift": plain(move.gift),
        "before": plain(move.before),
        "after": plain(move.after),
        "choice": move.is_choice,
    }
    if move.mixes is not None:
        answer |= {"mix": list(move.mixes.mine), "opponent_mix": list(move.mixes.theirs)}
    return answer


def one_review(reviewed: Review, bad: Sequence[BadLine]) -> OneReviewAnswer:
    """The one game of a file."""
    return {**review_json(reviewed), "bad_lines": bad_lines_json(bad)}


def bad_lines_json(bad: Sequence[BadLine]) -> list[BadLineAnswer]:
    """The lines that are no game, each with the reason.

    >>> bad_lines_json([BadLine(2, "slot 5 already holds 8")])
    [{'line': 2, 'reason': 'slot 5 already holds 8'}]
    """
    return [{"line": number, "reason": reason} for number, reason in bad]


def summary_json(games: "MeasuredGames") -> SummaryAnswer:
    """Games of one kind in sum.

    >>> from tentimes18.coach.summary import measured_kinds
    >>> from tentimes18.records.formats import Line
    >>> from tentimes18.records.notation import parse_record
    >>> (games,), _ = measured_kinds([Line(1, parse_record("1d6 1,2: 5@1 4@2"))])
    >>> summary_json(games)["skill"], summary_json(games)["level"]
    (1.5, 'beginner')
    """
    summary = games.summary
    return {
        "dice": str(summary.game.dice),
        "slots": summary.game.slots,
        "games": summary.games,
        "finished": summary.finished,
        "moves": summary.moves,
        "choices": summary.choices,
        "mean_score": summary.mean_score,
        "mean_optimal": summary.mean_optimal,
        "mean_best": summary.mean_best,
        "value": summary.value,
        "mean_loss": summary.mean_loss,
        "mean_luck": summary.mean_luck,
        "skill": summary.skill,
        "error_rate": summary.error_rate,
        "classes": summary.classes,
        "rounds": [
            {
                "round": part.round,
                "choices": part.choices,
                "mean_loss": part.mean_loss,
                "error_rate": part.error_rate,
            }
            for part in summary.rounds
        ],
        "costliest": [
            {
                "game": move.game,
                "round": move.round,
                "roll": move.roll,
                "slot": move.slot,
                "best": move.best,
                "loss": move.loss,
            }
            for move in summary.costliest
        ],
        "progress": [
            {"first": part.first, "last": part.last, "mean_score": part.mean_score, "skill": part.skill}
            for part in summary.progress
        ],
        "level": None if games.level is None else games.level.name,
        "played_for": games.played_for,
        "measured_by": summary.aim.name,
        "practice": games.is_practice,
    }


def many_reviews(kinds: "Sequence[MeasuredGames]", bad: Sequence[BadLine]) -> ManyReviewsAnswer:
    """The games of a file, those of each kind in sum; the aim is that of the first kind."""
    return {
        "games": sum(games.summary.games for games in kinds),
        "finished": sum(games.summary.finished for games in kinds),
        "aim": kinds[0].summary.aim.name,
        "bad_lines": bad_lines_json(bad),
        "summaries": [summary_json(games) for games in kinds],
    }


def moves_of(kinds: "Sequence[MeasuredGames]") -> Iterator[MoveRow]:
    """All moves of all games.

    >>> from tentimes18.coach.summary import measured_kinds
    >>> from tentimes18.records.formats import Line
    >>> from tentimes18.records.notation import parse_record
    >>> kinds, _ = measured_kinds([Line(3, parse_record("1d6 1,2: 5@1 4@2"))])
    >>> [(move["game"], move["round"], move["loss"]) for move in moves_of(kinds)]
    [(3, 1, 1.5), (3, 2, 0.0)]
    """
    for games in kinds:
        table = games.summary.table
        for g, line in enumerate(games.lines):
            opponent = line.record.opponent
            for r, (roll, slot) in enumerate(line.record.board.placements):
                yield {
                    "game": line.number,
                    "round": r + 1,
                    "roll": roll,
                    "slot": slot,
                    "theirs": None if opponent is None else opponent.placements[r].slot,
                    "best": int(table.best[g, r]),
                    "loss": float(table.losses[g, r]),
                    "class": CLASSES[int(table.classes[g, r])].name,
                    "luck": float(table.lucks[g, r]),
                    "choice": bool(table.is_choice[g, r]),
                }
