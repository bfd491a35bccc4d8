"""`ten18 simulate` on a cluster."""

import socket
from pathlib import Path
from typing import Final

import pytest

from tests.support.command import Run as RunTen18
from tests.support.command import problems, read_json
from tests.support.simulated import law_of_run

TEN_GAMES: Final = ("simulate", "--games", "10", "--json")


@pytest.mark.parametrize("address", ["", "nonsense", "tcp://", "ftp://127.0.0.1:21", "local:2"])
def test_bad_cluster(run_here: RunTen18, address: str) -> None:
    result = run_here(*TEN_GAMES, f"--cluster={address}")
    assert problems(result, "--cluster", "local", "tcp://host:8786") == []


def test_nobody_answers(run_here: RunTen18) -> None:
    result = run_here(*TEN_GAMES, "--cluster=tcp://127.0.0.1:9")
    assert problems(result, "--cluster", "local", "tcp://host:8786") == []


@pytest.mark.slow
def test_local_cluster(run: RunTen18, run_here: RunTen18, mine: Path) -> None:
    """The same games as without it, and not a word from the cluster; also where its usual port is taken."""
    arguments = ("simulate", "--strategy", f"{mine}:highest", "--games", "5000", "--json")
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("0.0.0.0", 8787))
            taken.listen()
        except OSError:
            pass  # somebody else has it
        found = read_json(run(*arguments, "--cluster", "local"))
    assert law_of_run(found) == law_of_run(read_json(run_here(*arguments)))


@pytest.mark.slow
def test_error_on_a_local_cluster(run: RunTen18, mine: Path) -> None:
    """One line, as without it."""
    result = run("simulate", "--strategy", f"{mine}:third", "--games", "10", "--cluster", "local")
    assert problems(result, "returned 3", "slot 3 already holds") == []
