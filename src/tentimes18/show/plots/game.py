"""The picture of a played game: round by round the slots fill up, as in the paper's first figure."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tentimes18.coach.review import Review, review
from tentimes18.errors import TooLarge
from tentimes18.game import Board
from tentimes18.records.notation import Record
from tentimes18.show.colours import INK, LINE, LOSS, QUIET, SUNK, WHITE, tint
from tentimes18.show.figures import points, rough, short, times
from tentimes18.show.plots.style import canvas, styled
from tentimes18.show.words import game_name

__all__ = ["plot_game"]

MAX_SLOTS: Final = 30
CELL: Final = 0.46  # inches
ROW: Final = 0.36
GAP: Final = 0.035

# In cells: the roll left of the slots; its points, their sum and what the move lost right of them.
ROLL: Final = -0.8
LEFT: Final = 1.35
RIGHT: Final = (1.5, 3.0, 4.5)


@styled
def plot_game(board: Board) -> Figure:
    r"""Each row a round: its roll in colour, what stood there before in grey, the points, and what the move lost.

    >>> from tentimes18.game import Game
    >>> plot_game(Board.replay(Game.classic(), [(8, 5), (4, 1)])).texts[0].get_text()
    '44 points after 2 of 10 rounds; the\nbest play leads to 604.9 on average'
    """
    game = board.game
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size} slots; at most {MAX_SLOTS} are drawn round by round", field="slots")
    reviewed = review(Record(board))
    losses = [Fraction(move.loss) for move in reviewed.moves]
    width = max(7.0, 1.05 + CELL * (LEFT + game.size + RIGHT[-1]))
    height = 1.4 + ROW * (game.size + 2.4)
    figure, axes = canvas(_title(reviewed), _subtitle(reviewed), width, height, foot=0.3)
    inches = axes.get_position().width * width, axes.get_position().height * height
    axes.set(xlim=(-LEFT, inches[0] / CELL - LEFT), ylim=(inches[1] / ROW - 1, -1))
    axes.set_axis_off()
    _head(axes, board)
    _rows(axes, board, losses)
    _foot(axes, board, losses)
    return figure


def _title(reviewed: Review) -> str:
    board = reviewed.record.board
    score = points(Fraction(board.score))
    if not board.free:
        average = Fraction(reviewed.start)
        if board.score == average:
            return f"{score} points, as the best play makes on average"
        difference = f"{rough(abs(board.score - average))} {'more' if board.score > average else 'less'}"
        return f"{score} points, {difference} than the best play makes on average"
    rounds = f"{score} points after {board.rounds} of {board.game.size} rounds"
    after = rounds if board.rounds else "Before the first roll"
    return f"{after}; the best play leads to {points(Fraction(reviewed.end))} on average"


def _subtitle(reviewed: Review) -> str:
    name, most = game_name(reviewed.record.board.game), reviewed.best_score
    if most is None:
        return f"{name}: each row a round, the new roll in colour; lost: expected points given up by the move"
    loss = reviewed.loss
    lost = f"the moves gave up {short(loss)} expected points" if loss else "every move was a best one"
    return f"{name}: {lost}; in the best order these rolls make {points(Fraction(most))}"


def _head(axes: Axes, board: Board) -> None:
    game = board.game
    style: dict[str, Any] = {"va": "center_baseline", "color": QUIET, "fontsize": 8.5}
    axes.text(ROLL, -0.5, "roll", ha="center", **style)
    names = [times(multiplier) for multiplier in game.multipliers]
    size = _size(names)
    for column, name in enumerate(names):
        axes.text(column + 0.5, -0.5, name, ha="center", **(style | {"fontsize": size, "fontweight": "bold"}))
    for right, name in zip(RIGHT, ("points", "sum", "lost"), strict=True):
        axes.text(game.size + right, -0.5, name, ha="right", **style)


def _size(names: Sequence[str], largest: float = 9.5) -> float:
    """The type in which all these fit into a cell."""
    return min(largest, CELL * 72 / (0.68 * max(map(len, names))))


def _rows(axes: Axes, board: Board, losses: Sequence[Fraction]) -> None:
    game = board.game
    size = _size([str(roll) for roll in game.dice.support])
    now = Board(game)
    text: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
    for row in range(game.size):
        placed = board.placements[row] if row < board.rounds else None
        if placed is not None:
            now = now.place(*placed)
            axes.text(ROLL, row + 0.5, str(placed.roll), fontsize=size, fontweight="bold", **text)
        for column in range(game.size):
            standing = now[column + 1] if placed is not None else None
            is_new = placed is not None and placed.slot == column + 1
            fill = tint(column + 1, game.size) if is_new else WHITE if standing is None else SUNK
            _cell(axes, column, row, fill, LINE if standing is None else fill)
            if standing is not None:
                weight, ink = ("bold", INK) if is_new else ("normal", QUIET)
                axes.text(column + 0.5, row + 0.5, str(standing), color=ink, fontsize=size, fontweight=weight, **text)
        if placed is None:
            continue
        gained = Fraction(game.multipliers[placed.slot - 1] * placed.roll)
        lost = short(losses[row]) if losses[row] else ""
        for right, value, ink in zip(
            RIGHT, (points(gained), points(Fraction(now.score)), lost), (INK, INK, LOSS), strict=True
        ):
            axes.text(game.size + right, row + 0.5, value, ha="right", va="center_baseline", color=ink)


def _cell(axes: Axes, column: float, row: float, fill: str, edge: str) -> None:
    box = Rectangle((column + GAP, row + GAP), 1 - 2 * GAP, 1 - 2 * GAP, facecolor=fill, edgecolor=edge)
    box.set_linewidth(0.6)
    axes.add_patch(box)


def _foot(axes: Axes, board: Board, losses: Sequence[Fraction]) -> None:
    """The points of each slot, and the score."""
    game = board.game
    row = game.size + 0.75
    products = {slot: points(Fraction(game.multipliers[slot - 1] * roll)) for roll, slot in board.placements}
    size = _size([*products.values(), "000"])
    style: dict[str, Any] = {"va": "center_baseline"}
    axes.plot([0, game.size + RIGHT[-1]], [game.size + 0.2] * 2, color=INK, linewidth=0.8)
    axes.text(ROLL, row, "points", ha="center", color=QUIET, fontsize=8.5, **style)
    for slot, product in products.items():
        axes.text(slot - 0.5, row, product, ha="center", fontsize=size, **style)
    axes.text(
        game.size + RIGHT[1], row, points(Fraction(board.score)), ha="right", fontsize=13, fontweight="bold", **style
    )
    if any(losses):
        axes.text(game.size + RIGHT[2], row, short(sum(losses)), ha="right", color=LOSS, **style)
