"""What a table takes on a card is about what is planned, and what does not fit is refused before it starts."""

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.solve.cuda.plans import (
    QUEUE_SHARE,
    QUEUED_BYTES,
    admit_on_card,
    card_equilibrium_plan,
    card_response_plan,
)
from tentimes18.solve.cuda.windows import CardWindows
from tests.support.host_card import HostCard


def test_the_memory_is_about_that_of_the_table(host_card: HostCard) -> None:
    game = Game.parse("3d6", "1-7")
    half, whole = (CardWindows(host_card, game, half=is_half) for is_half in (True, False))
    queue = min(16 * max(whole.sizes) * QUEUED_BYTES, host_card.memory_left() // QUEUE_SHARE)
    assert card_equilibrium_plan(host_card, game).memory == pytest.approx(8 * half.cells + queue, rel=0.2)
    assert card_response_plan(host_card, game).memory == pytest.approx(16 * whole.cells, rel=0.2)


def test_two_layers_take_less_than_all(host_card: HostCard) -> None:
    game = Game.classic()
    two = card_response_plan(host_card, game, with_draws=False, whole=False)
    assert two.memory < card_response_plan(host_card, game, with_draws=False).memory < 16e9
    assert two.seconds > 0


def test_what_does_not_fit_is_refused_with_what_does(host_card: HostCard) -> None:
    card = host_card.with_figures(memory=10**9)
    admit_on_card(card, Game.parse("3d6", "1-8"), card_equilibrium_plan)
    with pytest.raises(TooLarge, match=r"on 12 slots on a card would need about .* GB; .*: slots 1-\d+ "):
        admit_on_card(card, Game.parse("3d6", "1-12"), card_equilibrium_plan)


def test_no_card_has_room_for_many_slots(host_card: HostCard) -> None:
    with pytest.raises(TooLarge, match="would need"):
        admit_on_card(host_card, Game.parse("3d6", "1-30"), card_response_plan)
