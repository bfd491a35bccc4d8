"""A word for the skill of a player: from perfect to beginner, by what a choice loses against what chance would lose.

Skill is the mean loss of the moves that were a choice. What it means depends on the game: dice with twice the spread
lose twice as much. So it is compared with the loss of a player who takes any free slot. As luck is 0 on average, that
loss is, per game, the worth of the game under the best play minus its worth under `random`; and for each of the n - 1
rounds in which there is more than one free slot,

    u = (w - w_random) / (n - 1).

For points w is the value of the game and w_random = E[X] Σ λ_i, both exact. For a target w_random is the exact chance
that `random` reaches it. In a duel it is counted as 0: chance wins next to none where there are many slots.

The levels are bounds of skill / u, about a factor of three apart, as are those of the classes of moves. The simple
rules keep their levels in games with very different dice and slots (docs/play/reviews.md): `nearest` is a master,
`bands` advanced, `greedy` intermediate.
"""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from tentimes18.coach.aims import Aim, is_of_duels
from tentimes18.coach.losses import ROUNDING, Unit, Worth
from tentimes18.game import Board, Game, Position
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named

MAX_SCORES = 50_000  # of the distribution of `random`, for one word
MAX_STEPS = 4e9  # of making it
MIN_STAKE = Fraction(1, 100)  # of a chance that the moves decide; below it no word is fair


class SkillLevel(NamedTuple):
    """A level: its name, and the most that its players lose, as a part of what chance loses; the last has no bound."""

    name: str
    most: Fraction | None


LEVELS = (
    SkillLevel("perfect", Fraction(0)),
    SkillLevel("master", Fraction(1, 100)),
    SkillLevel("expert", Fraction(3, 100)),
    SkillLevel("advanced", Fraction(1, 10)),
    SkillLevel("intermediate", Fraction(3, 10)),
    SkillLevel("beginner", None),
)
"""The one table of levels, the best first; a perfect player loses nothing."""


def random_loss(game: Game, aim: Aim) -> Worth | None:
    """What a choice loses on average when slots are taken at random; None where the moves decide next to nothing."""
    if game.size < 2:
        return None
    empty = Board(game)
    worth = aim.worth(Position(empty, empty if is_of_duels(aim.name) else None))
    by_chance: Worth = game.dice.mean * sum(game.multipliers)
    if aim.against is not None:
        by_chance = Fraction(0)
    elif aim.target is not None:
        distribution = _distribution_of_random(game)
        if distribution is None:
            return None
        by_chance = distribution.at_least(aim.target)
    stake = worth - by_chance
    if stake <= 0 or (aim.unit is Unit.chance and stake < MIN_STAKE):
        return None
    return stake / (game.size - 1)


@lru_cache(maxsize=16)
def _distribution_of_random(game: Game) -> ScoreDistribution | None:
    width = lattice_width(game)
    bytes_of_total = game.size * game.dice.total.bit_length() / 8
    if width > MAX_SCORES or game.size * len(game.dice.support) * width * bytes_of_total > MAX_STEPS:
        return None
    return named("random").distribution(Board(game))


def level_of(skill: Worth | None, unit: Worth | None) -> SkillLevel | None:
    """The level of a player who loses ``skill`` per choice where chance loses ``unit`` (`random_loss`)."""
    if skill is None or unit is None:
        return None
    if not skill:
        return LEVELS[0]
    part = skill / unit
    rounding = 0 if isinstance(part, Fraction) else ROUNDING
    return next(level for level in LEVELS[1:] if level.most is None or part - rounding <= level.most)
