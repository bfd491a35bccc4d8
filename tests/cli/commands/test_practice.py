"""`ten18 play` while practising: a move is taken back, by a key or a word, and stays so whatever ends the program."""

import signal
from pathlib import Path

import pytest

from tentimes18.records.history import History
from tests.support.command import Run
from tests.support.played import PROMPT, SMALL, kept_games, rolls_of
from tests.support.terminal import ENTER, Terminal

RATED = "Moves are final in rated games. To take them back, use --practice."
BACKSPACE = "\x7f"


@pytest.mark.parametrize("key", ["u", BACKSPACE])
@pytest.mark.parametrize("how", [("--practice",), ("--coach", "full")], ids=" ".join)
def test_by_keys(key: str, how: tuple[str, ...], data_folder: Path) -> None:
    rolls = rolls_of("1d6", "1-4", 18)
    with Terminal("play", "--seed", "18", *how, *SMALL) as terminal:
        assert "u take back" not in terminal.expect("1 of 4", PROMPT), "there is nothing yet"
        terminal.send(key)
        terminal.expect("There is no move to take back.", PROMPT)
        terminal.send("3")
        terminal.expect("2 of 4", "u take back", PROMPT)
        terminal.send(key)
        terminal.expect("1 of 4", f"Taken back: {rolls[0]} waits again.", "1 taken back", PROMPT)
        terminal.send("1")
        terminal.expect("2 of 4", PROMPT)
        for done, slot in enumerate("234", start=2):
            terminal.expect(f"{done} of 4", PROMPT)
            terminal.send(slot)
        assert terminal.wait() == 0
    (record,) = kept_games(data_folder)
    assert list(record.board.placements) == list(zip(rolls, (1, 2, 3, 4), strict=True))
    assert record.tags["takebacks"] == 1


def test_through_a_pipe(run_here: Run, data_folder: Path) -> None:
    """In a duel the opponent's moves go back as well, and come again."""
    winding = run_here("play", "--seed", "3", "--practice", "--against", "random", *SMALL, stdin="4 u 3 1 u u 1 2 3 4")
    straight = run_here("play", "--seed", "3", "--practice", "--against", "random", *SMALL, stdin="1 2 3 4")
    assert (winding.code, straight.code, winding.err) == (0, 0, "")
    first, second = kept_games(data_folder)
    assert (first.board, first.opponent) == (second.board, second.opponent)
    assert (first.tags["takebacks"], second.tags.get("takebacks")) == (3, None)
    assert winding.out.count("waits again.") == 3


def test_a_rated_game_says_so_in_one_line(run_here: Run, data_folder: Path) -> None:
    result = run_here("play", "--seed", "3", *SMALL, stdin="1 u u 2 3 4")
    assert result.code == 0
    assert result.out.splitlines().count(f" {RATED}") == 2
    (record,) = kept_games(data_folder)
    assert [slot for _, slot in record.board.placements] == [1, 2, 3, 4]
    assert not {"takebacks", "practice"} & set(record.tags)
    with Terminal("play", "--seed", "3", *SMALL, width=80) as terminal:
        terminal.expect("1 of 4", PROMPT)
        terminal.send("1")
        assert "u take back" not in terminal.expect("2 of 4", PROMPT)
        terminal.send(BACKSPACE)
        terminal.expect(RATED, "2 of 4", PROMPT)
        terminal.send("q")
        assert terminal.wait() == 0


def test_own_dice_keep_what_they_showed(run_here: Run, data_folder: Path) -> None:
    """Taken back while the next roll is asked for, and while it waits: it is not rolled a second time."""
    result = run_here("play", "--own-dice", *SMALL, stdin="6 4 u 3 1 1 5 u 2 4 2 1")
    assert result.code == 0
    assert result.out.count("show? ") == len("6u152"), "four rolls and one wish to take back"
    (record,) = kept_games(data_folder)
    assert [tuple(move) for move in record.board.placements] == [(6, 3), (1, 2), (5, 4), (2, 1)]
    assert record.tags["takebacks"] == 2
    assert "rolled" not in record.tags
    with Terminal("play", "--own-dice", *SMALL) as terminal:
        terminal.expect("1 of 4", "show?")
        terminal.send("6" + ENTER)
        terminal.expect("│ 6 │", PROMPT)
        terminal.send("4")
        terminal.expect("2 of 4", "show?")
        terminal.send(BACKSPACE)
        terminal.expect("1 of 4", "│ 6 │", "6 waits again", PROMPT)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_that_ends_the_program_undoes_it(number: signal.Signals, data_folder: Path) -> None:
    rolls = rolls_of("1d6", "1-4", 7)
    with Terminal("play", "--seed", "7", "--coach", "warn", "--against", "random", *SMALL) as terminal:
        terminal.expect("1 of 4", PROMPT)
        terminal.send("3y")
        terminal.expect("2 of 4", PROMPT)
        terminal.send("u")
        terminal.expect("1 of 4", "waits again", PROMPT)
        terminal.end_by(number)
    ((_, record),) = History(data_folder).unfinished()
    assert record.opponent is not None
    assert (record.roll, record.board.rounds, record.opponent.rounds) == (rolls[0], 0, 0)
    assert record.tags["takebacks"] == 1
    with Terminal("play") as terminal:
        terminal.expect("You have an unfinished game", PROMPT)
        terminal.send("c")
        terminal.expect("1 of 4", "1 taken back", PROMPT)
        terminal.send("1y")
        terminal.expect("2 of 4", PROMPT)
        terminal.send("u")
        terminal.expect("1 of 4", "2 taken back", PROMPT)
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_game_that_is_left_may_become_practice_and_stays_it(run_here: Run, data_folder: Path) -> None:
    assert run_here("play", "--seed", "7", *SMALL, stdin="1 q").code == 0
    assert RATED in run_here("play", stdin="c u q").out
    assert "waits again" in run_here("play", "--practice", stdin="c u 2 q").out
    assert "waits again" in run_here("play", stdin="c u 2 q").out
    ((_, record),) = History(data_folder).unfinished()
    assert (record.tags["practice"], record.tags["takebacks"]) == (True, 2)
