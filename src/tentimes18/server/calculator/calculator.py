"""Questions answered in processes of their own: nothing that is computed for a stranger holds up a request.

A question waits in line for a process that is free; beyond a number of them it is refused at once. A process that is
past the deadline of its question is killed and replaced, and so is one that ends by itself. What a question may need of
time and memory is told to the process, which refuses what does not fit before it starts, and the system holds it to
that (`calculator_process`).
"""

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge
from tentimes18.server.calculator import process
from tentimes18.server.settings import DATABASE_VARIABLE, SECRET_VARIABLE
from tentimes18.strategies.named import UnknownStrategy

__all__ = [
    "GAME_PROCESS",
    "LAB_PROCESS",
    "Calculator",
    "Crashed",
    "NotAnswered",
    "Overdue",
    "QuestionToAsk",
    "TooManyQuestions",
]

LAB_PROCESS: Final = (sys.executable, "-P", "-m", "tentimes18.server.calculator.lab_questions")
GAME_PROCESS: Final = (sys.executable, "-P", "-m", "tentimes18.server.calculator.game_questions")
START_SECONDS: Final = 300.0  # that a process may take until it is ready: the first one compiles
STOPS: Final = "the service stops"
PAUSE: Final = 1.0  # seconds, after one that could not be started
SECRETS: Final = (SECRET_VARIABLE, DATABASE_VARIABLE)
KINDS: Final = {kind.__name__: kind for kind in (InvalidDice, InvalidGame, IllegalMove, TooLarge, UnknownStrategy)}

_LOG: Final = logging.getLogger(__name__)

QuestionToAsk: TypeAlias = tuple[str, Mapping[str, Any]]
"""The name of a question, and its data."""


class NotAnswered(Exception):
    """A question that has no answer now; ``seconds``: when to ask again."""

    def __init__(self, problem: str, seconds: float = 1.0) -> None:
        super().__init__(problem)
        self.seconds = seconds


class TooManyQuestions(NotAnswered):
    """Others wait already, or waited too long."""


class Overdue(NotAnswered):
    """The answer took longer than anybody waits."""


class Crashed(NotAnswered):
    """The process that was to answer ended, or failed."""


class _Ended(Exception):
    """The process is not there any more."""


@dataclass(eq=False, slots=True)
class _Asked:
    """A question in line."""

    body: bytes
    since: float
    answer: "asyncio.Future[bytes]" = field(repr=False)

    def succeed(self, answer: bytes) -> None:
        if not self.answer.done():  # where whoever asked has not gone
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class _Child:
    """A process that answers."""

    def __init__(self, running: Process) -> None:
        assert running.stdin is not None
        assert running.stdout is not None
        self.running, self.input, self.output = running, running.stdin, running.stdout
        self.is_ready = False
        self.ready_at = 0.0
        """By the clock of the loop: until then nobody waited for others."""

    @property
    def has_ended(self) -> bool:
        return self.running.returncode is not None or self.output.at_eof()

    async def ask(self, kind: bytes, body: bytes) -> tuple[bytes, bytes]:
        """Send a frame, and wait for the one that answers it."""
        try:
            self.input.write(process.FRAME.pack(kind, len(body)) + body)
            await self.input.drain()
            head = await self.output.readexactly(process.FRAME.size)
            answered, size = process.FRAME.unpack(head)
            return answered, await self.output.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise _Ended from error

    async def end(self) -> None:
        with suppress(ProcessLookupError):
            self.running.kill()
        self.input.close()
        await self.running.wait()


