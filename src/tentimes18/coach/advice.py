"""Advice: what every free slot is worth for a roll, what it loses against the best one, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from tentimes18.coach.aims import Aim, Mean, Mixes
from tentimes18.coach.losses import Worth, difference, values_by_rows
from tentimes18.game import Board, Game, Position
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import exact_thresholds


@dataclass(frozen=True, slots=True)
class Move:
    """A slot, the worth of the position after placing the roll there, under the best play, and what that loses."""

    slot: int
    worth: Worth
    loss: Worth


@dataclass(frozen=True, slots=True)
class Advice:
    """All moves for a roll, best first; of equally good ones the one to take, then the others by slot."""

    roll: int
    moves: tuple[Move, ...]
    mixes: Mixes | None = None
    """How both players mix their moves, where the aim is to win against the best play."""

    @property
    def best(self) -> int:
        return self.moves[0].slot

    @property
    def best_slots(self) -> tuple[int, ...]:
        """Every slot that loses nothing."""
        return tuple(move.slot for move in self.moves if not move.loss)

    @property
    def is_choice(self) -> bool:
        """Whether some move would lose something."""
        return bool(self.moves[-1].loss)

    def move(self, slot: int) -> Move:
        return next(move for move in self.moves if move.slot == slot)


def advise(position: Position | Board, roll: int, aim: Aim | None = None) -> Advice:
    """What to do with a roll on a board, or in a position of a duel; by default for the mean, the expected score."""
    if isinstance(position, Board):
        position = Position(position)
    position.board.game.verify_roll(roll)
    aim = aim or Mean()
    advice = _advice(roll, aim.moves(position, roll), aim.mixes(position, roll))
    best = advice.best_slots
    if len(best) == 1 or (first := aim.preferred(position, roll, best)) == best[0]:
        return advice
    moves = sorted(advice.moves, key=lambda move: (move.loss, move.slot != first, move.slot))
    return replace(advice, moves=tuple(moves))


def advise_slots(game: Game, free_slots: Iterable[int], roll: int, progress: Progress | None = None) -> Advice:
    """What to do with a roll when these slots are free, whatever is in the others; worths count from here on.

    >>> advice = advise_slots(Game.classic(), range(1, 11), 9)
    >>> [(move.slot, round(float(move.worth), 5), round(float(move.loss), 5)) for move in advice.moves[:2]]
    [(4, 630.42809, 0.0), (3, 630.39355, 0.03455)]
    """
    free = game.verify_free(free_slots)
    game.verify_roll(roll)
    rows = exact_thresholds(game.dice, free.bit_count() - 1, progress)
    return _advice(roll, values_by_rows(game, free, roll, rows))


def _advice(roll: int, worths: Mapping[int, Worth], mixes: Mixes | None = None) -> Advice:
    best = max(worths.values())
    moves = [Move(slot, worth, difference(best, worth)) for slot, worth in worths.items()]
    return Advice(roll, tuple(sorted(moves, key=lambda move: (move.loss, move.slot))), mixes)


def reason(game: Game, advice: Advice) -> str:
    """Why a slot is best for the mean, in one sentence; what a slot can expect is the mean of what comes there later.

    >>> reason(Game.classic(), advise_slots(Game.classic(), range(1, 11), 9))
    "9 goes to slot 4: above what slot 3 can expect (8.97), below slot 5's 9.76."
    """
    roll, slots, best = advice.roll, sorted(move.slot for move in advice.moves), sorted(advice.best_slots)
    if len(slots) == 1:
        return f"Slot {slots[0]} is the only free one."
    if not advice.is_choice:
        return f"All free slots are equally good for {roll}.".replace("-", "−")
    row = exact_thresholds(game.dice, len(slots) - 1)[-1]
    low, high = slots.index(best[0]), slots.index(best[-1])
    parts = []
    if low > 0:
        parts.append(f"above what slot {slots[low - 1]} can expect ({_shown(row[low - 1], roll)})")
    if high < len(slots) - 1:
        slot, expected = slots[high + 1], _shown(row[high], roll)
        parts.append(f"below slot {slot}'s {expected}" if parts else f"below what slot {slot} can expect ({expected})")
    listed = f"{', '.join(map(str, best[:-1]))} and {best[-1]}"
    where = f"is equally good in slots {listed}" if len(best) > 1 else f"goes to slot {best[0]}"
    return f"{roll} {where}: {', '.join(parts)}.".replace("-", "−")


def _shown(expected: Fraction, roll: int) -> str:
    """Two digits after the point, or as many as it takes to tell it from the roll."""
    for digits in range(2, 10):
        if float(text := f"{float(expected):.{digits}f}") != roll:
            return text
    return f"just {'below' if expected < roll else 'above'} {roll}"
