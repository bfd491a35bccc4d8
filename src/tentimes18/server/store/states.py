"""Games as the store holds them: all that is known of one, secrets included. What a player may see is for `views`.

In a duel a roll is open when both have placed the one before it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select

from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import NONCE_BYTES, Deal
from tentimes18.server.store.schema import deals, duels, games, moves, players

__all__ = [
    "NOBODY_YET",
    "DuelState",
    "GameState",
    "OpponentState",
    "board_of",
    "load_state",
    "load_states",
    "pack_deal",
    "read_kept_game",
    "unpack_deal",
]

HEX: Final = 2 * NONCE_BYTES
NOBODY_YET: Final = -1  # seen where the second player had not come


@dataclass(frozen=True, slots=True)
class DuelState:
    """What both games of a duel share."""

    number: int
    invite: str | None
    bot: str | None
    seed: str = field(repr=False)
    ended_by: str | None = None
    loser: int | None = None
    created: int = 0
    changed: int = 0
    """By the last move, or when the second player came."""


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
    kind: str
    coach: str
    game: Game
    deal: Deal
    deal_number: int
    day: str | None
    created: int
    finished: int | None = None
    seat: int = 0
    is_rated: bool = False
    slots: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    duel: DuelState | None = None
    opponent: OpponentState | None = None

    @property
    def is_over(self) -> bool:
        """Whether no move is left to make: the boards are full, or the duel was given up."""
        if self.duel is not None and self.duel.ended_by is not None:
            return True
        return self.both_placed == self.game.size

    @property
    def both_placed(self) -> int:
        """The rounds in which all have placed."""
        if self.duel is None:
            return len(self.slots)
        return 0 if self.opponent is None else min(len(self.slots), len(self.opponent.slots))

    @property
    def opened(self) -> int:
        """The rounds whose roll may be seen."""
        size = self.game.size
        return size if self.is_over else min(size, self.both_placed + 1)

    @property
    def board(self) -> Board:
        """The player's board."""
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
        duel = self.duel and replace(self.duel, ended_by=None, loser=None)
        return replace(self, slots=self.slots[:round_], seen=self.seen[:round_], opponent=opponent, duel=duel)


def board_of(game: Game, deal: Deal, slots: Sequence[int]) -> Board:
    """The board with the first rolls in these slots; they were checked when they were placed."""
    return Board(game, tuple(map(Placement, deal.rolls, slots)))


def pack_deal(game: Game, deal: Deal) -> dict[str, Any]:
    """The columns of a deal."""
    return {
        "dice": str(game.dice),
        "slots": game.slots,
        "rolls": ",".join(map(str, deal.rolls)),
        "nonces": bytes.fromhex("".join(deal.nonces)),
    }


def unpack_deal(rolls: str, nonces: bytes) -> Deal:
    """The deal of these columns.

    >>> game = Game.parse("1d6", "1,2")
    >>> deal = Deal((5, 6), ("00" * 32, "ff" * 32))
    >>> columns = pack_deal(game, deal)
    >>> unpack_deal(columns["rolls"], columns["nonces"]) == deal
    True
    """
    digits = nonces.hex()
    return Deal(
        tuple(map(int, rolls.split(","))), tuple(digits[place : place + HEX] for place in range(0, len(digits), HEX))
    )


@lru_cache(maxsize=256)
def read_kept_game(dice: str, slots: str) -> Game:
    """A game by its notation, which was checked when it was written."""
    return Game.parse(dice, slots)


