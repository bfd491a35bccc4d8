"""The page of the reference: whole, linked, without script, style or anything from elsewhere."""

import re
from pathlib import Path

import pytest

from tentimes18.server.app import create_app
from tentimes18.server.problems import KINDS
from tentimes18.server.reference.markup import PLACES
from tentimes18.server.reference.page import STYLE_PATH, reference_page, reference_style
from tentimes18.server.settings import Service
from tests.support.pages import Page


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder: Path = tmp_path_factory.mktemp("service")
    return create_app(Service(folder, b"s" * 32)).openapi()


@pytest.fixture(scope="module")
def page(document: dict[str, object]) -> Page:
    return Page(reference_page(document))


def test_every_link_leads_somewhere(page: Page) -> None:
    anchors = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    for link in page.named("a"):
        href = link["href"] or ""
        assert href in ("/", "/api/openapi.json", *PLACES) or (href.startswith("#") and href[1:] in anchors), href


def test_every_route_and_problem_is_there(page: Page, document: dict[str, object]) -> None:
    anchors = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert KINDS.keys() <= anchors
    paths: dict[str, dict[str, object]] = document["paths"]  # type: ignore[assignment]
    assert len(page.named("article")) >= sum(map(len, paths.values()))


def test_nothing_runs_and_nothing_comes_from_elsewhere(page: Page) -> None:
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "style", "img", "iframe", "object"})
    assert page.named("link") == [{"rel": "stylesheet", "href": STYLE_PATH}]
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("style", "src") for name in attributes)
    assert page.named("html") == [{"lang": "en"}]
    assert len(page.named("h1")) == len(page.named("title")) == len(page.named("main")) == 1
    assert len(page.named("nav")) == 2, "to other pages, and to what this one has"


def test_texts_of_the_document_are_escaped() -> None:
    evil = "<script>x</script>"
    operation = {"tags": [evil], "description": evil, "responses": {"200": {"description": evil}}}
    models = {evil: {"description": evil, "properties": {evil: {"description": evil, "default": evil}}}}
    document = {"info": {"title": evil}, "paths": {f"/{evil}": {"get": operation}}, "components": {"schemas": models}}
    assert "script" not in {tag for tag, _ in Page(reference_page(document)).tags}


def test_the_style_is_of_the_house() -> None:
    style = reference_style()
    assert style.count("{") == style.count("}")
    assert "url(" not in style
    used = set(re.findall(r"var\(--([\w-]+)\)", style))
    assert used <= set(re.findall(r"--([\w-]+):", style))
