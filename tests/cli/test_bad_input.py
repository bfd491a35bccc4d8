"""Bad input: exit code 2, and one line on standard error: the option, what was wrong, and what is accepted."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.command import TEN18, Run, clean_environment, problems
from tests.support.process import finished, started
from tests.support.terminal import Watched


def misread(run: Run, option: str, texts: list[str], *arguments: str) -> dict[str, list[str]]:
    """The texts that this option does not refuse as it should, and how."""
    found = {text[:40]: problems(run(*arguments, f"{option}={text}", "--json"), option) for text in texts}
    return {text: wrong for text, wrong in found.items() if wrong}


BAD_DICE = """
    3x6 d 3d d-6 3d6+ 3d6+-1 --3d6 3d6* 1.5 1e3 nan d{1 d{1,} ²d6 3d6:6=½ d{} d0 0d6 3d6: 3d6:6= 3d6:7=1 3d6:6=0
    3d6:6=-1 3d6:6=1.5 d{1,2}:3=1 1000000000d6 1000000000d1 d1000000000 999999999999999+1 d6000+d6000
    4d6kh5 4d6kh0 4d6dl4 4d6k3 1d6!3 1d6!x0 1d6!x101 1d6!! 2d6*0 2d6*1.5 2*2d6 d{1:0} d{1:-2} d{1:2:3} 9d9999kh8
    999999999d6kh3 1d6*999999999999999
"""
BAD_SLOTS = """
    , 1, 1,,2 x 1- -- 1-2-3 1/0 0/0 1/-2 1e400 nan -inf . 1_0 0x10 1;2 1.5-3 ½ 1-1000001 1-1000000000
    1-999999999999999 -1000000000-1000000000 999999999-1,2
"""
BAD_FREE = """
    0 11 -1 1,1 1-3,2 1,11 x 1, 1,,2 1- 1-2-3 1.5 all ½ 1-999999999 0-3 999999999999
"""


def test_dice(run_here: Run) -> None:
    texts = ["", " ", "\n", "3d6\x01", "3d6;rm -rf /", "'3d6'", "d" * 30_000, "d6:6=" + "9" * 30_000, *BAD_DICE.split()]
    assert misread(run_here, "--dice", texts, "solve") == {}


def test_slots(run_here: Run) -> None:
    long = ["9" * 10_000, "1-" + "9" * 10_000, "1/" + "9" * 10_000, "1," * 30_000 + "1-1000000000"]
    texts = ["", " ", "\t\n", "1\x01", *long, *BAD_SLOTS.split()]
    assert misread(run_here, "--slots", texts, "solve") == {}


def test_free(run_here: Run) -> None:
    texts = ["", " ", ",", "1\x01", "1," * 30_000, "9" * 30_000, *BAD_FREE.split()]
    assert misread(run_here, "--free", texts, "advise", "--roll", "9") == {}


def test_roll(run_here: Run) -> None:
    texts = ["", " ", "\x01", "9" * 4_000, "9" * 10_000, "x", "2", "19", "-9", "9.0", "1/2", "nan", "0x9", "½", "9,10"]
    assert misread(run_here, "--roll", texts, "advise") == {}


def test_numbers_cut_in_two(run_here: Run) -> None:
    """A blank between digits does not make one number of two."""
    assert misread(run_here, "--slots", ["1 2 3", "1-1 0", "1 000"], "solve") == {}
    assert misread(run_here, "--free", ["1 0", "1 4 7"], "advise", "--slots", "1-200", "--roll", "9") == {}
    assert misread(run_here, "--dice", ["3d6 6", "1 2", "d{1 2,3}"], "solve") == {}


def test_digits_of_other_scripts(run_here: Run) -> None:
    assert misread(run_here, "--slots", ["１-３", "١,٢"], "solve") == {}
    assert misread(run_here, "--free", ["１", "١-٣"], "advise", "--roll", "9") == {}
    assert misread(run_here, "--dice", ["٣d٦", "3d６"], "solve") == {}


def test_weight_given_twice(run_here: Run) -> None:
    assert misread(run_here, "--dice", ["d6:6=2,6=3", "d{1,2}:1=2,1=2"], "solve") == {}


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
        ["solve", "--slots", "1-1000000"],
        ["solve", "--slots", "1-3000", "--exact", "--json"],
        ["solve", "--slots", "1-3000", "--method", "subsets", "--json"],
        ["solve", "--slots", "1-3000", "--digits", "100000", "--json"],
        ["solve", "--slots", "1-100000", "--digits", "10", "--last-row"],
        ["solve", "--dice", "d10000", "--slots", "1-3000", "--exact", "--json"],
        ["advise", "--slots", "1-1000000", "--roll", "9"],
        ["closest", "--slots", "1-1000000"],
    ],
    ids=" ".join,
)
def test_too_large_is_refused_before_it_starts(run_here: Run, arguments: list[str]) -> None:
    """With the figure, and an option by its name to change it."""
    result = run_here(*arguments)
    assert problems(result, "--") == []
    assert any(digit in result.err for digit in "0123456789")


@pytest.mark.slow
@pytest.mark.parametrize(
    "notation",
    [
        "+".join(["1d2"] * 9_990),
        "d10000" + "+1" * 30_000,
        "+".join(["d4000:1=2", "d4000", "d2000:9=7"]),
        "1" + "-1" * 30_000,
    ],
    ids=lambda notation: notation[:20],
)
def test_sums_of_many_terms(run_warm: Run, notation: str) -> None:
    """Either an answer or a refusal."""
    result = run_warm("solve", "--dice", notation, "--slots", "1", "--json")
    assert "Traceback" not in result.err
    assert result.code in (0, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "--slots", "1-300", "--json"],
        ["solve", "--json"],
        ["solve"],
        ["solve", "--exact"],
        ["advise", "--roll", "9"],
        ["closest"],
        ["--help"],
        ["solve", "--help"],
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
    [["solve", "--slots", "1-300", "--json"], ["solve", "--json"], ["solve"], ["closest"], ["--help"], ["--version"]],
    ids=" ".join,
)
def test_full_disk(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, stdout="/dev/full")
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("ten18: ")
    assert "No space left" in result.err
    assert result.code == 1


@pytest.mark.parametrize(
    "arguments", [["solve", "--json"], ["solve"], ["--help"], ["solve", "--dice", "x"]], ids=" ".join
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-"])
def test_closed_streams(arguments: list[str], closed: str) -> None:
    done = finished(("sh", "-c", f'exec "$0" "$@" {closed}', TEN18, *arguments), env=clean_environment({}))
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1
    if "--dice" in arguments:
        assert done.returncode == 2
    elif closed == "<&-":
        assert done.returncode == 0


def test_interrupted() -> None:
    """Long work shows a bar on a terminal; stopped there with Ctrl-C, the exit code is 130, without a traceback."""
    with Watched("solve", "--slots", "1-1300", "--digits", "2000", "--json") as terminal:
        terminal.wait_for(b"thresholds")
        time.sleep(0.2)
        result = terminal.interrupt()
    assert result.code == 128 + signal.SIGINT
    assert result.out == ""
    assert "Traceback" not in result.err
