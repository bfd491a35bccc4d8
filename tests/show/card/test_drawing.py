"""The card as a PDF, and as a figure."""

import re

import pytest
from matplotlib.patches import Rectangle as Patch

from tentimes18.game import Game
from tentimes18.pictures.card_drawing import card_pdf, drawn
from tentimes18.pictures.strategy_card import Rectangle, Text
from tests.support.cards import LAYOUTS


@LAYOUTS
def test_pdf_is_one_page_of_a4(game: Game) -> None:
    pdf = card_pdf(game)
    assert pdf.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", pdf)
    assert box is not None
    assert [round(float(length)) for length in box.groups()] == [595, 842]
    assert b"/BaseFont /Helvetica" in pdf


def test_the_same_card_gives_the_same_bytes() -> None:
    assert card_pdf(Game.classic()) == card_pdf(Game.classic())


def test_every_mark_is_drawn() -> None:
    figure = drawn([Rectangle(1, 2, 3, 4, fill="#112233"), Text(5, 6, "$x$", 3.0)], "DejaVu Sans", scale=0.5)
    (axes,) = figure.axes
    (box,), (text,) = axes.patches, axes.texts
    assert isinstance(box, Patch)
    assert (box.get_xy(), box.get_width(), box.get_height()) == ((1, 2), 3, 4)
    assert text.get_text() == "$x$"
    assert text.get_fontsize() == pytest.approx(1.5 * 72 / 25.4)
