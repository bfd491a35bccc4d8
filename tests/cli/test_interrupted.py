"""Long runs on a terminal: their progress, and what Ctrl-C leaves."""

import json
import re
import signal
from pathlib import Path

import pytest

from tests.support.terminal import Watched


@pytest.mark.parametrize("as_json", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_interrupted(as_json: bool) -> None:
    """A run that never ends draws its bar. Ctrl-C then gives what has been simulated so far, and exit code 130."""
    with Watched("simulate", "--games", "100000000000", *(["--json"] if as_json else [])) as terminal:
        terminal.expect("games")
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    assert "Traceback" not in result.err
    assert "\x1b[" in result.err
    if as_json:
        found = json.loads(result.out)
        assert 0 < found["games"] < 100_000_000_000
        assert sum(count for _, count in found["histogram"]) == found["games"]
        assert found["fit"]["p_value"] > 1e-4
    else:
        assert re.search(r"^[\d,]+ games of optimal", result.out, re.MULTILINE)
        assert "million games per second" in result.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["duel", "play", "optimal", "hindsight"],
        ["tournament", "--strategies", "optimal,random,hindsight"],
        ["table", "optimal", "random", "hindsight"],
    ],
    ids=" ".join,
)
def test_interrupted_with_many(arguments: list[str]) -> None:
    with Watched(*arguments, "--games", "100000000000", "--json") as terminal:
        terminal.expect("games")
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    assert 0 < json.loads(result.out)["games"] < 100_000_000_000


def test_interrupted_while_saving(tmp_path: Path) -> None:
    """Games are saved as a whole or not at all."""
    with Watched("simulate", "--games", "9000000", "--save", str(tmp_path / "games.csv"), "--json") as terminal:
        terminal.expect("saving")
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    assert result.out == ""
    assert "Traceback" not in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_interrupted_function_of_a_user(mine: Path) -> None:
    """Also where the games are played one board at a time."""
    with Watched("simulate", "--strategy", f"{mine}:highest", "--games", "100000000", "--json") as terminal:
        terminal.expect("games")
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    assert 0 < json.loads(result.out)["games"] < 100_000_000
