"""Advice for a position: what each free slot is worth for a roll, exactly."""

from dataclasses import dataclass
from fractions import Fraction

from tentimes18.game import Game, slots_of
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["Advice", "Move", "advise"]


@dataclass(frozen=True, slots=True)
class Move:
    """A slot, the points of placing the roll there and of the best play after it, and what that gives up.

    >>> game = Game.parse("1d6", "1,2")
    >>> advise(game, game.all_free, 5).moves[1]
    Move(slot=1, value=Fraction(12, 1), loss=Fraction(3, 2))
    """

    slot: int
    value: Fraction
    loss: Fraction


@dataclass(frozen=True, slots=True)
class Advice:
    """All moves for a roll, best first; equally good ones by slot.

    >>> game = Game.parse("1d3", "1,2")
    >>> advice = advise(game, game.all_free, 2)
    >>> advice.best, advice.best_slots
    (1, (1, 2))
    """

    roll: int
    moves: tuple[Move, ...]

    @property
    def best(self) -> int:
        """The slot that ``optimal`` takes."""
        return self.moves[0].slot

    @property
    def best_slots(self) -> tuple[int, ...]:
        """Every slot that loses nothing."""
        return tuple(move.slot for move in self.moves if not move.loss)


def advise(game: Game, free: int, roll: int) -> Advice:
    """What to do with a roll when these slots are free.

    With E the row of one slot less, moving the roll to the next free slot changes the value by
    (λ_{r+1} - λ_r)(roll - E[r]); so one sum gives the first value, and these steps the others.

    >>> advice = advise(Game.classic(), Game.classic().all_free, 9)
    >>> [(move.slot, round(float(move.value), 5), round(float(move.loss), 5)) for move in advice.moves[:2]]
    [(4, 630.42809, 0.0), (3, 630.39355, 0.03455)]
    """
    game.verify_mask(free)
    game.verify_roll(roll)
    rows = exact_thresholds(game.dice, free.bit_count() - 1) if free.bit_count() > 1 else ()
    multipliers = game.multipliers_of(free)
    values = [Fraction(multipliers[0] * roll)]
    if rows:
        row = rows[-1]
        values[0] += row.value(multipliers[1:])
        for low, high, threshold in zip(multipliers, multipliers[1:], row, strict=False):
            values.append(values[-1] + (high - low) * (roll - threshold))
    best = max(values)
    moves = (Move(slot, value, best - value) for slot, value in zip(slots_of(free), values, strict=True))
    return Advice(roll, tuple(sorted(moves, key=lambda move: (move.loss, move.slot))))
