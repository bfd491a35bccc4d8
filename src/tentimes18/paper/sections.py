"""The paper, section by section: every number that it prints beside ours, and its misprints.

The printed tables come first; tables of thresholds have row j = 1 first, first moves are roll, slot, score.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
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
    sections: dict[str, Callable[[Game], Iterator[Check]]] = {
        "1 Introduction": introduction,
        "2 Preliminaries": preliminaries,
        "3 Why is this complicated?": complicated,
        "4 Dynamic Programming": dynamic_programming,
        "5 Playing the game": playing,
        "6 Polynomial time and space": polynomial,
        "7 Knowing the future": knowing_the_future,
        "Table 5": important_scores,
        "8 Implementations and simulations": simulations,
        "9 Variants": variants,
        "10 Conclusion": conclusion,
    }
    checks: list[Check] = []
    for done, (heading, section) in enumerate(sections.items(), start=1):
        checks += [replace(check, where=check.where or heading) for check in section(Game.classic())]
        if progress:
            progress(done, len(sections))
    return checks


def introduction(game: Game) -> Iterator[Check]:
    """Section 1: the smallest and the largest score, Fig. 1, and the first examples."""
    support, multipliers = game.dice.support, game.multipliers
    rows = exact_thresholds(game.dice, game.size)
    board = Board(game).place(8, 5).place(4, 1)
    yield number("smallest score", "165", sum(multipliers) * support[0])
    yield number("largest score", "990", sum(multipliers) * support[-1])
    yield number("8 in #5", "40", multipliers[4] * 8, "Fig. 1")
    yield number("4 in #1", "4", multipliers[0] * 4, "Fig. 1")
    yield number("after two rolls", "44", board.score, "Fig. 1")
    chance = rule_distribution(game, optimal_rule(game)).at_least(698)
    better = f"better than {float(1 - chance):.1%} of the games of optimal"
    yield claim("a total of 698", "an excellent score", better, chance < Fraction(1, 4), "Fig. 1")
    extremes = all(row.rank(3) == 1 and row.rank(18) == len(row) + 1 for row in rows)
    yield claim("3 and 18", "to the lowest and highest free slot", "for every number of free slots", extremes)
    odd, even = (advise_slots(game, range(start, 11, 2), 7).best for start in (1, 2))
    slots = f"#{odd} and #{even}, each the 1st free slot"
    yield claim("7, all even or all odd slots taken", "the same problem", slots, odd == 1 and even == 2)


def preliminaries(game: Game) -> Iterator[Check]:
    """Section 2: Table 1, the distribution of three dice, and the expected score of `random`."""
    die = Game.parse("1d6", "1").dice
    for x, count in zip(game.dice.support, PROBABILITIES.split(), strict=True):
        yield number(f"216 P(X={x})", count, 216 * game.dice.probability(x), "Table 1", "216 P(X=x)")
    yield number("E(X)", "10.5", game.dice.mean)
    yield number("E(X') of one die", "3.5", die.mean)
    yield number("expected score of random", "577.5", random_distribution(game).mean)


def complicated(game: Game) -> Iterator[Check]:
    """Section 3: the size of the tree of all games."""
    rolls, n = len(game.dice.support), game.size
    leaves = prod(rolls * free for free in range(1, n + 1))
    yield number("edges from the root", "160", rolls * n)
    yield number("edges from the next node", "144", rolls * (n - 1))
    yield number("nodes at the second level", "23040", rolls * n * rolls * (n - 1))
    yield number("nodes at the last level", "3.99e18", leaves)
    yield claim("16^10 10!", "the last level", str(leaves), leaves == rolls**n * factorial(n))
    yield claim("a byte for each", "several exabytes", f"{leaves / 1e18:.2f} exabytes", 2 <= leaves / 1e18 < 10)


def dynamic_programming(game: Game) -> Iterator[Check]:
    """Section 4: M over the free sets, and Table 2."""
    values, everything = exact_subset_values(game), game.all_free
    yield number("subsets", "1024", len(values))
    is_of_free = values[0] == 0 and values[everything] > 0
    why = f"M[∅] = 0 and M[B] = {float(values[everything]):.1f} fit only if A is free: on a full board the value is 0"
    yield misprint("M[A]", "slots A have been filled", "A is the set of free slots", is_of_free, why)
    singles = all(values[1 << (i - 1)] == i * game.dice.mean for i in range(1, game.size + 1))
    is_slot = singles and game.dice.support[-1] > game.size
    why = f"i is a slot, 1 to {game.size}; 3 to 18 leaves out #1 and #2, and there is no slot above #10"
    yield misprint("M[{i}] = i E(X)", "for i = x_min, ..., x_max", "for i in B", is_slot, why)
    yield number("M[B]", "642.2393504256", values[everything])
    nine = [values[everything ^ mask_of([i])] for i in range(1, game.size + 1)]
    for i, printed in enumerate(M_NINE.split(), start=1):
        line = f"M[B-{{i}}], i = {'1-5' if i <= 5 else '6-10'}"
        yield number(f"M[B-{{{i}}}]", printed, nine[i - 1], "Table 2", line)
    falling = all(high > low for high, low in pairwise(nine))
    ends = f"{float(nine[0]):.2f} to {float(nine[-1]):.2f}"
    yield claim("with higher i", "the expected score drops", ends, falling, "Table 2")
    printed = "for small i we have used up more of the high-scoring slots"
    why = f"using up #10 leaves {float(nine[-1]):.2f}, using up #1 leaves {float(nine[0]):.2f}"
    yield misprint("why it drops", printed, "for large i", falling, why, "Table 2")


def playing(game: Game) -> Iterator[Check]:
    """Section 5: Table 3, the first moves, and the closest calls."""
    advice = {x: advise(Board(game), x) for x in game.dice.support}
    values = exact_subset_values(game)
    literal = max(range(1, 11), key=lambda i: i * 3 + values[mask_of([i])])
    is_wrong = literal != 1 and advice[3].best == 1
    why = f"taken with the M that Eq. (1) computes, the printed rule puts a first roll of 3 into #{literal}, not #1"
    yield misprint("the move", "max of i x + M[A ∪ {i}], A filled", "max of i x + M[free - i]", is_wrong, why)
    cells = FIRST_MOVE.split()
    for x, slot in zip(cells[::3], cells[1::3], strict=True):
        ours, line = f"#{advice[int(x)].best}", "slot for a first roll 3-18"
        yield Check(f"slot for a first roll {x}", f"#{slot}", ours, ours == f"#{slot}", where="Table 3", line=line)
    for x, value in zip(cells[::3], cells[2::3], strict=True):
        first = 3 + (int(x) - 3) // 4 * 4
        line = f"E(score) after a first roll {first}-{first + 3}"
        yield number(f"E(score) after a first roll {x}", value, advice[int(x)].moves[0].worth, "Table 3", line)
    best = {x: advice[x].best for x in advice}
    yield claim("6 still goes to", "#1", f"#{best[6]}", best[6] == 1)
    yield claim("15 still goes to", "#10", f"#{best[15]}", best[15] == 10)
    for rolls in (range(3, 7), range(15, 19)):
        chance = sum(game.dice.probability(x) for x in rolls)
        name = f"P({rolls[0]} to {rolls[-1]})"
        yield claim(name, "less than 10%", f"{float(chance):.2%}", chance < Fraction(1, 10))
    never = sorted(set(range(1, 11)) - set(best.values()))
    yield claim("never for a first roll", "#3, #8", ", ".join(f"#{slot}" for slot in never), never == [3, 8])
    yield number("9 in #3 instead of #4", "630.39355", advice[9].move(3).worth)
    closest = closest_calls(game, first_move=True)
    for call, item in zip(closest, ("closest first move: 9 in #3", "and 12 in #8"), strict=True):
        yield number(item, "0.03455", call.loss)
    ours = "; ".join(f"{call.roll}: #{call.best} or #{call.runner_up}" for call in closest)
    printed = "9: #4 or #3; 12: #7 or #8"
    yield claim("closest first moves", printed, ours, ours == printed and advice[9].moves[1].slot == 3)
    calls = closest_calls(game)
    yield number("closest call of the game", "0.02989", calls[0].loss)
    ten = next(call for call in calls if call.roll == 10)
    ours = f"{ten.free_count} free slots, roll {', '.join(str(call.roll) for call in calls)}"
    is_so = ten.free_count == 7 and ten.example == tuple(range(1, 8))
    note = (
        f"so it is with any seven free slots whose 3rd and 4th are neighbours "
        f"({ten.free_sets} of {comb(10, 7)} sets), and by symmetry for a roll of 11"
    )
    yield claim("it is", "10 with seven consecutive free slots", ours, is_so, note=note)


def polynomial(game: Game) -> Iterator[Check]:
    """Section 6: the exchange argument, the recurrence for E_j, and Table 4."""
    n = game.size
    rows = exact_thresholds(game.dice, n)
    yield claim("1024 entries on a ZX81", "do not fit in 1 kilobyte", f"{8 * 2**n} bytes", 8 * 2**n > 1024)
    for slots, unit, name in ((20, 1e6, "megabytes"), (30, 1e9, "gigabytes"), (40, 1e12, "terabytes")):
        size = 8 * 2**slots / unit
        yield claim(f"table M for {slots} slots", name, f"{size:.1f} {name}", 1 <= size < 1000)
    atoms = 10**80
    yield number("largest table with 10^80 atoms", "265", atoms.bit_length() - 1)
    coin = Game.parse("d{1,2}", "1-10")
    trivial = all(row.rank(1) == 1 and row.rank(2) == len(row) + 1 for row in exact_thresholds(coin.dice, 9))
    yield claim("a coin: 1 and 2", "to the first and last free slot", "for every number of free slots", trivial)
    low, high = exact_thresholds(Game.parse("d{3}", "1,2").dice, 2)[1]
    is_equal = low >= high and not (low - high) * (2 - 1) > 0
    why = f"dice that always show 3 have E(Y_1) = E(Y_2) = {low}: the exchange gains 0, not more than 0"
    yield misprint("exchange argument", "E(Y_i) >= E(Y_j)", "E(Y_i) > E(Y_j)", is_equal, why)
    tied = advise(Board(Game.parse("2d6", "1,2")), 7)
    why = f"two dice, slots 1 and 2: a roll of 7 is worth {tied.moves[0].worth} in either slot"
    is_tie = tied.best_slots == (1, 2)
    yield misprint("any other free slot", "suboptimal", "suboptimal or equally good", is_tie, why)
    first, second = rows[0], rows[1]  # E_2[1] by the printed recurrence, with the index of x among E_2 itself
    literal = sum(
        (game.dice.probability(x) * (x if second.rank(x) == 1 else first[0]) for x in game.dice.support), Fraction(0)
    )
    why = (
        f"E_2[1] needs the place of x among E_1 = (10.5): that gives {float(second[0]):.3f} as printed; "
        f"its place among E_2 itself gives {float(literal):.3f}"
    )
    yield misprint("recurrence for E_j", "I_j(x)", "I_{j-1}(x)", literal != second[0], why)
    for j in range(n, 0, -1):
        for i, printed in enumerate(E_TABLE.strip().splitlines()[j - 1].split()):
            yield number(f"E_{j}[{i + 1}]", printed, rows[j - 1][i], "Table 4", f"E_{j}[i]")
    yield number("Σ i E_10[i]", "642.2393504256", rows[-1].value(game.multipliers))
    four = {x: rows[3].rank(x) for x in game.dice.support}
    for rank, printed in enumerate(("3-8", "9", "10-11", "12", "13-18"), start=1):
        rolls = [x for x in four if four[x] == rank]
        text = f"{rolls[0]}-{rolls[-1]}" if len(rolls) > 1 else str(rolls[0])
        yield claim(f"five free slots, to slot {rank}", printed, text, text == printed)


def knowing_the_future(game: Game) -> Iterator[Check]:
    """Section 7: the expected score of `hindsight`, by the recurrence for Q and by order statistics."""
    n = game.size
    best, optimal = paper_recurrence(game), exact_thresholds(game.dice, n)[-1].value(game.multipliers)
    lowest, highest = game.dice.probability(3) ** n, game.dice.probability(18) ** n
    yield number("expected score of optimal", "642.2", optimal)
    yield number("1 / P(ten rolls of 18)", "221073919720733357899776", 1 / highest)
    yield number("P(ten rolls of 18)", "4.52e-24", highest)
    yield claim("ten rolls of 3", "with the same probability", f"{float(lowest):.2e}", lowest == highest)
    upto = list(accumulate(game.multipliers, initial=0))
    closed = all(
        upto[j] - upto[i - 1] == Fraction((j + 1) * j - i * (i - 1), 2)
        for j in range(1, n + 1)
        for i in range(1, j + 1)
    )
    yield claim("S(i, j)", "((j+1) j - i (i-1)) / 2", "the same for all i <= j", closed)
    least = paper_recurrence(Game(Game.parse("d{3}", "1").dice, game.multipliers))
    printed = "score of L - l rolls x >= y; the other l are < y and not scored"
    meant = "score of the l rolls in the lowest slots, known to be <= y"
    why = f"for y = x_min, l = L the recurrence gives {least}, the score of ten rolls of 3; the text has 0 rolls scored"
    yield misprint("Q[y, l]", printed, meant, least == 165, why)
    yield number("Q[x_max, L]", "652.93403", best)
    statistics = exact_order_statistics(game.dice, n)
    same = sum(i * mean for i, mean in zip(game.multipliers, statistics, strict=True)) == best
    yield claim("by order statistics", "652.93403", f"{float(best):.5f}, exactly the same", same)
    gain = best - optimal
    yield claim("gain of hindsight", "about ten points", f"{float(gain):.5f}", 9.5 < gain < 11)


def important_scores(game: Game) -> Iterator[Check]:
    """Table 5: least, greatest, mean and median scores of `random`, `optimal` and `hindsight`."""
    optimal = rule_distribution(game, optimal_rule(game))
    yield number("minimum possible score", "165.0", optimal.scores[0])
    for name, distribution, median, mean in (
        ("random", random_distribution(game), "577", "577.5"),
        ("optimal", optimal, "646", "642.23935"),
        ("hindsight", hindsight_distribution(game), "654", "652.93403"),
    ):
        medians, note = [str(score) for score in distribution.medians], ""
        if len(medians) > 1:
            note = f"exactly half of all games end at {distribution.median} or less, so both are medians"
        yield claim(f"median of {name}", median, " and ".join(medians), median in medians, note=note)
        yield number(f"mean of {name}", mean, distribution.mean)
    yield number("maximum possible score", "990.0", optimal.scores[-1])


def simulations(game: Game) -> Iterator[Check]:
    """Section 8: the averages of a million games, and the bins of the histograms."""
    for name, printed, moments in (
        ("optimal", "642.272639", optimal_moments(game)),
        ("hindsight", "652.947393", hindsight_moments(game)),
    ):
        error = moments.sd / 1e6**0.5
        z = float(Fraction(printed) - moments.mean) / error
        ours = f"{float(moments.mean):.6f} ± {error:.6f} (z = {z:+.2f})"
        yield claim(f"{name}, average of 10^6 games", printed, ours, abs(z) < 3)
    lowest, highest = (sum(game.multipliers) * game.dice.support[end] for end in (0, -1))
    empty = f"bin 15, 150 to 159, is empty: the smallest score is {lowest}"
    yield claim("bins of ten, first n", "15", empty, lowest // 10 >= 15)
    yield number("bins of ten, last n", "99", highest // 10)


def variants(_: Game) -> Iterator[Check]:
    """Section 9: two loaded dice, Tables 6 and 7."""
    dice, n = LOADED.dice, LOADED.size
    die = Game.parse("1d12:12=2", "1").dice
    for item, face, printed in (("P(12) of one die", 12, "2/13"), ("P of another face", 1, "1/13")):
        chance = str(die.probability(face))
        yield claim(item, printed, chance, chance == printed)
    for x, count in zip(dice.support, LOADED_PROBABILITIES.split(), strict=True):
        yield number(f"169 P(X={x})", count, 169 * dice.probability(x), "Table 6", "169 P(X=x)")
    yield number("E(X)", "13.84615", dice.mean)
    rows = exact_thresholds(dice, n)
    for j in range(n, 0, -1):
        for i, printed in enumerate(LOADED_E_TABLE.strip().splitlines()[j - 1].split()):
            ours, item = rows[j - 1][i], f"E_{j}[{i + 1}]"
            if item == "E_5[2]":
                is_cut = number(item, "11.714", ours).agrees
                why = f"{float(ours):.5f} rounds to 11.714: the paper cut it off"
                yield misprint(item, printed, float(ours), is_cut, why, "Table 7")
            else:
                yield number(item, printed, ours, "Table 7", f"E_{j}[i]")
    yield number("expected score of optimal", "231.11229", exact_subset_values(LOADED)[-1])
    yield number("expected score of hindsight", "236.97840", paper_recurrence(LOADED))
    yield number("expected score of random", "207.69231", random_distribution(LOADED).mean)


def conclusion(_: Game) -> Iterator[Check]:
    """Section 10: the duel."""
    game = Game.parse("1d6", "1-4")
    cycle = find_cycle(game)
    assert cycle is not None
    results = dict(zip(cycle.names, cycle.results, strict=True))
    beats = {name: f"{result.win} > {result.loss}" for name, result in results.items()}
    is_ahead = {name: result.win > result.loss for name, result in results.items()}
    ours = f"in {game} its best response wins and loses {beats['hunter']}"
    yield claim("against the score-optimal strategy", "you can get an upper hand", ours, is_ahead["hunter"])
    ours = f"in {game} {', '.join(f'{name} {chances}' for name, chances in beats.items())}"
    yield claim("A beats B, B beats C, C beats A", "there may be cases", ours, all(is_ahead.values()))
    optimal = optimal_rule(game)
    response = exact_response(game, lambda free, _opponent_free, _lead, roll: optimal(free, roll))
    mine, lead, roll = mask_of([1, 3]), -4, 3
    slots = [response(mine, mask_of(theirs), lead, roll) for theirs in ([1, 3], [1, 2])]
    ours = (
        f"of both players: in {game}, #1 and #3 free, 4 points behind, roll 3, the best response to optimal is "
        f"#{slots[0]} if the opponent has #1 and #3 free, #{slots[1]} if #1 and #2"
    )
    yield claim("state of the duel", "the filled slots and the score obtained so far", ours, slots == [3, 1])
