"""Every command far above a limit: one line with the figure."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.command import Run, problems
from tests.support.terminal import CTRL_C, Terminal

SMALL: Final = {"TEN18_TIME": "3", "TEN18_MEMORY": "300M"}
FITS: Final = re.compile(r"needs .* (memory|operations); the limit is ")

# Every command that computes something, with a size that never fits into the small limits.
JOBS: Final = [
    ("solve", "--slots 1-200000"),
    ("solve --last-row", "--slots 1-1000000"),
    ("solve --exact", "--slots 1-200000"),
    ("solve --digits 40", "--slots 1-200000"),
    ("solve --method subsets", "--slots 1-200000"),
    ("closest", "--slots 1-200000"),
    ("gap", "--most 1000000"),
    ("rules --numbers 9", "--dice 1d100 --slots 1-40"),
    ("advise --roll 9", "--slots 1-200000"),
    ("advise --roll 9 --target 300", "--slots 1-40"),
    ("advise --roll 9 --aim target:300", "--slots 1-40"),
    ("advise --roll 9 --aim duel", "--slots 1-30"),
    ("advise --roll 9 --aim duel:nearest", "--slots 1-30"),
    ("distribution", "--slots 1-200000"),
    ("distribution", "--dice 1d10000"),
    ("distribution --strategy random", "--dice 20d20 --slots 1-200000"),
    ("distribution --strategy hindsight", "--slots 1-200000"),
    ("distribution --strategy nearest", "--slots 1-40"),
    ("distribution --strategy cvar:0.1", "--dice 1d1000 --slots 1-12"),
    ("distribution --exact", "--slots 1-24"),
    ("distribution --moments", "--slots 1-200000"),
    ("distribution --per-slot", "--slots 1-200000"),
    ("target 300", "--slots 1-200000"),
    ("aim quantile:0.1", "--dice 1d1000 --slots 1-20"),
    ("aim utility:exp:0.001", "--slots 1/3,1/7,1/11,1-30"),
    ("front", "--slots 1-16"),
    ("front", "--dice 1d1000"),
    ("simulate --games 1000", "--slots 1-200000 --strategy target:10"),
    ("simulate", "--games 1000000000000"),
    ("simulate --games 1000 --strategy nearest", "--dice 1d10000 --slots 1-16"),
    ("tournament --games 1000", "--slots 1-16 --dice 1d10000"),
    ("table optimal nearest bands --games 1000", "--slots 1-16 --dice 1d10000"),
    ("table optimal hunter --games 1000", "--slots 1-30"),
    ("table optimal nearest --response --games 1000", "--slots 1-20"),
    ("duel response", "--slots 1-30"),
    ("duel response --to greedy --with nearest", "--slots 1-200000"),
    ("duel response --rolls own", "--slots 1-30"),
    ("duel response --to equilibrium", "--slots 1-30"),
    ("duel response --to equilibrium --with hunter", "--slots 1-30"),
    ("duel equilibrium", "--slots 1-30"),
    ("duel equilibrium", "--dice 1d1000 --slots 1-10"),
    ("duel equilibrium --rolls own", "--slots 1-20"),
    ("duel play equilibrium optimal --games 1000", "--slots 1-30"),
    ("duel play hunter nearest --games 1000", "--slots 1-16"),
    ("duel cycle", "--dice 1d1000 --slots 1-5"),
    ("duel export table.npy", "--slots 1-30"),
    ("duel guarantee", "--slots 1-30"),
    ("duel guarantee --exact", "--slots 1-10"),
    ("card", "--slots 1-200000"),
    ("export prism", "--slots 1-200000"),
]
OTHER_REASONS: Final = ("card", "export prism")  # what fits on a page, and into another program


@pytest.mark.parametrize(("job", "above"), JOBS, ids=lambda text: text)
def test_far_above_it_is_rejected_with_the_figure(run_here: Run, job: str, above: str) -> None:
    result = run_here(*job.split(), *above.split(), "--json", **SMALL)
    assert problems(result) == []
    if job not in OTHER_REASONS:
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
