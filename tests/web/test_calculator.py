"""Questions in a process of their own: answers, errors, deadlines, memory, deaths, crowds, orphans; what is kept."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE
from time import sleep
from typing import Any

import pytest

from tentimes18.errors import InvalidDice, TooLarge
from tentimes18.game import Game
from tentimes18.server.calculator import (
    MAX_OF_ADDRESS,
    OVERHEAD,
    WARM,
    Calculator,
    Crashed,
    NotAnswered,
)
from tentimes18.server.query_process import answer_query
from tentimes18.strategies.named import UnknownStrategy
from tentimes18.strategies.solved import equilibrium
from tentimes18.tables import table_cache
from tests.support.command import Run
from tests.support.odd_questions import answer
from tests.support.process import PROCESSES, started, until


def odd(**settings: Any) -> Calculator:
    return Calculator(function=answer, **settings)


@asynccontextmanager
async def closing(calculator: Calculator) -> AsyncIterator[Calculator]:
    try:
        async with asyncio.timeout(60):
            yield calculator
    finally:
        await calculator.close()


async def asked(calculator: Calculator, question: str, **data: Any) -> Any:
    return json.loads(await calculator.ask_anew(question, data))


async def pid_of(calculator: Calculator) -> int:
    return int((await asked(calculator, "pid"))["pid"])


def verify_ended(pid: int) -> None:
    until(lambda: not (PROCESSES / str(pid)).exists(), f"process {pid} has ended")


async def test_answers_and_errors_of_queries(run_here: Run) -> None:
    async with closing(Calculator()) as calculator:
        found = await calculator.ask_anew("advise", {"roll": 9, "free": "1,4,7"})
        assert found.decode() == run_here("advise", "--roll", "9", "--free", "1,4,7", "--json").out
        for question, data, kind, text in (
            ("solve", {"dice": "3x6"}, InvalidDice, "dice '3x6': cannot read '3x6'; accepted: 3d6"),
            ("solve", {"slots": "1-30"}, Exception, "slots '1-30': 30 slots, at most 20 are accepted"),
            ("dice", {"dice": ["99d99"]}, InvalidDice, "dice '99d99'"),
            ("review", {"record": {"dice": "99d99", "moves": ""}}, InvalidDice, "dice '99d99'"),
            ("distribution", {"strategy": "lucky"}, UnknownStrategy, "strategy 'lucky': not known"),
            ("distribution", {"dice": "1d19", "slots": "1-20"}, TooLarge, "slots"),
        ):
            with pytest.raises(kind) as error:
                await calculator.ask(question, data)
            assert str(error.value).startswith(text)
        assert len(calculator) == 0  # an error is not kept


@pytest.mark.parametrize(("question", "data"), WARM)
def test_what_it_gets_ready_by_has_answers(question: str, data: dict[str, Any]) -> None:
    assert answer_query(question, data)


async def test_an_existing_table_is_read_and_none_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path))
    table_cache.clear()
    equilibrium(Game.parse("1d6", "1-3"))
    before = list(tmp_path.glob("*.npy"))
    async with closing(Calculator()) as calculator:
        for slots in ("1-3", "1-4"):
            assert (await asked(calculator, "advise", roll=5, aim="duel", dice="1d6", slots=slots))["mix"]
    assert len(before) == 1
    assert list(tmp_path.glob("*.npy")) == before


async def test_a_process_has_limits_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEN18_SECRET", "x" * 32)
    async with closing(odd(memory=5e7)) as calculator:
        assert await asked(calculator, "limits") == {"bytes": 5e7, "secrets": []}


@pytest.mark.parametrize(("question", "data"), [("sleep", {"seconds": 600}), ("hold", {})])
async def test_a_process_past_its_deadline_is_killed_and_replaced(question: str, data: dict[str, float]) -> None:
    async with closing(odd(seconds=2)) as calculator:
        pid = await pid_of(calculator)
        with pytest.raises(NotAnswered, match="longer than 2 seconds"):
            await calculator.ask(question, data)
        assert await pid_of(calculator) != pid
        verify_ended(pid)


async def test_one_that_takes_more_memory_than_it_may_have() -> None:
    async with closing(odd(memory=5e7)) as calculator:
        assert await asked(calculator, "greedy", size=40_000_000) == {"size": 40_000_000}
        with pytest.raises(TooLarge, match="more than the 50 MB"):
            await asked(calculator, "greedy", size=3_000_000_000)
        assert await asked(calculator, "greedy", size=40_000_000) == {"size": 40_000_000}


async def test_one_that_ends_or_fails_or_is_killed_while_nobody_asks() -> None:
    async with closing(odd()) as calculator:
        for question in ("die", "fail"):
            with pytest.raises(Crashed):
                await asked(calculator, question)
            pid = await pid_of(calculator)
        os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(verify_ended, pid)
        assert await pid_of(calculator) != pid


async def test_too_many_and_too_late_are_rejected() -> None:
    async with closing(odd(max_waiting=2)) as calculator:
        first, second = (asyncio.create_task(asked(calculator, "sleep", seconds=seconds)) for seconds in (0.2, 0.6))
        await asyncio.sleep(0)
        calculator.patience = 0.1
        third = asyncio.create_task(asked(calculator, "sleep", seconds=0))
        await asyncio.sleep(0)
        with pytest.raises(NotAnswered, match="too many") as error:
            await asked(calculator, "sleep", seconds=0)
        assert error.value.seconds > 0
        assert [(await task)["slept"] for task in (first, second)] == [0.2, 0.6]
        with pytest.raises(NotAnswered, match="too long"):
            await third
        assert calculator.waiting == 0


async def test_nobody_waits_long_for_a_process_that_starts_and_it_goes_on_starting() -> None:
    async with closing(odd(seconds=0.5, warm=(("sleep", {"seconds": 4}),))) as calculator:
        with pytest.raises(NotAnswered, match="still starting") as error:
            await asked(calculator, "count")
        assert error.value.seconds > 0
        calculator.seconds = 60.0
        assert await asked(calculator, "count") == {"asked": 2}


async def test_addresses_take_turns() -> None:
    async with closing(odd()) as calculator:
        order: list[str] = []

        async def one(address: str) -> None:
            await calculator.ask_anew("sleep", {"seconds": 0}, address)
            order.append(address)

        first = asyncio.create_task(calculator.ask_anew("sleep", {"seconds": 0.3}))
        await asyncio.sleep(0)
        many = [asyncio.create_task(one("192.0.2.1")) for _ in range(8)]
        await asyncio.sleep(0)
        await asyncio.gather(first, one("192.0.2.2"), one("2001:db8::1"))
        rejected = [found for found in await asyncio.gather(*many, return_exceptions=True) if found is not None]
        assert [str(found) for found in rejected] == ["too many questions wait for an answer"] * (8 - MAX_OF_ADDRESS)
        assert order[:3] == ["192.0.2.1", "192.0.2.2", "2001:db8::1"]


async def test_closing_answers_those_who_wait() -> None:
    calculator = odd()
    pid = await pid_of(calculator)
    tasks = [asyncio.create_task(asked(calculator, "sleep", seconds=600)) for _ in range(3)]
    await asyncio.sleep(0.1)
    await calculator.close()
    for task in tasks:
        with pytest.raises(NotAnswered, match="stops"):
            await asyncio.wait_for(task, 60)
    with pytest.raises(NotAnswered):
        await asked(calculator, "sleep", seconds=0)
    verify_ended(pid)


ASKING = """
import asyncio, json, sys
from tentimes18.server.calculator import Calculator
from tests.support.odd_questions import answer

