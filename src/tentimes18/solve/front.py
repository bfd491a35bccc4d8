"""What safety costs: mean and standard deviation of the strategies that aim at something else than the mean.

A strategy is on the front when no other one here has at least its mean with at most its standard deviation, one of the
two strictly better.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tentimes18.solve.law import ScoreLaw

__all__ = ["FrontPoint", "front"]


@dataclass(frozen=True, slots=True)
class FrontPoint:
    """A strategy by name, mean and standard deviation of its score, and whether it is on the front."""

    strategy: str
    mean: float
    sd: float
    efficient: bool


def front(laws: Iterable[tuple[str, ScoreLaw]]) -> list[FrontPoint]:
    """The strategies by increasing standard deviation.

    >>> safe, wild = ScoreLaw((4,), (1,), 1), ScoreLaw((0, 6), (1, 1), 2)
    >>> [(point.strategy, point.mean, point.sd, point.efficient) for point in front([("wild", wild), ("safe", safe)])]
    [('safe', 4.0, 0.0, True), ('wild', 3.0, 3.0, False)]
    """
    measured = sorted((law.sd, -float(law.mean), name) for name, law in laws)
    return [
        FrontPoint(
            name,
            -minus_mean,
            sd,
            not any(
                other_sd <= sd and other <= minus_mean and (other_sd, other) != (sd, minus_mean)
                for other_sd, other, _ in measured
            ),
        )
        for sd, minus_mean, name in measured
    ]
