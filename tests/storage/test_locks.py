"""One at a time: in this process and in others, however they end."""

import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from select import select

import pytest

from tentimes18.storage.locks import in_turn, is_held, only_one
from tests.support.process import Process, finished, started
from tests.support.waiting import until

HOLDER = """
import sys, time
from pathlib import Path
from tentimes18.storage.locks import only_one
with only_one(Path(sys.argv[1])) as mine:
    print(mine is not None, flush=True)
    time.sleep(600)
"""
STARTER = """
import subprocess, sys
from pathlib import Path
from tentimes18.storage.locks import only_one
with only_one(Path(sys.argv[1])) as lock:
    given = [lock] if sys.argv[2] == "given" else []
    subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], pass_fds=given)
"""


def test_one_is_inside_and_the_next_one_comes_after_it(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    assert not is_held(path)
    for _ in range(2):
        with only_one(path) as mine:
            assert mine is not None
            assert is_held(path)
            with only_one(path) as another:
                assert another is None
            assert is_held(path), "whoever did not get in takes nothing away"
    assert not is_held(path)
    assert path.read_bytes() == b""


def test_looking_takes_no_lock_and_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    assert not is_held(path)
    assert not path.exists()
    with only_one(path) as mine:
        assert mine is not None


def test_a_holder_that_is_killed_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with started((sys.executable, "-c", HOLDER, path), stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        assert is_held(path)
        with only_one(path) as mine:
            assert mine is None
        os.kill(holder.pid, signal.SIGKILL)
        until(lambda: not is_held(path), "the lock is free")


@pytest.mark.parametrize("what", ["given", "kept"])
def test_a_process_that_the_holder_started_holds_it_where_it_was_given(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.lock"
    with started((sys.executable, "-c", STARTER, path, what), stdin=subprocess.PIPE) as holder:
        holder.wait(60)
        assert is_held(path) == (what == "given")
        assert holder.stdin is not None
        holder.stdin.close()  # for which the other one waits
        until(lambda: not is_held(path), "the lock is free")


def test_a_lock_that_cannot_be_made(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(OSError, match="Not a directory"), only_one(blocked / "a.lock"):
        pass
    assert not is_held(blocked / "a.lock")


def test_two_processes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with only_one(path):
        program = (
            "import sys\nfrom pathlib import Path\nfrom tentimes18.storage.locks import is_held, only_one\n"
            "with only_one(Path(sys.argv[1])) as mine: print(mine, is_held(Path(sys.argv[1])))"
        )
        assert finished((sys.executable, "-c", program, path)).stdout == b"None True\n"


WAIT = """
import sys, time
from pathlib import Path
from tentimes18.storage.locks import in_turn
with in_turn(Path(sys.argv[1]), sys.argv[2]):
    print("in", flush=True)
    sys.stdin.readline()
print("out", flush=True)
"""


def test_who_comes_second_waits_and_another_name_does_not(tmp_path: Path) -> None:
    path = tmp_path / "turns.lock"

    def entering(name: str) -> AbstractContextManager[Process]:
        return started((sys.executable, "-c", WAIT, str(path), name), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with entering("a") as first, entering("b") as other:
        assert [process.stdout.readline() for process in (first, other) if process.stdout] == [b"in\n"] * 2
        with entering("a") as second:
            assert second.stdout is not None
            assert select([second.stdout], [], [], 0.5)[0] == []
            first.kill()  # whoever ends gives it back
            assert second.stdout.readline() == b"in\n"


def test_a_process_may_enter_again_and_where_there_is_no_file_nobody_waits(tmp_path: Path) -> None:
    with in_turn(tmp_path / "turns.lock", "a"), in_turn(tmp_path / "turns.lock", "a"):
        pass
    with in_turn(tmp_path / "no folder" / "turns.lock", "a"):
        pass
