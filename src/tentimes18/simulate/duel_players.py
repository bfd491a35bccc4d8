"""How strategies of a duel play many games: against each other, or beside others on the same rolls.

`hunter` and `equilibrium` are answers to one opponent. At a table with others they play their duel with one other seat,
their rival: `optimal` if it sits there, else the first who is not a player of a duel. They do not look at the rest. A
rival plays by its own board, so its slots of a game are known before theirs.
"""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.duel.best_response import nobody
from tentimes18.duel.lead_windows import DuelWindows, Standing
from tentimes18.duel.several_players import Seat, duel_seat, random_seat, rule_seat
from tentimes18.duel.slot_choice import BY_EQUILIBRIUM, BY_RESPONSE, BY_RULE, DuelPlayers, play_beside, play_duel
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.simulate.drawing import drawn_fractions, key_of
from tentimes18.simulate.players import Play, Player, Players, check_tables, player_of, random_play, units_on
from tentimes18.simulate.run import Run
from tentimes18.solve.move_arrays import moves_of
from tentimes18.solve.parallel import Progress
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES, Finder, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import ObjectiveStrategy, RandomSlot, RuleStrategy, Strategy, play_on
from tentimes18.tables import table_cache

KINDS = {"hunter": BY_RESPONSE, "equilibrium": BY_EQUILIBRIUM}
Chosen = Callable[[int, NDArray[Any]], NDArray[np.uint16]]
"""Gives the slots, from 0, [round, game], of games from a number on, given their rolls."""


