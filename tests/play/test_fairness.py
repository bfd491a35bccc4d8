"""Commitments and deals; and that the rolls have their chances."""

import hashlib
from collections import Counter
from itertools import pairwise
from typing import Final

import pytest

from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.play import fairness
from tentimes18.play.fairness import BLOCK, commitment, draw_deal, draw_rolls
from tools.torture.fairness import chi_square, chi_square_of

# The generator has no seed: each test below fails by chance about once in 10^9 runs.
BOUND: Final = 1e-9


def test_a_commitment_is_the_digest_that_the_contract_names() -> None:
    nonce = "0123456789abcdef" * 4
    assert commitment(nonce, 3, 17) == hashlib.sha256(f"{nonce}:3:17".encode("ascii")).hexdigest()


def test_a_deal_has_a_roll_and_a_nonce_of_its_own_for_each_round() -> None:
    game = Game.parse("2d12:12=2", "1-9")
    deal = draw_deal(game)
    assert set(deal.rolls) <= set(game.dice.support)
    assert len(set(deal.nonces)) == len(deal.rolls) == 9
    assert deal.commitments == [commitment(part["nonce"], part["round"], part["roll"]) for part in deal.opened(9)]
    assert deal.opened(2) == deal.opened(9)[:2]
    assert not any(nonce in repr(deal) for nonce in deal.nonces)


@pytest.mark.parametrize("count", [0, 1, 10, BLOCK // 2, BLOCK, 3 * BLOCK + 1])
@pytest.mark.parametrize("dice", ["3d6", "d{7}", "1d256", "1d257", "d{-3,5}", "300d20"])
def test_so_many_rolls_that_the_dice_can_show(dice: str, count: int) -> None:
    law = Dice.parse(dice)
    rolls = list(draw_rolls(law, count))
    assert len(rolls) == count
    assert set(rolls) <= set(law.support)


@pytest.mark.parametrize("dice", ["3d6", "d{7}", "1d3", "2d12:12=2"])
def test_each_number_below_the_total_stands_for_its_roll(dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every byte once instead of random ones, every roll comes as often as the law counts it."""
    law = Dice.parse(dice)
    copies = 1 << (8 - (law.total - 1).bit_length())  # of a number, when the upper bits are passed over
    monkeypatch.setattr(fairness, "urandom", lambda _: bytes(range(256)))
    rolls = list(draw_rolls(law, law.total * copies))
    assert Counter(rolls) == {roll: count * copies for roll, count in zip(law.support, law.counts, strict=True)}, (
        "a roll has another chance"
    )


@pytest.mark.parametrize("dice", ["3d6", "2d12:12=2"])
def test_rolls_have_their_chances(dice: str) -> None:
    assert BOUND < chi_square(Dice.parse(dice), 100_000).p_value < 1 - BOUND


def test_the_rolls_of_deals_have_their_chances() -> None:
    game = Game.parse("1d6-3", "1-20")
    seen = Counter(roll for _ in range(2_000) for roll in draw_deal(game).rolls)
    assert BOUND < chi_square_of([seen[roll] for roll in game.dice.support], game.dice.counts).p_value < 1 - BOUND


def test_a_roll_says_nothing_of_the_next() -> None:
    """All pairs of neighbours of one die, each pair apart from the others."""
    rolls = list(draw_rolls(Dice.parse("1d6"), 100_000))
    seen = Counter(list(pairwise(rolls))[::2])
    pairs = [seen[first, second] for first in range(1, 7) for second in range(1, 7)]
    assert BOUND < chi_square_of(pairs, [1] * 36).p_value < 1 - BOUND
