"""Several players on the same rolls: the exact shares of the wins, followed from the start.

A player has a seat and chooses by its own board or by a duel. A rule looks at its free slots and the roll, best play
for an objective at its points as well, `random` at nothing. The best response to a rule, and the equilibrium, play
their duel against one other seat, their rival, and ignore the others.

Let p(A_1, s_1, ..., A_m, s_m) be the chance that after some rounds these are the free sets and the points of all
seats. With i_q = i_q(A_q, s_q, x) the slot of seat q,

    p(A_1 - i_1, s_1 + shift_{i_1}(x), ...)  gains  P(x) p(A_1, s_1, ...),

times the chances of mixed moves. Only positions that come about are listed, round by round. A player who is behind
another by more than g[A, B], the most that one with free set A still gains on one with B (`duel.lead_windows`), is out,
and its seat is dropped, unless a player who may still be first plays by its board. Where all but one are out the game
is decided. Unless a player plays by its own points, only differences matter, and positions that differ in the base
alone are one. No term is ever subtracted.

The win of a game is shared by all who are first together: ``share``; ``sole`` counts only those who are first alone.
The mean rank needs no more than pairs, ties being shared: rank_p = 1 + Σ_q P(s_q > s_p) + P(s_q = s_p) / 2.

The loop over positions and rolls is one function that has unpacked all tuples: each of them handed on inside of it
would count references to all of its arrays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import comb, inf, prod
from typing import NamedTuple

import numpy as np

from tentimes18.arrays import Bools, Floats, Ints, Moves, Slots, Words
from tentimes18.compiled import compiled
from tentimes18.duel.best_response import Response, no_hunter
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelTable, DuelWindows, Standing, gains_by_size
from tentimes18.duel.slot_choice import ANY, HUNTER, MIXED, Hunter, choose_response, equilibrium_move
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.limits import check_size, power_of_two
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.move_arrays import moves_of, same_everywhere
from tentimes18.solve.parallel import Progress, interruptible


class TableSeats(NamedTuple):
    """The players at a table: seat p takes slots[bases[p, A] + looks[p] · its points, x].

    HUNTER and MIXED mean the move of a duel against the seat rivals[p], by ``hunter`` and ``equilibrium``. Only a
    player who ``competes`` can be first.
    """

    slots: Slots
    bases: Ints
    looks: Ints
    rivals: Ints
    competes: Bools
    hunter: Hunter
    equilibrium: DuelTable


class TableGains(NamedTuple):
    """The most that a player with one free set can still gain on one with another, by their ranks.

    Where both have k slots it is values[starts[k] + a counts[k] + b].
    """

    ranks: Ints
    starts: Ints
    counts: Ints
    values: Ints


class TablePositions(NamedTuple):
    """Positions at a table, and their chances: the free sets of all seats in one word, their points in another.

    A player who is out has no free slots there. In a hash table, ``sets`` are 0 at empty places.
    """

    sets: Words
    points: Words
    chances: Floats


MAX_PLAYERS = 8
MAX_SLOTS = 20  # with more there are too many pairs of free sets
MAX_BITS = 64  # for the free sets of all seats, and for their points
MIN_PLACES = 1 << 12  # in a list
USUAL_MIX = 1.2  # slots of an equilibrium's move: few of them are mixed
GROWTH, LATE_GROWTH = 9.0, 3.0  # of the number of positions in a round, at most
BYTES_PER_POSITION = 168  # in two lists, the larger at most half full and made again
STEPS_PER_CHOICE = 8  # of a player of a duel
OPERATIONS_PER_STEP = 200
PAIRS_PER_STEP = 8  # of free sets, whose gains are found
QUICK_STEPS = 25_000_000  # a few seconds


@dataclass(frozen=True, eq=False)
class Seat:
    """The slots of a player: slots[bases[A] + points, x] for one who ``looks`` at its points, else slots[bases[A], x].

    A player of a duel has its ``table``.
    """

    slots: Slots
    bases: Ints
    looks: bool = False
    table: Response | Equilibrium | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether its own board and the roll alone give its slot, without chance."""
        return self.table is None and bool((self.slots >= 0).all())


