"""Runs: the same counts however they are cut and shared out, and the laws that they should follow."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, ScoreLaw, Ten18Error, named, play_game, score_law
from tentimes18.simulate import games as module
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.fit import fit
from tentimes18.simulate.games import Counts, RunGames, chunk_of, count_games, simulate
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import Found, Work
from tentimes18.solve.lattice import lattice_of
from tentimes18.storage.cache import solved as kept
from tentimes18.strategies.strategy import play_on
from tentimes18.strategies.user_code import find
from tests.support.games import boards, games
from tests.support.simulated import MINE, assert_same, middle

CLASSIC = Game.classic()
FOUR = ("optimal", "hindsight", "random", "target:650")
LEAST_P = 1e-3


def last(run: Run, games: int, start: int = 0) -> Counts:
    *_, counts = simulate(run, games, start=start)
    return counts


def assert_consistent(counts: Counts) -> None:
    """Every game is in every histogram once, has one result for each pair, and one or more first places."""
    m = len(counts.histograms)
    assert counts.histograms.sum(axis=1).tolist() == [counts.games] * m
    pairs = counts.wins + counts.wins.T + counts.draws
    others = ~np.eye(m, dtype=bool)
    if m > 1:
        assert (pairs[others] == counts.games).all()
        assert (counts.draws == counts.draws.T).all()
        # A first place shared by k strategies is counted k times, at k.
        shared = counts.first_places.sum(axis=0)
        assert shared[0] == 0
        assert all(shared[k] % k == 0 for k in range(1, m + 1))
        assert sum(int(shared[k]) // k for k in range(1, m + 1)) == counts.games
    assert not pairs[~others].any()


@cache
def wanted() -> Counts:
    """30,000 games in one piece."""
    return count_games(Run(CLASSIC, FOUR, 18, find=find), 0, 30_000)


@pytest.mark.parametrize("block", [7, 97, 8192, 1_000_000])
@pytest.mark.parametrize("chunk", [97, 10_000, 30_000, 64 * 8192])
def test_cuts_change_nothing(monkeypatch: pytest.MonkeyPatch, block: int, chunk: int) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    monkeypatch.setattr(module, "CHUNK", chunk)
    assert_same(last(Run(CLASSIC, FOUR, 18, find=find), 30_000), wanted())


@given(st.lists(st.integers(1, 2_999), max_size=6, unique=True), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_any_cut_in_any_order(cuts: list[int], shuffled: Random) -> None:
    run = Run(CLASSIC, FOUR, 18, find=find)
    ends = [0, *sorted(cuts), 3_000]
    chunks = [(first, end - first) for first, end in pairwise(ends)]
    shuffled.shuffle(chunks)
    total = count_games(run, *chunks[0])
    for chunk in chunks[1:]:
        total.add(count_games(run, *chunk))
    assert_same(total, count_games(run, 0, 3_000))


def test_runner_may_give_chunks_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(work: Work[Found], chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
        count = work.counter()
        return (count(*chunk) for chunk in reversed(list(chunks)))

    monkeypatch.setattr(module, "CHUNK", 4_096)
    *_, counts = simulate(Run(CLASSIC, FOUR, 18, find=find), 30_000, backwards)
    assert_same(counts, wanted())


def test_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on where it was left."""
    monkeypatch.setattr(module, "CHUNK", 5_000)
    run = Run(CLASSIC, FOUR, 18, find=find)
    begun = last(run, 12_345)
    begun.add(last(run, 30_000 - 12_345, start=12_345))
    assert_same(begun, wanted())
    assert_same(last(run, 100, start=10**12), count_games(run, 10**12, 100))


@pytest.mark.parametrize("names", [("hunter", "equilibrium"), ("equilibrium", "optimal"), ("greedy", "hunter")])
def test_cuts_of_a_duel_change_nothing(monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]) -> None:
    """Also where the moves are mixed, and both boards in sight."""
    run = Run(Game.parse("1d4", "1-4"), names, 18, find=find)
    wanted = count_games(run, 0, 5_000)
    assert_consistent(wanted)
    for block, chunk in [(7, 640), (1_000, 5_000), (8192, 999)]:
        monkeypatch.setattr(module, "BLOCK", block)
        monkeypatch.setattr(module, "DUEL_CHUNK", chunk)
        assert_same(last(run, 5_000), wanted)


