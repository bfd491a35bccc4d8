"""Temporary: the old place of what has moved."""

from tentimes18.solve.rule_distributions import (
    hindsight_distribution,
    random_distribution,
    rule_distribution,
    score_rule_distribution,
)

hindsight_law = hindsight_distribution
random_law = random_distribution
rule_law = rule_distribution
score_rule_law = score_rule_distribution
__all__ = ["hindsight_law", "random_law", "rule_law", "score_rule_law"]
