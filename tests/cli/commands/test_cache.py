"""`ten18 cache`: what is kept, and what is cleared of it."""

import json
from pathlib import Path
from typing import Final

import pytest

from tests.support.command import Run, problems, read_json

SMALL: Final = ("--dice", "1d4", "--slots", "1-3")


@pytest.fixture
def folder(run_here: Run, tmp_path: Path) -> Path:
    """The table of one duel, and a file of somebody else."""
    folder = tmp_path / "cache"
    assert run_here("duel", "equilibrium", *SMALL, "--cache", str(folder)).code == 0
    (folder / "notes\x1b[2J.txt").write_text("mine")
    return folder


def table_size(folder: Path) -> int:
    (table,) = folder.glob("*.npy")
    return table.stat().st_size


def test_the_list(run_here: Run, folder: Path) -> None:
    result = run_here("cache", TEN18_CACHE=str(folder))
    size = table_size(folder)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Stored in {folder}\n")
    assert "equilibrium  1d4 1-3" in result.out
    assert f" tables   {size} bytes, at most 5.0 GB (TEN18_CACHE_LIMIT)\n" in result.out
    assert " others   1, not ours, never removed: notes?[2J.txt\n" in result.out
    assert run_here("cache", "list", "--cache", str(folder)) == result
    limited = run_here("cache", TEN18_CACHE=str(folder), TEN18_CACHE_LIMIT="none")
    assert f" tables   {size} bytes, no limit (TEN18_CACHE_LIMIT)\n" in limited.out


def test_as_json_and_csv(run_here: Run, folder: Path) -> None:
    answer = read_json(run_here("cache", "--json", TEN18_CACHE=str(folder)))
    assert answer == read_json(run_here("cache", "list", "--json", "--cache", str(folder)))
    (entry,) = answer["entries"]
    assert (entry["kind"], entry["dice"], entry["slots"], entry["state"]) == ("equilibrium", "1d4", "1-3", "whole")
    assert (answer["folder"], answer["limit"]) == (str(folder), 5 * 10**9)
    head, row = run_here("cache", "list", "--csv", "--cache", str(folder)).out.splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True)) == {
        name: str(value) for name, value in entry.items()
    }


def test_what_is_larger_than_the_limit_is_not_kept_and_a_line_says_so(run: Run, tmp_path: Path) -> None:
    limited = {"TEN18_CACHE": str(tmp_path / "cache"), "TEN18_CACHE_LIMIT": "0.5kB"}
    result = run("duel", "equilibrium", *SMALL, "--json", **limited)
    assert json.loads(result.out)["value"] == pytest.approx(0.5)
    problem = "the table (0.0 MB) is not stored: with the tables in use it exceeds the limit of 0.0 MB"
    assert result.err == f"ten18: {problem} (TEN18_CACHE_LIMIT)\n"
    file = str(tmp_path / "table.npy")
    assert run("duel", "export", file, *SMALL).code == 0
    assert problems(run("duel", "check", file, "--keep", "--json", **limited), problem) == []
    assert not list((tmp_path / "cache").glob("*.npy"))


def test_a_limit_that_cannot_be_read(run_here: Run, folder: Path) -> None:
    unsolved = ("--dice", "d{2,5,9}", "--slots", "1-3")  # by any other test: what is known needs no table
    for words in (["cache"], ["duel", "equilibrium", *unsolved]):
        result = run_here(*words, TEN18_CACHE=str(folder), TEN18_CACHE_LIMIT="much")
        assert problems(result, "TEN18_CACHE_LIMIT 'much': not a size; accepted: 5GB") == []