async def ask():
    calculator = Calculator(function=answer, seconds=600)
    print(json.loads(await calculator.ask_anew("pid", {}))["pid"], flush=True)
    await calculator.ask_anew(*json.loads(sys.argv[1]))
    await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(ask())
"""


@pytest.mark.parametrize("question", [["pid", {}], ["sleep", {"seconds": 600}]])
def test_a_process_ends_with_the_one_that_asks_though_it_is_killed(question: list[object]) -> None:
    with started((sys.executable, "-c", ASKING, json.dumps(question)), stdout=PIPE) as asking:
        assert asking.stdout is not None
        pid = int(asking.stdout.readline())
        sleep(0.2)
        asking.kill()
        asking.wait()
        verify_ended(pid)


async def test_the_same_question_is_computed_once_and_the_latest_answers_are_kept() -> None:
    async with closing(odd(max_bytes=3 * (OVERHEAD + 100))) as calculator:
        both = [calculator.ask("count", {"a": 1, "b": 2}), calculator.ask("count", {"b": 2, "a": 1})]
        first, second = await asyncio.gather(*both)  # at once
        assert first == second == await calculator.ask("count", {"a": 1, "b": 2})  # and later
        assert json.loads(first.body) == {"asked": 1}
        for name in "abcad":
            await calculator.ask("count", {name: 1})
        assert len(calculator) == 3
        assert calculator.nbytes <= calculator.max_bytes
        counts = [json.loads((await calculator.ask("count", {name: 1})).body)["asked"] for name in "acdb"]
        assert counts == [2, 4, 5, 6]  # b was forgotten
