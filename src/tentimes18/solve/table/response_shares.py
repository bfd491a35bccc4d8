"""Whose the wins are where the best response plays: it and all others, followed from the start.

Let p(q, A, e) be the chance that the others are at their position q, I have the free set A, and my points are e above
their base. With i the slot of the best response there,

    p(q'(q, x), A - i, e + shift_i(x) - b(q, x))  gains  P(x) p(q, A, e).

Only what comes about is listed. Once my lead is above its window I have won. Once it is below, or at the end, I have
lost, and the others have what they would have among themselves, with U_q[p] the share of p from q on:

    U_q[p] = Σ_x P(x) U_{q'(q, x)}[p],    and one divided by those who are left at the end.

At an equal end all who are left share with me. My own share is found here without the values that the response was
found by, but for its slots: a second computation of it.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tentimes18.kernels.table_turn import follow_turn
from tentimes18.kernels.types import Floats, Moves, TablePositions, TableTurn
from tentimes18.plan import Limits, Plan, admit
from tentimes18.solve.layers import Progress
from tentimes18.solve.moves import moves_of
from tentimes18.solve.table.plans import round_plan
from tentimes18.solve.table.response import TableResponse
from tentimes18.solve.table.shares import next_positions

__all__ = ["ResponseShares", "response_shares"]


@dataclass(frozen=True, slots=True)
class ResponseShares:
    """Of the others, in their order, then of the best response: the share of the wins, and of games won alone.

    ``without`` are the shares of the others where it does not sit there; ``positions`` those of all that came about.
    """

    shares: tuple[float, ...]
    sole: tuple[float, ...]
    without: tuple[float, ...]
    positions: int


def response_shares(
    response: TableResponse, limits: Limits | None = None, progress: Progress | None = None
) -> ResponseShares:
    """Whose the wins are; an error where the positions that come about do not fit.

    >>> from tentimes18.game import Game
    >>> from tentimes18.solve.rule_slots import rule_slots
    >>> from tentimes18.solve.table.response import table_response
    >>> from tentimes18.solve.table.seats import rule_seat
    >>> from tentimes18.strategies.rules import greedy, nearest
    >>> game = Game.parse("1d6", "1-3")
    >>> response = table_response(game, [rule_seat(rule_slots(game, rule)) for rule in (greedy(game), nearest(game))])
    >>> [round(share, 6) for share in response_shares(response).shares]
    [0.307099, 0.330247, 0.362654]
    """
    game, moves = response.game, moves_of(response.game)
    there = response.layers[-1].sets >= 0  # [position, seat], at the end
    tied = there.sum(axis=1)
    among = _among_themselves(response, moves.P, there / tied[:, np.newaxis])
    alone = _among_themselves(response, moves.P, there & (tied == 1)[:, np.newaxis])
    here = TablePositions(np.ones(1, dtype=np.uint64), np.zeros(1, dtype=np.uint64), np.ones(1))
    won, spent, positions = np.zeros(1), 0.0, 0
    shares, sole = np.zeros(there.shape[1]), np.zeros(there.shape[1])
    for done in range(game.size):
        positions += len(here.sets)
        plan = round_plan(len(here.sets), len(moves.P), 1.0, 1, is_late=2 * done >= game.size)
        spent += plan.seconds
        admit(Plan(plan.what, spent, plan.memory + response.nbytes), limits)
        lost = np.zeros(len(response.layers[done + 1].sets))
        here = next_positions(here, len(moves.P), partial(_follow, response.turn(done), moves, (won, lost)))
        shares += lost @ among[done + 1]
        sole += lost @ alone[done + 1]
        if progress:
            progress(done + 1, game.size)
    # What is left are equal ends: with all boards full there is one window for each position of the others.
    equal = np.bincount(here.sets.astype(np.int64) - 1, here.chances, len(tied)) / (tied + 1.0)
    return ResponseShares(
        (*(shares + equal @ there).tolist(), float(won[0] + equal.sum())),
        (*sole.tolist(), float(won[0])),
        tuple(among[0][0].tolist()),
        positions,
    )


def _follow(
    turn: TableTurn,
    moves: Moves,
    ends: tuple[Floats, Floats],
    first: int,
    most: int,
    here: TablePositions,
    after: TablePositions,
) -> tuple[int, int]:
    return follow_turn(turn, moves, (first, most), here, after, ends)


def _among_themselves(response: TableResponse, P: Floats, ends: Floats) -> list[Floats]:
    """[position, seat] for each number of filled slots: what each of the others has, from what it has at the end."""
    found = [ends.astype(np.float64)]
    for layer in response.layers[-2::-1]:
        found.append(np.einsum("x,qxp->qp", P, found[-1][layer.after]))
    return found[::-1]
