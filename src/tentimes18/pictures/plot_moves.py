"""Pictures of the best play: which roll goes where, and what is lost elsewhere."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tentimes18.coach.losses import values_by_rows
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Game
from tentimes18.number_format import ordinal, short, times
from tentimes18.pictures.colours import INK, LOSS, QUIET, TINTS, WHITE, colour_of, tint
from tentimes18.pictures.plot_style import canvas, cell_size, colour_scale, round_ones, styled
from tentimes18.pictures.strategy_card import Card, make_card
from tentimes18.solve.moments import slot_distributions
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import exact_thresholds
from tentimes18.wording import game_name

MAX_SLOTS = 500
MAX_CELL_COLUMNS = 20
MAX_NAMES = 40  # on an axis
SAMPLES = 2000  # of a long axis of rolls
SHADES = tuple(colour_of(f"shade-{step}") for step in (1, 2, 3))


def _verify_size(game: Game) -> None:
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size} slots; at most {MAX_SLOTS} are drawn", field="slots")


@styled
def plot_thresholds(game: Game) -> Figure:
    """Which free slot takes which roll, by the number of free slots k: the edges of the cells are the row E_(k-1)."""
    _verify_size(game)
    card = make_card(game)
    support = game.dice.support
    rows = [row.floats() for row in exact_thresholds(game.dice, game.size)[:-1]]
    bottom, top = _roll_range(support, rows)
    subtitle = f"{game_name(game)}: which free slot takes which roll, counted from the smallest multiplier"
    figure, axes = canvas(_thresholds_title(card), subtitle, height=6.2)
    last = min(2, game.size)  # the slot that is left at the end takes any roll: no column for it
    axes.set(xlim=(game.size + 0.5, last - 0.5), ylim=(bottom, top))
    axes.set(xlabel="free slots, as the game goes on", ylabel="roll")
    edges = [[bottom, *row, top] for row in [[], *rows]]
    frees = range(last, game.size + 1)
    if game.size <= MAX_CELL_COLUMNS:
        _cells(axes, {free: edges[free - 1] for free in frees})
        axes.set_xticks(frees)
    else:
        _areas(axes, edges)
        axes.set_xticks([frees[i] for i in round_ones(frees, 20)])
    named = [roll for roll in support if bottom <= roll <= top]
    apart = min((high - low for low, high in pairwise(named)), default=1)
    few = (top - bottom) / apart < MAX_NAMES
    axes.set_yticks(named if few else [named[i] for i in round_ones(named, 15)])
    axes.grid(axis="y", color=INK, alpha=0.12)
    axes.set_axisbelow(False)
    return figure


def _roll_range(support: Sequence[int], rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """All rolls, unless they are many and the thresholds close together: then what is around those."""
    margin = max(0.5, 0.03 * (support[-1] - support[0]))
    bottom, top = support[0] - margin, support[-1] + margin
    if len(support) <= MAX_NAMES or not rows:
        return bottom, top
    around = 0.6 * (rows[-1][-1] - rows[-1][0])
    return max(bottom, rows[-1][0] - around), min(top, rows[-1][-1] + around)


def _thresholds_title(card: Card) -> str:
    if not card.rows:
        return "One slot takes every roll"
    highest = card.game.dice.support[-1]
    if highest == card.game.dice.support[0]:
        return "One roll only: every free slot is as good as any other"
    first, end = (row.bands[-1].rolls[0] for row in (card.rows[0], card.rows[-1]))
    waits = f"The highest slot waits for {first}{' or more' if first < highest else ''}"
    return f"{waits}, from first to last" if first == end else f"{waits}; at the end, {end} will do"


def _cells(axes: Axes, columns: dict[int, list[float]]) -> None:
    """One cell per rank, with its name where it fits."""
    corners, colours = [], []
    bottom, top = axes.get_ylim()
    width, height = cell_size(axes, len(columns), top - bottom)
    size = min(8.5, width / 2.8)
    for free, edges in columns.items():
        for rank, (low, high) in enumerate(pairwise(edges), start=1):
            colour = tint(rank, free)
            corners.append([(free - 0.5, low), (free + 0.5, low), (free + 0.5, high), (free - 0.5, high)])
            colours.append(colour)
            if (high - low) * height > size * 1.3:
                _name(axes, free, (low + high) / 2, ordinal(rank, free), colour, fontsize=size, fontweight="bold")
    axes.add_collection(PolyCollection(corners, facecolors=colours, edgecolors=WHITE, linewidths=min(1.5, width / 20)))


def _name(axes: Axes, x: float, y: float, name: str, background: str, **font: Any) -> None:
    """A direct label, which hides the lines behind it."""
    box = {"boxstyle": "square,pad=0.12", "facecolor": background, "edgecolor": "none"}
    axes.text(x, y, name, ha="center", va="center_baseline", bbox=box, zorder=3, **font)


def _areas(axes: Axes, edges: list[list[float]]) -> None:
    """Ranks as shades; lines separate the lowest and the highest few slots from the others."""
    slots = len(edges)
    bottom, top = edges[0]
    rolls = [bottom + (top - bottom) * (step + 0.5) / 400 for step in range(400)]
    shades = [[(bisect_left(row, roll) - 1) / (len(row) - 2) for row in edges[:0:-1]] for roll in rolls]
    tints = LinearSegmentedColormap.from_list("tints", TINTS)
    extent = (slots + 0.5, 1.5, bottom, top)
    axes.imshow(shades, cmap=tints, extent=extent, origin="lower", aspect="auto", interpolation="nearest")
    _, height = cell_size(axes, 1, top - bottom)
    named: list[float] = []
    for rank in (1, 2, 5, 10, 20, 50, 100, 200):
        frees = range(2 * rank, slots + 1)
        if 2 * rank > 0.9 * slots:
            break
        for side, end in (("lowest", rank), ("highest", -1 - rank)):
            line = [edges[free - 1][end] for free in frees]
            axes.plot(frees, line, color=INK, alpha=0.45, linewidth=0.7)
            place = edges[round(0.94 * slots) - 1][end]
            if all(abs(place - other) * height > 9 for other in named):
                named.append(place)
                colour = tint(rank if end == rank else slots + 1 - rank, slots)
                _name(axes, 0.94 * slots, place, side if rank == 1 else f"{side} {rank}", colour, fontsize=7)


@styled
def plot_first_move(game: Game) -> Figure:
    """The loss of each slot for each first roll, framed where nothing is lost."""
    _verify_size(game)
    card = make_card(game)
    rolls = game.dice.support[:: len(game.dice.support) // -SAMPLES][::-1]  # at even steps from the highest
    best = _best_slots(card)
    subtitle = f"{game_name(game)}: points lost by each first move; the best are framed"
    figure, axes = canvas(_first_move_title(game, best), subtitle, *_grid_size(game.size, len(rolls)))
    rows = exact_thresholds(game.dice, game.size)
    losses = []
    for roll in rolls:
        values = values_by_rows(game, game.all_free, roll, rows).values()
        best_value = max(values)
        losses.append([float(best_value - value) for value in values])
    width, _ = cell_size(axes, game.size, len(rolls))
    norm = PowerNorm(0.5, 0, max(map(max, losses)) or 1)
    size = _heat_map(axes, losses, [*reversed(SHADES[:2]), WHITE], "points lost", _tick, norm=norm)
    frame: dict[str, Any] = {"fill": False, "edgecolor": INK, "linewidth": max(0.6, min(1.4, width / 8))}
    for column in range(game.size):
        of_slot = [of_roll[column] for of_roll in losses]
        for loss, run in groupby(range(len(rolls)), key=of_slot.__getitem__):
            if not loss:
                first, *others = run
                cells = Rectangle((column - 0.5, first - 0.5), 1, 1 + len(others), clip_on=False, zorder=3, **frame)
                axes.add_patch(cells)
    if size:
        for row, of_row in enumerate(losses):
            for column, loss in enumerate(of_row):
                axes.text(column, row, short(loss), ha="center", va="center_baseline", fontsize=size)
    axes.set_ylabel("first roll")
    _roll_ticks(axes, rolls)
    _slot_ticks(axes, game, best)
    return figure


def _heat_map(
    axes: Axes,
    rows: Sequence[Sequence[float]],
    shades: Sequence[str],
    name: str,
    tick: Callable[[float], str],
    **scale: Any,
) -> float:
    """A cell per number; returns the type for the numbers in them, or 0 and a scale beside where they do not fit."""
    width, height = cell_size(axes, len(rows[0]), len(rows))
    colours = LinearSegmentedColormap.from_list(name, shades)
    image = axes.imshow(rows, cmap=colours, origin="lower", aspect="auto", interpolation="nearest", **scale)
    size = min(8.5, width / 2.8, height / 1.5)
    if size >= 5:
        return size
    colour_scale(axes, image, name, tick)
    return 0.0


def _tick(loss: float) -> str:
    return f"{loss:,.0f}" if 100 <= loss < 1e7 else f"{loss:.3g}"


def _roll_ticks(axes: Axes, rolls: Sequence[int]) -> None:
    named = range(len(rolls)) if len(rolls) <= MAX_NAMES else round_ones(rolls, 20)
    axes.set_yticks(named, [str(rolls[i]) for i in named])


def _slot_ticks(axes: Axes, game: Game, best: Sequence[int]) -> None:
    """Name the slots, and mark those that are never best; of many slots, name only some of the best."""
    width, _ = cell_size(axes, game.size, 1)
    axes.set_xlabel("slot")
    if game.size > MAX_NAMES:
        if len(best) > MAX_NAMES:
            named = [best[i] for i in round_ones(best, 20)]
        else:
            axes.set_xlabel("slot, named where it is the best")
            named = list(best[:1])
            for slot in best:
                if (slot - named[-1]) * width > 22:
                    named.append(slot)
        axes.set_xticks([slot - 1 for slot in named], [str(slot) for slot in named])
        return
    numbered = all(multiplier == slot for slot, multiplier in enumerate(game.multipliers, start=1))
    names = []
    for slot, multiplier in enumerate(game.multipliers, start=1):
        name = str(slot) if numbered else f"{slot}\n{times(multiplier)}"
        names.append(name if slot in best or width < 28 else f"{name}\nnever")
    axes.set_xticks(range(game.size), names)
    for slot, label in enumerate(axes.get_xticklabels(), start=1):
        if slot not in best:
            label.set_color(LOSS)


def _first_move_title(game: Game, best: Sequence[int]) -> str:
    if game.size == 1:
        return "One slot takes every roll"
    if len(game.dice.support) == 1:
        return "One roll only: every slot is as good as any other"
    never = [str(slot) for slot in range(1, game.size + 1) if slot not in best]
    if not never:
        return "Every slot is the best one for some first roll"
    if len(never) <= 4:
        return f"The first roll never belongs in slot {', '.join(never[:-1])}{' or ' * (len(never) > 1)}{never[-1]}"
    return f"The first roll belongs in {len(best)} of the {game.size} slots, never in the other {len(never)}"


def _best_slots(card: Card) -> list[int]:
    """The slots that are best for some first roll, decided on exact thresholds."""
    multipliers = card.game.multipliers
    if not card.rows or len(card.game.dice.support) == 1:
        return list(range(1, card.game.size + 1))
    bands = card.rows[0].bands
    best = {multipliers[rank - 1] for band in bands for rank in range(band.rank, band.rank + 1 + band.tied)}
    return [slot for slot, multiplier in enumerate(multipliers, start=1) if multiplier in best]


@styled
def plot_slots(game: Game, progress: Progress | None = None) -> Figure:
    """Which roll ends up in which slot under the best play, and the mean of each slot."""
    rolls = game.dice.support
    if len(set(game.multipliers)) < game.size:
        raise InvalidGame("this picture needs multipliers that all differ", field="slots")
    _verify_size(game)
    by_slot = slot_distributions(game.dice, game.size, progress)
    shares = [[float(share) for share in of_roll] for of_roll in zip(*by_slot, strict=True)]
    means = exact_thresholds(game.dice, game.size)[-1].floats()
    subtitle = f"{game_name(game)}: the share of each roll in each slot, in percent; means in red"
    figure, axes = canvas(_slots_title(game, means), subtitle, *_grid_size(game.size, len(rolls)), head=0.15)
    size = _heat_map(axes, shares, [WHITE, *SHADES], "share", lambda share: f"{100 * share:.2g}%", vmin=0)
    axes.set_ylabel("roll")
    _roll_ticks(axes, rolls)
    _slot_ticks(axes, game, range(1, game.size + 1))
    heights = np.interp(means, rolls, range(len(rolls))).tolist()  # the rolls have equal distances
    if not size:
        axes.plot(range(game.size), heights, color=LOSS, linewidth=1.5, label="means")
        return figure
    for row, of_roll in enumerate(shares):
        for column, share in enumerate(of_roll):
            if share >= 0.0005:
                text, colour = f"{100 * share:.{0 if share >= 0.0995 else 1}f}", INK if share >= 0.01 else QUIET
                axes.text(column, row, text, ha="center", va="center_baseline", fontsize=size, color=colour)
    axes.plot([slot - 0.44 for slot in range(game.size)], heights, ">", color=LOSS, markersize=5, label="means")
    names = ["mean", *(f"{mean:.{_decimals(means)}f}" for mean in means)]
    for slot, name in enumerate(names):
        place = (slot - 1, len(rolls) - 0.5) if slot else (-0.5, len(rolls) - 0.5)
        above: dict[str, Any] = {"xytext": (0 if slot else -6, 5), "textcoords": "offset points", "fontsize": size}
        axes.annotate(name, place, ha="center" if slot else "right", color=LOSS, **above)
    return figure


def _decimals(means: Sequence[float]) -> int:
    """The number of decimals that tells the means apart."""
    least = min((high - low for low, high in pairwise(means)), default=1.0)
    return 1 if least >= 0.1 or least <= 0 else 2


def _slots_title(game: Game, means: Sequence[float]) -> str:
    if game.size == 1:
        return "One slot takes every roll"
    if len(game.dice.support) == 1:
        return "One roll only: every slot ends up with it"
    low, high = (f"{mean:.{_decimals(means)}f}" for mean in (means[0], means[-1]))
    return f"Slot 1 ends up with {low} on average, slot {game.size} with {high}"


def _grid_size(columns: int, rows: int) -> tuple[float, float]:
    return min(12.0, max(7.0, 1.1 + 0.62 * columns)), min(8.5, max(4.0, 1.9 + 0.28 * rows))
