"""`ten18 review`: one game and many, in every form of file; bad lines, aims, and what is rejected."""

import csv
import io
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from tentimes18.coach.losses import CLASSES
from tentimes18.records.formats import written_lines
from tentimes18.records.notation import parse_record, record_to_json
from tests.oracle.review import best_score, score_of_optimal, scores_of_optimal, told
from tests.support import SOURCE
from tests.support.command import Run, problems, read_json
from tests.support.games import law_of
from tests.support.terminal import on_terminal, without_escapes
from tools.pictures import GAME

SMALL: Final = "1d6 1-3: 4@1 6@3 5@2; name=Ada; date=2026-11-15 # on the train"
UNFINISHED: Final = "1d6 1-3: 4@1 6@?"
DUEL: Final = "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@3 5@1"

GAME_FIELDS: Final = (
    *("version", "dice", "slots", "moves", "score", "finished", "aim", "value", "luck", "loss", "gift", "skill"),
    *("classes", "percentile", "optimal_score", "best_score", "choices", "level", "played_for", "takebacks"),
    *("opponent", "opponent_score"),
)
MOVE_FIELDS: Final = [
    "round",
    "roll",
    "slot",
    "best",
    "loss",
    "class",
    "mark",
    "luck",
    "gift",
    "before",
    "after",
    "choice",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.txt"


def test_json_of_one_game(run_here: Run, file: Path) -> None:
    """Every number against the oracle, which goes through all futures."""
    file.write_text(SMALL)
    found = read_json(run_here("review", str(file), "--json"))
    assert list(found) == [*GAME_FIELDS, "name", "date", "comment", "bad_lines"]
    record = parse_record(SMALL)
    game = record.board.game
    law = law_of(game.dice)
    moves = told(law, game.multipliers, record.board.placements)
    for number, (move, twin) in enumerate(zip(found["moves"], moves, strict=True), start=1):
        assert list(move) == MOVE_FIELDS
        assert (move["round"], move["best"], move["choice"]) == (number, list(twin.best_slots), twin.is_choice)
        assert move["gift"] == 0
        for name in ("loss", "luck", "before", "after"):
            assert move[name] == float(getattr(twin, name)), name
    assert (found["version"], found["dice"], found["slots"], found["aim"]) == (1, "1d6", "1-3", "mean")
    assert (found["score"], found["finished"], found["gift"], found["bad_lines"]) == (32, True, 0, [])
    assert found["value"] == float(moves[0].before)
    assert found["loss"] == float(sum(move.loss for move in moves))
    assert found["luck"] == float(sum(move.luck for move in moves))
    assert found["skill"] == float(Fraction(sum(move.loss for move in moves), sum(move.is_choice for move in moves)))
    assert list(found["classes"]) == [name for name, _, _ in CLASSES]
    assert sum(found["classes"].values()) == 3
    shares = scores_of_optimal(law, game.multipliers)
    assert found["percentile"] == float(sum(share for score, share in shares.items() if score <= 32))
    assert found["optimal_score"] == score_of_optimal(law, game.multipliers, [4, 6, 5])
    assert found["best_score"] == best_score(game.multipliers, [4, 6, 5])
    assert (found["name"], found["date"], found["comment"]) == ("Ada", "2026-11-15", "on the train")


def test_the_game_of_the_paper(run: Run) -> None:
    result = run("review", "-", stdin=f"3d6 1-10: {GAME}; name=Ben")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("3d6 1-10, Ben\n")
    for fact in ("698 =", "642.24 + 60.67 − 4.91", "712 by optimal, 715 the best possible", "?!"):
        assert fact in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_an_unfinished_game(run_here: Run) -> None:
    found = read_json(run_here("review", "-", "--json", stdin=UNFINISHED))
    assert (found["score"], found["finished"]) == (4, False)
    assert (found["percentile"], found["optimal_score"], found["best_score"]) == (None, None, None)
    assert [move["roll"] for move in found["moves"]] == [4]


@pytest.mark.parametrize("ending", [".txt", ".ndjson", ".csv", ".json"])
def test_every_form_of_file(run_here: Run, tmp_path: Path, ending: str) -> None:
    played = [parse_record(line) for line in (SMALL, UNFINISHED, SMALL)]
    path = tmp_path / f"games{ending}"
    lines = (
        list(written_lines(played, ending)) if ending != ".json" else [json.dumps(list(map(record_to_json, played)))]
    )
    path.write_text("\n".join(lines))
    found = read_json(run_here("review", str(path), "--json"))
    assert (found["games"], found["finished"], found["bad_lines"]) == (3, 2, [])
    assert found["summaries"][0]["mean_score"] == 32
    first = {".txt": 2, ".ndjson": 1, ".csv": 2, ".json": 1}[ending]
    game = read_json(run_here("review", str(path), "--game", str(first + 1), "--json"))
    assert not game["finished"]


def test_bad_lines(run_here: Run, file: Path) -> None:
    """Each is reported with its number, the others are read; at most ten are reported."""
    file.write_text("\n".join([SMALL, "8@5 4@5", "", "{", SMALL, "x"]))
    result = run_here("review", str(file))
    assert result.code == 0
    lines = result.err.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["line 2", "line 4", "line 6"]
    assert "slot 5 already holds 8" in lines[0]
    found = json.loads(run_here("review", str(file), "--json").out)
    assert (found["games"], [bad["line"] for bad in found["bad_lines"]]) == (2, [2, 4, 6])
    assert all(set(bad) == {"line", "reason"} for bad in found["bad_lines"])
    file.write_text("\n".join([SMALL, *["x"] * 25]))
    lines = run_here("review", str(file)).err.splitlines()
    assert (len(lines), lines[-1]) == (11, "ten18: and 15 more bad lines")
    one = json.loads(run_here("review", str(file), "--json").out)
    assert (one["score"], len(one["bad_lines"])) == (32, 25)


def test_a_kind_that_is_too_large_is_bad_lines(run_here: Run) -> None:
    result = run_here("review", "-", "--json", stdin=f"3d6 1-201: 8@5\n{SMALL}\n{SMALL}")
    assert result.err.startswith("ten18: line 1: slots: 201 slots")
    assert json.loads(result.out)["games"] == 2
    assert problems(run_here("review", "-", stdin="3d6 1-201: 8@5"), "line 1", "at most 200") == []
    assert problems(run_here("review", "-", stdin="3d6 1-201: 8@5\n3d6 1-201: 8@6"), "line 1", "at most 200") == []


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"", ["no game in it", "3d6 1-10: 8@5 4@1 12@7"]),
        (b"\n\n# nothing\n", ["no game in it"]),
        (b"nonsense\n" * 3, ["no game in it", "line 1", "'nonsense'", "2 more bad lines"]),
        (b"\x7fELF\0\0\0", ["is not text"]),
        (b"\xff\x00" * 5000, ["is not text"]),
        (b"moves\n", ["no game in it"]),
        (b"[]", ["no game in it"]),
        (b"[" * 10_000, ["no game in it", "line 1", "JSON"]),
    ],
    ids=range(8),
)
def test_files_without_a_game(run_here: Run, file: Path, content: bytes, facts: list[str]) -> None:
    file.write_bytes(content)
    assert problems(run_here("review", str(file)), *facts) == []
    assert problems(run_here("review", str(file), "--json"), *facts) == []


