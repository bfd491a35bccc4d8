"""The picture of regret: what hindsight has more than the best play, for every number of slots."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from tentimes18.assignment import ValueLaw, multisecretary
from tentimes18.show.colours import LUCK
from tentimes18.show.figures import counted, points
from tentimes18.show.plots.labels import Labels
from tentimes18.show.plots.style import canvas, styled

__all__ = ["plot_regret"]

POINTS: Final = 600  # of a line
LEAST: Final = 10  # arrivals of a line
UP: Final = (90, 60, 120, 45, 135)


@styled
def plot_regret(law: ValueLaw, arrivals: int, named: str, progress: Callable[[int, int], None] | None = None) -> Figure:
    """Regret against the share of arrivals that find a slot, for so many arrivals and for fewer.

    >>> from tentimes18.assignment import UniformLaw
    >>> plot_regret(UniformLaw(0, 1), 1000, "uniform(0, 1)").texts[0].get_text()
    'Not knowing 1,000 values costs 0.68 at most, with 500 slots'
    """
    numbers = [number for number in (arrivals, arrivals // 10, arrivals // 100) if number >= LEAST] or [arrivals]
    found = [multisecretary(law, number, progress=progress if number == arrivals else None) for number in numbers]
    worst = int(found[0].regret.argmax())
    title = f"Not knowing {counted(arrivals, 'value')} costs {_told(found[0].regret[worst])}"
    if found[0].regret[worst]:
        title += f" at most, with {counted(worst, 'slot')}"
    subtitle = f"Values {named}: what hindsight has more than the best play, by the share of arrivals that find a slot"
    figure, axes = canvas(title, subtitle)
    labels = Labels(axes)
    lines: list[tuple[Any, Any, int]] = []
    for strength, (number, one) in enumerate(zip(numbers, found, strict=True)):
        places = np.unique(np.linspace(0, number, min(number, POINTS) + 1).round().astype(int))
        shares, regrets = places / number, one.regret[places]
        axes.plot(shares, regrets, color=LUCK, alpha=1 - 0.3 * strength, linewidth=1.8 - 0.3 * strength, clip_on=False)
        lines.append((shares, regrets, number))
    axes.set(xlim=(-0.01, 1.01), ylim=(0, 1.15 * float(max(found[0].regret)) or 1.0))
    axes.set(xlabel="slots for each arrival", ylabel="regret")
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g}%")
    axes.grid(axis="y")
    for shares, regrets, number in lines:
        top = int(regrets.argmax())
        labels.avoid_line(list(zip(shares.tolist(), regrets.tolist(), strict=True)))
        text = f"{number:,} arrivals: {_told(regrets[top])}"
        labels.add(float(shares[top]), float(regrets[top]), text, UP, color=LUCK, fontweight="bold")
    labels.draw()
    return figure


def _told(value: float) -> str:
    return points(Fraction(float(value))) if value else "nothing"
