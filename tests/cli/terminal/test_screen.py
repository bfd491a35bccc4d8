"""The same answers by keys and by lines: what is typed becomes a value, and nonsense is asked again."""

import io
import os
import pty
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias

import pytest
from rich.console import Console

from tentimes18.cli.terminal.board_screen import Note, View
from tentimes18.cli.terminal.screen import (
    Action,
    Dialogue,
    KeyDialogue,
    Request,
    invitation,
)
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record

RIGHT, LEFT, ENTER = "\x1b[C", "\x1b[D", "\r"
VIEW: Final = View(Record(Board(Game.classic()).place(8, 5), 9), "seed 18", [("round", "2 of 10")])
MANY: Final = View(Record(Board(Game.parse("3d6", "1-12")), 9), "seed 18", [])

Answers: TypeAlias = Callable[[str, Callable[[Dialogue], Any]], Any]


def screen() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=80, height=30, highlight=False, color_system=None)


@pytest.fixture
def by_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    """Ask someone who presses these keys."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "r") as file:
        monkeypatch.setattr(sys, "stdin", file)

        def answer(typed: str, ask: Callable[[Dialogue], Any]) -> Any:
            with KeyDialogue(screen()) as dialogue:
                os.write(master, typed.encode())
                return ask(dialogue)

        yield answer
    os.close(master)


@pytest.fixture
def by_lines(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Ask someone who types these words."""

    def answer(typed: str, ask: Callable[[Dialogue], Any]) -> Any:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        with Dialogue(screen()) as dialogue:
            return ask(dialogue)

    return answer


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("4", 4),
        ("0", 10),
        ("5", 5),  # filled: the game says so
        ("h", Request.hint),
        ("?", Request.help),
        ("H", Request.hint),
        ("xr\t4", 4),
        ("u", Request.take_back),
        ("\x7f", Request.take_back),
        (RIGHT + ENTER, 1),
        (RIGHT * 5 + ENTER, 6),  # past the filled one
        (LEFT + ENTER, 10),
        (RIGHT + LEFT + ENTER, 10),
        (RIGHT + "\x1bx" + ENTER + "3", 3),  # Escape takes the cursor away
        (ENTER + "3", 3),
        (RIGHT + "7", 7),
    ],
    ids=ascii,
)
def test_an_action_by_keys(by_keys: Answers, typed: str, action: Action) -> None:
    assert by_keys(typed, lambda dialogue: dialogue.choose(VIEW)) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("12" + ENTER, 12),
        ("13\x7f2" + ENTER, 12),
        ("99" + ENTER, 99),
        ("0" + ENTER, 0),
        ("1" + RIGHT + ENTER, 1),
        ("7h", Request.hint),
        ("7\x7f\x7f", Request.take_back),
    ],
    ids=ascii,
)
def test_many_slots_take_a_number_and_enter(by_keys: Answers, typed: str, action: Action) -> None:
    assert by_keys(typed, lambda dialogue: dialogue.choose(MANY)) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("4", 4),
        ("0", 10),
        ("00", 0),
        ("99", 99),
        ("h", Request.hint),
        ("?", Request.help),
        ("\n\n  x 1.5 -1 ٣ 7 4", 7),
        ("9999999999 4", 4),
        ("r 4", 4),
        ("u", Request.take_back),
    ],
    ids=ascii,
)
def test_an_action_by_lines(by_lines: Answers, typed: str, action: Action) -> None:
    assert by_lines(typed, lambda dialogue: dialogue.choose(VIEW)) == action


@pytest.fixture(params=["by_keys", "by_lines"])
def answers(request: pytest.FixtureRequest) -> Answers:
    """Ask both."""
    answers: Answers = request.getfixturevalue(request.param)
    return answers


def test_another_roll_only_where_it_was_typed(answers: Answers) -> None:
    own = replace(VIEW, is_own_roll=True)
    assert answers("r", lambda dialogue: dialogue.choose(own)) is Request.other_roll


def test_an_answer_is_what_it_means(answers: Answers) -> None:
    meanings = {"n": None, "y": 1, "2": "two"}
    for typed, meaning in (("n", None), ("y", 1), ("2", "two"), ("x Y", 1)):
        assert answers(typed, lambda dialogue: dialogue.ask([Note("?")], "Which?", meanings, VIEW)) == meaning


def test_enter_gives_the_first_answer_and_words_are_letters(by_keys: Answers, by_lines: Answers) -> None:
    def asked(dialogue: Dialogue) -> bool:
        return dialogue.ask([], "y/n", {"n": False, "y": True})

    assert by_keys(ENTER, asked) is False
    assert by_lines("maybe YES", asked) is True
    assert by_lines("no", asked) is False


def test_a_text_is_typed_or_help_asked_for(by_keys: Answers, by_lines: Answers) -> None:
    def typed(dialogue: Dialogue) -> str | Request:
        return dialogue.type_in(VIEW, "What do they show?")

    assert by_keys("-4\x7f7" + ENTER, typed) == "-7"
    assert by_keys(ENTER + "7?" + ENTER, typed) == "7?"
    assert by_keys("?", typed) is Request.help
    assert by_keys("7q" + ENTER, typed) == "7q"
    assert by_keys("u", typed) is Request.take_back
    assert by_keys("7\x7f\x7f", typed) is Request.take_back
    assert by_keys("7u" + ENTER, typed) == "7u"
    assert by_lines("17", typed) == "17"
    assert by_lines("?", typed) is Request.help
    assert by_lines("u", typed) is Request.take_back


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("view", [VIEW, MANY], ids=["ten", "twelve"])
def test_the_invitation_fits_and_names_every_key(view: View, width: int) -> None:
    """With room for a number where one is typed."""
    every = replace(view, is_own_roll=True, can_take_back=True)
    text = invitation(every, width)
    assert len(text) + (0 if view is VIEW else 2) <= width
    assert [part.split()[0] for part in text.split(" · ")][-5:] == ["r", "u", "h", "?", "q"]


def test_a_long_text_is_read_page_by_page(by_keys: Answers) -> None:
    """And is whole: nothing scrolls away unseen in a window of 30 lines."""
    notes = [Note(f"line {number}") for number in range(70)]

    def read(dialogue: Dialogue) -> str:
        dialogue.read_out(notes)
        assert isinstance(dialogue.screen.file, io.StringIO)
        return dialogue.screen.file.getvalue()

    pages = by_keys("   ", read).split("Press any key to continue.")
    assert [page.count("line") for page in pages] == [29, 29, 12, 0]
