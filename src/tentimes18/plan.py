"""What a job will take, told before it starts: its memory and time, what there is of both here, and a refusal.

Every algorithm has a plan beside it: its memory and time from counts that are known without doing the work (positions,
products, cells), at rates that were measured (`benchmarks/plans.py` compares them with reality). A job admits its plan
first. What does not fit into the limits is refused with the figure, and with the largest of its kind that does fit,
found with the same plan.

The limits of a process are those of the environment, or these defaults; memory is never more than is left here, and all
of that for a plan that asks for it.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log10
from pathlib import Path
from typing import Final, TypeAlias

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game

__all__ = [
    "MEMORY_VARIABLE",
    "TIME_VARIABLE",
    "GamePlan",
    "Limits",
    "Plan",
    "admit",
    "admit_game",
    "fraction_seconds",
    "in_turn",
    "kept_together",
    "largest",
    "power_of_two",
    "ratio",
    "read_size",
    "thread_count",
]

MEMORY_VARIABLE: Final = "TEN18_MEMORY"
TIME_VARIABLE: Final = "TEN18_TIME"
MEMORY: Final = 8e9  # bytes
SECONDS: Final = 600.0
ALWAYS_SECONDS: Final = 0.05  # with less than this and that, nobody asks what is left here
ALWAYS_MEMORY: Final = 16e6
SHARE: Final = 0.9  # of the memory that is left: the rest is for what nobody counts
MOST: Final = 10**300  # counts beyond it are infinite
SHORT_NOTATION: Final = 40  # of slots in a message
LEAST_FACES: Final = 2

_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,15})?) ?(?:([kmgt])(i?))?b?", re.IGNORECASE)
_DURATION = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?([smhd]?)", re.IGNORECASE)
_POWERS: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_DURATIONS: Final = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a job is called, and what it will take: seconds, and bytes beyond those that the process has already.

    >>> plan = Plan("the table", seconds=2.0, memory=3.2e12)
    >>> plan.fits(Limits(memory=8e9, seconds=600))
    False
    """

    what: str
    seconds: float = 0.0
    memory: float = 0.0
    all_memory: bool = field(default=False, repr=False)  # unless the environment says how much

    def fits(self, limits: "Limits | None" = None) -> bool:
        """Whether there is room for it within these limits, or those of this process."""
        if limits is None:
            if self.seconds <= ALWAYS_SECONDS and self.memory <= ALWAYS_MEMORY:
                return True
            limits = self.limits_here()
        return self.seconds <= limits.seconds and self.memory <= limits.memory

    def limits_here(self) -> "Limits":
        """The limits of this process for it.

        >>> Plan("the table", all_memory=True).limits_here().seconds == Limits.here().seconds
        True
        """
        return Limits.here(memory=inf) if self.all_memory else Limits.here()


GamePlan: TypeAlias = Callable[[Game], Plan]
"""Gives the plan of a job for a game."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most memory, in bytes, and the most time that a job may take.

    >>> Limits(memory=8e9, seconds=600.0)
    Limits(memory=8000000000.0, seconds=600.0)
    """

    memory: float
    seconds: float

    @classmethod
    def here(cls, memory: float = MEMORY, seconds: float = SECONDS) -> "Limits":
        """Those of this process: what the environment says, else these, and no more memory than is left here."""
        most = _variable(MEMORY_VARIABLE, read_size, "500M, 8G, 2GiB")
        longest = _variable(TIME_VARIABLE, _read_duration, "600, 90s, 10m, 2h")
        return cls(
            min(memory if most is None else most, SHARE * _memory_left()), seconds if longest is None else longest
        )


def _variable(name: str, read: Callable[[str], float | None], accepted: str) -> float | None:
    text = os.environ.get(name)
    if not text:
        return None
    if (found := read(text)) is None:
        raise Ten18Error(f"cannot read it; accepted: {accepted}", name, text)
    return found


