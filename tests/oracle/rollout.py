"""What the rest of a game comes to after each move, by going through all sequences of rolls.

A face of the dice with weight k is listed k times, so all sequences of faces are equally likely.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from tentimes18.game import Board

Choose = Callable[[Board, int], int]


def faces(board: Board) -> list[int]:
    dice = board.game.dice
    return [roll for roll, count in zip(dice.support, dice.counts, strict=True) for _ in range(count)]


def sequences(board: Board) -> list[tuple[int, ...]]:
    """All equally likely sequences of the rolls still to come after the next one."""
    return list(product(faces(board), repeat=len(board.free_slots) - 1))


def finished(board: Board, choose: Choose, rolls: Sequence[int]) -> Board:
    for roll in rolls:
        board = board.place(roll, choose(board, roll))
    return board


def scores(board: Board, roll: int, choose: Choose) -> dict[int, list[Fraction]]:
    """For every slot the roll may go to the final scores of all sequences, in their order."""
    rest = sequences(board)
    return {
        slot: [Fraction(finished(board.place(roll, slot), choose, rolls).score) for rolls in rest]
        for slot in board.free_slots
    }


def mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def variance(numbers: Sequence[Fraction]) -> Fraction:
    return mean([number**2 for number in numbers]) - mean(numbers) ** 2


def equities(board: Board, opponent: Board, roll: int, mine: Choose, theirs: Choose) -> dict[int, list[Fraction]]:
    """The same of 1, one half or 0 for a won, drawn or lost duel against a player who looks only at their board."""
    others = [finished(opponent, theirs, (roll, *rolls)).score for rolls in sequences(board)]
    return {
        slot: [Fraction((score > other) * 2 + (score == other), 2) for score, other in zip(own, others, strict=True)]
        for slot, own in scores(board, roll, mine).items()
    }
