"""Games: what the store holds of one, secrets included, and the changes that begin games and make moves.

What a player may see of a game is decided by `views`. In a duel a roll is open when both have placed the one before it.

A move is a key (game, round). The same move again changes nothing and gets the same answer; another slot for that round
is rejected, and so is a round that is not due. A bot chooses when the player has placed, from the boards before that,
and both moves are stored together.

A player who owes a move of a duel for 72 hours loses. The clock starts when the roll of a round opens, and again when
the other has placed it. If neither has, nobody wins; nor if the friend does not join within seven days. A bot owes
nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from sqlalchemy import BindParameter, Connection, Select, bindparam, insert, select, update

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import NONCE_BYTES, Deal, draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.store.database import insert_new, insert_plain
from tentimes18.server.store.schema import deals, duels, games, groups, moves, players, rematches
from tentimes18.server.store.writer import Commit

GameKind: TypeAlias = Literal["solo", "daily", "duel", "group"]
Coach: TypeAlias = Literal["off", "warn", "full"]
Ending: TypeAlias = Literal["moves", "time", "leave", "resign"]

HEX = 2 * NONCE_BYTES
NOBODY_YET = -1  # seen where the second player had not come
HOUR_MS = 3_600_000
MOVING_MS = 72 * HOUR_MS
COMING_MS = 7 * 24 * HOUR_MS


class SlotNeeded(Exception):
    """The bot of a duel chooses elsewhere: nothing was stored; ``state`` is the game before its move."""

    def __init__(self, state: "GameState") -> None:
        super().__init__()
        self.state = state


class Rematch(NamedTuple):
    """The duel that follows one: the games of its seats by player, None for a bot, and the invite for the second."""

    invite: str | None
    first: str | None
    """The player who started it."""
    games: Mapping[str | None, str]
    is_over: bool


@dataclass(frozen=True, slots=True)
class DuelState:
    """What both games of a duel share."""

    number: int
    invite: str | None
    bot: str | None
    seed: str = field(repr=False)
    ended_by: Ending | None = None
    loser: int | None = None
    created: int = 0
    changed: int = 0
    """The time of the last move, or when the second player joined."""
    rematch: Rematch | None = None
    """For a duel that ended."""


@dataclass(frozen=True, slots=True)
class OpponentState:
    """The other seat of a duel; ``slots`` by round, those of moves that are not open included."""

    number: int
    id: str
    player: str | None
    name: str | None
    slots: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class GameState:
    """A player's game; ``slots`` and ``seen`` by round: where the roll went, and how far the opponent was then."""

    number: int
    id: str
    player: str | None
    kind: GameKind
    coach: Coach
    deal_number: int
    created: int
    seat: int
    is_rated: bool
    loss: float | None
    choices: int | None
    """What its moves lost, and how many were a choice, once that is measured."""
    day: str | None
    game: Game
    deal: Deal
    finished: int | None = None
    slots: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    duel: DuelState | None = None
    opponent: OpponentState | None = None
    group: str | None = None
    """The code of its group."""
    is_started: bool = True
    """False in a group whose host has not started the game: no roll is open."""

    @property
    def is_over(self) -> bool:
        """Whether no move is left to make: the boards are full, or the duel was given up."""
        if self.duel is not None and self.duel.ended_by is not None:
            return True
        return self.both_placed == self.game.size

    @property
    def both_placed(self) -> int:
        if self.duel is None:
            return len(self.slots)
        return 0 if self.opponent is None else min(len(self.slots), len(self.opponent.slots))

    @property
    def opened(self) -> int:
        """The rounds whose roll may be seen."""
        size = self.game.size
        if not self.is_started:
            return 0
        return size if self.is_over else min(size, self.both_placed + 1)

    @property
    def board(self) -> Board:
        return board_of(self.game, self.deal, self.slots)

    @property
    def opponent_board(self) -> Board:
        """The opponent's board as far as it is open; after a duel that was given up, all of it."""
        slots = () if self.opponent is None else self.opponent.slots
        return board_of(self.game, self.deal, slots if self.is_over else slots[: self.both_placed])

    def after(self, round_: int) -> "GameState":
        """The game as it was when the move of this round had been made."""
        opponent, seen = self.opponent, self.seen[round_ - 1]
        if opponent is not None:
            opponent = None if seen == NOBODY_YET else replace(opponent, slots=opponent.slots[:seen])
        duel = self.duel and replace(self.duel, ended_by=None, loser=None, rematch=None)
        return replace(self, slots=self.slots[:round_], seen=self.seen[:round_], opponent=opponent, duel=duel)


