"""The same work on a Dask cluster: workers count the chunks of a run as tasks, and this process adds them up.

The rolls of a game depend on its number alone, and counts are integers: the result is that of one machine, to the bit,
with any number of workers, also if some of them die and other workers count their chunks again.

This file needs dask.distributed, an extra: the caller checks that it is installed.
"""

import logging
import re
import signal
import socket
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from itertools import islice
from multiprocessing import resource_tracker

import dask
from distributed import Client, KilledWorker, as_completed
from distributed.comm.core import CommClosedError

from tentimes18.errors import Ten18Error
from tentimes18.simulate.games import AnyCounts, Runner, Work
from tentimes18.solve.parallel import thread_count

PATIENCE = 8  # seconds for a scheduler to answer
MIN_IN_PROGRESS = 64  # chunks
CHUNKS_PER_THREAD = 4  # in progress
TALKERS = ("asyncio", "bokeh", "distributed", "tornado")  # loggers that would write to standard error
MAX_DEATHS = 10  # of the workers that count one chunk, in a cluster of our own


def cluster_runner(address: str) -> Runner:
    """A runner for the cluster at an address like ``tcp://host:8786``, or for one of this machine with ``local``."""

    def runner(work: Work[AnyCounts], chunks: Iterable[tuple[int, int]]) -> Iterator[AnyCounts]:
        with _silence(), closing(_client(address)) as client:
            yield from run_on(client, work, chunks)

    return runner


def run_on(client: Client, work: Work[AnyCounts], chunks: Iterable[tuple[int, int]]) -> Iterator[AnyCounts]:
    waiting, done, deaths = iter(chunks), as_completed(), 0

    def submit(number: int) -> None:
        for first, games in islice(waiting, number):
            # pure=False: count it, even if an earlier run has left the same result with the workers
            done.add(client.submit(_count, work, first, games, pure=False))

    submit(max(MIN_IN_PROGRESS, CHUNKS_PER_THREAD * sum(client.nthreads().values())))
    for future in done:
        try:
            counts = future.result()
        except (CancelledError, CommClosedError):
            raise Ten18Error("the scheduler is gone, and the games with it", field="cluster") from None
        except KilledWorker:
            # Dask gives up after a few dead workers; the chunk is not to blame, unless that continues
            deaths += 1
            if deaths > MAX_DEATHS:
                raise Ten18Error("too many workers died", field="cluster") from None
            future.retry()
            done.add(future)
            continue
        future.release()
        submit(1)
        yield counts


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Block Ctrl-C here and in all threads and processes that start inside, also in workers that come later."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows, where processes do not inherit it
        yield
        return
    resource_tracker.ensure_running()  # started inside, it would unblock the signal
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def _silence() -> Iterator[None]:
    """Silence the log of the cluster library: we report dead workers and lost schedulers ourselves."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in TALKERS]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _count(work: Work[AnyCounts], first: int, games: int) -> AnyCounts:
    return work.counter()(first, games)


def _client(address: str) -> Client:
    if address == "local":
        dask.config.set({"distributed.scheduler.allowed-failures": MAX_DEATHS})
        return _local_client()
    try:
        _listen(address)
        with dask.config.set({"distributed.comm.timeouts.connect": f"{PATIENCE}s"}):
            return Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise Ten18Error(
            f"no scheduler answers at {address!r} ({type(error).__name__}); "
            "accepted: local, or an address like tcp://host:8786",
            field="cluster",
        ) from None


def _local_client() -> Client:
    client = None
    try:
        with _undisturbed():
            # A cluster that the client makes ends with it; one that it is given does not.
            client = Client(
                n_workers=thread_count(), threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
            )
    except RuntimeError:
        raise Ten18Error("its workers did not start; try again, or leave it out", field="cluster") from None
    except KeyboardInterrupt:
        if client is not None:
            client.close()
        raise
    return client


def _listen(address: str) -> None:
    """Raise ``OSError`` unless a server at this address sends something: a scheduler greets every connection."""
    match = re.fullmatch(r"(?:tcp://)?\[?([^\[\]]+)\]?:([0-9]{1,5})", address)
    if match:
        with socket.create_connection((match[1], int(match[2])), timeout=PATIENCE / 2) as connection:
            connection.settimeout(PATIENCE / 2)
            if not connection.recv(1):
                raise ConnectionError("silence")
