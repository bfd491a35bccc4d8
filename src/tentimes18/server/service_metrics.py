"""What the service counts of itself, by name; requests are counted at its edge."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tentimes18.server.edge.metrics import Family, Registry
from tentimes18.server.edge.processes import SharedMetrics
from tentimes18.server.store.writer import CommitFigures

__all__ = ["ServiceMetrics"]

IN_A_COMMIT: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class ServiceMetrics:
    """Counters and gauges of one process, for those who do the work to count in.

    >>> metrics = ServiceMetrics()
    >>> metrics.moves.add()
    >>> next(family.samples for family in metrics.families() if family.name == "ten18_moves_total")
    {(): [1]}
    """

    def __init__(self, folder: Path | None = None) -> None:
        registry = Registry()
        self.processes = SharedMetrics(registry, folder)
        self.waiting: Callable[[], int] = lambda: 0
        """Set by whoever knows how many requests wait to be written."""
        self.moves = registry.counter("ten18_moves_total", "Moves acknowledged, repeated ones too.")
        self.games = registry.counter("ten18_games_total", "Games begun, by kind.", ("kind",))
        self._questions = registry.counter(
            "ten18_questions_total", "Questions to the calculators: kept, answered or failed.", ("question", "outcome")
        )
        self.streams = registry.gauge("ten18_streams", "Streams of events that are open.")
        self._commits = registry.counter("ten18_commits_total", "Transactions on disk.")
        self._requests = registry.histogram(
            "ten18_commit_requests", "Requests that one transaction has written.", bounds=IN_A_COMMIT
        )
        self._seconds = registry.histogram("ten18_commit_seconds", "How long a transaction took.")
        registry.gauge("ten18_writer_waiting", "Requests that wait to be written.", read=lambda: self.waiting())

    def commit(self, figures: CommitFigures) -> None:
        """Count a commit that is done."""
        self._commits.add()
        self._requests.observe(figures.requests)
        self._seconds.observe(figures.seconds)

    def question(self, question: str, outcome: str) -> None:
        """Count a question to a calculator: kept, answered or failed."""
        self._questions.add(1, question, outcome)

    def families(self) -> list[Family]:
        """What all processes have counted together."""
        return self.processes.families()
