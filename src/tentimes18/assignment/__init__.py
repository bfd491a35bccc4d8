"""The problem behind the game: values arrive one by one, and each must at once go to a free slot, or be rejected.

>>> from scipy import stats
>>> policy = Problem(stats.gamma(2, scale=50), slots=[1, 1, 2, 5], arrivals=40).solve()
>>> policy.assign(130.0, free=[1, 3, 4], left=2)
4

`problem` says what is asked, `policy` what is answered. `distributions`, `continuous` and `as_distribution` are about
values, `arrivals` about how many come; `arrival_models` says what a solver of them does, and `rounds`, `batches` and
`poisson_arrivals` are the solvers, with `hindsight` for all. `rules` are those that the field compares, `rule_values`
what any rule is worth. `secretary` sees only ranks, `multisecretary` has every number of slots at once.
"""

from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber, Regimes
from tentimes18.assignment.as_distribution import as_distribution, mixture, read_distribution
from tentimes18.assignment.distributions import (
    Distribution,
    FiniteDistribution,
    UniformDistribution,
    ValueDistribution,
    thresholds_of,
)
from tentimes18.assignment.multisecretary import Multisecretary, multisecretary
from tentimes18.assignment.policy import Policy, Simulated
from tentimes18.assignment.problem import Problem
from tentimes18.assignment.rule_values import Comparison, Evaluation, Worth
from tentimes18.assignment.rules import (
    Rule,
    certainty_equivalent,
    fluid,
    learning,
    nearest,
    optimal,
    prophet,
    resolving,
    static_price,
)
from tentimes18.assignment.secretary import Reward, Secretary, secretary

__all__ = [
    "Comparison",
    "Distribution",
    "Endless",
    "Evaluation",
    "FiniteDistribution",
    "Multisecretary",
    "Poisson",
    "Policy",
    "Problem",
    "RandomNumber",
    "Regimes",
    "Reward",
    "Rule",
    "Secretary",
    "Simulated",
    "UniformDistribution",
    "ValueDistribution",
    "Worth",
    "as_distribution",
    "certainty_equivalent",
    "fluid",
    "learning",
    "mixture",
    "multisecretary",
    "nearest",
    "optimal",
    "prophet",
    "read_distribution",
    "resolving",
    "secretary",
    "static_price",
    "thresholds_of",
]


def __dir__() -> list[str]:
    return __all__
