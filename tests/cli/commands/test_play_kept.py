"""A game that is left: nothing that ends the program loses it, and it goes on where it stood."""

import re
import signal
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tentimes18.game import Game
from tentimes18.play.game_in_play import GameInPlay, Settings
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import parse_record
from tests.support.command import Run
from tests.support.played import PROMPT, SMALL, kept_games, rolls_of
from tests.support.terminal import CTRL_C, ENTER, PATIENCE, RIGHT, Terminal


def leave_by_ctrl_c(terminal: Terminal) -> int:
    terminal.send(CTRL_C)
    return terminal.wait()


def leave_by_closing(terminal: Terminal) -> int:
    terminal.hang_up()
    return terminal.process.wait(PATIENCE)


LEAVES: dict[str, Any] = {
    "Ctrl-C": leave_by_ctrl_c,
    "kill -9": lambda terminal: terminal.end_by(signal.SIGKILL),
    "SIGHUP": lambda terminal: terminal.end_by(signal.SIGHUP),
    "SIGTERM": lambda terminal: terminal.end_by(signal.SIGTERM),
    "closed": leave_by_closing,
}


@pytest.mark.parametrize("how", LEAVES)
def test_nothing_that_ends_the_program_loses_the_game(how: str, data_folder: Path) -> None:
    rolls = rolls_of("1d6", "1-4", 7)
    with Terminal("play", "--seed", "7", "--against", "random", *SMALL) as terminal:
        terminal.expect("1 of 4", PROMPT)
        terminal.send("3")
        terminal.expect("2 of 4", PROMPT)
        code = LEAVES[how](terminal)
        assert code == {"Ctrl-C": 130, "kill -9": -9, "SIGTERM": 143}.get(how, 129)
        if how in ("Ctrl-C", "SIGTERM"):
            assert terminal.has_its_modes()
            assert terminal.text.count("The game is saved") == 1
        assert "Traceback" not in terminal.text
    ((_, record),) = History(data_folder).unfinished()
    assert (record.roll, record.board.rounds) == (rolls[1], 1)
    with Terminal("play") as terminal:
        terminal.expect("You have an unfinished game", "1d6 1-4 · 1 of 4 rounds", "against random", PROMPT)
        terminal.send("c")
        for done, key in enumerate("241", start=2):
            terminal.expect(f"{done} of 4", PROMPT)
            terminal.send(key)
        assert terminal.wait() == 0
        assert re.search(r"You (win|lose)|A draw", terminal.text)
    (finished,) = kept_games(data_folder)
    assert [roll for roll, _ in finished.board.placements] == rolls
    # The opponent plays as it would have without a break.
    whole = GameInPlay(Settings(Game.parse("1d6", "1-4"), 7, against="random"), History(data_folder / "other"))
    whole.begin()
    for slot in (3, 2, 4, 1):
        whole.place(slot)
    whole.leave()
    assert finished.opponent == whole.record.opponent
    assert History(data_folder).unfinished() == []


def test_after_a_break_the_keys_are_single_keys_again() -> None:
    with Terminal("play", "--own-dice", *SMALL) as terminal:
        terminal.expect("show?")
        terminal.process.send_signal(signal.SIGSTOP)
        terminal.restore_modes()  # as a shell does after Ctrl-Z
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_for_single_keys()
        terminal.send("q")
        assert terminal.wait() == 0


def test_after_a_break_the_board_is_drawn_again() -> None:
    with Terminal("play", "--seed", "18", *SMALL) as terminal:
        before = terminal.expect("1 of 4", PROMPT)
        sleep(0.2)  # what is being drawn is not drawn again
        terminal.process.send_signal(signal.SIGSTOP)
        terminal.process.send_signal(signal.SIGCONT)
        while terminal.text.count(PROMPT) < 2:
            assert terminal.read()
        assert terminal.text == before + "\n" + before
        terminal.send(RIGHT)
        assert terminal.expect("▸").startswith(before), "drawn over the second board, not over the first"
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_game_that_is_taken_in_the_meantime(data_folder: Path) -> None:
    with Terminal("play", "--own-dice", *SMALL) as first:
        first.expect("show?")
        first.send("q")
        assert first.wait() == 0
    with Terminal("play") as second:
        second.expect("You have an unfinished game")
        with Terminal("play") as third:
            third.expect("You have an unfinished game")
            second.send("c")
            second.expect("show?")
            third.send("c")
            third.expect("That game is being played in another window.", "n new game · q quit:")
            third.send("q")
            assert third.wait() == 0
    assert len(list(data_folder.glob("unfinished-*.json"))) == 1, "none was begun unasked"


def test_what_was_not_begun_is_not_said_to_be_kept(
    run_here: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_: GameInPlay) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(GameInPlay, "prepare", stopped)
    result = run_here("play", "--against", "equilibrium", *SMALL)
    assert (result.code, result.err) == (130, "")
    assert "saved" not in result.out
    assert not data_folder.exists()


