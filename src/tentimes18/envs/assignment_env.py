"""The general problem for one learning player: `Assignment-v0` of Gymnasium."""

from math import inf, isfinite
from typing import Any, Final, SupportsIndex

import numpy as np
from gymnasium import Env, spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from tentimes18.assignment.arrivals import RandomNumber
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.assignment.problem import Problem
from tentimes18.envs.arguments import REWARDS, Reward, action_of, verify_choice
from tentimes18.errors import Ten18Error

__all__ = ["AssignmentEnv"]

VALUES_AHEAD: Final = 64  # drawn at once, where all have one law
LEAST_CHANCE: Final = 2.0**-54  # at which a value is drawn, and the most: all values between them are finite
MOST_CHANCE: Final = 1 - 2.0**-53


class AssignmentEnv(Env[Any, Any]):
    """Values arrive one by one, and each must at once be given to a free slot, or be refused.

    ## Description
    Sequential stochastic assignment (Derman, Lieberman and Ross 1972): a value x in a slot of multiplier λ is worth
    λ x. The problem is any `tentimes18.assignment.Problem` with a number of arrivals that is known, or random and at
    least 1: of one law, or of a law an arrival; discounted or not; with slots that may stay empty or must be filled.

    ## Action Space
    `Discrete(n + 1)`: the slot, from 0, by increasing multiplier, or n: refuse. `info["action_mask"]` and
    `action_masks()` say which are allowed.

    ## Observation Space
    `Box((n + 2,), float32)`: 1 for each free slot; the value, as it is (0 when the game is over; where a law has no
    end, the box ends beyond all values that are drawn); the share of the arrivals still to come after it, at most.

    ## Rewards
    Multiplier × value, discounted as in the problem, and 0 for a refusal; or minus the regret with `reward="regret"`.
    The mean return of the best play is `unwrapped.optimal_value`.

    ## Starting State
    All slots are free. Values are drawn by the generator of Gymnasium; `options={"values": [...]}` has these arrive.

    ## Episode End
    Termination: all slots are filled, no more values come, or the action was illegal, which `info["illegal"]` tells. An
    illegal action is rewarded with 0; where slots must be filled and values can be below 0, with the least that the
    free slots could still get.

    ## Information
    As that of `Ten18-v0`: `action_mask`, `best_action`, `luck`, `regret`, `illegal`, and `value`, the value in full
    precision. Return = `optimal_value` + sum of `luck` - sum of `regret`. They are as exact as the plan of the problem:
    its `error` bounds what they can be off.

    ## Arguments
    ```python
    gymnasium.make("tentimes18.envs:Assignment-v0", problem=Problem(law, slots, arrivals), reward="aim")
    ```

    - `problem`: by default ten values between 0 and 1 for slots of multipliers 1, 2 and 3.
    - `reward`: `aim`, what the action brings, or `regret`, minus what it gives up.

    ## Version History
    - v0: first version.

    >>> env = AssignmentEnv()
    >>> observation, info = env.reset(options={"values": [0.9, 0.2, 0.4, 0.7, 0.6, 0.8, 0.1, 0.3, 0.5, 0.2]})
    >>> info["best_action"], env.step(3)[-1]["regret"] > 0
    (2, True)
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (so in every Env)

    def __init__(self, problem: Problem | None = None, reward: Reward = "aim", render_mode: str | None = None) -> None:
        verify_choice(reward, REWARDS, "reward")
        verify_choice(render_mode, (None,), "render_mode")
        self.problem = Problem(UniformLaw(0, 1), [1, 2, 3], arrivals=10) if problem is None else problem
        self._most, self._chances = _arrivals(self.problem)
        self.plan = self.problem.solve()
        self.render_mode = render_mode
        self._by_regret = reward == "regret"
        self._multipliers = [float(multiplier) for multiplier in self.plan.multipliers]
        self._discount = float(self.problem.discount)
        self._least = min(law.support[0] for law in self.problem.laws)
        if self.problem.must_fill and not isfinite(self._least):
            raise Ten18Error("slots that must be filled need laws with a least value", "problem")
        ends = np.array([law.quantile(np.array([LEAST_CHANCE, MOST_CHANCE])) for law in self.problem.laws])
        n = len(self._multipliers)
        low, high = np.zeros(n + 2, dtype=np.float32), np.ones(n + 2, dtype=np.float32)
        low[n] = np.nextafter(np.float32(min(0.0, ends.min())), np.float32(-inf))  # rounding takes no value further
        high[n] = np.nextafter(np.float32(max(0.0, ends.max())), np.float32(inf))
        self._low, self._high = float(low[n]), float(high[n])
        self.action_space = spaces.Discrete(n + 1)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self._free: list[int] = []
        self._is_over = True

    @property
    def optimal_value(self) -> float:
        """The expected return of the best play, with the reward of the aim."""
        return float(self.plan.value)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed, as MaskablePPO asks for it."""
        return self._mask().astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a game: with values that are drawn, or with these."""
        super().reset(seed=seed)
        self._given = _values_in(options, self._most if self._chances is None else 1, self._most)
        self._drawn: list[float] = []
        if self._given is not None:
            self._count = len(self._given)
        elif self._chances is None:
            self._count = self._most
        else:
            self._count = int(self.np_random.choice(self._most, p=self._chances)) + 1
        self._free = list(range(1, len(self._multipliers) + 1))
        self._round, self._is_over = 0, False
        self._worth = self.optimal_value  # what the best play makes from here on, in the points of the beginning
        return self._shown(0.0)

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Give the value to the slot of this number, from 0, or refuse it."""
        if self._is_over:
            raise ResetNeeded("the game is over; reset() starts the next one")
        number, n = action_of(action), len(self._multipliers)
        choice = None if number == n else number + 1
        scale = self._discount**self._round
        if choice not in self._losses:
            free = sum(self._multipliers[slot - 1] for slot in self._free)
            reward = scale * min(0.0, free * self._least) if self.problem.must_fill else 0.0
            regret = self._best - reward
            self._is_over, self._worth = True, 0.0
            observation, info = self._shown(regret)
            info["illegal"] = True
            return observation, 0.0 - regret if self._by_regret else reward, True, False, info
        regret = scale * float(self._losses[choice])
        reward = 0.0
        if choice is not None:
            reward = scale * self._multipliers[choice - 1] * self._value
            self._free.remove(choice)
        self._worth = scale * self._to_come(self._free)
        self._round += 1
        self._is_over = not self._free or self._round >= self._count
        observation, info = self._shown(regret)
        return observation, 0.0 - regret if self._by_regret else reward, self._is_over, False, info

    def _shown(self, regret: float) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """The observation and the information, each a new object; the next value is shown with them."""
        n, value, best = len(self._multipliers), 0.0, -1
        luck = -self._worth  # what the best play could still expect, where nothing more comes
        if not self._is_over:
            self._value = value = self._next_value()
            self._left = self._most - 1 - self._round
            self._losses = self.plan.losses(value, self._free, self._left)
            choice = self.plan.assign(value, self._free, self._left)
            self._best = self._discount**self._round * self._worth_of(choice, value)
            luck += self._best
            best = n if choice is None else choice - 1
        observation = np.zeros(n + 2, dtype=np.float32)
        observation[[slot - 1 for slot in self._free]] = 1.0
        observation[n] = min(max(value, self._low), self._high)
        observation[n + 1] = 0.0 if self._is_over else self._left / self._most
        return observation, {
            "action_mask": self._mask(),
            "best_action": best,
            "illegal": False,
            "luck": luck,
            "regret": regret,
            "value": value,
        }

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(len(self._multipliers) + 1, dtype=np.int8)
        if not self._is_over:
            for choice in self._losses:
                mask[-1 if choice is None else choice - 1] = 1
        return mask

    def _worth_of(self, choice: int | None, value: float) -> float:
        """What a choice is worth, with the best play after it, in the points of this round."""
        if choice is None:
            return self._to_come(self._free)
        return self._multipliers[choice - 1] * value + self._to_come([slot for slot in self._free if slot != choice])

    def _to_come(self, free: list[int]) -> float:
        """What free slots can expect after this arrival, in the points of this round."""
        if not free:
            return 0.0
        bounds = self.plan.thresholds(self._left, free)
        multipliers = [self._multipliers[slot - 1] for slot in free]
        return float(sum(m * float(bound) for m, bound in zip(multipliers, bounds, strict=True) if m))

    def _next_value(self) -> float:
        if self._given is not None:
            return self._given[self._round]
        laws = self.problem.laws
        if not self._drawn:
            law = laws[0] if len(laws) == 1 else laws[self._round]
            ahead = min(VALUES_AHEAD, self._count - self._round) if len(laws) == 1 else 1
            chances = np.maximum(self.np_random.random(ahead), LEAST_CHANCE)
            self._drawn = np.asarray(law.quantile(chances))[::-1].tolist()
        return self._drawn.pop()


