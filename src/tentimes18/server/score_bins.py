"""Scores that were made, in bins, beside the exact law of a score in the same bins."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import floor
from typing import Final

from tentimes18.server.models.history import ScoreBinModel

__all__ = ["score_bins"]

RARE: Final = 1e-3  # a bin that is less likely, and empty, is not shown at either end


def score_bins(
    made: Iterable[tuple[float, int]], law: Iterable[tuple[float, float]], width: int
) -> list[ScoreBinModel]:
    """The bins of this width from the first to the last that is likely, or that some game fell into.

    >>> [(part.first, part.end, part.count, part.law) for part in score_bins([(12, 2)], [(1, 0.25), (7, 0.75)], 5)]
    [(0, 5, 0, 0.25), (5, 10, 0, 0.75), (10, 15, 2, 0.0)]
    """
    counts: Counter[int] = Counter()
    for score, count in made:
        counts[floor(score / width)] += count
    chances: defaultdict[int, float] = defaultdict(float)
    for score, chance in law:
        chances[floor(score / width)] += chance
    shown = [*counts, *(place for place, chance in chances.items() if chance >= RARE)]
    return [
        ScoreBinModel(first=place * width, end=(place + 1) * width, count=counts[place], law=chances[place])
        for place in range(min(shown), max(shown) + 1)
    ]
