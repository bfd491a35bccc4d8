"""The pictures of docs/research/duel.md, drawn by `make proof`."""

from collections.abc import Mapping
from typing import Any

from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.errors import InvalidGame
from tentimes18.game import Game
from tentimes18.number_format import rough
from tentimes18.pictures.colours import FELT, INK, LUCK, QUIET, RIVAL, WHITE
from tentimes18.pictures.plot_style import canvas, percent_ticks, styled
from tentimes18.pictures.score_bins import choose_bins, shown_bins
from tentimes18.solve.score_distribution import ScoreDistribution

HEIGHT = 6.4  # of the distributions, in inches


@styled
def plot_distributions(game: Game, hunter: ScoreDistribution, optimal: ScoreDistribution) -> Any:
    """The distributions of the two scores, and their difference below."""
    bins = choose_bins(game, (hunter, optimal))
    shares = {"hunter": bins.shares(hunter), "optimal": bins.shares(optimal)}
    shown = shown_bins(shares.values())
    places = [bins.place(number) for number in shown]
    figure, axes = canvas(
        f"The hunter gives up {rough(float(optimal.mean) - float(hunter.mean))} points on average to win more duels",
        f"{game.dice}, slots {game.slots}: the probability of each score, in bins of {bins.width} points",
        height=HEIGHT,
        foot=2.45,
    )
    heights = {name: [share.get(number, 0.0) for number in shown] for name, share in shares.items()}
    axes.plot(places, heights["optimal"], color=FELT, linewidth=1.5)
    axes.plot(places, heights["hunter"], color=RIVAL, linestyle=(0, (4.5, 2)), linewidth=1.5)
    peak = max(max(line) for line in heights.values())
    for name, distribution, colour, row in (("optimal", optimal, FELT, 1.0), ("hunter", hunter, RIVAL, 0.84)):
        text = f"{name}\nmean {float(distribution.mean):.2f}, standard deviation {distribution.sd:.2f}"
        axes.annotate(text, (places[0], row * peak), color=colour, va="top", backgroundcolor=WHITE)
    percent_ticks(axes, peak)
    axes.grid(axis="y")
    axes.tick_params(labelbottom=False)
    left, _, width, _ = axes.get_position().bounds
    below = figure.add_axes((left, 0.65 / HEIGHT, width, 1.35 / HEIGHT), sharex=axes)
    more = [100 * (mine - theirs) for mine, theirs in zip(heights["hunter"], heights["optimal"], strict=True)]
    below.bar(places, more, width=0.8 * float(bins.width), color=[RIVAL if part > 0 else FELT for part in more])
    below.axhline(0, color=QUIET, linewidth=0.6)
    below.annotate(
        "share of hunter minus share of optimal, in percentage points",
        (places[0], 1.04),
        xycoords=("data", "axes fraction"),
        color=QUIET,
        va="bottom",
    )
    below.set_xlabel("score")
    below.grid(axis="y")
    return figure


@styled
def plot_mixed(table: Equilibrium) -> Any:
    """Bars: the share of matrix games without a saddle point by number of free slots."""
    shares = {count.free_count: count.mixed / count.matrix_games for count in table.counts}
    most = max(shares, key=lambda k: shares[k])
    title = f"One move in {round(1 / shares[most])} must be mixed with {most} slots free"
    figure, axes = canvas(
        title, f"{table.game.dice}, slots {table.game.slots}: share of moves without a saddle point", height=4.2
    )
    axes.bar(list(shares), [100 * share for share in shares.values()], color=LUCK, width=0.7)
    for k, share in shares.items():
        axes.annotate(f"{share:.1%}", (k, 100 * share), (0, 4), textcoords="offset points", ha="center", color=INK)
    axes.set_xticks(list(shares))
    axes.set_xlabel("free slots")
    axes.set_yticks([])
    return figure


@styled
def plot_lead(table: Equilibrium) -> Any:
    """The value of a lead for three pairs of boards with five free slots."""
    game = table.game
    half = game.size // 2
    low, middle = game.verify_free(range(1, half + 1)), game.verify_free(range(1, game.size + 1, 2))
    figure, axes = canvas(
        "A lead of ten points decides most games with five slots to go, but not every board",
        f"{game.dice}, slots {game.slots}: chance to win against the lead, both playing the equilibrium",
        height=4.8,
    )
    even = game.verify_free(range(2, game.size + 1, 2))
    for mine, theirs, name, line, place in (
        (low, low, "both have the\nlowest slots free", ":", (-9, 72)),
        (middle, middle, "both have the\nodd slots free", "-", (13, 84)),
        (middle, even, "I have the odd slots free,\nthe opponent the even ones", "--", (54, 28)),
    ):
        leads, values = [], []
        for lead in range(-40, 91):
            try:
                values.append(100 * table.value(mine, theirs, lead))
            except InvalidGame:
                continue
            leads.append(lead)
        axes.plot(leads, values, line, color=INK, linewidth=1.6)
        axes.annotate(name, place, color=QUIET, ha="right" if place[0] < 0 else "left", va="center")
    axes.axhline(50, color=QUIET, linewidth=0.6)
    axes.set_xlabel("my lead in points")
    axes.set_ylabel("chance to win, percent")
    return figure


@styled
def plot_table(game: Game, shares: Mapping[str, float], sole: Mapping[str, float]) -> Any:
    """Bars: the share of the wins of each strategy at one table, what it is first alone, and what it shares."""
    names = list(shares)
    lonely = max(names, key=lambda name: sole[name])
    figure, axes = canvas(
        f"{lonely} wins {sole[lonely] / shares[lonely]:.0%} of its share alone, {names[0]} shares most of it",
        f"{game.dice}, slots {game.slots}: shares of the wins of {len(names)} strategies at one table, computed",
        height=3.2,
        foot=0.3,
    )
    places = range(len(names) - 1, -1, -1)
    alone = [100 * sole[name] for name in names]
    shared = [100 * (shares[name] - sole[name]) for name in names]
    axes.barh(places, alone, color=FELT, height=0.62)
    axes.barh(places, shared, left=alone, color=LUCK, height=0.62)
    for place, name, part in zip(places, names, alone, strict=True):
        end = 100 * shares[name]
        axes.annotate(f"{end:.1f}%", (end, place), (4, 0), textcoords="offset points", va="center", color=INK)
        if part == max(alone):
            axes.annotate("alone", (part / 2, place), ha="center", va="center", color=WHITE)
        if name == names[0]:
            axes.annotate("shared", (part + shared[0] / 2, place), ha="center", va="center", color=WHITE)
    axes.set_yticks(list(places), names)
    axes.set_xticks([])
    return figure
