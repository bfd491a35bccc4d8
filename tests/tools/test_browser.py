"""Which browser the tests use, and what is said where there is none."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.browser import FIREFOX, NAMES, VARIABLE, find_browser, find_firefox, install_commands, main

DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n'


def program(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("name", NAMES)
def test_usual_names_are_found(name: str, tmp_path: Path) -> None:
    assert find_browser({"PATH": str(tmp_path)}) is None
    assert find_browser({"PATH": str(tmp_path), VARIABLE: ""}) is None
    file = program(tmp_path, name)
    assert find_browser({"PATH": str(tmp_path)}) == file


@pytest.mark.parametrize("name", FIREFOX)
def test_firefox_is_found_where_it_is_there(name: str, tmp_path: Path) -> None:
    assert find_firefox({"PATH": str(tmp_path)}) is None
    file = program(tmp_path, name)
    assert find_firefox({"PATH": str(tmp_path)}) == file
    assert find_browser({"PATH": str(tmp_path)}) is None


def test_the_variable_comes_first_and_alone(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    mine = program(tmp_path, "mine")
    assert find_browser({"PATH": str(tmp_path), VARIABLE: "mine"}) == mine
    assert find_browser({"PATH": "", VARIABLE: str(mine)}) == mine
    assert find_browser({"PATH": str(tmp_path), VARIABLE: "another"}) is None


@pytest.mark.parametrize(
    ("release", "is_root", "count"), [(DEBIAN, True, 2), (DEBIAN, False, 0), ("ID=ubuntu\nID_LIKE=debian\n", True, 0)]
)
def test_it_is_installed_where_that_is_allowed_and_works(release: str, is_root: bool, count: int) -> None:
    assert len(install_commands(release, is_root=is_root)) == count


def test_what_was_installed_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> int:
        called.append(command)
        program(tmp_path, "chromium")
        return 0

    assert main({"PATH": str(tmp_path)}, [["install"]], run) == 0
    assert main({"PATH": str(tmp_path)}, [["install"]], run) == 0
    assert called == [["install"]]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("environment", [{"PATH": ""}, {"PATH": "", VARIABLE: "no such browser"}])
def test_one_line_says_how_to_get_one(environment: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    called: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> int:
        called.append(command)
        return 100

    assert main(environment, [["update"], ["install"]], run) == 1
    assert called == ([] if VARIABLE in environment else [["update"]])
    assert capsys.readouterr().err.count("\n") == 1
