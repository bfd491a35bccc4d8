"""Temporary: the old place of what has moved."""

from tentimes18.solve.moments import Moments, hindsight_moments, optimal_moments, random_moments, slot_distributions
from tentimes18.solve.old_plans import hindsight_moments_plan as hindsight_moments_plan
from tentimes18.solve.old_plans import optimal_moments_plan as optimal_moments_plan
from tentimes18.solve.old_plans import slot_laws_plan as slot_laws_plan

slot_laws = slot_distributions
__all__ = ["Moments", "hindsight_moments", "optimal_moments", "random_moments", "slot_laws"]
