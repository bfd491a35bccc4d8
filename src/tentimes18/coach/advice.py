"""Advice for a position, and the review of a played game: what each move gave up, and what was luck.

With w the worth of a position (`aims`; for the mean, the expected final score), a round is told by

    luck = max_i w(move i) - w(before),    loss = max_i w(move i) - w(the move),

and summed over all rounds: score = value of the game + luck - loss, exactly.

Strategies are imported where they are needed: advice for the mean needs none, and should start fast.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tentimes18.coach.aims import Aim, Mean, Worth, move_values
from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game, Number, Position, slots_of
from tentimes18.records.notation import Record
from tentimes18.solve.thresholds import exact_thresholds

if TYPE_CHECKING:
    from tentimes18.solve.scores.law import ScoreLaw

__all__ = [
    "CLASSES",
    "ROUNDING",
    "Advice",
    "Move",
    "MoveClass",
    "Review",
    "ReviewedMove",
    "advise",
    "advise_position",
    "classify",
    "law_of_optimal",
    "outlook",
    "reason",
    "review",
    "verify_size",
]

ROUNDING: Final = 1e-12  # of worths in float64
MAX_SLOTS: Final = 200  # of a game that is reviewed: some seconds


class MoveClass(NamedTuple):
    """A class of moves: its name, its mark, and the least that a move of it loses, in points or in percent."""

    name: str
    mark: str
    least: Fraction


CLASSES: Final = (
    MoveClass("best", "", Fraction(0)),
    MoveClass("fine", "", Fraction(0)),
    MoveClass("good", "", Fraction(1, 4)),
    MoveClass("inaccuracy", "?!", Fraction(1)),
    MoveClass("mistake", "?", Fraction(3)),
    MoveClass("blunder", "??", Fraction(8)),
)
"""The one table of classes: a best move loses nothing, a fine one anything above."""


def classify(loss: Worth, *, is_chance: bool = False) -> MoveClass:
    """The class of a move that loses so much; a chance is counted in percent.

    >>> classify(Fraction(0)).name, classify(1).mark, classify(0.031, is_chance=True).mark
    ('best', '?!', '?')
    """
    if not loss:
        return CLASSES[0]
    counted = 100 * loss if is_chance else loss
    rounding = 0 if isinstance(loss, int | Fraction) else 100 * ROUNDING
    return next(found for found in reversed(CLASSES) if counted >= found.least - rounding)


@dataclass(frozen=True, slots=True)
class Move:
    """A slot, the points of placing the roll there and of the best play after it, and what that gives up.

    >>> game = Game.parse("1d6", "1,2")
    >>> advise(game, game.all_free, 5).moves[1]
    Move(slot=1, value=Fraction(12, 1), loss=Fraction(3, 2))
    """

    slot: int
    value: Worth
    loss: Worth


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
        """The first of the slots that lose nothing."""
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
        """The move to this slot."""
        return next(move for move in self.moves if move.slot == slot)


def advise(game: Game, free: int, roll: int) -> Advice:
    """What to do with a roll when these slots are free; values are the points still to come.

    >>> advice = advise(Game.classic(), Game.classic().all_free, 9)
    >>> [(move.slot, round(float(move.value), 5), round(float(move.loss), 5)) for move in advice.moves[:2]]
    [(4, 630.42809, 0.0), (3, 630.39355, 0.03455)]
    """
    return _advice(roll, move_values(game, free, roll))


def advise_position(position: Position, roll: int, by: Aim | None = None) -> Advice:
    """What to do with a roll in a position; values are worths, so for the mean expected final scores.

    >>> position = Position(Board(Game.classic()).place(8, 5))
    >>> [(move.slot, round(float(move.value), 5)) for move in advise_position(position, 9).moves[:1]]
    [(3, 612.59812)]
    """
    position.board.game.verify_roll(roll)
    return _advice(roll, (by or Mean()).moves(position, roll))


def _advice(roll: int, values: Mapping[int, Worth]) -> Advice:
    best = max(values.values())
    moves = [Move(slot, value, _difference(best, value)) for slot, value in values.items()]
    return Advice(roll, tuple(sorted(moves, key=lambda move: (move.loss, move.slot))))


def _difference(worth: Worth, other: Worth) -> Worth:
    """In float64 nothing, where it is no more than rounding."""
    difference = worth - other
    return difference if isinstance(difference, Fraction) or abs(difference) > ROUNDING else 0.0


def outlook(board: Board) -> "ScoreLaw":
    """The law of the final score under the best play for the mean from this board on, in float64.

    >>> round(outlook(Board(Game.classic()).place(9, 4)).mean, 5)
    630.42809
    """
    from tentimes18.strategies.named import named, score_law

    return score_law(board, named("optimal"), exact=False)


def reason(game: Game, free: int, roll: int) -> str:
    """Why a slot is best for the mean, in one sentence; what a slot can expect is the mean of what comes there later.

    >>> reason(Game.classic(), Game.classic().all_free, 9)
    "9 goes to slot 4: above what slot 3 can expect (8.97), below slot 5's 9.76."
    """
    advice = advise(game, free, roll)
    slots = slots_of(free)
    if len(slots) == 1:
        return f"Slot {slots[0]} is the only free one."
    best = advice.best_slots
    if not advice.is_choice:
        return f"All free slots are equally good for {roll}."
    row = exact_thresholds(game.dice, len(slots) - 1)[-1]
    low, high = slots.index(min(best)), slots.index(max(best))
    parts = []
    if low > 0:
        parts.append(f"above what slot {slots[low - 1]} can expect ({_shown(row[low - 1], roll)})")
    if high < len(slots) - 1:
        slot, expected = slots[high + 1], _shown(row[high], roll)
        parts.append(f"below slot {slot}'s {expected}" if parts else f"below what slot {slot} can expect ({expected})")
    listed = f"{', '.join(map(str, best[:-1]))} and {best[-1]}"
    where = f"is equally good in slots {listed}" if len(best) > 1 else f"goes to slot {best[0]}"
    return f"{roll} {where}: {', '.join(parts)}."


def _shown(expected: Fraction, roll: int) -> str:
    """Two digits after the point, or as many as it takes to tell it from the roll."""
    for digits in range(2, 10):
        if float(text := f"{float(expected):.{digits}f}") != roll:
            return text
    return f"just {'below' if expected < roll else 'above'} {roll}"


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a played game: what was best, what it lost, and the worth of the position around it.

    ``luck`` is what the roll changed, ``gift`` what the opponent's move did in a duel.

    >>> from tentimes18.records.notation import parse_record
    >>> move = review(parse_record("1d6 1,2: 5@1 4@2")).moves[0]
    >>> move.before + move.luck - move.loss == move.after
    True
    """

    roll: int
    slot: int
    best_slots: tuple[int, ...]
    loss: Worth
    luck: Worth
    gift: Worth
    before: Worth
    after: Worth
    is_choice: bool
    move_class: MoveClass


