"""Where to place a roll: every free slot, what it is worth and what it gives up, and why."""

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from tentimes18.coach.advice import Move, advise, advise_slots, reason
from tentimes18.coach.aims import Aim, Mean
from tentimes18.coach.losses import classify
from tentimes18.game import Board, Number, Position
from tentimes18.plan import Limits, Plan, admit
from tentimes18.solve.layers import Progress
from tentimes18.solve.thresholds import exact_plan
from tentimes18.strategies.old_plans import law_plan

__all__ = ["AdviceAnswer", "MoveAnswer", "advice"]

MoveAnswer = TypedDict(
    "MoveAnswer",
    {
        "slot": int,
        "value": float,
        "loss": float,
        "class": str,
        "mean": NotRequired[float],
        "sd": NotRequired[float],
        "chance": NotRequired[float],
    },
)
"""A move; with a target also mean and spread of the final score after it, and the chance of the target."""


class AdviceAnswer(TypedDict):
    """All moves for a roll, best first; for the mean with a reason, for another aim with its name.

    Against the best play in a duel also the mixed moves of both players, each pairs (slot, probability).
    """

    roll: int
    best: int
    best_slots: list[int]
    moves: list[MoveAnswer]
    aim: NotRequired[str]
    reason: NotRequired[str]
    mix: NotRequired[list[tuple[int, float]]]
    opponent_mix: NotRequired[list[tuple[int, float]]]


def advice(
    position: Position,
    roll: int,
    aim: Aim,
    free_slots: Iterable[int] | None = None,
    target: Number | None = None,
    *,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> AdviceAnswer:
    """What to do with a roll in a position, or, for the mean, when these slots are free.

    For the mean values count from here on, whatever stands on the board; for other aims they are chances.

    >>> from tentimes18.game import Board, Game
    >>> found = advice(Position(Board(Game.classic())), 9, Mean(), [1, 4, 7])
    >>> found["best"], found["reason"]
    (1, '9 goes to slot 1: below what slot 4 can expect (9.29).')
    """
    board = position.board
    is_mean = isinstance(aim, Mean)
    free = board.free_slots if free_slots is None else tuple(free_slots)
    if is_mean:
        rows = exact_plan(board.game.dice, len(free))
        admit(Plan(f"the advice for {len(free):,} free slots", 2 * rows.seconds, rows.memory), limits)
    found = advise_slots(board.game, free, roll, progress) if is_mean else advise(position, roll, aim)
    if target is not None:
        _admit_laws(board, len(free), limits)
    answer: AdviceAnswer = {
        "roll": roll,
        "best": found.best,
        "best_slots": list(found.best_slots),
        "moves": [],
    }
    for done, move in enumerate(found.moves, start=1):
        answer["moves"].append(_move(move, board, roll, aim, target))
        if progress:
            progress(done, len(found.moves))
    if is_mean:
        answer["reason"] = reason(board.game, free, roll)
    else:
        answer["aim"] = aim.name
    if found.mixes is not None:
        answer |= {"mix": list(found.mixes.mine), "opponent_mix": list(found.mixes.theirs)}
    return answer


def _admit_laws(board: Board, moves: int, limits: Limits | None) -> None:
    """With a target, the law of the final score is computed for every move."""
    from tentimes18.strategies.named import named

    law = law_plan(named("optimal"), board, exact=False)
    admit(Plan(f"the list of the laws after {moves:,} moves", moves * law.seconds / 2, law.memory), limits)


def _move(move: Move, board: Board, roll: int, aim: Aim, target: Number | None) -> MoveAnswer:
    answer: MoveAnswer = {
        "slot": move.slot,
        "value": float(move.worth),
        "loss": float(move.loss),
        "class": classify(move.loss, aim.unit).name,
    }
    if target is not None:
        from tentimes18.coach.review import outlook

        law = outlook(board.place(roll, move.slot))
        answer |= {"mean": float(law.mean), "sd": law.sd, "chance": float(law.at_least(target))}
    return answer
