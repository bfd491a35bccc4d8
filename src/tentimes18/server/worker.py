"""A worker process: the application, and what makes a process fit to run it."""

import gc
import os
import signal
import sys
import time
from multiprocessing import parent_process
from threading import Event, Thread

from tentimes18.server.app import Application
from tentimes18.server.settings import Service

PARENT_SECONDS = 0.5  # between two looks at it
STOP_SECONDS = 10.0  # for what is under way when it is gone
SWITCH_SECONDS = 0.0005  # that one thread may keep the others waiting: the writer asks for its turn often

# New objects until those are looked at, and how often until those that stayed once, and those that stayed for good.
COLLECT = (2_000, 20, 1_000)


def worker_app() -> Application:
    """The application of the service that the environment describes: what a worker process runs.

    A worker whose parent was killed stops as well: it would go on listening, and nobody would know of it.
    """
    is_open = Event()

    def settle() -> None:
        _settle()
        is_open.set()

    Thread(target=_stop_with, args=(os.getppid(), is_open), name="parent", daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    return Application(Service.from_environment(), when_open=settle)


def _settle() -> None:
    """Have the collector leave alone what is there from the start, and seldom go through what has stayed since.

    The first takes it a tenth of a second; the second half of that, every few seconds under load. None is served then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


def _stop_with(parent: int, is_open: Event) -> None:
    """Wait for the parent's end, then end this process: what is under way gets some seconds, where it can have begun.

    One signal, and not before it is heard: the server waits for ever in a second one that comes before it serves.
    """
    server = parent_process()  # it may have been killed before this one was ready to ask for its number
    while os.getppid() == parent and (server is None or server.is_alive()):
        time.sleep(PARENT_SECONDS)
    if is_open.is_set():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
