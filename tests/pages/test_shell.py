"""The HTML of the pages: what it names is there, and it runs nothing of its own."""

import json
import re

import pytest

from tentimes18.app.page_html import NO_PAGE, PAGES, PageInfo, imported_by, page_html
from tentimes18.app.static_files import AppFile, app_files, version_of
from tests.support.pages import Page

EACH_PAGE = pytest.mark.parametrize("page", [*PAGES, NO_PAGE], ids=lambda page: page.name or "none")


@EACH_PAGE
@pytest.mark.parametrize("is_static", [False, True])
def test_what_a_page_names_is_there(page: PageInfo, is_static: bool) -> None:
    root = "../" if is_static else "/"
    text = page_html(page, app_files(), root=root, is_static=is_static)
    base = f"{root}static/{version_of(app_files())}/"
    found = Page(text)
    named = [link["href"] for link in found.named("link") if link["rel"] in ("stylesheet", "modulepreload")]
    named += [script["src"] for script in found.named("script")]
    assert all(address is not None and address.removeprefix(base) in app_files() for address in named)
    assert len(named) == len(set(named)) + 1  # the entry is preloaded too
    assert found.text("title") == [f"{page.title} · Ten times eighteen"]
    assert ("data-static" in found.named("html")[0]) == is_static


@EACH_PAGE
def test_a_page_keeps_the_policy(page: PageInfo) -> None:
    text = page_html(page, app_files())
    found = Page(text)
    assert found.text("script") == found.text("style") == []
    assert not any(name == "style" or name.startswith("on") for _, given in found.tags for name in given)
    assert not re.search("https?:", text)


def test_the_frame_shows_where_one_is() -> None:
    for page in PAGES:
        current = [link for link in Page(page_html(page, app_files())).named("a") if "aria-current" in link]
        assert [link["href"] for link in current] == ([page.paths[0]] if page.in_nav else [])


def test_an_export_has_no_way_to_what_it_lacks() -> None:
    found = Page(page_html(PAGES[0], app_files(), root="./", is_static=True))
    links = [link["href"] for link in found.named("a") if link["href"] != "#main"]
    assert links == ["./", "./", "./review/", "./drill/", "./lab/", "./about/"]


def test_the_app_knows_the_same_addresses() -> None:
    """The routes of the app, read from its source, are those of the service."""
    text = app_files()["app/core/links.js"].data.decode()
    routes = re.search(r"ROUTES = Object\.freeze\((\{.*?\})\);", text, re.DOTALL)
    exported = re.search(r"EXPORTED = Object\.freeze\((\[.*?\])\);", text, re.DOTALL)
    assert routes is not None and exported is not None
    as_json = re.sub(r",\s*}", "}", re.sub(r"(\w+):", r'"\1":', routes[1]))
    assert {name: tuple(paths) for name, paths in json.loads(as_json).items()} == {p.name: p.paths for p in PAGES}
    assert json.loads(exported[1]) == [page.name for page in PAGES if page.is_exported]


def test_imports_are_walked() -> None:
    texts = {
        "app/a.js": 'import { b } from "./core/b.js";\nimport "./c.js";\nexport { d } from "../d.js";\nimport("./x");',
        "app/core/b.js": 'import {\n  c,\n} from "../c.js";\n/** @type {import("../late.js").Late} */',
        "app/c.js": "export const c = 'from \"./nothing.js\"';",
        "d.js": 'import{d}from"./e.js";',
        "e.js": "",
        "app/late.js": "",
    }
    found = {path: AppFile(path, text.encode()) for path, text in texts.items()}
    assert imported_by(["app/a.js"], found) == ["app/a.js", "app/core/b.js", "app/c.js", "d.js", "e.js"]