def rule_seat(slots: Slots) -> Seat:
    return Seat(slots, np.arange(len(slots)))


def duel_seat(table: Response | Equilibrium) -> Seat:
    number = HUNTER if isinstance(table, Response) else MIXED
    return replace(rule_seat(same_everywhere(table.windows.game, number)), table=table)


def table_seats(game: Game, seats: Sequence[Seat], rivals: Sequence[int], competes: Sequence[bool]) -> TableSeats:
    """The seats for kernels: ``rivals`` are those of the players of a duel, -1 for others."""
    if len(seats) > MAX_PLAYERS:
        raise Ten18Error(f"{len(seats)} players; at most {MAX_PLAYERS} are accepted", field="strategies")
    starts = np.cumsum([len(seat.slots) for seat in seats]) - [len(seat.slots) for seat in seats]
    bases = np.stack([seat.bases + start for seat, start in zip(seats, starts, strict=True)])
    response = next((seat.table for seat in seats if isinstance(seat.table, Response)), None)
    equilibrium = next((seat.table for seat in seats if isinstance(seat.table, Equilibrium)), None)
    if any(seat.table not in (None, response, equilibrium) for seat in seats):
        raise Ten18Error("all best responses in a game must be to the same rule", field="strategies")
    hunter = response.hunter if response else no_hunter(DuelWindows(game, half=False))
    return TableSeats(
        np.concatenate([seat.slots for seat in seats]),
        bases.astype(np.int64),
        np.array([seat.looks for seat in seats], dtype=np.int64),
        np.array(rivals, dtype=np.int64),
        np.array(competes, dtype=np.bool_),
        hunter,
        equilibrium.windows.table(equilibrium.values) if equilibrium else hunter.table,
    )


@lru_cache(maxsize=2)
def table_gains(game: Game) -> TableGains:
    check_pairs(game)
    sets, ranks, gains = gains_by_size(game)
    counts = np.array([len(group) for group in sets])
    starts = np.cumsum(counts**2) - counts**2
    return TableGains(ranks, starts, counts, np.concatenate([layer.ravel() for layer in gains]))


def point_bits(game: Game) -> int:
    return max(1, lattice_width(game).bit_length())


def check_shares(game: Game, players: int, max_steps: float = inf) -> None:
    """Raise ``TooLarge`` if the sizes alone, before there are any seats, say that following takes too much."""
    pairs, bits = check_pairs(game), point_bits(game)
    if players * max(bits, game.size) > MAX_BITS:
        raise TooLarge(
            f"{players} players on {game.size} slots, with scores of {bits} binary digits, are too many to follow "
            f"exactly; at most {MAX_BITS // max(bits, game.size)} are",
            field="strategies",
        )
    if max(pairs / PAIRS_PER_STEP, power_of_two(game.size) * len(game.dice.support)) > max_steps:
        raise _too_many_steps(game, players, max_steps)


def check_pairs(game: Game) -> float:
    """Raise ``TooLarge`` if there are too many pairs of free sets; return how many there are."""
    pairs = float(comb(2 * game.size, game.size)) if game.size <= MAX_SLOTS else inf
    check_size(f"a table on {game.size:,} slots", bytes=8 * pairs, operations=600 * pairs)
    return pairs


def _too_many_steps(game: Game, players: int, max_steps: float) -> TooLarge:
    return TooLarge(f"{players} players on {game.size} slots take more than {max_steps:,.0f} steps", field="slots")


@dataclass(frozen=True, slots=True)
class Shares:
    """For each seat the share of the wins and the probability of winning alone; the number of positions followed."""

    shares: tuple[float, ...]
    sole: tuple[float, ...]
    positions: int


