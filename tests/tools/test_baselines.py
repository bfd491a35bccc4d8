"""The page of baselines shows what was found, and what was found is as the page tells it."""

import re
from collections.abc import Iterator

import pytest

from benchmarks.learning.q_learning import EXPLORED, GAMES, QLearning
from tentimes18.envs import SOLVED_SHARE, evaluate
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.game import Board, Game
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_law
from tools.baselines import LINES, NAMES, PAGE, PICTURES, plot_learning, read_results, rendered, steps_to_reach
from tools.console import ROOT

RESULTS = read_results()


def test_the_page_shows_what_was_found() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert rendered(text, RESULTS) == text, "run `python -m tools.baselines`"
    assert text.count("<!-- end -->") == 3


def test_the_picture_is_that_of_the_results() -> None:
    figure = plot_learning(RESULTS)
    shown = (PICTURES / "learning.svg").read_text(encoding="utf-8")
    for line in figure.texts[0].get_text().splitlines():
        assert line in shown, "run `python -m tools.baselines`"
    for name in LINES:
        (drawn,) = (line for line in figure.axes[0].lines if line.get_label() == name)
        curve = [(look["steps"], look["regret_a_move"]["value"]) for look in RESULTS[name]["curve"]]
        assert list(zip(drawn.get_xdata(), drawn.get_ydata(), strict=True)) == curve


def test_what_was_found_is_what_the_page_says() -> None:
    assert RESULTS.keys() == NAMES.keys()
    gaps = {name: found["gap_from_regrets"]["value"] for name, found in RESULTS.items()}
    assert gaps["ppo-regret"] < gaps["nearest"] < gaps["ppo-points"] < gaps["q-learning"] < gaps["random"]
    for found in RESULTS.values():
        assert (found["episodes"], found["moves"], found["illegal"]) == (100_000, 1_000_000, 0)
        difference = found["gap_from_regrets"]["value"] - found["gap_from_returns"]["value"]
        assert abs(difference) < 4 * found["gap_from_returns"]["standard_error"]
    for name in ("nearest", "ppo-regret"):
        noisy, sharp = RESULTS[name]["gap_from_returns"], RESULTS[name]["gap_from_regrets"]
        assert abs(noisy["value"]) < 2 * noisy["standard_error"], "not to be told from the best play"
        assert sharp["value"] > 10 * sharp["standard_error"], "told from it"
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    game = Game.classic()
    law = score_law(Board(game), named("optimal"))
    table = QLearning(game.size, len(game.dice.support)).q
    told = [
        f"the standard deviation of a score is {law.sd:.0f} points",
        f"has a table of {len(table):,} states, plays {GAMES:,} games at once",
    ]
    assert [sentence for sentence in told if sentence not in text] == []
    assert EXPLORED == 0.1, "a random slot in one move of ten"


@pytest.mark.parametrize("strategy", ["random", "greedy", "nearest"])
def test_strategies_are_as_far_off_as_their_laws_say(strategy: str) -> None:
    board = Board(Game.classic())
    exact = float(score_law(board, named("optimal")).mean) - float(score_law(board, named(strategy)).mean)
    found = RESULTS[strategy]["gap_from_regrets"]
    assert abs(found["value"] - exact) < 4 * found["standard_error"]


def test_the_table_learns() -> None:
    """A game so small that the learner comes to the best play of all states that it meets."""
    learner = QLearning(slots=3, rolls=6)

    def gaps() -> Iterator[float]:
        yield evaluate(learner, 500, dice="1d6", slots="1-3", seed=1).gap_from_regrets.value
        for _ in learner.learn(Ten18VectorEnv(256, "1d6", "1-3"), [300_000], seed=18):
            yield evaluate(learner, 500, dice="1d6", slots="1-3", seed=1).gap_from_regrets.value

    before, after = gaps()
    assert after < 0.01 < 1 < before


def test_when_a_level_is_reached() -> None:
    looks = [{"steps": steps, "regret_a_move": {"value": value}} for steps, value in ((1, 3), (2, 1), (3, 2), (4, 1))]
    assert steps_to_reach(looks, 1) == 4
    assert steps_to_reach(looks, 2) == 2
    assert steps_to_reach(looks, 0.5) is None


def test_the_lock_file_names_versions_and_hashes_alone() -> None:
    lock = (ROOT / "benchmarks" / "learning" / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    for name, package in (("sb3-contrib", "sb3-contrib"), ("torch", "torch")):
        (pinned,) = set(re.findall(rf"^{package}==(\S+)", lock, re.MULTILINE))
        assert RESULTS["ppo-points"]["versions"][name].partition("+")[0] == pinned


def test_who_has_solved_the_game() -> None:
    """By the share that the environment asks for."""
    way = RESULTS["random"]["gap_from_regrets"]["value"]
    solved = {name for name, found in RESULTS.items() if found["gap_from_regrets"]["value"] < (1 - SOLVED_SHARE) * way}
    assert solved == {"nearest", "ppo-regret"}
