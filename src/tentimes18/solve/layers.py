"""Temporary: the old place of what has moved."""

from tentimes18.plan import Plan
from tentimes18.solve import parallel
from tentimes18.solve.parallel import LayerPool as LayerPool
from tentimes18.solve.parallel import Progress as Progress
from tentimes18.solve.parallel import thread_count as thread_count


def part_count(things: int, seconds: float) -> int:
    """Old units."""
    return parallel.part_count(things, 1e9 * seconds)


def stages(progress: Progress | None, *plans: Plan) -> list[Progress | None]:
    """Old arguments."""
    return parallel.stages(progress, *(max(min(plan.seconds, 1e9), 1e-3) for plan in plans))


def shared(seconds: float) -> float:
    """Old units."""
    return seconds / min(thread_count(), 16)


apart = parallel.interruptible
