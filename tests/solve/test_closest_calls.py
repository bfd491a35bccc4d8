"""The closest calls and the exact ties against a walk over all sets of free slots and all rolls."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Game
from tentimes18.game import slots_of
from tentimes18.solve.closest_calls import closest_calls, exact_ties
from tests.oracle.play import best_slots, closest_call, move_values
from tests.support.games import games, law_of


def free_sets(game: Game, first_move: bool) -> list[frozenset[int]]:
    masks = [game.all_free] if first_move else range(1, game.all_free + 1)
    return [frozenset(slots_of(free)) for free in masks]


def neighbours(game: Game, free: frozenset[int], roll: int) -> list[tuple[int, int]]:
    """The ranks (best, runner-up) of each runner-up beside the best slots: one, or one on either side."""
    values = list(move_values(law_of(game.dice), game.multipliers, free, roll).values())
    best = max(values)
    second = max(value for value in values if value < best)
    return [
        (rank, other)
        for rank in range(1, len(values) + 1)
        for other in (rank - 1, rank + 1)
        if values[rank - 1] == best and 1 <= other <= len(values) and values[other - 1] == second
    ]


@given(games(max_slots=5), st.booleans())
@settings(max_examples=120)
def test_against_all_free_sets(game: Game, first_move: bool) -> None:
    check_calls(game, first_move=first_move)


def check_calls(game: Game, *, first_move: bool) -> None:
    calls = closest_calls(game, first_move=first_move)
    try:
        gap, where = closest_call(law_of(game.dice), game.multipliers, free_sets(game, first_move))
    except ValueError:
        assert calls == []
        return
    expected: Counter[tuple[int, int, int, int]] = Counter()
    for free, roll in where:
        pairs = neighbours(game, free, roll)
        assert pairs
        expected.update((len(free), roll, *pair) for pair in pairs)
    assert {(call.free_count, call.roll, call.best, call.runner_up): call.free_sets for call in calls} == expected
    assert len(calls) == len(expected)
    # Where the runner-up is as close below as above, one (free set, roll) makes two calls.
    both_sides = sum(len(neighbours(game, free, roll)) - 1 for free, roll in where)
    assert sum(call.free_sets for call in calls) == len(where) + both_sides
    for call in calls:
        assert call.loss == gap
        assert (frozenset(call.example), call.roll) in where
        assert (call.best, call.runner_up) in neighbours(game, frozenset(call.example), call.roll)


def test_classic_game() -> None:
    """The paper speaks of seven consecutive slots; 84 sets of seven free slots make the call as close."""
    calls = closest_calls(Game.classic())
    assert [(call.free_count, call.roll, call.best, call.runner_up) for call in calls] == [(7, 10, 4, 3), (7, 11, 4, 5)]
    assert [(round(call.loss, 5), call.free_sets) for call in calls] == [(Fraction("0.02989"), 84)] * 2


@pytest.mark.parametrize("slots", ["3", "4,4,4", "0"])
def test_no_call_without_a_choice(slots: str) -> None:
    assert closest_calls(Game.parse("3d6", slots)) == []
    assert closest_calls(Game.parse("3d6", slots), first_move=True) == []


@given(games(max_slots=5), st.booleans())
@settings(max_examples=120)
def test_ties(game: Game, first_move: bool) -> None:
    """Listed is where two neighbouring ranks are both best, in a free set where their multipliers differ."""
    law = law_of(game.dice)
    expected = set()
    for free in free_sets(game, first_move):
        slots = sorted(free)
        for roll in game.dice.support:
            best = best_slots(law, game.multipliers, free, roll)
            for rank in range(1, len(slots)):
                low, high = slots[rank - 1], slots[rank]
                if low in best and high in best and game.multipliers[low - 1] != game.multipliers[high - 1]:
                    expected.add((len(free), roll, rank))
    ties = exact_ties(game, first_move=first_move)
    assert [(tie.free_count, tie.roll, tie.rank) for tie in ties] == sorted(expected)
