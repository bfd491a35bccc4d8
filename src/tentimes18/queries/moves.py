"""Where to place a roll: every free slot, what it is worth and what it loses, and why."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType, field

from tentimes18.coach.advice import Move, advise_slots, reason
from tentimes18.coach.advice import advise as advise_on
from tentimes18.coach.aims import Aim, aim_named, is_of_duels
from tentimes18.coach.losses import Unit, classify
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Number, Position, read_score
from tentimes18.queries import (
    MAX_MOVES_CHARACTERS,
    MAX_ROLL,
    MAX_SCORE_CHARACTERS,
    AimText,
    DiceText,
    Doc,
    Progress,
    SlotsText,
    query,
)
from tentimes18.queries.positions import read_free_slots, read_position

Mix = list[tuple[int, float]]
"""A mixed move: slots and their probabilities."""


class MoveAdvice(Struct, frozen=True):
    """A move; with a target also mean and sd of the final score after it, and the target's probability."""

    slot: int
    value: float
    loss: float
    class_: str = field(name="class")
    mean: float | UnsetType = UNSET
    sd: float | UnsetType = UNSET
    chance: float | UnsetType = UNSET


class AdviceAnswer(Struct, frozen=True):
    """All moves for a roll, best first; for the mean with a reason, for another aim with its name.

    Against the best play in a duel also the mixed moves of both players, each as pairs (slot, probability).
    """

    roll: int
    best: int
    best_slots: list[int]
    moves: list[MoveAdvice]
    reason: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET
    mix: Mix | UnsetType = UNSET
    opponent_mix: Mix | UnsetType = UNSET


@query(AdviceAnswer)
def advise(
    roll: Annotated[int, Doc("The roll to place.", lab_least=-MAX_ROLL, lab_most=MAX_ROLL, example=9)],
    free: Annotated[
        str | None, Doc("Free slots by number, like 1,4,7.", metavar="SLOTS", default="all", example="1,4,7")
    ] = None,
    moves: Annotated[
        str | None, Doc("Or the game so far, like '8@5 4@1'.", metavar="MOVES", max_length=MAX_MOVES_CHARACTERS)
    ] = None,
    opponent: Annotated[
        str | None,
        Doc("The opponent's moves, where the aim is a duel.", metavar="MOVES", max_length=MAX_MOVES_CHARACTERS),
    ] = None,
    aim: AimText = "mean",
    target: Annotated[
        str | None,
        Doc("Show the chance of this score or more as well.", metavar="SCORE", max_length=MAX_SCORE_CHARACTERS),
    ] = None,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    progress: Progress | None = None,
) -> AdviceAnswer:
    """Where to place a roll, what every other slot gives up, and why.

    With --target every move also shows the spread of the final score under the best play after it, and the chance of
    the target.
    """
    game = Game.parse(dice, slots)
    if opponent is not None and not is_of_duels(aim):
        raise Ten18Error("an opponent counts where the aim is a duel", field="opponent")
    if free is not None and moves is not None:
        raise Ten18Error("cannot be combined with `moves`, which say what is free", field="free")
    if free is not None and (target is not None or aim != "mean"):
        raise Ten18Error("does not say the score so far, which is needed here; use `moves` instead", field="free")
    score = None if target is None else read_score(target, "target")
    position = read_position(game, moves or "", opponent, is_duel=is_of_duels(aim))
    board = position.board
    game.verify_roll(roll)
    if aim != "mean":
        return _advice_for_aim(position, roll, aim_named(game, aim, progress), aim, score)
    free_slots = board.free_slots if free is None else read_free_slots(game, free)
    advice = advise_slots(game, free_slots, roll, progress)
    measured = []
    for done, move in enumerate(advice.moves, start=1):
        measured.append(_move(move, board, roll, Unit.points, score))
        if progress and score is not None:
            progress(done, len(advice.moves))
    return AdviceAnswer(roll, advice.best, list(advice.best_slots), measured, reason=reason(game, free_slots, roll))


def _advice_for_aim(position: Position, roll: int, by: Aim, name: str, target: Number | None) -> AdviceAnswer:
    advice = advise_on(position, roll, by)
    mixes = advice.mixes
    return AdviceAnswer(
        roll,
        advice.best,
        list(advice.best_slots),
        [_move(move, position.board, roll, by.unit, target) for move in advice.moves],
        aim=name,
        mix=UNSET if mixes is None else list(mixes.mine),
        opponent_mix=UNSET if mixes is None else list(mixes.theirs),
    )


def _move(move: Move, board: Board, roll: int, unit: Unit, target: Number | None) -> MoveAdvice:
    kind = classify(move.loss, unit).name
    if target is None:
        return MoveAdvice(move.slot, float(move.worth), float(move.loss), kind)
    from tentimes18.coach.review import outlook

    law = outlook(board.place(roll, move.slot))
    return MoveAdvice(
        move.slot, float(move.worth), float(move.loss), kind, float(law.mean), law.sd, float(law.at_least(target))
    )
