"""The pictures of time against the number of slots, and of games."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tentimes18.pictures.colours import FELT, LOSS, LUCK, QUIET
from tentimes18.pictures.plot_style import save, styled

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
COLOURS = {"ours": FELT, "NumPy": QUIET, "QuantEcon": LUCK, "Storm": LOSS}
STYLES = (".-", ".--", ".:", ".-.")


@styled
def draw(times: dict[str, dict[int, float]], large: dict[str, dict[int, float]]) -> None:
    """Draw a line for each way: small games on the left, large ones on the right."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    small_axes, large_axes = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    figure.suptitle("Time from the game to its value, 3d6 with multipliers 1 to n", fontsize=13, fontweight="bold")
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
    save(figure, FOLDER / "growth.svg")


@styled
def draw_simulation(by_number: dict[str, dict[int, float]], by_slots: dict[str, dict[int, float]]) -> None:
    """Draw a line for each way: seconds by the number of games, and nanoseconds per game by the slots."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    number_axes, slots_axes = figure.subplots(1, 2, width_ratios=(3, 2))
    figure.suptitle("Time of a simulation, 3d6 with multipliers 1 to n", fontsize=13, fontweight="bold")
    _lines(number_axes, by_number)
    number_axes.set(title="10 slots", xlabel="games", ylabel="seconds", xscale="log", yscale="log")
    nanoseconds = {name: {n: 1e9 * took for n, took in times.items()} for name, times in by_slots.items()}
    _lines(slots_axes, nanoseconds)
    slots = sorted(set().union(*by_slots.values()))
    slots_axes.set(title="one game", xlabel="slots n", ylabel="nanoseconds", xticks=[0, *slots])
    slots_axes.set_ylim(bottom=0)
    figure.legend(*number_axes.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    save(figure, FOLDER / "simulation-growth.svg")


def _lines(axes: Axes, times: dict[str, dict[int, float]]) -> None:
    """A line for each way; the ways of one family share a colour."""
    families: list[str] = []
    for name, points in times.items():
        family = name.split(",")[0]
        style = STYLES[families.count(family)]
        families.append(family)
        axes.plot(list(points), list(points.values()), style, color=COLOURS[family], label=name)
    axes.grid()
