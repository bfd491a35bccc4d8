"""A game in a dialogue: what the player may do, what the coach says to it, and that it is said once."""

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tentimes18.cli.terminal.board import Note, View
from tentimes18.cli.terminal.game_screen import HELP, play_on
from tentimes18.cli.terminal.screen import Action, Answer, Dialogue, Left, Place, Request
from tentimes18.coach.advice import advise
from tentimes18.coach.aims import Mean
from tentimes18.coach.losses import Unit, classify
from tentimes18.game import Board, Game, Position
from tentimes18.play.game_in_play import GameInPlay
from tentimes18.play.game_settings import Coach, Settings
from tentimes18.records.history import History
from tentimes18.wording import class_name

GAME = Game.parse("1d6", "1-4")


class Player(Dialogue):
    """Who does these things one after the other, and remembers what was seen."""

    def __init__(self, *actions: Action, rolls: Sequence[str | Request] = (), answers: str = "") -> None:
        super().__init__(Console(file=io.StringIO()))
        self.actions, self.rolls, self.answers = list(actions), list(rolls), list(answers)
        self.told: list[str] = []
        self.views: list[View] = []
        self.read: list[Sequence[Note]] = []

    def tell(self, text: str, style: str = "") -> None:  # noqa: ARG002
        self.told.append(text)

    def choose(self, view: View) -> Action:
        self.views.append(view)
        if not self.actions:
            raise Left
        return self.actions.pop(0)

    def type_in(self, view: View, question: str) -> str | Request:  # noqa: ARG002
        self.views.append(view)
        if not self.rolls:
            raise Left
        return self.rolls.pop(0)

    def ask(
        self, notes: Sequence[Note], question: str, answers: Mapping[str, Answer], view: View | None = None
    ) -> Answer:
        assert view is not None
        self.told += [*(note.text for note in notes), question]
        return answers[self.answers.pop(0)]

    def read_out(self, notes: Sequence[Note]) -> None:
        self.read.append(notes)

    def show(self, view: View, notes: Sequence[Note]) -> None:
        raise NotImplementedError

    def close(self, view: View) -> None:
        self.views.append(view)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


def played(player: Player, history: History, **settings: Any) -> GameInPlay:
    """The game after all that the player does."""
    game = GameInPlay(Settings(GAME, seed=18, **settings), history)
    try:
        play_on(game, player)
    except Left:
        pass
    finally:
        game.leave()
    return game


def test_a_silent_coach(history: History) -> None:
    player = Player(Place(1), Place(2), Place(3), Place(4))
    game = played(player, history)
    assert game.record.finished
    assert player.told == []
    assert [view.advice for view in player.views] == [None] * 5
    assert [view.status[0] for view in player.views[:4]] == [("round", f"{number} of 4") for number in (1, 2, 3, 4)]
    assert player.views[-1].status == [("score", str(game.record.board.score))]


def test_what_cannot_be_is_told_and_asked_again(history: History) -> None:
    player = Player(Place(99), Place(0), Place(2), Place(2))
    game = played(player, history)
    roll = game.record.board.placements[0].roll
    assert player.told == [
        "There is no slot 99; slots are 1 to 4.",
        "There is no slot 0; slots are 1 to 4.",
        f"Slot 2 already holds {roll}; free: 1,3,4.",
    ]
    assert game.record.board.rounds == 1


def test_help_is_read_out(history: History) -> None:
    player = Player(Request.help, Request.help)
    played(player, history)
    assert player.read == [HELP, HELP]
    player = Player(rolls=[Request.help])
    played(player, history, own_dice=True)
    assert player.read == [HELP]


def test_a_hint_shows_values_until_the_move_and_counts_once(history: History) -> None:
    player = Player(Request.hint, Request.hint, Place(1), Place(2), Request.hint)
    game = played(player, history)
    assert [view.advice is not None for view in player.views] == [False, True, True, False, False, True]
    assert player.views[1].reason
    assert game.record.tags["hints"] == 2


def test_a_hint_of_the_full_coach_is_none(history: History) -> None:
    game = played(Player(Request.hint, Place(1)), history, coach=Coach.full)
    assert "hints" not in game.record.tags


def test_a_bad_move_is_asked_about(history: History) -> None:
    game = GameInPlay(Settings(GAME, seed=18), history)
    game.begin()
    game.leave()
    roll = game.record.roll
    assert roll is not None
    advice = advise(Board(GAME), roll)
    bad = advice.moves[-1]
    found = classify(bad.loss)
    assert found.mark
    player = Player(Place(bad.slot), Place(bad.slot), answers="ny")
    game = played(player, history, coach=Coach.warn)
    question = f"Slot {bad.slot} loses {float(bad.loss):.1f} points, {class_name(found)}"
    assert player.told[:4] == [question, "Place it anyway? y/n"] * 2
    best = ", ".join(map(str, advice.best_slots))
    assert player.told[4] == (
        f"{roll} in slot {bad.slot} cost {float(bad.loss):.1f} points, {class_name(found)}; best was {best}."
    )
    assert game.record.board.placements == ((roll, bad.slot),)


def test_own_dice_are_typed_and_taken_back(history: History) -> None:
    player = Player(Request.other_roll, Place(4), rolls=["7", "six", "5", "6"])
    game = played(player, history, own_dice=True, coach=Coach.off)
    assert player.told == [
        "1d6 never shows 7; its rolls are 1 to 6",
        "'six' is not a roll; type the number that the dice show, or q.",
    ]
    assert game.record.board.placements == ((6, 4),)


def test_the_opponent_is_heard(history: History) -> None:
    player = Player(Place(1))
    game = played(player, history, against="greedy", coach=Coach.off)
    assert game.record.opponent is not None
    roll, slot = game.record.opponent.placements[0]
    assert player.told == [f"greedy placed {roll} in slot {slot}."]
    assert ("theirs", str(game.record.opponent.score)) in player.views[-1].status


def test_another_aim_is_told_in_its_unit(history: History) -> None:
    player = Player(Place(1))
    played(player, history, coach=Coach.full, aim="target:25")
    assert player.views[0].unit is Unit.chance
    assert player.views[0].reason is None
    assert player.views[0].status[-1][0] == "chance"
    assert player.views[0].status[-1][1].endswith("%")
    assert player.views[0].heading == "1d6 1-4 · seed 18 · aim target:25"


@pytest.mark.parametrize("coach", Coach)
def test_advice_is_computed_once_a_move(history: History, coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[tuple[Position, int]] = Counter()
    moves = Mean.moves

    def counted(aim: Mean, position: Position, roll: int) -> Any:
        asked[position, roll] += 1
        return moves(aim, position, roll)

    monkeypatch.setattr(Mean, "moves", counted)
    chosen: list[Action] = [action for slot in (4, 3, 2, 1) for action in (Place(99), Request.help, Place(slot))]
    played(Player(*chosen, answers="yyyyyyyy"), history, coach=coach)
    assert set(asked.values()) == (set() if coach is Coach.off else {1})
    assert len(asked) == (0 if coach is Coach.off else GAME.size)


def test_trouble_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    history = History(tmp_path / "file" / "data")
    player = Player(Place(1), Place(2), Place(3))
    played(player, history)
    assert player.told == [
        f"The game cannot be kept (Not a directory: {history.folder}); it goes on, but do not leave it."
    ]
