"""Where to place a roll: every free slot, what it is worth and what it loses, and why.

The position is read from the free slots by number, or from the moves so far.
"""

import re
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from tentimes18.coach.advice import Move, advise_slots, reason
from tentimes18.coach.advice import advise as advise_on
from tentimes18.coach.aims import aim_named, is_of_duels
from tentimes18.coach.losses import Unit, classify
from tentimes18.errors import IllegalMove, InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number, Position, read_score, slots_of
from tentimes18.queries import MAX_MOVES_CHARACTERS, MAX_SCORE_CHARACTERS, AimText, DiceText, Doc, SlotsText, query
from tentimes18.records.notation import Record, parse_moves
from tentimes18.solve.parallel import Progress

MAX_ROLL = 10**6  # in magnitude, for strangers

Mix = list[tuple[int, float]]
"""A mixed move: slots and their probabilities."""


def read_free_slots(game: Game, text: str, field: str = "free") -> tuple[int, ...]:
    """The free slots named by ``1,4,7`` or ``1-3,7``."""
    slots: list[int] = []
    for part in re.sub(r"\s*([-,])\s*", r"\1", text.strip()).split(","):
        match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        if match is None:
            raise InvalidGame(
                f"cannot read {part[:60]!r}; accepted: slots like 1,4,7 or 1-3,7", field=field, value=text
            )
        first, last = sorted((int(match[1]), int(match[2] or match[1])))
        if last - first >= game.size:
            raise InvalidGame(f"there is no slot {last}; slots are 1 to {game.size}", field=field, value=text)
        slots.extend(range(first, last + 1))
    return slots_of(game.verify_free(slots, field))


def read_board(game: Game, moves: str, field: str = "moves") -> Board:
    """The board after moves like ``8@5 4@1``."""
    try:
        return Board.replay(game, parse_moves(moves))
    except Ten18Error as error:
        raise error.about(field, moves if isinstance(error, IllegalMove) else None) from None


def read_position(game: Game, moves: str = "", opponent: str | None = None, *, is_duel: bool = False) -> Position:
    """The position after these moves, in which there is a roll to place.

    A duel has two boards; before the first move nothing need be said of the opponent's.
    """
    board = read_board(game, moves)
    if is_duel and opponent is None and not moves:
        opponent = ""
    theirs = None if opponent is None else read_board(game, opponent, "opponent")
    Record(board, opponent=theirs)  # a duel has the same rolls on both boards
    position = Position(board, theirs)
    if is_duel:
        _ = position.theirs  # where it is missing, that is said before a table is made
    if not board.free:
        raise Ten18Error("the board is full, there is nothing left to place", field="moves")
    return position


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
        str | None, Doc("The free slots by number, like 1,4,7.", metavar="SLOTS", default="all", example="1,4,7")
    ] = None,
    moves: Annotated[
        str | None,
        Doc("The game so far, like '8@5 4@1', in place of --free.", metavar="MOVES", max_length=MAX_MOVES_CHARACTERS),
    ] = None,
    opponent: Annotated[
        str | None, Doc("The opponent's moves, if the aim is a duel.", metavar="MOVES", max_length=MAX_MOVES_CHARACTERS)
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
    """Where to place a roll, what every other slot loses, and why.

    With --target every move also shows the spread of the final score under the best play after it, and the chance of
    the target.
    """
    game = Game.parse(dice, slots)
    if opponent is not None and not is_of_duels(aim):
        raise Ten18Error("is used only if the aim is a duel", field="opponent")
    if free is not None and moves is not None:
        raise Ten18Error("cannot be combined with `moves`, which say what is free", field="free")
    if free is not None and (target is not None or aim != "mean"):
        raise Ten18Error("does not say the score so far, which is needed here; use `moves` instead", field="free")
    score = None if target is None else read_score(target, "target")
    position = read_position(game, moves or "", opponent, is_duel=is_of_duels(aim))
    board = position.board
    game.verify_roll(roll)
    if aim != "mean":
        by = aim_named(game, aim, progress)
        advice = advise_on(position, roll, by)
        measured = [_move(move, board, roll, by.unit, score) for move in advice.moves]
        answer = AdviceAnswer(roll, advice.best, list(advice.best_slots), measured, aim=aim)
        if advice.mixes is None:
            return answer
        return replace(answer, mix=list(advice.mixes.mine), opponent_mix=list(advice.mixes.theirs))
    free_slots = board.free_slots if free is None else read_free_slots(game, free)
    advice = advise_slots(game, free_slots, roll, progress)
    measured = []
    for done, move in enumerate(advice.moves, start=1):
        measured.append(_move(move, board, roll, Unit.points, score))
        if progress and score is not None:
            progress(done, len(advice.moves))
    return AdviceAnswer(roll, advice.best, list(advice.best_slots), measured, reason=reason(game, advice))


def _move(move: Move, board: Board, roll: int, unit: Unit, target: Number | None) -> MoveAdvice:
    numbers = move.slot, float(move.worth), float(move.loss), classify(move.loss, unit).name
    if target is None:
        return MoveAdvice(*numbers)
    from tentimes18.coach.review import outlook

    scores = outlook(board.place(roll, move.slot))
    return MoveAdvice(*numbers, float(scores.mean), scores.sd, float(scores.at_least(target)))
