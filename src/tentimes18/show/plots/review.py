"""Pictures of one reviewed game: its course, and its score among those of `optimal`."""

from fractions import Fraction
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tentimes18.coach.review import Review, law_of_optimal
from tentimes18.errors import Ten18Error
from tentimes18.show.bins import choose_bins, shown_bins
from tentimes18.show.colours import EDGE, FELT, INK, LINE, LOSS, LUCK, QUIET, RIVAL, colour_of
from tentimes18.show.figures import HUGE, points, share
from tentimes18.show.plots.style import canvas, inner_height, legend, percent_ticks, points_a_pixel, styled
from tentimes18.show.words import game_name, headline_change, headline_worth, measured_by, tick_of, words_of

__all__ = ["NAMED_ROUNDS", "WIDTH", "course_title", "plot_course", "plot_place"]

WIDTH: Final = 8.0  # inches
BAR: Final = 0.32  # of a round
NAMED_ROUNDS: Final = 12
LAW: Final = colour_of("luck-soft")


@styled
def plot_course(review: Review, width: float = WIDTH) -> Figure:
    r"""Round by round what the roll brought and what the move gave up, from the value of the game to the score.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> plot_course(review(parse_record("1d6 1-3: 4@1 6@3 5@2"))).texts[0].get_text()
    'From 23.33 to 32 points: the rolls brought\n9.9 more than usual, the moves gave up 1.2'
    """
    n = review.record.board.game.size
    figure, axes = canvas(
        course_title(review), _course_subtitle(review), width, inner=inner_height(width), head=0.25, foot=0.85
    )
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
            style: dict[str, Any] = {"ha": "center", "va": "top", "color": LOSS, "fontweight": "bold"}
            axes.annotate(
                move.move_class.mark, (number, level), (0, -2), textcoords="offset points", fontsize=9, **style
            )
    axes.axhline(levels[0], color=QUIET, linewidth=0.8, linestyle=(0, (1, 2)))
    axes.plot([0.5, 1 - 1.5 * BAR], [levels[0]] * 2, color=QUIET, linewidth=0.8)
    end = len(review.moves) + 1 - 1.5 * BAR
    axes.plot([end], [levels[-1]], "o", color=INK, markersize=5, clip_on=False, zorder=3)
    spread = max(levels) - min(levels) or 1.0
    axes.set(xlim=(0.4, n + 0.9), ylim=(min(levels) - 0.14 * spread, max(levels) + 0.12 * spread))
    axes.annotate(
        headline_worth(review.end, review.aim.unit),
        (end, levels[-1]),
        (0, 6),
        textcoords="offset points",
        ha="center",
        fontweight="bold",
    )
    _name_rounds(axes, review)
    _course_legend(axes, review)
    axes.grid(axis="y")
    if tick := tick_of(review.aim.unit):
        axes.yaxis.set_major_formatter(tick)
    elif max(map(abs, levels)) >= HUGE:
        axes.yaxis.set_major_formatter(_large_tick)
    return figure


def _large_tick(place: float, _: object) -> str:
    return points(Fraction(place))


def course_title(review: Review) -> str:
    """Where a game led, and by what.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> course_title(review(parse_record("1d6 1-3: 4@1")))
    'From 23.33 to 22.25 points: the rolls brought 0.2 more than usual, the moves gave up 1.2'
    """
    unit = review.aim.unit
    start, end, noun = headline_worth(review.start, unit), headline_worth(review.end, unit), words_of(unit).noun
    if not review.moves:
        return f"Before the first roll: {start}{noun}"
    luck = f"the rolls brought {headline_change(review.luck, unit)} {'more' if review.luck >= 0 else 'less'} than usual"
    loss = f"the moves gave up {headline_change(review.loss, unit)}" if review.loss else "no move gave up anything"
    return f"From {start} to {end}{noun}: {luck}, {loss}"


def _course_subtitle(review: Review) -> str:
    return f"{game_name(review.record.board.game)}: {measured_by(review.aim)} as the game went on"


def _name_rounds(axes: Axes, review: Review) -> None:
    """Under each round its roll and slot, where there is room."""
    n = review.record.board.game.size
    if n > NAMED_ROUNDS:
        axes.set_xlabel("round")
        return
    axes.set_xticks(range(1, n + 1))
    names = [f"{move.roll}@{move.slot}" for move in review.moves]
    room = axes.get_window_extent().width * points_a_pixel(axes) / (n + 0.5)
    size = min(8.0, room / (0.68 * (max(map(len, names), default=1) + 0.5)))
    for number, name in enumerate(names, start=1):
        axes.annotate(
            name,
            (number, 0),
            (0, -24),
            ("data", "axes fraction"),
            "offset points",
            ha="center",
            color=QUIET,
            fontsize=size,
            annotation_clip=False,
        )
    axes.set_xlabel("round, and its roll@slot", labelpad=19)


def _course_legend(axes: Axes, review: Review) -> None:
    parts = [("luck of the roll", LUCK), ("lost by the move", LOSS)]
    if review.gift:
        parts.append(("given by the opponent", RIVAL))
    legend(axes, parts)


@styled
def plot_place(review: Review, width: float = WIDTH) -> Figure:
    """The score of a finished game among those of `optimal`.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> plot_place(review(parse_record("1d6 1-3: 4@1 6@3 5@2"))).texts[0].get_text()
    '32 points: 96.3% of the games of optimal end at that or less'
    """
    game, score = review.record.board.game, review.record.board.score
    law = law_of_optimal(game)
    if law is None or review.percentile is None:
        raise Ten18Error("not finished, or too large for the law of its score", field="game")
    title = f"{points(Fraction(score))} points: {share(review.percentile)} of the games of optimal end at that or less"
    figure, axes = canvas(title, f"{game_name(game)}: how games of optimal end", width, inner=inner_height(width))
    bins = choose_bins(game, [law])
    shares = bins.shares(law)
    own = score // Fraction(bins.width)
    for number in shown_bins([shares]):
        colour, edge = (LINE, EDGE) if number > own else (FELT, FELT) if number == own else (LAW, LUCK)
        style: dict[str, Any] = {"color": colour, "edgecolor": edge, "linewidth": 0.5}
        axes.bar(bins.place(number), shares.get(number, 0.0), 0.86 * float(bins.width), **style)
    top = max(shares.values())
    left, right = axes.get_xlim()
    place = min(max(bins.place(own), left), right)
    axes.plot([place, place], [shares.get(own, 0.0), 1.12 * top], color=FELT, linewidth=1)
    side = "right" if place > (left + right) / 2 else "left"
    axes.annotate(
        points(Fraction(score)),
        (place, 1.12 * top),
        (-5 if side == "right" else 5, 0),
        textcoords="offset points",
        ha=side,
        va="top",
        color=FELT,
        fontweight="bold",
    )
    axes.set(ylim=(0, 1.15 * top), xlim=(left, right), xlabel="score")
    if max(abs(left), abs(right)) >= HUGE:
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_formatter(_large_tick)
    axes.grid(axis="y")
    percent_ticks(axes, top)
    return figure
