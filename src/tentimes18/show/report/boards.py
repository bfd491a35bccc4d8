"""Two boards back to back, with the score as area: a block is as long as its roll and as thick as its multiplier."""

from typing import Final

from tentimes18.game import Board, Game
from tentimes18.show.figures import shown_score, times
from tentimes18.show.report.page import text

__all__ = ["MOST_SLOTS", "boards"]

MOST_SLOTS: Final = 20  # of a board that is drawn
THINNEST: Final = 0.06  # of the thickest block
SHORTEST: Final = 0.04  # of the longest


def boards(caption: str, yours: tuple[str, Board], theirs: tuple[str, Board], kind: str) -> str:
    """Two boards of one game, each with its name; the kind says whose the right one is: `optimal` or `rival`.

    >>> board = Board(Game.parse("1d6", "1,2")).place(4, 1).place(6, 2)
    >>> boards("You and optimal", ("You", board), ("optimal", board), "optimal").count("<li")
    2
    """
    (name, own), (other_name, other) = yours, theirs
    rows = "".join(_row(own, other, slot) for slot in range(1, own.game.size + 1))
    totals = (
        f'<p class="totals"><span>{text(name)} <b>{text(shown_score(own.score))}</b></span>'
        f"<span>{text(other_name)} <b>{text(shown_score(other.score))}</b></span></p>"
    )
    return f'<div class="card boards {kind}"><h3>{text(caption)}</h3>{totals}<ol class="duo">{rows}</ol></div>'


def _row(own: Board, other: Board, slot: int) -> str:
    multiplier = own.game.multipliers[slot - 1]
    most = max(abs(found) for found in own.game.multipliers) or 1
    thick = max(THINNEST, float(abs(multiplier) / most))
    return (
        f'<li style="--m: {thick:.3f}">{_half(own, slot, "left")}'
        f'<span class="mult">{text(times(multiplier))}</span>{_half(other, slot, "right")}</li>'
    )


def _half(board: Board, slot: int, side: str) -> str:
    roll = board[slot]
    if roll is None:
        return f'<div class="half {side}"><span class="trough"></span><span class="points">–</span></div>'
    gained = shown_score(board.game.multipliers[slot - 1] * roll)
    return (
        f'<div class="half {side}"><span class="trough">'
        f'<span class="block" style="--r: {_length(board.game, roll):.3f}"></span><b>{text(roll)}</b></span>'
        f'<span class="points">{text(gained)}</span></div>'
    )


def _length(game: Game, roll: int) -> float:
    longest = max(abs(found) for found in game.dice.support) or 1
    return max(SHORTEST, abs(roll) / longest)
