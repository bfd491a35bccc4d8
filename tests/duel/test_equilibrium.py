"""The equilibrium of the duel: its values against exact ones, and its mixed moves against the best response to them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, cycle
from math import inf, nan

import pytest
from hypothesis import given, settings

from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import DrawOdds, DuelValues, Equilibrium, solve_equilibrium
from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.duel.slot_choice import ANY
from tentimes18.errors import IllegalMove
from tentimes18.game import Board, Game, Position, mask_of
from tests.oracle import Score
from tests.oracle.duel import (
    DuelRule,
    Equity,
    Free,
    MixedRule,
    Rule,
    Shares,
    best_against_mixed,
    equilibrium,
    matrix_value,
)
from tests.support.duels import GAMES, RULES, as_rule, positions, start_of
from tests.support.games import games, law_of
from tools.mirror_positions import mirror_shortfall

TOLERANCE = 1e-9
MIXED_GAMES = [("d{1,100}", "1-4"), ("d{1,4,16}", "1,2,5,14")]


def subsets(slots: range) -> list[tuple[int, ...]]:
    """All subsets but the empty one."""
    return list(chain.from_iterable(combinations(slots, k) for k in range(1, len(slots) + 1)))


def close(wanted: Fraction | float) -> object:
    return pytest.approx(float(wanted), rel=0, abs=TOLERANCE)


def value_of(table: Equilibrium, mine: Free, theirs: Free, lead: Score) -> float:
    return table.value(mask_of(mine), mask_of(theirs), lead)


def moves_of(table: DuelValues) -> MixedRule:
    """The mixed moves in the form of the reference computations, each checked to be one."""

    @cache
    def moves(free: Free, opponent_free: Free, lead: Score, roll: int) -> Mapping[int, float]:
        found = table.moves(mask_of(free), mask_of(opponent_free), lead, roll)
        assert set(found) <= free
        assert all(0 < chance <= 1 for chance in found.values())
        assert sum(found.values()) == pytest.approx(1, rel=0, abs=1e-12)
        return found

    return moves


def exact_moves(value: Equity, game: Game, mine: Free, theirs: Free, lead: Score, roll: int) -> list[list[Fraction]]:
    """The matrix game of a position and a roll: my slots down, the other's across."""

    def after(i: int, j: int) -> Fraction:
        gain = roll * (game.multipliers[i - 1] - game.multipliers[j - 1])
        return value(mine - {i}, theirs - {j}, lead + gain)

    return [[after(i, j) for j in sorted(theirs)] for i in sorted(mine)]


@given(games(max_slots=3, max_rolls=3))
@settings(max_examples=20)
def test_equal_boards_need_no_mixed_move(game: Game) -> None:
    """In fractions: a pure move secures 1/2. The table sees it too, and would see a move that does not."""
    value, count = equilibrium(law_of(game.dice), game.multipliers), 0
    for free in map(frozenset, subsets(range(1, game.size + 1))):
        for roll in game.dice.support:
            count += 1
            assert max(min(row) for row in exact_moves(value, game, free, free, 0, roll)) == Fraction(1, 2)
    table = solve_equilibrium(game)
    found, shortfall = mirror_shortfall(table)
    assert found == count
    assert shortfall < TOLERANCE
    table.values[:] = 0.25
    assert mirror_shortfall(table)[1] in (0, pytest.approx(0.25))


def assert_equilibrium(game: Game) -> int:
    """Values as the exact ones at every position, and moves that guarantee them; gives the number without a saddle."""
    law = law_of(game.dice)
    table = solve_equilibrium(game)
    exact = equilibrium(law, game.multipliers)
    moves = moves_of(table)
    response = best_against_mixed(law, game.multipliers, moves)
    without_saddle = 0
    for mine, theirs, lead in positions(game):
        value = value_of(table, mine, theirs, lead)
        assert value == close(exact(mine, theirs, lead))
        assert value + value_of(table, theirs, mine, -lead) == pytest.approx(1, rel=0, abs=1e-14)
        assert float(response(mine, theirs, lead)) == close(value)
        for roll in law:
            matrix = exact_moves(exact, game, mine, theirs, lead, roll)
            chances = moves(mine, theirs, lead, roll)
            share = [Fraction(chances.get(i, 0.0)) for i in sorted(mine)]
            worst = min(sum(p * q for p, q in zip(share, column, strict=True)) for column in zip(*matrix, strict=True))
            assert float(worst) == close(matrix_value(matrix))
            by_row, by_column = max(map(min, matrix)), min(map(max, zip(*matrix, strict=True)))
            without_saddle += by_row < by_column
    return without_saddle


@pytest.mark.parametrize(("faces", "slots"), [*GAMES, *MIXED_GAMES])
def test_every_position(faces: str, slots: str) -> None:
    assert_equilibrium(Game.parse(faces, slots))


def test_some_moves_must_be_mixed() -> None:
    """Otherwise the tests above would say nothing of mixes."""
    assert assert_equilibrium(Game.parse("1d4", "1-3")) > 0


