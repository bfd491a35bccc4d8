"""Commitments and deals."""

import hashlib

from tentimes18.game import Game
from tentimes18.play.fairness import commitment, draw_deal


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
