"""Deterministic agents as rules: their exact values, gaps and exploitability, without a game."""

from typing import Any

import numpy as np
import pytest

from tentimes18.envs import duel_v0, evaluate, exact_gap, rule_of
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import RULES, named
from tentimes18.strategies.strategy import score_distribution

CLASSIC = Game.classic()


def table_of(strategy: str, game: Game = CLASSIC) -> Any:
    rule = RULES[strategy](game)
    rows = [[rule(free, roll) - 1 for roll in game.dice.support] for free in range(1, 1 << game.size)]
    return np.array([[0] * len(game.dice.support), *rows])


def halves(observation: Any, info: dict[str, Any]) -> int:
    free = np.flatnonzero(info["action_mask"])
    return int(free[-1] if observation[-1] > 0.5 else free[0])


def halves_of_many(_: Any, infos: dict[str, Any]) -> Any:
    masks = infos["action_mask"]
    last, first = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), masks.argmax(axis=1)
    return np.where(infos["roll"] > 10.5, last, first)


class Model:
    def predict(self, observations: Any, action_masks: Any) -> Any:
        return halves_of_many(None, {"action_mask": action_masks, "roll": 3 + 15 * observations[:, -1]}), None


@pytest.mark.parametrize("strategy", ["optimal", "nearest", "greedy"])
def test_a_table_is_worth_what_its_rule_is(strategy: str) -> None:
    mean = [score_distribution(Board(CLASSIC), named(name), exact=True).mean for name in ("optimal", strategy)]
    assert exact_gap(table_of(strategy)) == mean[0] - mean[1]


def test_all_forms_of_an_agent_have_one_gap_and_games_agree_with_it() -> None:
    gap = exact_gap(halves)
    assert exact_gap(halves_of_many, batch=True) == exact_gap(Model()) == gap
    estimate, error = evaluate(halves_of_many, 20_000, seed=18, batch=True).gap_from_regrets
    assert abs(estimate - float(gap)) < 4 * error


def test_a_duel_against_a_table() -> None:
    env, table = duel_v0.parallel_env("3d6", "1-4"), table_of("optimal", Game.parse("3d6", "1-4"))
    assert env.exploitability(rule_of(table, dice="3d6", slots="1-4")) == env.exploitability("optimal")


def test_only_moves_that_are_reached_must_be_legal() -> None:
    game = Game.parse("1d6", "1-3")
    lowest = np.zeros((8, 6), dtype=np.int64)
    lowest[[4, 6]] = np.array([[2], [1]])  # of all sets, 111, 110 and 100 are reached
    strategy = rule_of(lowest, dice="1d6", slots="1-3")
    assert score_distribution(Board(game), strategy).mean == 21
    assert strategy.choose(Board(game).place(3, 3), 6) == optimal_rule(game)(3, 6)
    lowest[6, 2] = 0
    with pytest.raises(IllegalMove, match="places 3 in slot 0 where only 1 2 are free"):
        rule_of(lowest, dice="1d6", slots="1-3")


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (np.zeros((8, 5), dtype=int), "accepted: 8 × 6 actions"),
        (np.zeros((8, 6)), "accepted: 8 × 6 actions"),
        (lambda observation, info: 0.5, "places 1 in slot -1"),  # noqa: ARG005
    ],
)
def test_bad_agents(agent: Any, message: str) -> None:
    with pytest.raises(Ten18Error, match=message):
        rule_of(agent, dice="1d6", slots="1-3")
    with pytest.raises(Ten18Error, match="knows 1d6 1,2 only"):
        score_distribution(Board(CLASSIC), rule_of(halves, dice="1d6", slots="1-2"))
