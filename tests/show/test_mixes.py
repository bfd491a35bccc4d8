"""Mixed moves in words: every slot with its chance, a small one too."""

from tentimes18.coach.aims import Mixes
from tentimes18.wording import told_mix, told_mixes


def test_every_slot_is_told() -> None:
    assert told_mix(((1, 0.5), (3, 0.4996), (10, 0.0004))) == "slot 1 50.0%, slot 3 50.0%, slot 10 0.04%"


def test_both_players_are_told() -> None:
    same = ((2, 1.0),)
    assert told_mixes(Mixes(same, same)) == "Best play: slot 2; the opponent's: slot 2."
