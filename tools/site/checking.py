"""What must hold of a built site: every link leads somewhere, and a browser needs nothing but its files.

`problems_of(folder)` reads all pages and style sheets as a browser would, and tells

- links, pictures, scripts and style sheets that are not there, and anchors that their page does not have;
- whatever a browser would ask another host for;
- what the policy of the service forbids: scripts, styles and handlers inside a page, pictures inside a style sheet.

A link that a reader may follow to another host is no request: it is left alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

INDEX = "index.html"
FOLLOWED = {("a", "href"), ("area", "href"), ("form", "action")}
"""What a reader follows; all other addresses are asked for by the browser itself."""
ADDRESSES = ("href", "src", "poster", "data", "action", "xlink:href")
UNASKED_LINKS = frozenset({"canonical", "prev", "next", "alternate", "author", "license"})
"""Relations of a <link> that no browser follows automatically."""
_ADDRESS = re.compile(r"""url\(\s*(['"]?)(.*?)\1\s*\)|@import\s+(['"])(.*?)\3""")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Address:
    """An address in a page, and whether the browser requests it automatically."""

    text: str
    is_asked_for: bool


@dataclass(slots=True)
class Page:
    """What counts of a page: where its links lead, its anchors, and what the policy forbids."""

    addresses: list[Address] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    forbidden: list[str] = field(default_factory=list)
    base: str | None = None


def is_script(kind: str | None) -> bool:
    """Whether a <script> of this type runs; data in a page does not, and no policy forbids it.

    >>> is_script(None), is_script("module"), is_script("application/json")
    (True, True, False)
    """
    return not kind or kind.lower() in ("module", "text/javascript", "application/javascript", "importmap")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.page.anchors |= {given[name] for name in ("id", "name") if given.get(name) and tag != "meta"}
        if tag == "base":
            self.page.base = given.get("href")
        for name in ADDRESSES:
            if name in given and (tag, name) not in (("data", "data"), ("base", "href")):
                self.page.addresses.append(Address(given[name], self._is_asked_for(tag, name, given)))
        for part in given.get("srcset", "").split(","):
            if part.strip():
                self.page.addresses.append(Address(part.split()[0], is_asked_for=True))
        self._see_forbidden(tag, given)

    def _is_asked_for(self, tag: str, name: str, given: dict[str, str]) -> bool:
        if tag == "link":
            return not set(given.get("rel", "").lower().split()) <= UNASKED_LINKS
        return (tag, name) not in FOLLOWED

    def _see_forbidden(self, tag: str, given: dict[str, str]) -> None:
        if tag == "style":
            self.page.forbidden.append("a <style>")
        if tag == "script" and "src" not in given and is_script(given.get("type")):
            self.page.forbidden.append("a script inside of the page")
        if "style" in given:
            self.page.forbidden.append(f'style="{given["style"]}" of a <{tag}>')
        self.page.forbidden += [f"{name} of a <{tag}>" for name in given if name.startswith("on")]


def read_page(text: str) -> Page:
    """A page as a browser would read it.

    >>> page = read_page('<h1 id="top">A</h1><a href="b.html#c">b</a><p style="color: red">')
    >>> page.anchors, [address.text for address in page.addresses], page.forbidden
    ({'top'}, ['b.html#c'], ['style="color: red" of a <p>'])
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.page


def addresses_of_style(text: str) -> Iterator[str]:
    """What a style sheet names.

    >>> list(addresses_of_style("a { mask: url(b.svg) } /* url(c.svg) */ @import 'd.css';"))
    ['b.svg', 'd.css']
    """
    for found in _ADDRESS.finditer(_COMMENT.sub("", text)):
        yield found[2] if found[2] is not None else found[4]


def problems_of(folder: Path) -> list[str]:
    """What is wrong with a built site, one line each; nothing where it is as it should be."""
    folder = folder.resolve()
    pages = {path: read_page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    if folder / INDEX not in pages:
        return [f"{folder}: no {INDEX}: the site is not built"]
    return [
        f"{path.relative_to(folder)}: {problem}"
        for path, found in (
            *((path, _of_page(folder, path, page, pages)) for path, page in pages.items()),
            *((path, _of_style(folder, path)) for path in sorted(folder.rglob("*.css"))),
        )
        for problem in sorted(set(found))
    ]


def _of_page(folder: Path, path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    yield from (f"{what} is forbidden by the policy" for what in page.forbidden)
    if page.base is not None:
        yield "a <base> changes where links lead"
    for address in page.addresses:
        parts = urlsplit(address.text)
        if parts.scheme in ("mailto", "tel") and not address.is_asked_for:
            continue
        if parts.scheme or parts.netloc:
            if address.is_asked_for or parts.scheme not in ("http", "https"):
                yield f"asks another host, or not for a file: {address.text}"
            continue
        target = _target(folder, path, parts.path)
        if target is None:
            yield f"leads nowhere: {address.text}"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"no such anchor: {address.text}"


def _of_style(folder: Path, path: Path) -> Iterator[str]:
    for address in addresses_of_style(path.read_text(encoding="utf-8")):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            yield f"asks another host, or not for a file: {address[:80]}"
        elif parts.path and _target(folder, path, parts.path) is None:
            yield f"leads nowhere: {address}"


def _target(folder: Path, path: Path, given: str) -> Path | None:
    """The file that an address names, from that page or style sheet; None where there is none, or not in the site."""
    if given.startswith("/"):  # the site must work under any address
        return None
    target = (path.parent / unquote(given)).resolve() if given else path
    if target.is_dir():
        target = target / INDEX
    return target if target.is_file() and target.is_relative_to(folder) else None
