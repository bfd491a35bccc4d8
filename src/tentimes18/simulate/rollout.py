"""Rollouts: a roll in each free slot, and the rest of the game played many times, on the same rolls for all slots.

Game g of a rollout is game g of the run from that position, its first roll being the one to place. With S_i the score
of a game after slot i, over N games,

    Var[S_i - S_j] = (Σ S_i² + Σ S_j² - 2 Σ S_i S_j) / N - (mean S_i - mean S_j)²,

which is small where the rolls decide both: the differences of moves have smaller errors than their means. In a duel the
points are 2, 1 and 0 for a win, a draw and a loss. All sums are integers, so a rollout is the same to the bit however
the work is divided (`simulate.games`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Ints
from tentimes18.compiled import compiled
from tentimes18.errors import InvalidGame
from tentimes18.game import Number
from tentimes18.simulate.games import GameCounts, chunk_of, drawn_blocks
from tentimes18.simulate.players import Scores, duel_player, players_of
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of

PlaySlots: TypeAlias = Callable[[int, NDArray[Any], NDArray[np.int32], NDArray[np.int32]], None]
"""Sets the score indices of games from a number on, given their rolls: mine [slot, game], and the opponent's."""


@dataclass
class PairedSums:
    """Sums of several numbers over games, and of the products of each two of them."""

    sums: NDArray[Any]  # Python's integers, which do not overflow
    products: NDArray[Any]  # [i, j] for j <= i

    @classmethod
    def none(cls, numbers: int) -> "PairedSums":
        return cls(np.zeros(numbers, dtype=object), np.zeros((numbers, numbers), dtype=object))

    def count(self, numbers: NDArray[np.int32]) -> None:
        products = np.zeros((len(numbers), len(numbers)), dtype=np.int64)
        add_products(numbers, products)
        self.sums += numbers.sum(axis=1, dtype=np.int64).astype(object)
        self.products += products.astype(object)

    def __iadd__(self, other: Self) -> Self:
        self.sums += other.sums
        self.products += other.products
        return self

    def mean(self, i: int, games: int) -> Fraction:
        return Fraction(self.sums[i], games)

    def sd(self, i: int, games: int) -> float:
        return _sd(self.products[i, i], self.sums[i], games)

    def difference(self, i: int, j: int, games: int) -> Fraction:
        return Fraction(self.sums[i] - self.sums[j], games)

    def difference_sd(self, i: int, j: int, games: int) -> float:
        squares = self.products[i, i] + self.products[j, j] - 2 * self.products[max(i, j), min(i, j)]
        return _sd(squares, self.sums[i] - self.sums[j], games)


def _sd(squares: int, total: int, games: int) -> float:
    return sqrt(Fraction(games * squares - total**2, games**2))


@dataclass
class RolloutCounts(GameCounts):
    """The counts of some games of a rollout, by the place of a slot among the free ones."""

    points: PairedSums  # of the indices of scores
    equity: PairedSums  # of twice the equities, in a duel
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    reached: NDArray[np.int64]  # games with the target or more

    @classmethod
    def none(cls, slots: int) -> "RolloutCounts":
        wins, draws, reached = np.zeros((3, slots), dtype=np.int64)
        return cls(0, PairedSums.none(slots), PairedSums.none(slots), wins, draws, reached)


@dataclass(frozen=True)
class Rollout:
    """A roll to place on the first board of a run; its second strategy, if any, is the opponent."""

    run: Run
    roll: int
    target: Number | None = None

    def __post_init__(self) -> None:
        self.run.game.verify_roll(self.roll)
        if len(self.run.strategies) > 2:
            raise InvalidGame("a rollout is for one player, or for two in a duel", field="strategy")

    @property
    def slots(self) -> tuple[int, ...]:
        return self.run.board().free_slots

    @property
    def is_duel(self) -> bool:
        return len(self.run.strategies) == 2

    @property
    def chunk(self) -> int:
        """How many games are counted at a time, each for every slot."""
        return max(1, chunk_of(self.run) // len(self.slots))

    def counter(self) -> Callable[[int, int], RolloutCounts]:
        play = self.player()

        def count(first: int, games: int) -> RolloutCounts:
            counts = RolloutCounts.none(len(self.slots))
            for start, rolls in drawn_blocks(self.run, first, games):
                counts.add(self.count_rolls(play, start, rolls))
            return counts

        return count

    def player(self) -> PlaySlots:
        """How the games are played, once for every slot."""
        run, boards = self.run, [self.run.board(place) for place in range(len(self.run.strategies))]
        if run.is_duel:  # one of the two looks at both boards
            duels = [duel_player(run).going_on(boards, slot) for slot in self.slots]

            def play_duels(first: int, rolls: NDArray[Any], scores: Scores, theirs: Scores) -> None:
                both = np.empty((2, rolls.shape[1]), dtype=np.int32)
                for play, row, their_row in zip(duels, scores, theirs, strict=True):
                    play(first, rolls, both)
                    row[:], their_row[:] = both

            return play_duels
        me, *others = players_of(run).players
        mine = [me.going_on(boards[0].place(self.roll, slot)) for slot in self.slots]
        opponents = [other.going_on(boards[1]) for other in others]

        def play_all(first: int, rolls: NDArray[Any], scores: Scores, theirs: Scores) -> None:
            for play, row in zip(mine, scores, strict=True):
                play(first, rolls[1:], row)
            for play in opponents:  # it looks at its own board only, and plays once, whatever slot I take
                play(first, rolls, theirs[0])
                theirs[1:] = theirs[0]

        return play_all

    def count_rolls(self, play: PlaySlots, first: int, rolls: NDArray[Any]) -> RolloutCounts:
        """The counts of games whose rolls have these places in the support, [round, game]; replaces the first roll."""
        m, size, game = len(self.slots), rolls.shape[1], self.run.game
        rolls[0] = game.dice.support.index(self.roll)
        mine = np.empty((m, size), dtype=np.int32)
        theirs = np.empty((m if self.is_duel else 0, size), dtype=np.int32)
        play(first, rolls, mine, theirs)
        counts = RolloutCounts.none(m)
        counts.games = size
        counts.points.count(mine)
        if self.target is not None:
            lattice = lattice_of(game)
            counts.reached += (mine >= ceil((self.target - lattice.low(game.all_free)) / lattice.unit)).sum(axis=1)
        if self.is_duel:
            won, drawn = mine > theirs, mine == theirs
            counts.wins += won.sum(axis=1)
            counts.draws += drawn.sum(axis=1)
            counts.equity.count(2 * won.astype(np.int32) + drawn)
        return counts


@compiled()
def add_products(numbers: Scores, products: Ints) -> None:
    """Add up the products of numbers[i, game] and numbers[j, game] for every pair, j <= i."""
    for i in range(len(numbers)):
        for j in range(i + 1):
            total = np.int64(0)
            for a, b in zip(numbers[i], numbers[j]):  # noqa: B905 (compiled)
                total += np.int64(a) * np.int64(b)
            products[i, j] += total
