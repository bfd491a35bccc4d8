"""Bad input: exit code 2, and one line on standard error: the option, what was wrong, and what is accepted."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.command import TEN18, Run, clean_environment, problems
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


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["frobnicate"], ["frobnicate"]),
        (["Solve"], ["Solve"]),
        ([""], ["command"]),
        (["--frobnicate"], ["--frobnicate"]),
        (["solve", "--frobnicate"], ["--frobnicate"]),
        (["solve", "-x"], ["-x"]),
        (["solve", "--jso"], ["--jso"]),
        (["solve", "--json=yes"], ["--json"]),
        (["solve", "extra"], ["extra"]),
        (["solve", "3d6", "1-10"], ["3d6"]),
        (["solve", "--dice"], ["--dice"]),
        (["solve", "--slots"], ["--slots"]),
        (["solve", "--exact", "--digits", "5"], ["--exact", "--digits"]),
        (["solve", "--digits", "0"], ["--digits"]),
        (["solve", "--digits=-3"], ["--digits"]),
        (["solve", "--digits", "many"], ["--digits"]),
        (["solve", "--digits", "1e3"], ["--digits"]),
        (["solve", "--digits", "5.0"], ["--digits"]),
        (["solve", "--digits", "1000000000"], ["--digits"]),
        (["solve", "--digits", "9" * 30], ["--digits"]),
        (["solve", "--digits="], ["--digits"]),
        (["solve", "--method", "guess"], ["--method", "thresholds", "subsets"]),
        (["solve", "--method="], ["--method"]),
        (["solve", "--slots", "1-40", "--method", "subsets"], ["--slots", "TB"]),
        (["solve", "--slots", "1-30", "--method", "subsets", "--exact"], ["--slots", "GB"]),
        (["advise"], ["--roll"]),
        (["advise", "--json"], ["--roll"]),
        (["advise", "--roll"], ["--roll"]),
        (["advise", "9"], ["--roll"]),
        (["advise", "--roll", "9", "--dice", "1d6"], ["--roll"]),
        (["advise", "--roll", "5", "--dice", "2d{0,10}"], ["--roll", "0,10,20"]),
        (["closest", "--free", "1"], ["--free"]),
        (["closest", "--dice", "nonsense"], ["--dice"]),
        (["closest", "--slots", "nonsense"], ["--slots"]),
        (["paper", "extra"], ["extra"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_arguments(run_here: Run, arguments: list[str], facts: list[str]) -> None:
    assert problems(run_here(*arguments), *facts) == []


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
