"""Best play for a target in a duel with a rule: compared with all sequences of rolls, and with play for the mean."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from tentimes18.duel.best_response import fixed_duel
from tentimes18.game import Board, Game
from tentimes18.solve.aim_tables import BestPlay
from tentimes18.solve.aims import chance_table
from tentimes18.solve.thresholds import Rule, optimal_rule
from tests.support.duels import RULES
from tests.support.games import law_of
from tools.aimed_duel import aimed_duel

GAMES = [("1d6", "1-3", 25), ("d{1,2,5}", "1-4", 33), ("d{-3,0,4}:0=3", "-2,0,1/2,3", 9), ("1d4", "2,2,2", 20)]


def by_sequences(play: BestPlay, theirs: Rule) -> tuple[Fraction, Fraction, Fraction]:
    """Win, draw and loss, by every sequence of rolls."""
    game = play.table.game
    law = law_of(game.dice)
    shares = [Fraction(0)] * 3
    for rolls in product(law, repeat=game.size):
        mine, other = Board(game), Board(game)
        for roll in rolls:
            mine = mine.place(roll, play.choose(mine.free, mine.score, roll))
            other = other.place(roll, theirs(other.free, roll))
        lead = mine.score - other.score
        shares[0 if lead > 0 else 1 if lead == 0 else 2] += prod(law[roll] for roll in rolls)
    return shares[0], shares[1], shares[2]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("dice", "slots", "target"), GAMES)
def test_all_sequences_of_rolls(dice: str, slots: str, target: int, name: str) -> None:
    game = Game.parse(dice, slots)
    play, theirs = chance_table(game).best_play(target), RULES[name](game)
    found = aimed_duel(play, theirs)
    assert (found.win, found.draw, found.loss) == pytest.approx([*map(float, by_sequences(play, theirs))], abs=1e-14)
    assert found.equity == pytest.approx(found.win + found.draw / 2)


@pytest.mark.parametrize("name", RULES)
def test_a_certain_target_is_played_for_the_mean(name: str) -> None:
    """If every move reaches the target, the mean decides: the play is `optimal`, followed here by another method."""
    game = Game.parse("3d6", "1-6")
    play = chance_table(game).best_play(0)
    found, other = aimed_duel(play, RULES[name](game)), fixed_duel(game, optimal_rule(game), RULES[name](game))
    assert (found.win, found.draw, found.loss) == pytest.approx((other.win, other.draw, other.loss), abs=1e-12)


def test_progress() -> None:
    game = Game.parse("1d6", "1-3")
    told: list[tuple[int, int]] = []
    aimed_duel(chance_table(game).best_play(25), optimal_rule(game), lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
