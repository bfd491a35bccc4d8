"""Environments for reinforcement learning, in which every action's regret is known exactly.

Importing this package registers `Ten18-v0` and `Assignment-v0` with Gymnasium, and loads nothing else:

>>> import gymnasium as gym
>>> env = gym.make("tentimes18.envs:Ten18-v0", dice="1d6", slots="1-3")
>>> observation, info = env.reset(seed=18)
>>> *_, info = env.step(info["best_action"])
>>> info["regret"]
0.0

`ten18` is the game for one player, `ten18_vector` runs thousands of them at once, `assignment_env` is the general
problem (its arrivals are those of `assignment.arrivals`). `decisions` has the regret of every action. `duel_v0` is the
duel for PettingZoo and `openspiel` for OpenSpiel; `duel_view` is what a player observes, with the equilibrium, and
`exploitability` what a best response gains against a policy. `arguments` checks what users pass.

`evaluation` has the rest: `evaluate` measures how far an agent is from the best play, `rule_of` makes a rule of a
deterministic agent, and `exact_gap` computes how much that loses, without playing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.solve.thresholds import value_of

try:
    from gymnasium.envs.registration import register
except ImportError:
    raise Ten18Error("environments need gymnasium: pip install 'tentimes18[rl]'") from None

if TYPE_CHECKING:
    from tentimes18.envs.evaluation import evaluate, exact_gap, rule_of

__all__ = ["SOLVED_SHARE", "evaluate", "exact_gap", "rule_of"]

SOLVED_SHARE = 0.99
"""An agent that covers this share of the way from random play to the best, in points, has solved the classic game."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("tentimes18.envs.evaluation"), name)
    raise AttributeError(f"module 'tentimes18.envs' has no attribute {name!r}")


_classic = Game.classic()
_random, _optimal = _classic.dice.mean * sum(_classic.multipliers), value_of(_classic, _classic.all_free)
register(
    "Ten18-v0",
    entry_point="tentimes18.envs.ten18:Ten18Env",
    vector_entry_point="tentimes18.envs.ten18_vector:Ten18VectorEnv",
    reward_threshold=float(_random) + SOLVED_SHARE * float(_optimal - _random),
)
register("Assignment-v0", entry_point="tentimes18.envs.assignment_env:AssignmentEnv")
