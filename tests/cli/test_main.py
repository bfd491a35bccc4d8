"""The command as a whole: its help, its names for what is wrong, and that it is the same as a process and here."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from tentimes18.cli import make_app
from tests.support.command import Run, problems

SMALL = ("--dice", "1d6", "--slots", "1-3")

# One process a command, into which nothing of ours is loaded before; most other tests of them run in this one.
EACH = [
    ("solve", *SMALL),
    ("closest", *SMALL),
    ("advise", "--roll", "4", *SMALL),
    ("distribution", *SMALL),
    ("target", "30", *SMALL),
    ("aim", "cvar:0.5", *SMALL),
    ("front", *SMALL),
    ("simulate", "--games", "1000", "--json", *SMALL),
    ("tournament", "--strategies", "optimal,random", "--games", "1000", *SMALL),
    ("table", "optimal", "nearest", "random", "--games", "1000", "--json", *SMALL),
    ("duel", "response", *SMALL),
    ("duel", "equilibrium", *SMALL),
    ("duel", "play", "optimal", "random", "--games", "1000", *SMALL),
    ("duel", "cycle", *SMALL),
    ("paper",),
    ("card", *SMALL),
    ("export", "prism", *SMALL),
    ("history",),
]


@pytest.mark.parametrize("arguments", EACH, ids=" ".join)
def test_the_same_as_a_process_and_here(run_warm: Run, run_here: Run, arguments: tuple[str, ...]) -> None:
    alone, here = run_warm(*arguments), run_here(*arguments)
    assert (alone.code, alone.err) == (here.code, here.err) == (0, "")
    assert without_seconds(alone.out) == without_seconds(here.out) != ""


def without_seconds(text: str) -> str:
    return re.sub(r'"seconds": [^,]+', "", text)


def test_a_picture_is_the_same_as_a_process_and_here(run: Run, run_here: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    assert run("plot", "first-move", "-o", str(one), *SMALL).out == f"Wrote {one}\n"
    assert run_here("plot", "first-move", "-o", str(other), *SMALL).out == f"Wrote {other}\n"
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        (["solve", "--dice", "x"], "ten18: --dice 'x': cannot read 'x'"),
        (["distribution", "--strategy", "lucky"], "ten18: --strategy 'lucky': not known; accepted: random, optimal"),
        (["distribution", "--at-least", "x"], "ten18: --at-least: 'x' is not a number"),
        (["duel", "response", "--opponent-free", "x"], "ten18: --opponent-free 'x': cannot read 'x'"),
        (["duel", "response", "--to", "lucky", "--rolls", "own", *SMALL], "ten18: --to 'lucky': not known"),
        (["duel", "response", "--with", "lucky", *SMALL], "ten18: --with: 'lucky' cannot be answered exactly"),
        (["plot", "scores", "-o", "x.svg", "--strategies", "lucky"], "ten18: --strategies 'lucky': not known"),
        (["target", "x"], "ten18: target: 'x' is not a number"),
        (["aim", "lucky"], "ten18: aim: 'lucky' is not an aim; accepted: target:700"),
        (["duel", "play", "lucky", "optimal"], "ten18: A 'lucky': not known"),
        (["duel", "play", "optimal", "hunter:"], "ten18: B 'hunter:': not known"),
        (["solve", "--exact", "--digits", "5"], "ten18: --digits: cannot be combined with --exact"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value[:20],
)
def test_what_is_wrong_is_named_as_the_command_names_it(run_here: Run, arguments: list[str], start: str) -> None:
    """The option where the command has one of that name, also in a group, and else the field."""
    assert problems(run_here(*arguments), start) == []


def all_commands() -> dict[str, Any]:
    """Every command with its click object, groups included, by the words that call it."""

    def walk(words: str, command: Any) -> dict[str, Any]:
        found = {words: command}
        for name, inner in getattr(command, "commands", {}).items():
            found |= walk(f"{words} {name}".strip(), inner)
        return found

    return walk("", typer.main.get_command(make_app()))


@pytest.mark.parametrize("words", all_commands())
def test_help(run_here: Run, words: str) -> None:
    result = run_here(*words.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert "Usage: ten18" in result.out
    for option in (name for parameter in all_commands()[words].params for name in parameter.opts if name[0] == "-"):
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", result.out), option
    assert run_here(*words.split(), "-h") == result
    for inner in getattr(all_commands()[words], "commands", {}):
        assert re.search(rf"\b{inner}\b", result.out)


@pytest.mark.parametrize("words", ["", "duel", "plot", "export", "play --help", "tournament --help", "-h"])
def test_help_has_nothing_cut_and_no_blanks_at_the_ends_of_lines(run_here: Run, words: str) -> None:
    result = run_here(*words.split())
    assert "Usage: ten18" in result.out
    assert [line for line in result.out.splitlines() if line.endswith(" ")] == []
    assert "…" not in result.out


def test_help_fills_its_lines(run_here: Run) -> None:
    """Where a line ends is a matter of the terminal, not of the source."""
    narrow = run_here("play", "-h").out
    assert " the history, with a review at the end. While practising, u takes" in " ".join(narrow.split())
    lines = [line for line in narrow.splitlines() if line.startswith(" ") and "history" in line]
    assert len(lines) == 1
    assert lines[0].startswith(" next time. Finished games go into the history, with a review at the end.")


def test_version_and_no_arguments(run_here: Run) -> None:
    number = r"\d+\.\d+\.\d+"
    libraries = rf"numpy {number}, numba {number}, matplotlib {number}"
    assert re.fullmatch(rf"ten18 {number} \(Python {number}, {libraries}\)\n", run_here("--version").out)
    bare = run_here()
    assert (bare.code, bare.out.split()) == (0, run_here("--help").out.split())


def test_a_version_of_what_is_not_installed(run_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.cli.LIBRARIES", ("numpy", "nonesuch"))
    assert run_here("--version").out.endswith(", no nonesuch)\n")
