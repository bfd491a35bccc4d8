"""Temporary: the old place of what has moved."""

from tentimes18.solve.score_distribution import ScoreDistribution

ScoreLaw = ScoreDistribution
__all__ = ["ScoreLaw"]
