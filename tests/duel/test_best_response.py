"""The best response in a duel, and duels of two rules: against the reference computations and known distributions."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.duel.best_response import best_response, fixed_duel
from tentimes18.duel.equilibrium import DrawOdds
from tentimes18.duel.lead_windows import Outcome
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Board, Game, Position, mask_of
from tentimes18.solve.thresholds import Rule, optimal_rule
from tests.oracle import Score
from tests.oracle.duel import Free, fixed, followed, response
from tests.oracle.play import move_values
from tests.support.duels import GAMES, RULES, as_rule, positions, start_of
from tests.support.games import games, law_of


def shares(outcome: Outcome) -> tuple[float, float, float]:
    return outcome.win, outcome.draw, outcome.loss


def close(wanted: Fraction | float) -> object:
    return pytest.approx(float(wanted), rel=0, abs=1e-12)


def all_close(wanted: tuple[Fraction | float, ...]) -> object:
    return pytest.approx(tuple(map(float, wanted)), rel=0, abs=1e-12)


def assert_consistent(outcome: Outcome, draw: float) -> None:
    assert min(shares(outcome)) >= 0  # not even by rounding
    assert sum(shares(outcome)) == close(1)
    assert outcome.equity == close(outcome.win + draw * outcome.draw)


def assert_best(game: Game, theirs: Rule, draw: Fraction) -> None:
    """Equity, shares and slot at every position, against the reference computation.

    Of equally good slots that with the best mean, and of these the smallest.
    """
    law, rule = law_of(game.dice), as_rule(theirs)
    found = best_response(game, theirs, draw=float(draw))
    best = response(law, game.multipliers, rule, draw)
    taken = followed(
        law, game.multipliers, lambda free, other, lead, x: found.choose(mask_of(free), mask_of(other), lead, x), rule
    )
    for mine, other, lead in positions(game):
        outcome = found.at(mask_of(mine), mask_of(other), lead)
        assert outcome.equity == close(best(mine, other, lead))
        assert_consistent(outcome, float(draw))
        assert shares(outcome) == all_close(taken(mine, other, lead))
        for roll in law:
            j = rule(other, roll)
            values = {
                i: best(mine - {i}, other - {j}, lead + roll * (game.multipliers[i - 1] - game.multipliers[j - 1]))
                for i in mine
            }
            means = move_values(law, game.multipliers, mine, roll)
            wanted = max(mine, key=lambda i: (values[i], means[i], -i))
            assert found.choose(mask_of(mine), mask_of(other), lead, roll) == wanted
    assert found.outcome == found.at(game.all_free, game.all_free, 0)


@pytest.mark.parametrize("name", ["optimal", "greedy"])
@pytest.mark.parametrize(("faces", "slots"), GAMES)
def test_every_position(faces: str, slots: str, name: str) -> None:
    game = Game.parse(faces, slots)
    assert_best(game, RULES[name](game), Fraction(1, 2))


@pytest.mark.parametrize("draw", [Fraction(0), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize(("faces", "slots"), [("1d6", "1-3"), ("d{-3,0,4}:0=3", "-2,0,1/2")])
def test_what_a_draw_is_worth(faces: str, slots: str, draw: Fraction) -> None:
    game = Game.parse(faces, slots)
    assert_best(game, optimal_rule(game), draw)


@settings(max_examples=20)
@given(game=games(max_slots=3, max_rolls=3), name=st.sampled_from(sorted(RULES)), draw=st.sampled_from((0, 1, 2, 4)))
def test_random_games(game: Game, name: str, draw: int) -> None:
    assert_best(game, RULES[name](game), Fraction(draw, 4))


@settings(max_examples=40)
@given(
    game=games(max_slots=4),
    mine=st.sampled_from(sorted(RULES)),
    theirs=st.sampled_from(sorted(RULES)),
    draw=st.sampled_from((0.0, 0.25, 0.5, 1.0)),
)
def test_two_rules_in_random_games(game: Game, mine: str, theirs: str, draw: float) -> None:
    """As the reference computation has it; the other side sees wins as losses; against itself a rule draws."""
    first, second = RULES[mine](game), RULES[theirs](game)
    outcome = fixed_duel(game, first, second, draw=draw)
    wanted = fixed(law_of(game.dice), game.multipliers, as_rule(first), as_rule(second))(*start_of(game))
    assert shares(outcome) == all_close(wanted)
    assert_consistent(outcome, draw)
    mirrored = fixed_duel(game, second, first, draw=1 - draw)
    assert shares(mirrored) == all_close(wanted[::-1])
    assert outcome.equity + mirrored.equity == close(1)
    assert shares(fixed_duel(game, first, first)) == all_close((Fraction(0), Fraction(1), Fraction(0)))


@settings(max_examples=40)
@given(game=games(max_slots=4), name=st.sampled_from(sorted(RULES)))
def test_at_random(game: Game, name: str) -> None:
    """Each free slot with the same chance, against the same in fractions."""
    law, rule = law_of(game.dice), as_rule(RULES[name](game))

    @cache
    def equity(mine: Free, other: Free, lead: Score) -> Fraction:
        if not mine:
            return Fraction(1 if lead > 0 else 0) if lead else Fraction(1, 2)
        total = Fraction(0)
        for roll, probability in law.items():
            j = rule(other, roll)
            for i in mine:
                gain = roll * (game.multipliers[i - 1] - game.multipliers[j - 1])
                total += probability / len(mine) * equity(mine - {i}, other - {j}, lead + gain)
        return total

    outcome = fixed_duel(game, None, RULES[name](game))
    assert outcome.equity == close(equity(*start_of(game)))
    assert_consistent(outcome, 0.5)


@pytest.mark.parametrize("draw", [-0.1, 1.5, float("nan"), float("inf"), True, "1/2"])
def test_worths_of_a_draw_that_cannot_be(draw: float) -> None:
    game = Game.parse("1d6", "1-3")
    with pytest.raises(InvalidGame, match=r"^draw"):
        best_response(game, optimal_rule(game), draw=draw)
    with pytest.raises(InvalidGame, match=r"^draw"):
        fixed_duel(game, optimal_rule(game), optimal_rule(game), draw=draw)
    with pytest.raises(InvalidGame, match=r"^draw"):
        DrawOdds(game, draw)


def test_a_roll_that_cannot_be() -> None:
    game = Game.parse("1d6", "1-3")
    with pytest.raises(IllegalMove, match=r"^roll"):
        best_response(game, optimal_rule(game)).choose(0b111, 0b111, 0, 7)


def test_the_slot_on_two_boards_is_that_of_their_position() -> None:
    game = Game.parse("1d6", "1-4")
    response, empty = best_response(game, optimal_rule(game)), Board(game)
    for roll, mine, theirs, next_roll in product(game.dice.support, range(1, 5), range(1, 5), game.dice.support):
        position = Position(empty.place(roll, mine), empty.place(roll, theirs))
        at = position.board.free, position.theirs.free, position.lead
        assert response.choose_on(position, next_roll) == response.choose(*at, next_roll)
    with pytest.raises(IllegalMove, match="1d6 never shows 7"):
        response.choose_on(Position(empty, empty), 7)
