"""The files of the app and what names them: the HTML of the pages, the worker, the manifest, and the export."""

import hashlib
import json
import re
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from zipfile import ZipFile

import pytest
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Comment, Text, Whitespace  # type: ignore[import-untyped]

from tentimes18.app.page_html import (
    NO_PAGE,
    PAGES,
    STATIC_POLICY,
    TITLES,
    PageInfo,
    imported_by,
    is_kept_ready,
    manifest_json,
    page_html,
    site_files,
    verify_folder,
    worker_script,
    write_site,
)
from tentimes18.app.static_files import TYPES, AppFile, app_files, lean, version_of
from tentimes18.errors import Ten18Error
from tests.support import ROOT, SOURCE
from tests.support.process import finished
from tools.icons import FOLDER, icons

STATIC = SOURCE / "app" / "static"
VENDOR = STATIC / "vendor"
MODULES = [path for path in app_files() if re.match(r"(app/.*|worker)\.js$", path)]
TEXTS = {path: app_files()[path].data.decode() for path in MODULES}
TEXTS["app/review_file.js"] = lean((SOURCE / "app" / "review_file.js").read_text(encoding="utf-8"))
LIBRARIES: list[dict[str, Any]] = json.loads((VENDOR / "VENDOR.json").read_text(encoding="utf-8"))
BACK: dict[str, Any] = {  # what was changed in a library, undone
    "preact.js": lambda text: text + "//# sourceMappingURL=preact.module.js.map\n",
    "hooks.js": lambda text: text.replace('"./preact.js"', '"preact"') + "//# sourceMappingURL=hooks.module.js.map\n",
    "uplot.js": lambda text: text.removesuffix("export default uPlot;\n"),
    "swagger-ui.css": lambda text: text + "\n/*# sourceMappingURL=swagger-ui.css.map*/",
}
SITE = site_files()
HTML = [path for path in SITE if path.endswith(".html")]
EACH_PAGE = pytest.mark.parametrize("page", [*PAGES, NO_PAGE], ids=lambda page: page.name or "none")
VOID = {"meta", "br", "link", "wbr"}


class Page(HTMLParser):
    """A page as a browser reads it; its tags must match."""

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


# The files.


def test_every_file_of_the_folder_is_there_with_its_type() -> None:
    on_disk = {str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.is_file()}
    assert on_disk | {"style/tokens.css", "style/dark.css"} == app_files().keys()
    assert {file.content_type for file in app_files().values()} <= set(TYPES.values())


def lines_with_code(text: str, language: str) -> set[int]:
    """The numbers of the lines that have more than comments and blanks, as a lexer of another project sees them."""
    found: set[int] = set()
    line = 0
    for kind, part in get_lexer_by_name(language, stripnl=False).get_tokens(text):
        last = line + part.count("\n")
        if kind not in Comment and kind not in (Text, Whitespace):
            found.update(range(line, last + 1))
        line = last
    return found


def test_comments_are_left_out_and_nothing_else() -> None:
    for path in STATIC.rglob("*"):
        name = str(path.relative_to(STATIC))
        if path.suffix not in (".js", ".css") or name.startswith("vendor/"):
            assert path.is_dir() or app_files()[name].data == path.read_bytes()
            continue
        text, sent = path.read_text(encoding="utf-8"), app_files()[name].data.decode()
        language = "css" if path.suffix == ".css" else "javascript"
        lines = zip(text.splitlines(), sent.splitlines(), strict=True)
        changed = {number: there for number, (line, there) in enumerate(lines) if there != line}
        assert set(changed.values()) <= {""} and not changed.keys() & lines_with_code(text, language), path
    assert lean("/* a */ let b; /* c */\n  // d\n/* e\n * f */\ng") == "/* a */ let b; /* c */\n\n\n\ng"


def test_the_version_is_of_all_bytes_and_names() -> None:
    one = {"a.js": AppFile("a.js", b"1"), "b.js": AppFile("b.js", b"2")}
    assert version_of(one) == version_of(dict(reversed(one.items())))
    assert version_of(one) != version_of({"a.js": one["a.js"]})
    assert version_of(one) != version_of({"a.js": AppFile("a.js", b"12"), "b.js": AppFile("b.js", b"")})
    assert re.fullmatch("[0-9a-f]{12}", version_of(app_files()))


