"""The review of a played game: what each move lost, and what was luck.

With w the worth of a position (`coach.aims`; for the mean, the expected final score), a round has

    luck = max_i w(move i) - w(before),    loss = max_i w(move i) - w(the move),

and summed over all rounds: score = value of the game + luck - loss, exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tentimes18.coach.advice import advise
from tentimes18.coach.aims import Aim, Mean, Mixes, played_for, takebacks_of
from tentimes18.coach.losses import CLASSES, MoveClass, Unit, Worth, classify, difference
from tentimes18.coach.skill import SkillLevel, level_of, random_loss
from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game, Number, Position
from tentimes18.records.notation import Record
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game, score_distribution

MAX_SLOTS = 200  # of a game that is reviewed
MAX_STEPS = 4e10  # of the distribution that a score is compared with


def outlook(board: Board) -> ScoreDistribution:
    """The distribution of the final score under the best play for the mean from this board on, in float64."""
    return score_distribution(board, named("optimal"), exact=False)


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a played game: what was best, what it lost, and the worth of the position around it.

    ``luck`` is what the roll changed, ``gift`` what the opponent's move did in a duel.
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
    mixes: Mixes | None = None  # where the aim is to win against the best play


@dataclass(frozen=True)
class Review:
    """A played game, move by move, measured by an aim; luck, loss and gift are sums."""

    record: Record
    aim: Aim
    moves: tuple[ReviewedMove, ...]
    start: Worth
    luck: Worth
    loss: Worth
    gift: Worth

    @property
    def end(self) -> Worth:
        """The worth of the last position: of a full board, what it made."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def ends_with_score(self) -> bool:
        return self.record.finished and self.aim.unit is Unit.points

    @property
    def choices(self) -> int:
        """How many moves were a choice: some slot would have lost something."""
        return sum(move.is_choice for move in self.moves)

    @property
    def skill(self) -> Worth | None:
        """The mean loss of the moves that were a choice; the less the better."""
        return self.loss / self.choices if self.choices else None

    @property
    def level(self) -> SkillLevel | None:
        """A word for the skill; none for practice, nor for a game that was played for something else."""
        if takebacks_of(self.record) or played_for(self.record) not in ("mean", self.aim.name):
            return None
        return level_of(self.skill, random_loss(self.record.board.game, self.aim))

    @property
    def counts(self) -> dict[str, int]:
        classes = [move.move_class for move in self.moves]
        return {kind.name: classes.count(kind) for kind in CLASSES}

    @property
    def percentile(self) -> Worth | None:
        """The chance that `optimal` makes this score or less, for a finished game."""
        scores = optimal_distribution(self.record.board.game) if self.record.finished else None
        return scores.at_most(self.record.board.score) if scores else None

    @property
    def optimal_score(self) -> Number | None:
        return self._score_of("optimal")

    @property
    def best_score(self) -> Number | None:
        return self._score_of("hindsight")

    def _score_of(self, strategy: str) -> Number | None:
        board = self.record.board
        rolls = [placement.roll for placement in board.placements]
        return play_game(board.game, named(strategy), rolls).score if self.record.finished else None


def review(record: Record, aim: Aim | None = None) -> Review:
    verify_size(record.board.game)
    aim = aim or Mean()
    opponent = record.opponent
    position = Position(Board(record.board.game), Board(record.board.game) if opponent else None)
    start = before = aim.worth(position)
    answers: Sequence[int | None] = [p.slot for p in opponent.placements] if opponent else [None] * record.board.rounds
    moves = []
    for (roll, slot), answer in zip(record.board.placements, answers, strict=True):
        advice = advise(position, roll, aim)
        move = advice.move(slot)
        position = position.after(roll, slot, answer)
        after = aim.worth(position)
        luck, gift = difference(advice.moves[0].worth, before), difference(after, move.worth)
        best, move_class = advice.best_slots, classify(move.loss, aim.unit)
        changes = move.loss, luck, gift, before, after
        moves.append(ReviewedMove(roll, slot, best, *changes, advice.is_choice, move_class, advice.mixes))
        before = after
    sums = (sum((getattr(move, name) for move in moves), Fraction(0)) for name in ("luck", "loss", "gift"))
    return Review(record, aim, tuple(moves), start, *sums)


def verify_size(game: Game) -> None:
    """Raise ``TooLarge`` where the review of a game would take too long."""
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size} slots; games on at most {MAX_SLOTS} are reviewed", field="slots")


@lru_cache(maxsize=8)
def optimal_distribution(game: Game) -> ScoreDistribution | None:
    """The distribution of the score of `optimal`, to compare scores with; None where it takes too long."""
    if game.size > 40 or 2**game.size * len(game.dice.support) * lattice_width(game) / 2 > MAX_STEPS:
        return None
    try:
        return score_distribution(Board(game), named("optimal"))
    except TooLarge:
        return None
