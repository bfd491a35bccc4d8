"""Thousands of games at once for learning agents: `Ten18-v0` as a vector environment, on one kernel.

The games are those of single environments with the seeds s, s + 1, ...: the same rolls and the same numbers to the last
bit, in the form of Gymnasium's own vector environments. All of them share one table of decisions.
"""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tentimes18.arrays import Bools, Floats, Ints
from tentimes18.envs import arguments, decisions
from tentimes18.envs.arguments import DiceLike, Reward, SlotsLike
from tentimes18.envs.decisions import StepResults
from tentimes18.envs.ten18 import RENDER_MODES, Ten18Env, draw_frame
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.limits import check_size
from tentimes18.simulate.drawing import key_of, roll_source
from tentimes18.simulate.run import Run, verify_seed
from tentimes18.solve.parallel import thread_count

ROLLS = "rolls"  # the purpose of a seed, as in a simulation
GAME_BYTES, SLOT_BYTES = 250, 20  # per game, and per game and slot
FRAME_BYTES = {"ansi": 4e3, "rgb_array": 1.2e6}
MIN_THREAD_GAMES = 1024  # waking a thread takes as long as a step of so few games
MIN_THREAD_TABLE_GAMES = 3000  # the same, with a table of decisions
TABLES = decisions.DecisionTables, decisions.MeanTables, decisions.ChanceTables
MODES = tuple(mode.value for mode in AutoresetMode)


