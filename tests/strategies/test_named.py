"""Strategies by name: what is accepted, what is refused, and that each does what its name says."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, Ten18Error, exact_thresholds, named, play_game
from tentimes18.game import read_score, slots_of
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.objectives.expected_utility import UtilityTable
from tentimes18.solve.objectives.quantile import best_quantile
from tentimes18.solve.objectives.shortfall import best_worst_share, shortfall_table
from tentimes18.solve.objectives.utilities import exponential, power
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.strategy import KnownStrategy, ObjectiveStrategy, score_law
from tests.oracle import Score
from tests.oracle.sequences import law_of as law_of_play
from tests.support.games import games, law_of

SIMPLE = ["random", "optimal", "hindsight", "nearest", "bands", "greedy"]
OBJECTIVE_NAMES = """
    target:30 target:0 target:-4 target:+30 target:29.5 target:.5 target:30. target:59/2 target:007
    utility:exp:0.01 utility:exp:-0.01 utility:exp:0 utility:exp:1/50
    utility:power:0.5 utility:power:-2 utility:power:0 utility:power:3
    quantile:0.1 quantile:1/2 quantile:1 quantile:0.001
    cvar:0.1 cvar:1/3 cvar:1 cvar:0.001
"""
OBJECTIVES = OBJECTIVE_NAMES.split()
RANDOM_GAME = settings(max_examples=25)


def start() -> Board:
    return Board(Game.parse("1d6", "1-3"))


@pytest.mark.parametrize("name", [*SIMPLE, *OBJECTIVES])
def test_accepted(name: str) -> None:
    """The name is kept, the law is whole, and every move is legal."""
    strategy = named(name)
    assert strategy.name == name
    assert isinstance(strategy, ObjectiveStrategy) == (name in OBJECTIVES)
    law = strategy.law(start())
    assert sum(law.weights) == law.total == 6**3
    assert set(law.scores) <= set(range(6, 37))
    for rolls in ([4, 1, 6], [6, 6, 6], [3, 5, 2]):
        board = play_game(start().game, strategy, rolls)
        assert [placement.roll for placement in board.placements] == rolls
        assert board.score in law.scores
    rounded = strategy.law(start(), exact=False)
    assert rounded.scores == law.scores
    assert float(rounded.mean) == pytest.approx(float(law.mean), rel=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        *[
            "",
            " ",
            "best",
            "Optimal",
            "optimal ",
            "optimal:",
            "random:1",
            "hindsight:3",
            ":",
            "::",
            "700",
            "target",
            "cvar",
        ],
        *["target:", "target:abc", "target:1e3", "target:nan", "target:inf", "target:1/0", "target:1:2", "target:--1"],
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
def test_refused(name: str) -> None:
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
def test_refused_for_a_game(name: str, dice: str) -> None:
    """A utility that this game's scores have no finite value for."""
    board = Board(Game.parse(dice, "1-3"))
    with pytest.raises(Ten18Error, match=r"^strategy\b") as refused:
        named(name).law(board)
    assert "\n" not in str(refused.value)


@cache
def law_of_name(game: Game, name: str) -> ScoreLaw:
    return named(name).law(Board(game))


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
        assert law == best.law()
        strategy = named(name)
        assert isinstance(strategy, ObjectiveStrategy)
        assert strategy.solve(game).value == best.value
        assert strategy.measure(game, law) == pytest.approx(float(best.value), rel=1e-9, abs=1e-9)


@given(games(max_slots=3, max_rolls=3), st.sampled_from(["target:5", "cvar:1/4", "quantile:0.3", "utility:exp:-0.1"]))
@RANDOM_GAME
def test_choices_make_the_law(game: Game, name: str) -> None:
    strategy = named(name)
    board = Board(game)

    def choose(free: frozenset[int], score: Score, roll: int) -> int:
        """From any board with these free slots and this score."""
        return strategy.choose(position(game, free, score), roll)

    law = strategy.law(board)
    found = {score: Fraction(law.probability(score)) for score in law.scores}
    assert found == law_of_play(law_of(game.dice), game.multipliers, choose)


