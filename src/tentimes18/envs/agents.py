"""Who plays an environment: a model with `predict`, a function, or one of our strategies, for many games at once.

All games of a turn are in the same round. Our strategies know nothing of observations: they are asked with the free
slots and the roll, and take tables for that wherever a simulation does.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from inspect import Parameter, signature
from operator import index
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Ints
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.players import has_table, random_play
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.strategies.named import named
from tentimes18.strategies.solved import rule_table
from tentimes18.strategies.strategy import Hindsight, ObjectiveStrategy, RandomSlot, RuleStrategy, Strategy

NO_ACTION = -1
"""What stands for anything that is no integer: no environment allows it."""


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


class Predictor:
    """A model with the `predict` of Stable-Baselines3, with or without masks, with or without a memory.

    >>> class Lowest:
    ...     def predict(self, observation, deterministic=False):
    ...         return observation.argmax(axis=-1), None
    >>> model = Predictor(Lowest())
    >>> model.takes_masks, model(np.array([[0.0, 1.0, 0.3]]), np.array([[0, 1]]), is_first=True).tolist()
    (False, [1])
    """

    def __init__(self, model: Any, *, deterministic: bool = True) -> None:
        self._predict, self._deterministic, self._memory = model.predict, deterministic, None
        parameters = signature(model.predict).parameters
        takes_all = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values())
        names = ("action_masks", "deterministic", "episode_start", "state")
        self._taken = {name for name in names if takes_all or name in parameters}

    @property
    def takes_masks(self) -> bool:
        """Whether it asks what is allowed."""
        return "action_masks" in self._taken

    def __call__(self, observations: Any, masks: NDArray[Any], *, is_first: bool) -> NDArray[Any]:
        """The actions for these observations, of one game or of many; a new game begins where this is the first."""
        if is_first:
            self._memory = None
        count = len(masks) if masks.ndim > 1 else 1
        given = {
            "action_masks": masks.astype(np.bool_),
            "deterministic": self._deterministic,
            "episode_start": np.full(count, is_first),
            "state": self._memory,
        }
        found = self._predict(observations, **{name: given[name] for name in self._taken})
        actions, self._memory = found if isinstance(found, tuple) else (found, None)
        return np.asarray(actions)


def choose_of(agent: Any, game: Game, *, seed: int, is_batch: bool = False, deterministic: bool = True) -> Choose:
    """How this agent chooses for many games at once; ``is_batch`` says that a function takes all games in a call."""
    strategy = strategy_of(agent)
    if strategy is not None:
        return strategy_choice(strategy, game, seed)
    if hasattr(agent, "predict"):
        return _by_prediction(Predictor(agent, deterministic=deterministic))
    return _by_batches(agent) if is_batch else _one_by_one(agent)


def strategy_of(agent: Any) -> Strategy | None:
    """The strategy that an agent is or names; none where it is a model or a function.

    >>> strategy_of("nearest").name, strategy_of(max)
    ('nearest', None)
    """
    if isinstance(agent, str):
        return named(agent)
    if hasattr(agent, "choose") and not hasattr(agent, "predict"):
        strategy: Strategy = agent
        return strategy
    if not hasattr(agent, "predict") and not callable(agent):
        accepted = "a model with predict, a function of observation and info, a strategy, or the name of one"
        raise Ten18Error(f"accepted: {accepted}", "agent", agent)
    return None


def name_of(agent: Any) -> str:
    """What an agent is called in a report.

    >>> name_of("nearest"), name_of(max), name_of(named("greedy"))
    ('nearest', 'max', 'greedy')
    """
    strategy = strategy_of(agent)
    if strategy is not None:
        return strategy.name
    return str(getattr(agent, "__name__", type(agent).__name__))


def whole(action: Any) -> int:
    """An action as an integer, also where it is an array with nothing else in it; NO_ACTION where it is none.

    >>> whole(np.array([3])), whole(np.int64(3)), whole(2.5), whole(None), whole(10**30)
    (3, 3, -1, -1, -1)
    """
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.reshape(-1)[0]
    try:
        number = index(action)
    except TypeError:
        return NO_ACTION
    return number if abs(number) < 1 << 62 else NO_ACTION


def _whole_numbers(actions: Any, count: int) -> Ints:
    found = np.asarray(actions)
    if found.shape != (count,):
        raise Ten18Error(f"answered {count} games with an array of shape {found.shape}", "agent")
    return found.astype(np.int64) if found.dtype.kind in "iu" else np.full(count, NO_ACTION, dtype=np.int64)


def _integers(slots: NDArray[Any]) -> Ints:
    return slots.astype(np.int64)


def _by_prediction(model: Predictor) -> Choose:
    def choose(turn: Turn) -> Ints:
        masks = turn.masks.copy()
        is_over = np.ones(len(masks), dtype=np.bool_)
        is_over[turn.playing] = False
        masks[is_over] = 1  # some models fail where nothing is allowed; what they say of games that are over is ignored
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
        shown = {name: values for name, values in turn.infos.items() if not name.startswith("_")}
        actions = []
        for i in turn.playing.tolist():
            info = {name: values[i].copy() if values.ndim > 1 else values[i].item() for name, values in shown.items()}
            actions.append(whole(function(turn.observations[i].copy(), info)))
        return np.array(actions, dtype=np.int64)

    return choose


@singledispatch
def strategy_choice(strategy: Strategy, game: Game, seed: int) -> Choose:  # noqa: ARG001
    """How a strategy chooses for many games at once: by its class, and board by board where that has none."""

    def choose(turn: Turn) -> Ints:
        actions = []
        for i in turn.playing.tolist():
            rolls, slots = [int(row[i]) for row in turn.rolls], [int(row[i]) + 1 for row in turn.actions]
            board = Board.replay(game, list(zip(rolls, slots, strict=False)))
            actions.append(whole(strategy.choose(board, rolls[-1])) - 1)
        return np.array(actions, dtype=np.int64)

    return choose


@strategy_choice.register
def _(strategy: RuleStrategy, game: Game, seed: int) -> Choose:  # noqa: ARG001
    if not has_table(game):
        rule = strategy.rule(game)

        def choose_by_rule(turn: Turn) -> Ints:
            sets = [int("".join(map(str, mask)), 2) for mask in turn.masks[turn.playing, ::-1].tolist()]
            rolls = turn.rolls[-1][turn.playing].tolist()
            return np.array([rule(free, roll) - 1 for free, roll in zip(sets, rolls, strict=True)], dtype=np.int64)

        return choose_by_rule
    table, support, bits = rule_table(strategy, game), np.array(game.dice.support), 1 << np.arange(game.size)

    def choose(turn: Turn) -> Ints:
        sets, places = turn.masks[turn.playing] @ bits, np.searchsorted(support, turn.rolls[-1][turn.playing])
        return _integers(table[sets, places])

    return choose


@strategy_choice.register
def _(strategy: ObjectiveStrategy, game: Game, seed: int) -> Choose:  # noqa: ARG001
    starts, table = strategy.solve(game).slot_table()
    support, bits, shifts = np.array(game.dice.support), 1 << np.arange(game.size), np.array(lattice_of(game).shifts)

    def choose(turn: Turn) -> Ints:
        rows = [np.searchsorted(support, row[turn.playing]) for row in turn.rolls]
        made = np.zeros(len(turn.playing), dtype=np.int64)
        for places, actions in zip(rows, turn.actions, strict=False):
            made += shifts[actions[turn.playing], places]
        sets = turn.masks[turn.playing] @ bits
        return _integers(table[starts[sets] + made, rows[-1]])

    return choose


@strategy_choice.register
def _(strategy: RandomSlot, game: Game, seed: int) -> Choose:  # noqa: ARG001
    """The moves that it makes in a simulation of the same seed."""
    run = Run(game, ("random",), seed)
    chosen = np.empty((0, 0), dtype=np.uint16)

    def choose(turn: Turn) -> Ints:
        nonlocal chosen
        if not turn.actions:
            count = len(turn.masks)
            chosen = np.empty((game.size, count), dtype=np.uint16)
            scores = np.zeros(count, dtype=np.int32)
            random_play(seed, 0, Board(game), chosen)(turn.first, draw(run, turn.first, count), scores)
        return _integers(chosen[len(turn.actions), turn.playing])

    return choose


@strategy_choice.register
def _(strategy: Hindsight, game: Game, seed: int) -> Choose:  # noqa: ARG001
    raise Ten18Error("knows the rolls to come, which no environment shows", "agent", strategy.name)
