"""Pictures of many reviewed games: their scores, errors, progress and luck."""

from fractions import Fraction
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.review import law_of_optimal
from tentimes18.coach.summary import Summary
from tentimes18.errors import Ten18Error
from tentimes18.show.bins import choose_bins, shown_bins
from tentimes18.show.colours import EDGE, LOSS, LUCK, QUIET, colour_of
from tentimes18.show.figures import counted, points, rough
from tentimes18.show.plots.review import NAMED_ROUNDS, WIDTH
from tentimes18.show.plots.style import canvas, inner_height, legend, percent_ticks, styled, whole_ticks
from tentimes18.show.words import game_name, shown_mean, words_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["plot_errors", "plot_luck", "plot_played", "plot_progress"]

MAX_DOTS: Final = 600
FEW_DOTS: Final = 150  # drawn larger
ERRORS: Final = {"inaccuracy": colour_of("loss-1"), "mistake": colour_of("loss-2"), "blunder": LOSS}


@styled
def plot_played(summary: Summary, width: float = WIDTH) -> Figure:
    """How the finished games of a player end, beside the exact law of `optimal`."""
    game = summary.game
    law, played = law_of_optimal(game), _played(summary)
    figure, axes = canvas(
        _played_title(summary), _played_subtitle(summary, law), width, inner=inner_height(width), head=0.25
    )
    laws = [played] if law is None else [law, played]
    bins = choose_bins(game, laws[:1])
    shares = [bins.shares(found) for found in laws]
    shown = shown_bins(shares)
    places = [bins.place(number) for number in shown]
    heights = [shares[-1].get(number, 0.0) for number in shown]
    axes.bar(places, heights, 0.86 * float(bins.width), color=EDGE, linewidth=0)
    parts = [(f"these games, mean {points(Fraction(played.mean))}", EDGE)]
    if law is not None:
        axes.plot(places, [shares[0].get(number, 0.0) for number in shown], color=LUCK, linewidth=1.6)
        parts.append((f"optimal, mean {points(Fraction(law.mean))}", LUCK))
    legend(axes, parts)
    axes.set(xlabel="score", ylim=(0, 1.06 * max(max(share.values()) for share in shares)))
    axes.grid(axis="y")
    percent_ticks(axes, max(max(share.values()) for share in shares))
    return figure


def _played(summary: Summary) -> ScoreLaw:
    lattice, free = lattice_of(summary.game), summary.game.all_free
    if not len(summary.scores):
        raise Ten18Error("none is finished, so there are no scores", field="games")
    found, counts = np.unique(summary.scores, return_counts=True)
    indexes = [round((Fraction(score) - lattice.low(free)) / lattice.unit) for score in found.tolist()]
    scores = tuple(lattice.scores(free, indexes))
    return ScoreLaw(scores, tuple(counts.tolist()), len(summary.scores))


def _played_title(summary: Summary) -> str:
    mean = points(Fraction(summary.mean_score or 0))
    if summary.mean_optimal is None or summary.mean_score is None:
        return f"{mean} points on average"
    difference = summary.mean_optimal - summary.mean_score
    if abs(difference) < 0.005:
        return f"{mean} points on average, as many as optimal makes of the same rolls"
    word = "less" if difference > 0 else "more"
    return f"{mean} points on average, {rough(abs(difference))} {word} than optimal makes of the same rolls"


def _played_subtitle(summary: Summary, law: ScoreLaw | None) -> str:
    games = counted(summary.finished, "finished game")
    return f"{game_name(summary.game)}: how {games} end" + (", and how games of optimal do" if law else "")


