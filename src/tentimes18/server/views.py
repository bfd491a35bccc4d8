"""A game as its player may see it: the one place that decides what is shown.

Shown are the rolls of the rounds that are open, with their nonces, and in a duel the opponent's moves of the rounds in
which both have placed. Nothing else of a deal, and no move that waits to be opened, leaves the store.
"""

from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Annotated, Any, Literal, SupportsFloat, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tentimes18.dice import Dice
from tentimes18.play.faces import faces_of
from tentimes18.play.fairness import Deal
from tentimes18.queries.json_numbers import answer_from, plain
from tentimes18.records.notation import Record
from tentimes18.server.days import utc_text
from tentimes18.server.identity import Names
from tentimes18.server.store.games import Coach, Ending, GameKind, GameState, board_of

Number: TypeAlias = int | float
Result: TypeAlias = Literal["win", "draw", "loss"]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
NOBODY = "someone"  # who has left
MAX_SIDES = 100  # of a die whose face is shown


class OpenedRound(Struct):
    """A roll that was shown, and the nonce that proves it."""

    round: int
    roll: int
    nonce: Digest


class Opponent(Struct):
    """The other side of a duel, as far as it is open; ``placed``: whether the roll that waits is placed there."""

    name: str
    board: dict[str, int]
    score: Number
    placed: bool


class RematchInfo(Struct):
    """The duel that follows one: the player who asked for it, its invite, and the game of this player once joined."""

    by: Literal["you", "them"]
    invite: str | None
    game: str | None


class Game(Struct):
    """A game as its player sees it.

    ``round`` is the one to play, one more than there are when the game is finished; ``roll`` the waiting one, and
    ``faces`` what its dice show: the same for everybody who plays these rolls, and empty where dice cannot be drawn.
    ``commitments`` holds the SHA-256 of NONCE:ROUND:ROLL for each round, ``opened`` what proves those that were shown.
    """

    id: str
    kind: GameKind
    dice: str
    slots: list[Number]
    coach: Coach
    round: int
    roll: int | None
    faces: list[int]
    board: dict[str, int]
    score: Number
    finished: bool
    commitments: list[Digest]
    opened: list[OpenedRound]
    opponent: Opponent | None
    day: Annotated[str | UnsetType, Meta(description="The day of a daily game, also of one from the archive.")] = UNSET
    invite: Annotated[str | UnsetType | None, Meta(description="The code of a duel with a friend.")] = UNSET
    ended_by: Annotated[Ending | UnsetType | None, Meta(description="How a duel ended.")] = UNSET
    result: Annotated[Result | UnsetType | None, Meta(description="For a duel that ended.")] = UNSET
    rematch: Annotated[RematchInfo | UnsetType | None, Meta(description="For a duel that ended.")] = UNSET
    group: Annotated[str | UnsetType | None, Meta(description="The code of the group of a group game.")] = UNSET
    chances: Annotated[
        list[float] | UnsetType | None,
        Meta(
            description="The chance to win a duel, draws at one half, after each round that both have placed, if both "
            "play best from there on; null until the table is ready."
        ),
    ] = UNSET


class ListedGame(Struct):
    """A game in a list; of a duel also who it was against, how it ended, and whose turn it is."""

    id: str
    kind: GameKind
    dice: str
    slots: list[Number]
    coach: Coach
    day: Annotated[str | None, Meta(description="The day of a daily game, also of one from the archive.")]
    created: str
    finished: str | None
    placed: Annotated[int, Meta(description="How many rolls the player has placed.")]
    score: Annotated[Number | None, Meta(description="The score of a finished game.")]
    loss: Annotated[float | None, Meta(description="What the moves cost, once it is measured; never of a duel.")]
    choices: Annotated[int | None, Meta(description="How many moves were a choice, with the loss.")]
    against: Annotated[str | None, Meta(description="The opponent of a duel; null until the friend has joined.")]
    bot: Annotated[bool | None, Meta(description="Whether a duel is against a bot.")]
    opponent_score: Annotated[Number | None, Meta(description="The opponent's score in a finished duel.")]
    invite: Annotated[str | None, Meta(description="The code of a duel with a friend.")]
    result: Result | None
    ended_by: Ending | None
    rematch: Annotated[RematchInfo | None, Meta(description="For a duel that ended.")]
    group: Annotated[str | None, Meta(description="The code of the group of a group game.")]
    turn: Annotated[Literal["you", "them"] | None, Meta(description="Whose turn it is in an unfinished game.")]


@lru_cache(maxsize=4096)
def _commitments(deal: Deal) -> list[str]:
    return deal.commitments


@lru_cache(maxsize=4096)
def _faces(dice: Dice, roll: int, nonce: str) -> list[int]:
    """What the dice of an opened round show; its nonce decides among the ways to make the roll."""
    return list(faces_of(dice, roll, Random(f"faces {nonce}"), MAX_SIDES))


@lru_cache(maxsize=256)
def plain_multipliers(multipliers: tuple[SupportsFloat, ...]) -> list[Number]:
    return list(map(plain, multipliers))


