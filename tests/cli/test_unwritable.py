"""Where nothing can be written: no cache, no home, no installation, no disk space. Answers come all the same.

Nobody, not even root, can make a folder below a file: that is how folders are blocked here.
"""

import json
import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.support import SOURCE
from tests.support.command import Result, Run

SMALL: Final = ("--dice", "1d4", "--slots", "1-3")
COMMANDS: Final = {
    "simulate": ("simulate", "--games", "1000", *SMALL),
    "duel response": ("duel", "response", *SMALL),
    "duel equilibrium": ("duel", "equilibrium", *SMALL),
    "play": ("play", "--against", "hunter", *SMALL),
    "plot": ("plot", "target", *SMALL, "-o", "{folder}/x.png"),
}
# These compile their kernels, without a place to keep them. The others run the same kernels in the interpreter, whose
# integers warn where those of the machine wrap around: what can be kept, and what is said, does not depend on it.
COMPILED: Final = ("simulate", "plot")
INTERPRETED: Final = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore:overflow encountered:RuntimeWarning"}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which no compiled code can be kept."""
    folder = tmp_path_factory.mktemp("installation")
    shutil.copytree(SOURCE, folder / "tentimes18", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tentimes18" / "__pycache__").write_text("in the way")
    return folder


def run_blocked(run: Run, installation: Path, *arguments: str, stdin: str = "", **changes: str) -> Result:
    blocked = installation / "blocked"
    blocked.write_text("in the way")
    folders = (
        "HOME",
        "TEN18_CACHE",
        "TEN18_DATA",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "MPLCONFIGDIR",
    )
    environment = {name: str(blocked / name) for name in folders} | {"PYTHONPATH": str(installation)} | changes
    return run(*arguments, stdin=stdin, **environment)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_folder_can_be_written(run: Run, installation: Path, tmp_path: Path, command: str) -> None:
    arguments = [word.format(folder=tmp_path) for word in COMMANDS[command]]
    changes = {} if command in COMPILED else INTERPRETED
    result = run_blocked(run, installation, *arguments, stdin="1\n2\n3\n", **changes)
    assert result.code == 0
    assert not any(word in result.err for word in ("Traceback", "Warning", "mkdir", "Matplotlib"))
    first, *others = (line for line in result.err.splitlines() if line.startswith("ten18: "))
    assert first.startswith("ten18: compiled code can be kept neither in ")
    assert first.endswith("so every run compiles it again: set TEN18_CACHE to a folder of your own")
    assert all("the table could not be stored in" in line for line in others)
    assert len(others) <= 1
    if command == "plot":
        assert list(tmp_path.iterdir()) == [tmp_path / "x.png"]


def test_compiled_code_is_kept_where_the_variable_says(run: Run, installation: Path, tmp_path: Path) -> None:
    for _ in range(2):
        result = run_blocked(run, installation, *COMMANDS["simulate"], "--json", TEN18_CACHE=str(tmp_path))
        assert (result.code, result.err) == (0, "")
    answer = json.loads(run_blocked(run, installation, "cache", "--json", TEN18_CACHE=str(tmp_path)).out)
    assert [entry["kind"] for entry in answer["entries"]] == ["compiled"]
    assert run_blocked(run, installation, "cache", "clear", TEN18_CACHE=str(tmp_path)).code == 0
    assert list(tmp_path.iterdir()) == []


def test_a_game_on_a_full_disk_is_played_to_its_end_and_printed(run: Run, data_folder: Path) -> None:
    """The output shows it as a line that can be saved by hand, and the earlier games are whole."""
    assert run("play", *SMALL, "--seed", "1", stdin="1\n2\n3\n").code == 0
    before = (data_folder / "games.ndjson").read_bytes()
    result = run("play", *SMALL, "--seed", "2", stdin="1\n2\n3\n", limit="-f 0")
    assert result.code == 0
    assert "The game cannot be saved (File too large: " in result.out
    assert "The game is not in your history: File too large: " in result.out
    assert "1d4 1-3: " in result.out.splitlines()[-1]
    assert [path.name for path in data_folder.iterdir()] == ["games.ndjson"]
    assert (data_folder / "games.ndjson").read_bytes() == before


def test_a_drill_on_a_full_disk_goes_on_and_loses_no_schedule(run: Run, data_folder: Path) -> None:
    assert run("drill", *SMALL, "--seed", "1", stdin="1\n1\n1\n").code == 0
    before = (data_folder / "drill.json").read_bytes()
    result = run("drill", *SMALL, "--seed", "1", stdin="1\n1\n", limit="-f 0")
    assert (result.code, result.err) == (0, "")
    assert "It cannot be saved (File too large: " in result.out
    assert (data_folder / "drill.json").read_bytes() == before
    assert [path.name for path in data_folder.iterdir()] == ["drill.json"]


def test_an_unfinished_game_survives_a_full_disk(run: Run, data_folder: Path) -> None:
    """It is kept as it stood before, and can be gone on with."""
    assert run("play", *SMALL, "--seed", "1", stdin="1\n").code in (0, 1)
    (kept,) = data_folder.glob("unfinished-*.json")
    before = kept.read_bytes()
    run("play", stdin="2\n", limit="-f 0")
    assert kept.read_bytes() == before
    assert list(data_folder.glob("*.part")) == list(data_folder.glob(".*.part")) == []


OUTPUTS: Final = {
    "plot": ("plot", "thresholds", *SMALL, "-o"),
    "card": ("card", *SMALL, "-o"),
    "export": ("export", "prism", *SMALL, "-o"),
    "solve": ("solve", *SMALL, "-o"),
    "simulate": ("simulate", "--games", "10", *SMALL, "--save"),
    "history": ("history", "--export"),
}
ENDING: Final = {
    "plot": "png",
    "card": "md",
    "export": "prism",
    "solve": "json",
    "simulate": "ndjson",
    "history": "txt",
}


@pytest.mark.parametrize("command", OUTPUTS)
def test_an_output_on_a_full_disk_has_its_own_name(run: Run, tmp_path: Path, command: str) -> None:
    """One line with the name that was given, and nothing is left there."""
    path = tmp_path / f"x.{ENDING[command]}"
    (tmp_path / "ten18 data").mkdir()
    (tmp_path / "ten18 data" / "games.ndjson").write_text('{"dice":"1d4","slots":"1-3","moves":[[1,1]]}\n')
    result = run(*OUTPUTS[command], str(path), limit="-f 0", **INTERPRETED)
    assert (result.code, result.out) == (1, "")
    assert result.err == f"ten18: File too large: {path}\n"
    assert not path.exists()
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="a folder that nobody can write")
@pytest.mark.parametrize("command", OUTPUTS)
def test_an_output_that_cannot_be_written_is_rejected_before_any_work(run_here: Run, command: str) -> None:
    path, option = f"/proc/x.{ENDING[command]}", {"-o": "--output"}.get(OUTPUTS[command][-1], OUTPUTS[command][-1])
    result = run_here(*OUTPUTS[command], path)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"ten18: {option}: ")
    assert result.err.endswith(f": {path!r}; give another file\n")