def test_nothing_asks_another_host_and_no_text_becomes_code() -> None:
    named = {f"http://www.w3.org/{name}" for name in ("2000/svg", "1999/xhtml", "1998/Math/MathML")}
    for path, file in app_files().items():
        if path.endswith((".js", ".css")) and "swagger-ui" not in path:  # which knows the names of standards
            bare = re.sub(r"/\*.*?\*/", "", file.data.decode(), flags=re.DOTALL)
            assert set(re.findall(r"https?://[^\s\"'`)]+", bare)) <= named, path
    bad = r"""\beval\(|\bnew Function\(|innerHTML|\sstyle=["']|\bonclick=|cssText"""
    assert [(path, found[0]) for path, text in TEXTS.items() if (found := re.search(bad, text))] == []


def test_libraries_are_whole_licensed_and_as_they_were_published() -> None:
    assert {library["name"] for library in LIBRARIES} == {"preact", "htm", "uplot", "swagger-ui-dist"}
    told = {file["file"] for library in LIBRARIES for file in library["files"]}
    licences = {library["licence_file"] for library in LIBRARIES}
    assert {path.name for path in VENDOR.iterdir()} == told | licences | {"VENDOR.json"}
    for library in LIBRARIES:
        assert re.fullmatch(r"\d+\.\d+\.\d+", library["version"])
        licence = (VENDOR / library["licence_file"]).read_text(encoding="utf-8")
        assert {"MIT": "Permission is hereby granted", "Apache-2.0": "Apache License"}[library["licence"]] in licence
        for file in library["files"]:
            data = (VENDOR / file["file"]).read_bytes()
            assert hashlib.sha256(data).hexdigest() == file["sha256"]
            assert not re.search(rb'^(import|export).*from ?"[^."]|sourceMappingURL', data, re.MULTILINE)
            original = BACK.get(file["file"], lambda same: same)(data.decode())
            assert hashlib.sha256(original.encode()).hexdigest() == file["from_sha256"]
            assert ("change" in file) == (file["file"] in BACK)


@pytest.mark.slow
def test_a_wheel_has_them(tmp_path: Path) -> None:
    built = finished((sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)), cwd=ROOT)
    assert built.returncode == 0, built.stderr.decode()
    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    in_wheel = {name for name in names if name.startswith("tentimes18/app/static/")}
    assert in_wheel == {f"tentimes18/app/static/{path.relative_to(STATIC)}" for path in STATIC.rglob("*.*")}
    assert {"tentimes18/app/review_file.js", "tentimes18/app/review_file.css"} <= set(names)
    licences = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", *(path.name for path in VENDOR.glob("*.LICENCE.txt"))}


# The HTML of the pages.


@EACH_PAGE
@pytest.mark.parametrize("is_static", [False, True])
def test_what_a_page_names_is_there_and_it_runs_nothing_of_its_own(page: PageInfo, is_static: bool) -> None:
    root = "../" if is_static else "/"
    text = page_html(page, app_files(), root=root, is_static=is_static)
    base = f"{root}static/{version_of(app_files())}/"
    found = Page(text)
    named = [link["href"] for link in found.named("link") if link["rel"] in ("stylesheet", "modulepreload")]
    named += [script["src"] for script in found.named("script")]
    assert all(address is not None and address.removeprefix(base) in app_files() for address in named)
    assert len(named) == len(set(named)) + 1  # the entry is preloaded too
    assert found.text("title") == [f"{TITLES['en'][page.name][0]} · Ten times eighteen"]
    assert ("data-static" in found.named("html")[0]) == is_static
    assert found.text("script") == found.text("style") == []
    assert not any(name == "style" or name.startswith("on") for _, given in found.tags for name in given)
    assert not re.search("https?:", text)
    if not is_static:
        current = [link for link in found.named("a") if "aria-current" in link]
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


# What makes it installable.


def worker_of(script: bytes) -> dict[str, Any]:
    found = re.search(r"const APP = (\{.*\});", script.decode())
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