def test_much_junk_is_rejected(run: Run, file: Path) -> None:
    file.write_bytes(b"this is no game\n" * 2_000_000)
    assert problems(run("review", str(file)), "no game in it", "line 1") == []


def test_one_game_of_many(run_here: Run) -> None:
    lines = "\n".join(["# mine", SMALL, "x", UNFINISHED])
    found = json.loads(run_here("review", "-", "--game", "4", "--json", stdin=lines).out)
    assert (found["score"], [bad["line"] for bad in found["bad_lines"]]) == (4, [3])
    assert problems(run_here("review", "-", "--game", "3", stdin=lines), "--game", "line 3", "cannot read 'x'") == []
    assert problems(run_here("review", "-", "--game", "9", stdin=lines), "--game", "lines 2 to 4") == []
    assert problems(run_here("review", "-", "--game", "x", stdin=lines), "--game") == []


def test_aims(run_here: Run) -> None:
    found = read_json(run_here("review", "-", "--aim", "target:30", "--json", stdin=SMALL))
    assert found["aim"] == "target:30"
    assert found["value"] + found["luck"] - found["loss"] == pytest.approx(1, abs=1e-12)
    for aim in ("duel", "duel:optimal"):
        found = read_json(run_here("review", "-", "--aim", aim, "--json", stdin=DUEL))
        assert found["aim"] == aim
        assert found["value"] + found["luck"] - found["loss"] + found["gift"] == pytest.approx(1, abs=1e-9)
        for move in found["moves"]:
            told = move["before"] + move["luck"] - move["loss"] + move["gift"]
            assert told == pytest.approx(move["after"], abs=1e-9)
    assert problems(run_here("review", "-", "--aim", "duel", stdin=SMALL), "line 1", "opponent=") == []
    result = run_here("review", "-", "--aim", "duel", stdin=f"{SMALL}\n{DUEL}")
    assert result.code == 0
    assert "line 1: the aim duel needs the opponent's moves" in result.err
    many = read_json(run_here("review", "-", "--aim", "target:30", "--json", stdin=f"{SMALL}\n{SMALL}"))
    assert many["aim"] == "target:30"
    assert many["summaries"][0]["mean_loss"] <= 1
    assert "in percent" in run_here("review", "-", "--aim", "target:30", stdin=f"{SMALL}\n{SMALL}").out


