"""The law of a score: what the answer says is what the law says."""

from fractions import Fraction

import pytest

from tentimes18.answers.distribution import (
    QUANTILES,
    Asked,
    DistributionAnswer,
    MomentsAnswer,
    SlotLawsAnswer,
    describe,
    distribution,
    find_laws,
    moments,
    per_slot,
)
from tentimes18.answers.numbers import fraction_text, plain
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.game import Board, Game
from tentimes18.plan import Limits
from tentimes18.solve.scores.moments import hindsight_moments, optimal_moments, random_moments, slot_laws
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.user_code import find_known
from tests.support.answers import assert_answer

ODD = Game.parse("d{-5,0,7}:0=3", "-2,0,1/2,3")
STRATEGIES = ["optimal", "random", "hindsight", "nearest", "target:3", "cvar:0.25"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_floats(strategy: str) -> None:
    board = Board(ODD).place(7, 3)
    law = named(strategy).law(board)
    answer = distribution(board, strategy, at_least=[3, Fraction(7, 2)])
    assert_answer(answer, DistributionAnswer)
    assert answer == {
        "strategy": strategy,
        "mean": float(law.mean),
        "variance": float(law.variance),
        "sd": law.sd,
        "skewness": law.skewness,
        "median": plain(law.median),
        "medians": [plain(score) for score in law.medians],
        "quantiles": {q: plain(law.quantile(Fraction(q))) for q in QUANTILES},
        "exact": True,
        "pmf": [(plain(score), float(law.probability(score))) for score in law.scores],
        "at_least": {"3": float(law.at_least(3)), "7/2": float(law.at_least(Fraction(7, 2)))},
    }


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_fractions(strategy: str) -> None:
    law = named(strategy).law(Board(ODD))
    answer = distribution(Board(ODD), strategy, exact=True)
    assert_answer(answer, DistributionAnswer)
    assert answer["mean"] == fraction_text(law.mean)
    assert answer["median"] == fraction_text(law.median)
    assert [(Fraction(score), Fraction(chance)) for score, chance in answer["pmf"]] == [
        (score, law.probability(score)) for score in law.scores
    ]
    assert "at_least" not in answer


def test_summary_leaves_the_scores_out() -> None:
    whole = distribution(Board(ODD), "optimal")
    short = distribution(Board(ODD), "optimal", summary=True)
    assert_answer(short, DistributionAnswer)
    assert whole == short | {"pmf": whole["pmf"]}


@pytest.mark.parametrize("exact", [False, True])
def test_or_less_and_or_more(exact: bool) -> None:
    law = named("optimal").law(Board(ODD))
    asked = Asked(at_least=[3], at_most=[Fraction(7, 2), -99], exact=exact, cumulative=True)
    answer = describe("optimal", law, asked)
    assert_answer(answer, DistributionAnswer)
    write = fraction_text if exact else float
    assert answer["at_least"] == {"3": write(law.at_least(3))}
    assert answer["at_most"] == {"7/2": write(law.at_most(Fraction(7, 2))), "-99": write(Fraction(0))}
    below = Fraction(0)
    for (score, at_most, at_least), own in zip(answer["cumulative"], law.scores, strict=True):
        assert Fraction(score) == own
        assert at_least == write(1 - below)
        below += Fraction(law.probability(own))
        assert at_most == write(below)
    assert below == 1


def test_laws_of_several_strategies() -> None:
    board = Board(ODD).place(7, 3)
    laws = find_laws(board, STRATEGIES)
    assert list(laws) == STRATEGIES
    for name, law in laws.items():
        assert law == named(name).law(board)
    with pytest.raises(UnknownStrategy):  # before the law of the first takes its time
        find_laws(Board(Game.parse("3d6", "1-22")), ["optimal", "lucky"])


def test_float64_where_exact_takes_too_long() -> None:
    dice = "d6:" + ",".join(f"{face}={10**2000 + face}" for face in range(1, 7))  # long numbers, few scores
    board = Board(Game.parse(dice, "1-12"))
    answer = distribution(board, "optimal", summary=True)
    assert_answer(answer, DistributionAnswer)
    assert not answer["exact"]
    assert answer["mean"] == pytest.approx(float(optimal_moments(Game.parse("1d6", "1-12")).mean), rel=1e-12)
    with pytest.raises(TooLarge, match="the exact law of the score"):
        distribution(board, "optimal", exact=True, limits=Limits(8e9, 10))


def test_names_are_data_unless_code_is_let_in() -> None:
    with pytest.raises(UnknownStrategy):
        distribution(Board(Game.parse("1d6", "1-3")), "utility:math:sqrt")
    answer = distribution(Board(Game.parse("1d6", "1-3")), "utility:math:sqrt", find=find_known)
    assert_answer(answer, DistributionAnswer)


@pytest.mark.parametrize(
    ("strategy", "compute"),
    [("optimal", optimal_moments), ("hindsight", hindsight_moments), ("random", random_moments)],
)
def test_moments(strategy: str, compute: object) -> None:
    assert callable(compute)
    found = compute(ODD)
    answer, exact = moments(ODD, strategy), moments(ODD, strategy, exact=True)
    assert_answer(answer, MomentsAnswer)
    assert_answer(exact, MomentsAnswer)
    assert answer == {
        "strategy": strategy,
        "mean": float(found.mean),
        "variance": float(found.variance),
        "sd": found.sd,
    }
    assert (Fraction(exact["mean"]), Fraction(exact["variance"])) == (found.mean, found.variance)


def test_moments_that_are_not_known() -> None:
    with pytest.raises(Ten18Error, match="accepted: optimal, hindsight, random") as refused:
        moments(ODD, "cvar:0.1")
    assert (refused.value.field, refused.value.given) == ("strategy", "cvar:0.1")


def test_per_slot() -> None:
    laws = slot_laws(ODD.dice, ODD.size)
    answer, exact = per_slot(ODD), per_slot(ODD, exact=True)
    assert_answer(answer, SlotLawsAnswer)
    assert_answer(exact, SlotLawsAnswer)
    assert answer["rolls"] == [-5, 0, 7]
    assert answer["slots"] == [[float(chance) for chance in law] for law in laws]
    assert [[Fraction(chance) for chance in law] for law in exact["slots"]] == laws


def test_slots_that_have_no_law_of_their_own() -> None:
    with pytest.raises(Ten18Error) as refused:
        per_slot(ODD, "random")
    assert refused.value.field == "strategy"
    with pytest.raises(InvalidGame) as equal:
        per_slot(Game.parse("1d6", "1,1"))
    assert equal.value.field == "slots"
