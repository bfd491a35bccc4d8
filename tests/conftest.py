"""Random small games for hypothesis, and the command as a user runs it."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tentimes18.cli import main
from tentimes18.dice import Dice
from tentimes18.game import Game, Number

# Derandomised: a change of the program is the only thing that changes the outcome.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

TEN18: Final = Path(sys.prefix) / "bin" / "ten18"


def law_of(dice: Dice) -> dict[int, Fraction]:
    """The law of the dice in the form that the oracle takes."""
    return {roll: Fraction(count, dice.total) for roll, count in zip(dice.support, dice.counts, strict=True)}


def all_slots(game: Game) -> frozenset[int]:
    return frozenset(range(1, game.size + 1))


def weights(max_rolls: int = 4, max_weight: int = 5) -> st.SearchStrategy[dict[int, int]]:
    """Rolls and their weights."""
    return st.dictionaries(st.integers(-6, 9), st.integers(1, max_weight), min_size=1, max_size=max_rolls)


def dice(max_rolls: int = 4) -> st.SearchStrategy[Dice]:
    return weights(max_rolls).map(Dice.from_mapping)


def multipliers(max_slots: int = 4) -> st.SearchStrategy[list[Number]]:
    """Negative, zero, equal and fractional multipliers, in any order."""
    one: st.SearchStrategy[Number] = st.integers(-3, 6) | st.fractions(-3, 6, max_denominator=4)
    return st.lists(one, min_size=1, max_size=max_slots)


def games(max_slots: int = 4, max_rolls: int = 4) -> st.SearchStrategy[Game]:
    return st.builds(Game, dice(max_rolls), multipliers(max_slots))


@dataclass(frozen=True, slots=True)
class Result:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Result]


def clean_environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment without what makes a terminal of a pipe, or the other way round."""
    removed = (
        "COLUMNS",
        "LINES",
        "NO_COLOR",
        "FORCE_COLOR",
        "PY_COLORS",
        "CLICOLOR",
        "GITHUB_ACTIONS",
        "TERMINAL_WIDTH",
    )
    kept = {name: text for name, text in os.environ.items() if name not in removed and not name.startswith("PYTHON")}
    return kept | dict(changes)


@pytest.fixture(autouse=True, scope="session")
def folder_of_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Solved tables are kept in a folder of this run, not in the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEN18_CACHE", str(tmp_path_factory.mktemp("tables")))
        yield


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Played games go into a folder of this test, not into the user's history."""
    folder = tmp_path / "ten18 data"
    monkeypatch.setenv("TEN18_DATA", str(folder))
    return folder


@pytest.fixture
def run() -> Run:
    """``ten18`` with these arguments, as a process of its own."""

    def run_ten18(
        *arguments: str, timeout: float = 60, stdout: str | None = None, stdin: str = "", **environment: str
    ) -> Result:
        command: Sequence[str | Path] = (TEN18, *arguments)
        with Path(stdout or os.devnull).open("w") as sink:
            done = subprocess.run(
                command,
                input=stdin.encode(),
                stdout=sink if stdout else subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=timeout,
                env=clean_environment(environment),
                check=False,
            )
        return Result(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    return run_ten18


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The same in this process, where tables and compiled code are there already."""
    digits = sys.get_int_max_str_digits()

    def run_ten18(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["ten18", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main()
        sys.set_int_max_str_digits(digits)
        shown = capsys.readouterr()
        return Result(int(ended.value.code or 0), shown.out, shown.err)

    return run_ten18