def test_html(run_here: Run, tmp_path: Path) -> None:
    one, many = tmp_path / "one.html", tmp_path / "many.html"
    result = run_here("review", "-", "--html", str(one), stdin=SMALL)
    assert (result.code, result.out, result.err) == (0, f"Wrote {one}\n", "")
    found = read_json(run_here("review", "-", "--html", str(many), "--json", stdin=f"{SMALL}\n{SMALL}"))
    assert found["games"] == 2
    assert "<title>Ada: 32 points, 1d6, slots 1-3 · Ten times eighteen</title>" in one.read_text(encoding="utf-8")
    assert "<title>2 games · Ten times eighteen</title>" in many.read_text(encoding="utf-8")


def test_plot_review(run_here: Run, tmp_path: Path) -> None:
    for name, lines in (("one.svg", SMALL), ("many.svg", f"{SMALL}\n{SMALL}\n{UNFINISHED}")):
        path = tmp_path / name
        result = run_here("plot", "review", "-", "--output", str(path), stdin=lines)
        assert (result.code, result.out, result.err) == (0, f"Wrote {path}\n", "")
        assert path.read_bytes().startswith(b"<?xml")
    assert problems(run_here("plot", "review", "nowhere", "-o", str(tmp_path / "x.jpg")), "--output") == []
    assert problems(run_here("plot", "review", "nowhere", "-o", str(tmp_path / "x.png")), "no such file") == []


def test_without_matplotlib(run: Run, tmp_path: Path, file: Path) -> None:
    """A page needs no extra."""
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['matplotlib'] = None")
    file.write_text(SMALL)
    page = tmp_path / "page.html"
    path = os.pathsep.join([str(tmp_path), str(SOURCE.parent)])
    assert run("review", file, "--html", page, PYTHONPATH=path).code == 0


def test_names_do_not_command_the_terminal(run_here: Run) -> None:
    line = json.dumps({"moves": "8@5", "name": "\x1b[2J\x07Ada", "comment": "a\nb"})
    out = run_here("review", "-", stdin=line).out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "Ada, a b" in out


def test_in_a_terminal_of_80_columns(file: Path) -> None:
    file.write_text(f"{SMALL}\n{SMALL}")
    lines = without_escapes(on_terminal("review", file, TERM="xterm")).splitlines()
    assert "2 games of 1d6 1-3" in [line.strip() for line in lines]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("lines", [[SMALL], [SMALL, DUEL, "2d6 1-3: 7@2", f"{SMALL.partition(';')[0]}; takebacks=1"]])
def test_every_table_as_csv(run_here: Run, lines: list[str]) -> None:
    """The same columns for one game and for many, all kinds in one table, and the numbers of the JSON."""
    heads = {}
    text = "\n".join(lines)
    for name in ("moves", "games", "sums", "classes", "rounds", "costliest"):
        result = run_here("review", "-", "--csv", "--table", name, stdin=text)
        assert (result.code, result.err) == (0, "")
        _, *heads[name] = csv.reader(io.StringIO(result.out))
        assert "−" not in result.out
    records = [parse_record(line) for line in lines]
    assert len(heads["moves"]) == sum(record.board.rounds for record in records)
    assert [row[0] for row in heads["games"]] == [str(number) for number in range(1, len(lines) + 1)]
    assert len(heads["classes"]) == len(CLASSES) * len(heads["sums"])
    assert run_here("review", "-", "--csv", stdin=text).out.startswith(
        "game,round,roll,slot,theirs,best,loss,class,luck"
    )


def test_both_boards_of_a_duel(run_here: Run) -> None:
    lines = [line.split() for line in run_here("review", "-", stdin=DUEL).out.splitlines()]
    place = lines.index(["×1", "×2", "×3", "score"])
    assert lines[place + 2 : place + 4] == [["yours", "4", "5", "6", "32"], ["theirs", "5", "4", "6", "31"]]
