"""Millions of games on a GPU: the counts of `simulate.games`, to the bit.

A game's rolls depend on its number alone and counts are integers, so it does not matter who counts. One rule alone
plays from a table in the memory that the threads of a block share (`gpu/rule_games.cuh`); several strategies,
or one of another kind, by `gpu/many_games.cuh`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from tentimes18.arrays import Slots
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.gpu.device import CUDA, Array, Gpu, kernel_struct, struct_type
from tentimes18.limits import check_size
from tentimes18.simulate import players
from tentimes18.simulate.drawing import roll_source
from tentimes18.simulate.games import MAX_SQUARES, AnyCounts, Counts, Work
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import DUEL_STRATEGIES
from tentimes18.strategies.solved import rule_table
from tentimes18.strategies.strategy import ObjectiveStrategy, RandomSlot, RuleStrategy

MAX_PLAYERS = 32
MAX_ROUNDS = 32
RULE_CHUNK = 1 << 31
CHUNK = 1 << 26
MAX_OUTCOMES = 4096  # that a block keeps beside its table
SHARED_COUNTS = 40_000  # bytes that a block takes for scores of several strategies
RULE_THREADS = 1024
THREADS = 256
BLOCKS = 8  # of a multiprocessor
BY_MOVES, BY_SCORE, AT_RANDOM, SORTED, BY_SLOTS = range(5)
OPERATIONS_PER_ROUND = 5e-3  # of a strategy: steps of one processor in the same time

DRAWING = struct_type("key product rejected position bounds", "T per_word per_game rounds limbs size")
PLAYING_RULE = struct_type("moves histogram first games", "entries width bins free units", rolls=DRAWING)
PLAYER = struct_type("key table offsets products groups", "kind words free units")
PLAYING = struct_type(
    "players points histograms wins places differences largest first games", "count width bins is_shared", rolls=DRAWING
)


class GpuGames:
    """The games of a run, to be counted in parts on a GPU; raises ``Ten18Error`` where it cannot play them."""

    def __init__(self, run: Run, gpu: Gpu) -> None:
        self.run, self._card = run, gpu
        for name in run.strategies:
            if name in DUEL_STRATEGIES or not isinstance(run.find(name), players.KERNEL_STRATEGIES):
                raise Ten18Error(f"{name!r} is not played on a GPU, only on a processor", "device", CUDA)
        if run.rounds > MAX_ROUNDS or len(run.strategies) > MAX_PLAYERS:
            problem = f"a GPU plays at most {MAX_ROUNDS} rounds of at most {MAX_PLAYERS} strategies"
            raise Ten18Error(problem, "device", CUDA)
        self.width = lattice_of(run.game).width(run.game.all_free)

    @property
    def chunk(self) -> int:
        """How many games are counted at a time: so few that 64 bits hold the squares of all differences."""
        return RULE_CHUNK if self._rule is not None else max(1, min(CHUNK, MAX_SQUARES // max(1, self.width) ** 2))

    def counter(self) -> Callable[[int, int], Counts]:
        return self._count_rule if self._rule is not None else self._count

    @cached_property
    def _rolls(self) -> tuple[Any, list[Array]]:
        """What a kernel needs to draw the rolls, and the arrays that it points to."""
        source, xp = roll_source(self.run), self._card.xp
        arrays = {"position": xp.asarray(source.position), "bounds": xp.asarray(source.bounds)}
        fields = {name: getattr(source, name) for name in ("key", "product", "rejected", "per_word")} | arrays
        fields |= {"T": source.total, "per_game": -(-self.run.rounds // source.per_word), "rounds": self.run.rounds}
        fields |= {"limbs": len(source.bounds), "size": source.bounds.shape[1]}
        return kernel_struct(self._card, DRAWING, fields)[()], list(arrays.values())

    @cached_property
    def _rule(self) -> tuple[Array, int] | None:
        """The moves of a rule that plays alone, on the GPU, and the bytes a block shares; None if too large."""
        names, game = self.run.strategies, self.run.game
        strategy = self.run.find(names[0])
        source = roll_source(self.run)
        if len(names) > 1 or not isinstance(strategy, RuleStrategy) or not 0 < int(source.total) <= MAX_OUTCOMES:
            return None
        shared = 4 * (len(game.dice.support) << game.size) + 4 * (self.width + 1) + 2 * int(source.total)
        if shared > self._card.block_shared:
            return None
        moves = players.move_table(game, _slots(strategy, game))
        return None if moves is None else (self._card.xp.asarray(moves.ravel()), shared)

    def _count_rule(self, first: int, games: int) -> Counts:
        assert self._rule is not None
        (moves, shared), gpu, board = self._rule, self._card, self.run.board()
        histogram = gpu.xp.zeros(self.width + 1, dtype=np.uint64)
        fields = {"moves": moves, "histogram": histogram, "first": first, "games": games, "entries": len(moves)}
        fields |= {"width": len(self.run.game.dice.support), "bins": self.width + 1}
        fields |= {"free": board.free, "units": players.units_on(board), "rolls": self._rolls[0]}
        form = kernel_struct(gpu, PLAYING_RULE, fields)
        blocks = gpu.multiprocessors * max(1, min(2, gpu.shared // (shared + 1024)))
        gpu.kernel("rule_games", "play_rule")(blocks, RULE_THREADS, form, shared)
        counts = Counts.none(1, self.width)
        counts.games = games
        counts.histograms[0] = gpu.to_host(histogram)
        return counts

    @cached_property
    def _players(self) -> tuple[Array, list[Any]]:
        """The strategies for the kernel; and the arrays that they point to."""
        run, gpu = self.run, self._card
        table = np.zeros(len(run.strategies), dtype=PLAYER)
        held = []
        for place in range(len(table)):
            fields = self._player(place)
            fields |= {name: gpu.xp.asarray(part) for name, part in fields.items() if isinstance(part, np.ndarray)}
            held.append(fields)
            table[place] = kernel_struct(gpu, PLAYER, fields)
        return gpu.xp.asarray(table.view(np.uint8)), held

    def _player(self, place: int) -> dict[str, Any]:
        run, game, board = self.run, self.run.game, self.run.board(place)
        strategy, start = run.find(run.strategies[place]), {"free": board.free, "units": players.units_on(board)}
        if isinstance(strategy, RuleStrategy):
            slots = _slots(strategy, game)
            moves = players.move_table(game, slots)
            if moves is None:
                return start | {"kind": BY_SLOTS, "table": slots.astype(np.uint8)}
            return start | {"kind": BY_MOVES, "table": moves}
        if isinstance(strategy, ObjectiveStrategy):
            offsets, by_score = strategy.solve(game).slot_table()
            return start | {"kind": BY_SCORE, "table": by_score.astype(np.uint8), "offsets": offsets.astype(np.int64)}
        if isinstance(strategy, RandomSlot):
            key, products, groups = players.RandomWords.of(run.seed, place, run.rounds)
            words = {"words": len(products), "products": products, "groups": groups.astype(np.int32)}
            return start | {"kind": AT_RANDOM, "key": key} | words
        return start | {"kind": SORTED}

    def _count(self, first: int, games: int) -> Counts:
        gpu, xp, m = self._card, self._card.xp, len(self.run.strategies)
        table, _ = self._players
        points = xp.asarray(np.array(lattice_of(self.run.game).shifts, dtype=np.int32))
        histograms = xp.zeros((m, self.width + 1), dtype=np.uint64)
        wins, places = xp.zeros((m, m), dtype=np.uint64), xp.zeros((m, m + 1), dtype=np.uint64)
        differences, largest = xp.zeros(2, dtype=np.int64), xp.zeros(2, dtype=np.int32)
        shared = 4 * m * (self.width + 1)
        is_shared = shared <= SHARED_COUNTS
        fields = {"players": table, "points": points, "histograms": histograms, "wins": wins, "places": places}
        fields |= {"differences": differences, "largest": largest, "first": first, "games": games, "count": m}
        fields |= {"width": len(self.run.game.dice.support), "bins": self.width + 1, "is_shared": is_shared}
        form = kernel_struct(gpu, PLAYING, fields | {"rolls": self._rolls[0]})
        blocks = gpu.multiprocessors * BLOCKS
        gpu.kernel("many_games", "play_games")(blocks, THREADS, form, shared if is_shared else 0)
        counts = Counts.none(m, self.width)
        counts.games = games
        counts.histograms[:] = gpu.to_host(histograms)
        if m > 1:
            counts.wins[:] = gpu.to_host(wins)
            counts.draws[:] = games - counts.wins - counts.wins.T
            np.fill_diagonal(counts.draws, 0)
            counts.first_places[:] = gpu.to_host(places)
            counts.difference, counts.squared_difference = gpu.to_host(differences).tolist()
            least, most = gpu.to_host(largest).tolist()
            counts.largest = (least, most)
        return counts


def one_by_one(work: Work[AnyCounts], chunks: Iterable[tuple[int, int]]) -> Iterator[AnyCounts]:
    """A runner for a GPU: it is busy with one chunk already."""
    count = work.counter()
    yield from (count(first, games) for first, games in chunks)


def check_gpu_games(run: Run, games: int) -> None:
    """Raise ``TooLarge`` if this many games, or their tables, are too large for a GPU."""
    players.check_tables(run)
    rounds = float(games) * run.rounds * len(run.strategies)
    check_size(f"a run of {games:,} games", operations=OPERATIONS_PER_ROUND * rounds, field="games")


def _slots(strategy: RuleStrategy, game: Game) -> Slots:
    if game.size > players.MAX_TABLE_SLOTS:
        most = f"at most {players.MAX_TABLE_SLOTS} slots, not with {game.size}"
        problem = f"{strategy.name!r} is played on a GPU with {most}"
        raise Ten18Error(problem, "device", CUDA)
    return rule_table(strategy, game)
