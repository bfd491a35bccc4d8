"""The strategies by name: what is accepted, what is rejected, and that each does what its name says."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, permutations
from math import floor
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Dice, Game, Ten18Error, named, play_game
from tentimes18.game import slots_of
from tentimes18.solve.aims import UtilityTable, best_quantile, best_worst_share, chance_table, shortfall_table
from tentimes18.solve.rule_distributions import rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.solve.utilities import exponential
from tentimes18.strategies.named import bands, greedy, nearest
from tentimes18.strategies.strategy import Hindsight, KnownStrategy, ObjectiveStrategy, RandomSlot
from tests.support.games import games, law_of


def board_with(game: Game, free: int) -> Board:
    """A board with these slots free; the rolls in the others do not matter."""
    return Board.replay(game, ((game.dice.support[0], slot) for slot in slots_of(game.all_free & ~free)))


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


@pytest.mark.parametrize("rolls", [[], [8], [8] * 11])
def test_wrong_number_of_rolls(rolls: list[int]) -> None:
    with pytest.raises(Ten18Error, match="10 rolls"):
        play_game(Game.classic(), named("optimal"), rolls)


@pytest.mark.parametrize("name", ["random", "optimal", "hindsight"])
def test_no_move_on_a_full_board(name: str) -> None:
    board = Board.replay(Game.parse("1d6", "1-2"), [(3, 1), (4, 2)])
    with pytest.raises(Ten18Error):
        named(name).choose(board, 3)


SIMPLE = ["random", "optimal", "hindsight", "nearest", "bands", "greedy"]

OBJECTIVE_NAMES = """
    target:30 target:0 target:-4 target:+30 target:29.5 target:.5 target:30. target:59/2 target:007
    utility:exp:0.01 utility:exp:-0.01 utility:exp:0 utility:exp:1/50
    utility:power:0.5 utility:power:-2 utility:power:0 utility:power:3
    quantile:0.1 quantile:1/2 quantile:1 quantile:0.001
    cvar:0.1 cvar:1/3 cvar:1 cvar:0.001
"""
OBJECTIVES = OBJECTIVE_NAMES.split()
RANDOM_GAME = settings(max_examples=15)


def start() -> Board:
    return Board(Game.parse("1d6", "1-3"))


@pytest.mark.parametrize("name", [*SIMPLE, *OBJECTIVES])
def test_accepted(name: str) -> None:
    """The name is kept, the distribution is whole, and every move is legal."""
    strategy = named(name)
    assert strategy.name == name
    assert isinstance(strategy, ObjectiveStrategy) == (name in OBJECTIVES)
    law = strategy.distribution(start())
    assert sum(law.weights) == law.total == 6**3
    assert set(law.scores) <= set(range(6, 37))
    for rolls in ([4, 1, 6], [6, 6, 6], [3, 5, 2]):
        board = play_game(start().game, strategy, rolls)
        assert [placement.roll for placement in board.placements] == rolls
        assert board.score in law.scores
    rounded = strategy.distribution(start(), exact=False)
    assert rounded.scores == law.scores
    assert float(rounded.mean) == pytest.approx(float(law.mean), rel=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        *["", " ", "best", "Optimal", "optimal ", "optimal:", "random:1", "hindsight:3", ":", "::", "700"],
        *["target", "cvar"],
        *["target:", "target:abc", "target:1e99", "target:nan", "target:inf", "target:1/0", "target:1:2", "target:--1"],
        *["target:0x10", "target:1,5", "target:½", "target:" + "9" * 50, "target:1_000", "target:７００", "Target:700"],
        *["quantile:", "quantile:0", "quantile:-0.1", "quantile:1.01", "quantile:10%", "quantile:x", "quantile:1/0"],
        *["cvar:", "cvar:0", "cvar:-1", "cvar:2", "cvar:x", "cvar:0.1:0.2"],
        *["utility", "utility:", "utility::", "utility:exp", "utility:exp:", "utility:exp:x", "utility:exp:1:2"],
        *["utility:power", "utility:power:", "utility:power:x", "utility:power:nan", "utility:log"],
        *["utility:math:sqrt", "utility:builtins:float", "utility:os:getcwd", "os:getcwd", "mine.py:f", "exp:1"],
        *["utility:math", "utility:math:", "utility::sqrt", "utility:math:nosuch", "utility:nosuchmodule:f"],
        *["utility:nosuch.module:f", "utility:math.:f", "utility:math:a:b", "utility:1:2", "utility: :x"],
        *["utility:.math:sqrt", "utility:..:sqrt", "utility:math:pi", "utility:tentimes18:Game.classic"],
    ],
)
def test_rejected(name: str) -> None:
    """In one line that starts with the word for the option, gives the name, and says what is accepted."""
    with pytest.raises(Ten18Error, match=r"^strategy ") as refused:
        named(name)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) < 400
    assert repr(name)[:50] in text
    assert "accepted: " in text or "above 0 and at most 1" in text


@pytest.mark.parametrize(
    ("name", "dice"),
    [
        ("utility:exp:25", "1d6"),
        ("utility:exp:-25", "1d6"),
        ("utility:power:0.5", "1d6-4"),
        ("utility:power:0", "1d6-1"),
        ("utility:power:-1", "1d6-1"),
    ],
)
def test_rejected_for_a_game(name: str, dice: str) -> None:
    """A utility that this game's scores have no finite value for."""
    board = Board(Game.parse(dice, "1-3"))
    with pytest.raises(Ten18Error, match=r"^strategy\b") as refused:
        named(name).distribution(board)
    assert "\n" not in str(refused.value)


@cache
def law_of_name(game: Game, name: str) -> ScoreDistribution:
    return named(name).distribution(Board(game))


