"""`ten18 simulate` and `duel play`: JSON, tables, saved games, clusters."""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tentimes18 import Board, Game, named, score_distribution
from tentimes18.duel.several_players import table_shares
from tentimes18.records.notation import parse_moves
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.games import count_games
from tentimes18.simulate.players import seat_of
from tentimes18.simulate.run import Run
from tests.support.command import Run as RunTen18
from tests.support.command import problems, read_json
from tests.support.simulated import CLASSIC, law_of_run


def test_seed(run_here: RunTen18) -> None:
    """Any integer; the same one gives the same games, here in another process."""
    found = read_json(run_here("simulate", "--games", "5000", "--seed=-7", "--json"))
    laws = [count_games(Run(CLASSIC, ("optimal",), seed), 0, 5_000).distribution(CLASSIC) for seed in (-7, 8)]
    same, other = ({float(s): count for s, count in zip(law.scores, law.weights, strict=True)} for law in laws)
    assert law_of_run(found) == same != other


def test_simulate_table(run_here: RunTen18) -> None:
    """What people read, and the speed on standard error, where it is in nobody's way."""
    result = run_here("simulate", "--games", "20000", "--seed", "18")
    law = count_games(Run(CLASSIC, ("optimal",), 18), 0, 20_000).distribution(CLASSIC)
    assert result.code == 0
    assert "20,000 games of optimal, 3d6 1-10, seed 18" in result.out
    assert f"{float(law.mean):.5f}" in result.out
    assert f"{law.sd:.5f}" in result.out
    assert re.search(r"mean off by [+−]\d\.\d\d standard errors; chi-square .* \(p = 0\.\d{3}\)\.", result.out)
    assert re.fullmatch(r"[\d,]+(\.\d million)? games per second\n", result.err)
    assert "per second" not in result.out
    exact = score_distribution(Board(CLASSIC), named("optimal"))
    assert re.search(rf"mean +{float(law.mean):.5f} +{float(exact.mean):.5f}\n", result.out)


def test_nothing_is_said_where_nothing_was_tested(run_here: RunTen18) -> None:
    """One game, and dice with one roll: no chi-square without degrees of freedom, no distance without a spread."""
    result = run_here("simulate", "--games", "1", "--seed", "18")
    assert result.out.startswith("1 game of optimal, 3d6 1-10, seed 18\n")
    assert "standard errors." in result.out
    assert "chi-square" not in result.out
    result = run_here("simulate", "--games", "100", "--dice", "d{7}", "--slots", "1-3")
    assert "Compared" not in result.out
    found = read_json(run_here("simulate", "--games", "1", "--json"))
    assert found["fit"]["degrees"] == 0


def test_scores_that_are_not_whole(run_here: RunTen18) -> None:
    """As many digits as the mean has for people, all of them for programs; and a real minus."""
    arguments = ("simulate", "--games", "1000", "--dice", "1d6-5", "--slots", "1/3,1/7")
    result, found = run_here(*arguments), read_json(run_here(*arguments, "--json"))
    assert f"{found['quantiles']['0.05']:.5f}".replace("-", "−") in result.out
    assert str(found["quantiles"]["0.05"]).startswith("-")
    assert not re.search(r"\d\.\d{6}", result.out)
    assert not re.search(r"(?<!\w)-\d", result.out.partition("\n")[2])


