"""Evaluate agents: how far they are from the best play, measured by their regrets rather than by their returns.

With V the value of the game, a return is V + Σ luck - Σ regret, and luck is 0 on average for every agent that does not
know the rolls to come. So V - E[return] = E[Σ regret]: both sides estimate the gap to the best play, and the right one
without the luck of the rolls, which is most of the variance of the left one.

A deterministic agent is a rule (`rule_of`): it is asked once in every position, and all that follows is exact.
`score_distribution` has the exact distribution of the score of the rule, `exact_gap` its gap to the best play, and
`duel_v0`'s `exploitability` the exact best response to it, also in the classic game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from inspect import Parameter, signature
from math import ceil, log10
from random import SystemRandom
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import Env
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.problem import Problem
from tentimes18.coach.losses import CLASSES, ROUNDING, Unit
from tentimes18.envs import arguments
from tentimes18.envs.arguments import DiceLike, SlotsLike
from tentimes18.envs.decisions import rules_of
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.limits import check_size
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.players import slot_chooser
from tentimes18.simulate.run import Run, verify_seed
from tentimes18.solve.thresholds import Rule, optimal_rule, value_of
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import (
    Hindsight,
    ObjectiveStrategy,
    RandomSlot,
    RuleStrategy,
    Strategy,
    score_distribution,
)

BLOCK = 1 << 14  # games at once
EPISODE_BYTES = 80  # return, regret, length, and temporary arrays of the statistics
BUFFER = 1 << 12  # decisions of games played one by one, before they are counted
MAX_COSTLIEST = 10
MAX_SHOWN = 5  # costly decisions in a text
DIGITS = 3
ANSWER_OPERATIONS, ANSWER_BYTES = 1e4, 500  # of a function in Python


class Estimate(NamedTuple):
    value: float
    standard_error: float


class CostlyDecision(NamedTuple):
    """A decision with a large regret, and how often the agent made it.

    ``free`` are the legal actions and ``roll`` the roll or value to place; ``score`` is the score before, where the aim
    depends on it.
    """

    free: tuple[int, ...]
    roll: float
    chosen: int
    best: int
    regret: float
    times: int
    score: float | None = None


@dataclass(frozen=True)
class Evaluation:
    """What some episodes say about an agent; ``print`` shows it, ``to_dict`` makes JSON of it.

    The gap is how much more the best play makes on average. From regrets it is the same number with far less noise,
    since they do not contain the luck of the rolls: returns need ``variance_ratio`` times as many episodes for the same
    error (None where all regrets are equal).

    ``classes`` counts the legal actions, with the thresholds of the coach, which in the general problem are scaled by
    the multipliers and the spread of the values; ``illegal`` the others, each of which ended its episode. ``returns``
    and ``regrets`` are those of every episode.
    """

    agent: str
    environment: dict[str, str]
    episodes: int
    seed: int
    optimal_value: float
    gap_from_returns: Estimate
    gap_from_regrets: Estimate
    variance_ratio: float | None
    moves: int
    regret_a_move: Estimate
    classes: dict[str, int]
    illegal: int
    costliest: tuple[CostlyDecision, ...]
    returns: Floats = field(repr=False, compare=False)
    regrets: Floats = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the single episodes, ready for JSON."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.repr}
        record = {name: value._asdict() if isinstance(value, Estimate) else value for name, value in values.items()}
        return record | {"costliest": [each._asdict() | {"free": list(each.free)} for each in self.costliest]}

    def __str__(self) -> str:
        where = ", ".join(f"{name} {value}" for name, value in self.environment.items())
        digits = _digits(self.gap_from_regrets.standard_error or self.gap_from_returns.standard_error)
        gaps = [("", "gap", "standard error")]
        for name, (gap, error) in (("from returns", self.gap_from_returns), ("from regrets", self.gap_from_regrets)):
            gaps.append((name, f"{gap:z.{digits}f}", f"{error:.{digits}f}"))
        optimal, regret = f"{self.optimal_value:.{digits}f}", f"{self.regret_a_move.value:.3g}"
        summary = f"The best play makes {optimal}; a move gives up {regret}."
        if self.variance_ratio is not None:
            ratio = float(f"{self.variance_ratio:.2g}")
            summary += f" Returns vary {f'{ratio:,.0f}' if ratio >= 10 else f'{ratio:.1f}'} times as much as regrets."
        names = [*(f"{known.name} {known.mark}".strip() for known in CLASSES), "illegal"]
        counts = zip(names, (*self.classes.values(), self.illegal), strict=True)
        classes = [(name, f"{count:,}", f"{count / self.moves:.2%}") for name, count in counts]
        head = f"{self.agent}: {self.episodes:,} episodes, {where}, seed {self.seed}"
        lines = [head, "", *_columns(gaps), "", summary, "", *_columns(classes)]
        if self.costliest:
            has_score = self.costliest[0].score is not None
            rows = [("free", *(("score",) if has_score else ()), "roll", "action", "best", "regret", "times")]
            for free, roll, chosen, best, loss, times, score in self.costliest[:MAX_SHOWN]:
                scores = () if score is None else (f"{score:g}",)
                end = f"{loss:.{min(digits, DIGITS)}f}", f"{times:,}"
                rows.append((" ".join(map(str, free)) or "none", *scores, f"{roll:g}", str(chosen), str(best), *end))
            lines += ["", "costliest decisions", *_columns(rows)]
        return "\n".join(lines)


class Turn(NamedTuple):
    """The next decision of a block of games: the first game's number, the round, and which games are not over."""

    first: int
    round: int
    observations: NDArray[np.float32]
    infos: Mapping[str, Any]
    playing: Ints


