"""What is public of a game, read from JSON of strangers: what it says, or one line with the field to blame."""

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.errors import InvalidDice, InvalidGame, Ten18Error
from tentimes18.play.public_game import read_public_game
from tentimes18.play.verification import check_game
from tools.fair_games import contents

FILES: Final = contents()
GAME: Final[dict[str, Any]] = json.loads(FILES["fair.json"])
RECORD: Final[dict[str, Any]] = json.loads(FILES["fair.ndjson"].splitlines()[0])
DUEL: Final[dict[str, Any]] = json.loads(FILES["fair.ndjson"].splitlines()[1])
CHECKED: Final = ("commitments", "opened", "nonces", "board", "moves", "score", "finished")
BOARD: Final = {"board": {"5": 8}, "score": 40}

JUNK: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**500) | st.just(1e308),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_a_record_of_a_game_in_play() -> None:
    moves = {"dice": "1d6", "slots": "1-3", "moves": "5@2", "roll": 6, "commitments": ["a", "b", "c"]}
    public = read_public_game(moves | {"nonces": ["x", "y"]})
    assert not public.finished
    assert [(part["round"], part["roll"], part["nonce"]) for part in public.opened] == [(1, 5, "x"), (2, 6, "y")]


@pytest.mark.parametrize(
    ("slots", "multipliers", "is_rounded"),
    [
        ("1-3", (1, 2, 3), False),
        ([3, 1, 2], (1, 2, 3), False),
        (["1/3", 2], (Fraction(1, 3), 2), False),
        ([1 / 3, 0.1, 2.0], (Fraction(1, 10), Fraction(1, 3), 2), True),
        ([-0.5, 2**-40], (Fraction(-1, 2), Fraction(1, 2**40)), True),
    ],
    ids=str,
)
def test_multipliers_are_what_was_meant(slots: Any, multipliers: tuple[Any, ...], is_rounded: bool) -> None:
    public = read_public_game({"dice": "1d6", "slots": slots, "moves": ""})
    assert (public.game.multipliers, public.is_rounded) == (multipliers, is_rounded)


NONSENSE: Final[dict[str, list[Any]]] = {
    "id": [7, [], "x" * 201],
    "day": [7, [], "x" * 201],
    "dice": [None, 6, [], "3x6", "d{}", "9" * 1000],
    "slots": [None, 3, [], {}, [[]], [True], [None], "x", ["1-"], [10**500], [1e308], [float("nan")], ["1/0"]],
    "finished": [None, 1, "true", []],
    "commitments": [None, "x", {}, [1], [None], [["x"]]],
    "opened": [None, "x", {}, [1], [{}], [{"round": 1, "roll": 3}]],
    "board": [None, [], "x", {"0": 3}, {"11": 3}, {"05": 3}, {"+1": 3}, {"٣": 3}, {"x": 3}, {"5": "8"}, {"5": 8.0}],
    "score": [None, [], "x", "1/0", True, float("inf"), float("nan"), {}],
    "opponent": [1, [], "x", {}, {"board": {}}, {"score": 1}, BOARD | {"score": "x"}, BOARD | {"board": {"5": None}}],
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field in NONSENSE for value in NONSENSE[field]], ids=str
)
def test_nonsense_is_one_line_with_its_field(field: str, value: Any) -> None:
    with pytest.raises((InvalidGame, InvalidDice)) as found:
        read_public_game(GAME | {field: value})
    assert found.value.field == field
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 300


@pytest.mark.parametrize("field", ["dice", "slots", "finished", "commitments", "opened", "board", "score"])
def test_what_is_missing_is_named(field: str) -> None:
    with pytest.raises(InvalidGame, match="missing") as found:
        read_public_game({name: GAME[name] for name in GAME if name != field})
    assert found.value.field == field


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"version": 2}, "version"),
        ({"version": True}, "version"),
        ({"moves": None}, "moves"),
        ({"moves": [[8, 5]]}, "moves"),
        ({"moves": "8@5 4@5"}, "moves"),
        ({"moves": "8@11"}, "moves"),
        ({"moves": "8@0"}, "moves"),
        ({"moves": "8@"}, "moves"),
        ({"roll": "8"}, "roll"),
        ({"opponent": 7}, "opponent"),
        ({"opponent": "8@5 4@5"}, "opponent"),
        ({"opponent": "x"}, "opponent"),
        ({"nonces": ["x"] * 11}, "nonces"),
        ({"nonces": "x"}, "nonces"),
        ({"commitments": 7}, "commitments"),
        ({"score": "much"}, "score"),
    ],
    ids=str,
)
def test_nonsense_in_a_record(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidGame) as found:
        read_public_game(RECORD | changes)
    assert found.value.field == field


@pytest.mark.parametrize("source", [None, 7, "x", [], True, {}, {"id": "x"}])
def test_what_is_no_game_at_all(source: object) -> None:
    with pytest.raises(InvalidGame):
        read_public_game(source)


@settings(max_examples=300)
@given(data=st.data(), source=st.sampled_from([GAME, RECORD, DUEL]))
def test_anything_anywhere_is_read_or_refused(data: st.DataObject, source: dict[str, Any]) -> None:
    changed = deepcopy(source)
    place: Any = changed
    path: list[Any] = []
    while True:  # down to some value, which is then exchanged
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        path.append(key := data.draw(st.sampled_from(keys)))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JUNK)
    try:
        checked = check_game(changed)
    except Ten18Error as error:
        assert error.field
        assert "\n" not in str(error)
    else:
        assert not checked.verified or changed == source or path[0] not in CHECKED
