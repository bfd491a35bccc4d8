"""Answers about ranks alone and about every number of slots, against brute force."""

import json
from fractions import Fraction

import pytest

from tentimes18.answers.ranks import regret_answer, secretary_answer, slots_shown
from tentimes18.assignment import UniformLaw, as_law
from tests.oracle.assignment import law_of_samples, regrets
from tests.oracle.secretary import choose_low_ranks, choose_the_best


def test_the_secretary() -> None:
    best = choose_the_best(5, 2)
    answer = secretary_answer(5, "best", 2, exact=True)
    assert Fraction(str(answer["value"])) == best.value
    assert answer["rule"][0]["choices_left"] == 2
    chances = best.chosen()
    for rank, chance in enumerate(answer["chosen"], start=1):
        assert chance == pytest.approx(float(sum(p for (_, of), p in chances.items() if of == rank)))
    assert -Fraction(str(secretary_answer(5, "rank", 2, exact=True)["value"])) == choose_low_ranks(5, 2).value
    plain = secretary_answer(50, [3, 1], 2)
    assert plain["reward"] == [3.0, 1.0]
    assert json.loads(json.dumps(plain)) == plain


def test_regret() -> None:
    answer = regret_answer(as_law([1, 2, 5]), 4, exact=True)
    wanted = regrets(law_of_samples([1, 2, 5]), 4)
    assert [Fraction(str(regret)) for regret in answer["regret"]] == wanted
    assert Fraction(str(answer["largest"]["regret"])) == max(wanted)
    assert wanted[answer["largest"]["slots"]] == max(wanted)


def test_many_slots_are_thinned_out() -> None:
    answer = regret_answer(UniformLaw(0, 1), 30_000, most=25_000, named="any")
    assert len(answer["slots"]) <= 1000
    assert (answer["slots"][0], answer["slots"][-1]) == (0, 25_000)
    assert answer["law"] == "any"
    assert json.loads(json.dumps(answer)) == answer
    assert slots_shown([0, 1, 2]) == [0, 1, 2]