@given(games(max_slots=4, max_rolls=4))
@settings(max_examples=20)
def test_counts_of_any_game(game: Game) -> None:
    """Against the boards of the same rolls, played one by one."""
    names = ("optimal", "greedy", "hindsight")
    run = Run(game, names, 18, find=find)
    counts = last(run, 40)
    rolls = drawn_rolls(run, 0, 40)
    scores = [[play_game(game, named(name), sequence).score for sequence in rolls] for name in names]
    for i, own in enumerate(scores):
        law = counts.law(game, i)
        assert law.total == 40
        assert law == ScoreLaw(tuple(sorted(set(own))), tuple(own.count(score) for score in sorted(set(own))), 40)
        for j, other in enumerate(scores):
            if i != j:
                assert counts.wins[i, j] == sum(a > b for a, b in zip(own, other, strict=True))
                assert counts.draws[i, j] == sum(a == b for a, b in zip(own, other, strict=True))
    unit = lattice_of(game).unit
    gaps = [int((a - b) / unit) for a, b in zip(scores[0], scores[1], strict=True)]
    assert counts.difference == sum(gaps)
    assert counts.squared_difference == sum(gap * gap for gap in gaps)
    assert counts.largest == (min(0, *gaps), max(0, *gaps))
    for i in range(3):
        for k in range(1, 4):
            first = [row for row in zip(*scores, strict=True) if row[i] == max(row) and row.count(row[i]) == k]
            assert counts.first_places[i, k] == len(first)
    assert_consistent(counts)


