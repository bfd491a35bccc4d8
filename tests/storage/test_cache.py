"""Things made once by whoever asks first, found while they are in use, and kept within a limit."""

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.storage.cache import Cache

THREADS = 8
PATIENCE = 20


class Row:
    """So many bytes, in words."""

    def __init__(self, nbytes: int, name: object = None) -> None:
        self.nbytes = nbytes
        self.name = name


class Empty(Row):
    """A thing that counts as false, as an empty table does."""

    def __len__(self) -> int:
        return 0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(THREADS) as found:
        yield found


class Workshop:
    """Makes rows slowly, counts them, and says when the first is begun."""

    def __init__(self, cache: Cache, *, seconds: float = 0.05, wrong: BaseException | None = None) -> None:
        self.cache = cache
        self.seconds = seconds
        self.wrong = wrong
        self.made: list[object] = []
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()

    def get(self, key: object, nbytes: int = 10) -> Row:
        def make() -> Row:
            self.made.append(key)
            self.begun.set()
            assert self.may_end.wait(PATIENCE)
            time.sleep(self.seconds)
            if self.wrong is not None:
                raise self.wrong
            return Row(nbytes, key)

        return self.cache.get(key, make)


def test_made_once_by_eight_threads(pool: ThreadPoolExecutor) -> None:
    workshop = Workshop(Cache())
    barrier = threading.Barrier(THREADS)

    def ask(_: int) -> Row:
        barrier.wait(PATIENCE)
        return workshop.get("a")

    found = list(pool.map(ask, range(THREADS)))
    assert workshop.made == ["a"]
    assert all(row is found[0] for row in found)
    assert workshop.get("a") is found[0]


def test_different_things_are_made_at_the_same_time(pool: ThreadPoolExecutor) -> None:
    """Nobody waits for what another asked for: each of the two makers ends only when the other has begun."""
    cache, barrier = Cache(), threading.Barrier(2)

    def ask(key: str) -> Row:
        def make() -> Row:
            barrier.wait(PATIENCE)
            return Row(1, key)

        return cache.get(key, make)

    assert [row.name for row in pool.map(ask, "ab")] == ["a", "b"]


def test_what_is_there_is_found_while_another_is_made(pool: ThreadPoolExecutor) -> None:
    workshop = Workshop(Cache())
    first = workshop.get("a")
    workshop.begun.clear()
    workshop.may_end.clear()
    waiting = pool.submit(workshop.get, "b")
    assert workshop.begun.wait(PATIENCE)
    assert workshop.get("a") is first
    assert workshop.cache.nbytes == 10
    workshop.may_end.set()
    assert waiting.result(PATIENCE).name == "b"


def test_a_maker_may_ask_for_other_things() -> None:
    cache = Cache()
    outer = cache.get("outer", lambda: Row(cache.get("inner", lambda: Row(7)).nbytes + 1))
    assert (outer.nbytes, cache.nbytes) == (8, 15)


def test_the_third_does_not_throw_out_the_first_that_is_in_use() -> None:
    workshop = Workshop(Cache(most_bytes=20), seconds=0)
    first = workshop.get("a")
    for key in "bcdef":
        workshop.get(key)
    assert workshop.cache.nbytes == 20
    assert workshop.get("a") is first
    assert workshop.made == list("abcdef")


def test_what_nobody_holds_goes_and_is_made_anew() -> None:
    workshop = Workshop(Cache(most_bytes=20), seconds=0)
    gone = weakref.ref(workshop.get("a"))
    for key in "bc":
        workshop.get(key)
    assert gone() is None
    workshop.get("a")
    assert workshop.made == list("abca")


def test_the_one_asked_for_longest_ago_goes_first() -> None:
    workshop = Workshop(Cache(most_bytes=30), seconds=0)
    for key in "abcad":
        workshop.get(key)
    assert workshop.made == list("abcd")
    workshop.get("a")
    workshop.get("c")
    assert workshop.made == list("abcd")
    workshop.get("b")
    assert workshop.made == list("abcdb")


def test_what_is_larger_than_the_limit_stays_alone() -> None:
    """Else it would be made for every move of a game."""
    workshop = Workshop(Cache(most_bytes=20), seconds=0)
    workshop.get("small")
    for _ in range(3):
        workshop.get("large", nbytes=1000)
    assert workshop.made == ["small", "large"]
    assert workshop.cache.nbytes == 1000
    workshop.get("small")
    assert workshop.made == ["small", "large", "small"]
    assert workshop.cache.nbytes == 10


def test_what_counts_as_false_is_found_too() -> None:
    cache = Cache()
    first = cache.get("a", lambda: Empty(1))
    assert cache.get("a", lambda: Empty(1)) is first
    cache.get("b", lambda: Row(10**10))
    assert cache.get("a", lambda: Empty(1)) is first


