"""What a service costs: from the figures of the load test, and for a million players a day from assumptions as well."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.torture.yard import Row

__all__ = ["Assumptions", "Measured", "Plan", "measured_in", "plan_of", "plan_text"]

DAY: Final = 86_400  # seconds
HOUR: Final = 3_600


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What nobody has measured: how many come, what they do, and when."""

    players: int = 1_000_000  # a day
    games: int = 3  # of a player a day: the daily one and two others
    moves: int = 10  # of a game
    reads: int = 1  # requests that only read, for every move
    busiest_hour: float = 0.10  # of the day's games
    burst: float = 2.0  # the busiest second of that hour, against its mean
    headroom: float = 2.0  # machines that stand idle at the busiest second, against those that work


@dataclass(frozen=True, slots=True)
class Measured:
    """What the load test has found."""

    rate: float  # durable moves a second, on PostgreSQL, one process
    processor: float  # seconds of a processor for a request
    memory: float  # bytes of a process
    answer: float  # bytes of an answer
    row_bytes: float  # of PostgreSQL for a move, with its share of the game and of the deal

    @property
    def microseconds(self) -> float:
        """Of a processor for a request."""
        return self.processor * 1e6

    @property
    def kilobytes(self) -> float:
        """Of an answer."""
        return self.answer / 1e3

    @property
    def megabytes(self) -> float:
        """Of a process."""
        return self.memory / 1e6


@dataclass(frozen=True, slots=True)
class Plan:
    """What follows."""

    moves_a_day: int
    mean_rate: float
    peak_rate: float
    rows_a_day: int
    bytes_a_day: float
    answers_peak: float  # bytes a second
    processors: float
    processes: float

    @property
    def gigabytes_a_day(self) -> float:
        """Of the database."""
        return self.bytes_a_day / 1e9

    @property
    def terabytes_a_year(self) -> float:
        """Of the database."""
        return 365 * self.bytes_a_day / 1e12

    @property
    def megabytes_a_second(self) -> float:
        """Of answers, at the most."""
        return self.answers_peak / 1e6


def measured_in(rows: Iterable[Row]) -> Measured | None:
    """The figures in the rows of the table; None where the load was not among them.

    >>> measured_in([]) is None
    True
    """
    found: dict[str, float] = {}
    for row in rows:
        for name, value in row.measured.items():
            found.setdefault(name, value)
    return _measured(found)


def _measured(found: Mapping[str, float]) -> Measured | None:
    names = ("postgresql rate", "processor", "memory", "answer", "postgresql bytes")
    if any(name not in found for name in names):
        return None
    return Measured(*(found[name] for name in names))


def plan_of(found: Measured, given: Assumptions | None = None) -> Plan:
    """The plan that follows from figures and assumptions.

    >>> plan = plan_of(Measured(1000.0, 0.0005, 2e8, 1500.0, 300.0))
    >>> plan.moves_a_day, round(plan.mean_rate), round(plan.peak_rate), plan.rows_a_day
    (30000000, 347, 1667, 35000000)
    """
    given = given or Assumptions()
    games = given.players * given.games
    moves = games * given.moves
    peak = moves * given.busiest_hour / HOUR * given.burst
    requests = peak * (1 + given.reads + 1 / given.moves)
    return Plan(
        moves_a_day=moves,
        mean_rate=moves / DAY,
        peak_rate=peak,
        rows_a_day=moves + games + (games - given.players),  # moves, games, deals: that of the day is shared
        bytes_a_day=moves * found.row_bytes,
        answers_peak=requests * found.answer,
        processors=requests * found.processor * given.headroom,
        processes=peak / found.rate * given.headroom,
    )


def plan_text(found: Measured, given: Assumptions | None = None) -> str:
    """The plan as a section of a page."""
    given = given or Assumptions()
    return TEXT.format(found=found, given=given, plan=plan_of(found, given))


TEXT: Final = """## What it costs

By the load test above a request takes {found.microseconds:.0f} µs of a processor, and its answer
{found.kilobytes:.1f} kB. A process takes {found.megabytes:.0f} MB. A move takes {found.row_bytes:.0f} bytes of a
PostgreSQL, with its share of the game, of its deal and of their indexes.

## A plan for a million players a day

On paper: nobody has measured this. Assumed are {given.players:,} players a day with {given.games} games of
{given.moves} moves each, {given.reads} request that only reads for every move, {given.busiest_hour:.0%} of the day in
its busiest hour, {given.burst:g} times the mean of that hour in its busiest second, and machines for
{given.headroom:g} times that. With the figures above:

| what | how much |
| --- | --- |
| moves a day | {plan.moves_a_day:,} |
| moves a second, in the mean | {plan.mean_rate:,.0f} |
| moves a second, at the most | {plan.peak_rate:,.0f} |
| rows a day (moves, games, deals) | {plan.rows_a_day:,} |
| bytes a day in PostgreSQL | {plan.gigabytes_a_day:.1f} GB |
| bytes a year | {plan.terabytes_a_year:.1f} TB |
| answers a second, at the most | {plan.megabytes_a_second:.1f} MB |
| processors for the service | {plan.processors:.1f} |
| processes that write, by the rate of one | {plan.processes:.1f} |

What is split, and when:

1. **The service**, at once: processes keep nothing of a game, so there are as many as the processors above, on two
   machines or more behind any proxy that balances. PostgreSQL is the one thing that all of them share.
2. **Answers that only read** (the day's board, the skill list, reviews) go to a replica of PostgreSQL, by the streaming
   replication that is part of it; what is exact and never changes is kept by the proxy, by its ETag.
3. **The tables of games and moves**, when a year of them no longer fits into memory with its indexes: PostgreSQL's own
   partitions, by range of the game's number, so that what is played today stays small; old ones move to slower disks.
4. **The writer**, when one PostgreSQL cannot commit the moves of the busiest second: games of one player share nothing
   with those of another but the day's deal, so Citus (the extension of PostgreSQL for shards) spreads them by player,
   and both seats of a duel by the one who invited.

Live events ride on LISTEN/NOTIFY, which goes through one queue of a PostgreSQL: that is the first thing to watch. A
stream such as NATS takes its place, behind the same interface, when it becomes the limit.
"""
