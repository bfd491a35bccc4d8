"""`ten18 drill` through a pipe and in a terminal: graded at once, and nothing that was answered is lost."""

import json
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tentimes18 import Game
from tentimes18.coach.advice import advise_slots, reason
from tentimes18.coach.drill import Question, Schedule, close_calls
from tentimes18.coach.losses import classify
from tentimes18.game import slots_of
from tentimes18.records.history import History
from tentimes18.records.notation import parse_record
from tests.support.command import Run
from tests.support.terminal import Terminal

CLASSIC = Game.classic()
CTRL_C, CTRL_D, ENTER, RIGHT = "\x03", "\x04", "\r", "\x1b[C"
PROMPT, GRADED = "q quit", "Press any key"


def questions(seed: int, count: int, game: Game = CLASSIC) -> list[Question]:
    """What a first drill with this seed asks."""
    return list(islice(close_calls(game, Random(f"drill {seed}")), count))


def best(question: Question) -> int:
    return question.advice.best


def worst(question: Question) -> int:
    return question.advice.moves[-1].slot


def result_of(out: str) -> dict[str, Any]:
    assert out.count("\n") == 1
    found = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert list(found) == ["asked", "right", "mean_loss", "questions"]
    assert isinstance(found, dict)
    return found


def test_json_through_a_pipe(run: Run, data_folder: Path) -> None:
    first, second, third = questions(1, 3)
    typed = f"{best(first)} {worst(second)}\n{worst(third)}\n"
    result = run("drill", "--seed", "1", "--count", "3", "--json", stdin=typed)
    assert result.code == 0
    found = result_of(result.out)
    assert (found["asked"], found["right"]) == (3, 1)
    assert found["mean_loss"] == pytest.approx(sum(row["loss"] for row in found["questions"]) / 3)
    for row, question, answer in zip(found["questions"], (first, second, third), typed.split(), strict=True):
        free = sum(1 << slot - 1 for slot in row["free"])
        advice = advise_slots(CLASSIC, row["free"], row["roll"])
        assert free == question.record.board.free
        assert row["roll"] == question.record.roll
        assert row["answer"] == int(answer)
        assert row["best"] == list(advice.best_slots)
        assert row["loss"] == float(advice.move(row["answer"]).loss)
        assert row["class"] == classify(advice.move(row["answer"]).loss).name
    assert len(Schedule(data_folder).positions()) == 2


def test_what_people_see_through_a_pipe(run: Run) -> None:
    first, second = questions(2, 2)
    result = run("drill", "--seed", "2", "--count", "2", stdin=f"{worst(first)}\n{best(second)}\n")
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    text = " ".join(result.out.split())
    loss = first.advice.moves[-1].loss
    for shown in (
        f"{first.record.roll} in slot {worst(first)} loses {float(loss):.2f} points",
        f"best is slot {best(first)}.",
        reason(CLASSIC, first.advice),
        f"{second.record.roll} in slot {best(second)}: best.",
        "1 of 2 right (50%)",
        f"mean loss {float(loss / 2):.2f} points",
        "To repeat: 1 the next time.",
    ):
        assert shown in text
    for value in (f"{float(move.worth):.1f}" for move in first.advice.moves[:3]):
        assert value in text


def test_what_is_wrong_comes_back_the_next_time(run_here: Run, data_folder: Path) -> None:
    [first] = questions(1, 1)
    assert run_here("drill", "--seed", "1", "--count", "1", stdin=str(worst(first))).code == 0
    again = result_of(run_here("drill", "--seed", "7", "--count", "1", "--json", stdin=str(best(first))).out)
    assert (again["questions"][0]["free"], again["right"]) == (list(slots_of(first.record.board.free)), 1)
    [other] = questions(7, 1)
    rest = result_of(run_here("drill", "--seed", "7", "--count", "1", "--json", stdin=str(best(other))).out)
    assert (rest["questions"][0]["free"], rest["right"]) == (list(slots_of(other.record.board.free)), 1)
    [position] = Schedule(data_folder).positions()
    assert position.box == 2


def test_errors_of_the_history(run_here: Run, data_folder: Path) -> None:
    nothing = run_here("drill", "--from", "history")
    assert (nothing.code, nothing.err) == (0, "")
    assert "No move of 3d6 1-10 in your history" in nothing.out
    History(data_folder).add(parse_record("18@1 3@10 9@4"))
    found = result_of(run_here("drill", "--from", "history", "--json", stdin="10 1 1 10 10 1").out)
    assert [(row["roll"], len(row["free"])) for row in found["questions"]][:2] in (
        [(18, 10), (3, 9)],
        [(3, 9), (18, 10)],
    )