def is_out_of_time(state: GameState, now: int) -> bool:
    """Whether a duel ends because of the time that it is now."""
    duel = state.duel
    if duel is None or state.is_over:
        return False
    return now >= (duel.created + COMING_MS if state.opponent is None else duel.changed + MOVING_MS)


def loser_by_time(state: GameState) -> int | None:
    """The seat that owes a move alone in a duel that goes on."""
    duel, opponent = state.duel, state.opponent
    if duel is None or opponent is None:
        return None
    if duel.bot is not None:
        return state.seat
    mine, theirs = len(state.slots), len(opponent.slots)
    return None if mine == theirs else state.seat if mine < theirs else 1 - state.seat


def board_of(game: Game, deal: Deal, slots: Sequence[int]) -> Board:
    """The board with the first rolls in these slots; they were checked when they were placed."""
    return Board(game, tuple(map(Placement, deal.rolls, slots)))


def pack_deal(game: Game, deal: Deal) -> dict[str, Any]:
    return {
        "dice": str(game.dice),
        "slots": game.slots,
        "rolls": ",".join(map(str, deal.rolls)),
        "nonces": bytes.fromhex("".join(deal.nonces)),
    }


@lru_cache(maxsize=4096)
def unpack_deal(rolls: str, nonces: bytes) -> Deal:
    digits = nonces.hex()
    return Deal(
        tuple(map(int, rolls.split(","))), tuple(digits[place : place + HEX] for place in range(0, len(digits), HEX))
    )


@lru_cache(maxsize=256)
def read_kept_game(dice: str, slots: str) -> Game:
    """A game by its notation, which was checked when it was written."""
    return Game.parse(dice, slots)


_OF_GAME = ("number", "id", "player", "kind", "coach", "deal", "created", "seat", "is_rated", "loss", "choices")
GAMES = select(  # first what a `GameState` begins with
    *(games.c[name] for name in _OF_GAME),
    *(deals.c[name] for name in ("day", "dice", "slots", "rolls", "nonces")),
    *(games.c[name] for name in ("finished", "score", "duel")),
).join_from(games, deals)
"""What `select_states` reads; with conditions."""
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
NUMBERS: BindParameter[Any] = bindparam("numbers", expanding=True)
"""The parameter of a statement that `rows_by` runs."""
_GAMES = GAMES.where(games.c.id.in_(_IDS))
# In the same order everywhere, against deadlocks: games of one player by id, then duels, whose lock is for both games.
_LOCKED = _GAMES.where(games.c.duel.is_(None)).order_by(games.c.id).with_for_update(of=games)
_DUELS_OF = select(games.c.duel).where(games.c.id.in_(_IDS), games.c.duel.is_not(None))
_MOVES = select(moves.c.game, moves.c.slot, moves.c.seen).where(moves.c.game.in_(NUMBERS))
_MOVES = _MOVES.order_by(moves.c.game, moves.c.round)
_DUELS = select(*(duels.c[name] for name in DuelState.__slots__ if name != "rematch"))
_DUELS = _DUELS.where(duels.c.number.in_(NUMBERS)).order_by(duels.c.number)
_LOCKED_DUELS = _DUELS.with_for_update()
_SEATS = (
    select(games.c.duel, games.c.number, games.c.id, games.c.player, players.c.name)
    .outerjoin_from(games, players)
    .where(games.c.duel.in_(NUMBERS))
)
_REMATCHES = (
    select(rematches.c.duel, duels.c.invite, duels.c.ended_by, games.c.player, games.c.id)
    .join_from(rematches, duels, duels.c.number == rematches.c.next)
    .join(games, games.c.duel == duels.c.number)
    .where(rematches.c.duel.in_(NUMBERS))
    .order_by(games.c.seat)
)
_GROUPS = select(groups.c.deal, groups.c.code, groups.c.started).where(groups.c.deal.in_(NUMBERS))


def load_state(connection: Connection, id_: str) -> GameState | None:
    return load_states(connection, [id_]).get(id_)


def load_states(connection: Connection, ids: Iterable[str], *, to_change: bool = False) -> dict[str, GameState]:
    """The games of these ids, by id; ``to_change``: nobody else changes them until this transaction ends."""
    ordered = sorted(set(ids))
    rows = _lock_games(connection, ordered) if to_change else connection.execute(_GAMES, {"ids": ordered}).all()
    return {state.id: state for state in _states(connection, rows)}


def select_states(connection: Connection, statement: Select[Any]) -> list[GameState]:
    """The games that `GAMES` with some conditions selects, in its order."""
    return _states(connection, connection.execute(statement).all())


