"""Advice on a game and its review: the same bytes as the command's."""

import json
import sys
from pathlib import Path

import pytest

from tentimes18.plan import Limits
from tentimes18.server.calculator.game_questions import advise_on_game, review_game
from tentimes18.server.calculator.process import answer_bytes
from tests.support.command import Run
from tests.support.process import finished

LIMITS = Limits(memory=1e9, seconds=10)
GAME = {"dice": "2d4-3", "slots": "1,2,5/2,-1"}


@pytest.mark.parametrize(("dice", "slots", "moves", "roll"), [("3d6", "1-10", "8@5 4@1", 9), (*GAME.values(), "", -1)])
def test_advice_as_the_command_gives_it(run_here: Run, dice: str, slots: str, moves: str, roll: int) -> None:
    found = answer_bytes(advise_on_game(LIMITS, dice=dice, slots=slots, moves=moves, roll=roll))
    options = (f"--dice={dice}", f"--slots={slots}", f"--roll={roll}", *([f"--moves={moves}"] if moves else []))
    assert found.decode() == run_here("advise", *options, "--json").out


@pytest.mark.parametrize(
    "record",
    [
        {"moves": "8@5 4@1 9@3 10@6 7@2 12@8 15@10 13@9 11@7 9@4"},
        {"moves": "8@5 4@1", "date": "2026-11-16", "name": "Ada"},
        GAME | {"moves": "5@4 3@2 -1@1 1@3", "coach": "full"},
        GAME | {"moves": "5@4 3@2 -1@1 1@3", "opponent": "5@4 3@3 -1@1 1@2", "aim": "duel", "against": "equilibrium"},
        GAME | {"moves": "5@4 3@2 -1@1 1@3", "opponent": "5@4 3@3 -1@1 1@2", "aim": "duel:nearest"},
        GAME | {"moves": "5@4 3@2 -1@1 1@3", "aim": "target:9"},
        GAME | {"moves": "5@4 3@2 -1@1 1@3", "aim": "fame"},
    ],
)
def test_a_review_as_the_command_gives_it(run_here: Run, tmp_path: Path, record: dict[str, object]) -> None:
    file = tmp_path / "games.ndjson"
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert answer_bytes(review_game(LIMITS, record=record)).decode() == run_here("review", str(file), "--json").out


def test_a_duel_whose_table_is_not_there_is_measured_by_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEN18_TIME", "1")
    moves = " ".join(f"5@{slot}" for slot in range(1, 12))
    record = {"dice": "1d9", "slots": "1-11", "moves": moves, "opponent": moves, "aim": "duel"}
    found = review_game(LIMITS, record=record)
    assert (found["aim"], found["played_for"]) == ("mean", "duel")


def test_the_process_of_games_starts_light() -> None:
    module = "tentimes18.server.calculator.game_questions"
    text = f"import sys, {module}; sys.exit('numpy' in sys.modules or 'litestar' in sys.modules)"
    assert finished((sys.executable, "-c", text)).returncode == 0