def read_size(text: str) -> int | None:
    """A size in bytes; None where the text is none.

    >>> read_size("500M"), read_size("1.5 GB"), read_size("2GiB"), read_size("large")
    (500000000, 1500000000, 2147483648, None)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    return int(Fraction(match[1]) * (1024 if match[3] else 1000) ** _POWERS[(match[2] or "").lower()])


def _read_duration(text: str) -> float | None:
    match = _DURATION.fullmatch(text.strip())
    return None if match is None else float(match[1]) * _DURATIONS[match[2].lower()]


def in_turn(what: str, *plans: Plan) -> Plan:
    """Jobs one after another, each of which gives its memory back.

    >>> in_turn("both", Plan("a", 1.0, 10.0), Plan("b", 2.0, 30.0))
    Plan(what='both', seconds=3.0, memory=30.0)
    """
    memory = max((plan.memory for plan in plans), default=0.0)
    return Plan(what, sum(plan.seconds for plan in plans), memory, any(plan.all_memory for plan in plans))


def kept_together(what: str, *plans: Plan) -> Plan:
    """Jobs one after another, each of which keeps its memory.

    >>> kept_together("both", Plan("a", 1.0, 10.0), Plan("b", 2.0, 30.0))
    Plan(what='both', seconds=3.0, memory=40.0)
    """
    memory = sum(plan.memory for plan in plans)
    return Plan(what, sum(plan.seconds for plan in plans), memory, any(plan.all_memory for plan in plans))


def admit(
    plan: Plan,
    limits: Limits | None = None,
    *,
    instead: Callable[[Limits], str] | str = "",
    field: str = "slots",
) -> None:
    """Raise ``TooLarge`` unless the plan fits into these limits, or those of this process.

    ``instead`` says what would fit, or finds it.

    >>> admit(Plan("the table", memory=3.2e12), Limits(8e9, 600), instead="12 slots fit")
    Traceback (most recent call last):
    tentimes18.errors.TooLarge: slots: the table would need about 3.2 TB; at most 8 GB here: 12 slots fit
    """
    if plan.fits(limits):
        return
    limits = limits or plan.limits_here()
    needs, most = [], []
    if plan.memory > limits.memory:
        needs.append(f"need {_shown_memory(plan.memory)}")
        most.append(_shown_memory(limits.memory, ""))
    if plan.seconds > limits.seconds and plan.memory < inf:
        needs.append(f"take {_shown_time(plan.seconds)}")
        most.append(_shown_time(limits.seconds, ""))
    hint = instead if isinstance(instead, str) else instead(limits)
    raise TooLarge(
        f"{plan.what} would {' and '.join(needs)}; at most {' and '.join(most)} here" + (f": {hint}" if hint else ""),
        field,
    )


def admit_game(
    game: Game, plan_of: GamePlan, limits: Limits | None = None, *, instead: str = "", field: str = "slots"
) -> None:
    """The same for a job on a game; what would fit is the largest part of its slots, or the largest die, that does.

    >>> def table(game: Game) -> Plan:
    ...     return Plan("the table", memory=8 * len(game.dice.support) * power_of_two(game.size))
    >>> admit_game(Game.parse("3d6", "1-30"), table, Limits(8e6, 600))
    Traceback (most recent call last):
    tentimes18.errors.TooLarge: slots: the table would need about 137 GB; at most 8 MB here: slots 1-15 fit
    """
    admit(
        plan_of(game),
        limits,
        instead=lambda found: "; ".join(part for part in (_smaller(game, plan_of, found), instead) if part),
        field=field,
    )


def _smaller(game: Game, plan_of: GamePlan, limits: Limits) -> str:
    """The largest games of this kind that fit, with fewer slots and with a die of fewer faces."""

    def part(size: int) -> Game:
        return Game(game.dice, game.multipliers[:size])

    def with_die(faces: int) -> Game:
        return Game(Dice.parse(f"1d{faces}"), game.multipliers)

    found = []
    if size := largest(game.size - 1, lambda size: plan_of(part(size)).fits(limits)):
        slots = part(size).slots
        found.append(f"slots {slots}" if len(slots) <= SHORT_NOTATION else f"the first {size} of these slots")
    if plan_of(with_die(LEAST_FACES)).fits(limits):
        faces = largest(len(game.dice.support) - 1, lambda faces: plan_of(with_die(faces)).fits(limits))
        if faces >= LEAST_FACES:
            found.append(f"dice 1d{faces}")
    return f"{' or '.join(found)} fit" if found else ""


def largest(most: int, fits: Callable[[int], bool]) -> int:
    """The largest number from 1 to ``most`` that fits, all smaller ones doing so as well; 0 where none does.

    >>> largest(1000, lambda number: number <= 300), largest(10, lambda number: False), largest(7, lambda number: True)
    (300, 0, 7)
    """
    low, step = 0, 1
    while low + step <= most and fits(low + step):
        low += step
        step *= 2
    high = min(most, low + step - 1)  # the most that is not known not to fit
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def power_of_two(exponent: int) -> float:
    """2^exponent, however large.

    >>> power_of_two(10), power_of_two(200_000)
    (1024.0, inf)
    """
    return 2.0**exponent if exponent <= 996 else inf


def ratio(count: int, divisor: int = 1) -> float:
    """A count, divided or not, however large.

    >>> ratio(7, 2), ratio(10**400)
    (3.5, inf)
    """
    return count / divisor if count < MOST * divisor else inf


def fraction_seconds(bits: float) -> float:
    """How long it takes to make a fraction of two integers with so many bits: their common divisor is looked for.

    >>> fraction_seconds(4800) < 1e-4
    True
    """
    return 5e-9 * bits + 1.4e-12 * bits**2


def thread_count() -> int:
    """Number of threads to use: the processors this process may run on.

    >>> thread_count() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shown_memory(size: float, about: str = "about ") -> str:
    for unit, bytes_ in (("bytes", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("PB", 1e15)):
        if size < 999.5 * bytes_:
            return f"{about}{size / bytes_:.3g} {unit}"
    return f"{_power_of_ten(size, about)} bytes"


def _shown_time(seconds: float, about: str = "about ") -> str:
    units = (("second", 1.0, 100.0), ("minute", 60.0, 100.0), ("hour", 3600.0, 48.0), ("day", 86400.0, 1000.0))
    for unit, length, most in (*units, ("year", 365 * 86400.0, 1000.0)):
        if seconds < most * length:
            count = f"{float(f'{seconds / length:.2g}'):g}"
            return f"{about}{count} {unit}" + ("" if count == "1" else "s")
    return f"{_power_of_ten(seconds / (365 * 86400), about)} years"


def _power_of_ten(value: float, about: str) -> str:
    return f"{about}10^{round(log10(value))}" if value < inf else "more than 10^300"


def _memory_left() -> float:
    """What this process can still have: of the machine, of its group, and of its own limits."""
    return max(0.0, min(_left_on_machine(), _left_in_group(), _left_by_limits()))


def _left_on_machine() -> float:
    for line in _lines(Path("/proc/meminfo")):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return float(rest.split()[0]) * 1024
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return inf


def _left_in_group() -> float:
    """What the control groups of a container leave, in either version, whatever it can give back counted as free."""
    left = inf
    for line in _lines(Path("/proc/self/cgroup")):
        kinds, _, path = line.partition(":")[2].partition(":")
        root = Path("/sys/fs/cgroup")
        if kinds == "":
            names = ("memory.max", "memory.current", "inactive_file")
        elif "memory" in kinds.split(","):
            names, root = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"), root / "memory"
        else:
            continue
        inside = root / path.lstrip("/")
        for folder in (inside, *inside.parents):
            limit, used = _number(folder / names[0]), _number(folder / names[1])
            if limit is not None and used is not None:
                given_back = [float(text.split()[1]) for text in _lines(folder / "memory.stat") if names[2] in text]
                left = min(left, limit - used + sum(given_back[:1]))
            if folder == root:
                break
    return left


def _left_by_limits() -> float:
    """What the limits of this process leave of its address space, and of its data."""
    try:
        import resource
    except ImportError:
        return inf
    pages = [float(text) for line in _lines(Path("/proc/self/statm")) for text in line.split()]
    space, data = (pages[0], pages[5]) if len(pages) > 5 else (0.0, 0.0)
    left = inf
    for kind, used in ((resource.RLIMIT_AS, space), (resource.RLIMIT_DATA, data)):
        limit, _ = resource.getrlimit(kind)
        if limit != resource.RLIM_INFINITY:
            left = min(left, limit - used * resource.getpagesize())
    return left


def _number(file: Path) -> float | None:
    text = next(iter(_lines(file)), "")
    return float(text) if text.isdecimal() else None


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []
