"""The law of one roll of dice: what can be read off it, and the chance of each roll."""

from collections.abc import Sequence
from math import sqrt
from typing import TypedDict

from tentimes18.dice import Dice
from tentimes18.queries.json_numbers import writer
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["RollAnswer", "RollLawAnswer", "RollLawsAnswer", "roll_law", "roll_laws"]


class RollAnswer(TypedDict):
    """A roll, its chance, and the chances of that much or more, or less."""

    roll: int
    chance: float | str
    at_least: float | str
    at_most: float | str


class RollLawAnswer(TypedDict):
    """What can be read off the law of dice; ``medians`` are two where half of the law lies up to the first."""

    dice: str
    mean: float | str
    variance: float | str
    sd: float
    least: int
    most: int
    medians: list[int]
    rolls: list[RollAnswer]


class RollLawsAnswer(TypedDict):
    """The laws of dice, in the order in which these were given."""

    laws: list[RollLawAnswer]


def roll_law(dice: Dice) -> ScoreLaw:
    """The law of one roll, as if it were a score.

    >>> roll_law(Dice.parse("3d6")).at_least(17)
    Fraction(1, 54)
    """
    return ScoreLaw(dice.support, dice.counts, dice.total)


def roll_laws(dice: Sequence[Dice], *, exact: bool = False) -> RollLawsAnswer:
    """The laws of these dice; ``exact`` writes fractions.

    >>> [law["mean"] for law in roll_laws([Dice.parse("1d6"), Dice.parse("2d6kh1")], exact=True)["laws"]]
    ['7/2', '161/36']
    """
    return {"laws": [_answer(one, exact) for one in dice]}


def _answer(dice: Dice, exact: bool) -> RollLawAnswer:
    law, write = roll_law(dice), writer(exact)
    rolls: list[RollAnswer] = [
        {
            "roll": roll,
            "chance": write(law.probability(roll)),
            "at_least": write(law.at_least(roll)),
            "at_most": write(law.at_most(roll)),
        }
        for roll in dice.support
    ]
    return {
        "dice": str(dice),
        "mean": write(dice.mean),
        "variance": write(dice.variance),
        "sd": sqrt(dice.variance),
        "least": dice.support[0],
        "most": dice.support[-1],
        "medians": [int(median) for median in law.medians],
        "rolls": rolls,
    }
