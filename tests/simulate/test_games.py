"""Runs: the same counts however they are cut and shared out, and the distributions that they should follow."""

import threading
from collections.abc import Iterable, Iterator
from functools import cache
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import (
    Board,
    Game,
    InvalidGame,
    ScoreDistribution,
    Ten18Error,
    named,
    play_game,
    score_distribution,
)
from tentimes18.simulate import games as module
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.games import AnyCounts, Counts, RunGames, Work, count_games, do, fit, local_runner, simulate
from tentimes18.simulate.rollout import Rollout
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.strategy import play_on
from tentimes18.strategies.user_code import find
from tests.support.games import games
from tests.support.records import boards
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
def expected_counts() -> Counts:
    """20,000 games in one piece."""
    return count_games(Run(CLASSIC, FOUR, 18, find=find), 0, 20_000)


@pytest.mark.parametrize(("block", "chunk"), [(97, 999), (8192, 10_000), (1_000_000, 64 * 8192)])
def test_cuts_change_nothing(monkeypatch: pytest.MonkeyPatch, block: int, chunk: int) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    monkeypatch.setattr(module, "CHUNK", chunk)
    assert_same(last(Run(CLASSIC, FOUR, 18, find=find), 20_000), expected_counts())


@pytest.mark.parametrize("names", [("hunter", "equilibrium"), ("equilibrium", "optimal"), ("greedy", "hunter")])
def test_cuts_of_a_duel_change_nothing(monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]) -> None:
    """Also where the moves are mixed, and both boards in sight."""
    run = Run(Game.parse("1d4", "1-4"), names, 18, find=find)
    whole = count_games(run, 0, 5_000)
    assert_consistent(whole)
    for block, chunk in [(70, 640), (8192, 999)]:
        monkeypatch.setattr(module, "BLOCK", block)
        monkeypatch.setattr(module, "DUEL_CHUNK", chunk)
        assert_same(last(run, 5_000), whole)


@given(games(max_slots=4, max_rolls=4))
@settings(max_examples=12)
def test_counts_of_any_game(game: Game) -> None:
    """Against the boards of the same rolls, played one by one."""
    names = ("optimal", "greedy", "hindsight")
    run = Run(game, names, 18, find=find)
    counts = last(run, 40)
    rolls = drawn_rolls(run, 0, 40)
    scores = [[play_game(game, named(name), sequence).score for sequence in rolls] for name in names]
    for i, own in enumerate(scores):
        law = counts.distribution(game, i)
        assert law.total == 40
        assert law == ScoreDistribution(
            tuple(sorted(set(own))), tuple(own.count(score) for score in sorted(set(own))), 40
        )
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


@pytest.mark.parametrize("name", ["optimal", "hindsight", "random", "nearest", "target:700"])
def test_million_games_follow_the_exact_distribution(name: str) -> None:
    """The mean within 4 standard errors, and a p-value from 1e-3 to 1 - 1e-3."""
    law = score_distribution(Board(CLASSIC), named(name))
    counted = last(Run(CLASSIC, (name,), 1987), 1_000_000).distribution(CLASSIC)
    assert counted.total == 1_000_000
    assert abs(float(counted.mean - law.mean)) < 4 * law.sd / sqrt(1_000_000)
    result = fit(counted, law)
    assert result.degrees > 300
    assert LEAST_P < result.p_value < 1 - LEAST_P


@pytest.mark.parametrize(
    ("dice", "slots", "name"),
    [
        ("2d12:12=2", "1-5", "optimal"),
        ("1d6-3", "-2,0,0,1/2,3", "random"),
        ("1d6-3", "-2,0,0,1/2,3", "hindsight"),
        ("d{-7,-2,0,5}", "-3,-3,-1/2,2.5,2.5", "target:1"),
        ("30d6", "1-3", "optimal"),
        ("d300", "1-3", "random"),
        ("1d6", "1-18", "random"),
        ("d{0,1}:0=2", "1-13", "hindsight"),
    ],
)
def test_games_follow_the_exact_distribution(dice: str, slots: str, name: str) -> None:
    game = Game.parse(dice, slots)
    law = score_distribution(Board(game), named(name))
    result = fit(last(Run(game, (name,), 1987), 100_000).distribution(game), law)
    assert abs(result.z) < 4
    assert LEAST_P < result.p_value < 1 - LEAST_P


@given(games(max_slots=4, max_rolls=4), st.data())
@settings(max_examples=12)
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
        assert counts.distribution(game, place) == ScoreDistribution(
            tuple(sorted(set(own))), tuple(own.count(score) for score in sorted(set(own))), 40
        )


RUN = Run(CLASSIC, FOUR, 18, find=find)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(module, "thread_count", lambda: threads)
    monkeypatch.setattr(module, "CHUNK", 1_000)
    *_, counts = simulate(RUN, 20_000)
    assert_same(counts, expected_counts())


def test_stopped_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts so far are kept, and no thread stays behind."""
    monkeypatch.setattr(module, "CHUNK", 1_000)
    before = threading.active_count()
    run = simulate(RUN, 10**9)
    for _ in range(5):
        counts = next(run)
    run.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert counts.games == 5_000


def stopped_runner(job: Work[AnyCounts], chunks: Iterable[tuple[int, int]]) -> Iterator[AnyCounts]:
    first, _ = next(iter(chunks))
    yield job.counter()(first, 100)
    raise KeyboardInterrupt


@pytest.mark.parametrize("job", [RunGames(RUN), Rollout(Run(RUN.game, ("optimal",), 18), 9)], ids=["run", "rollout"])
def test_ctrl_c_keeps_what_was_counted(job: Work[Counts]) -> None:
    done = do(job, 10_000_000, stopped_runner)
    assert (done.finished, done.counts.games) == (False, 100)


def test_an_error_in_a_thread_is_raised() -> None:
    run = Run(Game.classic(), ("tests.simulate.test_games:broken",), 18, find=find)
    with pytest.raises(Ten18Error, match=r"^strategy 'tests\.simulate\.test_games:broken'"):
        list(local_runner(RunGames(run), [(0, 10)] * 20))


def broken(board: Board, roll: int) -> int:
    return board.rounds // (18 - roll)


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ([[(8, 5)]], "one board of its game for each strategy"),
        ([[(8, 5)], [(8, 5), (4, 1)]], "different numbers of moves"),
        ([[(8, slot) for slot in range(1, 11)]] * 2, "the board is full"),
    ],
)
def test_boards_that_do_not_fit(moves: list[list[tuple[int, int]]], problem: str) -> None:
    boards = tuple(Board.replay(CLASSIC, placements) for placements in moves)
    with pytest.raises(InvalidGame, match=problem) as error:
        Run(CLASSIC, ("optimal", "greedy"), 18, boards=boards)
    assert error.value.field == "moves"
    with pytest.raises(InvalidGame, match="one board of its game"):
        Run(CLASSIC, ("optimal",), 18, boards=(Board(Game.parse("1d6", "1-3")),))
