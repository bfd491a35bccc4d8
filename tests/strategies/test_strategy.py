"""The named strategies against the best moves of the oracle, and against what they promise."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Dice, Game, Ten18Error, named, play_game
from tentimes18.game import slots_of
from tentimes18.strategies.strategy import Hindsight, RandomSlot
from tests.oracle.play import best_slots, value
from tests.oracle.sequences import law_of as law_of_strategy
from tests.support.games import games, law_of


def board_with(game: Game, free: int) -> Board:
    """A board with these slots free; what stands in the others does not matter."""
    return Board.replay(game, ((game.dice.support[0], slot) for slot in slots_of(game.all_free & ~free)))


@given(games())
def test_optimal_takes_the_first_of_the_best_slots(game: Game) -> None:
    law = law_of(game.dice)
    for free in range(1, game.all_free + 1):
        board = board_with(game, free)
        for roll in game.dice.support:
            best = best_slots(law, game.multipliers, frozenset(slots_of(free)), roll)
            assert named("optimal").choose(board, roll) == best[0]


@given(games(max_slots=3, max_rolls=3))
@settings(max_examples=30)
def test_optimal_earns_the_value(game: Game) -> None:
    law = law_of(game.dice)

    def choose(free: frozenset[int], _score: Fraction | int, roll: int) -> int:
        return named("optimal").choose(board_with(game, sum(1 << (slot - 1) for slot in free)), roll)

    scores = law_of_strategy(law, game.multipliers, choose)
    mean = sum(score * p for score, p in scores.items())
    assert mean == value(law, game.multipliers, frozenset(range(1, game.size + 1)))


@pytest.mark.parametrize("roll", range(3, 19))
def test_first_move_of_the_classic_game(roll: int) -> None:
    first_moves = dict(zip(range(3, 19), (1, 1, 1, 1, 2, 2, 4, 5, 6, 7, 9, 9, 10, 10, 10, 10), strict=True))
    assert named("optimal").choose(Board(Game.classic()), roll) == first_moves[roll]


@given(
    st.tuples(st.integers(-9, 9), st.integers(1, 9)),
    st.tuples(st.integers(1, 99), st.integers(1, 99)),
    st.lists(st.integers(-5, 9), min_size=2, max_size=6, unique=True),
)
def test_coin_goes_to_the_ends(faces: tuple[int, int], weights: tuple[int, int], multipliers: list[int]) -> None:
    """With two outcomes the low one goes to the first free slot and the high one to the last, however loaded."""
    low, high = faces[0], faces[0] + faces[1]
    game = Game(Dice.from_mapping({low: weights[0], high: weights[1]}), multipliers)
    for free in range(1, game.all_free + 1):
        slots = slots_of(free)
        board = board_with(game, free)
        assert (named("optimal").choose(board, low), named("optimal").choose(board, high)) == (slots[0], slots[-1])


@given(games(max_slots=6), st.data())
def test_hindsight_sorts(game: Game, data: st.DataObject) -> None:
    rolls = data.draw(st.lists(st.sampled_from(game.dice.support), min_size=game.size, max_size=game.size))
    board = play_game(game, Hindsight(), rolls)
    assert [placement.roll for placement in board.placements] == rolls
    assert board.score == sum(m * roll for m, roll in zip(game.multipliers, sorted(rolls), strict=True))
    if game.size <= 4:
        assert board.score == max(
            sum(m * roll for m, roll in zip(game.multipliers, order, strict=True)) for order in permutations(rolls)
        )


@pytest.mark.parametrize("future", [(), (5,), (5, 6, 6)])
def test_hindsight_needs_the_future(future: tuple[int, ...]) -> None:
    with pytest.raises(Ten18Error, match="2 rolls still to come"):
        Hindsight().choose(Board(Game.parse("1d6", "1-3")), 4, future=future)


@pytest.mark.parametrize(
    ("free", "bound"),
    # 0.999 quantiles of chi-square with 9, 2 and 1 degrees of freedom.
    [(range(1, 11), 27.88), ((2, 5, 9), 13.82), ((1, 10), 10.83)],
)
def test_random_is_uniform(free: tuple[int, ...], bound: float) -> None:
    game = Game.classic()
    strategy = RandomSlot(Random(18))
    board = board_with(game, game.verify_free(free))
    draws = 6_000
    counts = Counter(strategy.choose(board, 9) for _ in range(draws))
    assert set(counts) == set(free)
    expected = draws / len(free)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < bound


def test_random_follows_its_generator() -> None:
    rolls = [8, 4, 10, 18, 3, 11, 9, 12, 14, 7]
    games_played = [play_game(Game.classic(), RandomSlot(Random(seed)), rolls) for seed in (5, 5, 6)]
    assert games_played[0] == games_played[1]
    assert games_played[0] != games_played[2]


@pytest.mark.parametrize("name", ["random", "optimal", "hindsight"])
def test_every_name_plays(name: str) -> None:
    rolls = [8, 4, 10, 18, 3, 11, 9, 12, 14, 7]
    strategy = named(name)
    board = play_game(Game.classic(), strategy, rolls)
    assert strategy.name == name
    assert [placement.roll for placement in board.placements] == rolls
    assert sorted(placement.slot for placement in board.placements) == list(range(1, 11))


@pytest.mark.parametrize("name", ["best", "", "Optimal", "optimal ", "random:1"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(Ten18Error, match=rf"^strategy {name!r}: not known; accepted: .*optimal"):
        named(name)


@pytest.mark.parametrize("rolls", [[], [8], [8] * 11])
def test_wrong_number_of_rolls(rolls: list[int]) -> None:
    with pytest.raises(Ten18Error, match="10 rolls"):
        play_game(Game.classic(), named("optimal"), rolls)


@pytest.mark.parametrize("name", ["random", "optimal", "hindsight"])
def test_no_move_on_a_full_board(name: str) -> None:
    board = Board.replay(Game.parse("1d6", "1-2"), [(3, 1), (4, 2)])
    with pytest.raises(Ten18Error):
        named(name).choose(board, 3)
