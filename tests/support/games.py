"""Random small games for hypothesis, and their distributions in the form of the oracle."""

from fractions import Fraction

from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.game import Game, Number


def law_of(dice: Dice) -> dict[int, Fraction]:
    return {roll: Fraction(count, dice.total) for roll, count in zip(dice.support, dice.counts, strict=True)}


def all_slots(game: Game) -> frozenset[int]:
    return frozenset(range(1, game.size + 1))


def weights(max_rolls: int = 4, max_weight: int = 5) -> st.SearchStrategy[dict[int, int]]:
    return st.dictionaries(st.integers(-6, 9), st.integers(1, max_weight), min_size=1, max_size=max_rolls)


def dice(max_rolls: int = 4) -> st.SearchStrategy[Dice]:
    return weights(max_rolls).map(Dice.from_mapping)


def multipliers(max_slots: int = 4) -> st.SearchStrategy[list[Number]]:
    """Negative, zero, equal and fractional multipliers, in any order."""
    one: st.SearchStrategy[Number] = st.integers(-3, 6) | st.fractions(-3, 6, max_denominator=4)
    return st.lists(one, min_size=1, max_size=max_slots)


def games(max_slots: int = 4, max_rolls: int = 4) -> st.SearchStrategy[Game]:
    return st.builds(Game, dice(max_rolls), multipliers(max_slots))
