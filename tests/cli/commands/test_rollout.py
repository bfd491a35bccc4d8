"""`ten18 rollout`: JSON, tables for people, what is rejected, and Ctrl-C."""

import json
import re
import signal
from pathlib import Path

from tentimes18 import Board, Game
from tentimes18.simulate.games import count_games
from tentimes18.simulate.run import Run
from tests.support.command import Run as RunTen18
from tests.support.command import read_json
from tests.support.simulated import CLASSIC, law_of_run
from tests.support.terminal import Watched

POSITION = ("rollout", "--moves", "8@5 4@1", "--games", "20000", "--seed", "18")
BOARD = Board.replay(CLASSIC, [(8, 5), (4, 1)])
DUEL = ("rollout", "--dice", "1d6", "--slots", "1-4", "--games", "2000", "--seed", "18")


def test_table(run_here: RunTen18) -> None:
    result = run_here(*POSITION, "--roll", "9")
    found = read_json(run_here(*POSITION, "--roll", "9", "--json"))
    assert result.out.startswith("A roll of 9 after 8@5 4@1, 3d6 1-10: 20,000 games of optimal per slot, seed 18\n")
    best, second = found["moves"][:2]
    assert re.search(rf"^ #4 +{best['mean']:.2f} +{best['stderr']:.2f} +best +{best['exact']:.3f}$", result.out, re.M)
    distance = rf"{-second['difference']:.3f} ± {second['difference_stderr']:.3f} points"
    assert f"#4 is best: #{second['slot']}, the next one, is behind by {distance}.\n" in result.out
    assert f"−{-second['difference']:.3f}" in result.out
    assert re.fullmatch(r"[\d,]+(\.\d million)? games per second\n", result.err)


def test_moves_that_cannot_be_distinguished(run_here: RunTen18) -> None:
    result = run_here("rollout", "--dice", "1d6", "--slots", "2,2.001,3", "--roll", "3", "--games", "10")
    assert re.search(r"#\d and #\d cannot be distinguished: they differ by 0\.\d+ ± 0\.\d+ points\. More", result.out)


def test_moves_that_are_the_same(run_here: RunTen18) -> None:
    result = run_here("rollout", "--dice", "1d6", "--slots", "2,2,3", "--roll", "2", "--games", "100")
    assert "#1 and #2 had the same result in every game.\n" in result.out


def test_target(run_here: RunTen18) -> None:
    result = run_here(*POSITION, "--roll", "9", "--target", "650")
    assert "P(650 or more)" in result.out
    assert re.search(r"^650 or more comes most often after #\d+: in \d+\.\d{3}% of the games\.$", result.out, re.M)


def test_a_function_of_the_user_has_no_exact_value(run_here: RunTen18, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def highest(board, roll):\n    return board.free_slots[-1]\n")
    arguments = ("rollout", "--roll", "9", "--slots", "1-4", "--games", "500", "--strategy", f"{mine}:highest")
    assert "computed" not in run_here(*arguments).out
    assert all(move["exact"] is None for move in read_json(run_here(*arguments, "--json"))["moves"])


def test_the_position_itself(run_here: RunTen18) -> None:
    found = read_json(run_here(*POSITION, "--target", "650", "--json"))
    law = count_games(Run(CLASSIC, ("optimal",), 18, boards=(BOARD,)), 0, 20_000).distribution(CLASSIC)
    assert law_of_run(found) == {float(score): count for score, count in zip(law.scores, law.weights, strict=True)}
    assert found["chance"] == float(law.at_least(650))
    result = run_here(*POSITION, "--target", "650")
    assert "20,000 games of optimal after 8@5 4@1, 3d6 1-10, seed 18\n" in result.out
    wanted = f"650 or more: {found['chance']:.4%} ± {found['chance_stderr']:.4%} of the games; computed: "
    assert f"{wanted}{found['exact']['chance']:.4%}." in result.out
    assert run_here(*POSITION, "--csv").out.startswith("fact,points,computed\nmean,")


def test_duel(run_here: RunTen18) -> None:
    where = ("--moves", "5@3", "--opponent", "5@4", "--strategy", "hunter", "--against", "optimal")
    found = read_json(run_here(*DUEL, *where, "--roll", "2", "--json"))
    assert list(found) == ["strategy", "against", "games", "seed", "roll", "best", "moves", "seconds"]
    assert all(abs(move["equity"] - move["exact"]) <= 5 * move["stderr"] + 1e-12 for move in found["moves"])
    result = run_here(*DUEL, *where, "--roll", "2")
    assert "A roll of 2 after 5@3, 1d6 1-4: 2,000 games of hunter against optimal per slot, seed 18\n" in result.out
    assert "equity: win + draw × 0.5" in result.out


def test_duel_without_a_roll(run_here: RunTen18) -> None:
    game = Game.parse("1d6", "1-4")
    boards = Board(game).place(5, 3), Board(game).place(5, 4)
    where = ("--moves", "5@3", "--opponent", "5@4", "--strategy", "greedy", "--against", "random")
    found = read_json(run_here(*DUEL, *where, "--json"))
    counts = count_games(Run(game, ("greedy", "random"), 18, boards=boards), 0, 2_000)
    assert found["win"] == int(counts.wins[0, 1]) / 2_000
    assert run_here(*DUEL, *where).out.startswith("greedy against random after 5@3, 2,000 games, 1d6 1-4\n")


def test_interrupted() -> None:
    """Ctrl-C in the middle: what has been rolled out so far, and exit code 130."""
    with Watched("rollout", "--roll", "9", "--games", "10000000000", "--json") as terminal:
        terminal.expect("games")
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    found = json.loads(result.out)
    assert 0 < found["games"] < 10_000_000_000
    assert found["best"] == 4
    assert "Traceback" not in result.err
