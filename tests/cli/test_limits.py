"""Every command far above a limit: one line with the figure."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.command import Run, golden_lines, problems
from tests.support.terminal import CTRL_C, Terminal

SMALL: Final = {"TEN18_TIME": "3", "TEN18_MEMORY": "300M"}
FITS: Final = re.compile(r"needs .* (memory|operations); the limit is ")

OTHER_REASONS: Final = ("card", "export prism")  # what fits on a page, and into another program


@pytest.mark.parametrize("job", golden_lines("too_large.txt"))
def test_far_above_it_is_rejected_with_the_figure(run_here: Run, job: str) -> None:
    result = run_here(*job.split(), "--json", **SMALL)
    assert problems(result) == []
    if not job.startswith(OTHER_REASONS):
        assert FITS.search(result.err), result.err


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ("duel equilibrium --free 1,2 --opponent-free 1", "--free"),
        ("duel equilibrium --free 1,2 --opponent-free 1,3 --lead 100000", "--lead"),
        ("duel response --free 1,2 --opponent-free 1", "--free"),
        ("duel response --free 1,2 --opponent-free 1,3 --lead 100000", "--lead"),
        ("duel response --to lucky", "--to"),
        ("duel response --with lucky", "--with"),
        ("duel response --to equilibrium --with lucky", "--with"),
    ],
)
def test_what_does_not_fit_is_rejected_before_a_table(
    arguments: str, field: str, run_here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The classic game: nobody asks for a table of it."""
    for solver in ("equilibrium.solve_values", "best_response.response_values"):
        monkeypatch.setattr(f"tentimes18.duel.{solver}", lambda *_: pytest.fail("a table is made"))
    monkeypatch.setattr("tentimes18.duel.equilibrium.DuelWindows", lambda *_, **__: pytest.fail("listed"))
    monkeypatch.setattr("tentimes18.duel.best_response.DuelWindows", lambda *_, **__: pytest.fail("listed"))
    assert problems(run_here(*arguments.split()), field) == []


@pytest.mark.parametrize("variable", ["TEN18_TIME", "TEN18_MEMORY"])
def test_a_limit_that_cannot_be_read(run_here: Run, variable: str) -> None:
    result = run_here("target", "700", "--slots", "1-14", **{variable: "much"})
    assert problems(result, variable, "much", "accepted") == []


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("duel play equilibrium optimal", "tables"),
        pytest.param("duel cycle --dice 1d300", "responses", marks=pytest.mark.slow),
    ],
)
def test_a_long_job_has_a_bar_and_can_be_stopped(arguments: str, what: str, tmp_path: Path) -> None:
    with Terminal(*arguments.split(), TEN18_CACHE=str(tmp_path)) as terminal:
        terminal.expect(what, "━", "left")
        terminal.send(CTRL_C)
        assert terminal.wait() == 130, terminal.text
    assert "Traceback" not in terminal.text
    assert [line for line in terminal.lines if "Error" in line] == []