@styled
def plot_errors(summary: Summary, width: float = WIDTH) -> Figure:
    """How many of the choices of each round were errors, by class."""
    worst = max(summary.rounds, key=lambda part: part.error_rate, default=None)
    if worst is None:
        raise Ten18Error("no move in them was a choice", field="games")
    title = "No errors at all"
    if worst.error_rate:
        title = f"Most errors in round {worst.round}: {100 * worst.error_rate:.3g}% of the choices"
    subtitle = f"{game_name(summary.game)}: the share of errors among the choices of each round"
    figure, axes = canvas(title, subtitle, width, inner=inner_height(width), head=0.25)
    classes = [found.name for found in CLASSES]
    below = [0.0] * len(summary.rounds)
    rounds = [part.round for part in summary.rounds]
    for name, colour in ERRORS.items():
        counts = (summary.table.classes == classes.index(name)).sum(axis=0).tolist()
        shares = [counts[part.round - 1] / part.choices for part in summary.rounds]
        axes.bar(rounds, shares, 0.72, below, color=colour, edgecolor=LOSS, linewidth=0.6)
        below = [low + share for low, share in zip(below, shares, strict=True)]
    top = max(below) or 1.0
    axes.set(xlim=(0.4, summary.game.size + 0.6), ylim=(0, 1.05 * top), xlabel="round")
    if summary.game.size <= NAMED_ROUNDS:
        axes.set_xticks(range(1, summary.game.size + 1))
    marks = {found.name: found.mark for found in CLASSES}
    legend(axes, [(f"{name} {marks[name]}", colour) for name, colour in ERRORS.items()])
    axes.grid(axis="y")
    percent_ticks(axes, top)
    return figure


@styled
def plot_progress(summary: Summary, width: float = WIDTH) -> Figure:
    """What a choice lost, as the games went on."""
    parts = [part for part in summary.progress if part.skill is not None]
    if len(parts) < 2 or summary.skill is None:
        raise Ten18Error("progress takes at least two games with a choice", field="games")
    unit = summary.aim.unit
    subtitle = f"{game_name(summary.game)}: what a choice lost on average, {_steps(summary)}; dotted: all games"
    figure, axes = canvas(_progress_title(summary), subtitle, width, inner=inner_height(width))
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


def _steps(summary: Summary) -> str:
    longest = max(part.last - part.first + 1 for part in summary.progress)
    return "game by game" if longest == 1 else f"in steps of {longest:,} games"


def _progress_title(summary: Summary) -> str:
    """A difference is told where it is not chance, and can be seen."""
    trend = summary.trend
    first, last = (shown_mean(end, summary.aim.unit) for end in (trend.first, trend.last))
    verdict = "No clear change"
    if trend.is_clear and first != last:
        verdict = "Better" if trend.last < trend.first else "Worse"
    return f"{verdict}: a choice lost {first} in the first third of the games, {last} in the last"


@styled
def plot_luck(summary: Summary, width: float = WIDTH) -> Figure:
    """Each finished game by its luck and its loss; what is right of both is a high score."""
    is_finished = summary.table.rounds == summary.game.size
    unit = summary.aim.unit
    lucks = unit.value * summary.table.lucks[is_finished].sum(axis=1)
    losses = unit.value * summary.table.losses[is_finished].sum(axis=1)
    if not len(lucks):
        raise Ten18Error("none is finished, so there is no luck in sum", field="games")
    tail = words_of(unit).tail
    title = f"Luck is worth ±{rough(float(lucks.std()))}{tail} a game, the moves cost {rough(float(losses.mean()))}"
    shown = np.linspace(0, len(lucks) - 1, min(MAX_DOTS, len(lucks))).astype(int)
    several = "each dot a game" if len(shown) == len(lucks) else f"each dot a game, {len(shown)} of {len(lucks):,}"
    figure, axes = canvas(title, f"{game_name(summary.game)}: {several}", width, inner=inner_height(width))
    axes.axvline(0, color=QUIET, linewidth=0.9, linestyle=(0, (1, 2)))
    size = 5 if len(shown) <= FEW_DOTS else 3
    axes.plot(
        lucks[shown], losses[shown], "o", color=LUCK, markersize=size, alpha=0.5, markeredgewidth=0, clip_on=False
    )
    counted_in = tail.strip()
    axes.set(xlabel=f"luck of the rolls, {counted_in}", ylabel=f"lost by the moves, {counted_in}")
    axes.set_ylim(0, 1.05 * float(losses.max()) or 1.0)
    axes.grid()
    axes.xaxis.set_major_formatter(lambda luck, _: f"{luck:+.4g}".replace("-", "−") if luck else "0")
    return figure
