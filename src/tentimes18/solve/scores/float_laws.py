"""Temporary: the old place of what has moved."""

from tentimes18.solve.float_distributions import distribution_of_array, float_rule_distribution
from tentimes18.solve.move_arrays import subset_sums

float_rule_law = float_rule_distribution
law_of_array = distribution_of_array
__all__ = ["float_rule_law", "law_of_array", "subset_sums"]
