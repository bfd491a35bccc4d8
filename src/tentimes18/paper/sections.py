"""The paper, section by section: every number that it prints beside ours, and its misprints.

The printed tables come first; tables of thresholds have row j = 1 first, first moves are roll, slot, score.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb, factorial, prod

from tentimes18.coach.advice import advise, advise_slots
from tentimes18.duel.response_cycle import exact_response, find_cycle
from tentimes18.game import Board, Game, mask_of
from tentimes18.paper import Check, claim, misprint, number
from tentimes18.solve.closest_calls import closest_calls
from tentimes18.solve.hindsight import exact_order_statistics, paper_recurrence
from tentimes18.solve.moments import hindsight_moments, optimal_moments
from tentimes18.solve.parallel import Progress
from tentimes18.solve.rule_distributions import hindsight_distribution, random_distribution, rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.subsets import exact_subset_values
from tentimes18.solve.thresholds import exact_thresholds, optimal_rule

PROBABILITIES = "1 3 6 10 15 21 25 27 27 25 21 15 10 6 3 1"
LOADED_PROBABILITIES = "1 2 3 4 5 6 7 8 9 10 11 14 13 12 11 10 9 8 7 6 5 4 4"
M_NINE = "618.32001 611.45000 603.39355 594.42809 584.66842 574.16842 562.92809 550.89355 537.95000 523.82001"
FIRST_MOVE = """
    3 1 621.32001   4 1 622.32001   5 1 623.32001   6 1 624.32001
    7 2 625.45000   8 2 627.45000   9 4 630.42809   10 5 634.66842
    11 6 640.16842  12 7 646.92809  13 9 654.95000  14 9 663.95000
    15 10 673.82001 16 10 683.82001 17 10 693.82001 18 10 703.82001
"""
E_TABLE = """
    10.500
    9.292 11.708
    8.599 10.500 12.401
    8.120 9.771 11.229 12.880
    7.765 9.254 10.500 11.746 13.235
    7.479 8.861 9.970 11.030 12.139 13.521
    7.239 8.553 9.570 10.500 11.430 12.447 13.761
    7.038 8.287 9.241 10.089 10.911 11.759 12.713 13.962
    6.870 8.056 8.965 9.760 10.500 11.240 12.035 12.944 14.130
    6.720 7.868 8.730 9.466 10.160 10.840 11.534 12.270 13.132 14.280
"""
LOADED_E_TABLE = """
    13.846
    11.753 15.939
    10.532 13.861 17.146
    9.680 12.613 15.113 17.978
    9.038 11.713 13.868 16.012 18.599
