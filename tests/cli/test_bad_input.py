"""Bad input: exit code 2, and one line on standard error: the option, what was wrong, and what is accepted."""

import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.command import TEN18, Run, clean_environment, golden_lines, problems
from tests.support.process import finished, started

# What can be wrong with a text is tested with its notation: here, that an option says so in one short line.
BAD_TEXTS = {
    "--dice": ["", " ", "\n", "3x6", "3d6\x01", "3d6;rm -rf /", "d" * 30_000, "d6:6=" + "9" * 30_000, "٣d٦", "3d6 6"],
    "--slots": [
        "",
        "\t\n",
        "1,,2",
        "1\x01",
        "9" * 10_000,
        "1-" + "9" * 10_000,
        "1," * 30_000 + "1-1000000000",
        "1 2 3",
    ],
    "--free": ["", ",", "0", "11", "1,1", "1\x01", "1," * 30_000, "9" * 30_000, "1 0", "١-٣"],
    "--roll": ["", "\x01", "9" * 10_000, "x", "2", "-9", "9.0", "1/2", "nan", "0x9", "½", "9,10"],
}


@pytest.mark.parametrize("option", BAD_TEXTS)
def test_texts(run_here: Run, option: str) -> None:
    command = ["advise"] if option == "--roll" else ["advise", "--roll", "9"]
    found = {
        text[:40]: problems(run_here(*command, f"{option}={text}", "--json"), option) for text in BAD_TEXTS[option]
    }
    assert {text: wrong for text, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("line", golden_lines("rejections.txt"))
def test_rejections(run_here: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    here = data_folder.with_name("here")
    (here / "folder.md").mkdir(parents=True)
    monkeypatch.chdir(here)
    arguments, *facts = line.split(" | ")
    assert problems(run_here(*shlex.split(arguments)), *facts) == []
    assert [path.name for path in here.iterdir()] == ["folder.md"]
    assert not data_folder.exists() or "serve --host" in line  # which looks for its data before it listens


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (("advise", "--roll", "9" * 3000), "--roll: 3d6 never shows a number with 40 digits or more; its rolls are"),
        (("play", "--game", "9" * 300), "--game: a number with too many digits is not the number of a game"),
        (("play", f"--seed=-{'9' * 2000}"), "--seed: too long; accepted: integers of up to 100 digits"),
    ],
)
def test_long_numbers(run_here: Run, arguments: tuple[str, ...], fact: str) -> None:
    assert problems(run_here(*arguments), fact) == []


@pytest.mark.parametrize("option", ["--dice", "--slots"])
def test_bytes_that_are_no_text(run_here: Run, option: str) -> None:
    assert problems(run_here("solve", option.encode() + b"=\xff\xfe"), option) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "--slots", "1-300", "--json"],
        ["solve"],
        ["--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_reader_that_is_gone(arguments: list[str]) -> None:
    """As if ended by SIGPIPE: 141, and not a word."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started((TEN18, *arguments), env=clean_environment({}), **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read().decode()
        assert (process.wait(timeout=60), complaint) == (128 + signal.SIGPIPE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [["solve", "--slots", "1-300", "--json"], ["solve"], ["--help"]],
    ids=" ".join,
)
def test_full_disk(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, stdout="/dev/full")
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("ten18: ")
    assert "No space left" in result.err
    assert result.code == 1


@pytest.mark.parametrize("arguments", [["solve"], ["solve", "--dice", "x"]], ids=" ".join)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-"])
def test_closed_streams(arguments: list[str], closed: str) -> None:
    done = finished(("sh", "-c", f'exec "$0" "$@" {closed}', TEN18, *arguments), env=clean_environment({}))
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1
    if "--dice" in arguments:
        assert done.returncode == 2
    elif closed == "<&-":
        assert done.returncode == 0
