"""Duels followed from the start: against all sequences of rolls, plain recursions, and simulated games."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.duel.best_response import Response, best_response
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import Equilibrium, solve_equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.duel.play_out import EquilibriumPath, ResponsePath
from tentimes18.duel.slot_choice import BEST_REPLY
from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game, Number, Position, mask_of, slots_of
from tentimes18.simulate.games import count_games
from tentimes18.simulate.run import Run
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.solved import hunter
from tests.oracle import Score
from tests.oracle.duel import Free, laws_followed
from tests.support.duels import RULES, as_rule, wrong_values
from tests.support.games import games, law_of
from tools.proof import response_rounds

GAMES = [
    ("1d3", "1-4"),
    ("1d6", "1-3"),
    ("d{1,2,5}", "1-4"),
    ("d{-3,0,4}:0=3", "-2,0,1/2,3"),
    ("1d4", "2,2,2"),
    ("d{-5,-1}", "-3--1"),
    ("d{7}", "1-4"),
    ("1d6", "0"),
]


def assert_law(game: Game, name: str, draw: float = 0.5) -> None:
    """Score by score as all sequences of rolls have it."""
    found = best_response(game, RULES[name](game), draw=draw)

    def mine(free: Free, other: Free, lead: Score, roll: int) -> int:
        return found.choose(mask_of(free), mask_of(other), lead, roll)

    exact, theirs = laws_followed(law_of(game.dice), game.multipliers, mine, as_rule(RULES[name](game)))
    law = ResponsePath(found).distribution
    assert list(law.scores) == sorted(exact)
    assert dict(zip(law.scores, law.weights, strict=True)) == pytest.approx(
        {score: float(chance) for score, chance in exact.items()}, rel=1e-12, abs=0
    )
    mean = sum(score * chance for score, chance in exact.items())
    assert float(law.mean) == pytest.approx(float(mean), rel=0, abs=1e-9)
    opponent = float_rule_distribution(game, RULES[name](game))
    assert float(opponent.mean) == pytest.approx(
        float(sum(score * chance for score, chance in theirs.items())), rel=0, abs=1e-9
    )


@pytest.mark.parametrize("name", ["optimal", "greedy"])
@pytest.mark.parametrize(("faces", "slots"), GAMES)
def test_distribution(faces: str, slots: str, name: str) -> None:
    assert_law(Game.parse(faces, slots), name)


@settings(max_examples=15)
@given(game=games(max_slots=4, max_rolls=4), name=st.sampled_from(sorted(RULES)), draw=st.sampled_from((0.0, 0.5, 1.0)))
def test_distribution_in_random_games(game: Game, name: str, draw: float) -> None:
    assert_law(game, name, draw)


def followed(found: Response) -> tuple[float, list[float]]:
    """The mean of the best response's score, and by round how often it departs from `optimal`: move by move."""
    game = found.windows.game
    optimal = optimal_rule(game)
    law = [(x, float(chance)) for x, chance in law_of(game.dice).items()]
    chances: dict[tuple[int, int, Number], float] = {(game.all_free, game.all_free, 0): 1.0}
    mean, departs = 0.0, [0.0] * game.size
    for done in range(game.size):
        after: dict[tuple[int, int, Number], float] = {}
        for (free, other, lead), chance in chances.items():
            is_open = 0 < found.equity(free, other, lead) < 1
            for roll, probability in law:
                i, j = found.choose(free, other, lead, roll), optimal(other, roll)
                mean += chance * probability * float(game.multipliers[i - 1] * roll)
                departs[done] += chance * probability * (is_open and i != optimal(free, roll))
                gain = roll * (game.multipliers[i - 1] - game.multipliers[j - 1])
                key = free ^ (1 << (i - 1)), other ^ (1 << (j - 1)), lead + gain
                after[key] = after.get(key, 0.0) + chance * probability
        chances = after
    return mean, departs


@pytest.mark.parametrize(("faces", "slots"), [("3d6", "1-4"), ("d{1,2,5}", "1,3,4,9,10")])
def test_mean_and_departures(faces: str, slots: str) -> None:
    game = Game.parse(faces, slots)
    found = best_response(game, optimal_rule(game))
    path = ResponsePath(found)
    mean, departs = followed(found)
    assert float(path.distribution.mean) == pytest.approx(mean, rel=0, abs=1e-9)
    rounds = response_rounds(path, optimal_rule(game))
    assert [one.departs for one in rounds] == pytest.approx(departs, rel=0, abs=1e-12)
    assert rounds[0].is_open == pytest.approx(1, rel=0, abs=1e-12)
    assert all(0 <= one.departs <= one.is_open <= 1 + 1e-12 for one in rounds)
    assert sum(one.positions for one in rounds) == path.positions


