"""The circle: exact results of rules that see both boards."""

from fractions import Fraction

import pytest

from tentimes18 import Game, TooLarge
from tentimes18.duel.best_response import best_response, fixed_duel
from tentimes18.duel.response_cycle import DuelRule, exact_response, find_cycle, result
from tentimes18.solve.thresholds import Rule, optimal_rule
from tentimes18.strategies.named import greedy, nearest

GAMES = [Game.parse("1d6", "1-3"), Game.parse("1d4", "1-4"), Game.parse("d{-1,2,5}:2=3", "-1,1/2,2")]


def seeing_both(rule: Rule) -> DuelRule:
    return lambda free, _opponent_free, _lead, roll: rule(free, roll)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_results_agree_with_the_kernels(game: Game) -> None:
    rules: list[Rule] = [optimal_rule(game), nearest(game), greedy(game)]
    for mine in rules:
        for theirs in rules:
            exact = result(game, seeing_both(mine), seeing_both(theirs))
            assert exact.win + exact.draw + exact.loss == 1
            found = fixed_duel(game, mine, theirs)
            assert (found.win, found.draw, found.loss) == pytest.approx(
                (float(exact.win), float(exact.draw), float(exact.loss)), abs=1e-12
            )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_best_responses_agree_with_the_kernels(game: Game) -> None:
    for rule in (optimal_rule(game), nearest(game), greedy(game)):
        exact = result(game, exact_response(game, seeing_both(rule)), seeing_both(rule))
        assert float(exact.win + exact.draw / 2) == pytest.approx(best_response(game, rule).outcome.equity, abs=1e-12)


def test_the_circle_closes() -> None:
    game = Game.parse("1d6", "1-4")
    cycle = find_cycle(game)
    assert cycle is not None
    assert cycle.names == ("optimal", "response 2", "hunter")
    assert all(r.win > r.loss and r.win + r.draw + r.loss == 1 for r in cycle.results)
    assert cycle.results[0].win - cycle.results[0].loss == Fraction(13, 216) - Fraction(61, 1296)


def test_no_circle_where_optimal_cannot_be_beaten() -> None:
    assert find_cycle(Game.parse("1d3", "1-2")) is None


def test_too_large() -> None:
    with pytest.raises(TooLarge, match=r"exact best responses on 10 slots needs .* of memory; the limit is"):
        find_cycle(Game.classic())