Choose: TypeAlias = Callable[[Turn], Ints]
"""Returns an action for every game of a turn that is not over, in their order."""


class Tally:
    """Counts the decisions and returns of episodes in any order.

    ``unit`` is that of regrets, ``scale`` that of the classes of moves: 1 in the game.
    """

    def __init__(self, episodes: int, unit: Unit, largest: float, scale: float = 1.0) -> None:
        self.returns, self.regrets = np.zeros(episodes), np.zeros(episodes)
        self._lengths = np.zeros(episodes, dtype=np.int64)
        rounding = ROUNDING * max(1.0, largest)
        self._thresholds = [float(known.least) * scale / unit.value - rounding for known in CLASSES[2:]]
        self._counts = np.zeros(len(CLASSES), dtype=np.int64)
        self._illegal = 0
        self._has_scores = unit is not Unit.points  # by points the score does not matter
        self._costly: dict[tuple[Any, ...], int] = {}

    def add(self, *columns: NDArray[Any]) -> None:
        """Count decisions, one per row of these columns; scores are 0 where they do not matter."""
        episodes, masks, rolls, scores, actions, best, regrets, illegal = columns
        np.add.at(self.regrets, episodes, regrets)
        np.add.at(self._lengths, episodes, 1)
        losses = regrets[~illegal]
        places = np.where(losses == 0, 0, 1 + np.searchsorted(self._thresholds, losses, side="right"))
        self._counts += np.bincount(places, minlength=len(CLASSES))
        self._illegal += int(illegal.sum())
        levels = np.unique(regrets[regrets > 0])
        if not levels.size:
            return
        # Equal decisions have equal regrets: those with the largest regrets of all are among the largest here.
        rows = np.flatnonzero(regrets >= levels[-MAX_COSTLIEST:][0])
        table = np.column_stack([column[rows] for column in (rolls, scores, actions, best, regrets, masks)])
        different, counts = np.unique(table, axis=0, return_counts=True)
        for row, count in zip(different.tolist(), counts.tolist(), strict=True):
            self._costly[tuple(row)] = self._costly.get(tuple(row), 0) + count
        self._costly = dict(sorted(self._costly.items(), key=lambda entry: (-entry[0][4], entry[0]))[:MAX_COSTLIEST])

    def evaluation(self, agent: str, environment: dict[str, str], seed: int, optimal: float) -> Evaluation:
        moves, total = int(self._lengths.sum()), float(self.regrets.sum())
        variance = float(self.regrets.var(ddof=1))
        rate = total / moves
        costliest = []
        for (roll, score, chosen, best, regret, *mask), times in self._costly.items():
            free = tuple(action for action, is_free in enumerate(mask) if is_free)
            shown_score = score if self._has_scores else None
            costliest.append(CostlyDecision(free, roll, int(chosen), int(best), regret, times, shown_score))
        return Evaluation(
            agent=agent,
            environment=environment,
            episodes=len(self.returns),
            seed=seed,
            optimal_value=optimal,
            gap_from_returns=_estimate(optimal - self.returns),
            gap_from_regrets=_estimate(self.regrets),
            variance_ratio=float(self.returns.var(ddof=1)) / variance if variance else None,
            moves=moves,
            regret_a_move=Estimate(rate, _estimate(self.regrets - rate * self._lengths)[1] * len(self.returns) / moves),
            classes=dict(zip((known.name for known in CLASSES), self._counts.tolist(), strict=True)),
            illegal=self._illegal,
            costliest=tuple(costliest),
            returns=self.returns,
            regrets=self.regrets,
        )


