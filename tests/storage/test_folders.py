"""Folders: those that the environment names, else the user's own; nothing is made by asking for them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.storage.folders import (
    CACHE_VARIABLE,
    DATA_VARIABLE,
    LIMIT_VARIABLE,
    cache_folder,
    cache_limit,
    data_folder,
)

FOLDERS = [(CACHE_VARIABLE, cache_folder), (DATA_VARIABLE, data_folder)]


@pytest.mark.parametrize(("variable", "folder"), FOLDERS)
def test_set_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: Callable[[], Path]
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "not there"))
    assert folder() == tmp_path / "not there"
    assert not folder().exists()


@pytest.mark.parametrize(("variable", "folder"), FOLDERS)
@pytest.mark.parametrize("is_empty", [False, True])
def test_the_user_s_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: Callable[[], Path], is_empty: bool
) -> None:
    """Below the home of the user, as the system has it; an empty variable names no folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for other in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.delenv(variable)
    if is_empty:
        monkeypatch.setenv(variable, "")
    assert folder().name == "tentimes18"
    assert folder().is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("variable", "folder"), FOLDERS)
def test_a_user_without_a_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: Callable[[], Path]
) -> None:
    """As in a container with a user whom nobody knows: no folder `~` appears where the command is run."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", variable):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it gives for such a user
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match=r"tentimes18"):
        folder().mkdir(parents=True)
    assert list(tmp_path.iterdir()) == []


def test_games_are_not_kept_where_tables_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache may be emptied; games may not."""
    for variable, _ in FOLDERS:
        monkeypatch.delenv(variable)
    assert cache_folder() != data_folder()


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", 5 * 10**9),
        ("0", 0),
        ("1234567", 1234567),
        ("12b", 12),
        ("500MB", 500 * 10**6),
        ("1.5 gb", 1500 * 10**6),
        ("2GiB", 2 * 2**30),
        ("64k", 64000),
        (" 3T ", 3 * 10**12),
        ("none", None),
        ("None", None),
    ],
)
def test_the_limit(monkeypatch: pytest.MonkeyPatch, text: str, limit: int | None) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, text)
    assert cache_limit() == limit


@pytest.mark.parametrize(
    "text", ["much", "-1", "5XB", "1e9", "GB", "5ib", "nan", "inf", "²", "1" * 16, "5 G B", "5GBB"]
)
def test_what_is_no_limit(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, text)
    with pytest.raises(Ten18Error, match="not a size; accepted: 5GB, 500MB, 2GiB, 0 to keep none") as refusal:
        cache_limit()
    assert (refusal.value.field, refusal.value.given) == (LIMIT_VARIABLE, text)
