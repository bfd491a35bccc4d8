"""Settings are stored in the tags of a record and read back from there."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.play.game_in_play import Coach, Settings
from tentimes18.records.notation import Record, format_json, parse_json

GAME = Game.parse("1d6", "1-4")
NAMES = st.none() | st.text(st.characters(categories=("L", "Nd", "P")), min_size=1, max_size=60)


def kept(settings: Settings) -> Record:
    """A game with these settings, as a store gives it back."""
    board = Board(settings.game)
    record = Record(board, opponent=board if settings.against is not None else None, tags=settings.tags())
    return parse_json(format_json(record))


@given(
    st.integers(-(10**100) + 1, 10**100 - 1),
    st.integers(0, 10**13 - 1),
    st.sampled_from(Coach),
    st.sampled_from(("mean", "target:40")),
    NAMES,
    st.booleans(),
)
def test_settings_come_back(seed: int, number: int, coach: Coach, aim: str, name: str | None, practice: bool) -> None:
    for against in (None, "optimal"):
        settings = Settings(GAME, seed, number, coach, aim, against, name=name, practice=practice)
        assert Settings.of(kept(settings)) == settings


def test_own_dice_need_no_seed_but_for_an_opponent() -> None:
    alone = Settings(GAME, 7, own_dice=True)
    assert alone.tags() == {"own_dice": True, "coach": "off", "aim": "mean"}
    assert Settings.of(kept(alone)) == Settings(GAME, 0, own_dice=True)
    together = Settings(GAME, 7, own_dice=True, against="random")
    assert Settings.of(kept(together)) == together


def test_a_record_from_elsewhere_has_rolls_of_its_own() -> None:
    assert Settings.of(Record(Board(GAME))) == Settings(GAME, 0, own_dice=True)


@pytest.mark.parametrize(
    ("tags", "fact"),
    [
        ({"seed": "x"}, "tags: seed 'x' cannot be read"),
        ({"seed": True}, "tags: seed 'True' cannot be read"),
        ({"seed": 1, "hints": "many"}, "tags: hints 'many' cannot be read"),
        ({"coach": "loud"}, "tags: coach 'loud' cannot be read"),
        ({"own_dice": 1}, "tags: own_dice '1' cannot be read"),
        ({"against": "optimal"}, "opponent: the game has an opponent without a board"),
        ({"aim": "duel"}, "aim: duel needs an opponent"),
        ({"game": -1}, "game: -1 is not the number of a game; accepted: 0 to 9,999,999,999,999"),
        ({"seed": 1, "game": 2**64}, "game: 18446744073709551616 is not the number of a game; accepted: 0 to"),
        ({"seed": 10**100}, "seed: too long; accepted: integers of up to 100 digits"),
        ({"seed": 1, "takebacks": "two"}, "tags: takebacks 'two' cannot be read"),
        ({"practice": 1}, "tags: practice '1' cannot be read"),
        ({"rolled": [1]}, "tags: rolled '[1]' cannot be read"),
        ({"rolled": {"2": 7}}, "tags: rolled cannot be read: 1d6 never shows 7"),
        ({"rolled": {"2": "x"}}, "tags: rolled cannot be read: 1d6 never shows 'x'"),
        ({"name": "a\nb"}, "name: a name has 1 to 60"),
    ],
)
def test_tags_that_are_no_settings(tags: dict[str, Any], fact: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        Settings.of(Record(Board(GAME), tags=tags))
    assert fact in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"aim": "duel:optimal"}, "aim"),
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"number": -1}, "game"),
        ({"number": 10**13}, "game"),
        ({"seed": -(10**100)}, "seed"),
        ({"seed": 10**5000}, "seed"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        Settings(GAME, **{"seed": 18} | settings)
    assert refused.value.field == field


def test_what_is_practice() -> None:
    assert not Settings(GAME, 18).is_practice
    for settings in ({"coach": Coach.warn}, {"coach": Coach.full}, {"own_dice": True}, {"practice": True}):
        assert Settings(GAME, 18, **settings).is_practice
