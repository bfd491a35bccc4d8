"""Questions in processes of their own: answers, errors, deadlines, memory, deaths, crowds, and no orphans."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from subprocess import PIPE
from time import monotonic, sleep
from typing import Any, TypeVar

import pytest

from tentimes18.errors import InvalidDice, Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.server.calculator.calculator import (
    LAB_PROCESS,
    Calculator,
    Crashed,
    NotAnswered,
    Overdue,
    TooManyQuestions,
)
from tentimes18.strategies.named import UnknownStrategy
from tentimes18.strategies.solved import equilibrium
from tests.support.odd_questions import COMMAND
from tests.support.process import started

Found = TypeVar("Found")

SMALL = {"dice": "1d6", "slots": "1,2"}


def odd(**settings: Any) -> Calculator:
    return Calculator(COMMAND, **settings)


def run(calculator: Calculator, asking: Coroutine[Any, Any, Found]) -> Found:
    """Ask, and see that nothing is left when it is closed."""

    pids: list[int] = []

    async def both() -> Found:
        try:
            return await asyncio.wait_for(asking, 60)
        finally:
            pids.extend(calculator.pids)
            await calculator.close()

    found = asyncio.run(both())
    assert calculator.pids == []
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    return found


async def raised_by(asking: Coroutine[Any, Any, object], kind: type[Exception]) -> Exception:
    with pytest.raises(kind) as error:
        await asking
    return error.value


async def begun(calculator: Calculator) -> None:
    """Wait until what was asked is being answered."""
    await asyncio.sleep(0)
    while calculator.waiting:
        await asyncio.sleep(0)


def test_answers_and_errors_of_the_core_come_back_as_they_were() -> None:
    calculator = Calculator(LAB_PROCESS, memory=2e8)

    async def ask() -> None:
        assert calculator.pids == []  # nobody asked yet
        answer = json.loads(await calculator.ask("solve", SMALL | {"exact": True}))
        assert answer["expected"] == {"random": "21/2", "optimal": "45/4", "hindsight": "413/36"}
        (pid,) = calculator.pids
        dice = await raised_by(calculator.ask("solve", {"dice": "3x6"}), InvalidDice)
        assert isinstance(dice, Ten18Error)
        assert (dice.field, dice.given) == ("dice", "3x6")
        assert str(dice).startswith("dice '3x6': cannot read '3x6'; accepted: 3d6")
        name = await raised_by(calculator.ask("distribution", {"strategy": "lucky"}), UnknownStrategy)
        assert str(name).startswith("strategy 'lucky': not known")
        large = await raised_by(calculator.ask("distribution", {"dice": "1d19", "slots": "1-20"}), TooLarge)
        assert "would need about 5.65 GB" in str(large)
        duel = {"roll": 9, "aim": "duel", "dice": "1d9", "slots": "1-11"}
        slow = await raised_by(calculator.ask("advise", duel), TooLarge)
        assert "at most" in str(slow)
        assert calculator.pids == [pid]  # the same all along

    run(calculator, ask())


def test_a_table_that_is_there_is_read_and_none_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse("1d9", "1-9")
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path))
    calculator = Calculator(LAB_PROCESS, planned=0.001)

    async def ask() -> None:
        duel = {"roll": 5, "aim": "duel", "dice": "1d9"}
        refused = await raised_by(calculator.ask("advise", duel | {"slots": "1-9"}), TooLarge)
        assert "the table of the duel" in str(refused)
        assert json.loads(await calculator.ask("advise", duel | {"slots": "1-4"}))["mix"]
        assert list(tmp_path.glob("*.npy")) == []
        equilibrium(game)
        assert len(list(tmp_path.glob("*.npy"))) == 1
        assert json.loads(await calculator.ask("advise", duel | {"slots": "1-9"}))["mix"]

    run(calculator, ask())


def test_the_limits_are_told_to_the_process() -> None:
    calculator = odd(memory=5e7, planned=7)
    told = json.loads(run(calculator, calculator.ask("limits", {})))
    assert told == {"memory": 5e7, "seconds": 7}


def test_what_is_printed_there_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    calculator = odd()
    assert "pid" in json.loads(run(calculator, calculator.ask("print", {})))
    assert capfd.readouterr() == ("", "this is no answer\n")


@pytest.mark.parametrize(("question", "data"), [("sleep", {"seconds": 600}), ("hold", {})])
def test_a_process_past_its_deadline_is_killed_and_replaced(question: str, data: dict[str, float]) -> None:
    calculator = odd(seconds=0.5)

    async def ask() -> None:
        error = await raised_by(calculator.ask(question, data), Overdue)
        assert "longer than 0.5 seconds" in str(error)
        assert json.loads(await calculator.ask("sleep", {"seconds": 0})) == {"slept": 0}

    run(calculator, ask())


def test_one_that_takes_more_memory_than_it_may_have_is_told_so() -> None:
    calculator = odd(memory=5e7)

    async def ask() -> None:
        assert json.loads(await calculator.ask("greedy", {"size": 40_000_000})) == {"size": 40_000_000}
        error = await raised_by(calculator.ask("greedy", {"size": 3_000_000_000}), TooLarge)
        assert "more than the 50 MB" in str(error)
        assert json.loads(await calculator.ask("greedy", {"size": 40_000_000})) == {"size": 40_000_000}

    run(calculator, ask())


def test_one_that_ends_or_fails_is_replaced() -> None:
    calculator = odd()

    async def ask() -> None:
        for question in ("die", "fail"):
            await raised_by(calculator.ask(question, {}), Crashed)
            assert await calculator.ask("sleep", {"seconds": 0})

    run(calculator, ask())


def test_one_that_is_killed_while_nobody_asks_is_not_noticed() -> None:
    calculator = odd()

    async def ask() -> None:
        before = json.loads(await calculator.ask("print", {}))["pid"]
        assert calculator.pids == [before]
        os.kill(before, signal.SIGKILL)
        while not all(child.has_ended for child in calculator._children):
            await asyncio.sleep(0.01)
        assert json.loads(await calculator.ask("print", {}))["pid"] != before

    run(calculator, ask())


def test_beyond_those_that_may_wait_a_question_is_refused_at_once() -> None:
    calculator = odd(most_waiting=2)

    async def ask() -> None:
        await calculator.ask("sleep", {"seconds": 0})
        first = asyncio.create_task(calculator.ask("sleep", {"seconds": 0.5}))
        await begun(calculator)
        others = [asyncio.create_task(calculator.ask("sleep", {"seconds": 0.01 * k})) for k in (1, 2)]
        await asyncio.sleep(0)
        assert calculator.waiting == 2
        error = await raised_by(calculator.ask("sleep", {"seconds": 0}), TooManyQuestions)
        assert isinstance(error, NotAnswered)
        assert error.seconds > 0
        assert not first.done()
        assert [json.loads(body)["slept"] for body in await asyncio.gather(first, *others)] == [0.5, 0.01, 0.02]

    run(calculator, ask())


def test_many_questions_at_once_each_get_their_own_answer() -> None:
    calculator = Calculator(LAB_PROCESS, processes=2, most_waiting=200)

    async def ask() -> None:
        asked = [{"roll": 1 + k % 6, "dice": "1d6", "slots": f"1-{2 + k % 5}"} for k in range(100)]
        found = await asyncio.gather(*(calculator.ask("advise", data) for data in asked))
        answers = [json.loads(body) for body in found]
        assert [answer["roll"] for answer in answers] == [data["roll"] for data in asked]
        assert [len(answer["moves"]) for answer in answers] == [2 + k % 5 for k in range(100)]
        assert len(calculator.pids) == 2

    run(calculator, ask())


def test_whoever_goes_leaves_the_line_and_holds_up_nobody() -> None:
    calculator = odd(most_waiting=1)

    async def ask() -> None:
        await calculator.ask("sleep", {"seconds": 0})
        running = asyncio.create_task(calculator.ask("sleep", {"seconds": 0.3}))
        await begun(calculator)
        in_line = asyncio.create_task(calculator.ask("sleep", {"seconds": 600}))
        await asyncio.sleep(0)
        for task in (running, in_line):
            task.cancel()
        await asyncio.gather(running, in_line, return_exceptions=True)
        assert calculator.waiting == 0
        assert json.loads(await calculator.ask("sleep", {"seconds": 0})) == {"slept": 0}

    run(calculator, ask())


def test_who_waits_longer_than_an_answer_may_take_is_told_to_come_again() -> None:
    calculator = odd(patience=0.3)

    async def ask() -> None:
        await calculator.ask("sleep", {"seconds": 0})
        first, second = (asyncio.create_task(calculator.ask("sleep", {"seconds": seconds})) for seconds in (0.5, 0))
        await raised_by(asyncio.wait_for(second, 60), TooManyQuestions)
        assert await first

    run(calculator, ask())


def test_closing_answers_those_who_wait() -> None:
    calculator = odd()

    async def ask() -> None:
        asked = [asyncio.create_task(calculator.ask("sleep", {"seconds": 600})) for _ in range(3)]
        while not calculator.pids:
            await asyncio.sleep(0.01)
        await calculator.close()
        for task in asked:
            await raised_by(asyncio.wait_for(task, 60), NotAnswered)
        await raised_by(calculator.ask("sleep", {"seconds": 0}), NotAnswered)

    run(calculator, ask())


def test_one_that_cannot_be_started_answers_nothing_and_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    calculator = Calculator((sys.executable, "-c", "raise SystemExit"))

    async def ask() -> None:
        task = asyncio.create_task(calculator.ask("solve", {}))
        while "did not start" not in caplog.text:
            await asyncio.sleep(0.01)
        await calculator.close()
        await raised_by(asyncio.wait_for(task, 60), NotAnswered)

    run(calculator, ask())


def test_nobody_waits_for_ever_where_none_can_be_started() -> None:
    calculator = Calculator((sys.executable, "-c", "raise SystemExit"), patience=0.0)

    async def ask() -> None:
        await raised_by(calculator.ask("solve", {}), NotAnswered)
        assert calculator.waiting == 0

    run(calculator, ask())


ASKING = f"""
import asyncio, json, sys
from tentimes18.server.calculator.calculator import Calculator

async def ask():
    calculator = Calculator({COMMAND!r}, seconds=600)
    pid = json.loads(await calculator.ask("print", {{}}))["pid"]
    asked = asyncio.create_task(calculator.ask(*json.loads(sys.argv[1])))
    await asyncio.sleep(0.2)
    print(pid, flush=True)
    await asked

asyncio.run(ask())
"""


@pytest.mark.parametrize("question", [None, ["sleep", {"seconds": 600}]])
def test_a_process_ends_with_the_one_that_asks_though_it_is_killed(question: list[object] | None) -> None:
    asked = json.dumps(question or ["print", {}])
    with started((sys.executable, "-c", ASKING, asked), stdout=PIPE) as asking:
        assert asking.stdout is not None
        pid = int(asking.stdout.readline())
        asking.kill()
        asking.wait()
        deadline = monotonic() + 20
        while Path(f"/proc/{pid}").exists() and monotonic() < deadline:
            sleep(0.02)
        assert not Path(f"/proc/{pid}").exists()
