"""Numbers that an operator watches: counters, gauges and histograms, in a registry.

Any thread may count. A counter only grows; a gauge is what is there now, set by whoever knows or read when it is asked
for; a histogram counts observations by size. Labels are few and known: a name from a request never is one.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, Literal, Self, TypeAlias, TypeVar

__all__ = ["SECONDS", "Counter", "Family", "Gauge", "Histogram", "Registry", "Samples"]

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds for times."""

Samples: TypeAlias = dict[tuple[str, ...], list[float]]
"""By the values of the labels: one number, or for a histogram the count in each bin and the sum."""
Kind: TypeAlias = Literal["counter", "gauge", "histogram"]
T = TypeVar("T", bound="_Metric")


@dataclass(slots=True)
class Family:
    """All samples of one name, as they are at one moment, and what they mean."""

    name: str
    kind: Kind
    what: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    samples: Samples = field(default_factory=dict)

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Self:
        """The family that `to_json` told of."""
        samples = {tuple(labels): list(values) for labels, values in told["samples"]}
        return cls(told["name"], told["kind"], told["what"], tuple(told["labels"]), tuple(told["bounds"]), samples)

    def to_json(self) -> dict[str, Any]:
        """The family, ready for JSON.

        >>> family = Family("ten18_moves_total", "counter", "Moves.", samples={(): [3]})
        >>> Family.from_json(family.to_json()) == family
        True
        """
        told = {"name": self.name, "kind": self.kind, "what": self.what, "labels": self.labels, "bounds": self.bounds}
        return told | {"samples": [[list(labels), values] for labels, values in self.samples.items()]}

    def add(self, other: "Family") -> None:
        """Count in what another process has."""
        for labels, values in other.samples.items():
            own = self.samples.get(labels)
            self.samples[labels] = list(values) if own is None else [a + b for a, b in zip(own, values, strict=True)]


class _Metric:
    def __init__(self, family: Family) -> None:
        self._family = family
        self._lock = Lock()
        if not family.labels:
            family.samples[()] = self._nothing()

    def _nothing(self) -> list[float]:
        return [0]

    def _values(self, labels: tuple[str, ...]) -> list[float]:
        """The numbers of these labels; whoever asks holds the lock."""
        values = self._family.samples.get(labels)
        if values is None:
            assert len(labels) == len(self._family.labels), f"{self._family.name} has {self._family.labels}"
            values = self._family.samples[labels] = self._nothing()
        return values

    def family(self) -> Family:
        """What there is at this moment."""
        now, own = self._now(), self._family
        return Family(own.name, own.kind, own.what, own.labels, own.bounds, now)

    def _now(self) -> Samples:
        with self._lock:
            return {labels: list(values) for labels, values in self._family.samples.items()}

    def cell(self, *labels: str) -> list[float]:
        """The numbers of these labels themselves, for a single thread to count in without a lock."""
        with self._lock:
            return self._values(labels)


class Counter(_Metric):
    """A number that only grows."""

    def add(self, count: float = 1, *labels: str) -> None:
        """Count so many more."""
        assert count >= 0
        with self._lock:
            self._values(labels)[0] += count


class Gauge(_Metric):
    """A number that is what it is now; ``read``, where given, is asked for it."""

    def __init__(self, family: Family, read: Callable[[], float] | None) -> None:
        super().__init__(family)
        self._read = read

    def set(self, value: float, *labels: str) -> None:
        """It is this now."""
        with self._lock:
            self._values(labels)[0] = value

    def add(self, change: float, *labels: str) -> None:
        """It is so much more now, or less."""
        with self._lock:
            self._values(labels)[0] += change

    def _now(self) -> Samples:
        return super()._now() if self._read is None else {(): [float(self._read())]}


class Histogram(_Metric):
    """Counts observations by size."""

    def _nothing(self) -> list[float]:
        return [0] * (len(self._family.bounds) + 2)

    def observe(self, value: float, *labels: str) -> None:
        """Count this one."""
        place = bisect_left(self._family.bounds, value)
        with self._lock:
            values = self._values(labels)
            values[place] += 1
            values[-1] += value


class Registry:
    """The metrics of one process.

    >>> registry = Registry()
    >>> moves = registry.counter("ten18_moves_total", "Moves on disk.")
    >>> moves.add(3)
    >>> [(family.name, family.samples) for family in registry.families()]
    [('ten18_moves_total', {(): [3]})]
    """

    def __init__(self) -> None:
        self._metrics: dict[str, _Metric] = {}

    def counter(self, name: str, what: str, labels: Sequence[str] = ()) -> Counter:
        """A new counter; its name ends in `_total`."""
        assert name.endswith("_total"), f"{name}: a counter's name ends in _total"
        return self._new(Counter(Family(name, "counter", what, tuple(labels))), name)

    def gauge(
        self, name: str, what: str, labels: Sequence[str] = (), *, read: Callable[[], float] | None = None
    ) -> Gauge:
        """A new gauge; all processes' are added up."""
        assert read is None or not labels
        return self._new(Gauge(Family(name, "gauge", what, tuple(labels)), read), name)

    def histogram(
        self, name: str, what: str, labels: Sequence[str] = (), *, bounds: Sequence[float] = SECONDS
    ) -> Histogram:
        """A new histogram; an observation belongs to the first bound that is not below it."""
        assert list(bounds) == sorted(set(bounds))
        return self._new(Histogram(Family(name, "histogram", what, tuple(labels), tuple(bounds))), name)

    def _new(self, metric: T, name: str) -> T:
        assert name not in self._metrics, f"{name} is there already"
        self._metrics[name] = metric
        return metric

    def families(self) -> list[Family]:
        """All there is at this moment."""
        return [metric.family() for metric in self._metrics.values()]
