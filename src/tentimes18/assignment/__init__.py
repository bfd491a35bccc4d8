"""The problem behind the game: values arrive one by one, and each must at once go to a free slot, or be rejected.

>>> from scipy import stats
>>> policy = Problem(stats.gamma(2, scale=50), slots=[1, 1, 2, 5], arrivals=40).solve()
>>> policy.assign(130.0, free=[1, 3, 4], left=2)
4

`problem` says what is asked, `policy` what is answered. `distributions`, `continuous` and `as_law` are about values,
`arrivals` about how many come; `arrival_models` says what a solver of them does, and `rounds`, `batches`, `lookahead`
and `poisson_arrivals` are the solvers, with `hindsight` for all. `secretary` sees only ranks,
`multisecretary` has every number of slots at once.
"""

from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber, Regimes
from tentimes18.assignment.as_law import as_law, mixture, read_law
from tentimes18.assignment.distributions import FiniteLaw, UniformLaw, ValueLaw
from tentimes18.assignment.law_thresholds import Law, law_thresholds
from tentimes18.assignment.multisecretary import Multisecretary, multisecretary
from tentimes18.assignment.policy import Policy, Simulated
from tentimes18.assignment.problem import Problem
from tentimes18.assignment.secretary import Reward, Secretary, secretary

__all__ = [
    "Endless",
    "FiniteLaw",
    "Law",
    "Multisecretary",
    "Poisson",
    "Policy",
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
