"""Agents are judged: how far they are from the best play, told by what they gave up rather than by what they got.

With V the value of the game, a return is V + Σ luck - Σ regret, and luck is 0 on average whatever an agent does that
does not know the rolls to come. So V - E[return] = E[Σ regret]: both sides estimate the gap to the best play, and the
right one without the luck of the rolls, which is most of the variance of the left one.
"""

from typing import Any, Final

import numpy as np
from gymnasium import Env

from tentimes18.coach.losses import Unit
from tentimes18.envs.agents import Choose, Predictor, Turn, choose_of, name_of, strategy_of, whole
from tentimes18.envs.arguments import DiceLike, SlotsLike
from tentimes18.envs.evaluation import Evaluation
from tentimes18.envs.tally import TakenDecisions, Tally
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.kernels.types import Ints
from tentimes18.plan import Plan, admit
from tentimes18.simulate.run import verify_seed

__all__ = ["evaluate"]

BLOCK: Final = 1 << 14  # games at once
BYTES_AN_EPISODE: Final = 80  # its return, regret and length, and what statistics make of them
DECISIONS_KEPT: Final = 1 << 12  # of games one by one, before they are counted


def evaluate(
    agent: Any,
    episodes: int = 10_000,
    *,
    dice: DiceLike = "3d6",
    slots: SlotsLike = "1-10",
    aim: str = "mean",
    env: Env[Any, Any] | None = None,
    seed: int = 0,
    batch: bool = False,
    deterministic: bool = True,
) -> Evaluation:
    """Play these games and say how far from the best play the agent is, with the error of that.

    ``agent`` is a Stable-Baselines3 model, or anything with its `predict`, with or without `action_masks`; a function
    of observation and info that gives an action; or one of our strategies, such as `"nearest"`. With ``batch`` a
    function gets the observations and infos of many games as arrays, and gives an array of actions.

    The games are 0, 1, ... of the seed, as in a simulation (`tentimes18.simulate`): same seed, same games. With
    ``env``, a `Ten18-v0` or an `Assignment-v0` in any wrappers, they are played there one by one. An illegal action
    ends its episode and is counted.

    >>> found = evaluate("nearest", 2000, seed=18)
    >>> abs(found.gap_from_regrets.value - found.gap_from_returns.value) < 4 * found.gap_from_returns.standard_error
    True
    >>> evaluate(lambda observation, info: info["best_action"], 100, dice="1d6", slots="1-3").gap_from_regrets
    Estimate(value=0.0, standard_error=0.0)
    """
    if isinstance(episodes, bool) or not isinstance(episodes, int | np.integer) or episodes < 2:
        raise Ten18Error("accepted: a number of episodes, 2 or more", "episodes", episodes)
    verify_seed(seed)
    admit(
        Plan(f"{episodes:,} episodes", memory=float(BYTES_AN_EPISODE * episodes)),
        instead=lambda limits: f"{int(limits.memory / BYTES_AN_EPISODE):,} fit",
        field="episodes",
    )
    inner: Any = Ten18Env(dice, slots, aim) if env is None else _judged(env)
    is_game = isinstance(inner, Ten18Env)
    if not is_game and strategy_of(agent) is not None:
        raise Ten18Error("plays the game, not another problem", "agent", name_of(agent))
    unit = Unit.of(inner.target if is_game else None)
    tally = Tally(int(episodes), unit, _largest(inner.game) if is_game else abs(inner.optimal_value))
    if env is not None and strategy_of(agent) is None:
        _play_one_by_one(agent, env, tally, seed, deterministic=deterministic)
    else:
        choose = choose_of(agent, inner.game, seed=seed, is_batch=batch, deterministic=deterministic)
        for first in range(0, int(episodes), BLOCK):
            _play_block(choose, inner, first, min(BLOCK, int(episodes) - first), seed, tally)
    return tally.found(name_of(agent), _told(inner), seed, inner.optimal_value)