def evaluate(
    agent: Any,
    episodes: int = 10_000,
    *,
    dice: DiceLike = "3d6",
    slots: SlotsLike = "1-10",
    aim: str = "mean",
    env: Env[Any, Any] | None = None,
    seed: int | None = 0,
    batch: bool = False,
    deterministic: bool = True,
    hints: bool = True,
) -> Evaluation:
    """Play games and estimate how far the agent is from the best play, with standard errors.

    ``agent`` is a Stable-Baselines3 model, or anything with its `predict`, with or without `action_masks`; a function
    of observation and info that returns an action; or one of our strategies, such as `"nearest"`. With ``batch`` a
    function gets the observations and infos of many games as arrays, and returns an array of actions.

    A function with a method `reset` plays game after game, and `reset()` is called before each of them.

    The games are 0, 1, ... of the seed, as in a simulation (`tentimes18.simulate`): same seed, same games. With
    ``seed=None`` they are those of a random seed, which the result reports afterwards. With ``hints=False`` the agent
    sees no `best_action`, `luck` or `regret`. With ``env``, a `Ten18-v0` or an `Assignment-v0` in any wrappers, the
    games are played there one by one. An illegal action ends its episode and is counted.

    >>> evaluate(lambda observation, info: info["best_action"], 100, dice="1d6", slots="1-3").gap_from_regrets
    Estimate(value=0.0, standard_error=0.0)
    """
    if isinstance(episodes, bool) or not isinstance(episodes, int | np.integer) or episodes < 2:
        raise Ten18Error("accepted: a number of episodes, 2 or more", "episodes", episodes)
    seed = SystemRandom().getrandbits(63) if seed is None else seed
    verify_seed(seed)
    check_size(f"{episodes:,} episodes", bytes=float(EPISODE_BYTES * episodes), field="episodes")
    inner: Any = Ten18Env(dice, slots, aim) if env is None else getattr(env, "unwrapped", None)
    if not hasattr(inner, "optimal_value") or not (env is None or isinstance(env, Env)):
        raise Ten18Error("accepted: a Ten18-v0 or an Assignment-v0 for one player, in any wrappers", "env", env)
    is_game = isinstance(inner, Ten18Env)
    strategy = _strategy_of(agent)
    name = str(getattr(agent, "__name__", type(agent).__name__)) if strategy is None else strategy.name
    if is_game:
        largest = max(map(abs, map(float, inner.game.multipliers))) * max(map(abs, inner.game.dice.support))
        aim = "mean" if inner.target is None else f"target:{inner.target}"
        environment, scale = {"dice": str(inner.game.dice), "slots": inner.game.slots, "aim": aim}, 1.0
    else:
        if strategy is not None:
            raise Ten18Error("plays the game, not another problem", "agent", name)
        largest, aim, scale = abs(inner.optimal_value), "mean", _scale_of(inner.problem)
        environment = {"environment": type(inner).__name__ if inner.spec is None else inner.spec.id}
    tally = Tally(int(episodes), Unit.points if aim == "mean" else Unit.chance, largest, scale)
    begin = None if hasattr(agent, "predict") else getattr(agent, "reset", None)
    agent = Predictor(agent, deterministic=deterministic) if hasattr(agent, "predict") else agent
    if strategy is None and (env is not None or callable(begin)):
        _play_one_by_one(agent, begin, env or inner, tally, seed, hints=hints)
    else:
        if strategy is not None:
            choose = _by_strategy(strategy, inner.game, seed)
        else:
            choose = _choose_by(agent, batch=batch, hints=hints)
        for first in range(0, int(episodes), BLOCK):
            count = min(BLOCK, int(episodes) - first)
            envs = Ten18VectorEnv(count, inner.game.dice, inner.game.multipliers, aim)
            _play_block(choose, envs, first, seed, tally)
    return tally.evaluation(name, environment, seed, inner.optimal_value)


