"""Games of `optimal`, and of several players, simulated with NumPy: the baselines."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from tentimes18.game import Game
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.move_arrays import rule_slots
from tentimes18.solve.thresholds import Rule, optimal_rule

BLOCK = 65_536  # games at a time: fastest of the powers of two


class NumpyGames:
    """Whole arrays of games, a round at a time.

    The free sets of the games are an array of rows of a table. For a row and a roll the table says how many points the
    move makes, and which row comes next: two look-ups a round, and no slots or bits at all.
    """

    def __init__(self, game: Game, rule: Rule | None = None) -> None:
        n, s = game.size, len(game.dice.support)
        slots = rule_slots(game, rule or optimal_rule(game)).astype(np.intp)
        masks = np.arange(1 << n)[:, np.newaxis]
        shifts = np.array(lattice_of(game).shifts, dtype=np.int32)
        self.points = shifts[slots, np.arange(s)].ravel()
        self.following = ((masks ^ 1 << slots) * s).ravel()
        self.start = (len(masks) - 1) * s
        self.total = game.dice.total
        self.position_of = np.repeat(np.arange(s, dtype=np.intp), game.dice.counts)
        self.rounds, self.width = n, lattice_of(game).width(game.all_free) + 1

    def histogram(self, games: int, seed: int) -> NDArray[np.int64]:
        """The counts of the scores by index, in one thread."""
        generator = np.random.Generator(np.random.SFC64(seed))
        histogram = np.zeros(self.width, dtype=np.int64)
        for first in range(0, games, BLOCK):
            scores = self.play(self.draw(generator, min(BLOCK, games - first)))
            histogram += np.bincount(scores, minlength=self.width)
        return histogram

    def histogram_by_threads(self, games: int, seed: int, threads: int) -> NDArray[np.int64]:
        """The same, with a share of the games in each thread."""
        with ThreadPoolExecutor(threads) as pool:
            parts = pool.map(self.histogram, [games // threads] * threads, range(seed, seed + threads))
            histogram: NDArray[np.int64] = np.sum(list(parts), axis=0)
            return histogram

    def draw(self, generator: np.random.Generator, games: int) -> NDArray[np.uint8]:
        """The outcomes of the dice, [round, game]."""
        return generator.integers(0, self.total, size=(self.rounds, games), dtype=np.uint8)

    def play(self, outcomes: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The scores by index."""
        games = outcomes.shape[1]
        scores = np.zeros(games, dtype=np.int32)
        row = np.full(games, self.start, dtype=np.intp)
        roll, points, following = np.empty_like(row), np.empty_like(scores), np.empty_like(row)
        for outcome in outcomes:
            # With mode "clip" the results need not be checked before they are written to their place.
            np.take(self.position_of, outcome, out=roll, mode="clip")
            row += roll
            np.take(self.points, row, out=points, mode="clip")
            scores += points
            np.take(self.following, row, out=following, mode="clip")
            row, following = following, row
        return scores


class NumpyTable:
    """Several rules on the same rolls: shares of the wins, with ties shared, and mean ranks."""

    def __init__(self, game: Game, rules: Sequence[Rule]) -> None:
        self.players = [NumpyGames(game, rule) for rule in rules]
        self.ranks = np.zeros(len(rules))

    def shares(self, games: int, seed: int) -> list[float]:
        """The shares of the wins, in one thread; ``ranks`` are those of these games afterwards."""
        generator = np.random.Generator(np.random.SFC64(seed))
        won = np.zeros(len(self.players))
        self.ranks[:] = 1.0
        for first in range(0, games, BLOCK):
            outcomes = self.players[0].draw(generator, min(BLOCK, games - first))
            scores = np.stack([player.play(outcomes) for player in self.players])
            is_first = scores == scores.max(axis=0)
            won += (is_first / is_first.sum(axis=0)).sum(axis=1)
            for place, row in enumerate(scores):
                self.ranks[place] += ((scores > row).sum() + ((scores == row).sum() - row.size) / 2) / games
        return [float(share) / games for share in won]
