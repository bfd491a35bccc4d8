"""The window: the board is drawn for its size, and again at once when that changes."""

import signal
import time
from pathlib import Path

import pytest

from tentimes18.records.history import History
from tests.support.played import PROMPT
from tests.support.terminal import ENTER, PATIENCE, Terminal

DUEL = ("--against", "nearest", "--coach", "full", "--seed", "18")


def wait_until_drawn(terminal: Terminal, width: int, least: int) -> None:
    """Without a key: until one board and one prompt are shown alone, at least this many columns wide."""
    deadline = time.monotonic() + PATIENCE
    while True:
        shown, longest = "\n".join(terminal.window), max(map(len, terminal.window))
        is_alone = shown.count(PROMPT) == shown.count("×10") == shown.count("1 of 10") == 1
        if is_alone and least <= longest <= width:
            return
        assert time.monotonic() < deadline
        assert terminal.read(), shown


def test_the_board_grows_and_shrinks_with_the_window_at_once() -> None:
    """No key is pressed between the sizes, and nothing of the board before is left."""
    with Terminal("play", *DUEL, height=40, width=80) as terminal:
        terminal.expect("1 of 10", PROMPT)
        for height, width, least in ((40, 120, 110), (40, 200, 130), (40, 60, 55), (50, 40, 36), (40, 80, 76)):
            terminal.resize(height, width)
            wait_until_drawn(terminal, width, least)
            assert sum("┐" in line for line in terminal.window) == (1 if width >= 80 else 2), "rows of tiles"
            assert "3d6 1-10 · seed 18" in terminal.window[0], "the heading is at the top"
        terminal.send("5")
        terminal.expect("2 of 10", "in slot 5", PROMPT)
        terminal.send("q")
        assert terminal.wait() == 0


def test_what_is_typed_and_asked_stays_when_the_window_changes() -> None:
    with Terminal("play", "--own-dice", "--dice", "1d20", "--slots", "1-12", height=40, width=120) as terminal:
        terminal.expect("1 of 12", "show?")
        terminal.send("1")
        terminal.expect("show? 1")
        terminal.resize(40, 60)
        while max(map(len, terminal.window)) > 60 or "show? 1" not in terminal.text:
            assert terminal.read()
        terminal.send("7" + ENTER)
        terminal.expect("│ 17 │", PROMPT)
        terminal.send("?")
        terminal.expect("Press any key")
        terminal.resize(40, 100)
        terminal.send(" ")
        terminal.expect("1 of 12", PROMPT)
        terminal.send("12")
        terminal.expect("12")
        terminal.send(ENTER)
        terminal.expect("2 of 12", "show?")
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_window_that_never_rests(data_folder: Path) -> None:
    """Sizes that follow each other faster than they can be drawn: the last one counts, and the keys come through."""
    with Terminal("play", "--seed", "18", height=30, width=80) as terminal:
        terminal.expect("1 of 10", PROMPT)
        for step in range(40):
            terminal.resize(24 + step % 7, 60 + 3 * (step % 11))
        terminal.resize(30, 90)
        terminal.send("5")
        terminal.expect("2 of 10", PROMPT)
        terminal.process.send_signal(signal.SIGWINCH)
        terminal.send("q")
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.text
    assert History(data_folder).unfinished()[0][1].board.rounds == 1


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_a_whole_game_in_any_window(width: int) -> None:
    """Every screen fits, shows the score and the round whole, and every key that can be pressed."""
    with Terminal("play", "--new", *DUEL, height=40, width=width) as terminal:
        for done, key in enumerate("5840691732"):
            shown = terminal.expect(f"{done + 1} of 10", PROMPT)
            assert max(map(len, terminal.lines)) <= width
            assert "…" not in shown
            for word in ("score", "theirs", "expected" if done < 9 else "score"):
                assert word in shown
            terminal.send(key)
        assert terminal.wait() == 0
        assert max(map(len, terminal.lines)) <= width
        assert "…" not in terminal.text, "the review neither"