def _states(connection: Connection, rows: Sequence[Any]) -> list[GameState]:
    of_duels = {row.duel for row in rows if row.duel is not None}
    shared = rows_by(connection, _DUELS, of_duels)
    ended = [number for number, (row,) in shared.items() if row.ended_by is not None]
    rematch_of = {number: _rematch(seats) for number, seats in rows_by(connection, _REMATCHES, ended).items()}
    by_duel = {
        number: DuelState(*row, rematch=rematch_of.get(number))  # type: ignore[misc]
        for number, (row,) in shared.items()
    }
    seats = rows_by(connection, _SEATS, of_duels)
    numbers = {row.number for row in rows} | {seat.number for pair in seats.values() for seat in pair}
    made = rows_by(connection, _MOVES, numbers)
    by_deal = rows_by(connection, _GROUPS, {row.deal for row in rows if row.kind == "group"})
    states = []
    for row in rows:
        duel, opponent = by_duel.get(row.duel), None
        for seat in seats.get(row.duel, ()):
            if duel is not None and seat.number != row.number:
                slots = tuple(slot for _, slot, _ in made.get(seat.number, ()))
                opponent = OpponentState(seat.number, seat.id, seat.player, duel.bot or seat.name, slots)
        (group,) = by_deal.get(row.deal, (None,))
        state = GameState(  # type: ignore[misc]
            *row[: len(_OF_GAME) + 1],
            game=read_kept_game(row.dice, row.slots),
            deal=unpack_deal(row.rolls, row.nonces),
            finished=None if row.score is None else row.finished,
            slots=tuple(slot for _, slot, _ in made.get(row.number, ())),
            seen=tuple(seen for _, _, seen in made.get(row.number, ())),
            duel=duel,
            opponent=opponent,
            group=None if group is None else group.code,
            is_started=group is None or group.started,
        )
        states.append(state)
    return states


def rows_by(connection: Connection, statement: Select[Any], numbers: Collection[int]) -> dict[int, list[Any]]:
    """The rows that a statement finds for these numbers, by their first column."""
    found: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(statement, {"numbers": sorted(numbers)}).all() if numbers else ():
        found[row[0]].append(row)
    return found


def _rematch(seats: Sequence[Any]) -> Rematch:
    first = seats[0]
    return Rematch(first.invite, first.player, {seat.player: seat.id for seat in seats}, first.ended_by is not None)


def _lock_games(connection: Connection, ids: Sequence[str]) -> Sequence[Any]:
    rows = connection.execute(_LOCKED, {"ids": ids}).all()
    if len(rows) == len(ids):
        return rows
    others = sorted(set(ids).difference(row.id for row in rows))
    numbers = connection.execute(_DUELS_OF, {"ids": others}).scalars().all()
    if not numbers:
        return rows
    connection.execute(_LOCKED_DUELS, {"numbers": sorted(set(numbers))}).all()
    return [*rows, *connection.execute(_GAMES, {"ids": others})]


class NewGame(NamedTuple):
    player: str
    game: Game
    coach: Coach
    is_rated: bool
    created: int


class MoveToMake(NamedTuple):
    """A roll to place; ``choose`` says where the bot of a duel places the same roll, given the game before it."""

    game: str
    player: str
    round: int
    slot: int
    made: int
    choose: "Callable[[GameState], int] | None" = None


def keep_players(connection: Connection, since: Mapping[str, int]) -> None:
    """Store players who are new, each with the time of the first request; in one order, against deadlocks."""
    rows = [{"id": player, "name": None, "created": since[player]} for player in sorted(since)]
    insert_new(connection, players, rows)


def lock_players(connection: Connection, of_players: Iterable[str]) -> None:
    """Let nobody else do the same for these players until this transaction ends."""
    rows = select(players.c.id).where(players.c.id.in_(sorted(of_players))).order_by(players.c.id)
    connection.execute(rows.with_for_update(key_share=True))  # other games of these players may begin meanwhile


def draw_deals(connection: Connection, games_at: Iterable[tuple[Game, int]]) -> Sequence[int]:
    """Draw and store deals of these games, each with its time; returns their numbers."""
    rows = [{**pack_deal(game, draw_deal(game)), "day": None, "created": created} for game, created in games_at]
    inserted = insert(deals).returning(deals.c.number, sort_by_parameter_order=True)
    return connection.execute(inserted, rows).scalars().all()


def game_row(id_: str, player: str | None, deal: int, created: int, **columns: Any) -> dict[str, Any]:
    """The columns of a new game: a solo game without a coach that does not count, unless others are given."""
    row = {"id": id_, "player": player, "deal": deal, "kind": "solo", "coach": "off", "duel": None, "seat": 0}
    return row | {"is_rated": False, "created": created} | columns