@dataclass(frozen=True)
class Review:
    """A played game, move by move, measured by a aim.

    >>> from tentimes18.records.notation import parse_record
    >>> found = review(parse_record("1d6 1-3: 4@1 6@3 5@2"))
    >>> found.start + found.luck - found.loss == found.record.board.score == 32
    True
    """

    record: Record
    by: Aim
    moves: tuple[ReviewedMove, ...]
    start: Worth

    @property
    def luck(self) -> Worth:
        """What the rolls changed, in sum."""
        return sum((move.luck for move in self.moves), Fraction(0))

    @property
    def loss(self) -> Worth:
        """What the moves gave up, in sum."""
        return sum((move.loss for move in self.moves), Fraction(0))

    @property
    def gift(self) -> Worth:
        """What the opponent's moves changed, in sum; 0 but for duels."""
        return sum((move.gift for move in self.moves), Fraction(0))

    @property
    def end(self) -> Worth:
        """The worth of the last position: of a full board, what it made."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def choices(self) -> int:
        """How many moves were a choice: some slot would have lost something."""
        return sum(move.is_choice for move in self.moves)

    @property
    def skill(self) -> Worth | None:
        """The mean loss of the moves that were a choice; the less the better."""
        return self.loss / self.choices if self.choices else None

    @property
    def counts(self) -> dict[str, int]:
        """How many moves are of each class."""
        names = [move.move_class.name for move in self.moves]
        return {found.name: names.count(found.name) for found in CLASSES}

    @property
    def percentile(self) -> Worth | None:
        """The chance that `optimal` makes this score or less, for a finished game."""
        law = law_of_optimal(self.record.board.game) if self.record.finished else None
        return law.at_most(self.record.board.score) if law else None

    @property
    def optimal_score(self) -> Number | None:
        """What `optimal` would have made of these rolls."""
        return self._score_of("optimal")

    @property
    def best_score(self) -> Number | None:
        """The best score possible on these rolls."""
        return self._score_of("hindsight")

    def _score_of(self, strategy: str) -> Number | None:
        from tentimes18.strategies.named import named, play

        board = self.record.board
        rolls = [placement.roll for placement in board.placements]
        return play(board.game, named(strategy), rolls).score if self.record.finished else None


def review(record: Record, by: Aim | None = None) -> Review:
    """Measure every move of a game.

    >>> from tentimes18.records.notation import parse_record
    >>> [(move.slot, move.best_slots, move.loss) for move in review(parse_record("1d6 1,2: 5@1 4@2")).moves]
    [(1, (2,), Fraction(3, 2)), (2, (2,), Fraction(0, 1))]
    """
    verify_size(record.board.game)
    by = by or Mean()
    opponent = record.opponent
    position = Position(Board(record.board.game), Board(record.board.game) if opponent else None)
    start = before = by.worth(position)
    answers: Sequence[int | None] = [p.slot for p in opponent.placements] if opponent else [None] * record.board.rounds
    moves = []
    for (roll, slot), answer in zip(record.board.placements, answers, strict=True):
        advice = advise_position(position, roll, by)
        move = advice.move(slot)
        position = position.after(roll, slot, answer)
        after = by.worth(position)
        moves.append(
            ReviewedMove(
                roll=roll,
                slot=slot,
                best_slots=advice.best_slots,
                loss=move.loss,
                luck=_difference(advice.moves[0].value, before),
                gift=_difference(after, move.value),
                before=before,
                after=after,
                is_choice=advice.is_choice,
                move_class=classify(move.loss, is_chance=by.is_chance),
            )
        )
        before = after
    return Review(record, by, tuple(moves), start)


def verify_size(game: Game) -> None:
    """Raise ``TooLarge`` where the review of a game would take too long."""
    if game.size > MAX_SLOTS:
        raise TooLarge(f"slots: {game.size} slots; games on at most {MAX_SLOTS} are reviewed")


@lru_cache(maxsize=8)
def law_of_optimal(game: Game) -> "ScoreLaw | None":
    """The law of the score of `optimal`, which scores are compared with; None where it takes too long.

    >>> law = law_of_optimal(Game.classic())
    >>> law and law.median
    646
    """
    from tentimes18.strategies.named import named, score_law

    try:
        return score_law(Board(game), named("optimal"))
    except TooLarge:
        return None
