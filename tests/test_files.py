"""The folders of the program, and files that are written whole or not at all."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.files import (
    CACHE_VARIABLE,
    DATA_VARIABLE,
    LIMIT_VARIABLE,
    cache_folder,
    cache_limit,
    data_folder,
    verify_ending,
    verify_place,
    whole_file,
    write_whole,
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
def test_default_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: Callable[[], Path], is_empty: bool
) -> None:
    """Below the home of the user; an empty variable names no folder."""
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
    """As in a container with an unknown user: no folder `~` appears where the command is run."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", variable):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it gives for such a user
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match=r"tentimes18"):
        folder().mkdir(parents=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", 5 * 10**9),
        ("0", 0),
        ("500MB", 500 * 10**6),
        ("1.5 gb", 1500 * 10**6),
        ("2GiB", 2 * 2**30),
        (" 3T ", 3 * 10**12),
        ("none", None),
    ],
)
def test_the_limit(monkeypatch: pytest.MonkeyPatch, text: str, limit: int | None) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, text)
    assert cache_limit() == limit


@pytest.mark.parametrize(
    "text", ["much", "-1", "5XB", "1e9", "GB", "5ib", "nan", "inf", "²", "1" * 16, "5 G B", "5GBB"]
)
def test_an_unreadable_limit(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, text)
    with pytest.raises(Ten18Error, match="not a size; accepted: 5GB, 500MB, 2GiB, 0 to keep none") as error:
        cache_limit()
    assert (error.value.field, error.value.value) == (LIMIT_VARIABLE, text)


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "fan.svg"
    before = b"before"
    path.write_bytes(before)
    for content in (b"one", b"", b"\x00" * 100_000):
        with whole_file(path) as file:
            file.write(content)
            file.flush()
            assert path.read_bytes() == before
            assert list(tmp_path.glob("[!.]*")) == [path]
        before = path.read_bytes()
        assert before == content
        assert list(tmp_path.iterdir()) == [path]


def write_a_part(path: Path, stop: BaseException) -> None:
    with whole_file(path) as file:
        file.write(b"aft")
        file.flush()
        raise stop


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError("the disk is full"), GeneratorExit()])
@pytest.mark.parametrize("before", [b"before", None])
def test_a_failure_leaves_what_was_there(tmp_path: Path, stop: BaseException, before: bytes | None) -> None:
    path = tmp_path / "fan.svg"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(type(stop)):
        write_a_part(path, stop)
    assert [(file, file.read_bytes()) for file in tmp_path.iterdir()] == ([(path, before)] if before else [])


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.svg").write_bytes(b"before")
    (tmp_path / "link.svg").symlink_to("real.svg")
    write_whole(tmp_path / "link.svg", b"after")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_bytes() == b"after"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    """And so does a device, which a user with all rights could replace by a file."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.svg").symlink_to("pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(tmp_path / "link.svg", b"after")
        assert (tmp_path / "pipe").is_fifo()
        assert os.read(reader, 100) == b"after"
    finally:
        os.close(reader)


def test_an_error_has_the_name_that_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of the temporary file."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as missing:
        write_whole(Path("nowhere/fan.svg"), b"")
    assert missing.value.filename == "nowhere/fan.svg"
    with pytest.raises(OSError, match="No space left on device") as full:
        write_a_part(Path("fan.svg"), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert full.value.filename == "fan.svg"
    with pytest.raises(OSError, match="Connection reset") as other:
        write_a_part(Path("fan.svg"), OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)))
    assert other.value.filename is None


@pytest.mark.parametrize(("name", "ending"), [("a.svg", ".svg"), ("A.SVG", ".svg"), ("a.tar.png", ".png")])
def test_endings(name: str, ending: str) -> None:
    assert verify_ending(Path(name), (".png", ".svg")) == ending
    for other in ("a", ".svg", "a.", "a.svgz", "."):
        with pytest.raises(Ten18Error, match=r"^save: cannot write .*; accepted endings: \.png, \.svg$"):
            verify_ending(Path(other), (".png", ".svg"), "save")


def test_a_place_where_a_file_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "old.svg").write_text("old")
    (tmp_path / "link.svg").symlink_to("new.svg")
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    for name in ("old.svg", "new.svg", "link.svg", "pipe"):
        verify_place(tmp_path / name)
    assert sorted(tmp_path.iterdir()) == before


def test_a_place_where_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "loop.svg").symlink_to("loop.svg")
    for name, problem in {
        "nowhere/fan.svg": "there is no folder '.*nowhere'; give a file in a folder that exists",
        "folder.svg": "'.*folder.svg' is a folder; give a file",
        "loop.svg": r".*loop.*: '.*loop.svg'; give another file",
        "n" * 255 + ".svg": "File name too long: '.*n.svg'; give another file",
    }.items():
        with pytest.raises(Ten18Error, match=f"^save: {problem}$"):
            verify_place(tmp_path / name, "save")