@pytest.mark.parametrize(("faces", "slots"), [("1d4", "1-3"), ("1d3", "1-4"), ("d{-3,0,4}:0=3", "-2,0,1/2,3")])
@pytest.mark.parametrize("name", [None, "greedy"])
def test_rounds_of_an_equilibrium(faces: str, slots: str, name: str | None) -> None:
    """Against itself and against a rule, move by move from the mixed moves, while the duel is open."""
    game = Game.parse(faces, slots)
    table, optimal = solve_equilibrium(game), optimal_rule(game)
    rule = RULES[name](game) if name else None
    chances: dict[tuple[int, int, Number], float] = {(game.all_free, game.all_free, 0): 1.0}
    for found in EquilibriumPath(table, rule).rounds:
        chances = {key: chance for key, chance in chances.items() if is_stored(table, *key)}
        after: dict[tuple[int, int, Number], float] = {}
        mixed = departs = 0.0
        for (free, other, lead), chance in chances.items():
            for roll, share in law_of(game.dice).items():
                mine = table.moves(free, other, lead, roll)
                theirs = {rule(other, roll): 1.0} if rule else table.moves(other, free, -lead, roll)
                mixed += chance * float(share) * (len(mine) > 1)
                departs += chance * float(share) * sum(p for i, p in mine.items() if i != optimal(free, roll))
                for i, p in mine.items():
                    for j, q in theirs.items():
                        gain = roll * (game.multipliers[i - 1] - game.multipliers[j - 1])
                        key = free ^ (1 << (i - 1)), other ^ (1 << (j - 1)), lead + gain
                        after[key] = after.get(key, 0.0) + chance * float(share) * p * q
        assert found.positions == len(chances)
        assert (found.is_open, found.departs, found.mixed) == pytest.approx(
            (sum(chances.values()), departs, mixed), rel=0, abs=1e-9
        )
        chances = after


def is_stored(table: Equilibrium, free: int, other: int, lead: Number) -> bool:
    """Whether a position is open: both can still come out ahead, or it can end in a draw."""
    windows = DuelWindows(table.game, half=False)
    never = -1.0
    return windows.read(np.ones(windows.cells), free, other, windows.index(free, other, lead), won=never) == 1.0


def test_too_many_positions_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse("1d200", "1-4")
    response = best_response(game, optimal_rule(game))
    monkeypatch.setenv("TEN18_MEMORY", "100k")
    with pytest.raises(TooLarge, match=r"^slots: the list of the positions .* memory; the limit is 100 kB"):
        ResponsePath(response)


@pytest.mark.slow
def test_classic_game() -> None:
    """Chances, mean and standard deviation; within four standard errors of simulated games, also by bins."""
    game, size = Game.classic(), 500_000
    best = hunter(game).outcome  # the table that the simulated player has, made once
    assert [round(share, 8) for share in (best.equity, best.win, best.draw)] == [0.58778940, 0.49853291, 0.17851297]
    law = ResponsePath(hunter(game)).distribution
    assert [round(float(number), 6) for number in (law.mean, law.sd)] == [640.088077, 55.595318]
    assert sum(law.weights) == pytest.approx(1, rel=0, abs=1e-12)
    counts = count_games(Run(game, ("hunter", "optimal"), 18), 0, size).distribution(game, 0)
    assert abs(float(counts.mean) - float(law.mean)) <= 4 * law.sd / sqrt(size)
    for score in range(450, 800, 25):
        share = float(law.at_most(score))
        assert abs(float(counts.at_most(score)) - share) <= 4 * sqrt(share * (1 - share) / size)


def plainly(table: Equilibrium, position: Position, roll: int | None = None) -> tuple[float, float, float]:
    """The same from a position on, for the player of the second board."""
    mine, theirs = position.board, position.theirs
    if roll is None:
        if not mine.free:
            return float(position.lead < 0), float(position.lead == 0), float(position.lead > 0)
        dice = table.game.dice
        found = [
            (count / dice.total, plainly(table, position, x))
            for x, count in zip(dice.support, dice.counts, strict=True)
        ]
    else:
        moves = table.moves_on(position, roll)

        def value(j: int) -> float:
            there = theirs.place(roll, j)
            return sum(p * table.value_on(Position(mine.place(roll, i), there)) for i, p in moves.items())

        slots = slots_of(theirs.free)
        best = min(map(value, slots))
        chosen = next(j for j in slots if value(j) <= best + 1e-12)
        after = theirs.place(roll, chosen)
        found = [(p, plainly(table, Position(mine.place(roll, i), after))) for i, p in moves.items()]
    win, draw, loss = (sum(p * chances[which] for p, chances in found) for which in range(3))
    return win, draw, loss


@pytest.mark.parametrize(("dice", "slots", "noise"), [("1d4", "1-3", 0.2), ("1d3", "1-4", 0.2), ("1d4", "1-3", 0.0)])
def test_what_the_best_reply_comes_to(dice: str, slots: str, noise: float) -> None:
    """Position by position, also where values are wrong and make wrong moves; no more than is certified."""
    table = solve_equilibrium(Game.parse(dice, slots))
    table.values = wrong_values(table, noise)
    outcome = EquilibriumPath(table, BEST_REPLY).outcome
    empty = Board(table.game)
    wanted = plainly(table, Position(empty, empty))
    assert (outcome.win, outcome.draw, outcome.loss) == pytest.approx(wanted, rel=0, abs=1e-12)
    assert outcome.equity == outcome.win + outcome.draw / 2
    assert outcome.equity - 0.5 <= certify(table).start + 1e-12
    assert certify(table).response == outcome