@given(games(max_slots=3, max_rolls=3), st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1)]))
@RANDOM_GAME
def test_objectives_are_those_of_the_solver(game: Game, share: Fraction) -> None:
    target = Fraction(sum(game.multipliers) * game.dice.support[-1]) / 2
    wanted = {
        f"target:{target}": chance_table(game).best_play(target),
        f"quantile:{share}": best_quantile(chance_table(game), share),
        f"cvar:{share}": best_worst_share(shortfall_table(game), share),
        "utility:exp:0.05": UtilityTable(game, exponential(game, 0.05)).best_play(),
    }
    for name, best in wanted.items():
        law = law_of_name(game, name)
        assert law == best.distribution()
        strategy = named(name)
        assert isinstance(strategy, ObjectiveStrategy)
        assert strategy.solve(game).value == best.value
        assert strategy.measure(game, law) == pytest.approx(float(best.value), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["optimal", "random", "hindsight", "target:30", "cvar:0.2", "utility:power:0.5"])
def test_distribution_from_a_position(name: str) -> None:
    """With points on the board, and on the full board, where nothing is left to chance."""
    board = start().place(4, 2)
    strategy: KnownStrategy = named(name)
    law = strategy.distribution(board)
    assert sum(law.weights) == law.total == 36
    assert (law.scores[0], law.scores[-1]) == (8 + 1 + 3, 8 + 6 + 18)
    assert strategy.distribution(board.place(6, 3).place(1, 1)) == ScoreDistribution((27,), (1,), 1)
    assert strategy.distribution(board.place(6, 3).place(1, 1), exact=False).scores == (27,)


SIMPLE_RULES = {"nearest": nearest, "bands": bands, "greedy": greedy}


@cache
def standing(dice: Dice, roll: int) -> Fraction:
    """P(X < x) + P(X = x) / 2."""
    law = law_of(dice)
    return sum((chance for other, chance in law.items() if other < roll), Fraction(0)) + law[roll] / 2


@cache
def mean_of(dice: Dice) -> Fraction:
    return sum((roll * chance for roll, chance in law_of(dice).items()), Fraction(0))


def naive_nearest(game: Game, free: list[int], roll: int) -> int:
    return free[floor(standing(game.dice, roll) * len(free))]


def naive_bands(game: Game, free: list[int], roll: int) -> int:
    """Step by step from the home of the roll: outwards to the end of the board, then inwards from the home."""
    share = standing(game.dice, roll)
    home = 1 + floor(share * game.size)
    outwards, inwards = range(home, game.size + 1), range(home - 1, 0, -1)
    if share <= Fraction(1, 2):
        outwards, inwards = range(home, 0, -1), range(home + 1, game.size + 1)
    return next(slot for slot in chain(outwards, inwards) if slot in free)


def naive_greedy(game: Game, free: list[int], roll: int) -> int:
    return max(free) if roll > mean_of(game.dice) else min(free)


TWINS = {"nearest": naive_nearest, "bands": naive_bands, "greedy": naive_greedy}


@pytest.mark.parametrize("name", SIMPLE_RULES)
@given(game=games(max_slots=6, max_rolls=6))
def test_every_position(name: str, game: Game) -> None:
    assert_as_its_twin(name, game)


def assert_as_its_twin(name: str, game: Game) -> None:
    rule = SIMPLE_RULES[name](game)
    for free in range(1, game.all_free + 1):
        for roll in game.dice.support:
            assert rule(free, roll) == TWINS[name](game, list(slots_of(free)), roll)


@pytest.mark.parametrize(
    ("name", "first_moves"),
    [
        ("optimal", (1, 1, 1, 1, 2, 2, 4, 5, 6, 7, 9, 9, 10, 10, 10, 10)),
        ("nearest", (1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)),
        ("bands", (1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)),
        ("greedy", (1, 1, 1, 1, 1, 1, 1, 1, 10, 10, 10, 10, 10, 10, 10, 10)),
    ],
)
def test_first_move_of_the_classic_game(name: str, first_moves: tuple[int, ...]) -> None:
    board = Board(Game.classic())
    assert tuple(named(name).choose(board, roll) for roll in board.game.dice.support) == first_moves


@pytest.mark.parametrize("name", SIMPLE_RULES)
@pytest.mark.parametrize("dice", ["30d6", "d{0,1}:0=99999999999999999999", "d{0,1}:1=99999999999999999999"])
def test_rolls_that_are_almost_never_exceeded(name: str, dice: str) -> None:
    """Shares nearer to 0 and 1 than a float can tell."""
    assert_as_its_twin(name, Game.parse(dice, "1-4"))


@pytest.mark.parametrize("n", [49, 98, 103, 107])
def test_shares_that_are_whole_numbers_of_slots(n: int) -> None:
    """q = 1/n of n slots is one slot, though 1 / 49 * 49 < 1 in float64."""
    assert 1 / n * n < 1
    game = Game(Dice.from_mapping({0: 2, 1: n - 2}), range(1, n + 1))
    for name in ("nearest", "bands"):
        assert SIMPLE_RULES[name](game)(game.all_free, 0) == TWINS[name](game, list(range(1, n + 1)), 0) == 2


def test_means_of_the_classic_game() -> None:
    """Nearest is a tenth of a point below optimal; the others cost tens of points, and still beat chance."""
    game = Game.classic()
    means = {name: float(rule_distribution(game, rule(game)).mean) for name, rule in SIMPLE_RULES.items()}
    best = float(rule_distribution(game, optimal_rule(game)).mean)
    assert round(means["nearest"], 5) == 642.13688
    assert round(best, 5) == 642.23935
    assert 577.5 < means["greedy"] < means["bands"] < means["nearest"] < best