def begin_game(connection: Connection, player: str, deal: int, now: int, **columns: Any) -> GameState:
    keep_players(connection, {player: now})
    row = game_row(new_id(), player, deal, now, **columns)
    connection.execute(insert(games), [row])
    return load_states(connection, [row["id"]])[row["id"]]


def start_games(commit: Commit, requests: Sequence[NewGame]) -> Sequence[GameState]:
    connection = commit.connection
    keep_players(connection, {new.player: new.created for new in requests})
    numbers = draw_deals(connection, [(new.game, new.created) for new in requests])
    rows = [
        game_row(new_id(), new.player, deal, new.created, coach=new.coach, is_rated=new.is_rated)
        for new, deal in zip(requests, numbers, strict=True)
    ]
    connection.execute(insert(games), rows)
    states = load_states(connection, [row["id"] for row in rows])
    return [states[row["id"]] for row in rows]


FINISH = update(games).where(games.c.number == bindparam("of_game"))
FINISH = FINISH.values(finished=bindparam("at"), score=bindparam("points"))
_CHANGE_DUEL = update(duels).where(duels.c.number == bindparam("of_duel"))
_CHANGE_DUEL = _CHANGE_DUEL.values(changed=bindparam("at"), ended_by=bindparam("by"))


def make_moves(commit: Commit, requests: Sequence[MoveToMake]) -> Sequence[GameState | Exception]:
    """Place rolls; each request gets the game after its move, or why that cannot be made."""
    states = load_states(commit.connection, (move.game for move in requests), to_change=True)
    made: list[Sequence[int]] = []
    finished: list[dict[str, Any]] = []
    changed: dict[int, dict[str, Any]] = {}
    answers: list[GameState | Exception] = []
    for move in requests:
        try:
            state = states.get(move.game)
            if state is None or state.player != move.player:
                raise NotFound
            if move.round <= len(state.slots):
                if (slot := state.slots[move.round - 1]) != move.slot:
                    raise _not_due(f"round {move.round} was played: its roll is in slot {slot}")
                answers.append(state.after(move.round))
                continue
            state = _moved(state, move, made)
        except (Ten18Error, Problem, SlotNeeded) as error:
            answers.append(error)
            continue
        _remember(states, state)
        answers.append(state)
        commit.changed.append(state.id)
        if state.opponent is not None:
            commit.changed.append(state.opponent.id)
        if state.group is not None and state.is_over:
            commit.changed.append(state.group)
        if state.is_over:
            finished += finished_rows(state, move.made)
        if state.duel is not None:
            by = "moves" if state.is_over else None
            changed[state.duel.number] = {"of_duel": state.duel.number, "at": move.made, "by": by}
    if made:
        insert_plain(commit.connection, moves, [dict(zip(moves.c.keys(), row, strict=True)) for row in made])
    if finished:
        commit.connection.execute(FINISH, finished)
    if changed:
        commit.connection.execute(_CHANGE_DUEL, [changed[number] for number in sorted(changed)])
    return answers


def _not_due(detail: str) -> Problem:
    """Another move came first, or this one comes too early."""
    return Problem("conflict", detail, "round")


def _moved(state: GameState, move: MoveToMake, made: list[Sequence[int]]) -> GameState:
    """The game after a move; the rows of the moves are added to those that were made."""
    due = len(state.slots) + 1
    if state.is_over or is_out_of_time(state, move.made):
        raise _not_due("the game is over")
    if move.round != due:
        raise _not_due(f"the next round to play is {due}")
    if not state.is_started:
        raise _not_due("the host of the group has not started the game")
    if due > state.opened:
        raise _not_due(f"round {due} opens when the opponent has placed the roll of round {due - 1}")
    state.board.verify(move.slot)
    opponent = state.opponent
    if state.duel is not None and state.duel.bot is not None and opponent is not None:
        assert move.choose is not None
        bot_slot = move.choose(state)
        board_of(state.game, state.deal, opponent.slots).verify(bot_slot)
        made.append((opponent.number, due, bot_slot, len(state.slots), move.made))
        opponent = replace(opponent, slots=(*opponent.slots, bot_slot))
    seen = len(opponent.slots) if opponent is not None else 0 if state.duel is None else NOBODY_YET
    made.append((state.number, due, move.slot, seen, move.made))
    state = replace(state, slots=(*state.slots, move.slot), seen=(*state.seen, seen), opponent=opponent)
    return replace(state, finished=move.made) if state.is_over else state


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
