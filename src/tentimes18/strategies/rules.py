"""Simple rules that people play by: each a slot for (free set, roll).

All three use where a roll stands among the rolls of the dice, q(x) = P(X < x) + P(X = x) / 2.

- ``nearest``: of k free slots, the one of rank 1 + floor(q k): where the roll would stand among k rolls.
- ``bands``: every roll has a fixed home, slot 1 + floor(q n) of all n; where that is taken, the next free slot
  outwards, upwards for a roll above the median and downwards below it, and else the nearest one inwards.
- ``greedy``: the highest free slot for a roll above the mean, else the lowest.
"""

from tentimes18.game import Game, slots_of
from tentimes18.solve.rules import Rule

__all__ = ["bands", "greedy", "nearest"]


def nearest(game: Game) -> Rule:
    """The rule ``nearest``.

    >>> nearest(Game.classic())(Game.classic().all_free, 9)
    4
    """
    standing, scale = _standing(game), 2 * game.dice.total

    def choose(free: int, roll: int) -> int:
        slots = slots_of(free)
        return slots[standing[roll] * len(slots) // scale]

    return choose


def bands(game: Game) -> Rule:
    """The rule ``bands``.

    >>> bands(Game.classic())(Game.classic().all_free, 9)
    4
    """
    standing, scale = _standing(game), 2 * game.dice.total

    def choose(free: int, roll: int) -> int:
        home = 1 + standing[roll] * game.size // scale
        above = [slot for slot in slots_of(free) if slot >= home]
        below = [slot for slot in slots_of(free) if slot <= home]
        if 2 * standing[roll] > scale:
            return above[0] if above else below[-1]
        return below[-1] if below else above[0]

    return choose


def greedy(game: Game) -> Rule:
    """The rule ``greedy``.

    >>> greedy(Game.classic())(Game.classic().all_free, 9)
    1
    """
    mean = game.dice.mean
    return lambda free, roll: slots_of(free)[-1 if roll > mean else 0]


def _standing(game: Game) -> dict[int, int]:
    """q(x) as integers over twice the total of the dice."""
    below = 0
    standing = {}
    for roll, count in zip(game.dice.support, game.dice.counts, strict=True):
        standing[roll] = 2 * below + count
        below += count
    return standing
