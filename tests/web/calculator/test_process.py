"""The process that answers: its frames, what it keeps to, and that it ends with its input or its time."""

import json
import signal
import sys
from subprocess import PIPE
from typing import IO

from tentimes18.server.calculator import process as child
from tests.support.odd_questions import COMMAND
from tests.support.process import PATIENCE, Process, started


def send(process: Process, kind: bytes, content: object) -> None:
    body = json.dumps(content).encode()
    assert process.stdin is not None
    process.stdin.write(child.FRAME.pack(kind, len(body)) + body)
    process.stdin.flush()


def receive(process: Process) -> tuple[bytes, bytes]:
    output: IO[bytes] | None = process.stdout
    assert output is not None
    kind, size = child.FRAME.unpack(output.read(child.FRAME.size))
    return kind, output.read(size)


def ready(process: Process) -> None:
    send(process, child.SETTINGS, {"memory": 1e8, "seconds": 10})
    assert receive(process) == (child.READY, b"")


def ask(process: Process, question: str, deadline: float = 60, **data: object) -> None:
    send(process, child.QUESTION, {"question": question, "data": data, "seconds": deadline})


def test_a_question_and_its_end() -> None:
    with started(
        (sys.executable, "-m", "tentimes18.server.calculator.game_questions"), stdin=PIPE, stdout=PIPE
    ) as process:
        ready(process)
        ask(process, "advice", dice="3d6", slots="1-10", moves="8@5", roll=9)
        kind, body = receive(process)
        assert (kind, json.loads(body)["best"]) == (child.ANSWER, 3)
        ask(process, "advice", dice="3d6", slots="1-10", moves="8@5", roll=99)
        kind, body = receive(process)
        assert kind == child.ERROR
        assert json.loads(body) | {"problem": ""} == {
            "kind": "IllegalMove",
            "problem": "",
            "field": "roll",
            "given": None,
        }
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_it_ends_with_its_input_in_the_midst_of_a_question() -> None:
    with started(COMMAND, stdin=PIPE, stdout=PIPE) as process:
        ready(process)
        ask(process, "sleep", seconds=600)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_the_system_ends_it_where_nothing_else_can() -> None:
    """A single operation of an interpreter that lets nobody else run: neither its thread nor its signals."""
    with started(COMMAND, stdin=PIPE, stdout=PIPE) as process:
        ready(process)
        ask(process, "hold", deadline=0.2 - child.GRACE)
        assert process.wait(PATIENCE) == -signal.SIGALRM


def test_it_ends_when_it_had_no_memory() -> None:
    with started(COMMAND, stdin=PIPE, stdout=PIPE) as process:
        ready(process)
        ask(process, "greedy", size=5_000_000_000)
        assert receive(process) == (child.NO_MEMORY, b"")
        assert process.wait(PATIENCE) == 0


def test_a_signal_of_the_terminal_is_not_for_it() -> None:
    with started(COMMAND, stdin=PIPE, stdout=PIPE) as process:
        ready(process)
        process.send_signal(signal.SIGINT)
        ask(process, "sleep", seconds=0)
        assert receive(process)[0] == child.ANSWER
