"""The forms of a result: the same numbers as a page, as JSON, as CSV and in a file."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.support.command import Run

COMMANDS = {
    "solve": (["thresholds", "expected"], ["--slots", "1-4"]),
    "closest": (["calls", "ties"], ["--slots", "1-4"]),
    "gap": (["gap"], ["--most", "30"]),
    "rules": (["rules"], ["--slots", "1-3"]),
    "strategies": (["strategies"], []),
    "advise": (["moves"], ["--roll", "9"]),
    "distribution": (["distribution", "facts", "bins"], ["--slots", "1-3", "--dice", "1d6"]),
    "dice": (["distribution", "facts", "bins"], ["4d6kh3", "1d6!"]),
    "target": (["moves", "facts"], ["40", "--slots", "1-3"]),
    "aim": (["moves", "facts"], ["target:40", "--slots", "1-3"]),
    "front": (["front"], ["--slots", "1-3", "--dice", "1d4"]),
    "simulate": (["histogram", "facts"], ["--games", "1000", "--slots", "1-3"]),
    "tournament": (["equity", "ratings"], ["--games", "1000", "--slots", "1-3", "--strategies", "optimal,random"]),
    "table": (
        ["shares", "response"],
        ["optimal", "nearest", "greedy", "--games", "1000", "--slots", "1-3", "--response"],
    ),
    "rollout": (["result"], ["--moves", "4@2", "--roll", "9", "--games", "1000", "--slots", "1-3"]),
    "duel response": (["result", "moves"], ["--slots", "1-3", "--dice", "1d6"]),
    "duel equilibrium": (["moves"], ["--slots", "1-3", "--dice", "1d6"]),
    "duel play": (["result"], ["optimal", "random", "--games", "1000"]),
    "duel guarantee": (["guarantee"], ["--slots", "1-3", "--dice", "1d6"]),
    "duel cycle": (["results"], []),
    "cache list": (["entries"], []),
    "cache clear": (["removed"], ["--dice", "1d99"]),
    "history": (["games", "sums", "classes", "rounds", "costliest"], []),
    "review": (["moves", "games", "sums", "classes", "rounds", "costliest"], ["docs/games/learner.txt"]),
    "verify": (["rounds", "games"], ["docs/games/fair.ndjson"]),
    "paper": (["checks"], []),
}


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_table_as_csv(run_here: Run, command: str) -> None:
    tables, arguments = COMMANDS[command]
    words = [*command.split(), *arguments, "--csv"]
    for table in tables:
        result = run_here(*words, *(["--table", table] if len(tables) > 1 else []))
        assert result.code == 0, result.err
        head, *rows = rows_of(result.out)
        assert all(head), "every column has a name"
        assert len(set(head)) == len(head)
        assert all(len(row) == len(head) for row in rows)


def test_csv_has_the_numbers_of_the_json(run_here: Run) -> None:
    answer = json.loads(run_here("solve", "--json").out)
    _, *rows = rows_of(run_here("solve", "--csv").out)
    thresholds = [float(row[2]) for row in rows]
    assert thresholds == [number for row in answer["thresholds"] for number in row]
    exact = rows_of(run_here("solve", "--csv", "--exact", "--slots", "1-2").out)
    assert exact[-1] == ["2", "2", "281/24"]


@pytest.mark.parametrize("ending", [".json", ".csv", ".txt"])
def test_a_file_holds_what_would_have_been_printed(run_here: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"advice{ending}"
    form = {".json": ["--json"], ".csv": ["--csv"], ".txt": []}[ending]
    result = run_here("advise", "--roll", "9", "-o", str(path))
    assert (result.code, result.out) == (0, f"Wrote {path}\n")
    assert path.read_text() == run_here("advise", "--roll", "9", *form).out


def test_json_in_a_file_of_any_name(run_here: Run, tmp_path: Path) -> None:
    path = tmp_path / "answer"
    result = run_here("solve", "--json", "--output", str(path))
    assert json.loads(result.out) == {"output": str(path)}
    assert json.loads(path.read_text())["dice"] == "3d6"


@pytest.mark.parametrize("command", COMMANDS)
def test_no_blanks_at_the_ends_of_lines_and_nothing_cut(run_here: Run, command: str) -> None:
    result = run_here(*command.split(), *COMMANDS[command][1])
    assert not [line for line in result.out.splitlines() if line != line.rstrip()]
    assert "…" not in result.out
