"""Thousands of games at once for learning players: `Ten18-v0` as a vector environment, on one kernel.

The games are those of as many single environments with the seeds s, s + 1, ...: the same rolls, the same numbers to the
last bit, in the same form as Gymnasium's own vector environments give them. All of them share one table of worths, and
none is an object of its own.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tentimes18.envs.arguments import REWARDS, DiceLike, Reward, SlotsLike, game_of, target_of, verify_choice
from tentimes18.envs.decisions import decisions_of, has_decisions
from tentimes18.envs.ten18 import observation_space_of
from tentimes18.envs.worths import ChanceWorths, MeanWorths, worths_of
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Game
from tentimes18.kernels.environment import (
    ChanceTables,
    EnvironmentGames,
    EnvironmentResults,
    EnvironmentRules,
    EnvironmentTurn,
    MeanTables,
    RollDealer,
    step_games,
)
from tentimes18.kernels.small_environment import step_small_games
from tentimes18.kernels.types import Bools, Floats, Ints
from tentimes18.plan import Plan, admit, thread_count
from tentimes18.simulate.drawing import key_of, roll_source
from tentimes18.simulate.run import Run, verify_seed
from tentimes18.solve.lattice import lattice_of

__all__ = ["Ten18VectorEnv"]

ROLLS: Final = "rolls"  # what a seed is used for, as in a simulation
BYTES_A_GAME: Final = 250
BYTES_A_SLOT: Final = 20
GAMES_A_THREAD: Final = 2048  # at least: less takes no longer than to wake a thread
SMALL_GAMES_A_THREAD: Final = 8192  # the same, where a step is looked up
MODES: Final = tuple(mode.value for mode in AutoresetMode)


class Ten18VectorEnv(VectorEnv[Any, Any, Any]):
    """So many games of `Ten18-v0` at once; see `tentimes18.envs.ten18.Ten18Env` for what they are.

    ``autoreset_mode`` is that of Gymnasium: by default a game that is over starts anew in the step after its last one.

    >>> envs = Ten18VectorEnv(3, dice="1d6", slots="1-4")
    >>> observations, infos = envs.reset(seed=18)
    >>> observations, rewards, terminations, truncations, infos = envs.step(infos["best_action"])
    >>> infos["regret"].tolist(), infos["action_mask"].sum(axis=1).tolist()
    ([0.0, 0.0, 0.0], [3, 3, 3])
    """

    def __init__(
        self,
        num_envs: int = 1,
        dice: DiceLike = "3d6",
        slots: SlotsLike = "1-10",
        aim: str = "mean",
        reward: Reward = "aim",
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise Ten18Error("accepted: a number of games, 1 or more", "num_envs", num_envs)
        verify_choice(reward, REWARDS, "reward")
        verify_choice(render_mode, (None,), "render_mode")
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        verify_choice(mode, MODES, "autoreset_mode")
        self.num_envs = int(num_envs)
        self.game = game_of(dice, slots)
        self.target = target_of(aim)
        admit(_plan(self.num_envs, self.game), field="num_envs")
        self.worths = worths_of(self.game, self.target)
        self.autoreset_mode = AutoresetMode(mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_action_space = spaces.Discrete(self.game.size)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.single_observation_space = observation_space_of(self.game, has_target=self.target is not None)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._mean = self.worths.tables if isinstance(self.worths, MeanWorths) else _no_means()
        self._chance = self.worths.tables if isinstance(self.worths, ChanceWorths) else _no_chances()
        self._rules = _rules(self.game, by_chance=self.target is not None, by_regret=reward == "regret")
        self._decisions = None  # the tables of a small game
        if isinstance(self.worths, MeanWorths) and has_decisions(self.game):
            self._decisions = decisions_of(self.worths).tables
        self._dealer = _dealer(self.game)
        self._games = _new_games(self.num_envs, self.game.size)
        self._all = np.arange(self.num_envs)
        self._is_seeded = False

    @property
    def optimal_value(self) -> float:
        """The expected return of the best play, with the reward of the aim."""
        return self.worths.optimal

    def action_masks(self) -> Bools:
        """Which actions are allowed, [game, slot]."""
        if self._decisions is None:
            return self._games.masks.astype(np.bool_)
        return self._free() & ~self._games.over[:, np.newaxis]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start the next game of every seed, or the first ones of these seeds: s, s + 1, ..., or a list.

        ``options={"reset_mask": [...]}`` starts these games only.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = self._which(options)
        self._seed(seed, which)
        self._games.over[which] = True
        results = self._new_results(np.zeros)
        if len(which) < self.num_envs:
            results.observations[:] = self._observed()
        self._step(which, self._all, results)
        is_there = np.zeros(self.num_envs, dtype=np.bool_)
        is_there[which] = True
        return results.observations, _infos(results, is_there)

    def reset_to(self, seed: int, first: int) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start games ``first``, ``first`` + 1, ... of one seed: those of a simulation, however many are there.

        >>> two, one = Ten18VectorEnv(2), Ten18VectorEnv(1)
        >>> two.reset_to(18, 0)[1]["roll"][1] == one.reset_to(18, 1)[1]["roll"][0]
        np.True_
        """
        verify_seed(seed)
        self._games.keys[:] = key_of(seed, ROLLS)
        self._games.numbers[:] = np.arange(first, first + self.num_envs)
        self._is_seeded = True
        return self.reset()

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], Floats, Bools, Bools, dict[str, Any]]:
        """Place the roll of every game in the slot of this number, from 0."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise IllegalMove(f"accepted: {self.num_envs} numbers of slots, from 0", "action", actions)
        if not self._is_seeded:
            raise ResetNeeded("reset() starts the first games")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._games.over.any():
            raise ResetNeeded("a game is over; reset() with a reset_mask starts the next one")
        results = self._new_results(np.empty)
        self._step(self._all, np.ascontiguousarray(chosen, dtype=np.int64), results)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and (ended := np.flatnonzero(results.terminations)).size:
            infos = self._restarted(ended, results)
        infos |= _infos(results, np.ones(self.num_envs, dtype=np.bool_))
        return results.observations, results.rewards, results.terminations, truncations, infos

    def _step(self, which: Ints, actions: Ints, results: EnvironmentResults) -> None:
        """A step of these games, many of them in several threads."""

        def step(part: Ints) -> None:
            turn = EnvironmentTurn(part, actions)
            if self._decisions is None:
                step_games(self._mean, self._chance, self._rules, self._dealer, self._games, turn, results)
            else:
                step_small_games(self._decisions, self._rules, self._dealer, self._games, turn, results)

        least = GAMES_A_THREAD if self._decisions is None else SMALL_GAMES_A_THREAD
        first, *others = np.array_split(which, max(1, min(thread_count(), len(which) // least)))
        started = [_threads(os.getpid()).submit(step, part) for part in others]
        step(first)
        for part in started:
            part.result()

    def _restarted(self, ended: Ints, results: EnvironmentResults) -> dict[str, Any]:
        """Start games that are over anew; what they ended with, as infos."""
        is_there = np.zeros(self.num_envs, dtype=np.bool_)
        is_there[ended] = True
        last = np.full(self.num_envs, None, dtype=object)
        for i, observation in zip(ended, results.observations[ended], strict=True):
            last[i] = observation
        final = {}
        for name, found in _infos(results, is_there).items():
            final[name] = np.zeros_like(found)
            final[name][ended] = found[ended]
        rewards = results.rewards[ended]
        self._step(ended, self._all, results)
        results.rewards[ended] = rewards
        results.terminations[ended] = True
        return {"final_obs": last, "_final_obs": is_there, "final_info": final, "_final_info": is_there.copy()}

    def _which(self, options: dict[str, Any] | None) -> Ints:
        """The games to start: all, or those of a mask."""
        if not options:
            return self._all
        mask = np.asarray(options.get("reset_mask"))
        if (
            options.keys() != {"reset_mask"}
            or mask.shape != (self.num_envs,)
            or mask.dtype != np.bool_
            or not mask.any()
        ):
            accepted = f"accepted: {{'reset_mask': an array of {self.num_envs} bools, not all False}}"
            raise Ten18Error(accepted, "options", options)
        return np.flatnonzero(mask)

    def _seed(self, seed: int | Iterable[int | None] | None, which: Ints) -> None:
        """Have these games begin with the first ones of these seeds; the others, where they never had one, of any."""
        if seed is None and self._is_seeded:
            return
        if seed is None or isinstance(seed, int | np.integer):
            seeds: list[int | None] = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise Ten18Error(f"accepted: a seed, or {self.num_envs} of them", "seed", seed)
        given = set(which.tolist())
        for i, own in enumerate(seeds):
            if own is None or i not in given:
                if self._is_seeded:
                    continue
                own = int(self.np_random.integers(1 << 63))
            verify_seed(own)
            self._games.keys[i] = key_of(own, ROLLS)
            self._games.numbers[i] = 0
        self._is_seeded = True

    def _observed(self) -> NDArray[np.float32]:
        """The observations of all games as they stand."""
        games, n = self._games, self.game.size
        found = np.zeros(self.observation_space.shape or (), dtype=np.float32)
        found[:, :n] = self._free()
        playing = np.flatnonzero(~games.over)
        found[playing, n] = self._rules.scaled[games.places[playing, n - games.left[playing]]]
        if self.target is not None:
            found[:, n + 1] = games.made / self._rules.width
        return found

    def _free(self) -> Bools:
        """Which slots are free, [game, slot]."""
        games, n = self._games, self.game.size
        if self._decisions is not None:
            return (games.sets[:, np.newaxis] >> np.arange(n) & 1).astype(np.bool_)
        found = np.zeros((self.num_envs, n), dtype=np.bool_)
        is_listed = np.arange(n) < games.left[:, np.newaxis]
        found[np.nonzero(is_listed)[0], games.order[is_listed]] = True
        return found

    def _new_results(self, new: Callable[..., Any]) -> EnvironmentResults:
        """New arrays for what a step gives; a step of all games fills them, whatever is in them."""
        count, n = self.num_envs, self.game.size
        return EnvironmentResults(
            observations=new((count, n + 1 + (self.target is not None)), dtype=np.float32),
            rewards=new(count),
            terminations=new(count, dtype=np.bool_),
            masks=new((count, n), dtype=np.int8),
            best_actions=new(count, dtype=np.int64),
            illegal=new(count, dtype=np.bool_),
            lucks=new(count),
            regrets=new(count),
            rolls=new(count, dtype=np.int64),
        )


@cache
def _threads(process: int) -> ThreadPoolExecutor:  # noqa: ARG001 (a process that was forked has none of the threads)
    """The threads, beside the one that calls, that all vector environments of a process share."""
    return ThreadPoolExecutor(max(1, thread_count() - 1))


def _infos(results: EnvironmentResults, is_there: Bools) -> dict[str, Any]:
    """The infos in the form of Gymnasium: for every key an array, and which games it is of."""
    found = {
        "action_mask": results.masks,
        "best_action": results.best_actions,
        "illegal": results.illegal,
        "luck": results.lucks,
        "regret": results.regrets,
        "roll": results.rolls,
    }
    return found | {f"_{name}": is_there.copy() for name in found}


def _plan(num_envs: int, game: Game) -> Plan:
    """What so many games take: what is known of each, and two results of a step."""
    return Plan(f"{num_envs:,} games at once", memory=num_envs * (BYTES_A_GAME + BYTES_A_SLOT * game.size))


def _rules(game: Game, *, by_chance: bool, by_regret: bool) -> EnvironmentRules:
    support, lattice = game.dice.support, lattice_of(game)
    span = support[-1] - support[0] or 1
    return EnvironmentRules(
        np.array([[float(multiplier * roll) for roll in support] for multiplier in game.multipliers]),
        np.array([float(low) for low in lattice.lows]),
        np.array([(roll - support[0]) / span for roll in support], dtype=np.float32),
        np.array(support, dtype=np.int64),
        by_chance,
        by_regret,
        float(lattice.width(game.all_free) or 1),
    )


def _dealer(game: Game) -> RollDealer:
    source = roll_source(Run(game, (), seed=0))
    product = source.total**source.per_word if source.total else 1
    return RollDealer(
        np.uint64(source.total),
        source.per_word,
        np.uint64(product),
        np.uint64((1 << 64) % product),
        source.position.astype(np.uint16),
        source.bounds,
    )


def _new_games(count: int, size: int) -> EnvironmentGames:
    return EnvironmentGames(
        keys=np.zeros(count, dtype=np.uint64),
        numbers=np.zeros(count, dtype=np.int64),
        over=np.ones(count, dtype=np.bool_),
        places=np.zeros((count, size), dtype=np.uint16),
        left=np.zeros(count, dtype=np.int64),
        order=np.zeros((count, size), dtype=np.uint16),
        masks=np.zeros((count, size), dtype=np.int8),
        lucks=np.zeros(count),
        sets=np.zeros(count, dtype=np.int64),
        made=np.zeros(count, dtype=np.int64),
        best=np.zeros(count),
    )


def _no_means() -> MeanTables:
    """What stands in the place of tables that an aim does not have."""
    cube, square, row = np.zeros((0, 0, 0)), np.zeros((0, 0)), np.zeros(0)
    return MeanTables(cube, cube, square.astype(np.int64), square, square, row, row)


def _no_chances() -> ChanceTables:
    """What stands in the place of tables that an aim does not have."""
    square, row = np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
    return ChanceTables(0, np.zeros(0), row, row, square.astype(np.int8), row, square)
