"""How the strategies of a duel play many games: against each other, or beside others on the same rolls.

`hunter` and `equilibrium` respond to one opponent. At a table with others they play their duel with one other seat,
their rival: `optimal` if it sits there, else the first strategy that plays no duels. They ignore the other seats. A
rival plays by its own board, so its slots of a game are known before theirs.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Slots
from tentimes18.duel.best_response import no_hunter
from tentimes18.duel.lead_windows import Standing
from tentimes18.duel.several_players import MAX_PLAYERS, Seat, duel_seat, rule_seat
from tentimes18.duel.slot_choice import ANY, HUNTER, MIXED, DuelPlayers, play_duel
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.simulate import players
from tentimes18.simulate.drawing import drawn_fractions, key_of
from tentimes18.simulate.run import Run
from tentimes18.solve.move_arrays import moves_of, same_everywhere
from tentimes18.solve.parallel import Progress
from tentimes18.strategies.named import DUEL_STRATEGIES, RULES, Finder, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import RandomSlot, RuleStrategy
from tentimes18.tables import table_cache

NO_SLOTS = np.empty((0, 0), dtype=np.uint16)
NUMBERS = {"hunter": HUNTER, "equilibrium": MIXED}


class DuelPlayer:
    """Plays the two strategies of a run against each other: sets two rows of scores."""

    def __init__(self, run: Run, progress: Progress | None) -> None:
        if len(run.strategies) != 2:
            raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels of two", field="strategies")
        game = run.game
        strategies = [named("optimal") if name in DUEL_STRATEGIES else run.find(name) for name in run.strategies]
        rules = [rule for rule in strategies if isinstance(rule, RuleStrategy)]
        if len(rules) < 2:
            names = ", ".join((*RULES, *DUEL_STRATEGIES))
            raise Ten18Error(f"against {' and '.join(DUEL_STRATEGIES)} only these play: {names}", field="strategy")
        players.check_tables(run)
        mine, theirs = (
            same_everywhere(game, NUMBERS[name]) if name in NUMBERS else rule_table(rule, game)
            for name, rule in zip(run.strategies, rules, strict=True)
        )
        self._players, self.nbytes = _duel_players(game, (mine, theirs), progress)
        self._shifts = moves_of(game).shifts
        self._key = key_of(run.seed, "mixed moves")
        self._play = self.going_on([run.board(place) for place in (0, 1)])

    def __call__(self, first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        self._play(first, rolls, scores)

    def going_on(self, boards: Sequence[Board], slot: int = 0) -> players.Play:
        """Play on from these boards; the first player's first move is ``slot``, if that is not 0."""
        mine, theirs = boards
        units = np.array([[players.units_on(board)] for board in boards], dtype=np.int32)
        at = Standing(mine.free, theirs.free, len(mine.free_slots), int(units[0, 0] - units[1, 0]))

        def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
            scores[:] = units
            chances = drawn_fractions(self._key, first, 2 * at.k, rolls.shape[1])
            play_duel(self._players, self._shifts, at, slot - 1, NO_SLOTS, rolls, chances, scores)

        return play


def duel_player(run: Run, progress: Progress | None = None) -> DuelPlayer:
    """The player of the two strategies of a run against each other, from the cache."""
    return table_cache.get(("duel player", run), lambda: DuelPlayer(run, progress))


def rivals_of(strategies: Sequence[str]) -> list[int]:
    """The rival of each seat: -1 for strategies that look at their own board only.

    Two strategies of a duel, alone, play it with each other.

    >>> rivals_of(("nearest", "hunter", "optimal")), rivals_of(("nearest", "hunter"))
    ([-1, 2, -1], [-1, 0])
    """
    others = [seat for seat, name in enumerate(strategies) if name not in DUEL_STRATEGIES]
    if len(strategies) == 2 and not others:
        return [1, 0]
    if strategies and not others:
        problem = "play their duel with another seat at the table, and there is none"
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} {problem}", field="strategies")
    rival = next((seat for seat in others if strategies[seat] == "optimal"), others[0])
    return [rival if name in DUEL_STRATEGIES else -1 for name in strategies]


