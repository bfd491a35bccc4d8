"""The picture of dice: the laws of one roll."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from matplotlib.figure import Figure

from tentimes18.dice import Dice
from tentimes18.show.bins import roll_bins
from tentimes18.show.colours import FELT, LUCK
from tentimes18.show.figures import points, rough
from tentimes18.show.plots.laws import (
    CUMULATIVE,
    SINGLE,
    Drawing,
    Line,
    distinct_names,
    draw_laws,
    half_title,
    lines_of,
)
from tentimes18.show.plots.style import styled
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["plot_dice"]

FIRST_LINES: Final[Sequence[Line]] = ((FELT, "-"), (LUCK, (0, (4.5, 2))))
LONGEST: Final = 24  # of a name beside its line


@styled
def plot_dice(dice: Sequence[Dice], *, cumulative: bool = False) -> Figure:
    """How often each roll of these dice; with ``cumulative`` how often that or less.

    >>> plot_dice([Dice.parse("3d6"), Dice.parse("4d6kh3")]).texts[0].get_text()
    '4d6kh3 shows 12.24 on average, 1.7 more than 3d6'
    """
    by_name = {_name(one): one for one in dice}
    names = distinct_names(by_name, field="dice")
    laws = {name: ScoreLaw(by_name[name].support, by_name[name].counts, by_name[name].total) for name in names}
    lines = lines_of(names, dict(zip(names, FIRST_LINES, strict=False)))
    bins = roll_bins(dice)
    drawing = Drawing(laws, lines, bins, CUMULATIVE if cumulative else SINGLE)
    if cumulative:
        title = half_title(laws, "rolls", "show {} or less")
        return draw_laws(title, "How many rolls show so much or less, exactly", drawing, "roll", "rolls up to this one")
    in_bins = "rolls" if bins.is_single else f"rolls in each bin of {points(Fraction(bins.width))}"
    return draw_laws(_title(laws), "How often each roll, exactly", drawing, "roll", in_bins)


def _name(dice: Dice) -> str:
    text = str(dice)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _title(laws: Mapping[str, ScoreLaw]) -> str:
    means = {name: Fraction(law.mean) for name, law in laws.items()}
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    if len(means) == 1:
        ends = [points(Fraction(laws[low].quantile(Fraction(q, 20)))) for q in (1, 19)]
        return f"{low} shows {points(means[low])} on average, nine times in ten {ends[0]} to {ends[1]}"
    if means[low] == means[high]:
        return f"All show {points(means[low])} on average"
    return f"{high} shows {points(means[high])} on average, {rough(means[high] - means[low])} more than {low}"
