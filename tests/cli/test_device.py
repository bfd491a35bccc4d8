"""`--device`: the same answers on either, and one line where there is no GPU, or nothing for it to do."""

import sys

import pytest

from tentimes18.gpu.device import find_gpu
from tests.support.command import Run, problems, read_json

SMALL = ("--dice", "1d6", "--slots", "1-3")
COMMANDS = [
    ("duel", "equilibrium", *SMALL, "--free", "1,2", "--opponent-free", "1,3", "--lead", "6"),
    ("duel", "response", *SMALL),
    ("duel", "response", *SMALL, "--with", "greedy", "--draw", "0.25"),
    ("duel", "response", *SMALL, "--to", "equilibrium"),
]


@pytest.mark.usefixtures("with_gpu")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_answers_are_the_same_on_either_device(run_here: Run, command: tuple[str, ...]) -> None:
    here, there = (read_json(run_here(*command, "--json", "--device", device)) for device in ("cpu", "cuda"))
    assert here.keys() == there.keys()
    for name, found in here.items():
        expected = pytest.approx(found, abs=1e-12) if isinstance(found, float) else found
        assert there[name] == expected, name


@pytest.mark.parametrize("command", [*COMMANDS, ("simulate", "--games", "10"), ("tournament", "--games", "10")])
def test_without_the_extra_one_line_says_so(
    run_here: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    find_gpu.cache_clear()
    line = "--device 'cuda': it needs CuPy, which is not installed: pip install 'tentimes18[gpu]'"
    assert problems(run_here(*command, "--device", "cuda"), line) == []