_GAMES: Final = (
    select(
        games.c.number,
        games.c.id,
        games.c.player,
        games.c.kind,
        games.c.coach,
        games.c.duel,
        games.c.seat,
        games.c.is_rated,
        games.c.created,
        games.c.finished,
        deals.c.number.label("deal_number"),
        deals.c.day,
        deals.c.dice,
        deals.c.slots,
        deals.c.rolls,
        deals.c.nonces,
    )
    .join_from(games, deals)
    .where(games.c.id.in_(bindparam("ids", expanding=True)))
)
# In one order, so that nobody waits in a circle: games of one player by id, then duels, whose lock is for both games.
_LOCKED: Final = _GAMES.where(games.c.duel.is_(None)).order_by(games.c.id).with_for_update(of=games)
_WHICH_DUELS: Final = select(games.c.duel).where(
    games.c.id.in_(bindparam("ids", expanding=True)), games.c.duel.is_not(None)
)
_MOVES: Final = (
    select(moves.c.game, moves.c.slot, moves.c.seen)
    .where(moves.c.game.in_(bindparam("numbers", expanding=True)))
    .order_by(moves.c.game, moves.c.round)
)
_DUELS: Final = (
    select(
        duels.c.number,
        duels.c.invite,
        duels.c.bot,
        duels.c.seed,
        duels.c.ended_by,
        duels.c.loser,
        duels.c.created,
        duels.c.changed,
    )
    .where(duels.c.number.in_(bindparam("numbers", expanding=True)))
    .order_by(duels.c.number)
)
_LOCKED_DUELS: Final = _DUELS.with_for_update()
_SEATS: Final = (
    select(games.c.number, games.c.id, games.c.player, games.c.duel, games.c.seat, players.c.name)
    .outerjoin_from(games, players)
    .where(games.c.duel.in_(bindparam("numbers", expanding=True)))
)


def load_state(connection: Connection, id_: str) -> GameState | None:
    """The game of this id."""
    return load_states(connection, [id_]).get(id_)


def load_states(connection: Connection, ids: Iterable[str], *, to_change: bool = False) -> dict[str, GameState]:
    """The games of these ids, by id; ``to_change``: nobody else changes them until this transaction ends."""
    wanted = sorted(set(ids))
    found = _lock_games(connection, wanted) if to_change else connection.execute(_GAMES, {"ids": wanted}).all()
    if not found:
        return {}
    by_duel = _load_duels(connection, {row.duel for row in found if row.duel is not None})
    numbers = {row.number for row in found} | {seat.number for _, seats in by_duel.values() for seat in seats}
    made: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, slot, seen in connection.execute(_MOVES, {"numbers": sorted(numbers)}):
        made[number].append((slot, seen))
    return {row.id: _state(row, made, by_duel) for row in found}


def _lock_games(connection: Connection, ids: Sequence[str]) -> Sequence[Any]:
    found = connection.execute(_LOCKED, {"ids": ids}).all()
    if len(found) == len(ids):
        return found
    others = sorted(set(ids).difference(row.id for row in found))
    numbers = connection.execute(_WHICH_DUELS, {"ids": others}).scalars().all()
    if not numbers:
        return found
    connection.execute(_LOCKED_DUELS, {"numbers": sorted(set(numbers))}).all()
    return [*found, *connection.execute(_GAMES, {"ids": others})]


_Seats = Mapping[int, tuple[DuelState, Sequence[Any]]]


def _load_duels(connection: Connection, numbers: set[int]) -> _Seats:
    if not numbers:
        return {}
    seats: dict[int, list[Any]] = defaultdict(list)
    found = connection.execute(_DUELS, {"numbers": sorted(numbers)}).all()
    for seat in connection.execute(_SEATS, {"numbers": sorted(numbers)}):
        seats[seat.duel].append(seat)
    return {row.number: (DuelState(*row), seats[row.number]) for row in found}


def _state(row: Any, made: Mapping[int, Sequence[tuple[int, int]]], by_duel: _Seats) -> GameState:
    mine = made.get(row.number, ())
    duel, opponent = None, None
    if row.duel is not None:
        duel, seats = by_duel[row.duel]
        for seat in seats:
            if seat.number != row.number:
                slots = tuple(slot for slot, _ in made.get(seat.number, ()))
                opponent = OpponentState(seat.number, seat.id, seat.player, duel.bot or seat.name, slots)
    return GameState(
        number=row.number,
        id=row.id,
        player=row.player,
        kind=row.kind,
        coach=row.coach,
        game=read_kept_game(row.dice, row.slots),
        deal=unpack_deal(row.rolls, row.nonces),
        deal_number=row.deal_number,
        day=row.day,
        created=row.created,
        finished=row.finished,
        seat=row.seat,
        is_rated=row.is_rated,
        slots=tuple(slot for slot, _ in mine),
        seen=tuple(seen for _, seen in mine),
        duel=duel,
        opponent=opponent,
    )
