"""`ten18 serve` as a command: its help, and what it refuses."""

import sys
from pathlib import Path

import pytest

from tests.support.command import Run


def test_help(run_here: Run) -> None:
    shown = run_here("serve", "--help").out
    assert all(option in shown for option in ("--host", "--port", "--data", "--workers", "--no-rate-limit"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "0"], "--port"),
        (["--port", "seventy"], "--port"),
        (["--workers", "0"], "--workers"),
        (["--host", "no such host"], "--host 'no such host': not an address of this machine"),
        (["--data", "/dev/null/data"], "--data '/dev/null/data': the secret cannot be kept there"),
    ],
)
def test_what_is_refused(run_here: Run, arguments: list[str], told: str) -> None:
    done = run_here("serve", *arguments)
    assert done.code == 2
    assert told in done.err
    assert len(done.err.splitlines()) == 1


def test_without_its_packages_it_says_which(run_here: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "granian", None)
    done = run_here("serve", "--data", str(tmp_path))
    assert done.code == 2
    assert "the service needs granian: pip install 'tentimes18[web]'" in done.err