def _arrivals(problem: Problem) -> tuple[int, NDArray[np.float64] | None]:
    """The most arrivals, and the chances of 1, 2, ... where their number is random."""
    if not isinstance(problem, Problem):
        raise Ten18Error("accepted: a tentimes18.assignment.Problem", "problem", problem)
    arrivals = problem.arrivals
    is_plain = problem.regimes is None and problem.batches is None and not problem.ahead and not problem.revenue
    if is_plain and problem.chance == 1:
        if isinstance(arrivals, int):
            return arrivals, None
        if isinstance(arrivals, RandomNumber) and arrivals.at_least(1) == 1:
            chances = np.array([float(chance) for chance in arrivals.chances[1:]])
            return arrivals.most, chances / chances.sum()
    accepted = "a known number of arrivals or a RandomNumber of at least 1, seen one by one, a value with each"
    raise Ten18Error(f"accepted: {accepted}", "problem")


def _values_in(options: dict[str, Any] | None, least: int, most: int) -> list[float] | None:
    if not options:
        return None
    if options.keys() != {"values"}:
        raise Ten18Error("accepted: {'values': [...]}", "options", options)
    try:
        values = [float(value) for value in options["values"]]
    except (TypeError, ValueError):
        values = []
    if not least <= len(values) <= most or not all(map(isfinite, values)):
        raise Ten18Error(f"accepted: {least} to {most} numbers", "values", options["values"])
    return values
