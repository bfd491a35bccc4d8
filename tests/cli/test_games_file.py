"""Files of games as the command reads them: what is in them, and what is not."""

from pathlib import Path

import pytest

from tentimes18.cli import games_commands
from tentimes18.cli.games_commands import read_games
from tentimes18.errors import TooLarge

TEXT = "# mine\n1d6 1-3: 4@1\nnonsense\n1d6 1-3: 4@1; opponent=4@2\n"


def test_what_is_not_a_file_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nonsense before the first game, and too many games."""
    monkeypatch.setattr(games_commands, "MAX_JUNK", 3)
    path = tmp_path / "games.txt"
    path.write_text("nonsense\n" * 4 + "8@5\n")
    found = read_games(path)
    assert (len(found.lines), [bad.number for bad in found.bad]) == (0, [1, 2, 3])
    path.write_text("nonsense\n" * 2 + "8@5\n" + "nonsense\n" * 4)
    found = read_games(path)
    assert (len(found.lines), len(found.bad)) == (1, 6)
    monkeypatch.setattr(games_commands, "MAX_GAMES", 1)
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
