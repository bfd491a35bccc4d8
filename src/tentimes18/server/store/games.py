"""Games begun and moves made: the changes that the writer makes, many at once.

A move is a key (game, round). The same move again changes nothing and gets the answer that it got; another slot for
that round is refused, and so is a round that is not due. A bot's move is made with the player's: who asks without it
is told the game as it stands, has the bot choose from that, and asks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from sqlalchemy import bindparam, insert, update

from tentimes18.errors import IllegalMove
from tentimes18.game import Game
from tentimes18.play.fairness import Deal
from tentimes18.server.store.abandonment import ending_by_time
from tentimes18.server.store.database import insert_new, insert_plain
from tentimes18.server.store.schema import deals, duels, games, moves, players
from tentimes18.server.store.states import NOBODY_YET, GameState, board_of, pack_deal
from tentimes18.server.store.writer import Commit

__all__ = [
    "FINISH",
    "MoveToMake",
    "NeedsBot",
    "NewGame",
    "NotDue",
    "NotFound",
    "finished_rows",
    "make_moves",
    "player_row",
    "start_games",
]


class NotFound(Exception):
    """There is no such thing, or it is somebody else's."""


class NotDue(Exception):
    """A move that another one has forestalled, or that comes too early; says what is due."""


class NeedsBot(Exception):
    """A move that can be made, once the bot has chosen for the same roll; ``state`` is the game before it."""

    def __init__(self, state: GameState) -> None:
        super().__init__("the bot has not chosen yet")
        self.state = state


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game of one player that is to be begun."""

    id: str
    player: str
    game: Game
    deal: Deal
    coach: Literal["off", "warn", "full"]
    is_rated: bool
    created: int


@dataclass(frozen=True, slots=True)
class MoveToMake:
    """A roll that is to be placed; ``bot_slot``: where a bot places the same one."""

    game: str
    player: str
    round: int
    slot: int
    made: int
    bot_slot: int | None = None


_DEAL: Final = insert(deals).returning(deals.c.number, sort_by_parameter_order=True)
_START: Final = insert(games).returning(games.c.number, sort_by_parameter_order=True)


def start_games(commit: Commit, requests: Sequence[NewGame]) -> Sequence[GameState]:
    """Begin games, and put their players down where these are new."""
    connection = commit.connection
    insert_new(
        connection, players, list({new.player: player_row(new.player, new.created) for new in requests}.values())
    )
    rows = [{**pack_deal(new.game, new.deal), "day": None, "created": new.created} for new in requests]
    dealt = connection.execute(_DEAL, rows).scalars().all()
    started = [_row(new, deal) for new, deal in zip(requests, dealt, strict=True)]
    numbers = connection.execute(_START, started).scalars().all()
    states = [
        GameState(
            number=number,
            id=new.id,
            player=new.player,
            kind="solo",
            coach=new.coach,
            game=new.game,
            deal=new.deal,
            deal_number=deal,
            day=None,
            created=new.created,
            is_rated=new.is_rated,
        )
        for new, deal, number in zip(requests, dealt, numbers, strict=True)
    ]
    for state in states:
        commit.known.remember(state)
    return states


def player_row(player: str, now: int) -> dict[str, Any]:
    """The columns of a player without a name."""
    return {"id": player, "name": None, "created": now}


def _row(new: NewGame, deal: int) -> dict[str, Any]:
    return {
        "id": new.id,
        "player": new.player,
        "deal": deal,
        "kind": "solo",
        "coach": new.coach,
        "duel": None,
        "seat": 0,
        "is_rated": new.is_rated,
        "created": new.created,
    }


FINISH: Final = (
    update(games)
    .where(games.c.number == bindparam("of_game"))
    .values(finished=bindparam("at"), score=bindparam("points"))
)
_CHANGE_DUEL: Final = (
    update(duels)
    .where(duels.c.number == bindparam("of_duel"))
    .values(changed=bindparam("at"), ended_by=bindparam("by"))
)


def make_moves(commit: Commit, requests: Sequence[MoveToMake]) -> Sequence[GameState | Exception]:
    """Place rolls; each request gets the game as it stands after its move, or why that cannot be made."""
    states = commit.known.load(commit.connection, (move.game for move in requests))
    made: list[dict[str, Any]] = []
    finished: list[dict[str, Any]] = []
    changed: dict[int, dict[str, Any]] = {}
    answers: list[GameState | Exception] = []
    for move in requests:
        try:
            state = _find(states, move)
            if move.round <= len(state.slots):
                answers.append(_again(state, move))
                continue
            state = _moved(state, move, made)
        except (IllegalMove, NeedsBot, NotDue, NotFound) as error:
            answers.append(error)
            continue
        _remember(states, state)
        commit.known.remember(state)
        answers.append(state)
        commit.changed.append(state.id)
        if state.opponent is not None:
            commit.changed.append(state.opponent.id)
        if state.is_over:
            finished += finished_rows(state, move.made)
        if state.duel is not None:
            by = "moves" if state.is_over else None
            changed[state.duel.number] = {"of_duel": state.duel.number, "at": move.made, "by": by}
    if made:
        insert_plain(commit.connection, moves, made)
    if finished:
        commit.connection.execute(FINISH, finished)
    if changed:
        commit.connection.execute(_CHANGE_DUEL, [changed[number] for number in sorted(changed)])
    return answers


def _find(states: dict[str, GameState], move: MoveToMake) -> GameState:
    state = states.get(move.game)
    if state is None or state.player != move.player:
        raise NotFound("there is no such game of yours")
    return state


def _again(state: GameState, move: MoveToMake) -> GameState:
    """The answer to a move that was made before."""
    if (standing := state.slots[move.round - 1]) != move.slot:
        raise NotDue(f"round {move.round} was played: its roll is in slot {standing}")
    return state.after(move.round)


def _moved(state: GameState, move: MoveToMake, made: list[dict[str, Any]]) -> GameState:
    due = len(state.slots) + 1
    if state.is_over or ending_by_time(state, move.made):
        raise NotDue("the game is over")
    if move.round != due:
        raise NotDue(f"round {due} is the one to play")
    if due > state.opened:
        raise NotDue(f"round {due} opens when the opponent has placed the roll of round {due - 1}")
    state.board.verify(move.slot)
    opponent = state.opponent
    if state.duel is not None and state.duel.bot is not None and opponent is not None:
        if move.bot_slot is None:
            raise NeedsBot(state)
        board_of(state.game, state.deal, opponent.slots).verify(move.bot_slot)
        made.append(_move_row(opponent.number, due, move.bot_slot, len(state.slots), move.made))
        opponent = replace(opponent, slots=(*opponent.slots, move.bot_slot))
    seen = len(opponent.slots) if opponent is not None else 0 if state.duel is None else NOBODY_YET
    made.append(_move_row(state.number, due, move.slot, seen, move.made))
    state = replace(state, slots=(*state.slots, move.slot), seen=(*state.seen, seen), opponent=opponent)
    return replace(state, finished=move.made) if state.is_over else state


def _move_row(game: int, round_: int, slot: int, seen: int, made: int) -> dict[str, Any]:
    return {"game": game, "round": round_, "slot": slot, "seen": seen, "made": made}


def _remember(states: dict[str, GameState], state: GameState) -> None:
    """For the next move of the same commit, on either side of a duel."""
    states[state.id] = state
    opponent = state.opponent
    if opponent is not None and opponent.id in states:
        theirs = states[opponent.id]
        mine = theirs.opponent and replace(theirs.opponent, slots=state.slots)
        states[opponent.id] = replace(theirs, slots=opponent.slots, opponent=mine, finished=state.finished)


def finished_rows(state: GameState, now: int) -> list[dict[str, Any]]:
    """What `FINISH` writes of a game that is over, and of the opponent's."""
    rows = [{"of_game": state.number, "at": now, "points": float(state.board.score)}]
    if state.opponent is not None:
        rows.append({"of_game": state.opponent.number, "at": now, "points": float(state.opponent_board.score)})
    return rows
