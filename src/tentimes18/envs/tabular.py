"""A deterministic agent as a rule: it is asked once in every position, and all that follows is exact.

The rule is one of our strategies (`tentimes18.strategies`). `score_distribution` has the exact distribution of its
score, and `duel_v0`'s `exploitability` the exact best response to it, also in the classic game.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from tentimes18.envs.arguments import DiceLike, SlotsLike, action_of, game_of
from tentimes18.envs.evaluation import Predictor
from tentimes18.envs.step_kernels import rules_of
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.limits import check_size
from tentimes18.solve.thresholds import Rule, optimal_rule, value_of
from tentimes18.strategies.strategy import RuleStrategy, score_distribution

ANSWER_OPERATIONS = 1e4  # of a function in Python
ANSWER_BYTES = 500


def rule_of(agent: Any, *, dice: DiceLike = "3d6", slots: SlotsLike = "1-10", batch: bool = False) -> RuleStrategy:
    """The rule that a deterministic agent follows in the game of these dice and slots, for the mean.

    ``agent`` is an array [set, roll] of actions, with bit i of a set for free slot i, counted from 0, and the rolls of
    the dice in increasing order; or a function of observation and info, which has `action_mask` and `roll`; with
    ``batch`` a function of arrays of them; or a model with the `predict` of Stable-Baselines3. The agent may do what it
    likes in positions that its own moves never lead to. Raises ``IllegalMove`` where it places a roll in a filled slot.

    >>> lowest = rule_of(lambda observation, info: info["action_mask"].argmax(), dice="1d6", slots="1-3")
    >>> score_distribution(Board(Game.parse("1d6", "1-3")), lowest).mean
    Fraction(21, 1)
    """
    game = game_of(dice, slots)
    positions = len(game.dice.support) << game.size
    check_size(
        f"every decision on {game.size:,} slots",
        bytes=positions * ANSWER_BYTES,
        operations=positions * ANSWER_OPERATIONS,
    )
    is_agent = callable(agent) or hasattr(agent, "predict")
    table = _answers(agent, game, batch=batch) if is_agent else np.asarray(agent)
    if table.shape != (1 << game.size, len(game.dice.support)) or table.dtype.kind not in "iu":
        accepted = f"{1 << game.size:,} × {len(game.dice.support)} actions, a row for each set of free slots"
        raise Ten18Error(f"accepted: {accepted}", "agent")
    waiting, seen = [game.all_free], {0, game.all_free}
    moves: dict[tuple[int, int], int] = {}
    while waiting:
        free = waiting.pop()
        for place, roll in enumerate(game.dice.support):
            slot = int(table[free, place])
            if slot < 0 or not free >> slot & 1:
                listed = " ".join(str(each) for each in range(game.size) if free >> each & 1)
                raise IllegalMove(f"places {roll} in slot {slot} where only {listed} are free, counted from 0", "agent")
            moves[free, roll] = slot + 1
            after = free ^ 1 << slot
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    optimal = optimal_rule(game)  # in positions that the agent never reaches

    def rule(free: int, roll: int) -> int:
        return moves.get((free, roll)) or optimal(free, roll)

    def rule_in(other: Game) -> Rule:
        if other != game:
            raise Ten18Error(f"knows {game} only", "agent", str(other))
        return rule

    return RuleStrategy(str(getattr(agent, "__name__", type(agent).__name__)), rule_in)


def exact_gap(agent: Any, *, dice: DiceLike = "3d6", slots: SlotsLike = "1-10", batch: bool = False) -> Fraction:
    """How much more the best play makes on average than a deterministic agent, exactly; arguments as in `rule_of`.

    >>> exact_gap(lambda observation, info: info["action_mask"].argmax(), dice="1d6", slots="1-2")
    Fraction(3, 4)
    """
    game = game_of(dice, slots)
    rule = rule_of(agent, dice=dice, slots=slots, batch=batch)
    return value_of(game, game.all_free) - Fraction(score_distribution(Board(game), rule, exact=True).mean)


def _answers(agent: Any, game: Game, *, batch: bool) -> Any:
    """The actions of an agent, [set, roll]; row 0 is empty."""
    n, rolls, sets = game.size, np.array(game.dice.support), 1 << game.size
    masks = np.repeat((np.arange(1, sets)[:, np.newaxis] >> np.arange(n) & 1).astype(np.int8), len(rolls), axis=0)
    scaled = np.tile(rules_of(game, by_regret=False).scaled, sets - 1)
    observations = np.column_stack([masks, scaled]).astype(np.float32)
    shown = np.tile(rolls, sets - 1)
    if hasattr(agent, "predict"):
        answers = Predictor(agent)(observations, masks, is_first=True)
    elif batch:
        answers = np.asarray(agent(observations, {"action_mask": masks, "roll": shown}))
    else:
        rows = zip(observations, masks, shown.tolist(), strict=True)
        answers = np.array(
            [action_of(agent(seen, {"action_mask": mask, "roll": roll})) for seen, mask, roll in rows], dtype=np.int64
        )
    if answers.shape != shown.shape:
        raise Ten18Error(f"answered {len(shown):,} positions with an array of shape {answers.shape}", "agent")
    return np.concatenate([np.zeros_like(answers, shape=len(rolls)), answers]).reshape(sets, len(rolls))