def table_shares(
    game: Game,
    seats: Sequence[Seat],
    rivals: Sequence[int] | None = None,
    *,
    competing: Sequence[int] | None = None,
    max_steps: float = inf,
    progress: Progress | None = None,
) -> Shares:
    """The shares of the wins; ``rivals`` has for each player of a duel its rival, by seat.

    With ``competing``, only these seats can win: the others are there to be looked at. It raises ``TooLarge`` when the
    positions do not fit into memory, or take more than ``max_steps``.
    """
    m = len(seats)
    chosen = range(m) if competing is None else competing
    rivals = [-1] * m if rivals is None else rivals
    check_shares(game, m, max_steps)
    bits, gains = point_bits(game), table_gains(game)
    table = table_seats(game, seats, rivals, [p in chosen for p in range(m)])
    moves, rolls = moves_of(game), len(game.dice.support)
    here = _empty(1)
    here.sets[0] = sum(game.all_free << game.size * p for p in range(m))
    here.chances[0] = 1.0
    ends = np.zeros(2 * m)
    steps, positions = 0.0, 0
    for k in range(game.size, 0, -1):
        positions += len(here.sets)
        usual = prod(_branches(seat, k, min(k, USUAL_MIX)) for seat in seats)
        most = len(game.dice.support) * prod(round(_branches(seat, k, k)) for seat in seats)
        choosers = sum(seat.table is not None for seat in seats)
        # How many positions they come to is known only when they are followed. Late in a game more is decided than new.
        steps += float(len(here.sets)) * rolls * (usual + STEPS_PER_CHOICE * choosers)
        growth = usual * len(here.sets) * min(rolls, LATE_GROWTH if 2 * k <= game.size else GROWTH)
        check_size(
            "the list of the positions that these players come to",
            bytes=BYTES_PER_POSITION * growth,
            operations=OPERATIONS_PER_STEP * steps,
        )
        if steps > max_steps:
            raise _too_many_steps(game, m, max_steps)

        after, first, added = _empty(MIN_PLACES), 0, 0
        while first < len(here.sets):
            while 2 * (added + most) > len(after.sets):
                larger = _empty(2 * len(after.sets))
                interruptible(partial(add_positions, after, larger))
                after = larger
            follow = partial(follow_table, table, moves, gains, (k, bits), first, added + most, here, after, ends)
            first, new = interruptible(follow)
            added += new
        there = np.flatnonzero(after.sets)
        here = TablePositions(after.sets[there], after.points[there], after.chances[there])
        if progress:
            progress(game.size - k + 1, game.size)
    return Shares(tuple(ends[:m].tolist()), tuple(ends[m:].tolist()), positions)


def table_ranks(
    game: Game, seats: Sequence[Seat], rivals: Sequence[int] | None = None, max_steps: float = inf
) -> tuple[float, ...]:
    """The mean rank of each seat, from 1; equal scores share their ranks."""
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
                max_steps=max_steps,
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


MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT = np.uint64(31)


@compiled(inline="always")
def add_chance(positions: TablePositions, set_word: np.uint64, point_word: np.uint64, chance: float) -> bool:
    """Add to the chance of a position in a hash table, whose size is a power of two; whether it was not there."""
    sets, points, chances = positions
    word, last = (set_word ^ (point_word * MIX_1)) * MIX_2, np.uint64(len(sets) - 1)
    place = (word ^ (word >> SHIFT)) & last
    while sets[place] != 0 and (sets[place] != set_word or points[place] != point_word):
        place = (place + np.uint64(1)) & last
    is_new = sets[place] == 0
    sets[place], points[place] = set_word, point_word
    chances[place] += chance
    return bool(is_new)


@compiled()
def add_positions(positions: TablePositions, more: TablePositions) -> None:
    sets, points, chances = positions
    for s in range(len(sets)):
        if sets[s] != 0:
            add_chance(more, sets[s], points[s], chances[s])


@compiled()
def _choices(seats: TableSeats, shifts: Ints, number: int, at: Standing, x: int, slots: Ints, chances: Floats) -> int:
    """The slots that a number in place of a slot means, with their probabilities; returns how many there are."""
    k = at.k
    if number == HUNTER:
        slots[0], chances[0] = choose_response(seats.hunter, shifts, at, x), 1.0
        return 1
    count = 0
    if number == ANY:
        for i in range(len(shifts)):
            if at.A >> i & 1:
                slots[count], chances[count] = i, 1.0 / k
                count += 1
    elif number == MIXED:
        equilibrium_move(seats.equilibrium, shifts, at, x, slots, chances)
        for r in range(k):
            if chances[r] > 0.0:
                slots[count], chances[count] = slots[r], chances[r]
                count += 1
    return count


