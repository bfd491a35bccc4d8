"""The card as a page: nothing leaves it, nothing lies on top of another, and SVG says all of it."""

from itertools import combinations
from xml.etree import ElementTree

from tentimes18.game import Game
from tentimes18.pictures.strategy_card import HEIGHT, WIDTH, Mark, Rectangle, Text, choose_layout, make_card, page, svg
from tests.support.cards import LAYOUTS


@LAYOUTS
def test_the_page_is_legible(game: Game) -> None:
    card = make_card(game)
    layout = choose_layout(card)
    boxes = []
    for mark in page(card, layout):
        assert 0 <= mark.x <= WIDTH
        assert 0 <= mark.y <= HEIGHT
        if isinstance(mark, Rectangle):
            assert mark.x + mark.width <= WIDTH
            assert mark.y + mark.height <= HEIGHT
            if mark.title:
                boxes.append(mark)
    for one, other in combinations(boxes, 2):
        assert (
            one.x + one.width < other.x
            or other.x + other.width < one.x
            or one.y + one.height < other.y
            or other.y + other.height < one.y
        )


def test_svg_has_every_mark_and_is_safe() -> None:
    marks: list[Mark] = [
        Rectangle(1, 2, 3, 4, fill="#112233", title="a < b"),
        Text(5, 6, "<i>", 3.0, align="right", bold=True),
    ]
    root = ElementTree.fromstring(svg(marks, "a & b"))
    title, rectangle, text = root
    assert (title.text, rectangle[0].text, text.text) == ("a & b", "a < b", "<i>")
    assert (rectangle.get("width"), rectangle.get("fill"), text.get("text-anchor")) == ("3.00", "#112233", "end")
    assert root.get("viewBox") == "0 0 210 297"
