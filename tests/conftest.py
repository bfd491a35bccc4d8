"""Settings of hypothesis, folders of a test's own, and the command as a user runs it."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tentimes18.cli import main
from tests.support.command import TEN18, Result, Run, clean_environment

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
