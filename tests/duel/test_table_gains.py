"""How far behind is too far: against the windows of a duel, and by all plays of a small game."""

from itertools import product

from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.duel.several_players import table_gains
from tentimes18.game import Game, slots_of
from tentimes18.solve.lattice import lattice_of


def test_as_in_a_duel() -> None:
    for game in (Game.classic(), Game.parse("d{-5,0,5}", "1/3,1/2,7"), Game.parse("1d6", "-3-2")):
        gains, windows = table_gains(game), DuelWindows(game, half=False)
        for k, layer in enumerate(windows.gains):
            start, count = int(gains.starts[k]), int(gains.counts[k])
            assert gains.values[start : start + count**2].tolist() == layer.ravel().tolist()
        assert gains.ranks.tolist() == windows.ranks.tolist()


def test_the_most_over_all_plays() -> None:
    game = Game.parse("1d3", "1,2,5")
    gains, shifts = table_gains(game), lattice_of(game).shifts

    def most(A: int, B: int) -> int:
        if not A:
            return 0
        return max(
            shifts[i - 1][x] - shifts[j - 1][x] + most(A ^ 1 << i - 1, B ^ 1 << j - 1)
            for i, j, x in product(slots_of(A), slots_of(B), range(3))
        )

    for A, B in product(range(8), repeat=2):
        if A.bit_count() == B.bit_count():
            k = A.bit_count()
            pair = gains.starts[k] + gains.ranks[A] * gains.counts[k] + gains.ranks[B]
            assert gains.values[pair] == most(A, B)