def verify_players(run: Run) -> None:
    if run.is_duel and len(run.strategies) == 1:
        raise Ten18Error(f"{' and '.join(DUEL_STRATEGIES)} play duels, not alone", field="strategies")
    rivals_of(run.strategies)


def verify_table(run: Run) -> None:
    m = len(run.strategies)
    if not 2 <= m <= MAX_PLAYERS:
        many = "few" if m < 2 else "many"
        raise Ten18Error(f"{m} players are too {many}; accepted: 2 to {MAX_PLAYERS}", field="strategies")
    rivals_of(run.strategies)


def players_of(run: Run, progress: Progress | None = None) -> players.Players:
    """A player for each strategy of a run at one table, those of a duel beside their rivals; from the cache."""

    def make() -> players.Players:
        verify_players(run)
        players.check_tables(run)
        rivals = rivals_of(run.strategies)
        return players.Players([seat_player(run, seat, rival, progress) for seat, rival in enumerate(rivals)], run)

    return table_cache.get(("players", run), make)


def seat_player(run: Run, seat: int, rival: int, progress: Progress | None = None) -> players.Player:
    """The player at a seat: with a rival (-1: none), of the duel with that seat, from empty boards on."""
    game, name = run.game, run.strategies[seat]
    if rival < 0:
        return players.player_of(run.find(name), run, seat)
    chosen = players.slot_chooser(run.find(run.strategies[rival]), run, rival)
    pair, nbytes = _duel_players(game, (same_everywhere(game, NUMBERS[name]),) * 2, progress)
    shifts, key = moves_of(game).shifts, key_of(run.seed, f"mixed moves {seat}")
    start = Standing(game.all_free, game.all_free, game.size, 0)

    def play(first: int, rolls: NDArray[Any], scores: NDArray[np.int32]) -> None:
        chances = drawn_fractions(key, first, *rolls.shape)
        two = np.zeros((2, len(scores)), dtype=np.int32)  # the rival's row is not needed
        play_duel(pair, shifts, start, -1, chosen(first, rolls), rolls, chances, two)
        scores[:] = two[0]

    return players.Player(lambda _: play, nbytes)


def _duel_players(game: Game, slots: tuple[Slots, Slots], progress: Progress | None) -> tuple[DuelPlayers, int]:
    """Two players of a duel, and the bytes of their tables, also of shared ones, which they hold after the cache."""
    numbers = [int(table[0, 0]) for table in slots]
    response = hunter(game, progress) if HUNTER in numbers else None
    table = equilibrium(game, progress) if MIXED in numbers else None
    hunting = response.hunter if response else no_hunter((response or table).windows)  # type: ignore[union-attr]
    nbytes = sum(part.nbytes for part in (*slots, response, table) if part is not None)
    return DuelPlayers(slots, hunting, table.table if table else hunting.table), nbytes


def has_seat(name: str, find: Finder = named) -> bool:
    """Whether the moves of a strategy can be followed exactly."""
    return name in DUEL_STRATEGIES or isinstance(find(name), players.TableStrategy | RandomSlot)


def seat_of(name: str, game: Game, find: Finder = named, progress: Progress | None = None) -> Seat:
    """A strategy at a table, by name; its tables stay in the cache."""
    if name in DUEL_STRATEGIES:
        return duel_seat((hunter if name == "hunter" else equilibrium)(game, progress))
    strategy = find(name)
    if isinstance(strategy, players.TableStrategy):
        slots, offsets, looks = players.slot_table(strategy, game, progress)
        return Seat(slots.view(np.int8), offsets, bool(looks))
    return rule_seat(same_everywhere(game, ANY))
