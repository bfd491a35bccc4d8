"""Pictures of reviewed games: the course of one, and how many were played."""

from collections.abc import Sequence
from fractions import Fraction
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, Final

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.review import law_of_optimal
from tentimes18.coach.units import Unit
from tentimes18.errors import Ten18Error
from tentimes18.show.card.content import game_name, points
from tentimes18.show.plots.scores import choose_bins, shown_bins
from tentimes18.show.plots.style import (
    ACCENT,
    BLUE,
    FAINT,
    GREEN,
    INK,
    QUIET,
    canvas,
    percent_ticks,
    rough,
    short,
    styled,
)
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.scores.law import ScoreLaw

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tentimes18.coach.review import Review
    from tentimes18.coach.summary import Summary
    from tentimes18.coach.units import Worth

__all__ = ["plot_course", "plot_errors", "plot_luck", "plot_place", "plot_played", "plot_progress"]

WIDTH: Final = 8.0  # inches
BAR: Final = 0.32  # of a round
NAMED_ROUNDS: Final = 12
MAX_DOTS: Final = 600
FEW_DOTS: Final = 150  # drawn larger
CLEAR: Final = 2.0  # standard errors
LEAST_GAMES: Final = 5  # to tell whether it got better
PALE_ACCENT: Final = "#e8c4b4"  # of the accent
PALE_BLUE: Final = "#a4c4d1"
ERRORS: Final = {"inaccuracy": "#e3b9a6", "mistake": "#cb7554", "blunder": ACCENT}


@styled
def plot_course(review: "Review", width: float = WIDTH) -> "Figure":
    r"""Round by round what the roll brought and what the move gave up, from the value of the game to the score.

    >>> from tentimes18.coach.review import review
    >>> from tentimes18.records.notation import parse_record
    >>> plot_course(review(parse_record("1d6 1-3: 4@1 6@3 5@2"))).texts[0].get_text()
    'From 23.33 to 32 points: the rolls brought\n9.9 more than usual, the moves gave up 1.2'
    """
    n = review.record.board.game.size
    figure, axes = canvas(
        _course_title(review), _course_subtitle(review), width, inner=_inner(width), head=0.25, foot=0.85
    )
    levels = [float(review.start)]
    for number, move in enumerate(review.moves, start=1):
        level, right = float(move.before), number - BAR / 2
        for place, change, colour in (
            (number - BAR, float(move.luck), BLUE),
            (number, -float(move.loss), ACCENT),
            (number + BAR, float(move.gift), GREEN),
        ):
            if change:
                axes.bar(place, change, BAR, level, color=colour, align="center", linewidth=0)
                level, right = level + change, place + BAR / 2
        levels += [level - float(move.gift) + float(move.loss), level]
        axes.plot([right, number + 1 - 1.5 * BAR], [level, level], color=QUIET, linewidth=0.8)
        if move.move_class.mark:
            style: dict[str, Any] = {"ha": "center", "va": "top", "color": ACCENT, "fontweight": "bold"}
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
        _worth(review, review.end),
        (end, levels[-1]),
        (0, 6),
        textcoords="offset points",
        ha="center",
        fontweight="bold",
    )
    _name_rounds(axes, review)
    _course_legend(axes, review)
    axes.grid(axis="y")
    if review.aim.unit is Unit.chance:
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g}%")
    return figure


def _course_title(review: "Review") -> str:
    start, end = _worth(review, review.start), _worth(review, review.end)
    unit = "" if review.aim.unit is Unit.chance else " points"
    if not review.moves:
        return f"Before the first roll: {start}{unit}"
    luck = f"the rolls brought {_change(review, review.luck)} {'more' if review.luck >= 0 else 'less'} than usual"
    loss = f"the moves gave up {_change(review, review.loss)}" if review.loss else "no move gave up anything"
    return f"From {start} to {end}{unit}: {luck}, {loss}"


def _course_subtitle(review: "Review") -> str:
    kind, _, rest = review.aim.name.partition(":")
    what = {
        "mean": "the expected final score",
        "target": f"the chance of {rest} points or more",
        "duel": f"the chance to win against {rest or 'the best play'}",
    }[kind]
    return f"{game_name(review.record.board.game)}: {what} as the game went on"