def game_view(state: GameState, chances: list[float] | None = None) -> Game:
    """The Game of the contract; for a duel also its invite, how it ended, and the chances to win where they are given.

    ``chances`` are of the boards that the view shows: one after each round that both have placed.
    """
    size, deal, opened = state.game.size, state.deal, state.opened
    due = len(state.slots) + 1
    is_over, board = state.is_over, state.board
    is_waiting = due <= opened and not is_over
    view = Game(
        id=state.id,
        kind=state.kind,
        dice=str(state.game.dice),
        slots=plain_multipliers(state.game.multipliers),
        coach=state.coach,
        round=size + 1 if is_over else due,
        roll=deal.rolls[due - 1] if is_waiting else None,
        faces=_faces(state.game.dice, deal.rolls[due - 1], deal.nonces[due - 1]) if is_waiting else [],
        board={str(slot): roll for roll, slot in board.placements},
        score=plain(board.score),
        finished=is_over,
        commitments=_commitments(deal),
        opened=list(map(OpenedRound, range(1, opened + 1), deal.rolls, deal.nonces)),
        opponent=_opponent(state),
        day=UNSET if state.day is None else state.day,
    )
    if state.duel is not None:
        view.invite, view.result = state.duel.invite, result_of(state)
        view.ended_by = state.duel.ended_by or ("moves" if is_over else None)
        view.rematch, view.chances = _rematch(state), chances
    if state.kind == "group":
        view.group = state.group
    return view


def _rematch(state: GameState) -> RematchInfo | None:
    following = None if state.duel is None or not state.is_over else state.duel.rematch
    own = None if following is None else following.games.get(state.player)
    if following is None or (following.is_over and own is None):
        return None
    return RematchInfo("you" if following.first == state.player else "them", following.invite, own)


def named(state: GameState, names: Names) -> GameState:
    """The game with a name for an opponent who has none; one who has left stays without."""
    opponent = state.opponent
    if opponent is None or opponent.player is None or opponent.name is not None:
        return state
    return replace(state, opponent=replace(opponent, name=names.shown(opponent.player, None)))


def game_bytes(state: GameState, chances: list[float] | None = None) -> bytes:
    return msgspec.json.encode(game_view(state, chances))


def listed_view(state: GameState) -> ListedGame:
    """The game in a list of its player's: no roll, no slot, and scores only once it is over."""
    duel, opponent, is_over = state.duel, state.opponent, state.is_over
    waits = not is_over and len(state.slots) < state.opened
    return answer_from(
        ListedGame,
        state,
        dice=str(state.game.dice),
        slots=plain_multipliers(state.game.multipliers),
        created=utc_text(state.created),
        finished=None if state.finished is None else utc_text(state.finished),
        placed=len(state.slots),
        score=plain(state.board.score) if is_over else None,
        against=None if duel is None or opponent is None else opponent.name or NOBODY,
        bot=None if duel is None else duel.bot is not None,
        opponent_score=plain(state.opponent_board.score) if is_over and opponent is not None else None,
        invite=None if duel is None else duel.invite,
        result=result_of(state),
        ended_by=None if duel is None else duel.ended_by or ("moves" if is_over else None),
        rematch=_rematch(state),
        turn=None if is_over else "you" if waits else "them",
    )


def game_record(state: GameState, name: str | None) -> Record:
    """The same game as a record, with what proves its rolls.

    Of a duel that goes on these are the rounds in which both have placed; of one that was given up all own moves, and
    the opponent's board only where it has as many: a record has the same rolls on both.
    """
    size, deal = state.game.size, state.deal
    rounds = len(state.slots) if state.is_over else state.both_placed
    is_waiting = rounds < min(size, state.opened) and not state.is_over
    tags: dict[str, Any] = {"id": state.id, "kind": state.kind, "coach": state.coach, "aim": "mean"}
    if state.day is not None:
        tags["day"] = state.day
    opponent = None
    if state.duel is not None and state.opponent is not None:
        if len(state.opponent.slots) >= rounds:
            opponent = board_of(state.game, deal, state.opponent.slots[:rounds])
        tags["against"] = state.duel.bot or state.opponent.name or NOBODY
    if state.duel is not None and (result := result_of(state)) is not None:
        tags |= {"ended_by": state.duel.ended_by, "result": result}
    if name is not None:
        tags["name"] = name
    tags |= {
        "date": utc_text(state.created if state.finished is None else state.finished),
        "commitments": deal.commitments,
        "nonces": list(deal.nonces[: size if state.is_over else rounds + is_waiting]),
    }
    roll = deal.rolls[rounds] if is_waiting else None
    return Record(board_of(state.game, deal, state.slots[:rounds]), roll, opponent, tags)


def _opponent(state: GameState) -> Opponent | None:
    opponent = state.opponent
    if opponent is None or state.duel is None:
        return None
    board = state.opponent_board
    # A bot has always chosen: from the boards before this roll, whatever the player does with it.
    has_placed = state.duel.bot is not None or len(opponent.slots) >= state.opened
    shown = {str(slot): roll for roll, slot in board.placements}
    return Opponent(opponent.name or NOBODY, shown, plain(board.score), has_placed)


def result_of(state: GameState) -> Result | None:
    """How a duel ended for its player: win, draw or loss.

    None while it goes on, for one that ended before its last move without a loser, and for any other game.
    """
    if state.duel is None or not state.is_over:
        return None
    if state.duel.loser is not None:
        return "loss" if state.duel.loser == state.seat else "win"
    if state.duel.ended_by not in (None, "moves"):
        return None
    lead = state.board.score - state.opponent_board.score
    return "win" if lead > 0 else "loss" if lead < 0 else "draw"
