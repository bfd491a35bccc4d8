"""The step of small games: where both kernels can take it, they give the same, but for the rounding of sums."""

import numpy as np
import pytest

from tentimes18.envs.arguments import Reward
from tentimes18.envs.ten18_vector import Ten18VectorEnv


@pytest.mark.parametrize("reward", ["aim", "regret"])
def test_a_step_is_the_same_with_tables_and_without(reward: Reward, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Ten18VectorEnv(40, "1d6-2", "-1,1/3,1/3,2", reward=reward)
    monkeypatch.setattr("tentimes18.envs.ten18_vector.has_decisions", lambda _: False)
    summed = Ten18VectorEnv(40, "1d6-2", "-1,1/3,1/3,2", reward=reward)
    verify_equal(small.reset(seed=18), summed.reset(seed=18))
    generator, illegal = np.random.default_rng(18), 0
    for _ in range(40):
        actions = generator.integers(-1, 5, size=40)  # many of them are not allowed
        mine, theirs = small.step(actions), summed.step(actions)
        verify_equal((mine[0], mine[-1]), (theirs[0], theirs[-1]))
        assert mine[1] == pytest.approx(theirs[1], abs=1e-14)
        assert mine[2].tolist() == theirs[2].tolist()
        assert (small.action_masks() == summed.action_masks()).all()
        illegal += int(mine[-1]["illegal"].sum())
    assert 0 < illegal < 40 * 40


def verify_equal(mine: tuple[object, dict[str, object]], theirs: tuple[object, dict[str, object]]) -> None:
    assert np.array_equal(mine[0], theirs[0])  # type: ignore[arg-type]
    assert mine[1].keys() == theirs[1].keys()
    for key, found in mine[1].items():
        if key in ("luck", "regret"):  # rounded once, or in each term of a sum
            assert found == pytest.approx(theirs[1][key], abs=1e-14), key
            assert np.array_equal(found == 0.0, theirs[1][key] == 0.0), key
        else:
            assert np.array_equal(found, theirs[1][key]), key  # type: ignore[arg-type]
