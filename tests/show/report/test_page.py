"""The parts of a page: well-formed, whole in themselves, in the colours of the style sheet."""

import re
from html.parser import HTMLParser
from typing import Final

from tentimes18.coach.units import Unit
from tentimes18.show.plots.style import canvas
from tentimes18.show.report.page import COLOURS, chip, document, facts, foot, picture, section, table, text

VOID: Final = {"meta", "br"}


class Page(HTMLParser):
    """A page as a browser reads it: complains of tags that do not match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of {tag} is given twice"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag: str) -> list[str]:
        return [data for name, data in self.texts if name == tag and data.strip()]


def verify(page: str) -> Page:
    """What holds for every page."""
    found = Page(page)
    assert page.startswith("<!doctype html>")
    assert found.named("html") == [{"lang": "en"}]
    assert len(found.named("h1")) == len(found.named("title")) == 1
    assert {tag for tag, _ in found.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "image"})
    for tag, attributes in found.tags:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src"):
                assert (value or "").startswith("#"), f"{tag} refers to {value}"
    assert not re.search(r"https?:|@import|url\((?!#)", page)
    identifiers = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    used = set(re.findall(r'(?:href="#|url\(#)([\w.-]+)', page))
    assert used <= set(identifiers)
    for attributes in found.named("svg"):
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"] or "") > 20
    assert len(found.named("table")) == len(found.named("caption"))
    assert all("scope" in attributes for attributes in found.named("th"))
    assert not any(colour in page.split("</style>")[1] for colour in COLOURS)
    return found


def test_a_document_has_its_style_and_its_title() -> None:
    page = document("Ada & Ben", ["<h1>698</h1>"])
    found = verify(page)
    assert found.text("title") == ["Ada & Ben"]
    style = page.split("<style>")[1].split("</style>")[0]
    used = set(re.findall(r"var\(--([\w-]+)\)", style)) - {"row"}
    given = set(re.findall(r"--([\w-]+):", style))
    assert used <= given
    assert set(COLOURS.values()) <= given


def test_whatever_comes_from_outside_stays_text() -> None:
    assert text("\u2028\x07<") == "  &lt;"
    assert section("<b>") == "<section>\n<h2>&lt;b&gt;</h2>\n</section>"
    assert "<i>" not in facts([("<i>", "<i>")])
    assert "<i>" not in chip("<i>", "<i>")


def test_facts_share_their_rows_evenly() -> None:
    for count, row in ((1, 1), (5, 5), (6, 3), (7, 4)):
        assert f"--row: {row}" in facts([("name", "7")] * count)


def test_a_table_names_its_rows_and_columns() -> None:
    found = Page(table("Moves", ["round", "class"], [["1", "best"], ["2", "good"]], left=[1]))
    assert found.text("caption") == ["Moves"]
    assert [attributes["scope"] for attributes in found.named("th")] == ["col", "col", "row", "row"]
    assert [attributes.get("class") for attributes in found.named("td")] == ["left", "left"]


def test_the_foot_says_what_an_error_is() -> None:
    assert "inaccuracy ?! from 1, mistake ? from 3, blunder ?? from 8 points" in foot(Unit.points)
    assert "blunder ?? from 8 % of the chances" in foot(Unit.chance)


def test_a_picture_takes_the_colours_of_the_page() -> None:
    figure, axes = canvas("A title", "a subtitle")
    for place, colour in enumerate(COLOURS):
        axes.plot([0, 1], [place, place], color=colour)
    drawn = picture(figure, "p1")
    found = Page(drawn)
    assert (found.text("h3"), found.text("p")) == (["A title"], ["a subtitle"])
    assert all(f"var(--{name})" in drawn for name in COLOURS.values())
    assert not any(colour in drawn for colour in COLOURS)
    assert all((attributes["id"] or "").startswith("p1-") for _, attributes in found.tags if "id" in attributes)
