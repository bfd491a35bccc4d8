"""Evaluate agents: how far they are from the best play, measured by their regrets rather than by their returns.

With V the value of the game, a return is V + Σ luck - Σ regret, and luck is 0 on average for every agent that does not
know the rolls to come. So V - E[return] = E[Σ regret]: both sides estimate the gap to the best play, and the right one
without the luck of the rolls, which is most of the variance of the left one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import Parameter, signature
from operator import index
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import Env
from numpy.typing import NDArray

from tentimes18.arrays import Bools, Floats, Ints
from tentimes18.coach.losses import CLASSES, ROUNDING, Unit
from tentimes18.envs.arguments import DiceLike, SlotsLike
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.limits import check_size
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.players import has_table, random_play
from tentimes18.simulate.run import Run, verify_seed
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import named
from tentimes18.strategies.solved import rule_table
from tentimes18.strategies.strategy import Hindsight, ObjectiveStrategy, RandomSlot, RuleStrategy, Strategy

BLOCK = 1 << 14  # games at once
EPISODE_BYTES = 80  # return, regret, length, and temporary arrays of the statistics
BUFFER = 1 << 12  # decisions of games played one by one, before they are counted
MAX_COSTLIEST = 10
MAX_SHOWN = 5  # costly decisions in a text
DIGITS = 3
NO_ACTION = -1  # stands for anything that is no integer: no environment allows it


class Estimate(NamedTuple):
    """A mean over episodes, and its standard error."""

    value: float
    standard_error: float


class CostlyDecision(NamedTuple):
    """A decision that gave up much, and how often it was made so.

    ``free`` are the actions that were allowed, ``roll`` what was to be placed; ``score`` are the points made before,
    where the aim depends on them.
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
    """What some episodes tell of an agent; ``print`` shows it, ``to_dict`` makes JSON of it.

    The gap is what the best play has more, on average. From regrets it is the same number with far less noise, since
    the luck of the rolls is not in them: ``variance_ratio`` says by how many times the variance of returns is larger,
    so by how many times more episodes returns need for the same error; none where all regrets are equal.

    ``classes`` counts the legal actions, with the bounds of the coach; ``illegal`` the others, each of which ended its
    episode. ``returns`` and ``regrets`` are those of every episode.
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
        names = [each.name for each in fields(self) if each.repr]
        values = {name: getattr(self, name) for name in names}
        found = {name: value._asdict() if isinstance(value, Estimate) else value for name, value in values.items()}
        return found | {"costliest": [each._asdict() | {"free": list(each.free)} for each in self.costliest]}

    def __str__(self) -> str:
        where = ", ".join(f"{name} {told}" for name, told in self.environment.items())
        digits = _digits(self.gap_from_regrets.standard_error or self.gap_from_returns.standard_error)
        gaps = [("", "gap", "standard error")]
        for name, (gap, error) in (("from returns", self.gap_from_returns), ("from regrets", self.gap_from_regrets)):
            gaps.append((name, f"{gap:z.{digits}f}", f"{error:.{digits}f}"))
        told = f"The best play makes {self.optimal_value:.{digits}f}; a move gives up {self.regret_a_move.value:.3g}."
        if self.variance_ratio is not None:
            told += f" Returns vary {_rounded(self.variance_ratio)} times as much as regrets."
        marks = {known.name: f"{known.name} {known.mark}".strip() for known in CLASSES}
        counts = [(marks[name], count) for name, count in self.classes.items()] + [("illegal", self.illegal)]
        classes = [(name, f"{count:,}", f"{count / self.moves:.2%}") for name, count in counts]
        head = f"{self.agent}: {self.episodes:,} episodes, {where}, seed {self.seed}"
        lines = [head, "", *_columns(gaps), "", told, "", *_columns(classes)]
        if self.costliest:
            lines += ["", "costliest decisions", *_columns(self._decision_rows(digits))]
        return "\n".join(lines)

    def _decision_rows(self, digits: int) -> list[tuple[str, ...]]:
        shown = self.costliest[:MAX_SHOWN]
        has_score = any(decision.score is not None for decision in shown)
        rows: list[tuple[str, ...]] = [
            ("free", *(("score",) if has_score else ()), "roll", "action", "best", "regret", "times")
        ]
        for decision in shown:
            score = () if decision.score is None else (f"{decision.score:g}",)
            rest = (f"{decision.roll:g}", str(decision.chosen), str(decision.best))
            regret = f"{decision.regret:.{min(digits, DIGITS)}f}"
            rows.append((_ranges(decision.free), *score, *rest, regret, f"{decision.times:,}"))
        return rows


class Turn(NamedTuple):
    """The decision that a block of games waits for.

    ``first`` is the number of the first game, ``playing`` which games are not over, ``rolls`` those of all rounds up to
    this one and ``actions`` those before it, an array of all games for each.
    """

    first: int
    observations: NDArray[np.float32]
    infos: Mapping[str, Any]
    playing: Ints
    rolls: Sequence[Ints]
    actions: Sequence[Ints]

    @property
    def masks(self) -> NDArray[np.int8]:
        """What is allowed, [game, action]."""
        masks: NDArray[np.int8] = self.infos["action_mask"]
        return masks


Choose: TypeAlias = Callable[[Turn], Ints]
"""Gives an action for every game of a turn that is not over, in their order."""


class TakenDecisions(NamedTuple):
    """Decisions as they were made, a row each: in which episode, what was allowed, what was chosen, what it cost.

    ``scores`` are 0 where they do not matter.
    """

    episodes: Ints
    masks: NDArray[np.int8]
    rolls: Floats
    scores: Floats
    actions: Ints
    best: Ints
    regrets: Floats
    illegal: Bools


class Tally:
    """Counts decisions and returns of so many episodes, in any order; ``unit`` is what regrets are counted in."""

    def __init__(self, episodes: int, unit: Unit, largest: float) -> None:
        self.returns, self.regrets = np.zeros(episodes), np.zeros(episodes)
        self._lengths = np.zeros(episodes, dtype=np.int64)
        rounding = ROUNDING * max(1.0, largest)
        self._bounds = [float(found.least) / unit.value - rounding for found in CLASSES[2:]]
        self._counts = np.zeros(len(CLASSES), dtype=np.int64)
        self._illegal = 0
        self._has_scores = unit is not Unit.points  # by points the score does not matter
        self._costly: dict[tuple[Any, ...], int] = {}

    def add(self, made: TakenDecisions) -> None:
        """Count these, of any episodes; those of one are in their order."""
        np.add.at(self.regrets, made.episodes, made.regrets)
        np.add.at(self._lengths, made.episodes, 1)
        losses = made.regrets[~made.illegal]
        places = np.where(losses == 0, 0, 1 + np.searchsorted(self._bounds, losses, side="right"))
        self._counts += np.bincount(places, minlength=len(CLASSES))
        self._illegal += int(made.illegal.sum())
        self._add_costly(made)

    def _add_costly(self, made: TakenDecisions) -> None:
        """Equal decisions have equal regrets: those with the largest regrets of all are among the largest here."""
        levels = np.unique(made.regrets[made.regrets > 0])
        if not levels.size:
            return
        rows = np.flatnonzero(made.regrets >= levels[-MAX_COSTLIEST:][0])
        columns = [made.rolls, made.scores, made.actions, made.best, made.regrets]
        table = np.column_stack([*(column[rows] for column in columns), made.masks[rows]])
        different, counts = np.unique(table, axis=0, return_counts=True)
        for row, count in zip(different.tolist(), counts.tolist(), strict=True):
            self._costly[tuple(row)] = self._costly.get(tuple(row), 0) + count
        self._costly = dict(sorted(self._costly.items(), key=lambda found: (-found[0][4], found[0]))[:MAX_COSTLIEST])

    def _costliest(self) -> tuple[CostlyDecision, ...]:
        return tuple(
            CostlyDecision(
                tuple(action for action, is_free in enumerate(mask) if is_free),
                roll,
                int(chosen),
                int(best),
                regret,
                times,
                score if self._has_scores else None,
            )
            for (roll, score, chosen, best, regret, *mask), times in self._costly.items()
        )

    def evaluation(self, agent: str, environment: dict[str, str], seed: int, optimal: float) -> Evaluation:
        """The estimates from all that was counted."""
        moves, total = int(self._lengths.sum()), float(self.regrets.sum())
        variance = float(self.regrets.var(ddof=1))
        rate = total / moves
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
            costliest=self._costliest(),
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
    check_size(f"{episodes:,} episodes", bytes=float(EPISODE_BYTES * episodes), field="episodes")
    inner: Any = Ten18Env(dice, slots, aim) if env is None else _judged(env)
    is_game = isinstance(inner, Ten18Env)
    is_strategy = _strategy_of(agent) is not None
    if not is_game and is_strategy:
        raise Ten18Error("plays the game, not another problem", "agent", _name_of(agent))
    unit = Unit.of(inner.target if is_game else None)
    tally = Tally(int(episodes), unit, _largest(inner.game) if is_game else abs(inner.optimal_value))
    if env is not None and not is_strategy:
        _play_one_by_one(agent, env, tally, seed, deterministic=deterministic)
    else:
        choose = _choose_of(agent, inner.game, seed=seed, is_batch=batch, deterministic=deterministic)
        for first in range(0, int(episodes), BLOCK):
            _play_block(choose, inner, first, min(BLOCK, int(episodes) - first), seed, tally)
    return tally.evaluation(_name_of(agent), _environment(inner), seed, inner.optimal_value)


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


def _choose_of(agent: Any, game: Game, *, seed: int, is_batch: bool, deterministic: bool) -> Choose:
    """How this agent chooses for many games at once; ``is_batch`` says that a function takes all games in a call."""
    strategy = _strategy_of(agent)
    if strategy is not None:
        return strategy_choice(strategy, game, seed)
    if hasattr(agent, "predict"):
        return _by_prediction(Predictor(agent, deterministic=deterministic))
    return _by_batches(agent) if is_batch else _one_by_one(agent)


def _strategy_of(agent: Any) -> Strategy | None:
    """The strategy that an agent is or names; none where it is a model or a function."""
    if isinstance(agent, str):
        return named(agent)
    if hasattr(agent, "choose") and not hasattr(agent, "predict"):
        strategy: Strategy = agent
        return strategy
    if not hasattr(agent, "predict") and not callable(agent):
        accepted = "a model with predict, a function of observation and info, a strategy, or the name of one"
        raise Ten18Error(f"accepted: {accepted}", "agent", agent)
    return None


def _name_of(agent: Any) -> str:
    strategy = _strategy_of(agent)
    return str(getattr(agent, "__name__", type(agent).__name__)) if strategy is None else strategy.name


def _whole(action: Any) -> int:
    """An action as an integer, also where it is an array with nothing else in it; NO_ACTION where it is none."""
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.reshape(-1)[0]
    try:
        number = index(action)
    except TypeError:
        return NO_ACTION
    return number if abs(number) < 1 << 62 else NO_ACTION


def _whole_numbers(actions: Any, count: int) -> Ints:
    answer = np.asarray(actions)
    if answer.shape != (count,):
        raise Ten18Error(f"answered {count} games with an array of shape {answer.shape}", "agent")
    return answer.astype(np.int64) if answer.dtype.kind in "iu" else np.full(count, NO_ACTION, dtype=np.int64)


def _by_prediction(model: Predictor) -> Choose:
    def choose(turn: Turn) -> Ints:
        masks = np.ones_like(turn.masks)  # some models fail where nothing is allowed, as in games that are over
        masks[turn.playing] = turn.masks[turn.playing]
        actions = model(turn.observations, masks, is_first=not turn.actions)
        return _whole_numbers(actions, len(masks))[turn.playing]

    return choose


def _by_batches(function: Callable[[Any, Any], Any]) -> Choose:
    def choose(turn: Turn) -> Ints:
        infos = {name: values[turn.playing] for name, values in turn.infos.items() if not name.startswith("_")}
        return _whole_numbers(function(turn.observations[turn.playing], infos), len(turn.playing))

    return choose


def _one_by_one(function: Callable[[Any, Any], Any]) -> Choose:
    def choose(turn: Turn) -> Ints:
        infos = {name: values for name, values in turn.infos.items() if not name.startswith("_")}
        actions = []
        for i in turn.playing.tolist():
            info = {name: values[i].copy() if values.ndim > 1 else values[i].item() for name, values in infos.items()}
            actions.append(_whole(function(turn.observations[i].copy(), info)))
        return np.array(actions, dtype=np.int64)

    return choose


def strategy_choice(strategy: Strategy, game: Game, seed: int) -> Choose:
    """How a strategy chooses for many games at once: by a table where it has one, otherwise board by board."""
    if isinstance(strategy, Hindsight):
        raise Ten18Error("knows the rolls to come, which no environment shows", "agent", strategy.name)
    if isinstance(strategy, RandomSlot):
        return _random_choice(game, seed)
    support, bits = np.array(game.dice.support), 1 << np.arange(game.size)

    if isinstance(strategy, ObjectiveStrategy):
        starts, slots = strategy.solve(game).slot_table()
        shifts = np.array(lattice_of(game).shifts)

        def by_score(turn: Turn) -> Ints:
            rows = [np.searchsorted(support, row[turn.playing]) for row in turn.rolls]
            made = np.zeros(len(turn.playing), dtype=np.int64)
            for places, actions in zip(rows, turn.actions, strict=False):
                made += shifts[actions[turn.playing], places]
            return np.asarray(slots[starts[turn.masks[turn.playing] @ bits] + made, rows[-1]], dtype=np.int64)

        return by_score
    if isinstance(strategy, RuleStrategy) and has_table(game):
        table = rule_table(strategy, game)

        def by_table(turn: Turn) -> Ints:
            places = np.searchsorted(support, turn.rolls[-1][turn.playing])
            return table[turn.masks[turn.playing] @ bits, places].astype(np.int64)

        return by_table
    if isinstance(strategy, RuleStrategy):
        rule = strategy.rule(game)

        def by_rule(turn: Turn) -> Ints:
            sets = [int("".join(map(str, mask)), 2) for mask in turn.masks[turn.playing, ::-1].tolist()]
            rolls = turn.rolls[-1][turn.playing].tolist()
            return np.array([rule(free, roll) - 1 for free, roll in zip(sets, rolls, strict=True)], dtype=np.int64)

        return by_rule

    def by_board(turn: Turn) -> Ints:
        actions = []
        for i in turn.playing.tolist():
            rolls, slots = [int(row[i]) for row in turn.rolls], [int(row[i]) + 1 for row in turn.actions]
            board = Board.replay(game, list(zip(rolls, slots, strict=False)))
            actions.append(_whole(strategy.choose(board, rolls[-1])) - 1)
        return np.array(actions, dtype=np.int64)

    return by_board


def _random_choice(game: Game, seed: int) -> Choose:
    """The moves of random play in a simulation of the same seed."""
    run = Run(game, ("random",), seed)
    chosen = np.empty((0, 0), dtype=np.uint16)

    def choose(turn: Turn) -> Ints:
        nonlocal chosen
        if not turn.actions:
            count = len(turn.masks)
            chosen = np.empty((game.size, count), dtype=np.uint16)
            scores = np.zeros(count, dtype=np.int32)
            random_play(seed, 0, Board(game), chosen)(turn.first, draw(run, turn.first, count), scores)
        return np.asarray(chosen[len(turn.actions), turn.playing], dtype=np.int64)

    return choose


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
            chosen, before = _whole(action), info
            score = float(inner.board.score) if has_score else 0.0
            observation, _, terminated, truncated, info = env.step(chosen)
            tally.returns[episode] += info["luck"] - info["regret"]
            roll = float(before["roll"] if "roll" in before else before["value"])
            known = before["best_action"], info["regret"], info["illegal"]
            made.append((episode, before["action_mask"], roll, score, chosen, *known))
            is_first, is_over = False, terminated or truncated
        if len(made) >= BUFFER or episode == len(tally.returns) - 1:
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


def _environment(inner: Any) -> dict[str, str]:
    """What was played."""
    if isinstance(inner, Ten18Env):
        aim = "mean" if inner.target is None else f"target:{inner.target}"
        return {"dice": str(inner.game.dice), "slots": inner.game.slots, "aim": aim}
    return {"environment": type(inner).__name__ if inner.spec is None else inner.spec.id}


def _estimate(values: Floats) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def _digits(error: float) -> int:
    """Digits after the point that an error leaves of a number: two of its own."""
    digits = 2
    while 0 < error < 10.0 ** (1 - digits) and digits < 9:
        digits += 1
    return digits if error else DIGITS


def _rounded(number: float) -> str:
    """Two significant digits."""
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 9.95 else f"{number:.1f}"


def _ranges(actions: Sequence[int]) -> str:
    """Increasing numbers, runs of them as ranges: 0-2 4 6-7."""
    runs: list[list[int]] = []
    for action in actions:
        if runs and action == runs[-1][-1] + 1:
            runs[-1].append(action)
        else:
            runs.append([action])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs) or "none"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, all others to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            f"{cell:<{wide}}" if not place else f"{cell:>{wide}}"
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
