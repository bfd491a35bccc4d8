"""`ten18 simulate` on a cluster."""

import socket
from pathlib import Path

import pytest

from tests.support.command import Run as RunTen18
from tests.support.command import problems, read_json
from tests.support.simulated import law_of_run


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
