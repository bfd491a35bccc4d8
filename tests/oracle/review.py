"""A played game, told move by move from the definitions: every future of every position is gone through.

``end`` says what a final score is worth: the score itself, or 1 where it reaches a target. The worth of a position is
the mean over all futures of ``end`` under the best play; a roll's luck is what it adds to that, a move's loss what it
takes away from the best one.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import NamedTuple, TypeAlias

from . import Law, Multipliers, Score

Free: TypeAlias = frozenset[int]
End: TypeAlias = Callable[[Fraction], Fraction]
Worth: TypeAlias = Callable[[Free, Fraction], Fraction]


class Told(NamedTuple):
    """A move of a game as it was played."""

    best_slots: tuple[int, ...]
    loss: Fraction
    luck: Fraction
    before: Fraction
    after: Fraction
    is_choice: bool


def mean(score: Fraction) -> Fraction:
    return score


def reaches(target: Score) -> End:
    return lambda score: Fraction(score >= target)


def worth(law: Law, multipliers: Multipliers, end: End) -> Worth:
    """The worth of free slots and a score so far; it remembers the positions it has seen."""

    @cache
    def best(free: Free, score: Fraction) -> Fraction:
        if not free:
            return end(score)
        return sum(
            (
                chance * max(best(free - {slot}, score + multipliers[slot - 1] * roll) for slot in free)
                for roll, chance in law.items()
                if chance
            ),
            Fraction(0),
        )

    return best


def told(law: Law, multipliers: Multipliers, moves: Iterable[tuple[int, int]], end: End = mean) -> list[Told]:
    """All moves (roll, slot) of a game."""
    position = worth(law, multipliers, end)
    free, score = frozenset(range(1, len(multipliers) + 1)), Fraction(0)
    found = []
    for roll, slot in moves:
        values = {i: position(free - {i}, score + multipliers[i - 1] * roll) for i in sorted(free)}
        best, before = max(values.values()), position(free, score)
        found.append(
            Told(
                best_slots=tuple(i for i in values if values[i] == best),
                loss=best - values[slot],
                luck=best - before,
                before=before,
                after=values[slot],
                is_choice=min(values.values()) < best,
            )
        )
        free, score = free - {slot}, score + multipliers[slot - 1] * roll
    return found


def lost_at_random(law: Law, multipliers: Multipliers, end: End = mean) -> Fraction:
    """What a game loses on average when any free slot is taken: the losses of all moves of all such games."""
    position = worth(law, multipliers, end)

    @cache
    def lost(free: Free, score: Fraction) -> Fraction:
        whole = Fraction(0)
        for roll, chance in law.items():
            after = {i: (free - {i}, score + multipliers[i - 1] * roll) for i in free}
            best = max(position(*place) for place in after.values()) if free else Fraction(0)
            for place in after.values():
                whole += chance / len(free) * (best - position(*place) + lost(*place))
        return whole

    return lost(frozenset(range(1, len(multipliers) + 1)), Fraction(0))


def scores_of_optimal(law: Law, multipliers: Multipliers) -> dict[Fraction, Fraction]:
    """The chance of each final score of the best play for the mean; of equally good slots it takes the first."""
    position = worth(law, multipliers, mean)
    chances: dict[tuple[Free, Fraction], Fraction] = {
        (frozenset(range(1, len(multipliers) + 1)), Fraction(0)): Fraction(1)
    }
    for _ in multipliers:
        later: dict[tuple[Free, Fraction], Fraction] = {}
        for (free, score), so_far in chances.items():
            for roll, chance in law.items():
                values = {i: position(free - {i}, score + multipliers[i - 1] * roll) for i in sorted(free)}
                slot = max(values, key=values.__getitem__)
                place = (free - {slot}, score + multipliers[slot - 1] * roll)
                later[place] = later.get(place, Fraction(0)) + so_far * chance
        chances = later
    return {score: chance for (_, score), chance in chances.items() if chance}


def score_of_optimal(law: Law, multipliers: Multipliers, rolls: Sequence[int]) -> Fraction:
    """What the best play for the mean makes of these rolls."""
    position = worth(law, multipliers, mean)
    free, score = frozenset(range(1, len(multipliers) + 1)), Fraction(0)
    for roll in rolls:
        values = {i: position(free - {i}, score + multipliers[i - 1] * roll) for i in sorted(free)}
        slot = max(values, key=values.__getitem__)
        free, score = free - {slot}, score + multipliers[slot - 1] * roll
    return score


def best_score(multipliers: Multipliers, rolls: Sequence[int]) -> Fraction:
    """The most that any order of these rolls makes."""
    return max(
        sum((Fraction(multiplier * roll) for multiplier, roll in zip(multipliers, order, strict=True)), Fraction(0))
        for order in permutations(rolls)
    )
