"""What commands print: JSON as it is, tables in any letters, a bar only where somebody sees it."""

import io
import json
import sys

import pytest

from tentimes18.cli.output import PlainFile, console, print_json, progress_bar, progress_times, tell, text_of
from tests.support.command import Run
from tests.support.terminal import COLOUR, on_terminal


def test_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"slots": [1, 0.5, "1/3"], "pairs": [(1, 0.1)], "note": "≠"})
    shown = capsys.readouterr().out
    assert shown == '{"slots": [1, 0.5, "1/3"], "pairs": [[1, 0.1]], "note": "≠"}\n'


def test_json_takes_plain_numbers_only() -> None:
    """Whoever answers makes them plain: nothing is guessed here."""
    with pytest.raises(TypeError):
        print_json({"value": object()})


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


def test_no_blanks_at_the_ends_of_lines() -> None:
    file = io.StringIO()
    PlainFile(file).write("a  \n b \n\n  \nslot: ")
    assert file.getvalue() == "a\n b\n\n\nslot: "


def test_a_line_in_a_pipe_is_not_broken(capsys: pytest.CaptureFixture[str]) -> None:
    line = "word " * 200
    console().print(line)
    assert capsys.readouterr().out == line.rstrip() + "\n"
    assert text_of([line, "end"]) == line.rstrip() + "\nend\n"


@pytest.mark.parametrize(
    ("elapsed", "remaining", "text"),
    [
        (0.0, None, "0 s"),
        (3.4, 235.0, "3 s, about 3 min 55 s to go"),
        (59.6, 3599.7, "1 min 0 s, about 1 h 0 min to go"),
        (7260.0, 0.2, "2 h 1 min, about 0 s to go"),
    ],
)
def test_what_a_bar_says_of_time(elapsed: float, remaining: float | None, text: str) -> None:
    assert progress_times(elapsed, remaining) == text


def test_lines_that_are_no_errors(capsys: pytest.CaptureFixture[str]) -> None:
    tell("the table is made anew")
    assert capsys.readouterr() == ("", "ten18: the table is made anew\n")


def test_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("games") as progress:
        assert progress is None
    assert capsys.readouterr() == ("", "")


class TerminalOfText(io.StringIO):
    """A terminal as far as this program can tell."""

    def isatty(self) -> bool:
        return True


def terminal_for_errors(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    monkeypatch.setenv("TERM", "xterm-256color")
    file = TerminalOfText()
    monkeypatch.setattr(sys, "stderr", file)
    return file


@pytest.mark.parametrize("late", [False, True])
def test_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, late: bool) -> None:
    """A late one is not shown for what takes no time."""
    shown = terminal_for_errors(monkeypatch)
    with progress_bar("games", late=late) as progress:
        assert progress is not None
        progress(1, 2)
        assert ("games" in shown.getvalue()) is not late
        monkeypatch.setattr("tentimes18.cli.output.LATE", 0.0)
        progress(2, 2)
    assert "games" in shown.getvalue()


def test_in_a_narrow_window_the_bar_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("tentimes18.cli.output.progress_times", lambda *_: "3 s, about 3 min 55 s to go")
    shown = terminal_for_errors(monkeypatch)
    with progress_bar("games") as progress:
        assert progress is not None
        progress(1, 2)
    assert "3 s, about 3 min 55 s to go" in shown.getvalue()


def test_late_bar_of_short_work_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal_for_errors(monkeypatch)
    with progress_bar("games", late=True):
        pass
    assert shown.getvalue() == ""


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
