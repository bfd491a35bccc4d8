"""Work that is cut into chunks: whoever counts them and however they are cut, stopped early, and gone wrong."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pytest

from tentimes18 import Board, Game, Ten18Error, TooLarge
from tentimes18.simulate import games, work
from tentimes18.simulate.games import Counts, RunGames, count_games, simulate
from tentimes18.simulate.rollout import Rollout
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import Found, Work, count_in_chunks, do, local_runner, verify_games
from tentimes18.strategies.user_code import find
from tests.support.simulated import assert_same
from tests.support.solved import peak_memory

RUN = Run(Game.classic(), ("optimal", "hindsight", "random", "target:650"), 18)


@dataclass
class Numbers:
    """The numbers of the games that were counted, each of which must come once."""

    games: int
    seen: list[int]

    def add(self, other: "Numbers") -> None:
        self.games += other.games
        self.seen += other.seen


@dataclass(frozen=True)
class Numbering:
    chunk: int

    def counter(self) -> Callable[[int, int], Numbers]:
        return lambda first, size: Numbers(size, list(range(first, first + size)))


@pytest.mark.parametrize("chunk", [1, 7, 100, 1000])
@pytest.mark.parametrize("start", [0, 13])
def test_every_game_is_counted_once(chunk: int, start: int) -> None:
    *_, counts = count_in_chunks(Numbering(chunk), 100, start=start)
    assert counts.games == 100
    assert sorted(counts.seen) == list(range(start, start + 100))


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(work, "thread_count", lambda: threads)
    monkeypatch.setattr(games, "CHUNK", 1_000)
    *_, counts = simulate(RUN, 30_000)
    assert_same(counts, count_games(RUN, 0, 30_000))


def test_stopped_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts so far are kept, and no thread stays behind."""
    monkeypatch.setattr(games, "CHUNK", 1_000)
    before = threading.active_count()
    run = simulate(RUN, 10**9)
    for _ in range(5):
        counts = next(run)
    run.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert counts.games == 5_000


def stopped_runner(job: Work[Found], chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
    first, _ = next(iter(chunks))
    yield job.counter()(first, 100)
    raise KeyboardInterrupt


@pytest.mark.parametrize("job", [RunGames(RUN), Rollout(Run(RUN.game, ("optimal",), 18), 9)], ids=["run", "rollout"])
def test_ctrl_c_keeps_what_was_counted(job: Work[Counts]) -> None:
    done = do(job, 10_000_000, stopped_runner)
    assert (done.finished, done.counts.games) == (False, 100)


def test_ctrl_c_before_anything_was_counted() -> None:
    def runner(_job: Work[Found], _chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        do(RunGames(RUN), 1000, runner)


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    done = do(Numbering(64), 1_000, progress=lambda *at: told.append(at))
    assert done.finished
    assert done.seconds > 0
    assert [count for count, _ in told] == sorted(count for count, _ in told)
    assert told[-1] == (1_000, 1_000)


def test_an_error_in_a_thread_is_raised() -> None:
    run = Run(Game.classic(), ("tests.simulate.test_work:broken",), 18, find=find)
    with pytest.raises(Ten18Error, match=r"^strategy 'tests\.simulate\.test_work:broken'"):
        list(local_runner(RunGames(run), [(0, 10)] * 20))


def broken(board: Board, roll: int) -> int:
    return board.rounds // (18 - roll)


@pytest.mark.parametrize("number", [0, -1])
def test_too_few_games(number: int) -> None:
    with pytest.raises(Ten18Error, match=rf"^games: {number} is too few; at least 1"):
        next(count_in_chunks(Numbering(10), number))


def test_too_many_games() -> None:
    with pytest.raises(TooLarge, match=r"^games: 1.0e\+30 games are too many; at most 1e\+13"):
        verify_games(10**30)


def test_the_chunks_of_a_long_run_take_no_memory() -> None:
    """10^11 games are 190,735 chunks, of which a few are under way at a time."""
    counted: list[int] = []

    def count_chunks(job: Work[Found], chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
        counted.append(sum(1 for _ in chunks))
        yield job.counter()(0, 1)

    run = Run(Game.classic(), ("optimal",), 18)
    count_games(run, 0, 1)
    with peak_memory() as peak:
        next(simulate(run, 10**11, count_chunks))
        assert peak() < 12e6  # half of what a list of them takes
    assert counted == [190_735]