@pytest.mark.parametrize("typed", ["", "q\n", "x\n", "?\n", "h\n", "99 00 -1 1.5 ٣\n", "\xff\0\n"])
def test_nothing_answered(run_here: Run, data_folder: Path, typed: str) -> None:
    result = run_here("drill", "--seed", "1", "--json", stdin=typed)
    assert result.code == 0
    assert result_of(result.out) == {"asked": 0, "right": 0, "mean_loss": None, "questions": []}
    assert "Traceback" not in result.err
    assert not Schedule(data_folder).path.exists()


def test_a_hint_names_two_slots(run_here: Run, data_folder: Path) -> None:
    [first] = questions(1, 1)
    result = run_here("drill", "--seed", "1", "--count", "1", stdin=f"h {best(first)}")
    low, high = sorted(move.slot for move in first.advice.moves[:2])
    assert f"Slot {low} or {high}?" in result.out
    assert "1 of 1 right" in result.out
    assert [position.box for position in Schedule(data_folder).positions()] == [1]


def test_a_damaged_file(run_here: Run, data_folder: Path) -> None:
    data_folder.mkdir()
    Schedule(data_folder).path.write_text("{")
    result = run_here("drill", stdin="4")
    assert (result.code, result.out.strip()) == (2, "")
    assert result.err.count("\n") == 1
    assert "drill.json cannot be read" in result.err
    assert Schedule(data_folder).path.read_text() == "{"


def test_a_game_without_a_choice(run_here: Run) -> None:
    result = run_here("drill", "--slots", "5")
    assert (result.code, result.err) == (0, "")
    assert "no move is a choice" in result.out


def test_fewer_positions_than_wanted(run_here: Run) -> None:
    """`1d3 1,2` has two: so it is announced, and said at the end."""
    game = Game.parse("1d3", "1,2")
    typed = " ".join(str(best(question)) for question in questions(1, 10, game))
    result = run_here("drill", "--dice", "1d3", "--slots", "1,2", "--seed", "1", stdin=typed)
    assert result.code == 0
    assert "question 1 of 2" in result.out
    assert "question 2 of 2" in result.out
    assert "of 10" not in result.out
    assert "There are no more positions to drill in 1d3 1,2." in result.out
    left = run_here("drill", "--dice", "1d3", "--slots", "1,2", "--seed", "1", stdin=f"{typed.split()[0]} q")
    assert "no more positions" not in left.out


def test_answers_are_final(run_here: Run) -> None:
    result = run_here("drill", "--seed", "1", "--count", "1", stdin="u q")
    assert "Answers are final" in result.out


def key(slot: int) -> str:
    return str(slot % 10)


def test_by_keys(data_folder: Path) -> None:
    first, second = questions(3, 2)
    with Terminal("drill", "--seed", "3", "--count", "2", height=24) as terminal:
        shown = terminal.expect("question 1 of 2", PROMPT)
        assert "loss" not in shown
        assert not terminal.has_its_modes()
        terminal.send("?")
        terminal.expect("The drill", GRADED)
        terminal.send(" ")
        terminal.expect("1-9, 0 for 10")
        taken = first.record.board.placements[:1]
        for placement in taken:
            terminal.send(key(placement.slot))
            terminal.expect("already holds")
        terminal.send(key(worst(first)))
        shown = terminal.expect(f"best is slot {best(first)}.", "You will see it again.", GRADED)
        assert "loss" in shown
        assert "goes to slot" in shown
        terminal.send(" ")
        terminal.expect("question 2 of 2", "h hint")
        steps = slots_of(second.record.board.free).index(best(second)) + 1
        terminal.send(RIGHT * steps + ENTER)
        terminal.expect(": best.", GRADED)
        terminal.send(ENTER)
        assert terminal.wait() == 0
        assert terminal.has_its_modes()
        assert max(map(len, terminal.lines)) <= 80
        assert "1 of 2 right (50%)" in terminal.text
    assert len(Schedule(data_folder).positions()) == 1


@pytest.mark.parametrize(("keys", "code"), [("q", 0), (CTRL_D, 0), (CTRL_C, 130)])
@pytest.mark.parametrize("is_graded", [False, True])
def test_leaving_keeps_what_was_answered(data_folder: Path, keys: str, code: int, is_graded: bool) -> None:
    [first] = questions(1, 1)
    with Terminal("drill", "--seed", "1", height=30) as terminal:
        terminal.expect("question 1 of 10", PROMPT)
        terminal.send(key(worst(first)))
        terminal.expect(GRADED)
        if not is_graded:
            terminal.send(" ")
            terminal.expect("question 2 of 10", "h hint")
        terminal.send(keys)
        assert terminal.wait() == code
        assert terminal.has_its_modes()
        assert "0 of 1 right" in terminal.text
        assert "Traceback" not in terminal.text
    assert len(Schedule(data_folder).positions()) == 1
