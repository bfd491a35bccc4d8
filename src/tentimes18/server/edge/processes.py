"""Metrics of a service of several processes: each keeps its own in a file, and whoever is asked adds them up.

The files of one run of the service lie in one folder. A counter of a process that has died stays in its file, so a sum
never goes back; a gauge counts while its process keeps writing. Whoever answers writes its own file first: what it has
shown once is on disk, and is counted after it was killed. What a killed process counted after its last writing, of less
than `SECONDS`, is lost.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final

from tentimes18.files import write_whole
from tentimes18.server.edge.metrics import Family, Registry

__all__ = ["SECONDS", "SharedMetrics"]

SECONDS: Final = 1.0
"""Between two writings."""
SILENT: Final = 5.0  # seconds after which a process counts as dead
ENDING: Final = ".json"


class SharedMetrics:
    """The metrics of this process and of all others that share its folder; alone where there is none.

    >>> registry = Registry()
    >>> registry.counter("ten18_moves_total", "Moves.").add(2)
    >>> [family.samples for family in SharedMetrics(registry, None).families()]
    [{(): [2]}]
    """

    def __init__(self, registry: Registry, folder: Path | None, clock: Callable[[], float] = monotonic) -> None:
        self.registry = registry
        self._folder = folder
        self._clock = clock  # the same in all processes of a machine, and never set
        self._name = f"{os.getpid()}-{token_hex(8)}{ENDING}"
        self._lock = Lock()
        self._ended = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to write, in a thread of its own."""
        if self._folder is not None and self._thread is None:
            self.write()
            self._thread = Thread(target=self._keep_writing, name="metrics", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Write for the last time; from now on this process has no gauges."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self.write(is_alive=False)

    def write(self, *, is_alive: bool = True) -> None:
        """Write what there is now; where the disk refuses, the others see an older state."""
        if self._folder is None:
            return
        with self._lock, suppress(OSError):  # one after the other: the later one has more
            families = [family.to_json() for family in self.registry.families() if is_alive or family.kind != "gauge"]
            told = {"at": self._clock(), "families": families}
            write_whole(self._folder / self._name, json.dumps(told).encode())

    def families(self) -> list[Family]:
        """What all processes have together."""
        self.write()
        found = {family.name: family for family in self.registry.families()}
        for told in self._others():
            is_alive = self._clock() - told["at"] <= SILENT
            for family in map(Family.from_json, told["families"]):
                if family.kind == "gauge" and not is_alive:
                    continue
                if family.name in found:
                    found[family.name].add(family)
                else:
                    found[family.name] = family
        return list(found.values())

    def _others(self) -> list[dict[str, Any]]:
        if self._folder is None:
            return []
        others = []
        for file in sorted(self._folder.glob(f"[!.]*{ENDING}")):
            if file.name != self._name:
                with suppress(OSError, ValueError):
                    others.append(json.loads(file.read_bytes()))
        return others

    def _keep_writing(self) -> None:
        while not self._ended.wait(SECONDS):
            self.write()
