"""Questions of a drill, by the oracle."""

from fractions import Fraction

from tentimes18.coach.drill import Question
from tests.oracle.play import move_values
from tests.support.games import law_of


def losses(question: Question) -> list[Fraction]:
    """What every slot that is not best gives up, by the oracle, the least first."""
    board, roll = question.record.board, question.record.roll
    assert roll is not None
    values = move_values(law_of(board.game.dice), board.game.multipliers, frozenset(board.free_slots), roll)
    return sorted(max(values.values()) - value for value in values.values() if value != max(values.values()))
