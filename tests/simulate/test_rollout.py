"""Rollouts against all sequences of rolls, exact values, and themselves however they are cut."""

import pickle
from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, IllegalMove, InvalidGame, named
from tentimes18.coach.advice import advise_slots
from tentimes18.coach.aims import Hunt
from tentimes18.simulate import rollout as module
from tentimes18.simulate.games import block_of, count_in_chunks
from tentimes18.simulate.rollout import PairedSums, Rollout, RolloutCounts
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.user_code import find
from tests.oracle import rollout as oracle
from tests.support.games import games
from tests.support.records import boards
from tests.support.simulated import MINE, middle

CLASSIC = Game.classic()
BOARD = Board.replay(CLASSIC, [(8, 5), (4, 1)])
ERRORS = 5  # standard errors


def all_sequences(rollout: Rollout) -> RolloutCounts:
    """The counts of all sequences of rolls, each once."""
    board = rollout.run.board()
    positions = [[board.game.dice.support.index(roll) for roll in rolls] for rolls in oracle.sequences(board)]
    rolls = np.zeros((rollout.run.rounds, len(positions)), dtype=np.uint8)
    rolls[1:] = np.array(positions, dtype=np.uint8).T
    return rollout.count_rolls(rollout.player(), 0, rolls)


def chooser(name: str) -> Callable[[Board, int], int]:
    return lambda board, roll: find(name).choose(board, roll)


@settings(max_examples=25)
@given(games(max_slots=4, max_rolls=3), st.data())
def test_all_sequences_of_rolls(game: Game, data: st.DataObject) -> None:
    """Means, spreads, paired spreads and chances are those of all sequences, exactly."""
    if game.dice.total > 6:
        game = Game.parse("d{-2,1,1,4}", game.slots)
    board = data.draw(boards(game, data.draw(st.integers(0, game.size - 1))))
    roll = data.draw(st.sampled_from(game.dice.support))
    name = data.draw(st.sampled_from(["optimal", "nearest", "greedy", middle(game), MINE]))
    lattice = lattice_of(game)
    target = board.score + lattice.low(board.free)
    rollout = Rollout(Run(game, (name,), 18, find, (board,)), roll, target)
    counts = all_sequences(rollout)
    wanted = oracle.scores(board, roll, chooser(name))
    assert rollout.slots == tuple(wanted)
    number = counts.games
    unit = float(lattice.unit)
    for i, own in enumerate(wanted.values()):
        mean = lattice.low(game.all_free) + lattice.unit * counts.points.mean(i, number)
        assert mean == oracle.mean(own)
        assert unit * counts.points.sd(i, number) == pytest.approx(sqrt(oracle.variance(own)), abs=1e-9)
        assert counts.reached[i] == sum(score >= target for score in own)
        for j, other in enumerate(wanted.values()):
            gaps = [a - b for a, b in zip(own, other, strict=True)]
            assert lattice.unit * counts.points.difference(i, j, number) == oracle.mean(gaps)
            spread = unit * counts.points.difference_sd(i, j, number)
            assert spread == pytest.approx(sqrt(oracle.variance(gaps)), abs=1e-9)


@settings(max_examples=15)
@given(games(max_slots=3, max_rolls=3), st.data())
def test_all_sequences_of_a_duel(game: Game, data: st.DataObject) -> None:
    if game.dice.total > 6:
        game = Game.parse("d{-2,1,1,4}", game.slots)
    moves = data.draw(st.integers(0, game.size - 1))
    mine, theirs = data.draw(boards(game, moves)), data.draw(boards(game, moves))
    roll = data.draw(st.sampled_from(game.dice.support))
    names = data.draw(st.tuples(*[st.sampled_from(["optimal", "greedy", middle(game), MINE])] * 2))
    rollout = Rollout(Run(game, names, 18, find, (mine, theirs)), roll)
    counts = all_sequences(rollout)
    wanted = oracle.equities(mine, theirs, roll, chooser(names[0]), chooser(names[1]))
    for i, own in enumerate(wanted.values()):
        assert counts.equity.mean(i, counts.games) / 2 == oracle.mean(own)
        assert counts.wins[i] == own.count(1)  # type: ignore[arg-type]
        assert counts.draws[i] == sum(0 < equity < 1 for equity in own)
        for j, other in enumerate(wanted.values()):
            gaps = [a - b for a, b in zip(own, other, strict=True)]
            spread = counts.equity.difference_sd(i, j, counts.games) / 2
            assert spread == pytest.approx(sqrt(oracle.variance(gaps)), abs=1e-9)


