"""The duel for PettingZoo: two players on the same rolls, both moving at the same time, the higher score wins.

>>> from tentimes18.envs import duel_v0
>>> env = duel_v0.parallel_env(dice="1d6", slots="1-3")
>>> observations, infos = env.reset(seed=18)
>>> while env.agents:
...     actions = {agent: int(env.equilibrium.policy(observations[agent]).argmax()) for agent in env.agents}
...     observations, rewards, terminations, truncations, infos = env.step(actions)
>>> rewards  # two players of the equilibrium, without a mixed move on the way
{'player_0': 0.0, 'player_1': 0.0}
"""

from collections.abc import Mapping
from functools import cached_property
from random import SystemRandom
from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tentimes18.envs import arguments
from tentimes18.envs.arguments import DiceLike, SlotsLike
from tentimes18.envs.duel_view import PLAYERS, DuelEquilibrium, DuelView, Observation
from tentimes18.envs.exploitability import Exploitability, Policy, exploitability
from tentimes18.envs.ten18 import board_text, pictures
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Position
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.run import Run

try:
    from pettingzoo import ParallelEnv
    from pettingzoo.utils.conversions import parallel_to_aec
except ImportError:
    raise Ten18Error("duels need pettingzoo: pip install 'tentimes18[rl]'") from None

ILLEGAL_REWARD = -1.0
Infos: TypeAlias = dict[str, dict[str, Any]]
Step: TypeAlias = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]


class DuelEnv(ParallelEnv):  # type: ignore[misc]  # without types
    """Two players on the same rolls: both see both boards, and place each roll in a free slot of their own.

    An action is the slot for the roll, counted from 0 by increasing multiplier. An observation (`envs.duel_view`) shows
    both boards as they were before the roll: players see the opponent's choice after the step. The page
    docs/reference/environments-duel.md describes the arguments, rewards, illegal actions and seeds.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "ten18_duel_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(
        self, dice: DiceLike = "3d6", slots: SlotsLike = "1-10", draw: float = 0.5, render_mode: str | None = None
    ) -> None:
        arguments.verify_choice(render_mode, (None, *self.metadata["render_modes"]), "render_mode")
        self.view = DuelView(arguments.game_of(dice, slots), draw)
        self.game = self.view.game
        self.render_mode = render_mode
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        self._spaces = dict.fromkeys(PLAYERS, self.view.space)
        self._actions = {agent: spaces.Discrete(self.game.size) for agent in PLAYERS}
        self.state_space = self.view.space["observation"]
        self._seed: int | None = None
        self._episode = 0
        self._rolls: list[int] = []
        self.boards = (Board(self.game), Board(self.game))
        """Both boards, for strategies, reviews and records."""

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Two empty boards and the first roll: of the next game of the seed, or the first one of this one."""
        rolls = arguments.options_in(options, "{'rolls': [...]}").get("rolls")
        if seed is not None or self._seed is None:
            self._seed, self._episode = SystemRandom().getrandbits(63) if seed is None else arguments.seed_of(seed), 0
        if rolls is not None:
            self._rolls = [self.game.dice.support[place] for place in arguments.places_of(self.game, rolls)]
        else:
            (self._rolls,) = drawn_rolls(Run(self.game, (), self._seed), self._episode, 1)
            self._episode += 1
        self.agents = list(PLAYERS)
        self.boards = (Board(self.game), Board(self.game))
        return self._observations(), {agent: {"illegal": False} for agent in PLAYERS}

    def step(self, actions: Mapping[str, Any]) -> Step:
        """Place the roll on both boards, and show the next one; nothing where the duel is over."""
        roll = self.roll
        if roll is None:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            raise Ten18Error("accepted: an action of each player, by their names", "actions", actions)
        if missing := [agent for agent in PLAYERS if agent not in actions]:
            raise Ten18Error(f"both players move; there is no action of {' and '.join(missing)}", "actions")
        first, second = (
            _placed(board, roll, actions[agent]) for board, agent in zip(self.boards, PLAYERS, strict=True)
        )
        illegal = [first is None, second is None]
        if first is not None and second is not None:
            self.boards = (first, second)
        is_over = any(illegal) or not self.boards[0].free
        rewards = [0.0, 0.0]
        if any(illegal):
            rewards = [ILLEGAL_REWARD if is_illegal else -ILLEGAL_REWARD for is_illegal in illegal]
        elif is_over:
            rewards = [self.view.reward(self._position(player).lead, player) for player in (0, 1)]
        if is_over:
            self.agents = []
        return (
            self._observations(),
            dict(zip(PLAYERS, rewards, strict=True)),
            dict.fromkeys(PLAYERS, is_over),
            dict.fromkeys(PLAYERS, False),
            {agent: {"illegal": is_illegal} for agent, is_illegal in zip(PLAYERS, illegal, strict=True)},
        )

    @property
    def roll(self) -> int | None:
        """The roll to place; none when the duel is over."""
        return self._rolls[self.boards[0].rounds] if self.agents else None

    def state(self) -> NDArray[Any]:
        return self._observations()["player_0"]["observation"]

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return np.asarray(pictures().draw_duel(self.boards, self.roll))
        texts = (board_text(board, self.roll).splitlines() for board in self.boards)
        left, right = ([name, *lines] for name, lines in zip(PLAYERS, texts, strict=True))
        width = max(map(len, left)) + 4
        return "\n".join(f"{line:<{width}}{other}" for line, other in zip(left, right, strict=True))

    @cached_property
    def equilibrium(self) -> DuelEquilibrium:
        """The exact equilibrium: the value of every observation, and the mixed move for it."""
        return DuelEquilibrium(self.view)

    def exploitability(self, policy: Policy) -> Exploitability:
        """How much the best response makes against a policy: 0 for the equilibrium, more for anything else."""
        return exploitability(self.view, policy)

    def _position(self, player: int) -> Position:
        return Position(self.boards[player], self.boards[1 - player])

    def _observations(self) -> dict[str, Observation]:
        roll = self.roll
        seen = {agent: self.view.observe(self._position(i), roll, i) for i, agent in enumerate(PLAYERS)}
        if roll is None:
            for observation in seen.values():
                observation["action_mask"][:] = 0
        return seen


parallel_env = DuelEnv
"""The duel in which both move at the same time."""


def env(dice: DiceLike = "3d6", slots: SlotsLike = "1-10", draw: float = 0.5, render_mode: str | None = None) -> Any:
    """The same for agents that act one after the other: the second does not see the choice of the first."""
    return parallel_to_aec(parallel_env(dice, slots, draw, render_mode))


def _placed(board: Board, roll: int, action: Any) -> Board | None:
    """The board with the roll in the slot of an action; none where that is illegal."""
    try:
        return board.place(roll, arguments.action_of(action) + 1)
    except IllegalMove:
        return None
