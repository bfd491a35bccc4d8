"""What was found of an agent, for people and for programs."""

import json
from typing import Any

import numpy as np

from tentimes18.envs.evaluation import CostlyDecision, Estimate, Evaluation

COSTLY = CostlyDecision(free=(0, 1, 2, 5, 9), roll=18.0, chosen=0, best=9, regret=44.125, times=3)


def some_evaluation(**changed: Any) -> Evaluation:
    given: dict[str, Any] = {
        "agent": "nearest",
        "environment": {"dice": "3d6", "slots": "1-10", "aim": "mean"},
        "episodes": 1000,
        "seed": 18,
        "optimal_value": 642.23936,
        "gap_from_returns": Estimate(-0.001, 1.74),
        "gap_from_regrets": Estimate(0.1024, 0.0051),
        "variance_ratio": 116406.0,
        "moves": 9999,
        "regret_a_move": Estimate(0.01024, 0.0005),
        "classes": {"best": 9330, "fine": 588, "good": 79, "inaccuracy": 0, "mistake": 0, "blunder": 1},
        "illegal": 1,
        "costliest": (COSTLY,),
        "returns": np.zeros(1000),
        "regrets": np.zeros(1000),
    }
    return Evaluation(**given | changed)


def test_the_text_is_a_small_report() -> None:
    assert (
        str(some_evaluation())
        == """nearest: 1,000 episodes, dice 3d6, slots 1-10, aim mean, seed 18

                  gap  standard error
from returns  -0.0010          1.7400
from regrets   0.1024          0.0051

The best play makes 642.2394; a move gives up 0.0102. Returns vary 120,000 times as much as regrets.

best           9,330  93.31%
fine             588   5.88%
good              79   0.79%
inaccuracy ?!      0   0.00%
mistake ?          0   0.00%
blunder ??         1   0.01%
illegal            1   0.01%

costliest decisions
free     roll  action  best  regret  times
0-2 5 9    18       0     9  44.125      3"""
    )


def test_what_is_not_there_is_not_shown() -> None:
    text = str(some_evaluation(variance_ratio=None, costliest=(), gap_from_regrets=Estimate(0.0, 0.0)))
    assert "vary" not in text
    assert "costliest" not in text
    assert "from regrets  0.00 " in text
    assert "score" in str(some_evaluation(costliest=(COSTLY._replace(score=612.0),)))


def test_the_dictionary_is_ready_for_json() -> None:
    found = some_evaluation()
    told = json.loads(json.dumps(found.to_dict()))
    assert told["gap_from_regrets"] == {"value": 0.1024, "standard_error": 0.0051}
    assert told["costliest"][0] == COSTLY._asdict() | {"free": [0, 1, 2, 5, 9]}
    assert told.keys() == set(found.__dataclass_fields__) - {"returns", "regrets"}
