"""Games of strangers: what is accepted is within the limits, and whatever is written, reading it is cheap."""

from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Game
from tentimes18.errors import InvalidDice, InvalidGame, Ten18Error
from tentimes18.server import game_limits as limits
from tentimes18.server.game_limits import read_game
from tests.support.notations import Written, notations
from tests.support.steps import counted

MOST_STEPS = 100_000  # a few hundredths of a second


def verify(game: Game) -> None:
    support = game.dice.support
    assert game.size <= limits.MAX_SLOTS
    assert len(support) <= limits.MAX_ROLLS
    assert 2**game.size * len(support) <= limits.MAX_POSITIONS
    assert game.dice.total <= limits.MAX_TOTAL
    assert max(map(abs, support)) <= limits.MAX_ROLL
    assert -limits.MAX_MULTIPLIER <= game.multipliers[0] <= game.multipliers[-1] <= limits.MAX_MULTIPLIER
    assert lcm(*(multiplier.denominator for multiplier in game.multipliers)) <= limits.MAX_DENOMINATOR
    assert read_game(str(game.dice), game.slots) == game  # what is kept of a game can be read again


def read_at_once(dice: str | None, slots: str | list[int | float | str] | None) -> Game | Ten18Error:
    with counted() as steps:
        try:
            found: Game | Ten18Error = read_game(dice, slots)
        except (InvalidDice, InvalidGame) as error:
            found = error
    if isinstance(found, Ten18Error):
        assert found.field in ("dice", "slots")
        assert len(str(found)) < 400
    assert steps.count < MOST_STEPS
    return found


def test_the_classic_game_where_nothing_is_said() -> None:
    assert read_game() == Game.classic() == read_game(None, None)


@given(notations(), st.lists(st.integers(-9, 9) | st.sampled_from([0.5, "7/2", 0.001]), min_size=1, max_size=20))
@settings(deadline=None)
def test_what_is_accepted_is_within_the_limits(written: Written, slots: list[int | float | str]) -> None:
    found = read_at_once(written.text, slots)
    if isinstance(found, Game):
        verify(found)
        assert sorted(found.multipliers) == sorted(Fraction(str(slot)) for slot in slots)


@pytest.mark.parametrize(
    ("dice", "slots", "complaint"),
    [
        ("100d6", None, "too many different rolls; at most 100 are accepted"),
        ("1d101", None, "a die with 101 faces is too large; at most 100 are accepted"),
        ("1d20000", None, "at most 100 are accepted"),
        ("3d{0,1,10,100,1000,10000}+3d{0,3,30,300,3000}", None, "different rolls, at most 100 are accepted"),
        ("65d2", None, "more than 2^64"),
        ("65d{0,1}kh1", None, "more than 2^64"),
        ("1d2*1000000", None, "a roll is too large, at most 1,000,000 are accepted"),
        ("-1d2*1000000", None, "a roll is too large"),
        ("d6" + "+1" * 100, None, "202 characters, at most 200 are accepted"),
        ("+".join(["1d1!"] * 40), None, "written out it takes more than 200 characters"),
        ("40d{0,1,249}kh39", None, "too many dice to keep"),
        ("3x6", None, "cannot read '3x6'"),
        ("", None, "cannot read ''"),
        (None, "1-21", "21 slots, at most 20 are accepted"),
        (None, "1-10,1-11", "21 slots, at most 20 are accepted"),
        (None, "1-20,1", "21 slots, at most 20 are accepted"),
        (None, "1-1000000", "1e+06 slots, at most 20 are accepted"),
        (None, "1-" + "9" * 190, "slots, at most 20 are accepted"),
        (None, "1000001", "a multiplier is too large, at most 1,000,000 are accepted"),
        (None, "-1000001", "a multiplier is too large"),
        (None, "1/7,1/11,1/13", "a common denominator above 1,000"),
        (None, "1" + " " * 200, "201 characters"),
        (None, "", "cannot read ''"),
        (None, [], "at least one slot"),
        (None, [1] * 21, "21 slots, at most 20 are accepted"),
        (None, [True], "not a number"),
        (None, [None], "not a number"),
        (None, [float("nan")], "not a number"),
        (None, [float("inf")], "not a number"),
        (None, [1e300], "too large"),
        (None, [1e-300], "denominator"),
        (None, [10**4000], "too large"),
        (None, ["1-2"], "2 slots, at most 1"),
        (None, ["x"], "cannot read 'x'"),
        (None, ["1" * 201], "201 characters"),
        (None, [f"{999_999 - 2 * k}/1000" for k in range(20)], "written out they take more than 200 characters"),
        ("1d20", "1-20", "20 slots and 20 different rolls make 20,971,520 positions"),
    ],
)
def test_what_is_rejected(dice: str | None, slots: str | list[int | float | str] | None, complaint: str) -> None:
    found = read_at_once(dice, slots)
    assert isinstance(found, InvalidDice if slots is None else InvalidGame)
    assert complaint in str(found)
    assert found.field == ("dice" if slots is None else "slots")


@pytest.mark.parametrize(
    ("dice", "slots"),
    [
        ("64d2", "1-17"),
        ("1d100", "1-17"),
        ("1d19", "1-20"),
        ("1d2*500000", "1000000,-1000000"),
        ("63d{1,158}kh62", "1/8,1/125"),
        ("2d20kh1+4d6dl1", [1, 2.5, "7/2"]),
        ("1", "1"),
    ],
)
def test_what_is_just_accepted(dice: str, slots: str | list[int | float | str]) -> None:
    found = read_at_once(dice, slots)
    assert isinstance(found, Game), found
    verify(found)


HOSTILE_TERMS = st.tuples(
    st.sampled_from(["", "2", "5", "20", "40", "63", "99", "999999999999999"]),
    st.sampled_from(["d1", "d2", "d6", "d99", "d100", "d9999", "d{0,1,249}", "d{0,1,9999}", "d{0,1,4,310}", "d{0,157}"])
    | st.lists(st.integers(-(10**6), 10**6) | st.integers(0, 3), min_size=1, max_size=6).map(
        lambda faces: "d{" + ",".join(map(str, faces)) + "}"
    ),
    st.sampled_from(["", ":1=7", ":1=" + "9" * 60, "!", "!x9", "!x100"]),
    st.sampled_from(["", "kh", "kl2", "dl1", "dh1", "kh30"]),
    st.sampled_from(["", "*3", "*997", "*999999999999999"]),
).map("".join)


@given(
    st.lists(HOSTILE_TERMS, min_size=1, max_size=15).map(lambda terms: "+".join(terms)[: limits.MAX_CHARACTERS])
    | st.text("0123456789dkhlx!{}:=,+-* ", max_size=limits.MAX_CHARACTERS)
)
@settings(deadline=None, max_examples=300)
def test_no_notation_is_dear_to_read(dice: str) -> None:
    found = read_at_once(dice, "1,2")
    if isinstance(found, Game):
        verify(found)


@given(st.text("0123456789-,./+ e", max_size=limits.MAX_CHARACTERS))
@settings(deadline=None)
def test_no_slots_are_dear_to_read(slots: str) -> None:
    found = read_at_once("1d2", slots)
    if isinstance(found, Game):
        verify(found)
