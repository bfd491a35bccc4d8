"""A player's games: nothing that was written is lost, even with several writers or a sudden end."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import pytest

from tentimes18.records.formats import BadLine, Line
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import format_json, parse_record
from tests.support.command import clean_environment
from tests.support.process import PATIENCE, Process, started

GAME: Final = parse_record("1d6 1,2: 5@2 4@1; name=Ada Ω")
STARTED: Final = parse_record("1d6 1,2: 5@2 4@?")


def scores(history: History) -> list[object]:
    return [line.record.board.score if isinstance(line, Line) else "bad" for line in history.games()]


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "a" / "b")


def test_games_are_in_the_order_of_play(history: History) -> None:
    others = [parse_record(f"1d6 1,2: {roll}@1 1@2; name=Ω\u2028 {roll}") for roll in range(1, 7)]
    for record in others:
        history.add(record)
    assert [line.record for line in history.games() if isinstance(line, Line)] == others
    assert [line.number for line in history.games()] == [1, 2, 3, 4, 5, 6]
    assert history.path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_line_that_was_cut_off(history: History, before: int) -> None:
    """Wherever the power failed, all other games can be read, and so can the next one."""
    whole = format_json(GAME).encode() + b"\n"
    for length in (1, 2, 20, len(whole) - 3, len(whole) - 2, len(whole) - 1):
        history.folder.mkdir(parents=True, exist_ok=True)
        history.path.write_bytes(whole * before + whole[:length])
        history.add(STARTED)
        found = list(history.games())
        lines = [line.record for line in found if isinstance(line, Line)]
        bad = [line for line in found if isinstance(line, BadLine)]
        if length == len(whole) - 1:  # only the line's end was lost
            assert (lines, bad) == ([GAME] * (before + 1) + [STARTED], [])
        else:
            assert lines == [GAME] * before + [STARTED]
            assert [line.number for line in bad] == [before + 1]


def test_junk_between_the_games(history: History) -> None:
    history.add(GAME)
    with history.path.open("ab") as file:
        file.write(b"\xff\xfe\x00junk\n\n[1, 2]\n")
    history.add(GAME)
    assert scores(history) == [14, "bad", "bad", 14]


def _add_many(folder: Path, name: str) -> None:
    for number in range(40):
        History(folder).add(parse_record(f"1d6 1,2: 5@2 4@1; name={name}; number={number}; long={'x' * 5000}"))


def test_two_processes_add_at_once(history: History) -> None:
    context = get_context("spawn")
    workers = [context.Process(target=_add_many, args=(history.folder, name)) for name in ("Ada", "Eve")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    found = [line.record.tags for line in history.games() if isinstance(line, Line)]
    assert len(found) == len(list(history.games())) == 80
    for name in ("Ada", "Eve"):
        assert [tags["number"] for tags in found if tags["name"] == name] == list(range(40))


def test_an_unfinished_game_is_kept_until_it_is_dropped(history: History) -> None:
    game = history.begin(STARTED)
    assert game.read() == STARTED
    assert history.unfinished() == []  # it is being played
    game.keep(parse_record("1d6 1,2: 5@2 3@?"))
    game.unlock()
    [(found, record)] = history.unfinished()
    assert (found.path, record.roll) == (game.path, 3)
    assert found.lock()
    assert not UnfinishedGame(game.path).lock()
    found.drop()
    found.drop()
    assert history.unfinished() == []
    assert list(history.folder.iterdir()) == []


def test_the_latest_comes_first(history: History) -> None:
    for place, order in enumerate((3, 1, 4, 2)):
        game = history.begin(parse_record(f"1d6 1,2: {order}@1"))
        game.unlock()
        os.utime(game.path, ns=(0, 10**18 + order))
        assert len(history.unfinished()) == place + 1
    assert [record.board.score for _, record in history.unfinished()] == [4, 3, 2, 1]


BROKEN: Final = (b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"version": 2}', b'{"moves": "99@1"}', b"\0")


@pytest.mark.parametrize("content", BROKEN, ids=lambda content: repr(content[:12]))
def test_a_damaged_file_is_passed_over(history: History, content: bytes) -> None:
    game = history.begin(STARTED)
    game.unlock()
    (history.folder / "unfinished-0.json").write_bytes(content)
    (history.folder / "unfinished-1.json").mkdir()
    assert [record for _, record in history.unfinished()] == [STARTED]
    assert (history.folder / "unfinished-0.json").read_bytes() == content


PLAYING: Final = """
import sys, time
from pathlib import Path
from tentimes18.records.history import History
from tentimes18.records.notation import parse_record
game = History(Path(sys.argv[1])).begin(parse_record("1d6 1,2: 5@2 4@?"))
print("playing", flush=True)
time.sleep(60)
"""


@pytest.fixture
def player(history: History) -> Iterator[Process]:
    """Another process that plays a game."""
    command = (sys.executable, "-c", PLAYING, history.folder)
    with started(command, stdout=subprocess.PIPE, env=clean_environment({})) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"playing\n"
        yield process


def test_a_lock_ends_with_its_process(history: History, player: Process) -> None:
    assert len(list(history.folder.glob("unfinished-*.json"))) == 1
    assert history.unfinished() == []
    player.send_signal(signal.SIGKILL)
    player.wait(PATIENCE)
    [(game, record)] = history.unfinished()
    assert record == STARTED
    assert game.lock()
    game.drop()
    assert list(history.folder.iterdir()) == []


def test_a_game_that_cannot_be_kept_leaves_nothing(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tentimes18.records.history.write_whole", fail)
    with pytest.raises(OSError, match="No space"):
        history.begin(STARTED)
    assert list(history.folder.iterdir()) == []
