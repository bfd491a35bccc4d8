"""Pieces of the page: whatever comes from outside is escaped."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.reference.markup import about, chip, field_name, inline, marked_path, plain, pretty, prose, table
from tests.support.pages import Page

TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=12,
)


@given(TREES)
def test_pretty_json_is_the_same_json(value: object) -> None:
    assert json.loads(pretty(value)) == value


@given(st.text())
def test_texts_bring_no_tags(text: str) -> None:
    for piece in (inline(text), prose(text), marked_path(text), field_name(text, is_needed=False), chip(text)):
        assert {tag for tag, _ in Page(piece).tags} <= {"code", "p", "wbr", "i", "small", "b"}


def test_a_path_breaks_at_slashes_and_shows_its_parameters() -> None:
    assert marked_path("/games/{id}/moves") == "<wbr>/games<wbr>/<i>{id}</i><wbr>/moves"


def test_what_is_said_of_a_field() -> None:
    assert (
        about({"description": "Its `dice`.", "default": "3d6"}) == "Its <code>dice</code>. Default: <code>3d6</code>."
    )
    assert about({"anyOf": [{"type": "string", "description": "The day."}, {"type": "null"}]}) == "The day."
    assert about({"schema": {"type": "string", "default": None}}) == ""


def test_cells_know_their_column() -> None:
    cells = Page(table("Limits", [("a", "b", "c")], ("One", "Two", "Three"))).named("td")
    assert [cell["data-name"] for cell in cells] == ["One", "Two", "Three"]
    assert plain("x") == "x"
    assert plain([1, 2]) == "[1, 2]"
