"""`ten18 play`: a whole game by keys and through a pipe, the coach, the opponents, and that nothing loses a game."""

import json
import re
import sys
from pathlib import Path

import pytest

from tentimes18.coach.advice import advise
from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.game import Board, Game
from tentimes18.records.history import History
from tentimes18.records.notation import record_from_json
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game as played
from tests.support.command import Run
from tests.support.played import PROMPT, SMALL, kept_games, rolls_of
from tests.support.process import finished
from tests.support.terminal import CTRL_D, ENTER, Terminal


def test_a_whole_game_by_keys(data_folder: Path) -> None:
    rolls = rolls_of("3d6", "1-10", 18)
    with Terminal("play", "--seed", "18", "--name", "Ada", height=24) as terminal:
        for done, key in enumerate("5840691732"):  # 0 is slot 10
            shown = terminal.expect(f"{done + 1} of 10", PROMPT)
            assert f"   {rolls[done]} " in shown, "the sum beside the dice"
            assert "expected" not in shown, "the coach is off"
            assert not terminal.has_its_modes()
            terminal.send(key)
        assert terminal.wait() == 0
        assert terminal.has_its_modes()
        assert max(map(len, terminal.lines)) <= 80
        reviewed = review(kept_games(data_folder)[0])
        for fact in (f"{float(reviewed.luck):.2f}", "642.24", "by optimal", "9 best · 1 good", "in your history"):
            assert fact in terminal.text
    (record,) = kept_games(data_folder)
    slots = [5, 8, 4, 10, 6, 9, 1, 7, 3, 2]
    assert list(record.board.placements) == list(zip(rolls, slots, strict=True))
    assert {key: record.tags[key] for key in ("seed", "game", "coach", "aim", "name")} == {
        "seed": 18,
        "game": 0,
        "coach": "off",
        "aim": "mean",
        "name": "Ada",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", record.tags["date"])
    assert sorted(path.name for path in data_folder.iterdir()) == ["games.ndjson"]


def test_a_game_alone_loads_nothing_heavy() -> None:
    """Not even to its review: it starts at once."""
    program = "import atexit, sys; atexit.register(lambda: print({'numba', 'numpy'} & set(sys.modules)))\n"
    program += "sys.argv[0] = 'ten18'\nfrom tentimes18.cli import main\nmain()"
    result = finished((sys.executable, "-c", program, "play", "--seed", "18", *SMALL), stdin="1\n2\n3\n4\n")
    assert (result.returncode, result.stderr) == (0, b"")
    assert "in your history" in result.stdout.decode()
    assert result.stdout.decode().endswith("set()\n")


def test_the_coach_warns_and_n_lets_choose_again(data_folder: Path) -> None:
    game = Game.classic()
    roll = rolls_of("3d6", "1-10", 18)[0]
    advice = advise(Board(game), roll)
    bad = advice.moves[-1].slot
    with Terminal("play", "--seed", "18", "--coach", "warn") as terminal:
        terminal.expect("1 of 10", PROMPT)
        terminal.send("0" if bad == 10 else str(bad))
        shown = terminal.expect("Place it anyway? y/n")
        assert f"Slot {bad} loses {float(advice.moves[-1].loss):.1f} points, a blunder ??" in shown
        terminal.send("n")
        terminal.expect("1 of 10", PROMPT)
        terminal.send(str(advice.best))
        terminal.expect(f"{roll} in slot {advice.best}: best.", "2 of 10", PROMPT)
        terminal.send("1")
        terminal.expect("Place it anyway? y/n")
        terminal.send("y")
        terminal.expect("in slot 1 cost", "a blunder ??; best was", "3 of 10", PROMPT)
        terminal.send(CTRL_D)
        assert terminal.wait() == 0
    assert [slot for _, slot in History(data_folder).unfinished()[0][1].board.placements] == [advice.best, 1]


def test_the_full_coach_shows_every_value() -> None:
    roll = rolls_of("3d6", "1-10", 18)[0]
    with Terminal("play", "--seed", "18", "--coach", "full") as terminal:
        shown = terminal.expect("1 of 10", PROMPT, "can expect")
        advice = advise(Board(Game.classic()), roll)
        values = next(line for line in shown.splitlines() if line.startswith(" value")).split()[1:]
        losses = next(line for line in shown.splitlines() if line.startswith(" loss")).split()[1:]
        by_slot = sorted(advice.moves, key=lambda move: move.slot)
        assert values == [f"{float(move.worth):.1f}" for move in by_slot]
        assert losses[advice.best - 1] == "best"
        assert f"expected    {values[advice.best - 1]}" in shown


def test_a_hint_shows_the_values_once_and_is_counted(data_folder: Path) -> None:
    with Terminal("play", "--seed", "18", *SMALL) as terminal:
        assert " value" not in terminal.expect("1 of 4", PROMPT)
        terminal.send("h")
        terminal.expect(" value", PROMPT)
        terminal.send("h1")
        assert " value" not in terminal.expect("2 of 4", PROMPT)
        terminal.send("q")
        terminal.wait()
    assert History(data_folder).unfinished()[0][1].tags["hints"] == 1


def test_own_dice(run_here: Run, data_folder: Path) -> None:
    result = run_here("play", "--own-dice", *SMALL, stdin="7 six 0 6 4 1.5 1 1 3 3 3 2")
    assert result.code == 0
    assert "1d6 never shows 7; its rolls are 1 to 6" in result.out
    assert "'six' is not a roll" in result.out
    assert "'1.5' is not a roll" in result.out
    assert " value" in result.out, "the coach at the table shows values"
    (record,) = kept_games(data_folder)
    assert [tuple(placement) for placement in record.board.placements] == [(6, 4), (1, 1), (3, 3), (3, 2)]
    assert "seed" not in record.tags
    assert record.tags["own_dice"] is True


def test_a_roll_typed_wrongly_is_typed_again(run_here: Run, data_folder: Path) -> None:
    result = run_here("play", "--own-dice", *SMALL, stdin="5 r 6 4 1 1 3 3 3 2")
    assert result.code == 0
    (record,) = kept_games(data_folder)
    assert record.board.placements[0] == (6, 4)
    assert "'r' is not a slot" in run_here("play", "--seed", "18", *SMALL, stdin="r").out
    with Terminal("play", "--own-dice", "--new", *SMALL) as terminal:
        terminal.expect("show?")
        terminal.send("5" + ENTER)
        terminal.expect("│ 5 │", "r other roll")
        terminal.send("r")
        terminal.expect("│ ? │", "show?")


def test_own_dice_by_keys() -> None:
    with Terminal("play", "--own-dice", "--dice", "1d20-10", "--slots", "1,2") as terminal:
        terminal.expect("1 of 2", "What do your dice (1d20-10) show?")
        terminal.send("99" + ENTER)
        terminal.expect("never shows 99")
        terminal.send("-4\x7f7" + ENTER)
        terminal.expect("│ −7 │", PROMPT)
        terminal.send("1")
        terminal.expect("2 of 2", "show?")
        terminal.send("8" + ENTER)
        terminal.expect(PROMPT)
        terminal.send("2")
        assert terminal.wait() == 0
        assert "score 9" in terminal.text


def test_a_transcript_through_a_pipe(run_here: Run) -> None:
    result = run_here("play", "--seed", "18", stdin="5 8\n4 10 6\n\n9 1 7 99 x 3 2\n")
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 80
    rolls = rolls_of("3d6", "1-10", 18)
    sums = [line for line in lines if "round" in line and " = " in line]
    assert len(sums) == 10
    for line, roll in zip(sums, rolls, strict=True):
        left, faces = line.split("round")[0].split("=")
        assert int(left) == sum(map(int, faces.split("+"))) == roll
    assert " There is no slot 99; slots are 1 to 10." in lines
    assert " slot: 99" in lines
    assert " score 710" in lines


def test_the_end_of_input_keeps_the_game(run_here: Run, data_folder: Path) -> None:
    result = run_here("play", "--seed", "18", stdin="5 8")
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("The game is saved: `ten18 play` continues it.\n")
    assert History(data_folder).unfinished()[0][1].board.rounds == 2


@pytest.mark.parametrize("against", ["random", "optimal", "nearest", "target:40", "hunter", "equilibrium"])
def test_every_opponent_plays_to_the_end(against: str, run_here: Run, data_folder: Path) -> None:
    result = run_here("play", "--seed", "3", "--against", against, *SMALL, stdin="1 2 3 4")
    assert (result.code, result.err) == (0, "")
    (record,) = kept_games(data_folder)
    assert record.opponent is not None
    mine, theirs = record.board.score, record.opponent.score
    result_text = "You win" if mine > theirs else "You lose" if mine < theirs else "A draw"
    assert f"{result_text}, {mine} to {theirs} against {against}." in result.out
    if against in ("optimal", "nearest"):
        assert record.opponent == played(record.board.game, named(against), rolls_of("1d6", "1-4", 3))
    assert result.out.count(f"{against} placed") == 4


def test_json_is_alone_on_standard_output(run_here: Run, data_folder: Path) -> None:
    arguments = ("--seed", "3", "--aim", "duel", "--coach", "warn", "--against", "equilibrium", *SMALL)
    result = run_here("play", *arguments, "--json", stdin="4 y 3 y 2 y 1 y y y y")
    assert result.code == 0
    assert result.out.count("\n") == 1
    found = json.loads(result.out)
    assert list(found) == ["record", "review"]
    (record,) = kept_games(data_folder)
    assert record_from_json(found["record"]) == record
    reviewed = review(record, aim_named(record.board.game, "duel"))
    for name in ("luck", "loss", "gift", "skill"):
        assert found["review"][name] == pytest.approx(float(getattr(reviewed, name)))
    assert found["review"]["aim"] == "duel"
    assert " percentage points, " in result.err
    unfinished = json.loads(run_here("play", "--own-dice", "--new", *SMALL, "--json", stdin="3 2 q").out)
    assert unfinished["record"]["moves"] == "3@2"
    assert unfinished["review"]["finished"] is False
