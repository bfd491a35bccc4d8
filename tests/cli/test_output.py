"""What commands print: JSON as it is, tables in any letters, a bar only where somebody sees it."""

import io
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tentimes18 import compiled
from tentimes18.cli.output import PlainFile, console, print_json, progress_bar, text_of
from tests.support.command import Run
from tests.support.terminal import COLOUR, on_terminal


def test_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"slots": [1, 0.5, "1/3"], "pairs": [(1, 0.1)], "note": "≠"})
    shown = capsys.readouterr().out
    assert shown == '{"slots": [1, 0.5, "1/3"], "pairs": [[1, 0.1]], "note": "≠"}\n'


def test_json_where_letters_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out)
    print_json({"note": "≠"})
    assert out.buffer.getvalue() == b'{"note": "\\u2260"}\n'
    assert json.loads(out.buffer.getvalue()) == {"note": "≠"}


def test_plain_letters() -> None:
    file = io.TextIOWrapper(io.BytesIO(), "ascii")
    PlainFile(file).write("−1 × 2 ▁█ ─ ⚀")
    file.flush()
    assert file.buffer.getvalue() == b"-1 x 2 .# - 1"


def test_a_line_in_a_pipe_is_not_broken(capsys: pytest.CaptureFixture[str]) -> None:
    line = "word " * 200
    console().print(line)
    assert capsys.readouterr().out == line.rstrip() + "\n"
    assert text_of([line, "end"]) == line.rstrip() + "\nend\n"


def test_bar_has_no_time_while_code_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with ThreadPoolExecutor(1) as compiler:
        compiler.submit(compiled._turn.acquire).result()
        with progress_bar("games"):
            pass
        compiler.submit(compiled._turn.release).result()
    while_compiled = capsys.readouterr().err
    with progress_bar("games"):
        pass
    assert "compiling, once" in while_compiled
    assert "left" not in while_compiled
    assert "left" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["solve"], ["advise", "--roll", "9"], ["solve", "--help"]], ids=" ".join)
def test_no_color(run_here: Run, arguments: list[str]) -> None:
    assert not COLOUR.search(on_terminal(*arguments, NO_COLOR="1"))
    assert "\x1b[" not in on_terminal(*arguments, TERM="dumb")
    piped = run_here(*arguments)
    assert "\x1b" not in piped.out
    assert (piped.code, piped.err) == (0, "")


def test_plain_letters_where_the_terminal_has_no_others(run_here: Run) -> None:
    result = run_here("solve", PYTHONIOENCODING="ascii")
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