class Predictor:
    """A model with the `predict` of Stable-Baselines3, with or without masks, with or without a memory."""

    def __init__(self, model: Any, *, deterministic: bool = True) -> None:
        self._predict, self._deterministic, self._memory = model.predict, deterministic, None
        parameters = signature(model.predict).parameters
        takes_all = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values())
        names = ("action_masks", "deterministic", "episode_start", "state")
        self._accepted = [name for name in names if takes_all or name in parameters]

    def __call__(self, observations: Any, masks: NDArray[Any], *, is_first: bool) -> NDArray[Any]:
        """The actions for these observations, of one game or of many; ``is_first`` says that new games begin."""
        if is_first:
            self._memory = None
        options = {
            "action_masks": masks.astype(np.bool_),
            "deterministic": self._deterministic,
            "episode_start": np.full(len(masks) if masks.ndim > 1 else 1, is_first),
            "state": self._memory,
        }
        answer = self._predict(observations, **{name: options[name] for name in self._accepted})
        actions, self._memory = answer if isinstance(answer, tuple) else (answer, None)
        return np.asarray(actions)


def _strategy_of(agent: Any) -> Strategy | None:
    """The strategy that an agent is or names; None for a model or a function."""
    if isinstance(agent, str):
        return named(agent)
    if hasattr(agent, "choose") and not hasattr(agent, "predict"):
        strategy: Strategy = agent
        return strategy
    if not hasattr(agent, "predict") and not callable(agent):
        accepted = "a model with predict, a function of observation and info, a strategy, or the name of one"
        raise Ten18Error(f"accepted: {accepted}", "agent", agent)
    return None


def _choose_by(agent: Any, *, batch: bool, hints: bool = True) -> Choose:
    """How a predictor or a function chooses; with ``batch`` a function gets many games at once."""

    def choose(turn: Turn) -> Ints:
        masks, playing = turn.infos["action_mask"], turn.playing
        if isinstance(agent, Predictor):
            shown_masks = np.ones_like(masks)  # some models fail if no action is allowed, as at the end
            shown_masks[playing] = masks[playing]
            return _whole_numbers(agent(turn.observations, shown_masks, is_first=not turn.round), len(masks))[playing]
        shown = arguments.shown_info(dict(turn.infos), hints=hints)
        infos = {name: values[playing] for name, values in shown.items() if not name.startswith("_")}
        observations = turn.observations[playing]
        if batch:
            return _whole_numbers(agent(observations, infos), len(playing))
        actions = []
        for i, observation in enumerate(observations):
            info = {name: values[i] if values.ndim > 1 else values[i].item() for name, values in infos.items()}
            actions.append(arguments.action_of(agent(observation, info)))
        return np.array(actions, dtype=np.int64)

    return choose


def _whole_numbers(actions: Any, count: int) -> Ints:
    answer = np.asarray(actions)
    if answer.shape != (count,):
        raise Ten18Error(f"answered {count} games with an array of shape {answer.shape}", "agent")
    return answer.astype(np.int64) if answer.dtype.kind in "iu" else np.full(count, arguments.NO_ACTION, dtype=np.int64)


def _by_strategy(strategy: Strategy, game: Game, seed: int) -> Choose:
    if isinstance(strategy, Hindsight):
        raise Ten18Error("knows the rolls to come, which no environment shows", "agent", strategy.name)
    run = Run(game, (strategy.name,), seed)
    if not isinstance(strategy, RuleStrategy | ObjectiveStrategy | RandomSlot):
        strategy = _Unknowing(strategy.name, strategy)
    slots_in, slots = slot_chooser(strategy, run, 0), np.empty((0, 0), dtype=np.uint16)

    def choose(turn: Turn) -> Ints:
        nonlocal slots
        if not turn.round:
            slots = slots_in(turn.first, draw(run, turn.first, len(turn.infos["roll"])))
        return np.asarray(slots[turn.round, turn.playing], dtype=np.int64)

    return choose


@dataclass(frozen=True)
class _Unknowing:
    """A user's strategy, which does not see the rolls to come."""

    name: str
    strategy: Strategy

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        return self.strategy.choose(board, roll)


def _play_block(choose: Choose, envs: Ten18VectorEnv, first: int, seed: int, tally: Tally) -> None:
    count = envs.num_envs
    multipliers = np.array([float(multiplier) for multiplier in envs.game.multipliers])
    observations, infos = envs.reset_to(seed, first)
    playing, scores, round_ = np.arange(count), np.zeros(count), 0
    while playing.size:
        acted, before = np.zeros(count, dtype=np.int64), infos
        acted[playing] = choose(Turn(first, round_, observations, infos, playing))
        observations, rewards, terminations, _, infos = envs.step(acted)
        columns: list[Any] = [before["action_mask"], before["roll"].astype(np.float64), scores, acted]
        columns += [before["best_action"], infos["regret"], infos["illegal"]]
        tally.add(first + playing, *(column[playing] for column in columns))
        tally.returns[first + playing] += rewards[playing]
        if envs.target is not None:
            scores += multipliers[np.clip(acted, 0, len(multipliers) - 1)] * before["roll"]
        playing, round_ = playing[~terminations[playing]], round_ + 1


