"""Live games: whoever watches one is given its state when it has changed, by whichever process.

What changes a game says its id; the ids gather here, and one read brings the states of all watched games among them. A
stream holds the newest state alone: many changes are one for who reads slowly.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from tentimes18.server.live.wakeups import make_waker
from tentimes18.server.rates import STREAMS
from tentimes18.server.store.database import Database, StoreUnavailable
from tentimes18.server.store.states import GameState, load_states

__all__ = ["Live", "Stream", "TooManyStreams"]

MOST_STREAMS: Final = 2_000  # of a process
MOST_AT_ONCE: Final = 200  # games of one read
PAUSE: Final = 1.0  # seconds until the store is asked again after it has failed

_LOG: Final = logging.getLogger("tentimes18.server")


class TooManyStreams(Exception):
    """There is no room for another stream; ``of_player``: this player has them all."""

    def __init__(self, *, of_player: bool) -> None:
        super().__init__("too many streams")
        self.of_player = of_player


class Stream:
    """Somebody who watches a game, until it is left."""

    def __init__(self, live: "Live", game: str, player: str) -> None:
        self.game = game
        self.player = player
        self.is_closed = False
        self._live = live
        self._newest: GameState | None = None
        self._news = asyncio.Event()

    async def next(self, seconds: float) -> GameState | None:
        """The state of the game when it is another one than the last; None after so long, and once it is closed."""
        if not self.is_closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        if self.is_closed or not self._news.is_set():
            return None
        self._news.clear()
        return self._newest

    def offer(self, state: GameState | None) -> None:
        """Give the state as it is now; None where the game is no longer this player's."""
        if state is None:
            self.close()
        elif state != self._newest:
            self._newest = state
            self._news.set()

    def close(self) -> None:
        """Have it end: no more is given."""
        self.is_closed = True
        self._news.set()

    def leave(self) -> None:
        """Make room for another one."""
        self.close()
        self._live.forget(self)


class Live:
    """The streams of a process; `start` and `stop` it with the event loop that they run in.

    ``tell`` hears of every stream that comes and goes, as 1 and -1.
    """

    def __init__(
        self,
        database: Database,
        tell: Callable[[int], None] | None = None,
        most: int = MOST_STREAMS,
        most_of_a_player: int = STREAMS.player,
    ) -> None:
        self._database = database
        self._tell = tell or (lambda _: None)
        self._most = most
        self._most_of_a_player = most_of_a_player
        self._streams: dict[str, set[Stream]] = {}
        self._of_player: dict[str, int] = {}
        self._woken: set[str] = set()
        self._is_woken = asyncio.Event()
        self._is_closing = False
        self._seconds = 0.0  # that the last read took
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._waker = make_waker(database, self)

    @property
    def streams(self) -> int:
        """How many there are."""
        return sum(self._of_player.values())

    @property
    def load(self) -> float:
        """The seconds that it takes to look at all that is watched, as far as that is known; 0 if nothing is."""
        return self._seconds if self._streams else 0.0

    @property
    def is_watching(self) -> bool:
        """Whether there is a stream."""
        return bool(self._streams)

    def start(self) -> None:
        """Begin, in the event loop that runs."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._bring())
        self._waker.start()

    def close(self) -> None:
        """End all streams, and take no more: the service is to stop. In the event loop."""
        self._is_closing = True
        for streams in self._streams.values():
            for stream in streams:
                stream.close()

    async def stop(self) -> None:
        """End everything."""
        self.close()
        await asyncio.to_thread(self._waker.stop)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def watch(self, game: str, player: str) -> Stream:
        """A stream of this game, its state as it is now to begin with; raises ``TooManyStreams``."""
        if self._of_player.get(player, 0) >= self._most_of_a_player:
            raise TooManyStreams(of_player=True)
        if self._is_closing or self.streams >= self._most:
            raise TooManyStreams(of_player=False)
        stream = Stream(self, game, player)
        self._streams.setdefault(game, set()).add(stream)
        self._of_player[player] = self._of_player.get(player, 0) + 1
        self._tell(1)
        self._wake((game,))
        return stream

    def forget(self, stream: Stream) -> None:
        """The stream has ended."""
        streams = self._streams.get(stream.game, set())
        if stream in streams:
            streams.remove(stream)
            if not streams:
                del self._streams[stream.game]
            self._of_player[stream.player] -= 1
            if not self._of_player[stream.player]:
                del self._of_player[stream.player]
            self._tell(-1)

    def wake(self, games: Iterable[str]) -> None:
        """These games have changed. From any thread."""
        watched = [game for game in games if game in self._streams]
        if watched:
            self._soon(watched)

    def wake_all(self) -> None:
        """Any game may have changed. From any thread."""
        if self._streams:
            self._soon(None)

    def _soon(self, games: Iterable[str] | None) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                self._loop.call_soon_threadsafe(self._wake, games)

    def _wake(self, games: Iterable[str] | None) -> None:
        self._woken.update(self._streams if games is None else games)
        self._is_woken.set()

    async def _bring(self) -> None:
        while True:
            await self._is_woken.wait()
            self._is_woken.clear()
            woken = sorted(self._woken.intersection(self._streams))
            self._woken.clear()
            start = time.perf_counter()
            try:
                for place in range(0, len(woken), MOST_AT_ONCE):
                    await self._bring_some(woken[place : place + MOST_AT_ONCE])
            except StoreUnavailable as error:
                _LOG.warning("live games cannot be read: %s", error)
                self._wake(woken)
                await asyncio.sleep(PAUSE)
            except Exception:  # nobody else looks after this task
                _LOG.exception("live games cannot be shown")
                await asyncio.sleep(PAUSE)
            self._seconds = time.perf_counter() - start

    async def _bring_some(self, games: list[str]) -> None:
        def ask() -> dict[str, GameState]:
            with self._database.reading() as connection:
                return load_states(connection, games)

        states = await asyncio.to_thread(ask)
        for game in games:
            state = states.get(game)
            for stream in self._streams.get(game, ()):
                stream.offer(state if state is not None and state.player == stream.player else None)
