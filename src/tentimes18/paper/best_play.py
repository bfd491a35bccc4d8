"""Sections 4 to 6 of the paper: dynamic programming, playing by it, and polynomial time and space."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb

from tentimes18.coach.advice import advise
from tentimes18.game import Board, Game, mask_of
from tentimes18.paper.checks import Check, claim, number, slip
from tentimes18.paper.printed_tables import E_TABLE, FIRST_MOVE, M_NINE
from tentimes18.solve.closest import closest_calls
from tentimes18.solve.subsets import exact_subset_values
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["dynamic_programming", "playing", "polynomial"]


def dynamic_programming(game: Game) -> Iterator[Check]:
    """Section 4: M over the free sets, and Table 2.

    >>> any(check.differs for check in dynamic_programming(Game.classic()))
    False
    """
    where = "4 Dynamic Programming"
    values = exact_subset_values(game)
    everything = game.all_free
    yield number(where, "subsets", "1024", len(values))
    yield slip(
        where,
        "M[A]",
        "slots A have been filled",
        "A is the set of free slots",
        values[0] == 0 and values[everything] > 0,
        f"M[∅] = 0 and M[B] = {float(values[everything]):.1f} fit only if A is free: on a full board the value is 0",
    )
    singles = all(values[1 << (i - 1)] == i * game.dice.mean for i in range(1, game.size + 1))
    yield slip(
        where,
        "M[{i}] = i E(X)",
        "for i = x_min, ..., x_max",
        "for i in B",
        singles and game.dice.support[-1] > game.size,
        f"i is a slot, 1 to {game.size}; 3 to 18 leaves out #1 and #2, and there is no slot above #10",
    )
    yield number(where, "M[B]", "642.2393504256", values[everything])
    nine = [values[everything ^ mask_of([i])] for i in range(1, game.size + 1)]
    for i, printed in enumerate(M_NINE.split(), start=1):
        yield number(
            "Table 2", f"M[B-{{{i}}}]", printed, nine[i - 1], line=f"M[B-{{i}}], i = {'1-5' if i <= 5 else '6-10'}"
        )
    falling = all(high > low for high, low in pairwise(nine))
    yield claim(
        "Table 2",
        "with higher i",
        "the expected score drops",
        f"{float(nine[0]):.2f} to {float(nine[-1]):.2f}",
        falling,
    )
    yield slip(
        "Table 2",
        "why it drops",
        "for small i we have used up more of the high-scoring slots",
        "for large i",
        falling,
        f"using up #10 leaves {float(nine[-1]):.2f}, using up #1 leaves {float(nine[0]):.2f}",
    )


def playing(game: Game) -> Iterator[Check]:
    """Section 5: Table 3, the first moves, and the closest calls.

    >>> any(check.differs for check in playing(Game.classic()))
    False
    """
    where = "5 Playing the game"
    advice = {x: advise(Board(game), x) for x in game.dice.support}
    values = exact_subset_values(game)
    literal = max(range(1, 11), key=lambda i: i * 3 + values[mask_of([i])])
    yield slip(
        where,
        "the move",
        "max of i x + M[A ∪ {i}], A filled",
        "max of i x + M[free - i]",
        literal != 1 and advice[3].best == 1,
        f"taken with the M that Eq. (1) computes, the printed rule puts a first roll of 3 into #{literal}, not #1",
    )
    cells = FIRST_MOVE.split()
    for x, slot in zip(cells[::3], cells[1::3], strict=True):
        ours = f"#{advice[int(x)].best}"
        agrees = ours == f"#{slot}"
        yield Check(
            "Table 3", f"slot for a first roll {x}", f"#{slot}", ours, agrees, line="slot for a first roll 3-18"
        )
    for x, value in zip(cells[::3], cells[2::3], strict=True):
        first = 3 + (int(x) - 3) // 4 * 4
        line = f"E(score) after a first roll {first}-{first + 3}"
        yield number("Table 3", f"E(score) after a first roll {x}", value, advice[int(x)].moves[0].worth, line=line)
    best = {x: advice[x].best for x in advice}
    yield claim(where, "6 still goes to", "#1", f"#{best[6]}", best[6] == 1)
    yield claim(where, "15 still goes to", "#10", f"#{best[15]}", best[15] == 10)
    for rolls in (range(3, 7), range(15, 19)):
        chance = sum(game.dice.probability(x) for x in rolls)
        name = f"P({rolls[0]} to {rolls[-1]})"
        yield claim(where, name, "less than 10 %", f"{float(chance):.2%}", chance < Fraction(1, 10))
    never = sorted(set(range(1, 11)) - set(best.values()))
    yield claim(where, "never for a first roll", "#3, #8", ", ".join(f"#{slot}" for slot in never), never == [3, 8])
    runner_up = advice[9].moves[1]
    yield number(where, "9 in #3 instead of #4", "630.39355", next(m.worth for m in advice[9].moves if m.slot == 3))
    closest = closest_calls(game, first_move=True)
    for call, item in zip(closest, ("closest first move: 9 in #3", "and 12 in #8"), strict=True):
        yield number(where, item, "0.03455", call.loss)
    pairs = [(call.roll, call.best, call.runner_up) for call in closest]
    yield claim(
        where,
        "closest first moves",
        "9: #4 or #3; 12: #7 or #8",
        "; ".join(f"{x}: #{b} or #{r}" for x, b, r in pairs),
        pairs == [(9, 4, 3), (12, 7, 8)] and runner_up.slot == 3,
    )
    calls = closest_calls(game)
    yield number(where, "closest call of the game", "0.02989", calls[0].loss)
    ten = next(call for call in calls if call.roll == 10)
    yield claim(
        where,
        "it is",
        "10 with seven consecutive free slots",
        f"{ten.free_count} free slots, roll {', '.join(str(call.roll) for call in calls)}",
        ten.free_count == 7 and ten.example == tuple(range(1, 8)),
        note=f"so it is with any seven free slots whose 3rd and 4th are neighbours "
        f"({ten.free_sets} of {comb(10, 7)} sets), and by symmetry for a roll of 11",
    )


def polynomial(game: Game) -> Iterator[Check]:
    """Section 6: the exchange argument, the recurrence for E_j, and Table 4.

    >>> any(check.differs for check in polynomial(Game.classic()))
    False
    """
    where = "6 Polynomial time and space"
    n = game.size
    rows = exact_thresholds(game.dice, n)
    yield claim(where, "1024 entries on a ZX81", "do not fit in 1 kilobyte", f"{8 * 2**n} bytes", 8 * 2**n > 1024)
    for slots, unit, name in ((20, 1e6, "megabytes"), (30, 1e9, "gigabytes"), (40, 1e12, "terabytes")):
        size = 8 * 2**slots / unit
        yield claim(where, f"table M for {slots} slots", name, f"{size:.1f} {name}", 1 <= size < 1000)
    atoms = 10**80
    yield number(where, "largest table with 10^80 atoms", "265", atoms.bit_length() - 1)
    coin = Game.parse("d{1,2}", "1-10")
    trivial = all(row.rank(1) == 1 and row.rank(2) == len(row) + 1 for row in exact_thresholds(coin.dice, 9))
    yield claim(where, "a coin: 1 and 2", "to the first and last free slot", "for every number of free slots", trivial)
    low, high = exact_thresholds(Game.parse("d{3}", "1,2").dice, 2)[1]
    yield slip(
        where,
        "exchange argument",
        "E(Y_i) >= E(Y_j)",
        "E(Y_i) > E(Y_j)",
        low >= high and not (low - high) * (2 - 1) > 0,
        f"dice that always show 3 have E(Y_1) = E(Y_2) = {low}: the exchange gains 0, not more than 0",
    )
    two = Game.parse("2d6", "1,2")
    tied = advise(Board(two), 7)
    yield slip(
        where,
        "any other free slot",
        "suboptimal",
        "suboptimal or equally good",
        tied.best_slots == (1, 2),
        f"two dice, slots 1 and 2: a roll of 7 is worth {tied.moves[0].worth} in either slot",
    )
    literal = _literal_recurrence(game)
    yield slip(
        where,
        "recurrence for E_j",
        "I_j(x)",
        "I_{j-1}(x)",
        literal != rows[1][0],
        f"E_2[1] needs the place of x among E_1 = (10.5): that gives {float(rows[1][0]):.3f} as printed; "
        f"its place among E_2 itself gives {float(literal):.3f}",
    )
    for j in range(n, 0, -1):
        for i, printed in enumerate(E_TABLE.strip().splitlines()[j - 1].split()):
            yield number("Table 4", f"E_{j}[{i + 1}]", printed, rows[j - 1][i], line=f"E_{j}[i]")
    yield number(where, "Σ i E_10[i]", "642.2393504256", rows[-1].value(game.multipliers))
    four = {x: rows[3].rank(x) for x in game.dice.support}
    for rank, printed in enumerate(("3-8", "9", "10-11", "12", "13-18"), start=1):
        rolls = [x for x in four if four[x] == rank]
        text = f"{rolls[0]}-{rolls[-1]}" if len(rolls) > 1 else str(rolls[0])
        yield claim(where, f"five free slots, to slot {rank}", printed, text, text == printed)


def _literal_recurrence(game: Game) -> Fraction:
    """E_2[1] by the printed recurrence, with the index of x among E_2 itself."""
    first, second = exact_thresholds(game.dice, 2)
    return sum(
        (game.dice.probability(x) * (x if second.rank(x) == 1 else first[0]) for x in game.dice.support), Fraction(0)
    )