class Ten18VectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of `Ten18-v0` at once; `tentimes18.envs.ten18.Ten18Env` describes the game.

    ``autoreset_mode`` is that of Gymnasium: by default, a game that is over starts again in the next step.

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
        hints: bool = True,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise Ten18Error("accepted: a number of games, 1 or more", "num_envs", num_envs)
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        arguments.verify_choice(mode, MODES, "autoreset_mode")
        self.num_envs = int(num_envs)
        arguments.verify_choice(render_mode, (None, *RENDER_MODES), "render_mode")
        self.game = arguments.game_of(dice, slots)
        size = self.num_envs * (GAME_BYTES + SLOT_BYTES * self.game.size + FRAME_BYTES.get(render_mode or "", 0))
        check_size(f"a batch of {self.num_envs:,} games", bytes=size, field="num_envs")
        single = Ten18Env(self.game.dice, self.game.multipliers, aim, reward, render_mode)
        self.target, self.decisions = single.target, single.decisions
        self.autoreset_mode = AutoresetMode(mode)
        self.metadata = Ten18Env.metadata | {"autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self._slots = None if render_mode is None else np.zeros((self.num_envs, self.game.size), dtype=np.int64)
        self.single_action_space, self.single_observation_space = single.action_space, single.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        tables = self.decisions.tables
        self._tables: tuple[Any, ...] = tuple(tables if isinstance(tables, kind) else None for kind in TABLES)
        self._rules = decisions.rules_of(self.game, by_regret=reward == "regret")
        self._source = roll_source(Run(self.game, (), seed=0))  # the keys are those of the games
        self._games = decisions.new_games(self.num_envs, self.game.size)
        self._all = np.arange(self.num_envs)
        self._is_seeded, self._hints = False, hints

    @property
    def optimal_value(self) -> float:
        """The expected return of the best play, with the reward of the aim."""
        return self.decisions.optimal

    def action_masks(self) -> Bools:
        """Which actions are allowed, [game, slot]."""
        return self._free() & ~self._games.over[:, np.newaxis]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start the next game of every seed, or the first ones of these seeds: s, s + 1, ..., or a list.

        ``options={"reset_mask": [...]}`` starts these games only; ``options={"rolls": ...}``, an array [game, round],
        fixes their rolls.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        accepted = f"{{'reset_mask': an array of {self.num_envs} bools, not all False, 'rolls': an array of rolls}}"
        choices = arguments.options_in(options, accepted)
        rolls, which = choices.pop("rolls", None), self._all
        if choices:
            mask = np.asarray(choices.get("reset_mask"))
            is_mask = mask.shape == (self.num_envs,) and mask.dtype == np.bool_ and mask.any()
            if choices.keys() != {"reset_mask"} or not is_mask:
                raise Ten18Error(f"accepted: {accepted}", "options", choices)
            which = np.flatnonzero(mask)
        places = None if rolls is None else roll_places(self.game, self.num_envs, which, rolls)
        self._seed(seed, which)
        self._games.over[which] = True
        if places is not None:
            self._games.places[which] = places
            self._games.fixed[which] = True
        results = decisions.new_results(self.num_envs, self.game.size, has_target=self.target is not None)
        for array in results:
            array.fill(0)
        if len(which) < self.num_envs:
            results.observations[:] = self._observed()
        self._step(which, self._all, results)
        is_there = np.zeros(self.num_envs, dtype=np.bool_)
        is_there[which] = True
        return results.observations, self._infos(results, is_there)

    def reset_to(self, seed: int, first: int) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start games ``first``, ``first`` + 1, ... of one seed, as in a simulation."""
        verify_seed(seed)
        self._games.keys[:] = key_of(seed, ROLLS)
        self._games.numbers[:] = np.arange(first, first + self.num_envs)
        self._is_seeded = True
        return self.reset()

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], Floats, Bools, Bools, dict[str, Any]]:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise IllegalMove(f"accepted: {self.num_envs} numbers of slots, from 0", "action", actions)
        if not self._is_seeded:
            raise ResetNeeded("reset() starts the first games")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._games.over.any():
            raise ResetNeeded("a game is over; reset() with a reset_mask starts the next one")
        results = decisions.new_results(self.num_envs, self.game.size, has_target=self.target is not None)
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        if self._slots is not None:
            playing = np.flatnonzero(~self._games.over)
            self._slots[playing, self.game.size - self._games.left[playing]] = chosen[playing] + 1
        self._step(self._all, chosen, results)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and (ended := np.flatnonzero(results.terminations)).size:
            infos = self._restart(ended, results)
        infos |= self._infos(results, np.ones(self.num_envs, dtype=np.bool_))
        return results.observations, results.rewards, results.terminations, truncations, infos

    def render(self) -> tuple[str | NDArray[np.uint8], ...] | None:
        if self._slots is None:
            return None
        if not self._is_seeded:
            raise ResetNeeded("reset() starts the first games")
        support, n = self.game.dice.support, self.game.size
        games = zip(self._slots, self._games.places, self._games.left, self._games.over, strict=True)
        frames = []
        for slots, places, left, is_over in games:
            rolls = [support[place] for place in places.tolist()]
            rounds = n - int(left)
            board = Board.replay(self.game, zip(rolls[:rounds], slots[:rounds].tolist(), strict=True))
            frames.append(draw_frame(self.render_mode, board, None if is_over else rolls[rounds]))
        return tuple(frames)

    def _step(self, which: Ints, actions: Ints, results: StepResults) -> None:
        table, mean, chance = self._tables

        def step(part: Ints) -> None:
            decisions.step_games(table, mean, chance, self._rules, self._source, self._games, part, actions, results)

        least = MIN_THREAD_GAMES if self._tables[0] is None else MIN_THREAD_TABLE_GAMES
        parts = min(thread_count(), len(which) // least)
        if parts <= 1:
            step(which)
            return
        own, *others = np.array_split(which, parts)
        running = [_threads(os.getpid()).submit(step, part) for part in others]
        step(own)
        for future in running:
            future.result()

    def _restart(self, ended: Ints, results: StepResults) -> dict[str, Any]:
        is_there = np.zeros(self.num_envs, dtype=np.bool_)
        is_there[ended] = True
        last = np.full(self.num_envs, None, dtype=object)
        for i, observation in zip(ended, results.observations[ended], strict=True):
            last[i] = observation
        final = {}
        for name, values in self._infos(results, is_there).items():
            final[name] = np.zeros_like(values)
            final[name][ended] = values[ended]
        rewards = results.rewards[ended]
        self._step(ended, self._all, results)
        results.rewards[ended] = rewards
        results.terminations[ended] = True
        return {"final_obs": last, "_final_obs": is_there, "final_info": final, "_final_info": is_there.copy()}

    def _seed(self, seed: int | Iterable[int | None] | None, which: Ints) -> None:
        """Begin these games with the first ones of these seeds; games that never had a seed get a random one."""
        if seed is None and self._is_seeded:
            return
        if seed is None or isinstance(seed, int | np.integer):
            seeds: list[int | None] = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed) if isinstance(seed, Iterable) and not isinstance(seed, str) else []
        if len(seeds) != self.num_envs:
            raise Ten18Error(f"accepted: a seed, or {self.num_envs} of them", "seed", seed)
        starting = set(which.tolist())
        for i, own in enumerate(seeds):
            if own is None or i not in starting:
                if self._is_seeded:
                    continue
                own = int(self.np_random.integers(1 << 63))
            own = arguments.seed_of(own)
            verify_seed(own)
            self._games.keys[i] = key_of(own, ROLLS)
            self._games.numbers[i] = 0
        self._is_seeded = True

    def _observed(self) -> NDArray[np.float32]:
        games, n = self._games, self.game.size
        observations = np.zeros(self.observation_space.shape or (), dtype=np.float32)
        observations[:, :n] = self._free()
        playing = np.flatnonzero(~games.over)
        observations[playing, n] = self._rules.scaled[games.places[playing, n - games.left[playing]]]
        if self.target is not None:
            observations[:, n + 1] = games.made / self._rules.width
        return observations

    def _free(self) -> Bools:
        """Which slots are free, [game, slot]."""
        games, n = self._games, self.game.size
        if self._tables[1] is None:
            return (games.sets[:, np.newaxis] >> np.arange(n) & 1).astype(np.bool_)
        free = np.zeros((self.num_envs, n), dtype=np.bool_)
        is_listed = np.arange(n) < games.left[:, np.newaxis]
        free[np.nonzero(is_listed)[0], games.order[is_listed]] = True
        return free

    def _infos(self, results: StepResults, is_there: Bools) -> dict[str, Any]:
        """The infos in the form of Gymnasium: an array for every key, and which games have one."""
        infos = {
            "action_mask": results.masks,
            "best_action": results.best_actions,
            "illegal": results.illegal,
            "luck": results.lucks,
            "regret": results.regrets,
            "roll": results.rolls,
        }
        return arguments.shown_info(infos | {f"_{name}": is_there.copy() for name in infos}, hints=self._hints)


@cache
def _threads(process: int) -> ThreadPoolExecutor:  # noqa: ARG001 (a forked process has no threads yet)
    """The threads that all vector environments of a process share."""
    return ThreadPoolExecutor(max(1, thread_count() - 1), "ten18-step")


def roll_places(game: Game, num_envs: int, which: Ints, rolls: object) -> Ints:
    """The places in the support of the user's rolls [game, round], for the games that start."""
    try:
        array = np.asarray(rolls)
    except ValueError:  # rows of different lengths
        array = np.zeros(0)
    if array.shape != (num_envs, game.size) or array.dtype.kind not in "iu":
        raise Ten18Error(f"accepted: an array of {num_envs} × {game.size} rolls, one row per game", "rolls", rolls)
    support = np.array(game.dice.support)
    starting = array[which]
    places = np.minimum(np.searchsorted(support, starting), len(support) - 1)
    if (wrong := (support[places] != starting).any(axis=1)).any():
        arguments.places_of(game, starting[wrong.argmax()])  # raises an error that names the roll
    return places
