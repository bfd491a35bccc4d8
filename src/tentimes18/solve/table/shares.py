"""Whose the wins are at a table of several players, on the same rolls: exactly, followed from the start.

Let p(A_1, s_1, ..., A_m, s_m) be the chance that after some rounds these are the free sets and the points of all
seats. With i_q = i_q(A_q, s_q, x) the slot of seat q,

    p(A_1 - i_1, s_1 + shift_{i_1}(x), ...)  gains  P(x) p(A_1, s_1, ...),

times the chances of mixed moves. Only what comes about is listed, round by round. Who is surely behind another seat is
out, and where all but one are so the game is decided. Unless somebody plays by its own points, all that counts are
differences, and positions that differ in the base alone are one. No term is ever subtracted.

The win of a game is shared by all who are first together: ``share``; ``sole`` counts only those who are first alone.
The mean rank needs no more than pairs, ties being shared: rank_p = 1 + Σ_q P(s_q > s_p) + P(s_q = s_p) / 2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Final

import numpy as np

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.kernels import table as kernel
from tentimes18.kernels.types import ANY, MIXED, TablePositions, TableRound
from tentimes18.plan import Limits, Plan, admit
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.layers import Progress, apart
from tentimes18.solve.moves import moves_of
from tentimes18.solve.table.gains import table_gains
from tentimes18.solve.table.plans import round_plan
from tentimes18.solve.table.seats import Seat, table_seats

__all__ = ["Shares", "next_positions", "table_ranks", "table_shares"]

WORD: Final = 64  # bits for the free sets of all seats, and for their points
LEAST: Final = 1 << 12  # places in a list
USUAL_MIX: Final = 1.2  # slots of an equilibrium's move: few of them are mixed


@dataclass(frozen=True, slots=True)
class Shares:
    """Of each seat the share of the wins, and the chance to be first alone; the positions that came about."""

    shares: tuple[float, ...]
    sole: tuple[float, ...]
    positions: int


def table_shares(
    game: Game,
    seats: Sequence[Seat],
    rivals: Sequence[int] | None = None,
    *,
    competing: Sequence[int] | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    instead: Callable[[Limits], str] | str = "",
) -> Shares:
    """Whose the wins are; ``rivals`` has for each player of a duel its rival, by seat.

    With ``competing``, only these seats can win: the others are there to be looked at. ``instead`` says what would fit
    where this does not.

    >>> from tentimes18.solve.rule_slots import rule_slots
    >>> from tentimes18.solve.rules import optimal_rule
    >>> from tentimes18.solve.table.seats import rule_seat
    >>> from tentimes18.strategies.rules import greedy, nearest
    >>> game = Game.parse("1d6", "1-4")
    >>> rules = [optimal_rule(game), nearest(game), greedy(game)]
    >>> found = table_shares(game, [rule_seat(rule_slots(game, rule)) for rule in rules])
    >>> [round(share, 6) for share in found.shares], found.positions
    ([0.341178, 0.367798, 0.291024], 49)
    """
    m = len(seats)
    chosen = range(m) if competing is None else competing
    rivals = [-1] * m if rivals is None else rivals
    bits = max(1, lattice_width(game).bit_length())
    if m * max(bits, game.size) > WORD:
        raise TooLarge(
            f"{m} players on {game.size} slots, with scores of {bits} binary digits, are too many to follow exactly; "
            f"at most {WORD // max(bits, game.size)} are",
            field="strategies",
        )
    gains = table_gains(game)
    table = table_seats(game, seats, rivals, [p in chosen for p in range(m)])
    moves, rolls = moves_of(game), len(game.dice.support)
    here = _empty(1)
    here.sets[0] = sum(game.all_free << game.size * p for p in range(m))
    here.chances[0] = 1.0
    ends = np.zeros(2 * m)
    spent, positions = 0.0, 0
    for k in range(game.size, 0, -1):
        positions += len(here.sets)
        usual = prod(_branches(seat, k, min(k, USUAL_MIX)) for seat in seats)
        most = len(game.dice.support) * prod(round(_branches(seat, k, k)) for seat in seats)
        choosers = sum(seat.table is not None for seat in seats)
        plan = round_plan(len(here.sets), rolls, usual, choosers, is_late=2 * k <= game.size)
        spent += plan.seconds
        admit(Plan(plan.what, spent, plan.memory), limits, instead=instead)

        def follow(first: int, most: int, here: TablePositions, after: TablePositions, k: int = k) -> tuple[int, int]:
            at = TableRound(k, game.size, bits, first, most)
            return kernel.follow_table(table, moves, gains, at, here, after, ends)

        here = next_positions(here, most, follow)
        if progress:
            progress(game.size - k + 1, game.size)
    return Shares(tuple(ends[:m].tolist()), tuple(ends[m:].tolist()), positions)


def next_positions(
    here: TablePositions,
    most: int,
    follow: Callable[[int, int, TablePositions, TablePositions], tuple[int, int]],
) -> TablePositions:
    """The positions after a round, of which one leads to so many at ``most``.

    ``follow`` puts them into a list, from a position on, until there might be more than it has room for; it is told how
    many there can be after one more, and says where it stopped, and how many it added.
    """
    after, first, added = _empty(LEAST), 0, 0
    while first < len(here.sets):
        while 2 * (added + most) > len(after.sets):
            larger = _empty(2 * len(after.sets))
            apart(partial(kernel.add_positions, after, larger))
            after = larger
        first, new = apart(partial(follow, first, added + most, here, after))
        added += new
    there = np.flatnonzero(after.sets)
    return TablePositions(after.sets[there], after.points[there], after.chances[there])


def table_ranks(
    game: Game, seats: Sequence[Seat], rivals: Sequence[int] | None = None, limits: Limits | None = None
) -> tuple[float, ...]:
    """The mean rank of each seat, from 1; equal scores share their ranks.

    >>> from tentimes18.solve.rule_slots import rule_slots
    >>> from tentimes18.solve.rules import optimal_rule
    >>> from tentimes18.solve.table.seats import rule_seat
    >>> game = Game.parse("1d6", "1-3")
    >>> seat = rule_seat(rule_slots(game, optimal_rule(game)))
    >>> table_ranks(game, [seat, seat, seat])
    (2.0, 2.0, 2.0)
    """
    rivals = [-1] * len(seats) if rivals is None else rivals
    ranks = [1.0] * len(seats)
    for p in range(len(seats)):
        for q in range(p):
            there = sorted({p, q, *(rivals[r] for r in (p, q) if rivals[r] >= 0)})
            pair = table_shares(
                game,
                [seats[r] for r in there],
                [there.index(rivals[r]) if rivals[r] in there else -1 for r in there],
                competing=[there.index(p), there.index(q)],
                limits=limits,
            )
            ranks[p] += pair.shares[there.index(q)]
            ranks[q] += pair.shares[there.index(p)]
    return tuple(ranks)


def _branches(seat: Seat, k: int, mixed: float) -> float:
    """The slots that a seat may take for one roll with k slots free, ``mixed`` being those of a mixed move."""
    return float(k) if seat.slots[0, 0] == ANY else mixed if seat.slots[0, 0] == MIXED else 1.0


def _empty(places: int) -> TablePositions:
    zeros = np.zeros(places, dtype=np.uint64)
    return TablePositions(zeros, zeros.copy(), np.zeros(places))
