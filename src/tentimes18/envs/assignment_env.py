"""The general problem for one learning player: `Assignment-v0` of Gymnasium."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, isinf
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from tentimes18.assignment.arrival_models import Real
from tentimes18.assignment.arrivals import MAX_CHANCE, MIN_CHANCE, Arrival, stream_of
from tentimes18.assignment.distributions import UniformDistribution
from tentimes18.assignment.policy import Policy
from tentimes18.assignment.problem import Problem
from tentimes18.envs import arguments
from tentimes18.envs.ten18 import MeasuredEnv
from tentimes18.errors import Ten18Error

Slots = list[int]


class AssignmentValues:
    """The values of choices by the plan of a problem, in float64, where the error of the plan bounds theirs.

    With ``exact`` they are Fractions, and a problem with a part that is not exact raises ``Ten18Error``. Slots are
    counted from 1.
    """

    def __init__(self, problem: Problem, *, exact: bool = False) -> None:
        self.plan: Policy[Any] = problem.solve(exact=True) if exact else problem.solve()
        self._number: Callable[[Any], Any] = Fraction if exact else float
        self._atoms: dict[float, Fraction] = {}  # of finite distributions, by the float64 that stands for each
        for distribution in problem.distributions if exact else ():
            with suppress(Ten18Error):  # it has no atoms
                self._atoms |= {float(value): value for value, _ in distribution.exact_atoms()}
        self._zero = self._number(0)
        self._multipliers = [self._number(multiplier) for multiplier in self.plan.multipliers]
        self._discount = self._number(problem.discount)
        self._least: Any = self._zero  # value, where slots must be filled
        if problem.must_fill:
            lows = (self._value(distribution.support[0]) for distribution in problem.distributions)
            self._least = min(lows, default=0)

    def _value(self, number: Real) -> Any:
        return self._atoms.get(float(number), self._number(number))

    def scale(self, arrival: Arrival) -> Any:
        """The discount of this arrival."""
        return self._discount**arrival.age

    def losses(self, arrival: Arrival, free: Slots) -> dict[int | None, Any]:
        """The loss of every legal choice, before the discount of the arrival."""
        return self.plan.losses(self._value(arrival.value), free, arrival.left, self._known(arrival))

    def choice(self, arrival: Arrival, free: Slots) -> int | None:
        choice: int | None = self.plan.assign(self._value(arrival.value), free, arrival.left, self._known(arrival))
        return choice

    def reward(self, arrival: Arrival, choice: int | None) -> Any:
        if choice is None:
            return self._zero
        return self.scale(arrival) * self._multipliers[choice - 1] * self._value(arrival.value)

    def best(self, arrival: Arrival, free: Slots) -> Any:
        """The value of the best choice, with the best play after it."""
        choice = self.choice(arrival, free)
        return self.reward(arrival, choice) + self.to_come(arrival, [slot for slot in free if slot != choice])

    def to_come(self, arrival: Arrival, free: Slots) -> Any:
        """The value of free slots after this arrival."""
        if not free:
            return self._zero
        thresholds = self.plan.thresholds(arrival.left, free, self._known(arrival))
        total = self._zero
        for slot, threshold in zip(free, thresholds, strict=True):
            multiplier = self._multipliers[slot - 1]
            if multiplier:  # a slot without one is worth nothing, also where its threshold is -inf
                total += multiplier * threshold
        return self.scale(arrival) * total

    def illegal_reward(self, arrival: Arrival, free: Slots) -> Any:
        """The reward of an illegal action: nothing, or the least that slots which must be filled could get."""
        total = sum((self._multipliers[slot - 1] for slot in free), self._zero)
        return self.scale(arrival) * min(self._zero, total * self._least)

    def _known(self, arrival: Arrival) -> Any:
        if isinstance(arrival.known, tuple):
            return tuple(self._value(value) for value in arrival.known)
        return arrival.known


class AssignmentEnv(MeasuredEnv):
    """Values arrive one by one, and each must at once be given to a free slot, or be rejected.

    Sequential stochastic assignment (Derman, Lieberman and Ross 1972): a value x in a slot of multiplier λ is worth
    λ x. The problem is any `tentimes18.assignment.Problem` but one of revenue, in which prices are posted. The page
    docs/reference/environments.md describes the options of `reset` and `info`. An action is a slot, from 0, by
    increasing multiplier, or n: reject. An observation has these numbers, all but the first n are 0 at the end:

    - n numbers: 1 for each free slot.
    - The value; where a distribution is unbounded, the box ends beyond all values that are drawn.
    - The share that is left after it: of the largest number of arrivals, of the batches, or of the time. This number is
      absent where arrivals have no end.
    - For each regime, 1 where it is that of this arrival.
    - With batches or values ahead, k numbers: 1 for each value in sight; and k numbers: these values in their order. k
      is one less than the largest batch, or the number of values ahead.

    The game ends when all slots are filled, no more values come, or the action was illegal. Return = `optimal_value` +
    sum of `luck` - sum of `regret`, as exact as the plan of the problem: its `error` bounds theirs.
    `unwrapped.arrival` has all that is known of the value.

    >>> env = AssignmentEnv()
    >>> observation, info = env.reset(options={"values": [0.9, 0.2, 0.4, 0.7, 0.6, 0.8, 0.1, 0.3, 0.5, 0.2]})
    >>> info["best_action"], env.step(3)[-1]["regret"] > 0
    (2, True)
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (so in every Env)

    def __init__(
        self,
        problem: Problem | None = None,
        reward: arguments.Reward = "aim",
        render_mode: str | None = None,
        hints: bool = True,
    ) -> None:
        arguments.verify_choice(reward, arguments.REWARDS, "reward")
        arguments.verify_choice(render_mode, (None,), "render_mode")
        self.problem = Problem(UniformDistribution(0, 1), [1, 2, 3], arrivals=10) if problem is None else problem
        if not isinstance(self.problem, Problem):
            raise Ten18Error("accepted: a tentimes18.assignment.Problem", "problem", problem)
        if self.problem.revenue:
            accepted = "a problem without revenue: a seller posts prices before a value is seen, and places none"
            raise Ten18Error(f"accepted: {accepted}", "problem")
        self._stream = stream_of(self.problem)
        if self.problem.must_fill and not all(
            isfinite(distribution.support[0]) for distribution in self.problem.distributions
        ):
            raise Ten18Error("slots that must be filled need distributions with a least value", "problem")
        self.worths = AssignmentValues(self.problem)
        self.plan = self.worths.plan
        self.render_mode = render_mode
        self._by_regret, self._hints = reward == "regret", hints
        most = self._stream.counts[1]  # a step per arrival, if they are bounded
        self.max_steps = None if isinf(most) else max(1, int(most))
        self._n = n = len(self.plan.multipliers)
        ends = np.array(
            [distribution.quantile(np.array([MIN_CHANCE, MAX_CHANCE])) for distribution in self.problem.distributions]
        )
        size = n + 1 + self._stream.width
        low, high = np.zeros(size, dtype=np.float32), np.ones(size, dtype=np.float32)
        values = [n, *range(size - self._stream.in_sight, size)]
        low[values] = np.nextafter(np.float32(min(0.0, ends.min())), np.float32(-inf))  # rounding takes none further
        high[values] = np.nextafter(np.float32(max(0.0, ends.max())), np.float32(inf))
        self.action_space = spaces.Discrete(n + 1)
        self.observation_space: spaces.Box = spaces.Box(low, high, dtype=np.float32)
        self.arrival: Arrival | None = None
        """The value to place, what is left after it, and what is known of that, as the plan takes them."""
        self._free: Slots = []
        self._taken: tuple[Arrival | None, Slots, int | None] | None = None
        """The last choice: for this arrival, if there was one, with these slots free."""
        self._is_over = True

    @property
    def optimal_value(self) -> float:
        """The expected return of the best play, with the reward of the aim."""
        return float(self.plan.value)

    @property
    def exact_optimal_value(self) -> Fraction:
        """The same as a Fraction; raises ``Ten18Error`` where it is known in float64 only."""
        return Fraction(self._exact_values.plan.value)

    @property
    def exact_regret(self) -> Fraction:
        """The regret of the last action, as a Fraction; 0 after `reset`."""
        self._verify_begun()
        worths, (arrival, free, choice) = self._exact_values, self._taken or (None, [], None)
        if arrival is None:
            return Fraction(0)
        if self._is_illegal:
            return Fraction(worths.best(arrival, free) - worths.illegal_reward(arrival, free))
        return Fraction(worths.scale(arrival) * worths.losses(arrival, free)[choice])

    @property
    def exact_luck(self) -> Fraction:
        """The luck of the value to place, as a Fraction, or that no more come."""
        self._verify_begun()
        worths = self._exact_values
        before: Any = worths.plan.value
        if self._taken is not None:
            last = self._taken[0]
            before = 0 if last is None or self._is_illegal else worths.to_come(last, self._free)
        now = 0 if self._is_over or self.arrival is None else worths.best(self.arrival, self._free)
        return Fraction(now) - Fraction(before)

    @cached_property
    def _exact_values(self) -> AssignmentValues:
        return AssignmentValues(self.problem, exact=True)

    def _verify_begun(self) -> None:
        if self._is_over and self._taken is None:
            raise ResetNeeded("reset() starts the first game")

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed, as MaskablePPO asks for it."""
        return self._mask().astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a game, with random values or with those of the options."""
        super().reset(seed=seed)
        fixed = self._stream.read(options)
        self._is_fixed = fixed is not None
        self._stream.start(self.np_random, fixed)
        self._free = list(range(1, self._n + 1))
        self._taken, self._is_illegal, self._is_over = None, False, False
        self._worth = self.optimal_value  # of the best play from here on, discounted to the start
        self.arrival = self._stream.next()
        return self._shown(0.0)

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise ResetNeeded("no game is in play; reset() starts the next one")
        number, arrival, worths = arguments.action_of(action), self.arrival, self.worths
        choice = None if number == self._n else number + 1
        self._is_illegal = choice not in self._losses
        self._taken = arrival, self._free, choice
        reward, regret = 0.0, 0.0
        if arrival is None or self._is_illegal:
            if arrival is not None:
                reward = worths.illegal_reward(arrival, self._free)
                regret = self._best - reward
            self._is_over, self._worth = True, 0.0
        else:
            regret = worths.scale(arrival) * float(self._losses[choice])
            reward = float(worths.reward(arrival, choice))
            self._free = [slot for slot in self._free if slot != choice]
            best, after = self._after_best
            self._worth = after if choice == best else worths.to_come(arrival, self._free)
            self.arrival = self._stream.next() if self._free else None
            self._is_over = self.arrival is None
        observation, info = self._shown(regret)
        return observation, 0.0 - regret if self._by_regret else reward, self._is_over, False, info

    def _shown(self, regret: float) -> tuple[NDArray[np.float32], dict[str, Any]]:
        n, arrival, worths = self._n, self.arrival, self.worths
        observation = np.zeros(self.observation_space.shape, dtype=np.float32)
        observation[[slot - 1 for slot in self._free]] = 1.0
        value, best, self._best = 0.0, -1 if self._is_over else n, 0.0
        self._losses: dict[int | None, Any] = {None: 0.0}  # without a value there is nothing else to do
        if arrival is not None and not self._is_over:
            value = arrival.value
            self._losses = worths.losses(arrival, self._free)
            choice = worths.choice(arrival, self._free)
            best = n if choice is None else choice - 1
            self._after_best = choice, worths.to_come(arrival, [slot for slot in self._free if slot != choice])
            self._best = worths.reward(arrival, choice) + self._after_best[1]
            observation[n:] = (value, *arrival.shown)
            if self._is_fixed:  # drawn values are inside
                np.clip(observation, self.observation_space.low, self.observation_space.high, out=observation)
        info = {
            "action_mask": self._mask(),
            "best_action": best,
            "illegal": self._is_illegal,
            "luck": self._best - self._worth,  # where nothing more comes: all that was left to expect
            "regret": regret,
            "value": value,
        }
        return observation, arguments.shown_info(info, hints=self._hints)

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(self._n + 1, dtype=np.int8)
        if not self._is_over:
            mask[[-1 if choice is None else choice - 1 for choice in self._losses]] = 1
        return mask
