"""The games of a player as they are printed: numbers whole in any width, words where there is room for them."""

import io
import re

import pytest
from rich.console import Console

from tentimes18.cli.output import text_of
from tentimes18.cli.terminal.games_pages import games_page
from tentimes18.coach.summary import measured_kinds
from tentimes18.records.formats import Line
from tentimes18.records.notation import parse_record

LONG = "a name that is much longer than any column should be"
GAMES = [
    "1d6 1-4: 5@3 2@1 6@4 3@2; date=2026-11-01T10:00:00+01:00; against=nearest; opponent=5@3 2@1 6@4 3@2; name=Ada",
    f"1d6 1-4: 5@2 2@4 6@1 3@3; date=2026-11-02T23:59:59+00:00; name={LONG}; aim=target:45",
    "3d6 1,3,5: 12@3 9@2 4@1; date=someday; aim=fame; takebacks=1",
    "1d6 100000000-100000003: 5@3 2@1 6@4 3@2; name=\x1b[2J",
]


def printed(width: int | None) -> str:
    lines = [Line(number, parse_record(text)) for number, text in zip((1, 22, 333, 4444), GAMES, strict=True)]
    kinds, _ = measured_kinds(lines)
    page = games_page(lines, kinds, is_all=True)
    if width is None:
        return text_of(page)
    out = io.StringIO()
    screen = Console(file=out, width=width, highlight=False)
    for part in page:
        screen.print(part)
    return out.getvalue()


def numbers_of(text: str) -> set[str]:
    table = text.partition("\n 1d6")[0]
    return set(re.findall(r"[+−]?\d[\d.e+]*%?(?=\s)", table))


@pytest.mark.parametrize("width", [80, 60, 40, 30])
def test_a_number_is_never_cut(width: int) -> None:
    text, whole = printed(width), printed(None)
    assert max(map(len, text.splitlines())) <= width
    losses = re.findall(r"\d+\.\d\d%?", whole.partition("\n 1d6")[0])
    assert len(losses) >= 12
    assert set(losses) <= set(re.findall(r"\d+\.\d\d%?", text))
    for number in ("1", "22", "333", "4444"):
        assert re.search(rf"^ +{number}\b", text, re.MULTILINE)


def test_in_a_pipe_no_text_is_cut_either() -> None:
    text = printed(None)
    assert LONG in text
    assert "…" not in text
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_words_go_first_where_the_room_is_narrow() -> None:
    assert "…" in printed(100)
    assert "level" in printed(None)
    assert "level" not in printed(60).partition("\n\n")[2].partition("\n")[0]
    assert "\x1b" not in printed(None)


def test_columns_that_would_say_nothing_are_left_out() -> None:
    lines = [Line(number, parse_record("1d6 1-3: 4@1 6@3 5@2; name=Ada; aim=mean")) for number in (1, 2)]
    kinds, _ = measured_kinds(lines)
    text = text_of(games_page(lines, kinds, is_all=True))
    assert text.splitlines()[2].split() == ["no.", "score", "loss", "luck", "skill", "level"]
    assert " * " not in text
