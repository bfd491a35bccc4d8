"""Pages of the report as a browser reads them."""

import re
from html.parser import HTMLParser
from typing import Final

from tentimes18.show.report.page import COLOURS

__all__ = ["Page", "verify"]

VOID: Final = {"meta", "br", "link", "wbr"}


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
    """The page, after a look at what holds for every one: it is whole in itself, and no script runs."""
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
        if attributes.get("aria-hidden") == "true":
            continue
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"] or "") > 20
    assert len(found.named("table")) == len(found.named("caption"))
    assert all("scope" in attributes for attributes in found.named("th"))
    assert not any(colour in page.split("</style>")[1] for colour in COLOURS)
    return found
