"""Sections 7 and 8 of the paper: knowing the future, the important scores, and simulations."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate

from tentimes18.game import Game
from tentimes18.paper.checks import Check, claim, number, slip
from tentimes18.solve.hindsight import exact_order_statistics, paper_recurrence
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import hindsight_law, random_law, rule_law
from tentimes18.solve.scores.moments import hindsight_moments, optimal_moments
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["important_scores", "knowing_the_future", "simulations"]


def knowing_the_future(game: Game) -> Iterator[Check]:
    """Section 7: the expected score of `hindsight`, by the recurrence for Q and by order statistics.

    >>> any(check.differs for check in knowing_the_future(Game.classic()))
    False
    """
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
    yield slip(
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
    """Table 5: least, greatest, mean and median scores of `random`, `optimal` and `hindsight`.

    >>> any(check.differs for check in important_scores(Game.classic()))
    False
    """
    where = "Table 5"
    laws: dict[str, ScoreLaw] = {
        "random": random_law(game),
        "optimal": rule_law(game, optimal_rule(game)),
        "hindsight": hindsight_law(game),
    }
    yield number(where, "minimum possible score", "165.0", laws["optimal"].scores[0])
    medians = {"random": "577", "optimal": "646", "hindsight": "654"}
    means = {"random": "577.5", "optimal": "642.23935", "hindsight": "652.93403"}
    for name, law in laws.items():
        both = " and ".join(map(str, law.medians))
        note = (
            f"exactly half of all games end at {law.median} or less, so both are medians"
            if len(law.medians) > 1
            else ""
        )
        yield claim(where, f"median of {name}", medians[name], both, medians[name] in map(str, law.medians), note=note)
        yield number(where, f"mean of {name}", means[name], law.mean)
    yield number(where, "maximum possible score", "990.0", laws["optimal"].scores[-1])


def simulations(game: Game) -> Iterator[Check]:
    """Section 8: the averages of a million games, and the bins of the histograms.

    >>> any(check.differs for check in simulations(Game.classic()))
    False
    """
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
    yield slip(
        where,
        "bins of ten, first n",
        "15",
        f"{lowest // 10}",
        lowest // 10 == 16,
        f"bin 15 is 150 to 159, below the smallest score {lowest}: it is always empty",
    )
    highest = sum(game.multipliers) * game.dice.support[-1]
    yield number(where, "bins of ten, last n", "99", highest // 10)
