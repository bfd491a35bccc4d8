"""Threads that share the work of a step: every thing is done once, and nothing is lost that one of them raised."""

import os
from threading import Barrier, Thread, get_ident

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.envs.crew import Crew, crew
from tentimes18.kernels.types import Ints

THREE = Crew(2)


@given(st.integers(0, 50), st.integers(1, 3), st.integers(0, 60))
def test_every_thing_is_done_once(count: int, parts: int, ahead: int) -> None:
    times = np.zeros(count, dtype=np.int64)

    def job(part: Ints) -> None:
        times[part] += 1

    THREE.run(job, np.arange(count), parts, ahead)
    assert (times == 1).all()


def test_the_thread_that_calls_does_more_by_what_it_is_ahead() -> None:
    sizes: dict[bool, list[int]] = {True: [], False: []}
    caller = get_ident()

    def job(part: Ints) -> None:
        sizes[get_ident() == caller].append(len(part))

    THREE.run(job, np.arange(100), parts=3, ahead=10)
    assert sizes == {True: [40], False: [30, 30]}


def test_parts_are_done_at_once() -> None:
    meeting = Barrier(3)  # which all parts must reach before one of them goes on

    def job(_: Ints) -> None:
        meeting.wait(timeout=60)

    THREE.run(job, np.arange(3), parts=3, ahead=0)
    assert not meeting.broken


@pytest.mark.parametrize("wrong", [0, 99])
def test_what_a_part_raises_is_raised_when_all_are_done(wrong: int) -> None:
    """By the thread that calls, or by another; the crew goes on working."""
    done = []

    def job(part: Ints) -> None:
        done.append(len(part))
        if wrong in part:
            raise ValueError("this one")

    with pytest.raises(ValueError, match="this one"):
        THREE.run(job, np.arange(100), parts=3, ahead=0)
    assert sum(done) == 100
    test_every_thing_is_done_once()


def test_several_may_call_at_once() -> None:
    found: dict[int, Ints] = {}

    def call(factor: int) -> None:
        own = np.zeros(30, dtype=np.int64)
        for _ in range(50):
            THREE.run(lambda part: own.__setitem__(part, own[part] + factor), np.arange(30), parts=3, ahead=3)
        found[factor] = own

    callers = [Thread(target=call, args=(factor,)) for factor in (1, 10, 100)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert {factor: set(own.tolist()) for factor, own in found.items()} == {1: {50}, 10: {500}, 100: {5000}}


def test_a_process_has_one_crew() -> None:
    assert crew(os.getpid(), 2) is crew(os.getpid(), 2)
    assert crew(os.getpid(), 2) is not crew(0, 2)  # of the process that this one was forked from