def test_things_that_grow_are_counted_as_they_are() -> None:
    cache = Cache(most_bytes=20)
    first = cache.get("a", lambda: Row(5))
    first.nbytes = 50
    assert cache.nbytes == 50
    cache.get("b", lambda: Row(5))
    assert cache.nbytes == 5


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=60), st.integers(0, 40))
def test_the_limit_holds(asked: list[tuple[int, bool]], most: int) -> None:
    """After any requests, and whatever is held: the limit, or the one thing asked for last."""
    cache, held = Cache(most), []
    for key, is_held in asked:
        row = cache.get(key, lambda key=key: Row(3 * key, key))  # type: ignore[misc]
        assert row.name == key
        assert cache.nbytes <= max(most, 3 * key)
        if is_held:
            held.append(row)
    for row in held:
        assert cache.get(row.name, lambda: Row(0)) is row


def failures(pool: ThreadPoolExecutor, workshop: Workshop) -> list[BaseException | None]:
    """What each of eight threads is told that ask for the same thing, all before the first is done."""
    workshop.may_end.clear()
    asked = [pool.submit(workshop.get, "a") for _ in range(THREADS)]
    assert workshop.begun.wait(PATIENCE)
    time.sleep(0.1)  # the others have come to wait
    workshop.may_end.set()
    return [future.exception(PATIENCE) for future in asked]


def test_an_error_reaches_all_who_wait_and_the_next_tries_again(pool: ThreadPoolExecutor) -> None:
    error = ValueError("no such table")
    workshop = Workshop(Cache(), wrong=error)
    assert failures(pool, workshop) == [error] * THREADS
    assert workshop.made == ["a"]
    workshop.wrong = None
    assert workshop.get("a").name == "a"
    assert workshop.made == ["a", "a"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interrupted_maker_leaves_the_work_to_those_who_wait(stop: type[BaseException]) -> None:
    """In threads of our own: a pool would take such an end for its own."""
    cache, told = Cache(), []
    waiting, begun = threading.Event(), threading.Event()

    def first() -> None:
        def make() -> Row:
            begun.set()
            assert waiting.wait(PATIENCE)
            time.sleep(0.1)
            raise stop

        try:
            cache.get("a", make)
        except stop:
            told.append("stopped")

    def second() -> None:
        assert begun.wait(PATIENCE)
        waiting.set()
        told.append(str(cache.get("a", lambda: Row(1, "second")).name))

    threads = [threading.Thread(target=target) for target in (first, second, second, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert sorted(told) == ["second", "second", "second", "stopped"]


@pytest.mark.parametrize("error", [ValueError, MemoryError, KeyboardInterrupt])
def test_what_was_half_made_is_given_back_at_once(error: type[BaseException]) -> None:
    """An error that kept itself in a circle would keep the arrays of its maker until the next collection."""
    parts: list[weakref.ref[Row]] = []

    def make() -> Row:
        half = Row(10**9)
        parts.append(weakref.ref(half))
        raise error

    cache = Cache()
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(error):
            cache.get("a", make)
        assert parts[0]() is None
    finally:
        gc.enable()


def test_clear() -> None:
    """Also of what somebody holds; whoever holds it still has it."""
    workshop = Workshop(Cache(), seconds=0)
    held = workshop.get("a")
    workshop.cache.clear()
    assert workshop.cache.nbytes == 0
    assert workshop.get("a") is not held
    assert held.name == "a"


def test_clear_while_something_is_made(pool: ThreadPoolExecutor) -> None:
    workshop = Workshop(Cache())
    workshop.may_end.clear()
    asked = [pool.submit(workshop.get, "a") for _ in range(THREADS)]
    assert workshop.begun.wait(PATIENCE)
    workshop.cache.clear()
    workshop.may_end.set()
    assert len({id(future.result(PATIENCE)) for future in asked}) == 1
    assert workshop.made == ["a"]


def test_many_threads_ask_for_many_things(pool: ThreadPoolExecutor) -> None:
    """At any time at most one maker of a thing is at work, and everyone gets what was asked for."""
    cache = Cache(most_bytes=50)
    busy: set[int] = set()
    lock = threading.Lock()

    def maker(key: int) -> Callable[[], Row]:
        def make() -> Row:
            with lock:
                assert key not in busy
                busy.add(key)
            time.sleep(0.0005)
            with lock:
                busy.remove(key)
            if key % 5 == 0:
                raise ValueError(key)
            return Row(10, key)

        return make

    def ask(seed: int) -> int:
        random, refused = Random(seed), 0
        for _ in range(400):
            key = random.randrange(12)
            try:
                assert cache.get(key, maker(key)).name == key
            except ValueError as error:
                assert error.args == (key,)
                assert key % 5 == 0
                refused += 1
        return refused

    assert all(refused > 0 for refused in pool.map(ask, range(THREADS)))
    assert busy == set()
    assert cache.nbytes <= 50