def test_every_step_is_consistent(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is given after each chunk are all games so far, and each step adds one chunk."""
    monkeypatch.setattr(module, "CHUNK", 2_000)
    played = []
    for counts in simulate(Run(CLASSIC, FOUR, 18, find=find), 30_500):
        assert_consistent(counts)
        played.append(counts.games)
    steps = sorted(after - before for before, after in pairwise([0, *played]))
    assert steps == [500] + [2_000] * 15


@pytest.mark.parametrize("name", ["optimal", "hindsight", "random", "nearest", "bands", "greedy", "target:700"])
def test_million_games_follow_the_exact_law(name: str) -> None:
    """The mean within 4 standard errors, and a p-value that is neither too small nor too good: 1e-3 to 1 - 1e-3."""
    law = score_law(Board(CLASSIC), named(name))
    counted = last(Run(CLASSIC, (name,), 1987), 1_000_000).law(CLASSIC)
    assert counted.total == 1_000_000
    assert abs(float(counted.mean - law.mean)) < 4 * law.sd / sqrt(1_000_000)
    result = fit(counted, law)
    assert result.degrees > 300
    assert LEAST_P < result.p_value < 1 - LEAST_P


@pytest.mark.parametrize(
    ("dice", "slots", "name"),
    [
        ("2d12:12=2", "1-5", "optimal"),
        ("1d6-3", "-2,0,0,1/2,3", "optimal"),
        ("1d6-3", "-2,0,0,1/2,3", "random"),
        ("1d6-3", "-2,0,0,1/2,3", "hindsight"),
        ("d{-7,-2,0,5}", "-3,-3,-1/2,2.5,2.5", "target:1"),
        ("30d6", "1-3", "optimal"),
        ("d300", "1-3", "random"),
        ("1d6", "1-18", "random"),
        ("d{0,1}:0=2", "1-13", "hindsight"),
    ],
)
def test_games_follow_the_exact_law(dice: str, slots: str, name: str) -> None:
    game = Game.parse(dice, slots)
    law = score_law(Board(game), named(name))
    result = fit(last(Run(game, (name,), 1987), 200_000).law(game), law)
    assert abs(result.z) < 4
    assert LEAST_P < result.p_value < 1 - LEAST_P


def test_another_law_does_not_fit() -> None:
    """A million games tell bands from optimal, whose means differ by four points."""
    counted = last(Run(CLASSIC, ("bands",), 1987), 1_000_000).law(CLASSIC)
    assert fit(counted, score_law(Board(CLASSIC), named("optimal"))).p_value < 1e-12


def test_optimal_on_many_slots_has_the_exact_mean() -> None:
    """30 slots, played by rank; mean and standard deviation in polynomial time."""
    from tentimes18.solve.scores.moments import optimal_moments

    game = Game.parse("3d6", "1-30")
    counted = last(Run(game, ("optimal",), 1987), 100_000).law(game)
    moments = optimal_moments(game)
    assert abs(float(counted.mean - moments.mean)) < 4 * moments.sd / sqrt(100_000)
    assert counted.sd == pytest.approx(moments.sd, rel=4 / sqrt(2 * 100_000))


def test_no_strategy_beats_hindsight() -> None:
    counts = last(Run(CLASSIC, ("hindsight", "optimal", "random", "target:700", "nearest"), 18, find=find), 100_000)
    assert not counts.wins[1:, 0].any()
    assert counts.largest[0] == 0
    assert counts.first_places[0].sum() == 100_000


def test_the_same_strategy_twice_draws() -> None:
    counts = last(Run(CLASSIC, ("optimal", "optimal"), 18, find=find), 5_000)
    assert counts.draws.tolist() == [[0, 5_000], [5_000, 0]]
    assert not counts.wins.any()
    assert counts.first_places.tolist() == [[0, 0, 5_000]] * 2


def test_random_does_not_copy_itself() -> None:
    """Two players who both choose at random win half the games each, within 4 standard errors."""
    counts = last(Run(CLASSIC, ("random", "random"), 18, find=find), 100_000)
    decided = 100_000 - int(counts.draws[0, 1])
    assert decided > 90_000
    assert abs(int(counts.wins[0, 1]) / decided - 0.5) < 4 * 0.5 / sqrt(decided)


@pytest.mark.parametrize(
    ("names", "size"),
    [
        (("optimal", "target:20"), module.CHUNK),
        (("optimal", "hunter"), module.DUEL_CHUNK),
        ((MINE, "optimal"), module.SLOW_CHUNK),
    ],
)
def test_slow_games_are_counted_in_smaller_chunks(names: tuple[str, ...], size: int) -> None:
    run = Run(Game.parse("1d6", "1-3"), names, 18, find)
    assert chunk_of(run) == RunGames(run).chunk == size


@given(games(max_slots=4, max_rolls=4), st.data())
@settings(max_examples=25)
def test_games_go_on_from_any_board(game: Game, data: st.DataObject) -> None:
    """Every strategy from a board of its own, against the boards of the same rolls, played one by one."""
    names = ("optimal", "greedy", "hindsight", middle(game), MINE)
    filled = data.draw(st.integers(0, game.size - 1))
    starts = tuple(data.draw(boards(game, filled)) for _ in names)
    run = Run(game, names, 18, find, starts)
    assert run.rounds == game.size - filled
    counts = last(run, 40)
    for place, (name, board) in enumerate(zip(names, starts, strict=True)):
        own = [play_on(board, find(name), sequence).score for sequence in drawn_rolls(run, 0, 40)]
        assert counts.law(game, place) == ScoreLaw(
            tuple(sorted(set(own))), tuple(own.count(score) for score in sorted(set(own))), 40
        )


@pytest.mark.parametrize("name", ["optimal", "random", "hindsight", "target:700", "nearest"])
def test_games_from_a_board_follow_the_exact_law(name: str) -> None:
    board = Board.replay(CLASSIC, [(8, 5), (4, 1), (18, 9)])
    counted = last(Run(CLASSIC, (name,), 1987, boards=(board,)), 200_000).law(CLASSIC)
    result = fit(counted, score_law(board, named(name)))
    assert abs(result.z) < 4
    assert LEAST_P < result.p_value < 1 - LEAST_P


@pytest.mark.parametrize("name", ["nobody", "", "Optimal", "random:"])
def test_unknown_strategies(name: str) -> None:
    with pytest.raises(Ten18Error, match=rf"^strategy {name!r}: not known; accepted: random, optimal"):
        next(simulate(Run(CLASSIC, (name,), 18, find=find), 10))


class Other:
    """So large that nothing else is kept beside it."""

    nbytes = 10**12


@pytest.mark.parametrize("strategies", [("optimal", "target:20"), ("hunter", "optimal")])
def test_the_tables_of_a_run_are_held_while_it_lasts(
    strategies: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is asked for meanwhile, and by whomever: they are not made again for the next chunk."""
    for size in ("CHUNK", "DUEL_CHUNK"):
        monkeypatch.setattr(module, size, 50)
    run = Run(Game.parse("1d6", "1-3"), strategies, seed=1718)
    kind = "duel player" if run.is_duel else "players"
    kept.clear()
    made = []
    for counts in simulate(run, 1000):
        kept.get(("other", counts.games), Other)
        made.append(id(kept.get((kind, run), pytest.fail)))
    assert len(made) == 20
    assert len(set(made)) == 1
    kept.clear()


def test_more_than_two_with_a_player_of_a_duel() -> None:
    """At one table it has a row as beside its rival alone, and so has everybody else."""
    game = Game.parse("1d6", "1-4")
    table = count_games(Run(game, ("optimal", "hunter", "greedy"), 18), 0, 500)
    for places, names in (((0, 1), ("optimal", "hunter")), ((0, 2), ("optimal", "greedy"))):
        pair = count_games(Run(game, names, 18), 0, 500)
        assert table.wins[places] == pair.wins[0, 1]
        assert table.draws[places] == pair.draws[0, 1]