def _name_rounds(axes: "Axes", review: "Review") -> None:
    """Under each round its roll and slot, where there is room."""
    n = review.record.board.game.size
    if n > NAMED_ROUNDS:
        axes.set_xlabel("round")
        return
    axes.set_xticks(range(1, n + 1))
    names = [f"{move.roll}@{move.slot}" for move in review.moves]
    room = axes.get_window_extent().width * _points_a_pixel(axes) / (n + 0.5)
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


def _course_legend(axes: "Axes", review: "Review") -> None:
    parts = [("luck of the roll", BLUE), ("lost by the move", ACCENT)]
    if review.gift:
        parts.append(("given by the opponent", GREEN))
    _legend(axes, parts)


def _inner(width: float) -> float:
    """The height of the axes."""
    return 0.3 * width + 0.7


def _legend(axes: "Axes", parts: Sequence[tuple[str, str]]) -> None:
    """Names beside their colours, in one line above the axes."""
    place = 0.0
    for name, colour in parts:
        for text, shade in (("■", colour), (name, QUIET)):
            label = axes.annotate(
                text,
                (0, 1),
                (place, 7),
                "axes fraction",
                "offset points",
                color=shade,
                fontsize=9,
                annotation_clip=False,
            )
            place += label.get_window_extent().width * _points_a_pixel(axes) + (5 if text == "■" else 16)


def _points_a_pixel(axes: "Axes") -> float:
    """Type is measured in points, what stands on the canvas in pixels."""
    return 72 / axes.figure.dpi


def _change(review: "Review", worth: "Worth") -> str:
    size = abs(float(worth))
    return f"{100 * size:.1f}%" if review.aim.unit is Unit.chance else f"{size:,.1f}" if size >= 0.095 else short(size)


def _worth(review: "Review", worth: "Worth") -> str:
    return f"{100 * float(worth):.1f}%" if review.aim.unit is Unit.chance else points(Fraction(worth))


@styled
def plot_place(review: "Review", width: float = WIDTH) -> "Figure":
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
    share = f"{100 * float(review.percentile):.1f}%"
    title = f"{points(Fraction(score))} points: {share} of the games of optimal end at that or less"
    figure, axes = canvas(title, f"{game_name(game)}: how games of optimal end", width, inner=_inner(width))
    bins = choose_bins(game, [law])
    shares = bins.shares(law)
    own = score // Fraction(bins.width)
    for number in shown_bins([shares]):
        colour = FAINT if number > own else ACCENT if number == own else PALE_ACCENT
        axes.bar(bins.place(number), shares.get(number, 0.0), 0.86 * float(bins.width), color=colour, linewidth=0)
    top = max(shares.values())
    left, right = axes.get_xlim()
    place = min(max(bins.place(own), left), right)
    axes.plot([place, place], [shares.get(own, 0.0), 1.12 * top], color=ACCENT, linewidth=1)
    side = "right" if place > (left + right) / 2 else "left"
    axes.annotate(
        points(Fraction(score)),
        (place, 1.12 * top),
        (-5 if side == "right" else 5, 0),
        textcoords="offset points",
        ha=side,
        va="top",
        color=ACCENT,
        fontweight="bold",
    )
    axes.set(ylim=(0, 1.15 * top), xlim=(left, right), xlabel="score")
    axes.grid(axis="y")
    percent_ticks(axes, top)
    return figure