def test_a_duel_strategy_alone(run_here: RunTen18, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option that was given is blamed, before a table is made."""
    monkeypatch.setattr("tentimes18.queries.simulations.hunter", lambda *_: pytest.fail("a table is made"))
    result = run_here("simulate", "--strategy", "hunter")
    assert problems(result, "--strategy:") == []
    assert "--strategies" not in result.err


def test_from_a_game_in_play(run_here: RunTen18) -> None:
    board = Board.replay(CLASSIC, [(8, 5), (4, 1)])
    arguments = ("simulate", "--moves", "8@5 4@1", "--games", "20000", "--seed", "18")
    found = read_json(run_here(*arguments, "--json"))
    law = count_games(Run(CLASSIC, ("optimal",), 18, boards=(board,)), 0, 20_000).distribution(CLASSIC)
    assert law_of_run(found) == {float(score): count for score, count in zip(law.scores, law.weights, strict=True)}
    assert abs(found["fit"]["z"]) < 4
    assert "20,000 games of optimal after 8@5 4@1, 3d6 1-10, seed 18" in run_here(*arguments).out


@pytest.mark.parametrize(
    "command",
    [
        ["simulate"],
        ["rollout", "--roll", "9"],
        ["duel", "play", "optimal", "random"],
        ["tournament", "--strategies", "optimal,random"],
        ["plot", "scores", "-o", "{folder}/a.png"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_seeds_are_integers_of_any_sign_and_of_100_digits_at_most(
    run_here: RunTen18, command: list[str], tmp_path: Path
) -> None:
    words = [word.format(folder=tmp_path) for word in command]
    for seed in ("-1", "9" * 100, "-" + "9" * 100):
        assert run_here(*words, "--games", "10", f"--seed={seed}").code == 0
    for seed in ("1" + "0" * 100, "-1" + "0" * 100, "9" * 6000):
        result = run_here(*words, "--games", "10", f"--seed={seed}")
        wanted = "ten18: --seed: too long; accepted: integers of up to 100 digits, also negative\n"
        assert (result.code, result.out, result.err) == (2, "", wanted)


@pytest.mark.parametrize("name", ["hindsight", "random"])
def test_distribution_that_takes_too_long_is_left_out(run: RunTen18, name: str) -> None:
    """A run does not wait long for the exact distribution to compare with, nor fill the memory with it."""
    arguments = ("simulate", "--slots", "1-300", "--strategy", name, "--games", "100", "--json")
    found = read_json(run(*arguments, limit="-v 4000000"))
    assert (found["games"], found["fit"]) == (100, None)


def saved_games(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; numbers are read from CSV as JSON writes them."""
    with path.open(newline="", encoding="utf-8") as file:
        if path.suffix.lower() == ".ndjson":
            return [json.loads(line) for line in file]
        numbers = ("version", "score", "seed", "game")
        return [{**row, **{name: json.loads(row[name]) for name in numbers}} for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    ("dice", "slots", "name", "ending"),
    [
        ("3d6", "1-10", "optimal", "csv"),
        pytest.param("3d6", "1-10", "target:700", "ndjson", marks=pytest.mark.slow),
        ("3d6", "1-10", "random", "csv"),
        ("1d6-3", "-2,0,0,1/2,3", "hindsight", "CSV"),
        ("1d6-3", "-2,0,0,1/2,3", "hindsight", "ndjson"),
    ],
)
def test_saved_games(run_here: RunTen18, tmp_path: Path, dice: str, slots: str, name: str, ending: str) -> None:
    """Every line is a game that replays to its score; together they are the games that were counted."""
    path = tmp_path / f"games.{ending}"
    arguments = ("--dice", dice, f"--slots={slots}", "--strategy", name, "--games", "300", "--seed", "18")
    found = read_json(run_here("simulate", *arguments, "--save", str(path), "--json"))
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    rows = saved_games(path)
    game = Game.parse(dice, slots)
    rolls = drawn_rolls(Run(game, (name,), 18), 0, 300)
    assert [row["game"] for row in rows] == list(range(300))
    for row, sequence in zip(rows, rolls, strict=True):
        assert list(row) == ["version", "dice", "slots", "moves", "score", "name", "seed", "game"]
        assert (row["version"], row["name"], row["seed"]) == (1, name, 18)
        board = Board.replay(Game.parse(row["dice"], row["slots"]), parse_moves(row["moves"]))
        assert [placement.roll for placement in board.placements] == sequence
        assert board.score == row["score"]
    assert Counter(row["score"] for row in rows) == law_of_run(found)


@pytest.mark.parametrize(
    ("file", "arguments", "facts"),
    [
        ("games.txt", [], ["--save", "games.txt", ".ndjson", ".csv"]),
        ("games", [], ["--save", ".ndjson", ".csv"]),
        ("missing/games.csv", [], ["--save", "missing"]),
        ("folder.csv", [], ["--save", "folder"]),
        ("games.csv", ["--games", "1000000000"], ["--games", "too many for a file"]),
        ("games.csv", ["--games", "0"], ["--games", "at least 1"]),
        ("games.csv", ["--strategy", "nobody"], ["--strategy", "nobody"]),
        ("games.csv", ["--slots", "1-17", "--strategy", "nearest"], ["--strategy", "16 slots"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_save_is_rejected_before_anything_happens(
    run_here: RunTen18, tmp_path: Path, file: str, arguments: list[str], facts: list[str]
) -> None:
    """No file is left behind, and one that was there is as it was."""
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "games.csv").write_text("what was there before\n")
    default = [] if "--games" in arguments else ["--games", "5000000"]
    result = run_here("simulate", *arguments, *default, "--save", str(tmp_path / file))
    assert problems(result, *facts) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "games.csv"]
    assert (tmp_path / "games.csv").read_text() == "what was there before\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate",),
        ("duel", "play", "optimal", "random"),
        ("rollout", "--roll", "4"),
        ("rollout", "--roll", "4", "--target", "30"),
        ("rollout", "--roll", "4", "--against", "nearest"),
        ("rollout", "--target", "30"),
        ("tournament", "--strategies", "optimal,random"),
    ],
    ids=" ".join,
)
def test_one_game_has_no_standard_error(run_here: RunTen18, arguments: tuple[str, ...]) -> None:
    result = run_here(*arguments, "--games", "1", "--dice", "1d6", "--slots", "1-5", "--seed", "18")
    assert result.code == 0
    for problem in ("± 0", "0.00000 ", "Standard errors", "is best", "of the games"):
        assert problem not in result.out
    for line in result.out.splitlines():
        if line.startswith((" standard error", " win")):
            assert len(re.findall(r"\d+\.\d+", line)) == line.startswith(" win")
    found = read_json(run_here(*arguments, "--games", "1", "--dice", "1d6", "--slots", "1-5", "--json"))
    if arguments == ("simulate",):
        assert (found["stderr"], found["sd"]) == (0.0, 0.0)


def test_large_numbers_as_people_write_them(run_here: RunTen18) -> None:
    one, other = (run_here("duel", "play", "optimal", "random", "--games", games, "--csv") for games in ("1e3", "1000"))
    assert one.code == 0
    assert one.out == other.out


def test_a_player_of_a_duel_against_any_strategy(run_here: RunTen18) -> None:
    """From empty boards; on from others only rules play against it."""
    arguments = ("--dice", "1d6", "--slots", "1-4", "--games", "2000", "--seed", "18", "--json")
    found = read_json(run_here("duel", "play", "hunter", "random", *arguments))
    game = Game.parse("1d6", "1-4")
    exact = table_shares(game, [seat_of(name, game) for name in ("hunter", "random")], [1, -1])
    assert abs(found["win"] - exact.sole[0]) < 4 * found["stderr"]["win"]
    boards = ("--moves", "5@3", "--opponent", "5@4")
    assert problems(run_here("duel", "play", "hunter", "random", *boards, *arguments), "only these play") == []