def _play_one_by_one(agent: Any, begin: Any, env: Env[Any, Any], tally: Tally, seed: int, *, hints: bool) -> None:
    """In the environment itself, through its wrappers. These may change rewards: returns come from luck and regrets."""
    inner: Any = env.unwrapped
    has_score = getattr(inner, "target", None) is not None
    taken: list[tuple[Any, ...]] = []
    for episode in range(len(tally.returns)):
        observation, info = env.reset(seed=seed if not episode else None)
        if not {"action_mask", "best_action", "luck", "regret"} <= info.keys():
            raise Ten18Error("its info has no regrets", "env")
        if callable(begin):
            begin()
        tally.returns[episode] = inner.optimal_value + info["luck"]
        is_first, is_over = True, False
        while not is_over:
            if isinstance(agent, Predictor):
                action = agent(observation, info["action_mask"], is_first=is_first)
            else:
                action = agent(observation, arguments.shown_info(info, hints=hints))
            chosen, before = arguments.action_of(action), info
            score = float(inner.board.score) if has_score else 0.0
            observation, _, terminated, truncated, info = env.step(chosen)
            tally.returns[episode] += info["luck"] - info["regret"]
            roll = float(before["roll"] if "roll" in before else before["value"])
            outcome = before["best_action"], info["regret"], info["illegal"]
            taken.append((episode, before["action_mask"], roll, score, chosen, *outcome))
            is_first, is_over = False, terminated or truncated
        if len(taken) >= BUFFER or episode == len(tally.returns) - 1:
            tally.add(*(np.array(column) for column in zip(*taken, strict=True)))
            taken.clear()


def _scale_of(problem: Problem) -> float:
    """The mean multiplier times the mean absolute deviation of a value, in units of the classic game's."""
    classic = Game.classic()
    spreads = [_spread(distribution) for distribution in problem.distributions]
    sizes = [abs(float(multiplier)) for multiplier in problem.multipliers]
    unit = float(sum(classic.multipliers)) / classic.size * _spread(classic.dice)
    return sum(sizes) / len(sizes) * sum(spreads) / len(spreads) / unit


def _spread(distribution: Any) -> float:
    """E|X - m| = 2 (m - E[min(X, m)]) with the mean m."""
    return 2.0 * float(distribution.mean - distribution.phi(distribution.mean))


def _estimate(values: Floats) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def _digits(error: float) -> int:
    return min(9, max(2, 1 + ceil(-log10(error)))) if error else DIGITS


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    first, *widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        aligned = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join([name.ljust(first), *aligned]).rstrip())
    return lines


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
    game = arguments.game_of(dice, slots)
    positions = len(game.dice.support) << game.size
    check_size(
        f"every decision on {game.size:,} slots",
        bytes=positions * ANSWER_BYTES,
        operations=positions * ANSWER_OPERATIONS,
    )
    is_agent = callable(agent) or hasattr(agent, "predict")
    table: Any = _answers(agent, game, batch=batch) if is_agent else np.asarray(agent)
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
    game = arguments.game_of(dice, slots)
    rule = rule_of(agent, dice=dice, slots=slots, batch=batch)
    return value_of(game, game.all_free) - Fraction(score_distribution(Board(game), rule, exact=True).mean)


def _answers(agent: Any, game: Game, *, batch: bool) -> Ints:
    """The actions of an agent, [set, roll]; row 0 is empty."""
    rolls, sets = game.dice.support, 1 << game.size
    free = np.arange(1, sets)[:, np.newaxis] >> np.arange(game.size) & 1
    masks = np.repeat(free.astype(np.int8), len(rolls), axis=0)
    scaled = np.tile(rules_of(game, by_regret=False).scaled, sets - 1)
    observations = np.column_stack([masks, scaled]).astype(np.float32)
    infos = {"action_mask": masks, "roll": np.tile(np.array(rolls), sets - 1)}
    agent = Predictor(agent) if hasattr(agent, "predict") else agent
    answers = _choose_by(agent, batch=batch)(Turn(0, 0, observations, infos, np.arange(len(masks))))
    return np.concatenate([np.zeros(len(rolls), dtype=np.int64), answers]).reshape(sets, len(rolls))