"""
LOADED = Game.parse("2d12:12=2", "1-5")


def check_paper(progress: Progress | None = None) -> list[Check]:
    """Every check, in the order of the paper; ``progress`` is called with the sections done and all sections."""
    sections: tuple[Callable[[Game], Iterator[Check]], ...] = (
        *(introduction, preliminaries, complicated, dynamic_programming, playing, polynomial),
        *(knowing_the_future, important_scores, simulations, variants, conclusion),
    )
    checks: list[Check] = []
    for done, section in enumerate(sections, start=1):
        checks += section(Game.classic())
        if progress:
            progress(done, len(sections))
    return checks


def introduction(game: Game) -> Iterator[Check]:
    """Section 1: the smallest and the largest score, Fig. 1, and the first examples."""
    where = "1 Introduction"
    support, multipliers = game.dice.support, game.multipliers
    rows = exact_thresholds(game.dice, game.size)
    board = Board(game).place(8, 5).place(4, 1)
    yield number(where, "smallest score", "165", sum(multipliers) * support[0])
    yield number(where, "largest score", "990", sum(multipliers) * support[-1])
    yield number("Fig. 1", "8 in #5", "40", multipliers[4] * 8)
    yield number("Fig. 1", "4 in #1", "4", multipliers[0] * 4)
    yield number("Fig. 1", "after two rolls", "44", board.score)
    distribution = rule_distribution(game, optimal_rule(game))
    yield claim(
        "Fig. 1",
        "a total of 698",
        "an excellent score",
        f"better than {float(1 - distribution.at_least(698)):.1%} of the games of optimal",
        distribution.at_least(698) < Fraction(1, 4),
    )
    extremes = all(row.rank(3) == 1 and row.rank(18) == len(row) + 1 for row in rows)
    yield claim(where, "3 and 18", "to the lowest and highest free slot", "for every number of free slots", extremes)
    odd, even = (advise_slots(game, range(start, 11, 2), 7).best for start in (1, 2))
    yield claim(
        where,
        "7, all even or all odd slots taken",
        "the same problem",
        f"#{odd} and #{even}, each the 1st free slot",
        odd == 1 and even == 2,
    )


def preliminaries(game: Game) -> Iterator[Check]:
    """Section 2: Table 1, the distribution of three dice, and the expected score of `random`."""
    where = "2 Preliminaries"
    die = Game.parse("1d6", "1").dice
    for x, count in zip(game.dice.support, PROBABILITIES.split(), strict=True):
        yield number("Table 1", f"216 P(X={x})", count, 216 * game.dice.probability(x), line="216 P(X=x)")
    yield number(where, "E(X)", "10.5", game.dice.mean)
    yield number(where, "E(X') of one die", "3.5", die.mean)
    yield number(where, "expected score of random", "577.5", random_distribution(game).mean)


def complicated(game: Game) -> Iterator[Check]:
    """Section 3: the size of the tree of all games."""
    where = "3 Why is this complicated?"
    rolls, n = len(game.dice.support), game.size
    leaves = prod(rolls * free for free in range(1, n + 1))
    yield number(where, "edges from the root", "160", rolls * n)
    yield number(where, "edges from the next node", "144", rolls * (n - 1))
    yield number(where, "nodes at the second level", "23040", rolls * n * rolls * (n - 1))
    yield number(where, "nodes at the last level", "3.99e18", leaves)
    yield claim(where, "16^10 10!", "the last level", str(leaves), leaves == rolls**n * factorial(n))
    yield claim(where, "a byte for each", "several exabytes", f"{leaves / 1e18:.2f} exabytes", 2 <= leaves / 1e18 < 10)


def dynamic_programming(game: Game) -> Iterator[Check]:
    """Section 4: M over the free sets, and Table 2."""
    where = "4 Dynamic Programming"
    values = exact_subset_values(game)
    everything = game.all_free
    yield number(where, "subsets", "1024", len(values))
    yield misprint(
        where,
        "M[A]",
        "slots A have been filled",
        "A is the set of free slots",
        values[0] == 0 and values[everything] > 0,
        f"M[∅] = 0 and M[B] = {float(values[everything]):.1f} fit only if A is free: on a full board the value is 0",
    )
    singles = all(values[1 << (i - 1)] == i * game.dice.mean for i in range(1, game.size + 1))
    yield misprint(
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
    yield misprint(
        "Table 2",
        "why it drops",
        "for small i we have used up more of the high-scoring slots",
        "for large i",
        falling,
        f"using up #10 leaves {float(nine[-1]):.2f}, using up #1 leaves {float(nine[0]):.2f}",
    )


def playing(game: Game) -> Iterator[Check]:
    """Section 5: Table 3, the first moves, and the closest calls."""
    where = "5 Playing the game"
    advice = {x: advise(Board(game), x) for x in game.dice.support}
    values = exact_subset_values(game)
    literal = max(range(1, 11), key=lambda i: i * 3 + values[mask_of([i])])
    yield misprint(
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
        yield claim(where, name, "less than 10%", f"{float(chance):.2%}", chance < Fraction(1, 10))
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
    """Section 6: the exchange argument, the recurrence for E_j, and Table 4."""
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
    yield misprint(
        where,
        "exchange argument",
        "E(Y_i) >= E(Y_j)",
        "E(Y_i) > E(Y_j)",
        low >= high and not (low - high) * (2 - 1) > 0,
        f"dice that always show 3 have E(Y_1) = E(Y_2) = {low}: the exchange gains 0, not more than 0",
    )
    two = Game.parse("2d6", "1,2")
    tied = advise(Board(two), 7)
    yield misprint(
        where,
        "any other free slot",
        "suboptimal",
        "suboptimal or equally good",
        tied.best_slots == (1, 2),
        f"two dice, slots 1 and 2: a roll of 7 is worth {tied.moves[0].worth} in either slot",
    )
    first, second = rows[0], rows[1]  # E_2[1] by the printed recurrence, with the index of x among E_2 itself
    literal = sum(
        (game.dice.probability(x) * (x if second.rank(x) == 1 else first[0]) for x in game.dice.support), Fraction(0)
    )
    yield misprint(
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


def knowing_the_future(game: Game) -> Iterator[Check]:
    """Section 7: the expected score of `hindsight`, by the recurrence for Q and by order statistics."""
    where = "7 Knowing the future"
    n = game.size
    best, optimal = paper_recurrence(game), exact_thresholds(game.dice, n)[-1].value(game.multipliers)
    ten = game.dice.probability(18) ** n
    yield number(where, "expected score of optimal", "642.2", optimal)
    yield number(where, "1 / P(ten rolls of 18)", "221073919720733357899776", 1 / ten)
    yield number(where, "P(ten rolls of 18)", "4.52e-24", ten)
    yield claim(
        where,
        "ten rolls of 3",
        "with the same probability",
        f"{float(game.dice.probability(3) ** n):.2e}",
        game.dice.probability(3) == game.dice.probability(18),
    )
    upto = list(accumulate(game.multipliers, initial=0))
    closed = all(
        upto[j] - upto[i - 1] == Fraction((j + 1) * j - i * (i - 1), 2)
        for j in range(1, n + 1)
        for i in range(1, j + 1)
    )
    yield claim(where, "S(i, j)", "((j+1) j - i (i-1)) / 2", "the same for all i <= j", closed)
    lowest = paper_recurrence(Game(Game.parse("d{3}", "1").dice, game.multipliers))
    yield misprint(
        where,
        "Q[y, l]",
        "score of L - l rolls x >= y; the other l are < y and not scored",
        "score of the l rolls in the lowest slots, known to be <= y",
        lowest == 165,
        f"for y = x_min, l = L the recurrence gives {lowest}, the score of ten rolls of 3; the text has 0 rolls scored",
    )
    yield number(where, "Q[x_max, L]", "652.93403", best)
    statistics = exact_order_statistics(game.dice, n)
    same = sum(i * mean for i, mean in zip(game.multipliers, statistics, strict=True)) == best
    yield claim(where, "by order statistics", "652.93403", f"{float(best):.5f}, exactly the same", same)
    yield claim(
        where, "gain of hindsight", "about ten points", f"{float(best - optimal):.5f}", 9.5 < best - optimal < 11
    )


def important_scores(game: Game) -> Iterator[Check]:
    """Table 5: least, greatest, mean and median scores of `random`, `optimal` and `hindsight`."""
    where = "Table 5"
    distributions: dict[str, ScoreDistribution] = {
        "random": random_distribution(game),
        "optimal": rule_distribution(game, optimal_rule(game)),
        "hindsight": hindsight_distribution(game),
    }
    yield number(where, "minimum possible score", "165.0", distributions["optimal"].scores[0])
    medians = {"random": "577", "optimal": "646", "hindsight": "654"}
    means = {"random": "577.5", "optimal": "642.23935", "hindsight": "652.93403"}
    for name, distribution in distributions.items():
        both = " and ".join(map(str, distribution.medians))
        note = (
            f"exactly half of all games end at {distribution.median} or less, so both are medians"
            if len(distribution.medians) > 1
            else ""
        )
        yield claim(
            where, f"median of {name}", medians[name], both, medians[name] in map(str, distribution.medians), note=note
        )
        yield number(where, f"mean of {name}", means[name], distribution.mean)
    yield number(where, "maximum possible score", "990.0", distributions["optimal"].scores[-1])


def simulations(game: Game) -> Iterator[Check]:
    """Section 8: the averages of a million games, and the bins of the histograms."""
    where = "8 Implementations and simulations"
    games = 10**6
    for name, printed, moments in (
        ("optimal", "642.272639", optimal_moments(game)),
        ("hindsight", "652.947393", hindsight_moments(game)),
    ):
        z = float(Fraction(printed) - moments.mean) / (moments.sd / games**0.5)
        yield claim(
            where,
            f"{name}, average of 10^6 games",
            printed,
            f"{float(moments.mean):.6f} ± {moments.sd / games**0.5:.6f} (z = {z:+.2f})",
            abs(z) < 3,
        )
    lowest = sum(game.multipliers) * game.dice.support[0]
    yield claim(
        where,
        "bins of ten, first n",
        "15",
        f"bin 15, 150 to 159, is empty: the smallest score is {lowest}",
        lowest // 10 >= 15,
    )
    highest = sum(game.multipliers) * game.dice.support[-1]
    yield number(where, "bins of ten, last n", "99", highest // 10)


def variants(_: Game) -> Iterator[Check]:
    """Section 9: two loaded dice, Tables 6 and 7."""
    where = "9 Variants"
    dice, n = LOADED.dice, LOADED.size
    die = Game.parse("1d12:12=2", "1").dice
    yield claim(where, "P(12) of one die", "2/13", str(die.probability(12)), die.probability(12) == Fraction(2, 13))
    yield claim(where, "P of another face", "1/13", str(die.probability(1)), die.probability(1) == Fraction(1, 13))
    for x, count in zip(dice.support, LOADED_PROBABILITIES.split(), strict=True):
        yield number("Table 6", f"169 P(X={x})", count, 169 * dice.probability(x), line="169 P(X=x)")
    yield number(where, "E(X)", "13.84615", dice.mean)
    rows = exact_thresholds(dice, n)
    for j in range(n, 0, -1):
        for i, printed in enumerate(LOADED_E_TABLE.strip().splitlines()[j - 1].split()):
            if (j, i) == (5, 1):
                yield misprint(
                    "Table 7",
                    "E_5[2]",
                    printed,
                    float(rows[4][1]),
                    number("Table 7", "E_5[2]", "11.714", rows[4][1]).agrees,
                    f"{float(rows[4][1]):.5f} rounds to 11.714: the paper cut it off",
                )
            else:
                yield number("Table 7", f"E_{j}[{i + 1}]", printed, rows[j - 1][i], line=f"E_{j}[i]")
    yield number(where, "expected score of optimal", "231.11229", exact_subset_values(LOADED)[-1])
    yield number(where, "expected score of hindsight", "236.97840", paper_recurrence(LOADED))
    yield number(where, "expected score of random", "207.69231", random_distribution(LOADED).mean)


def conclusion(_: Game) -> Iterator[Check]:
    """Section 10: the duel."""
    where = "10 Conclusion"
    game = Game.parse("1d6", "1-4")
    cycle = find_cycle(game)
    assert cycle is not None
    beats = {name: f"{result.win} > {result.loss}" for name, result in zip(cycle.names, cycle.results, strict=True)}
    yield claim(
        where,
        "against the score-optimal strategy",
        "you can get an upper hand",
        f"in {game} its best response wins and loses {beats['hunter']}",
        cycle.results[cycle.names.index("hunter")].win > cycle.results[cycle.names.index("hunter")].loss,
    )
    yield claim(
        where,
        "A beats B, B beats C, C beats A",
        "there may be cases",
        f"in {game} {', '.join(f'{name} {chances}' for name, chances in beats.items())}",
        all(result.win > result.loss for result in cycle.results),
    )
    optimal = optimal_rule(game)
    response = exact_response(game, lambda free, _opponent_free, _lead, roll: optimal(free, roll))
    mine, lead, roll = mask_of([1, 3]), -4, 3
    slots = [response(mine, mask_of(theirs), lead, roll) for theirs in ([1, 3], [1, 2])]
    yield claim(
        where,
        "state of the duel",
        "the filled slots and the score obtained so far",
        f"of both players: in {game}, #1 and #3 free, 4 points behind, roll 3, the best response to optimal is "
        f"#{slots[0]} if the opponent has #1 and #3 free, #{slots[1]} if #1 and #2",
        slots == [3, 1],
    )
