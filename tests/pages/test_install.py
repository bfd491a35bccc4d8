"""The manifest and the worker: they name what is there, and the worker keeps nothing that the service answers."""

import json
import re
import zlib

import pytest

from tentimes18.app.page_html import PAGES, is_kept_ready, manifest_json, worker_script
from tentimes18.app.static_files import AppFile, app_files, version_of
from tools.icons import FOLDER, icons


def worker_of(found: dict[str, AppFile]) -> dict[str, object]:
    text = re.search(r"const APP = (\{.*\});", worker_script(found).decode())
    assert text is not None
    told: dict[str, object] = json.loads(text[1])
    return told


def test_the_worker_keeps_exactly_what_pages_may_load() -> None:
    told = worker_of(dict(app_files()))
    version = version_of(app_files())
    kept = {path for path in app_files() if is_kept_ready(path)}
    assert told["version"] == version
    assert told["files"] == [f"static/{version}/{path}" for path in app_files() if path in kept]
    assert {"app/main.js", "style/dark.css", "vendor/uplot.js"} < kept
    assert not any("api" in str(path).split("/") for path in (*kept, *PAGES))
    assert told["pages"] == {page.name: page.paths[0][1:] for page in PAGES if page.name != "game"}


def test_a_new_version_is_a_new_worker() -> None:
    changed = dict(app_files()) | {"style/base.css": AppFile("style/base.css", b"")}
    assert worker_script(changed) != worker_script(app_files())


def test_a_worker_without_a_place_is_seen() -> None:
    with pytest.raises(ValueError, match="no place"):
        worker_script({"worker.js": AppFile("worker.js", b"")})


def test_the_manifest() -> None:
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
    """The pixels of one of our pictures, however they were packed; of what is no PNG, itself."""
    head, mark, rest = data.partition(b"IDAT")
    return head[:-4] + zlib.decompressobj().decompress(rest) if mark else data


def test_the_icons_are_the_ones_that_the_mark_makes() -> None:
    kept = {path.name: unpacked(path.read_bytes()) for path in FOLDER.iterdir()}
    assert kept == {name: unpacked(data) for name, data in icons().items()}
