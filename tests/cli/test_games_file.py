"""Files of games as the command reads them: what is in them, and what is not."""

from pathlib import Path

import pytest

from tentimes18.cli import games_file
from tentimes18.cli.games_file import GamesFile, chosen_file, read_games, tell_bad_lines
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.records.formats import BadLine
from tentimes18.records.history import History
from tentimes18.records.notation import parse_record

TEXT = "# mine\n1d6 1-3: 4@1\nnonsense\n1d6 1-3: 4@1; opponent=4@2\n"


@pytest.fixture
def found(tmp_path: Path) -> GamesFile:
    path = tmp_path / "games.txt"
    path.write_text(TEXT)
    return read_games(path)


@pytest.mark.parametrize(
    ("number", "problem"), [(3, "line 3 of .* is not a game: "), (9, "line 9 of .* is not a game; .* lines 2 to 4")]
)
def test_a_line_without_a_game(found: GamesFile, number: int, problem: str) -> None:
    with pytest.raises(Ten18Error, match=problem) as refusal:
        found.game(number)
    assert refusal.value.field == "game"


def test_a_duel_needs_two_boards(found: GamesFile) -> None:
    found.require_opponents("duel")
    assert [line.number for line in found.lines] == [4]
    assert [line.number for line in found.bad] == [2, 3]
    assert found.bad[0].reason == "the aim duel needs the opponent's moves, like opponent=8@4 4@2"
    found.reject([BadLine(4, "too large")])
    with pytest.raises(Ten18Error, match=r"no game in it; line 2: the aim duel .*; and 2 more bad lines"):
        found.verify()


def test_ten_bad_lines_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    tell_bad_lines([BadLine(number, "no game") for number in range(1, 13)])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "ten18: line 1: no game"
    assert (len(lines), lines[-1]) == (11, "ten18: and 2 more bad lines")


def test_what_is_not_a_file_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nonsense before the first game, and too many games."""
    monkeypatch.setattr(games_file, "MAX_JUNK", 3)
    path = tmp_path / "games.txt"
    path.write_text("nonsense\n" * 4 + "8@5\n")
    found = read_games(path)
    assert (len(found.lines), [bad.number for bad in found.bad]) == (0, [1, 2, 3])
    path.write_text("nonsense\n" * 2 + "8@5\n" + "nonsense\n" * 4)
    found = read_games(path)
    assert (len(found.lines), len(found.bad)) == (1, 6)
    monkeypatch.setattr(games_file, "MAX_GAMES", 1)
    path.write_text("8@5\n8@4\n")
    with pytest.raises(TooLarge, match="more than 1 games"):
        read_games(path)


@pytest.mark.parametrize(
    "content", [TEXT.encode("utf-16"), b"\xef\xbb\xbf" + TEXT.encode(), TEXT.replace("\n", "\r\n").encode()]
)
def test_other_texts(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(content)
    assert [line.number for line in read_games(path).lines] == [2, 4]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(b"\x89PNG\0\0")
    for name, problem in (("image", "is not text"), ("nothing", "there is no such file"), (".", "is a folder")):
        with pytest.raises(Ten18Error, match=problem):
            read_games(tmp_path / name)


def test_what_is_asked_for(tmp_path: Path, data_folder: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(TEXT)
    assert [line.number for line in chosen_file(path, last=False, number=None, game=None).lines] == [2, 4]
    one = chosen_file(path, last=False, number=None, game=4)
    assert ([line.number for line in one.lines], [line.number for line in one.bad]) == ([4], [3])
    kept = History(data_folder)
    for text in ("1d6 1-3: 4@1", "1d6 1-3: 4@2"):
        kept.add(parse_record(text))
    assert [line.number for line in chosen_file(None, last=True, number=None, game=None).lines] == [2]
    assert [line.number for line in chosen_file(None, last=False, number=1, game=None).lines] == [1]
    for file, last, number, game, field in (
        (path, True, None, None, "last"),
        (path, False, 1, None, "number"),
        (None, False, 9, None, "number"),
        (None, True, None, 1, "game"),
        (None, True, 1, None, None),
        (None, False, None, None, None),
    ):
        with pytest.raises(Ten18Error) as refusal:
            chosen_file(file, last=last, number=number, game=game)
        assert refusal.value.field == field