def test_the_worker_keeps_exactly_what_pages_may_load() -> None:
    told, version = worker_of(worker_script(app_files())), version_of(app_files())
    kept = {path for path in app_files() if is_kept_ready(path)}
    assert told["version"] == version
    assert told["files"] == [f"static/{version}/{path}" for path in app_files() if path in kept]
    assert {"app/main.js", "style/dark.css", "vendor/uplot.js"} < kept
    assert not any("api" in str(path).split("/") for path in (*kept, *PAGES))
    assert told["pages"] == {page.name: page.paths[0][1:] for page in PAGES if page.name != "game"}
    changed = dict(app_files()) | {"style/base.css": AppFile("style/base.css", b"")}
    assert worker_script(changed) != worker_script(app_files())
    with pytest.raises(ValueError, match="no place"):
        worker_script({"worker.js": AppFile("worker.js", b"")})


def test_the_manifest_and_its_icons() -> None:
    told = json.loads(manifest_json(app_files()))
    assert (told["name"], told["short_name"], told["display"]) == ("Ten times eighteen", "10×18", "standalone")
    base = f"static/{version_of(app_files())}/"
    for icon in told["icons"]:
        file = app_files()[icon["src"].removeprefix(base)]
        assert icon["type"] == file.content_type
        if icon["type"] == "image/png":
            size = int.from_bytes(file.data[16:20])
            assert icon["sizes"] == f"{size}x{size}"
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}


def unpacked(data: bytes) -> bytes:
    """The pixels of one of our pictures, however they were packed; for any other file, the file itself."""
    head, mark, rest = data.partition(b"IDAT")
    return head[:-4] + zlib.decompressobj().decompress(rest) if mark else data


def test_the_icons_are_the_ones_that_the_mark_makes() -> None:
    kept = {path.name: unpacked(path.read_bytes()) for path in FOLDER.iterdir()}
    assert kept == {name: unpacked(data) for name, data in icons().items()}


# The export.


@pytest.mark.parametrize("path", HTML)
def test_every_address_of_the_export_is_relative_and_leads_somewhere(path: str) -> None:
    found = Page(SITE[path].decode())
    given = [link["href"] for tag in ("link", "a") for link in found.named(tag)]
    given += [script["src"] for script in found.named("script")]
    for address in given:
        assert address is not None and address.startswith((".", "#"))
        if address.startswith("."):
            target = normpath(join(dirname(path), address))
            assert {target, normpath(join(target, "index.html"))} & SITE.keys(), address
    (policy,) = (meta["content"] for meta in found.named("meta") if "http-equiv" in meta)
    assert policy == STATIC_POLICY  # frame-ancestors cannot be said in HTML


def test_the_export_has_what_it_names_and_nothing_that_needs_a_service() -> None:
    assert not [path for path in SITE if re.search(r"(pages|style)/(daily|duel|history|game)\.(js|css)$", path)]
    told = worker_of(SITE["worker.js"])
    assert set(told["files"]) < SITE.keys()
    assert {normpath(join(page, "index.html")) for page in told["pages"].values()} == set(HTML)
    assert {icon["src"] for icon in json.loads(SITE["manifest.webmanifest"])["icons"]} < SITE.keys()


def written_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_is_written_and_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"
    answer = write_site(folder)
    assert written_in(folder) == dict(SITE)
    assert (answer["files"], answer["bytes"]) == (len(SITE), sum(map(len, SITE.values())))
    old = folder / "static" / "000000000000"
    old.mkdir()
    (old / "a.js").write_text("")
    (folder / "static" / "mine").mkdir()
    (folder / "static" / "mine" / "a.css").write_text("mine")
    (folder / "CNAME").write_text("example.org")
    (folder / "index.html").write_text("older")
    write_site(folder)
    assert written_in(folder) == {**SITE, "CNAME": b"example.org", "static/mine/a.css": b"mine"}


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(Ten18Error, match="is not empty; accepted: a new or empty folder") as error:
        write_site(tmp_path)
    assert error.value.field == "folder"
    assert written_in(tmp_path) == {"index.html": b"mine"}
    with pytest.raises(Ten18Error, match="is a file"):
        verify_folder(tmp_path / "index.html")
    with pytest.raises(Ten18Error, match="give another folder"):
        write_site(Path("/dev/null/site"))
