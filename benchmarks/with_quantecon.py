"""The game for QuantEcon's ``DiscreteDP``, in its sparse state-action pair form.

A state is a set of free slots, or such a set and a roll to place. That takes two periods a round, but far fewer entries
of Q than one period a round, where every placement leads to every next roll. The problem is undiscounted with a finite
horizon, for which QuantEcon has backward induction; the other methods of ``DiscreteDP`` want a discount.

Backward induction sweeps over all states in each of 2n periods, though only one layer changes. A user who knows the
game gives it one program a round instead, with the values of the round after as its terminal ones.
"""

import warnings
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from quantecon.markov import DiscreteDP, backward_induction
from scipy.sparse import csr_matrix

from tentimes18.game import Game

Ints = NDArray[np.int64]


def one_program(game: Game) -> Callable[[], tuple[float, float]]:
    """Solve by one dynamic program over all sets; a run gives the value and the seconds of building the program."""

    def run() -> tuple[float, float]:
        start = perf_counter()
        layers = _layers(game)
        ddp = _program(game, layers[1:], layers[0])
        built = perf_counter()
        values, _ = backward_induction(ddp, 2 * game.size)
        return float(values[0, game.all_free - 1]), built - start

    return run


def program_a_round(game: Game) -> Callable[[], tuple[float, float]]:
    """Solve by one dynamic program for each number of free slots; a run gives the same as above."""

    def run() -> tuple[float, float]:
        building = 0.0
        value = np.zeros(1)
        for ends, layer in pairwise(_layers(game)):
            start = perf_counter()
            ddp = _program(game, [layer], ends)
            terminal = np.zeros(ddp.num_states)
            terminal[-len(ends) :] = value
            building += perf_counter() - start
            values, _ = backward_induction(ddp, 2, terminal)
            value = values[0, : len(layer)]
        return float(value[0]), building

    return run


def _layers(game: Game) -> list[Ints]:
    """The sets of free slots, as masks, by their number of slots."""
    masks = np.arange(1 << game.size)
    free = np.bitwise_count(masks)
    return [masks[free == k] for k in range(game.size + 1)]


def _program(game: Game, layers: list[Ints], ends: Ints) -> DiscreteDP:
    """States: the sets of the layers, then each of them with each roll, then the sets where the program ends."""
    rolls = np.array(game.dice.support, dtype=np.float64)
    chances = np.array(game.dice.counts, dtype=np.float64) / game.dice.total
    multipliers = np.array([float(multiplier) for multiplier in game.multipliers])
    count = sum(map(len, layers))
    rolled = count * len(rolls)
    ending = count + rolled + np.arange(len(ends))
    state = np.empty(1 << game.size, dtype=np.int64)
    state[np.concatenate(layers)] = np.arange(count)
    state[ends] = ending

    actions, after, points, choices = (
        [np.zeros(count, dtype=np.int64)],
        [count + np.arange(rolled)],
        [np.zeros(count)],
        [],
    )
    for layer in layers:
        k = int(layer[0]).bit_count()
        shape = (len(layer), len(rolls), k)
        slot = np.nonzero(layer[:, None] >> np.arange(game.size) & 1)[1].reshape(-1, 1, k)
        actions.append(np.broadcast_to(slot, shape).ravel())
        after.append(np.broadcast_to(state[layer[:, None, None] ^ 1 << slot], shape).ravel())
        points.append((multipliers[slot] * rolls[:, None]).ravel())
        choices.append(np.full(len(layer) * len(rolls), k))
    states = np.repeat(np.arange(count, count + rolled), np.concatenate(choices))

    single = len(states) + len(ends)  # pairs of a state and an action that lead to one state only
    Q = csr_matrix(
        (
            np.concatenate((np.tile(chances, count), np.ones(single))),
            np.concatenate((*after, ending)),
            np.concatenate((np.arange(0, rolled, len(rolls)), rolled + np.arange(single + 1))),
        ),
        shape=(count + single, count + rolled + len(ends)),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # beta = 1 disables what is not used here
        return DiscreteDP(
            np.concatenate((*points, np.zeros(len(ends)))),
            Q,
            1.0,
            np.concatenate((np.arange(count), states, ending)),
            np.concatenate((*actions, np.zeros(len(ends), dtype=np.int64))),
        )