def position(game: Game, free: frozenset[int], score: Score) -> Board:
    """Some board with these free slots and this score."""
    filled = [slot for slot in range(1, game.size + 1) if slot not in free]
    found = [Board(game)]
    for slot in filled:
        found = [board.place(roll, slot) for board in found for roll in game.dice.support]
    return next(board for board in found if board.score == score)


@given(games(max_slots=3, max_rolls=3), st.data())
@RANDOM_GAME
def test_no_law_serves_the_objective_better(game: Game, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["target:4", "cvar:1/5", "quantile:2/5", "utility:exp:0.2", "utility:exp:-0.2"]))
    strategy = named(name)
    assert isinstance(strategy, ObjectiveStrategy)
    best = strategy.measure(game, law_of_name(game, name))
    for other in ("optimal", "random", "target:7", "cvar:1/2", "quantile:0.9", "utility:exp:0.01"):
        assert strategy.measure(game, law_of_name(game, other)) <= best + 1e-9 * max(1, abs(best))


@given(games(max_slots=4, max_rolls=4))
@RANDOM_GAME
def test_means(game: Game) -> None:
    """No mean is above that of `optimal`, which is the value; cvar:1, exp:0 and power:1 are `optimal` in the mean."""
    value = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    assert law_of_name(game, "optimal").mean == value
    assert law_of_name(game, "random").mean == game.dice.mean * sum(game.multipliers)
    assert law_of_name(game, "hindsight").mean >= value
    for name in ("nearest", "bands", "greedy", "target:3", "cvar:0.3", "quantile:0.3", "utility:exp:0.1"):
        assert law_of_name(game, name).mean <= value
    for name in ("cvar:1", "utility:exp:0"):
        assert float(law_of_name(game, name).mean) == pytest.approx(float(value), abs=1e-9)


@pytest.mark.parametrize("name", ["optimal", "random", "hindsight", "target:30", "cvar:0.2", "utility:power:0.5"])
def test_law_from_a_position(name: str) -> None:
    """With points on the board, and on the full board, where nothing is left to chance."""
    board = start().place(4, 2)
    strategy: KnownStrategy = named(name)
    law = strategy.law(board)
    assert sum(law.weights) == law.total == 36
    assert (law.scores[0], law.scores[-1]) == (8 + 1 + 3, 8 + 6 + 18)
    assert strategy.law(board.place(6, 3).place(1, 1)) == ScoreLaw((27,), (1,), 1)
    assert strategy.law(board.place(6, 3).place(1, 1), exact=False).scores == (27,)


@pytest.mark.parametrize("name", ["optimal", "target:40", "cvar:0.2"])
def test_float_law_where_exact_takes_too_long(name: str) -> None:
    """Exact unless that takes too long, or as asked for."""
    board = Board(Game.parse("1d6", "1-4"))
    assert score_law(board, named(name)).is_exact
    assert score_law(board, named(name), exact=True).is_exact
    assert not score_law(board, named(name), exact=False).is_exact


@pytest.mark.parametrize(
    ("text", "score"),
    [("700", 700), ("-5", -5), ("0.01", Fraction(1, 100)), ("7/2", Fraction(7, 2)), ("4/2", 2), ("700.0", 700)],
)
def test_read_score(text: str, score: int | Fraction) -> None:
    found = read_score(text, "target")
    assert (found, type(found)) == (score, type(score))


def test_power_of_a_game_with_a_score_of_zero() -> None:
    game = Game.parse("1d6-1", "1-3")
    assert named("utility:power:0.5").law(Board(game)) == UtilityTable(game, power(game, 0.5)).best_play().law()


def test_names_are_looked_up_once_for_each_game() -> None:
    """A strategy plays several games, each by its own table."""
    strategy = named("target:20")
    small, large = Game.parse("1d6", "1-2"), Game.parse("1d6", "1-4")
    for game in (small, large, small):
        assert strategy.law(Board(game)).at_least(20) == chance_table(game).chance(20)
        assert strategy.choose(Board(game), 6) in slots_of(game.all_free)