def test_an_unfinished_game_may_be_given_up_or_left_alone(run_here: Run, data_folder: Path) -> None:
    left = ("play", "--own-dice", "--new", *SMALL)
    assert run_here(*left, stdin="5 4 q").code == 0
    assert run_here(*left, stdin="3 1 q").code == 0
    assert [record.board.score for _, record in History(data_folder).unfinished()] == [3, 20]
    result = run_here("play", stdin="x n q")
    assert "'x' is not an answer" in result.out
    # The new game was begun, but nothing rolled yet: it is kept, too.
    assert len(History(data_folder).unfinished()) == 3
    result = run_here("play", stdin="g n g 1 g 1 g n 1 1 1 2 2 3 3")
    assert result.code == 0
    assert "Give up which one, for good? 1-3 · n none: n" in result.out
    assert "Give it up for good? y/n n" in result.out
    assert [record.board.score for record in kept_games(data_folder)] == [20 + 1 + 4 + 9]
    assert History(data_folder).unfinished() == []


def test_a_game_that_is_asked_for_comes_before_one_that_was_left(run_here: Run) -> None:
    run_here("play", "--coach", "full", stdin="")
    result = run_here("play", "--slots", "1-3", "--seed", "18", "--coach", "warn", stdin="2 3 1")
    assert (result.code, "3d6 1-3" in result.out or "×4" not in result.out) == (0, True)
    assert "unfinished game" not in result.out


def test_new_does_not_ask(run_here: Run, data_folder: Path) -> None:
    run_here("play", "--own-dice", *SMALL, stdin="5 4 q")
    assert "You have" not in run_here("play", "--own-dice", "--new", *SMALL, stdin="5 1 q").out
    assert len(History(data_folder).unfinished()) == 2


def test_two_plays_at_once(data_folder: Path) -> None:
    with Terminal("play", "--own-dice", *SMALL) as first:
        first.expect("1 of 4", "show?")
        with Terminal("play", "--own-dice", *SMALL) as second:
            assert "You have" not in second.expect("1 of 4", "show?"), "the first is being played"
            first.send("3" + ENTER)
            first.expect(PROMPT)
            first.send("1")
            second.send("6" + ENTER)
            second.expect(PROMPT)
            second.send("4")
            for terminal in (first, second):
                terminal.expect("2 of 4", "show?")
                terminal.send("q")
                assert terminal.wait() == 0
    assert {record.board.score for _, record in History(data_folder).unfinished()} == {3, 24}


def test_a_history_that_cannot_be_written_does_not_stop_the_game(run_here: Run, data_folder: Path) -> None:
    data_folder.write_text("in the way")  # root may write into any folder, but not into a file
    result = run_here("play", "--seed", "18", *SMALL, stdin="1 2 3 4")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("The game cannot be saved") == 1
    line = result.out.splitlines()[-1]
    record = parse_record(line)
    assert record.finished
    assert record.tags["seed"] == 18
    left = run_here("play", "--seed", "18", *SMALL, stdin="1 2 q")
    assert "The game is not saved" in left.out
    assert parse_record(left.out.splitlines()[-1]).roll == rolls_of("1d6", "1-4", 18)[2]


def test_a_game_that_the_history_did_not_take_is_shown_and_tried_again(run_here: Run, data_folder: Path) -> None:
    (data_folder / "games.ndjson").mkdir(parents=True)
    result = run_here("play", "--seed", "18", *SMALL, stdin="1 2 3 4")
    assert result.code == 0
    assert "The game is not in your history: Is a directory" in result.out
    record = parse_record(result.out.splitlines()[-1])
    (data_folder / "games.ndjson").rmdir()
    assert run_here("history").code == 0
    assert kept_games(data_folder) == [record]


def test_a_game_that_ended_on_its_way_into_the_history_comes_there_once(
    run_here: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(data_folder)
    for seed, is_added in ((18, False), (19, True)):
        game = GameInPlay(Settings(Game.parse("1d6", "1,2"), seed), history)
        game.begin()
        game.place(2)
        game.place(1)
        with monkeypatch.context() as patch:  # as if killed here
            patch.setattr(UnfinishedGame, "drop", UnfinishedGame.unlock)
            game.finish()
        if not is_added:
            history.path.unlink()
    assert len(list(data_folder.glob("unfinished-*.json"))) == 2
    result = run_here("play", "--own-dice", *SMALL, stdin="q")
    assert "You have" not in result.out
    assert len(kept_games(data_folder)) == 2
    assert run_here("play", "--own-dice", "--new", *SMALL, stdin="q").code == 0
    assert len(kept_games(data_folder)) == 2


def test_a_damaged_unfinished_game_is_passed_over(run_here: Run, data_folder: Path) -> None:
    data_folder.mkdir()
    (data_folder / "unfinished-1.json").write_text("{")
    (data_folder / "unfinished-2.json").write_text('{"moves": "8@5", "seed": "x"}')
    result = run_here("play", stdin="c n q")
    assert "Cannot read that game: tags: seed 'x' cannot be read" in result.out
    assert result.code == 0
    (data_folder / "unfinished-2.json").write_text('{"moves": "8@5", "seed": 18, "hints": "many"}')
    assert "Cannot read that game: tags: hints 'many'" in run_here("play", stdin="1 n q").out