@styled
def plot_played(summary: "Summary", width: float = WIDTH) -> "Figure":
    """How the finished games of a player end, beside the exact law of `optimal`."""
    game = summary.game
    law, played = law_of_optimal(game), _played(summary)
    figure, axes = canvas(_played_title(summary), _played_subtitle(summary, law), width, inner=_inner(width), head=0.25)
    laws = [played] if law is None else [law, played]
    bins = choose_bins(game, laws[:1])
    shares = [bins.shares(found) for found in laws]
    shown = shown_bins(shares)
    places = [bins.place(number) for number in shown]
    heights = [shares[-1].get(number, 0.0) for number in shown]
    axes.bar(places, heights, 0.86 * float(bins.width), color=PALE_BLUE, linewidth=0)
    parts = [(f"these games, mean {points(Fraction(played.mean))}", PALE_BLUE)]
    if law is not None:
        axes.plot(places, [shares[0].get(number, 0.0) for number in shown], color=ACCENT, linewidth=1.6)
        parts.append((f"optimal, mean {points(Fraction(law.mean))}", ACCENT))
    _legend(axes, parts)
    axes.set(xlabel="score", ylim=(0, 1.06 * max(max(share.values()) for share in shares)))
    axes.grid(axis="y")
    percent_ticks(axes, max(max(share.values()) for share in shares))
    return figure


def _played(summary: "Summary") -> ScoreLaw:
    import numpy as np

    lattice, free = lattice_of(summary.game), summary.game.all_free
    if not len(summary.scores):
        raise Ten18Error("none is finished, so there are no scores", field="games")
    found, counts = np.unique(summary.scores, return_counts=True)
    indexes = [round((Fraction(score) - lattice.low(free)) / lattice.unit) for score in found.tolist()]
    scores = tuple(lattice.score(free, index) for index in indexes)
    return ScoreLaw(scores, tuple(counts.tolist()), len(summary.scores))


def _played_title(summary: "Summary") -> str:
    mean = points(Fraction(summary.mean_score or 0))
    if summary.mean_optimal is None or summary.mean_score is None:
        return f"{mean} points on average"
    difference = summary.mean_optimal - summary.mean_score
    if abs(difference) < 0.005:
        return f"{mean} points on average, as many as optimal makes of the same rolls"
    word = "less" if difference > 0 else "more"
    return f"{mean} points on average, {rough(abs(difference))} {word} than optimal makes of the same rolls"


def _played_subtitle(summary: "Summary", law: ScoreLaw | None) -> str:
    games = f"{summary.finished:,} finished game{'s' * (summary.finished != 1)}"
    return f"{game_name(summary.game)}: how {games} end" + (", and how games of optimal do" if law else "")


@styled
def plot_errors(summary: "Summary", width: float = WIDTH) -> "Figure":
    """How many of the choices of each round were errors, by class."""
    worst = max(summary.rounds, key=lambda part: part.error_rate, default=None)
    if worst is None:
        raise Ten18Error("no move in them was a choice", field="games")
    title = "No errors at all"
    if worst.error_rate:
        title = f"Most errors in round {worst.round}: {100 * worst.error_rate:.3g}% of the choices"
    subtitle = f"{game_name(summary.game)}: the share of errors among the choices of each round"
    figure, axes = canvas(title, subtitle, width, inner=_inner(width), head=0.25)
    classes = [found.name for found in CLASSES]
    below = [0.0] * len(summary.rounds)
    rounds = [part.round for part in summary.rounds]
    for name, colour in ERRORS.items():
        counts = (summary.table.classes == classes.index(name)).sum(axis=0).tolist()
        shares = [counts[part.round - 1] / part.choices for part in summary.rounds]
        axes.bar(rounds, shares, 0.72, below, color=colour, linewidth=0)
        below = [low + share for low, share in zip(below, shares, strict=True)]
    top = max(below) or 1.0
    axes.set(xlim=(0.4, summary.game.size + 0.6), ylim=(0, 1.05 * top), xlabel="round")
    if summary.game.size <= NAMED_ROUNDS:
        axes.set_xticks(range(1, summary.game.size + 1))
    marks = {found.name: found.mark for found in CLASSES}
    _legend(axes, [(f"{name} {marks[name]}", colour) for name, colour in ERRORS.items()])
    axes.grid(axis="y")
    percent_ticks(axes, top)
    return figure


