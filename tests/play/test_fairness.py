"""Commitments and deals; and that the rolls have their chances."""

import hashlib
from collections import Counter

import pytest

from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.play import fairness
from tentimes18.play.fairness import commitment, draw_deal, draw_rolls


# The generator has no seed: each test below fails by chance about once in 10^9 runs.
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


@pytest.mark.parametrize("count", [0, 1, 1000])
@pytest.mark.parametrize("dice", ["3d6", "d{7}", "1d256", "1d257", "d{-3,5}", "300d20"])
def test_every_roll_is_one_that_the_dice_can_show(dice: str, count: int) -> None:
    law = Dice.parse(dice)
    rolls = list(draw_rolls(law, count))
    assert len(rolls) == count
    assert set(rolls) <= set(law.support)


@pytest.mark.parametrize("dice", ["3d6", "d{7}", "1d3", "2d12:12=2"])
def test_each_number_below_the_total_stands_for_its_roll(dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every number once instead of random ones, every roll comes as often as the distribution counts it."""
    law = Dice.parse(dice)
    numbers = iter(range(law.total))
    monkeypatch.setattr(fairness, "randbelow", lambda _: next(numbers))
    assert Counter(draw_rolls(law, law.total)) == dict(zip(law.support, law.counts, strict=True))
