"""Advice and its reasons against the oracle."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings

from tentimes18 import Board, Game, advise, named
from tentimes18.coach.advice import advise_slots, reason
from tentimes18.coach.aims import aim_named
from tentimes18.game import slots_of
from tests.oracle.play import best_slots, thresholds
from tests.support.games import games, law_of


def test_classic_first_move() -> None:
    game = Game.classic()
    advice = advise(Board(game), 9)
    assert [move.slot for move in advice.moves] == [4, 3, 5, 2, 6, 1, 7, 8, 9, 10]
    # The paper: 9 in slot 3 instead of 4 loses 0.03455.
    assert round(advice.moves[1].loss, 5) == Fraction("0.03455")
    assert advice.best_slots == (4,)


@pytest.mark.parametrize(
    ("dice", "slots", "free", "roll", "best"),
    [
        ("1d3", "1-3", (1, 2), 2, (1, 2)),
        ("1d3", "1-3", (1, 3), 2, (1, 3)),
        ("1d3", "1-3", (1, 2, 3), 2, (2,)),
        ("1d3", "4,4,4", (1, 2, 3), 3, (1, 2, 3)),
        ("3d6", "1,5,5,9", (1, 2, 3, 4), 11, (2, 3)),
        ("7", "1-4", (1, 2, 4), 7, (1, 2, 4)),
    ],
)
def test_ties_are_all_best(dice: str, slots: str, free: tuple[int, ...], roll: int, best: tuple[int, ...]) -> None:
    game = Game.parse(dice, slots)
    advice = advise_slots(game, free, roll)
    assert advice.best_slots == best
    board = Board.replay(game, ((game.dice.support[0], slot) for slot in range(1, game.size + 1) if slot not in free))
    assert named("optimal").choose(board, roll) == advice.best == best[0]


def test_of_equal_chances_the_better_mean_comes_first() -> None:
    """A player who is sure of the target loses nothing by any move; advice then takes the move of `optimal`."""
    board = Board(Game.classic())
    advice = advise(board, 9, aim_named(board.game, "target:0"))
    assert advice.best == 4 == named("target:0").choose(board, 9)
    assert advice.best_slots == (4, 1, 2, 3, 5, 6, 7, 8, 9, 10)
    assert not advice.is_choice


SENTENCE = re.compile(
    r"(?P<roll>-?\d+) (?:goes to slot (?P<slot>\d+)|is equally good in slots (?P<slots>[\d, and]+)): "
    r"(?:above what slot (?P<below>\d+) can expect \((?P<low>-?\d+\.\d+)\))?(?:, )?"
    r"(?:below (?:what )?slot (?P<above>\d+)(?:'s | can expect \()(?P<high>-?\d+\.\d+)\)?)?\."
)


@settings(max_examples=40)
@given(games(max_slots=5))
def test_reasons_are_true(game: Game) -> None:
    """Each number is what the oracle expects in that slot if the roll goes elsewhere, and is on the side it is said."""
    law = law_of(game.dice)
    for free in range(1, game.all_free + 1):
        slots = slots_of(free)
        expected = thresholds(law, len(slots) - 1)[-1] if len(slots) > 1 else []
        for roll in game.dice.support:
            text = reason(game, advise_slots(game, slots_of(free), roll))
            assert "-" not in text, "people see a minus"
            text = text.replace("−", "-")
            best = best_slots(law, game.multipliers, frozenset(slots), roll)
            if len(slots) == 1:
                assert text == f"Slot {slots[0]} is the only free one."
                continue
            if len(best) == len(slots):
                assert text == f"All free slots are equally good for {roll}."
                continue
            match = SENTENCE.fullmatch(text)
            assert match, text
            assert int(match["roll"]) == roll
            assert [int(slot) for slot in re.findall(r"\d+", match["slot"] or match["slots"])] == best
            for side, number, rank in (
                ("below", "low", slots.index(best[0]) - 1),
                ("above", "high", slots.index(best[-1])),
            ):
                is_there = rank >= 0 if side == "below" else rank < len(slots) - 1
                assert (match[side] is not None) == is_there
                if is_there:
                    assert int(match[side]) == slots[rank if side == "below" else rank + 1]
                    told_number = Fraction(match[number])
                    assert abs(told_number - expected[rank]) <= Fraction(
                        1, 2 * 10 ** len(match[number].partition(".")[2])
                    )
                    assert told_number < roll if side == "below" else told_number > roll


def test_a_reason_where_two_digits_would_lie() -> None:
    """With one face in a million, what a slot expects is not the roll itself."""
    game = Game.parse("d{0,1}:1=1000000", "1-2")
    assert reason(game, advise_slots(game, [1, 2], 1)) == "1 goes to slot 2: above what slot 1 can expect (0.999999)."


def test_a_reason_as_close_as_it_gets() -> None:
    game = Game.parse("1d2", "1-100")
    advice = advise_slots(game, range(1, 101), 2)
    assert reason(game, advice) == "2 goes to slot 100: above what slot 99 can expect (just below 2)."
