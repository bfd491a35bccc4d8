"""The equilibrium of the duel: its values against exact ones, and its mixed moves against the best response to them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import inf, nan, sqrt

import pytest
from hypothesis import given, settings

from tentimes18.duel.best_response import Response, best_response
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import DrawOdds, DuelValues, Equilibrium, solve_equilibrium
from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.play_out import EquilibriumPath
from tentimes18.errors import IllegalMove
from tentimes18.game import Board, Game, Position, mask_of
from tentimes18.simulate.games import count_games
from tentimes18.simulate.run import Run
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import bands, greedy, nearest
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

TOLERANCE = 1e-9
MIXED_GAMES = [("d{1,100}", "1-4"), ("d{1,4,16}", "1,2,5,14")]


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


@settings(max_examples=25)
@given(game=games(max_slots=3, max_rolls=3))
def test_random_games(game: Game) -> None:
    assert_equilibrium(game)


@settings(max_examples=10)
@given(game=games(max_slots=4, max_rolls=2))
def test_values_of_larger_random_games(game: Game) -> None:
    table, exact = solve_equilibrium(game), equilibrium(law_of(game.dice), game.multipliers)
    for mine, theirs, lead in positions(game):
        assert value_of(table, mine, theirs, lead) == close(exact(mine, theirs, lead))


@settings(max_examples=25)
@given(game=games(max_slots=5, max_rolls=4))
def test_the_certificate(game: Game) -> None:
    """Every stored value is right, for either player."""
    table = solve_equilibrium(game)
    certificate = certify(table)
    assert table.value(game.all_free, game.all_free, 0) == pytest.approx(0.5, rel=0, abs=1e-12)
    assert abs(certificate.start) <= 1e-12
    assert -1e-12 <= certificate.largest <= 1e-12
    assert certificate.positions == sum(count.positions for count in table.counts) == len(table.values) - 1


@pytest.mark.parametrize("change", [1e-7, -1e-7])
@pytest.mark.parametrize(("faces", "slots"), [("1d4", "1-3"), ("1d3", "1-4"), ("d{-3,0,4}:0=3", "-2,0,1/2")])
def test_the_certificate_sees_every_wrong_value(faces: str, slots: str, change: float) -> None:
    table = solve_equilibrium(Game.parse(faces, slots))
    for place in range(1, len(table.values)):
        value = table.values[place]
        table.values[place] = value + change
        assert certify(table).largest > 0.99e-7
        table.values[place] = value
    assert certify(table).largest <= 1e-12


@pytest.mark.parametrize("value", [nan, inf, -inf, 1.5, -0.5])
def test_the_certificate_sees_what_is_no_chance(value: float) -> None:
    table = solve_equilibrium(Game.parse("1d4", "1-3"))
    for place in range(1, len(table.values)):
        kept, table.values[place] = table.values[place], value
        assert certify(table).largest >= 0.5
        table.values[place] = kept
    assert certify(table).largest <= 1e-12


def test_the_certificate_sees_wrong_moves() -> None:
    """A table that believes in a lost end plays badly for it, and the best response gains from the start."""
    table = solve_equilibrium(Game.parse("1d4", "1-3"))
    table.values[1:20] = 0.0
    assert certify(table).start > 0.01


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


@settings(max_examples=15)
@given(game=games(max_slots=3, max_rolls=3))
def test_no_rule_beats_the_equilibrium(game: Game) -> None:
    table = solve_equilibrium(game)
    for rule in RULES.values():
        choose = as_rule(rule(game))

        def mine(free: Free, _other: Free, _lead: Score, roll: int, choose: Rule = choose) -> int:
            return choose(free, roll)

        assert_followed(table, EquilibriumPath(table, rule(game)).outcome, mine)
    assert_followed(table, EquilibriumPath(table, at_random=True).outcome, None)


@settings(max_examples=15)
@given(game=games(max_slots=3, max_rolls=3))
def test_no_hunter_beats_the_equilibrium(game: Game) -> None:
    """The best response to each rule is no best response to the equilibrium."""
    table = solve_equilibrium(game)
    for rule in RULES.values():
        hunter = best_response(game, rule(game))

        def mine(free: Free, other: Free, lead: Score, roll: int, hunter: Response = hunter) -> int:
            return hunter.choose(mask_of(free), mask_of(other), lead, roll)

        assert_followed(table, EquilibriumPath(table, hunter).outcome, mine)


@pytest.mark.parametrize("name", ["hunter", "optimal"])
def test_simulated_against_the_equilibrium(name: str) -> None:
    """Within four standard errors of the exact chances."""
    game, size = Game.parse("1d6", "1-4"), 400_000
    optimal = optimal_rule(game)
    opponent = best_response(game, optimal) if name == "hunter" else optimal
    exact = EquilibriumPath(solve_equilibrium(game), opponent).outcome
    counts = count_games(Run(game, (name, "equilibrium"), 18), 0, size)
    for share, wins in ((exact.win, counts.wins[0, 1]), (exact.draw, counts.draws[0, 1])):
        assert abs(int(wins) / size - share) <= 4 * sqrt(share * (1 - share) / size)


def test_a_roll_that_cannot_be() -> None:
    with pytest.raises(IllegalMove, match=r"^roll"):
        solve_equilibrium(Game.parse("1d6", "1-3")).moves(0b111, 0b111, 0, 7)


@pytest.mark.slow
def test_six_slots_of_the_classic_game() -> None:
    game = Game.parse("3d6", "1-6")
    table = solve_equilibrium(game)
    assert table.value(game.all_free, game.all_free, 0) == pytest.approx(0.5, rel=0, abs=1e-12)
    assert abs(certify(table).start) <= TOLERANCE
    for rule in (optimal_rule, nearest, greedy, bands):
        assert EquilibriumPath(table, rule(game)).outcome.equity <= 0.5 + TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize(("faces", "slots"), [("1d6", "1-4"), ("1d10", "1-3"), ("d{-3,0,4,9}", "-2,1/3,1/2,5")])
def test_every_position_of_larger_games(faces: str, slots: str) -> None:
    assert_equilibrium(Game.parse(faces, slots))


def test_full_boards_are_won_drawn_or_lost() -> None:
    empty = Board(Game.parse("1d6", "1,2"))
    table = solve_equilibrium(empty.game)
    high, low = empty.place(6, 2).place(1, 1), empty.place(6, 1).place(1, 2)
    assert [table.value_on(Position(*pair)) for pair in ((high, low), (low, low), (low, high))] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("draw", [0.0, 0.25, 0.5, 0.75, 1.0])
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


def test_draw_odds_on_two_boards() -> None:
    game = Game.parse("1d6", "1-3")
    table, board = DrawOdds(game, 0.75), Board(game)
    position = Position(board.place(4, 3), board.place(4, 1))
    assert table.value_on(position) == table.value(position.board.free, position.theirs.free, 8)
    assert table.moves_on(position, 2) == table.moves(position.board.free, position.theirs.free, 8, 2)
    drawn = Position(*[Board.replay(game, [(1, 1), (1, 2), (1, 3)])] * 2)
    assert [side.value_on(drawn) for side in (table, table.turned, table.turned.turned)] == [0.75, 0.25, 0.75]