@settings(max_examples=12)
@given(game=games(max_slots=3, max_rolls=3))
def test_random_games(game: Game) -> None:
    assert_equilibrium(game)


@pytest.mark.parametrize(("faces", "slots"), [("1d4", "1-3"), ("1d2", "1-4"), ("d{-3,0,4}:0=3", "-2,0,1/2")])
def test_the_certificate_sees_every_wrong_value(faces: str, slots: str) -> None:
    """Values that are too large or too small in turn, and values that are no probability."""
    table = solve_equilibrium(Game.parse(faces, slots))
    for place, change, wrong in zip(
        range(1, len(table.values)), cycle([1e-7, -1e-7]), cycle([nan, inf, -inf, 1.5, -0.5])
    ):
        value = table.values[place]
        for changed, gain in ((value + change, 0.99e-7), (wrong, 0.499)):
            table.values[place] = changed
            assert certify(table).largest > gain
        table.values[place] = value
    assert certify(table).largest <= 1e-12


def followed_against(game: Game, moves: MixedRule, mine: DuelRule | None) -> Shares:
    """My chances to win, to draw and to lose with mine(my free, their free, my lead, roll), or at random."""
    law = law_of(game.dice)

    @cache
    def shares(free: Free, other: Free, lead: Score) -> Shares:
        if not free:
            return Fraction(lead > 0), Fraction(lead == 0), Fraction(lead < 0)
        sums = [Fraction(0)] * 3
        for roll, probability in law.items():
            slots = sorted(free) if mine is None else [mine(free, other, lead, roll)]
            for j, chance in moves(other, free, -lead, roll).items():
                weight = probability * Fraction(chance) / len(slots)
                for i in slots:
                    gain = roll * (game.multipliers[i - 1] - game.multipliers[j - 1])
                    after = shares(free - {i}, other - {j}, lead + gain)
                    sums = [one + weight * more for one, more in zip(sums, after, strict=True)]
        return sums[0], sums[1], sums[2]

    return shares(*start_of(game))


def assert_followed(table: Equilibrium, outcome: Outcome, mine: DuelRule | None) -> None:
    """The shares are those of my rule in fractions, and it does not beat the equilibrium."""
    win, draw, loss = followed_against(table.game, moves_of(table), mine)
    assert (outcome.win, outcome.draw, outcome.loss) == (close(win), close(draw), close(loss))
    assert outcome.equity == close(win + draw / 2)
    assert outcome.equity <= 0.5 + TOLERANCE


@settings(max_examples=8)
@given(game=games(max_slots=3, max_rolls=3))
def test_no_rule_beats_the_equilibrium(game: Game) -> None:
    table = solve_equilibrium(game)
    for rule in RULES.values():
        choose = as_rule(rule(game))

        def mine(free: Free, _other: Free, _lead: Score, roll: int, choose: Rule = choose) -> int:
            return choose(free, roll)

        assert_followed(table, EquilibriumPath(table, rule(game)).outcome, mine)
    assert_followed(table, EquilibriumPath(table, ANY).outcome, None)


def test_a_roll_that_cannot_be() -> None:
    with pytest.raises(IllegalMove, match=r"^roll"):
        solve_equilibrium(Game.parse("1d6", "1-3")).moves(0b111, 0b111, 0, 7)


def test_full_boards_are_won_drawn_or_lost() -> None:
    empty = Board(Game.parse("1d6", "1,2"))
    table = solve_equilibrium(empty.game)
    high, low = empty.place(6, 2).place(1, 1), empty.place(6, 1).place(1, 2)
    assert [table.value_on(Position(*pair)) for pair in ((high, low), (low, low), (low, high))] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("draw", [0.0, 0.25, 1.0])
@pytest.mark.parametrize(("dice", "slots"), [("d{1,4,16}", "1,2,5"), ("1d3", "-1,2,2"), ("d{-3,0}:0=3", "-2,0,1/2")])
def test_draw_odds(dice: str, slots: str, draw: float) -> None:
    """Exact values from either side, and moves that guarantee them."""
    game = Game.parse(dice, slots)
    law, start = law_of(game.dice), start_of(game)
    table = DrawOdds(game, draw)
    exact = equilibrium(law, game.multipliers, Fraction(draw))
    for mine, theirs, lead in positions(game):
        wanted = float(exact(mine, theirs, lead))
        assert table.value(mask_of(mine), mask_of(theirs), lead) == pytest.approx(wanted, rel=0, abs=1e-12)
        turned = table.turned.value(mask_of(theirs), mask_of(mine), -lead)
        assert turned == pytest.approx(1 - wanted, rel=0, abs=1e-12)
    against_first = best_against_mixed(law, game.multipliers, moves_of(table), 1 - Fraction(draw))(*start)
    assert 1 - float(against_first) == pytest.approx(float(exact(*start)), rel=0, abs=1e-12)
    against_second = best_against_mixed(law, game.multipliers, moves_of(table.turned), Fraction(draw))(*start)
    assert float(against_second) == pytest.approx(float(exact(*start)), rel=0, abs=1e-12)
