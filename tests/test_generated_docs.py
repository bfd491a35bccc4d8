"""Pages and data files in docs that tools write hold what the tools would write today."""

import csv
import io
import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import tools
from benchmarks.learning.q_learning import QLearning
from tentimes18.duel.best_response import best_response
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.envs import evaluate
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.game import Board, Game
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_distribution
from tests.support import ROOT
from tests.support.command import run_for_tools
from tools import alerts, baselines, command_pages, duel_facts, gpu_page, page_pictures, peer_check, results
from tools.console import pages
from tools.site.__main__ import prepare

LEARNED = baselines.read_results()
GPU = gpu_page.read_facts()
SIZES = {size["slots"]: size for size in GPU["sizes"]}
TOLERANCE = 1e-12


def test_every_tool_can_be_imported() -> None:
    """All but those that need what `make site` alone installs."""
    for module in walk_packages(tools.__path__, "tools."):
        if not module.name.endswith(("__main__", ".docstrings")):
            import_module(module.name)


@pytest.mark.slow
def test_tables_of_results() -> None:
    for page in results.PAGES:
        text = page.read_text(encoding="utf-8")
        assert results.rendered(text, run_for_tools) == text, "run `make docs`"
        assert "-->\n|" in text


def test_pages_of_commands() -> None:
    for page in command_pages.pages():
        text = page.read_text(encoding="utf-8")
        assert command_pages.rendered(text) == text, f"{page.name}: run `make docs`"


def test_month_of_alerts() -> None:
    contents = alerts.contents()
    for name, text in contents.items():
        assert (alerts.FOLDER / name).read_text(encoding="utf-8") == text
    rows = list(csv.DictReader(io.StringIO(contents["alerts.csv"])))
    assert all(0 <= float(row["severity"]) <= 100 and 0 <= float(row["hour"]) <= 24 for row in rows)


def test_duel_facts_of_the_pages() -> None:
    facts = duel_facts.duel_facts(duel_facts.SOURCE.read_text(encoding="utf-8"))
    assert json.loads(duel_facts.WRITTEN.read_text(encoding="utf-8")) == facts
    for fact in facts["against_optimal"] + facts["against_equilibrium"]:
        assert fact["win"] + fact["draw"] + fact["loss"] == pytest.approx(1, abs=1e-7)


def test_openspiel_agrees_with_the_solver_in_the_smallest_game() -> None:
    lines = peer_check.marked_table(peer_check.PAGE.read_text(encoding="utf-8")).splitlines(keepends=True)[1:-1]
    assert "".join(lines[:2]) == peer_check.HEAD
    assert len(lines) == 2 + len(peer_check.CASES)
    assert lines[2] == peer_check.row_of(peer_check.CASES[0], peer_check.found_of(peer_check.CASES[0]))


def test_pictures_of_pages() -> None:
    named_pictures = {name for page in pages() for name in re.findall(r"pictures/(page-[\w-]+)\.png", page.read_text())}
    assert sorted(picture.name for picture in page_pictures.SHOWN) == sorted(named_pictures)
    assert all((ROOT / "docs/pictures" / f"{name}.png").exists() for name in named_pictures)


def test_menu_of_the_site_has_every_page(tmp_path: Path) -> None:
    prepare(tmp_path)
    menu = (tmp_path / "zensical.toml").read_text().partition("\nnav = [\n")[2].partition("\n]\n")[0]
    written = {path.relative_to(tmp_path / "docs").as_posix() for path in (tmp_path / "docs").rglob("*.md")}
    assert set(re.findall(r'"([^"]+\.md)"', menu)) == {page for page in written if not page.startswith("decisions/0")}


def test_learning_page() -> None:
    text = baselines.PAGE.read_text(encoding="utf-8")
    assert baselines.rendered(text, LEARNED) == text, "run `python -m tools.baselines`"
    gaps = {name: result["gap_from_regrets"]["value"] for name, result in LEARNED.items()}
    assert gaps["ppo-regret"] < gaps["nearest"] < gaps["ppo-points"] < gaps["q-learning"] < gaps["random"]


@pytest.mark.parametrize("strategy", ["random", "greedy", "nearest"])
def test_learning_page_agrees_with_the_exact_distributions(strategy: str) -> None:
    board = Board(Game.classic())
    exact = float(score_distribution(board, named("optimal")).mean) - float(
        score_distribution(board, named(strategy)).mean
    )
    gap = LEARNED[strategy]["gap_from_regrets"]
    assert abs(gap["value"] - exact) < 4 * gap["standard_error"]


def test_q_learning_solves_a_small_game() -> None:
    learner = QLearning(slots=3, rolls=6)
    before = evaluate(learner, 500, dice="1d6", slots="1-3", seed=1).gap_from_regrets.value
    list(learner.learn(Ten18VectorEnv(256, "1d6", "1-3"), [300_000], seed=18))
    after = evaluate(learner, 500, dice="1d6", slots="1-3", seed=1).gap_from_regrets.value
    assert after < 0.01 < 1 < before


def test_gpu_pages_show_the_measurements() -> None:
    assert gpu_page.PAGE.read_text(encoding="utf-8") == gpu_page.page(GPU)
    assert gpu_page.sizes_table(GPU) in (ROOT / "docs" / "research" / "duel.md").read_text(encoding="utf-8")


def test_gpu_agreed_with_the_processor() -> None:
    for result in (*GPU["tables"], *GPU["others"], *GPU["certified"]):
        assert result.get("difference", 0) <= TOLERANCE
        assert result["largest_gain"] <= TOLERANCE
    assert all(SIZES[slots]["error"] <= TOLERANCE for slots in (11, 12, 13, 14))
    assert all(result["equal"] for result in GPU["compared_games"].values() if isinstance(result, dict))


@pytest.mark.parametrize("slots", [4, 5])
def test_gpu_measurements_of_small_sizes_are_those_of_the_processor(slots: int) -> None:
    game = Game.parse("3d6", f"1-{slots}")
    table, size = solve_equilibrium(game), SIZES[slots]
    assert size["positions"] == len(table.values) - 1
    assert size["games"] == sum(count.matrix_games for count in table.counts)
    free = game.all_free ^ 1 ^ 1 << slots - 1
    assert size["lead"] == pytest.approx(table.windows.read(table.values, free, free, gpu_page.LEAD), abs=TOLERANCE)
    assert size["hunter"] == pytest.approx(best_response(game, optimal_rule(game)).outcome.equity, abs=TOLERANCE)
