"""The parts of a page: well-formed, whole in themselves, in the colours of the style sheet."""

import re

from tentimes18.coach.losses import Unit
from tentimes18.pictures.plot_style import canvas
from tentimes18.show.report.page import COLOURS, chip, document, facts, foot, picture, section, table, text
from tests.support.pages import Page, verify


def test_a_document_has_its_style_and_its_title() -> None:
    page = document("Ada & Ben", ["<h1>698</h1>"])
    found = verify(page)
    assert found.text("title") == ["Ada & Ben"]
    style = page.split("<style>")[1].split("</style>")[0]
    used = set(re.findall(r"var\(--([\w-]+)\)", style)) - {"row", "columns", "narrow", "m", "r"}
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
