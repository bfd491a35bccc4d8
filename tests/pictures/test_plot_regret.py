"""The picture of regret: its lines are the regrets of as many arrivals as they say."""

import numpy as np
import pytest

from tentimes18.assignment import UniformLaw, multisecretary
from tentimes18.pictures.plot_assignment import plot_regret


def test_lines() -> None:
    law = UniformLaw(0, 1)
    figure = plot_regret(law, 400, "uniform")
    tops = [float(np.max(np.asarray(line.get_ydata()))) for line in figure.axes[0].lines]
    assert tops == pytest.approx([float(multisecretary(law, n).regret.max()) for n in (400, 40)])
    names = {text.get_text().partition(":")[0] for text in figure.axes[0].texts}
    assert {"400 arrivals", "40 arrivals"} <= names


def test_a_single_value_has_no_regret() -> None:
    assert plot_regret(UniformLaw(0, 1), 1, "uniform").texts[0].get_text() == "Not knowing 1 value costs nothing"