def _play_block(choose: Choose, inner: Ten18Env, first: int, count: int, seed: int, tally: Tally) -> None:
    """Games from a number on, all at once."""
    aim = "mean" if inner.target is None else f"target:{inner.target}"
    envs = Ten18VectorEnv(count, inner.game.dice, inner.game.multipliers, aim)
    multipliers = np.array([float(multiplier) for multiplier in inner.game.multipliers])
    observations, infos = envs.reset_to(seed, first)
    playing, scores = np.arange(count), np.zeros(count)
    rolls: list[Ints] = [infos["roll"]]
    actions: list[Ints] = []
    while playing.size:
        chosen = choose(Turn(first, observations, infos, playing, rolls, actions))
        acted = np.zeros(count, dtype=np.int64)
        acted[playing] = chosen
        before, waiting = infos, rolls[-1]
        observations, rewards, terminations, _, infos = envs.step(acted)
        tally.add(
            TakenDecisions(
                first + playing,
                before["action_mask"][playing],
                waiting[playing].astype(np.float64),
                scores[playing],
                chosen,
                before["best_action"][playing],
                infos["regret"][playing],
                infos["illegal"][playing],
            )
        )
        tally.returns[first + playing] += rewards[playing]
        if inner.target is not None:
            scores += multipliers[np.clip(acted, 0, len(multipliers) - 1)] * waiting
        actions.append(acted)
        rolls.append(infos["roll"])
        playing = playing[~terminations[playing]]


def _play_one_by_one(agent: Any, env: Env[Any, Any], tally: Tally, seed: int, *, deterministic: bool) -> None:
    """In the environment itself, through its wrappers; returns are told by luck and regrets, whatever the rewards."""
    inner: Any = env.unwrapped
    has_score = getattr(inner, "target", None) is not None
    model = Predictor(agent, deterministic=deterministic) if hasattr(agent, "predict") else None
    made: list[tuple[Any, ...]] = []
    for episode in range(len(tally.returns)):
        observation, info = env.reset(seed=seed if not episode else None)
        if not {"action_mask", "best_action", "luck", "regret"} <= info.keys():
            raise Ten18Error("its wrappers hide what the environment says of regrets", "env")
        tally.returns[episode] = inner.optimal_value + info["luck"]
        is_first, is_over = True, False
        while not is_over:
            action = model(observation, info["action_mask"], is_first=is_first) if model else agent(observation, info)
            chosen, before = whole(action), info
            score = float(inner.board.score) if has_score else 0.0
            observation, _, terminated, truncated, info = env.step(chosen)
            tally.returns[episode] += info["luck"] - info["regret"]
            roll = float(before["roll"] if "roll" in before else before["value"])
            known = before["best_action"], info["regret"], info["illegal"]
            made.append((episode, before["action_mask"], roll, score, chosen, *known))
            is_first, is_over = False, terminated or truncated
        if len(made) >= DECISIONS_KEPT or episode == len(tally.returns) - 1:
            tally.add(TakenDecisions(*(np.array(column) for column in zip(*made, strict=True))))
            made.clear()


def _judged(env: Any) -> Any:
    """The environment inside of all wrappers, where it is one that knows regrets."""
    inner = getattr(env, "unwrapped", None)
    if not isinstance(env, Env) or not hasattr(inner, "optimal_value"):
        raise Ten18Error("accepted: a Ten18-v0 or an Assignment-v0 for one player, in any wrappers", "env", env)
    return inner


def _largest(game: Game) -> float:
    return max(map(abs, map(float, game.multipliers))) * max(map(abs, game.dice.support))


def _told(inner: Any) -> dict[str, str]:
    """What was played."""
    if isinstance(inner, Ten18Env):
        aim = "mean" if inner.target is None else f"target:{inner.target}"
        return {"dice": str(inner.game.dice), "slots": inner.game.slots, "aim": aim}
    return {"environment": type(inner).__name__ if inner.spec is None else inner.spec.id}
