"""Pictures of played games: the board round by round, as in the paper's first figure, the course, and the progress."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tentimes18.coach.losses import Unit
from tentimes18.coach.review import Review, review
from tentimes18.coach.summary import Summary
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board
from tentimes18.number_format import HUGE, points, rough, short, times
from tentimes18.pictures.colours import INK, LINE, LOSS, LUCK, QUIET, RIVAL, SUNK, WHITE, tint
from tentimes18.pictures.plot_style import canvas, legend, styled, whole_ticks
from tentimes18.records.notation import Record
from tentimes18.wording import game_name, headline_change, headline_worth, measured_by, words_of

MAX_SLOTS = 30
CELL = 0.46  # inches
ROW = 0.36
GAP = 0.035
SIDE = 1 - 2 * GAP

# In cells: the roll left of the slots; its points, their sum and what the move lost right of them.
ROLL = -0.8
LEFT = 1.35
RIGHT = (1.5, 3.0, 4.5)


@styled
def plot_game(board: Board) -> Figure:
    """A round per row: the new roll in colour, earlier ones in grey, the points, and the loss of the move."""
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
    _draw_rounds(axes, board, losses)
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


def _draw_rounds(axes: Axes, board: Board, losses: Sequence[Fraction]) -> None:
    """The multipliers, a row for each round, and below them the points of each slot and the sums."""
    game = board.game
    centre: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
    right: dict[str, Any] = {"ha": "right", "va": "center_baseline"}
    quiet: dict[str, Any] = {"color": QUIET, "fontsize": 8.5}
    axes.text(ROLL, -0.5, "roll", **centre, **quiet)
    names = [times(multiplier) for multiplier in game.multipliers]
    for column, name in enumerate(names):
        axes.text(column + 0.5, -0.5, name, color=QUIET, fontsize=_size(names), fontweight="bold", **centre)
    for place, name in zip(RIGHT, ("points", "sum", "lost"), strict=True):
        axes.text(game.size + place, -0.5, name, **right, **quiet)

    size = _size([str(roll) for roll in game.dice.support])
    now = Board(game)
    for row in range(game.size):
        placed = board.placements[row] if row < board.rounds else None
        if placed is not None:
            now = now.place(*placed)
            axes.text(ROLL, row + 0.5, str(placed.roll), fontsize=size, fontweight="bold", **centre)
        for column in range(game.size):
            standing = now[column + 1] if placed is not None else None
            is_new = placed is not None and placed.slot == column + 1
            fill = tint(column + 1, game.size) if is_new else WHITE if standing is None else SUNK
            edge = LINE if standing is None else fill
            box = Rectangle((column + GAP, row + GAP), SIDE, SIDE, facecolor=fill, edgecolor=edge, linewidth=0.6)
            axes.add_patch(box)
            if standing is not None:
                weight, ink = ("bold", INK) if is_new else ("normal", QUIET)
                axes.text(column + 0.5, row + 0.5, str(standing), color=ink, fontsize=size, fontweight=weight, **centre)
        if placed is not None:
            gained = Fraction(game.multipliers[placed.slot - 1] * placed.roll)
            values = points(gained), points(Fraction(now.score)), short(losses[row]) if losses[row] else ""
            for place, value, ink in zip(RIGHT, values, (INK, INK, LOSS), strict=True):
                axes.text(game.size + place, row + 0.5, value, color=ink, **right)

    foot = game.size + 0.75
    products = {slot: points(Fraction(game.multipliers[slot - 1] * roll)) for roll, slot in board.placements}
    size = _size([*products.values(), "000"])
    axes.plot([0, game.size + RIGHT[-1]], [game.size + 0.2] * 2, color=INK, linewidth=0.8)
    axes.text(ROLL, foot, "points", **centre, **quiet)
    for slot, product in products.items():
        axes.text(slot - 0.5, foot, product, fontsize=size, **centre)
    score = points(Fraction(board.score))
    axes.text(game.size + RIGHT[1], foot, score, fontsize=13, fontweight="bold", **right)
    if any(losses):
        axes.text(game.size + RIGHT[2], foot, short(sum(losses)), color=LOSS, **right)


def _size(names: Sequence[str]) -> float:
    """The type in which all these fit into a cell."""
    return min(9.5, CELL * 72 / (0.68 * max(map(len, names))))


INNER = 3.1  # inches: the height of the axes
BAR = 0.32  # of a round
NAMED_ROUNDS = 12


@styled
def plot_course(review: Review) -> Figure:
    """Round by round the luck of the roll and the loss of the move, from the value of the game to the score."""
    n = review.record.board.game.size
    subtitle = f"{game_name(review.record.board.game)}: {measured_by(review.aim)} as the game went on"
    figure, axes = canvas(_course_title(review), subtitle, inner=INNER, head=0.25, foot=0.85)
    levels = [float(review.start)]
    for number, move in enumerate(review.moves, start=1):
        level, right = float(move.before), number - BAR / 2
        for place, change, colour in (
            (number - BAR, float(move.luck), LUCK),
            (number, -float(move.loss), LOSS),
            (number + BAR, float(move.gift), RIVAL),
        ):
            if change:
                axes.bar(place, change, BAR, level, color=colour, align="center", linewidth=0)
                level, right = level + change, place + BAR / 2
        levels += [level - float(move.gift) + float(move.loss), level]
        axes.plot([right, number + 1 - 1.5 * BAR], [level, level], color=QUIET, linewidth=0.8)
        if move.move_class.mark:
            style: dict[str, Any] = {"ha": "center", "va": "top", "color": LOSS, "fontweight": "bold", "fontsize": 9}
            axes.annotate(move.move_class.mark, (number, level), (0, -2), textcoords="offset points", **style)
    axes.axhline(levels[0], color=QUIET, linewidth=0.8, linestyle=(0, (1, 2)))
    axes.plot([0.5, 1 - 1.5 * BAR], [levels[0]] * 2, color=QUIET, linewidth=0.8)
    end = len(review.moves) + 1 - 1.5 * BAR
    axes.plot([end], [levels[-1]], "o", color=INK, markersize=5, clip_on=False, zorder=3)
    spread = max(levels) - min(levels) or 1.0
    axes.set(xlim=(0.4, n + 0.9), ylim=(min(levels) - 0.14 * spread, max(levels) + 0.12 * spread))
    style = {"textcoords": "offset points", "ha": "center", "fontweight": "bold"}
    axes.annotate(headline_worth(review.end, review.aim.unit), (end, levels[-1]), (0, 6), **style)
    _name_rounds(axes, review)
    parts = [("luck of the roll", LUCK), ("lost by the move", LOSS)]
    legend(axes, [*parts, ("given by the opponent", RIVAL)] if review.gift else parts)
    axes.grid(axis="y")
    if review.aim.unit is not Unit.points:
        axes.yaxis.set_major_formatter(lambda worth, _: f"{review.aim.unit.counted(worth):.4g}%")
    elif max(map(abs, levels)) >= HUGE:
        axes.yaxis.set_major_formatter(lambda place, _: points(Fraction(place)))
    return figure


def _course_title(review: Review) -> str:
    unit = review.aim.unit
    start, end = headline_worth(review.start, unit), headline_worth(review.end, unit)
    noun = words_of(unit).tail.removeprefix("%")
    if not review.moves:
        return f"Before the first roll: {start}{noun}"
    luck = f"the rolls brought {headline_change(review.luck, unit)} {'more' if review.luck >= 0 else 'less'} than usual"
    loss = f"the moves gave up {headline_change(review.loss, unit)}" if review.loss else "no move gave up anything"
    return f"From {start} to {end}{noun}: {luck}, {loss}"


def _name_rounds(axes: Axes, review: Review) -> None:
    """Under each round its roll and slot, where there is room."""
    n = review.record.board.game.size
    if n > NAMED_ROUNDS:
        axes.set_xlabel("round")
        return
    axes.set_xticks(range(1, n + 1))
    names = [f"{move.roll}@{move.slot}" for move in review.moves]
    room = axes.get_window_extent().width / (n + 0.5)
    size = min(8.0, room / (0.68 * (max(map(len, names), default=1) + 0.5)))
    style: dict[str, Any] = {"ha": "center", "color": QUIET, "fontsize": size, "annotation_clip": False}
    for number, name in enumerate(names, start=1):
        axes.annotate(name, (number, 0), (0, -24), ("data", "axes fraction"), "offset points", **style)
    axes.set_xlabel("round, and its roll@slot", labelpad=19)


@styled
def plot_progress(summary: Summary) -> Figure:
    """The mean loss of a choice, as the games went on."""
    parts = [part for part in summary.progress if part.skill is not None]
    if len(parts) < 2 or summary.skill is None:
        raise Ten18Error("progress takes at least two games with a choice", field="games")
    unit = summary.aim.unit
    longest = max(part.last - part.first + 1 for part in summary.progress)
    steps = "game by game" if longest == 1 else f"in steps of {longest:,} games"
    subtitle = f"{game_name(summary.game)}: what a choice lost on average, {steps}; dotted: all games"
    figure, axes = canvas(_progress_title(summary), subtitle, inner=INNER)
    places = [(part.first + part.last) / 2 for part in parts]
    losses = [unit.counted(part.skill or 0) for part in parts]
    axes.plot(places, losses, color=LOSS, linewidth=1.4, marker="o", markersize=3.4, clip_on=False)
    axes.axhline(unit.counted(summary.skill), color=QUIET, linewidth=0.9, linestyle=(0, (1, 2)))
    axes.set(xlabel="games", ylim=(0, 1.12 * max(losses) or 1.0), xlim=(1, summary.games))
    axes.xaxis.set_major_formatter(lambda place, _: f"{place:,.0f}")
    axes.xaxis.set_major_locator(whole_ticks())
    axes.yaxis.set_major_formatter(lambda loss, _: f"{loss:.4g}{words_of(unit).sign}")
    axes.grid(axis="y")
    return figure


def _progress_title(summary: Summary) -> str:
    trend, unit = summary.trend, summary.aim.unit
    form = ".2f" if unit is Unit.points else ".2g"
    first, last = (f"{unit.counted(end):{form}}{words_of(unit).sign}" for end in (trend.first, trend.last))
    verdict = "No clear change"
    if trend.is_clear and first != last:
        verdict = "Better" if trend.last < trend.first else "Worse"
    return f"{verdict}: a choice lost {first} in the first third of the games, {last} in the last"