@pytest.mark.parametrize("place", [0, 1])
def test_the_first_move_of_the_opponent_is_its_own(place: int) -> None:
    """The hunter against optimal, on either side: the move that is given is mine alone."""
    game = Game.parse("1d4", "1-3")
    names = ("hunter", "optimal") if place == 0 else ("optimal", "hunter")
    counts = all_sequences(Rollout(Run(game, names, 18), 2))
    response, rule = Hunt(game, "optimal").response, named("optimal")

    def played(slot: int, rolls: tuple[int, ...]) -> tuple[Board, Board]:
        mine = theirs = Board(game)
        for number, roll in enumerate((2, *rolls)):
            lead = mine.score - theirs.score
            hunted = (mine, theirs, lead) if place == 0 else (theirs, mine, -lead)
            looking = response.choose(hunted[0].free, hunted[1].free, hunted[2], roll)
            own = looking if place == 0 else rule.choose(mine, roll)
            other = rule.choose(theirs, roll) if place == 0 else looking
            mine, theirs = mine.place(roll, own if number else slot), theirs.place(roll, other)
        return mine, theirs

    for i, slot in enumerate((1, 2, 3)):
        ends = [played(slot, rolls) for rolls in oracle.sequences(Board(game))]
        assert counts.wins[i] == sum(mine.score > theirs.score for mine, theirs in ends)
        assert counts.draws[i] == sum(mine.score == theirs.score for mine, theirs in ends)


def counted(rollout: Rollout, number: int) -> RolloutCounts:
    *_, counts = count_in_chunks(rollout, number)
    return counts


@pytest.mark.parametrize("roll", [3, 12])
def test_optimal_has_the_exact_values(roll: int) -> None:
    """Means within 5 of their standard errors, and differences within 5 of theirs, which are much smaller."""
    rollout = Rollout(Run(CLASSIC, ("optimal",), 1987, boards=(BOARD,)), roll)
    number = 50_000
    counts = counted(rollout, number)
    values = {move.slot: move.worth for move in advise_slots(CLASSIC, BOARD.free_slots, roll).moves}
    best = max(range(8), key=lambda i: values[rollout.slots[i]])
    low = lattice_of(CLASSIC).low(CLASSIC.all_free)
    for i, slot in enumerate(rollout.slots):
        mean = low + counts.points.mean(i, number)
        error = counts.points.sd(i, number) / sqrt(number)
        assert abs(float(mean - BOARD.score - values[slot])) < ERRORS * error
        if i != best:
            gap = float(counts.points.difference(i, best, number) - (values[slot] - values[rollout.slots[best]]))
            paired = counts.points.difference_sd(i, best, number) / sqrt(number)
            assert abs(gap) < ERRORS * paired
            assert paired < error / 4


NAMES = [("optimal",), ("random",), ("hindsight",), (MINE,), ("greedy", "random"), ("hunter", "equilibrium")]


@pytest.mark.parametrize("names", NAMES, ids="-".join)
def test_cuts_change_nothing(names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse("1d4", "1-4")
    start = Board(game).place(3, 2)
    rollout = Rollout(Run(game, names, 18, find, (start,) * len(names)), 2, target=24)
    wanted = rollout.counter()(0, 2_000)
    assert wanted.games == 2_000
    for block, chunk in ((7, 640), (500, 999), (8192, 2_000)):
        monkeypatch.setattr("tentimes18.simulate.games.BLOCK", block)
        monkeypatch.setattr(module, "chunk_of", lambda _, size=chunk: size)
        assert_same(counted(rollout, 2_000), wanted)


def assert_same(left: RolloutCounts, right: RolloutCounts) -> None:
    assert left.games == right.games
    for name in ("wins", "draws", "reached"):
        assert getattr(left, name).tolist() == getattr(right, name).tolist(), name
    for mine, other in ((left.points, right.points), (left.equity, right.equity)):
        assert mine.sums.tolist() == other.sums.tolist()
        assert mine.products.tolist() == other.products.tolist()


def test_a_rollout_travels_to_other_processes() -> None:
    rollout = Rollout(Run(CLASSIC, ("optimal",), 18, boards=(BOARD,)), 9, 700)
    copy = pickle.loads(pickle.dumps(rollout))
    assert copy == rollout
    assert_same(pickle.loads(pickle.dumps(copy.counter()(0, 100))), rollout.counter()(0, 100))


@pytest.mark.parametrize("width", [3 * 10**7, 10**8, 2**31 - 2])
def test_sums_of_large_numbers_do_not_overflow(width: int) -> None:
    """Squares of the largest scores that are counted: 64 bits hold those of a block, and of no more."""
    block = block_of(Game.parse(f"d{{0,1,{width}}}", "1"))
    assert block * width**2 < 2**63 <= 3 * block * width**2
    sums = PairedSums.none(1)
    for _ in range(5):
        sums.count(np.full((1, block), width, dtype=np.int32))
    assert sums.products[0, 0] == 5 * block * width**2 > 2**63
    assert sums.mean(0, 5 * block) == width
    assert sums.sd(0, 5 * block) == 0.0


def test_bad_rollouts() -> None:
    with pytest.raises(IllegalMove, match=r"^roll: 3d6 never shows 19"):
        Rollout(Run(CLASSIC, ("optimal",), 18), 19)
    with pytest.raises(InvalidGame, match="for one player, or for two in a duel"):
        Rollout(Run(CLASSIC, ("optimal",) * 3, 18), 9)
