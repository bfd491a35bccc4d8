"""Chances against a rule, as a GPU's kernels find them, are those of the processor."""

import numpy as np
import pytest

from tentimes18.duel.best_response import best_response, fixed_chances
from tentimes18.gpu.gpu_duels import one_slot, response_on_gpu
from tentimes18.solve.move_arrays import rule_slots
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import greedy, nearest
from tests.support.host_gpu import CASES, HostGpu, game_of


@pytest.mark.usefixtures("with_gpu")
@pytest.mark.parametrize("case", [*CASES, "1d200 1-4"])
def test_the_best_response_is_that_of_the_processor(case: str) -> None:
    game = game_of(case)
    rule = optimal_rule(game)
    here, there = (best_response(game, rule, draw=0.3, device=device) for device in ("cpu", "cuda"))
    assert np.abs(here.values - there.values).max() <= 1e-15
    assert here.outcome.draw == pytest.approx(there.outcome.draw, abs=1e-15)
    assert here.outcome.equity == pytest.approx(there.outcome.equity, abs=1e-15)


@pytest.mark.usefixtures("with_gpu")
@pytest.mark.parametrize("case", ["3d6 1-5", "1d6 -3,-1,2,5/2"])
def test_rules_against_each_other_and_at_random(case: str) -> None:
    game = game_of(case)
    theirs = greedy(game)
    for mine in (nearest(game), None):
        here, there = (fixed_chances(game, mine, theirs, device=device) for device in ("cpu", "cuda"))
        assert np.abs(here.values - there.values).max() <= 1e-14
        assert here.draws is not None
        assert there.draws is not None
        assert np.abs(here.draws - there.draws).max() <= 1e-14


def test_progress_goes_to_the_end(host_gpu: HostGpu) -> None:
    game = game_of("1d6 1-3")
    told: list[tuple[int, int]] = []
    slots = rule_slots(game, optimal_rule(game))
    response_on_gpu(host_gpu, game, slots, one_slot(slots), progress=lambda *done: told.append(done))
    assert told[-1] == (100, 100)