class Calculator:
    """So many processes of a command that answers questions: within so many seconds each, and so many bytes.

    What is planned to take longer than ``planned`` seconds is refused before it starts: plans are of an idle machine,
    and this one has other things to do. A question that stood in line for longer than ``patience`` seconds is not asked
    any more. ``warm`` is asked of each new process first, so that what the others need is loaded when they come.
    """

    def __init__(
        self,
        command: Sequence[str],
        processes: int = 1,
        seconds: float = 30.0,
        memory: float = 1e9,
        most_waiting: int = 16,
        *,
        planned: float = 4.0,
        patience: float = 20.0,
        warm: Sequence[QuestionToAsk] = (),
    ) -> None:
        self.processes = processes
        self.seconds = seconds
        self.memory = memory
        self.most_waiting = most_waiting
        self.planned = planned
        self.patience = patience
        self._warm = [_body(*question, START_SECONDS) for question in warm]
        self._command = tuple(command)
        self._line: deque[_Asked] = deque()
        self._has_question = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []
        self._children: set[_Child] = set()
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """How many questions stand in line."""
        return len(self._line)

    @property
    def pids(self) -> list[int]:
        """The processes that are there, by the system's number."""
        return sorted(child.running.pid for child in self._children)

    @property
    def is_ready(self) -> bool:
        """Whether all processes wait for questions, or answer them."""
        return sum(child.is_ready for child in self._children) == self.processes

    def start(self, after: float = 0.0) -> None:
        """Start the processes, without waiting for them: with the first question, or after so many seconds."""
        if not self._tasks and not self._is_closed:
            self._tasks = [asyncio.create_task(self._work(after)) for _ in range(self.processes)]

    async def ask(self, question: str, data: Mapping[str, Any]) -> bytes:
        """The answer, as JSON; raises what the question raised, or ``NotAnswered``."""
        if self._is_closed:
            raise NotAnswered(STOPS)
        self.start()
        if len(self._line) >= self.most_waiting:
            raise TooManyQuestions("too many questions wait for an answer", self.seconds / 2)
        loop = asyncio.get_running_loop()
        asked = _Asked(_body(question, data, self.seconds), loop.time(), loop.create_future())
        self._line.append(asked)
        try:
            async with self._has_question:
                self._has_question.notify()
            return await asked.answer
        finally:
            if asked in self._line:  # whoever asked has gone
                self._line.remove(asked)

    async def close(self) -> None:
        """Answer nothing any more, and end the processes."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._line:
            self._line.popleft().fail(NotAnswered(STOPS))

    async def _work(self, after: float) -> None:
        """What is done for one process after another: keep it, and have it answer."""
        child: _Child | None = None
        with suppress(TimeoutError):
            async with asyncio.timeout(after), self._has_question:
                await self._has_question.wait_for(lambda: bool(self._line))
        try:
            while True:
                if child is None and (child := await self._started()) is None:
                    self._refuse_those_who_waited()
                    await asyncio.sleep(PAUSE)
                    continue
                async with self._has_question:
                    await self._has_question.wait_for(lambda: bool(self._line))
                    asked = None if child.has_ended else self._line.popleft()
                if asked is None or not await self._answered(child, asked):
                    await self._end(child)
                    child = None
        finally:
            if child is not None:
                await self._end(child)

    def _refuse_those_who_waited(self) -> None:
        """Where no process can be started nobody takes a question out of the line."""
        last = asyncio.get_running_loop().time() - self.patience
        while self._line and self._line[0].since < last:
            self._line.popleft().fail(NotAnswered("nobody can answer now", self.seconds))

    async def _end(self, child: _Child) -> None:
        await child.end()
        self._children.discard(child)

    async def _started(self) -> _Child | None:
        """A new process that is ready; None where there is none to be had."""
        settings = {"memory": self.memory, "seconds": self.planned}
        try:
            running = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, env=_environment()
            )
        except OSError as error:
            _LOG.error("no process can be started that answers questions: %s", error)
            return None
        child = _Child(running)
        self._children.add(child)
        try:
            async with asyncio.timeout(START_SECONDS):
                await child.ask(process.SETTINGS, json.dumps(settings).encode())
                for body in self._warm:
                    await child.ask(process.QUESTION, body)
            child.is_ready, child.ready_at = True, asyncio.get_running_loop().time()
        except (TimeoutError, _Ended):
            _LOG.error("a process that answers questions did not start")
        finally:
            if not child.is_ready:
                await self._end(child)
        return child if child.is_ready else None

    async def _answered(self, child: _Child, asked: _Asked) -> bool:
        """Have a question answered; whether the process can go on."""
        if asked.answer.done():  # whoever asked has gone
            return True
        if asyncio.get_running_loop().time() - max(asked.since, child.ready_at) > self.patience:
            asked.fail(TooManyQuestions("others took too long to answer this one in time", self.seconds))
            return True
        try:
            async with asyncio.timeout(self.seconds):
                kind, body = await child.ask(process.QUESTION, asked.body)
        except TimeoutError:
            asked.fail(Overdue(f"the answer takes longer than {self.seconds:g} seconds", self.seconds))
            return False
        except _Ended:
            _LOG.error("a process ended while it answered %s", _shown(asked.body))
            asked.fail(Crashed("the process that was to answer ended"))
            return False
        except asyncio.CancelledError:
            asked.fail(NotAnswered(STOPS))
            raise
        if kind == process.ANSWER:
            asked.succeed(body)
        elif kind == process.ERROR:
            told = json.loads(body)
            asked.fail(KINDS.get(told["kind"], Ten18Error)(told["problem"], told["field"], told["given"]))
        elif kind == process.NO_MEMORY:
            asked.fail(TooLarge(f"the answer takes more than the {self.memory / 1e6:,.0f} MB that a question may have"))
        else:
            _LOG.error("there is no answer to %s", _shown(asked.body))
            asked.fail(Crashed("the question could not be answered"))
        return kind in (process.ANSWER, process.ERROR)


def _body(question: str, data: Mapping[str, Any], seconds: float) -> bytes:
    return json.dumps({"question": question, "data": dict(data), "seconds": seconds}).encode()


def _shown(body: bytes) -> str:
    return body[:500].decode(errors="replace")


def _environment() -> dict[str, str]:
    """Nothing secret goes to where strangers' questions are answered."""
    return {name: text for name, text in os.environ.items() if name not in SECRETS}
