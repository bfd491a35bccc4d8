"""What was published before games: games at their start, or the days; and what is neither."""

import json
from typing import Any, Final

import pytest

from tentimes18.errors import InvalidGame
from tentimes18.play.public_game import read_public_game
from tentimes18.play.starts import Starts
from tools.fair_games import contents

FILES: Final = contents()
GAME: Final[dict[str, Any]] = json.loads(FILES["fair.json"])
START: Final[dict[str, Any]] = json.loads(FILES["fair-start.json"])
OTHER: Final = START | {"id": "y", "commitments": ["0" * 64] * 10}
DAY: Final = {"day": "2026-11-16", "number": 1, "commitments": GAME["commitments"]}
MISSING: Final = "what was published before this game is not given"


def problems(game: dict[str, Any], *starts: object) -> list[str]:
    return list(Starts.read(starts).problems(read_public_game(game)))


def test_a_game_is_found_by_its_id() -> None:
    assert problems(GAME, START) == problems(GAME, OTHER, START) == []
    assert problems(GAME, OTHER) == problems(GAME) == [MISSING]
    assert problems(GAME | {"id": "y"}, START, OTHER) == ["the commitments are not those of the start"]


def test_where_there_is_one_no_id_is_needed() -> None:
    nameless = {name: value for name, value in GAME.items() if name != "id"}
    assert problems(nameless, START) == problems(GAME, START | {"id": None}) == []
    assert problems(nameless, START, OTHER) == [MISSING]


def test_a_daily_game_is_found_by_its_day() -> None:
    daily = GAME | {"day": "2026-11-16"}
    assert problems(daily, {"days": [DAY]}) == []
    assert problems(daily, {"days": [DAY]}, START) == []
    assert problems(daily, {"days": []}) == problems(GAME, {"days": [DAY]}) == [MISSING]
    told = ["the commitments are not those that were published for '2026-11-16'"]
    assert problems(daily, {"days": [DAY | {"commitments": ["0" * 64]}]}) == told


@pytest.mark.parametrize(
    ("source", "field"),
    [
        (7, "JSON"),
        ({}, "opened"),
        ({"days": 7}, "days"),
        ({"days": [7]}, "days"),
        ({"days": [{"day": 7}]}, "days"),
        ({"days": [{"day": "2026-11-16"}]}, "commitments"),
        ({"days": [DAY | {"commitments": [7]}]}, "commitments"),
    ],
    ids=str,
)
def test_what_is_no_start(source: object, field: str) -> None:
    with pytest.raises(InvalidGame) as found:
        Starts.read([source])
    assert found.value.field == field


def test_two_of_one_id_are_refused() -> None:
    with pytest.raises(InvalidGame) as found:
        Starts.read([START, START])
    assert found.value.field == "id"
