"""The command as a user runs it: as a process of its own, or, where that proves nothing more, in this one."""

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock
from typing import IO, Any, Final, TypeAlias

import pytest

from tentimes18.cli import main
from tests.support import SOURCE
from tests.support.process import finished

TEN18: Final = Path(sys.prefix) / "bin" / "ten18"
LONGEST_LINE: Final = 500
REMOVED: Final = {
    *("COLUMNS", "LINES", "TERMINAL_WIDTH", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "CLICOLOR", "GITHUB_ACTIONS")
}
_ONE_AT_A_TIME: Final = RLock()


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Result]


def clean_environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment with the code of this checkout, without what makes a terminal of a pipe or the reverse."""
    kept = {name: text for name, text in os.environ.items() if not (name in REMOVED or name.startswith("PYTHON"))}
    return kept | {"PYTHONPATH": str(SOURCE.parent)} | dict(changes)


def run_alone(
    *arguments: str | bytes | Path,
    timeout: float = 60,
    stdout: str | Path | None = None,
    stdin: str | bytes = "",
    limit: str = "",
    **environment: str,
) -> Result:
    """``ten18`` with these arguments as a process of its own; standard output may go to a file.

    The test fails if it still runs after ``timeout`` seconds. ``limit`` is for the shell's ``ulimit``: ``-f 0`` is a
    full disk.
    """
    shell = ("sh", "-c", f'ulimit {limit}; exec "$@"', "sh") if limit else ()
    command, env = (*shell, TEN18, *arguments), clean_environment(environment)
    if stdout is None:
        done = finished(command, stdin=stdin, timeout=timeout, env=env)
    else:
        with Path(stdout).open("wb") as sink:
            done = finished(command, stdin=stdin, stdout=sink, timeout=timeout, env=env)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_here(*arguments: str, stdin: str | bytes = "", **environment: str) -> Result:
    """``ten18`` with these arguments in this process, where tables are made and code is compiled already.

    It sees the arguments, the input and the environment that a process of its own would see, with standard output and
    standard error in files, and leaves nothing changed. Calls from several threads take turns. It cannot be
    interrupted, has no terminal, and what only the start of a process shows is not shown here: that needs `run_alone`.
    """
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    with (
        _ONE_AT_A_TIME,
        _nothing_changed() as patch,
        TemporaryFile() as source,
        TemporaryFile() as out,
        TemporaryFile() as err,
    ):
        source.write(stdin.encode() if isinstance(stdin, str) else stdin)
        source.seek(0)
        for name in REMOVED | {name for name in os.environ if name.startswith("PYTHON")}:
            patch.delenv(name, raising=False)
        # Into a pipe, the size of the terminal that the tests run in is not seen.
        for name, text in ({"COLUMNS": "80", "LINES": "25"} | environment).items():
            patch.setenv(name, text)
        patch.setattr(sys, "argv", [str(TEN18), *arguments])
        patch.setattr(sys.modules["__main__"], "__package__", None)  # else its help is that of `python -m pytest`
        patch.setattr(sys, "stdin", io.TextIOWrapper(os.fdopen(os.dup(source.fileno()), "rb"), encoding))
        patch.setattr(sys, "stdout", _writer(out, encoding))
        patch.setattr(sys, "stderr", _writer(err, encoding, "backslashreplace"))
        with sys.stdin, sys.stdout, sys.stderr, pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        assert isinstance(code, int)
        return Result(code, _read(out, encoding), _read(err, encoding))


def run_for_tools(arguments: Sequence[str], words: str, variables: dict[str, str]) -> tuple[int, str, str]:
    """The same, as tools that write docs run the command."""
    result = run_here(*arguments, stdin=words, **variables)
    return result.code, result.out, result.err


def _writer(file: IO[bytes], encoding: str, errors: str = "strict") -> io.TextIOWrapper:
    return io.TextIOWrapper(os.fdopen(os.dup(file.fileno()), "wb"), encoding, errors)


def _read(file: IO[bytes], encoding: str) -> str:
    file.seek(0)
    return file.read().decode(encoding)


@contextmanager
def _nothing_changed() -> Iterator[pytest.MonkeyPatch]:
    """Inside, things may be changed: what the command changes for its own process is put back at the end."""
    digits, field_size, path = sys.get_int_max_str_digits(), csv.field_size_limit(), sys.path[:]
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        if "matplotlib" in sys.modules:
            from matplotlib import rc_context

            stack.enter_context(rc_context())
        try:
            yield patch
        finally:
            _forget_modules_in(set(sys.path) - set(path))
            sys.path[:] = path
            sys.set_int_max_str_digits(digits)
            csv.field_size_limit(field_size)


def _forget_modules_in(folders: Set[str]) -> None:
    """Another test may have other modules of the same name."""
    places = {Path(folder) for folder in folders}
    if places:  # a walk through thousands of modules
        for name, module in list(sys.modules.items()):
            if (file := getattr(module, "__file__", None)) and Path(file).parent in places:
                del sys.modules[name]


def read_json(result: Result, err: str = "") -> Any:
    """The one JSON object on the one line of standard output, with nothing beside it but this on standard error."""
    assert (result.code, result.err) == (0, err)
    assert result.out.endswith("}\n")
    assert result.out.count("\n") == 1
    return json.loads(result.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def golden_lines(name: str) -> list[str]:
    """The lines of a file of golden facts, without its comments."""
    lines = (Path(__file__).parents[1] / "golden" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def problems(result: Result, *facts: str) -> list[str]:
    """What is wrong with a rejection: it must be one short line that starts with the name of the command."""
    found = []
    if result.code != 2:
        found.append(f"exit code {result.code}")
    if result.out:
        found.append(f"{result.out[:60]!r} on standard output")
    if "Traceback" in result.err:
        found.append("a traceback")
    if len(result.err.splitlines()) != 1 or not result.err.endswith("\n"):
        found.append(f"{len(result.err.splitlines())} lines on standard error")
    if not result.err.startswith("ten18: "):
        found.append(f"{result.err[:60]!r} on standard error")
    if len(result.err) > LONGEST_LINE:
        found.append(f"a line of {len(result.err)} characters")
    return found + [f"no {fact!r} in {result.err[:100]!r}" for fact in facts if fact not in result.err]
