"""The position that a question is about, from texts as people write them: free slots by number, or the moves so far."""

import re
from collections.abc import Sequence

from tentimes18.errors import IllegalMove, InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number, Position, slots_of
from tentimes18.records.notation import Record, parse_moves


def read_free_slots(game: Game, text: str | None, field: str = "free") -> tuple[int, ...]:
    """The free slots named by ``1,4,7`` or ``1-3,7``; all slots where nothing is named."""
    if text is None:
        return slots_of(game.all_free)
    slots: list[int] = []
    for part in re.sub(r"\s*([-,])\s*", r"\1", text.strip()).split(","):
        match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        if match is None:
            raise InvalidGame(
                f"cannot read {part[:60]!r}; accepted: slots like 1,4,7 or 1-3,7", field=field, given=text
            )
        first, last = sorted((int(match[1]), int(match[2] or match[1])))
        if last - first >= game.size:
            raise InvalidGame(f"there is no slot {last}; slots are 1 to {game.size}", field=field, given=text)
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


def duel_position(
    game: Game, free_slots: Sequence[int] | None, opponent_free_slots: Sequence[int] | None, lead: Number
) -> tuple[int, int, Number]:
    """My free set, the opponent's and my lead; all slots are free where none are named, and the opponent's as mine."""
    mine = game.all_free if free_slots is None else game.verify_free(free_slots, "free")
    theirs = mine if opponent_free_slots is None else game.verify_free(opponent_free_slots, "opponent_free")
    if mine.bit_count() != theirs.bit_count():
        raise InvalidGame(
            f"{mine.bit_count()} slots are free on one board and {theirs.bit_count()} on the other; "
            "both players fill one slot a round",
            field="free",
        )
    return mine, theirs, lead
