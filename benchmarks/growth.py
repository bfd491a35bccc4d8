"""The picture of time against the number of slots."""

from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["draw"]

FILE: Final = Path(__file__).parents[1] / "docs" / "pictures" / "growth"
COLOURS: Final = {"ours": "#c1272d", "plain Python": "#777777", "QuantEcon": "#0072b2", "Storm": "#009e73"}
STYLES: Final = (".-", ".--")


def draw(times: dict[str, dict[int, float]], large: dict[str, dict[int, float]]) -> None:
    """Draw a line for each way, as SVG and PNG: beside each other the small games and the large ones."""
    with mpl.rc_context({"svg.hashsalt": "ten18", "font.size": 10}):
        figure = Figure(figsize=(9, 5), layout="constrained")
        small_axes, large_axes = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        figure.suptitle("Time from the game to its value, 3d6 with multipliers 1 to n")
        _lines(small_axes, times)
        small_axes.set(
            title="small games",
            xlabel="slots n",
            ylabel="seconds",
            yscale="log",
            xticks=sorted(set().union(*times.values())),
        )
        _lines(large_axes, large)
        large_axes.set(title="large games", xlabel="slots n", xscale="log")
        figure.legend(*small_axes.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
        FILE.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(FILE.with_suffix(".svg"), metadata={"Date": None})
        figure.savefig(FILE.with_suffix(".png"), dpi=150)


def _lines(axes: Axes, times: dict[str, dict[int, float]]) -> None:
    """A line for each way; the ways of one family share a colour."""
    families: list[str] = []
    for name, points in times.items():
        family = name.split(",")[0]
        style = STYLES[families.count(family)]
        families.append(family)
        axes.plot(list(points), list(points.values()), style, color=COLOURS[family], label=name)
    axes.grid(alpha=0.3)