@compiled()
def follow_table(
    seats: TableSeats,
    moves: Moves,
    gains: TableGains,
    sizes: tuple[int, int],
    first: int,
    most: int,
    here: TablePositions,
    after: TablePositions,
    ends: Floats,
) -> tuple[int, int]:
    """The positions after a round, from position ``first`` on; (where it stopped, how many were added).

    ``sizes`` are the number of free slots, and the bits that hold a score. It stops where the list might get more than
    half full, one position leading to at most ``most``. Of games that are decided, ends[p] gets the chance that seat
    p is first, divided by those who are so together, ends[m + p] that it is so alone.
    """
    P, shifts = moves
    k, bits = sizes
    n = len(shifts)
    table, bases, looks, rivals, competes, _, _ = seats
    ranks, starts, pair_counts, values = gains
    old_sets, old_points, old_chances = here
    m = len(rivals)
    sets, points = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    new_sets, new_points = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    counts, places = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    slots, shares = np.empty((m, n), dtype=np.int64), np.empty((m, n))
    leads, stays = np.empty(m, dtype=np.bool_), np.empty(m, dtype=np.bool_)
    set_mask, point_mask = np.uint64((1 << n) - 1), np.uint64((1 << bits) - 1)
    room = len(after.sets) // 2
    start, width = starts[k - 1], pair_counts[k - 1]
    added = 0
    for s in range(first, len(old_sets)):
        if added + most > room:
            return s, added
        for p in range(m):
            sets[p] = np.int64((old_sets[s] >> np.uint64(n * p)) & set_mask)
            points[p] = np.int64((old_points[s] >> np.uint64(bits * p)) & point_mask)
        for x in range(len(P)):
            branches = 1
            for p in range(m):
                counts[p] = 1
                if sets[p] > 0:
                    slot = int(table[bases[p, sets[p]] + looks[p] * points[p], x])
                    slots[p, 0], shares[p, 0] = slot, 1.0
                    if slot < 0:
                        q = max(0, rivals[p])
                        standing = Standing(sets[p], sets[q], k, points[p] - points[q])
                        counts[p] = _choices(seats, shifts, slot, standing, x, slots[p], shares[p])
                branches *= counts[p]
            for branch in range(branches):
                # The players move.
                chance, rest = old_chances[s] * P[x], branch
                for p in range(m):
                    new_sets[p] = -1
                    if sets[p] > 0:
                        choice = 0
                        if branches > 1:
                            choice = rest % counts[p]
                            rest //= counts[p]
                            chance *= shares[p, choice]
                        i = slots[p, choice]
                        new_sets[p] = sets[p] ^ (1 << i)
                        new_points[p] = points[p] + shifts[i, x]
                        places[p] = ranks[new_sets[p]]
                # Who may still be first?
                alive = 0
                for p in range(m):
                    leads[p] = competes[p] and new_sets[p] >= 0
                    if leads[p]:
                        for q in range(m):
                            if competes[q] and new_sets[q] >= 0 and new_points[q] > new_points[p]:
                                behind = new_points[q] - new_points[p]
                                leads[p] &= behind <= values[start + places[p] * width + places[q]]
                        alive += leads[p]
                if alive == 1 or k == 1:
                    for p in range(m):
                        if leads[p]:
                            ends[p] += chance / alive
                            ends[m + p] += chance if alive == 1 else 0.0
                    continue
                # Whose boards still matter? Points count from the least of them, unless somebody plays by its own.
                stays[:] = leads
                for p in range(m):
                    if leads[p] and rivals[p] >= 0:
                        stays[rivals[p]] = True
                base, by_points = np.int64(1) << 60, False
                for p in range(m):
                    if stays[p]:
                        base = min(base, new_points[p])
                        by_points |= looks[p] > 0
                base = np.int64(0) if by_points else base
                set_word, point_word = np.uint64(0), np.uint64(0)
                for p in range(m):
                    if stays[p]:
                        set_word |= np.uint64(new_sets[p]) << np.uint64(n * p)
                        point_word |= np.uint64(new_points[p] - base) << np.uint64(bits * p)
                added += add_chance(after, set_word, point_word, chance)
    return len(old_sets), added