class DuelPlayer:
    """Plays the two strategies of a run against each other: fills in two rows of scores."""

    def __init__(self, run: Run, players: DuelPlayers, windows: DuelWindows, nbytes: int) -> None:
        self.nbytes = nbytes
        self._players = players
        self._windows = windows
        self._key = key_of(run.seed, "mixed moves")
        self._play = self.going_on([run.board(place) for place in (0, 1)])

    def __call__(self, first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        """See `Play`."""
        self._play(first, rolls, scores)

    def going_on(self, boards: Sequence[Board], slot: int = 0) -> Play:
        """How the two go on from their boards; where a slot is given, that is the first player's first move."""
        mine, theirs = boards
        units = np.array([[units_on(board)] for board in boards], dtype=np.int32)
        at = Standing(mine.free, theirs.free, len(mine.free_slots), int(units[0, 0] - units[1, 0]))

        def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
            scores[:] = units
            chances = drawn_fractions(self._key, first, 2 * at.k, rolls.shape[1])
            play_duel(self._players, self._windows.shifts, at, slot - 1, rolls, chances, scores)

        return play


def duel_player(run: Run, progress: Progress | None = None) -> DuelPlayer:
    """Who plays the two strategies of a run against each other; made once, and kept."""
    return table_cache.get(("duel player", run), lambda: _make_player(run, progress))


def plays_duels(run: Run) -> bool:
    """Whether all of these are rules or strategies of a duel, which play it from any boards on."""
    return all(name in DUEL_STRATEGIES or isinstance(run.find(name), RuleStrategy) for name in run.strategies)


def _make_player(run: Run, progress: Progress | None) -> DuelPlayer:
    if len(run.strategies) != 2:
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels of two", field="strategies")
    game = run.game
    found = [run.find(name) if name not in DUEL_STRATEGIES else named("optimal") for name in run.strategies]
    rules = [rule for rule in found if isinstance(rule, RuleStrategy)]
    if len(rules) < 2:
        names = ", ".join((*RULES, *DUEL_STRATEGIES))
        raise Ten18Error(f"against {' and '.join(DUEL_STRATEGIES)} only these play: {names}", field="strategy")
    check_tables(run)
    slots: Any = tuple(rule_table(rule, game) for rule in rules)
    kinds: Any = tuple(KINDS.get(name, BY_RULE) for name in run.strategies)
    response = hunter(game, progress) if BY_RESPONSE in kinds else None
    table = equilibrium(game, progress) if BY_EQUILIBRIUM in kinds else None
    windows = (response or table).windows  # type: ignore[union-attr]
    hunting = response.hunter if response else nobody(windows)
    players = DuelPlayers(kinds, slots, hunting, table.table if table else hunting.table)
    # The tables count here as well: the player holds them, whether or not they are kept by themselves.
    return DuelPlayer(run, players, windows, sum(part.nbytes for part in (*slots, response, table) if part is not None))


def rivals_of(strategies: Sequence[str], there: Sequence[int]) -> dict[int, int]:
    """Of the seats that are ``there``, whom each plays against: -1 for those who look at their own board.

    Two players of a duel alone play it with each other.

    >>> rivals_of(("nearest", "hunter", "optimal"), (0, 1, 2)), rivals_of(("nearest", "hunter", "optimal"), (0, 1))
    ({0: -1, 1: 2, 2: -1}, {0: -1, 1: 0})
    """
    players = [seat for seat in there if strategies[seat] in DUEL_STRATEGIES]
    others = [seat for seat in there if seat not in players]
    if len(players) == 2 and not others:
        return dict(zip(players, reversed(players), strict=True))
    if players and not others:
        names = " and ".join(DUEL_STRATEGIES)
        raise Ten18Error(
            f"{names} play their duel with somebody else at the table, and nobody else is there", field="strategies"
        )
    rival = next((seat for seat in others if strategies[seat] == "optimal"), others[0])
    return {seat: rival if seat in players else -1 for seat in there}


def verify_players(run: Run) -> None:
    """Raise an error where a strategy of a duel has nobody to play it with."""
    if run.is_duel and len(run.strategies) == 1:
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels, not alone", field="strategies")
    rivals_of(run.strategies, range(len(run.strategies)))


def seated_players(run: Run, progress: Progress | None = None) -> Players:
    """A player for each strategy of a run at one table, those of a duel beside their rival; made once, and kept."""

    def make() -> Players:
        verify_players(run)
        check_tables(run)
        rivals = rivals_of(run.strategies, range(len(run.strategies)))
        players = [
            player_of(run.find(run.strategies[seat]), run, seat)
            if rival < 0
            else beside_player(run, seat, rival, progress)
            for seat, rival in rivals.items()
        ]
        return Players(players, [run.board(seat) for seat in rivals])

    return table_cache.get(("seated players", run), make)


def beside_player(run: Run, place: int, rival: int, progress: Progress | None = None) -> Player:
    """The player of a duel at a place of a run, who plays it against another seat, from empty boards on."""
    game, is_hunter = run.game, run.strategies[place] == "hunter"
    chosen = _chosen_by(run.find(run.strategies[rival]), run, rival)
    response = hunter(game, progress) if is_hunter else None
    table = None if is_hunter else equilibrium(game, progress)
    hunting = response.hunter if response else nobody((response or table).windows)  # type: ignore[union-attr]
    kinds = (BY_RESPONSE if is_hunter else BY_EQUILIBRIUM, BY_RULE)
    mixed = table.table if table else hunting.table
    players = DuelPlayers(kinds, (hunting.theirs, hunting.theirs), hunting, mixed)
    shifts, key = moves_of(game).shifts, key_of(run.seed, f"mixed moves {place}")

    def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        chances = drawn_fractions(key, first, *rolls.shape)
        play_beside(players, shifts, chosen(first, rolls), rolls, chances, scores)

    nbytes = sum(part.nbytes for part in (response, table) if part is not None)
    return Player(lambda _: play, nbytes)


@singledispatch
def _chosen_by(strategy: Strategy, run: Run, place: int) -> Chosen:  # noqa: ARG001
    """The slots of a strategy at its place in a run: board by board."""
    support = run.game.dice.support

    def chosen(_: int, rolls: NDArray[Any]) -> NDArray[np.uint16]:
        slots = np.empty(rolls.shape, dtype=np.uint16)
        for g, positions in enumerate(rolls.T.tolist()):
            board = play_on(Board(run.game), strategy, [support[position] for position in positions])
            slots[:, g] = [slot - 1 for _, slot in board.placements]
        return slots

    return chosen


@_chosen_by.register
def _(strategy: RuleStrategy, run: Run, place: int) -> Chosen:  # noqa: ARG001
    table, full = rule_table(strategy, run.game), run.game.all_free
    return lambda _, rolls: _by_table(table, np.arange(full + 1), None, rolls)


@_chosen_by.register
def _(strategy: ObjectiveStrategy, run: Run, place: int) -> Chosen:  # noqa: ARG001
    offsets, table = strategy.solve(run.game).slot_table()
    shifts = moves_of(run.game).shifts
    return lambda _, rolls: _by_table(table, offsets, shifts, rolls)


@_chosen_by.register
def _(strategy: RandomSlot, run: Run, place: int) -> Chosen:  # noqa: ARG001
    def chosen(first: int, rolls: NDArray[Any]) -> NDArray[np.uint16]:
        slots = np.empty(rolls.shape, dtype=np.uint16)
        play = random_play(run.seed, place, Board(run.game), slots)
        play(first, rolls, np.zeros(rolls.shape[1], dtype=np.int32))
        return slots

    return chosen


def _by_table(
    table: NDArray[Any], offsets: NDArray[Any], shifts: NDArray[Any] | None, rolls: NDArray[Any]
) -> NDArray[np.uint16]:
    """The slots table[offsets[A] + points, x], the points being counted only where there are shifts."""
    rounds, games = rolls.shape
    slots = np.empty((rounds, games), dtype=np.uint16)
    sets, points = np.full(games, (1 << rounds) - 1), np.zeros(games, dtype=np.int64)
    for row, out in zip(rolls, slots, strict=True):
        taken = table[offsets[sets] + points, row].astype(np.int64)
        if shifts is not None:
            points += shifts[taken, row]
        sets ^= 1 << taken
        out[:] = taken
    return slots


def has_seat(name: str, find: Finder = named) -> bool:
    """Whether the moves of a strategy are known well enough to follow them exactly."""
    return name in DUEL_STRATEGIES or isinstance(find(name), RuleStrategy | ObjectiveStrategy | RandomSlot)


def seat_of(name: str, game: Game, find: Finder = named, progress: Progress | None = None) -> Seat:
    """A strategy at a table, by name; its tables are made once, and kept."""
    if name in DUEL_STRATEGIES:
        return duel_seat((hunter if name == "hunter" else equilibrium)(game, progress))
    strategy = find(name)
    if isinstance(strategy, ObjectiveStrategy):
        offsets, slots = strategy.solve(game, progress).slot_table()
        return Seat(slots.astype(np.int8), offsets, looks=True)
    if isinstance(strategy, RuleStrategy):
        return rule_seat(rule_table(strategy, game, progress))
    return random_seat(game)
