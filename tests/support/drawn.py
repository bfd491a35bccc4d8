"""Pictures, read back."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle


def title(figure: Figure) -> str:
    return figure.texts[0].get_text().replace("\n", " ")


def bars(figure: Figure, colour: str) -> list[tuple[float, float, float]]:
    """Middle, foot and height of the bars in this colour."""
    found = (patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle))
    return [
        (bar.get_x() + bar.get_width() / 2, bar.get_y(), bar.get_height())
        for bar in found
        if to_hex(bar.get_facecolor()) == colour
    ]


def places(line: Line2D) -> list[tuple[float, float]]:
    """The places that a line goes through, or its dots."""
    return [(float(x), float(y)) for x, y in np.asarray(line.get_xydata())]
