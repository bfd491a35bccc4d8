"""The libraries that are kept here: each with its version, its licence, and the digest of every file."""

import hashlib
import json
import re
from typing import Any

import pytest

from tests.support import SOURCE

VENDOR = SOURCE / "app" / "static" / "vendor"
LIBRARIES: list[dict[str, Any]] = json.loads((VENDOR / "VENDOR.json").read_text(encoding="utf-8"))
BACK: dict[str, Any] = {  # what was changed, undone
    "preact.js": lambda text: text + "//# sourceMappingURL=preact.module.js.map\n",
    "hooks.js": lambda text: text.replace('"./preact.js"', '"preact"') + "//# sourceMappingURL=hooks.module.js.map\n",
    "uplot.js": lambda text: text.removesuffix("export default uPlot;\n"),
    "swagger-ui.css": lambda text: text + "\n/*# sourceMappingURL=swagger-ui.css.map*/",
}


def test_they_are_the_ones_that_are_told() -> None:
    assert {library["name"] for library in LIBRARIES} == {"preact", "htm", "uplot", "swagger-ui-dist"}
    told = {file["file"] for library in LIBRARIES for file in library["files"]}
    licences = {library["licence_file"] for library in LIBRARIES}
    assert {path.name for path in VENDOR.iterdir()} == told | licences | {"VENDOR.json"}


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: str(library["name"]))
def test_a_library_is_whole_and_licensed(library: dict[str, Any]) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", library["version"])
    licence = (VENDOR / library["licence_file"]).read_text(encoding="utf-8")
    assert {"MIT": "Permission is hereby granted", "Apache-2.0": "Apache License"}[library["licence"]] in licence
    for file in library["files"]:
        data = (VENDOR / file["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
        assert not re.search(rb'^(import|export).*from ?"[^."]|sourceMappingURL', data, re.MULTILINE)


@pytest.mark.parametrize(
    "file", [file for library in LIBRARIES for file in library["files"]], ids=lambda file: file["file"]
)
def test_a_change_can_be_undone(file: dict[str, str]) -> None:
    """What was published can be made of what is kept: nothing else was touched."""
    text = (VENDOR / file["file"]).read_text(encoding="utf-8")
    original = BACK.get(file["file"], lambda same: same)(text)
    assert hashlib.sha256(original.encode()).hexdigest() == file["from_sha256"]
    assert ("change" in file) == (file["file"] in BACK)
