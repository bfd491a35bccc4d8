"""The problem behind the game: values arrive one by one, and each must at once be given to a free slot, or be refused.

>>> from scipy import stats
>>> plan = Problem(stats.gamma(2, scale=50), slots=[1, 1, 2, 5], arrivals=40).solve()
>>> plan.assign(130.0, free=[1, 3, 4], left=2)
4

`problem` says what is asked, `plan` what is answered. `laws/` are the laws of the values, `arrivals` how many come,
`courses/` what slots can expect of them; `thresholds` has the recurrence alone, for any law with a mean and a φ.
`secretary` sees only ranks, `multisecretary` has every number of slots at once.
"""

from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber
from tentimes18.assignment.courses.regimes import Regimes
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.reading import as_law, mixture
from tentimes18.assignment.laws.text import read_law
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.assignment.multisecretary import Multisecretary, multisecretary
from tentimes18.assignment.plan import AssignmentPlan, Simulated
from tentimes18.assignment.problem import Problem
from tentimes18.assignment.secretary import Reward, Secretary, secretary
from tentimes18.assignment.thresholds import Law, law_thresholds

__all__ = [
    "AssignmentPlan",
    "Endless",
    "FiniteLaw",
    "Law",
    "Multisecretary",
    "Poisson",
    "Problem",
    "RandomNumber",
    "Regimes",
    "Reward",
    "Secretary",
    "Simulated",
    "UniformLaw",
    "ValueLaw",
    "as_law",
    "law_thresholds",
    "mixture",
    "multisecretary",
    "read_law",
    "secretary",
]
