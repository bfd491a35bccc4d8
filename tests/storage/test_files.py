"""Files are written as a whole, or whatever was there before stays."""

import os
from pathlib import Path

import pytest

from tentimes18.storage.files import verify_ending, write_whole


def test_a_new_file_and_one_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "fan.svg"
    for content in (b"one", b"", b"\x00" * 100_000):
        write_whole(path, content)
        assert path.read_bytes() == content
        assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "fan.svg"
    path.write_bytes(b"before")

    def stop(part: Path, content: bytes) -> int:
        with part.open("wb") as file:
            file.write(content[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", stop)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


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


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "fan.svg", b"")


@pytest.mark.parametrize(("name", "ending"), [("a.svg", ".svg"), ("A.SVG", ".svg"), ("a.tar.png", ".png")])
def test_endings(name: str, ending: str) -> None:
    assert verify_ending(Path(name), (".png", ".svg")) == ending


@pytest.mark.parametrize("name", ["a", ".svg", "svg", "a.", "a.svgz", "a.svg.gz", "."])
def test_other_endings(name: str) -> None:
    with pytest.raises(ValueError, match=r"^save: cannot write .*; accepted endings: \.png, \.svg$"):
        verify_ending(Path(name), (".png", ".svg"), "save")
