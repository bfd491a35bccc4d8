"""The command as a whole: its help, its names for what is wrong, and that it is the same as a process and here."""

import re
import signal
import sys
from typing import Any

import pytest

from tentimes18.cli import make_command
from tests.support.command import Run, clean_environment
from tests.support.process import finished

SMALL = ("--dice", "1d6", "--slots", "1-3")

# One process per command, into which nothing of ours is loaded before; other tests run them in this process.
EACH = [
    ("solve", *SMALL),
    ("simulate", "--games", "1000", "--json", *SMALL),
    ("duel", "response", *SMALL),
    ("history",),
]


@pytest.mark.parametrize("arguments", EACH, ids=" ".join)
def test_the_same_as_a_process_and_here(run: Run, run_here: Run, arguments: tuple[str, ...]) -> None:
    alone, here = run(*arguments), run_here(*arguments)
    assert (alone.code, alone.err) == (here.code, here.err) == (0, "")
    assert without_seconds(alone.out) == without_seconds(here.out) != ""


def without_seconds(text: str) -> str:
    return re.sub(r'"seconds": [^,]+', "", text)


INTERRUPTED = """
import runpy, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
runpy.run_module("tentimes18", run_name="__main__")
"""


def test_interrupted_before_it_is_imported() -> None:
    done = finished((sys.executable, "-c", INTERRUPTED), env=clean_environment({}))
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, b"", b"")


def walk(words: str, command: Any) -> dict[str, Any]:
    """A command and those in it, by the words that call them."""
    found = {words: command}
    for name, inner in getattr(command, "commands", {}).items():
        found |= walk(f"{words} {name}".strip(), inner)
    return found


ALL_COMMANDS = walk("", make_command(is_whole=True))


@pytest.mark.parametrize("words", ALL_COMMANDS)
def test_help(run_here: Run, words: str) -> None:
    result = run_here(*words.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert "Usage: ten18" in result.out
    for option in (name for parameter in ALL_COMMANDS[words].params for name in parameter.opts if name[0] == "-"):
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", result.out), option
    for inner in getattr(ALL_COMMANDS[words], "commands", {}):
        assert re.search(rf"\b{inner}\b", result.out)


@pytest.mark.parametrize("words", ["", "duel", "plot", "export", "play --help", "tournament --help", "-h"])
def test_help_has_nothing_cut_and_no_blanks_at_the_ends_of_lines(run_here: Run, words: str) -> None:
    result = run_here(*words.split())
    assert "Usage: ten18" in result.out
    assert [line for line in result.out.splitlines() if line.endswith(" ")] == []
    assert "…" not in result.out


def test_version_and_no_arguments(run_here: Run) -> None:
    number = r"\d+\.\d+\.\d+"
    libraries = rf"numpy {number}, numba {number}, matplotlib {number}"
    assert re.fullmatch(rf"ten18 {number} \(Python {number}, {libraries}\)\n", run_here("--version").out)
    bare = run_here()
    assert (bare.code, bare.out.split()) == (0, run_here("--help").out.split())
