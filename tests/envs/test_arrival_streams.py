"""The arrivals of episodes: as many as the problem says, at their times, and what is seen of them ahead."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, Regimes, UniformLaw
from tentimes18.envs.arrival_streams import Arrival, stream_of


def drawn(problem: Problem, games: int, given: dict[str, Any] | None = None) -> list[list[Arrival]]:
    stream, random = stream_of(problem), np.random.default_rng(18)
    episodes = []
    for _ in range(games):
        stream.start(random, stream.read(given))
        arrivals = []
        while (arrival := stream.next()) is not None:
            assert len(arrival.shown) == stream.width
            arrivals.append(arrival)
        episodes.append(arrivals)
    return episodes


def verify_mean(numbers: list[float], expected: float) -> None:
    assert abs(np.mean(numbers) - expected) <= 4 * np.std(numbers) / np.sqrt(len(numbers))
    assert np.std(numbers) > 0


COUNTS: dict[str, tuple[Callable[[], Problem], float]] = {
    "random": (lambda: Problem([1, 2], 1, arrivals=RandomNumber({0: 0.5, 3: 0.5})), 1.5),
    "some rounds": (lambda: Problem([1, 2], 1, arrivals=6, chance=0.25), 1.5),
    "in time": (lambda: Problem([1, 2], 1, Poisson(rate=lambda time: 2 * time, until=2.0), chance=0.5), 2.0),
    "without an end": (lambda: Problem([1, 2], 1, Endless(), discount=0.75), 4.0),
    "without an end, some rounds": (lambda: Problem([1, 2], 1, Endless(), discount=0.75, chance=0.5), 2.0),
}


@pytest.mark.parametrize("name", COUNTS)
def test_as_many_come_as_the_problem_says(name: str) -> None:
    problem, expected = COUNTS[name]
    verify_mean([len(arrivals) for arrivals in drawn(problem(), 1000)], expected)


def test_times_follow_the_rate() -> None:
    arrivals = Poisson(rate=lambda time: 2 * time, until=2.0)
    episodes = drawn(Problem(UniformLaw(0, 1), 1, arrivals), 500)
    for episode in episodes:
        times = [arrival.age for arrival in episode]
        assert times == sorted(times)
        assert all(arrival.left == pytest.approx(2 - arrival.age) for arrival in episode)
        assert all(arrival.shown == (arrival.left / 2,) for arrival in episode)
    verify_mean([arrival.age for episode in episodes for arrival in episode], 4 / 3)
    verify_mean([arrival.value for episode in episodes for arrival in episode], 1 / 2)


def test_regimes_follow_their_chain() -> None:
    chain = Regimes([[0.25, 0.75], [1, 0]], start=[0.5, 0.5])
    episodes = drawn(Problem([[1], [5, 7]], 1, arrivals=3, regimes=chain), 800)
    firsts = [episode[0].known for episode in episodes]
    verify_mean(firsts, 0.5)
    verify_mean([episode[1].known for episode in episodes if episode[0].known == 0], 0.75)
    assert {episode[1].known for episode in episodes if episode[0].known == 1} == {0}
    for episode in episodes:
        assert [arrival.left for arrival in episode] == [2, 1, 0]
        assert all((arrival.value > 1) == arrival.known == arrival.shown[2] for arrival in episode)


def test_batches_are_placed_value_by_value() -> None:
    (episode,) = drawn(Problem([1, 2, 3], 2, arrivals=5, batches=[3, 2]), 1, {"values": [3, 1, 2, 1, 3]})
    assert [(a.value, a.age, a.left, a.known) for a in episode] == [
        (3, 0, 1, (1, 2)),
        (1, 0, 1, (2,)),
        (2, 0, 1, ()),
        (1, 1, 0, (3,)),
        (3, 1, 0, ()),
    ]
    assert [a.shown for a in episode[1:4]] == [(0.5, 1, 0, 2, 0), (0.5, 0, 0, 0, 0), (0, 1, 0, 3, 0)]


def test_values_are_seen_ahead() -> None:
    problem = Problem([1, 2, 3], 2, arrivals=4, ahead=2)
    (episode,) = drawn(problem, 1, {"values": [3, 1, 2, 1]})
    assert [(a.value, a.left, a.known) for a in episode] == [(3, 3, (1, 2)), (1, 2, (2, 1)), (2, 1, (1,)), (1, 0, ())]
    for arrivals in drawn(problem, 5):
        values = [arrival.value for arrival in arrivals]
        assert [arrival.known for arrival in arrivals] == [tuple(values[i + 1 : i + 3]) for i in range(4)]


def test_what_does_not_come_in_a_batch_or_in_sight_is_nothing() -> None:
    for options in ({"batches": 2}, {"ahead": 1}):
        problem = Problem([5], 1, arrivals=4, chance=0.5, **options)  # type: ignore[arg-type]
        values = [arrival.value for episode in drawn(problem, 100) for arrival in episode]
        assert len(values) == 400
        assert set(values) == {0.0, 5.0}
        verify_mean(values, 2.5)


def test_rounds_without_a_value_are_left_out() -> None:
    (episode,) = drawn(Problem([5], 1, arrivals=4, chance=0.5), 1, {"values": [None, 5, None, None]})
    assert [(arrival.value, arrival.age, arrival.left) for arrival in episode] == [(5, 1, 2)]