@styled
def plot_progress(summary: "Summary", width: float = WIDTH) -> "Figure":
    """What a choice lost, as the games went on."""
    parts = [part for part in summary.progress if part.skill is not None]
    if len(parts) < 2 or summary.skill is None:
        raise Ten18Error("progress takes at least two games with a choice", field="games")
    unit = 100 if summary.aim.unit is Unit.chance else 1
    subtitle = f"{game_name(summary.game)}: what a choice lost on average, {_steps(summary)}; dotted: all games"
    figure, axes = canvas(_progress_title(summary), subtitle, width, inner=_inner(width))
    places = [(part.first + part.last) / 2 for part in parts]
    losses = [unit * float(part.skill or 0) for part in parts]
    axes.plot(places, losses, color=ACCENT, linewidth=1.4, marker="o", markersize=3.4, clip_on=False)
    axes.axhline(unit * summary.skill, color=QUIET, linewidth=0.9, linestyle=(0, (1, 2)))
    axes.set(xlabel="games", ylim=(0, 1.12 * max(losses) or 1.0), xlim=(1, summary.games))
    axes.xaxis.set_major_formatter(lambda place, _: f"{place:,.0f}")
    axes.xaxis.set_major_locator(_whole_ticks())
    axes.yaxis.set_major_formatter(lambda loss, _: f"{loss:.4g}{'%' if summary.aim.unit is Unit.chance else ''}")
    axes.grid(axis="y")
    return figure


def _whole_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10])


def _steps(summary: "Summary") -> str:
    longest = max(part.last - part.first + 1 for part in summary.progress)
    return "game by game" if longest == 1 else f"in steps of {longest:,} games"


def _progress_title(summary: "Summary") -> str:
    """The first third of the games against the last; a difference is told where it is not chance."""
    table, third = summary.table, max(summary.games // 3, 1)
    ends, errors = [], []
    for part in (slice(0, third), slice(summary.games - third, summary.games)):
        choices = max(int(table.is_choice[part].sum()), 1)
        ends.append(float(table.losses[part].sum()) / choices)
        errors.append(float(table.losses[part].sum(axis=1).std()) * sqrt(third) / choices)
    first, last = (f"{100 * end:.2g}%" if summary.aim.unit is Unit.chance else f"{end:.2f}" for end in ends)
    is_clear = abs(ends[0] - ends[1]) > CLEAR * hypot(*errors) and first != last and third >= LEAST_GAMES
    verdict = ("Better" if ends[1] < ends[0] else "Worse") if is_clear else "No clear change"
    return f"{verdict}: a choice lost {first} in the first third of the games, {last} in the last"


@styled
def plot_luck(summary: "Summary", width: float = WIDTH) -> "Figure":
    """Each finished game by its luck and its loss; what is right of both is a high score."""
    import numpy as np

    is_finished = summary.table.rounds == summary.game.size
    unit = 100 if summary.aim.unit is Unit.chance else 1
    lucks = unit * summary.table.lucks[is_finished].sum(axis=1)
    losses = unit * summary.table.losses[is_finished].sum(axis=1)
    if not len(lucks):
        raise Ten18Error("none is finished, so there is no luck in sum", field="games")
    sign = "%" if summary.aim.unit is Unit.chance else " points"
    title = f"Luck is worth ±{rough(float(lucks.std()))}{sign} a game, the moves cost {rough(float(losses.mean()))}"
    shown = np.linspace(0, len(lucks) - 1, min(MAX_DOTS, len(lucks))).astype(int)
    several = "each dot a game" if len(shown) == len(lucks) else f"each dot a game, {len(shown)} of {len(lucks):,}"
    figure, axes = canvas(title, f"{game_name(summary.game)}: {several}", width, inner=_inner(width))
    axes.axvline(0, color=QUIET, linewidth=0.9, linestyle=(0, (1, 2)))
    size = 5 if len(shown) <= FEW_DOTS else 3
    axes.plot(
        lucks[shown], losses[shown], "o", color=BLUE, markersize=size, alpha=0.5, markeredgewidth=0, clip_on=False
    )
    axes.set(xlabel=f"luck of the rolls,{sign}", ylabel=f"lost by the moves,{sign}")
    axes.set_ylim(0, 1.05 * float(losses.max()) or 1.0)
    axes.grid()
    axes.xaxis.set_major_formatter(lambda luck, _: f"{luck:+.4g}".replace("-", "−") if luck else "0")
    return figure
