"""The card drawn with matplotlib: as a PDF of one page, or as a figure."""

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle as Patch

from tentimes18.game import Game
from tentimes18.pictures.strategy_card import HEIGHT, WIDTH, Mark, Rectangle, choose_layout, make_card, page

POINTS_PER_MM: Final = 72 / 25.4
REGULAR: Final = {"Helvetica": "medium"}  # what its font file calls the weight of plain text


def card_pdf(game: Game) -> bytes:
    """The card as a PDF of one page, its text in Helvetica, which every reader has.

    >>> card_pdf(Game.classic())[:5]
    b'%PDF-'
    """
    card = make_card(game)
    figure = drawn(page(card, choose_layout(card)), "Helvetica")
    content = BytesIO()
    with rc_context({"pdf.use14corefonts": True}):
        figure.savefig(content, format="pdf", metadata={"Title": card.title, "CreationDate": None})
    return content.getvalue()


def drawn(marks: Iterable[Mark], family: str, scale: float = 1.0) -> Figure:
    """The marks as a figure; ``scale`` makes the text of a family smaller that is wider than Helvetica."""
    figure = Figure(figsize=(WIDTH / 25.4, HEIGHT / 25.4))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.set_axis_off()
    for order, mark in enumerate(marks):
        if isinstance(mark, Rectangle):
            patch = Patch((mark.x, mark.y), mark.width, mark.height, facecolor=mark.fill, edgecolor=mark.stroke)
            patch.set(linewidth=0.5 * POINTS_PER_MM if mark.stroke != "none" else 0, zorder=order)
            axes.add_patch(patch)
        else:
            weight = "bold" if mark.bold else REGULAR.get(family, "normal")
            text = axes.text(mark.x, mark.y, mark.text, color=mark.colour, ha=mark.align, va="baseline", zorder=order)
            size = mark.size * POINTS_PER_MM * scale
            text.set(family=family, fontsize=size, fontweight=weight, parse_math=False)
    return figure
