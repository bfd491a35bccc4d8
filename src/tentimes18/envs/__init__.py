"""Environments for reinforcement learning, in which every action's regret is known exactly.

Importing this room tells Gymnasium of `Ten18-v0` and `Assignment-v0`, and loads nothing else:

>>> import gymnasium as gym
>>> env = gym.make("tentimes18.envs:Ten18-v0", dice="1d6", slots="1-3")
>>> observation, info = env.reset(seed=18)
>>> *_, info = env.step(info["best_action"])
>>> info["regret"]
0.0

`ten18` is the game for one player, `ten18_vector` thousands of them at once, `assignment_env` the general problem
behind it, whose values come from `arrival_streams`. `worths` and `assignment_worths` say what their decisions are
worth, `exact_worths` the same in Fractions, `arguments` what they take, `board_text` and `board_picture` how a board
looks, `vector_boards` how those of many games do; `vector_arrays` is what kernels step them on, and `crew` has the
threads for it. `duel_v0` is the duel for PettingZoo, `openspiel` the same for OpenSpiel; `duel_view` says what is seen
of it, `duel_equilibrium` how to play it, and `exploitability` what a policy can be beaten by.

`evaluate` says how far an agent is from the best play, and is imported when it is first used: `judge` plays with
`agents`, `tally` counts, `evaluation` is what comes out.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.solve.values import value_of

try:
    from gymnasium.envs.registration import register
except ImportError:
    raise Ten18Error("environments need gymnasium: pip install 'tentimes18[rl]'") from None

if TYPE_CHECKING:
    from tentimes18.envs.judge import evaluate

__all__ = ["SOLVED_SHARE", "evaluate"]

SOLVED_SHARE: Final = 0.99
"""Of the way from random play to the best one, in points: from there on an agent has solved the classic game."""


def __getattr__(name: str) -> Any:
    if name == "evaluate":
        return import_module("tentimes18.envs.judge").evaluate
    raise AttributeError(f"module 'tentimes18.envs' has no attribute {name!r}")


def _solved_from(game: Game) -> float:
    optimal = value_of(game, game.all_free)
    random = game.dice.mean * sum(game.multipliers)
    return float(random) + SOLVED_SHARE * float(optimal - random)


register(
    "Ten18-v0",
    entry_point="tentimes18.envs.ten18:Ten18Env",
    vector_entry_point="tentimes18.envs.ten18_vector:Ten18VectorEnv",
    reward_threshold=_solved_from(Game.classic()),
)
register("Assignment-v0", entry_point="tentimes18.envs.assignment_env:AssignmentEnv")
