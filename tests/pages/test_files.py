"""The files of the app: all there, typed, and told apart by a version."""

import re
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tentimes18.pages.files import TYPES, AppFile, app_files, version_of
from tentimes18.pages.lean import lean
from tests.support.process import finished
from tests.support.source import ROOT, SOURCE

STATIC = SOURCE / "pages" / "static"
MODULES = [path for path in app_files() if re.match(r"(app/.*|worker)\.js$", path)]


def test_every_file_of_the_folder_is_there() -> None:
    on_disk = {str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.is_file()}
    made = {"starts.json", "style/tokens.css", "style/dark.css"}
    assert on_disk | made == app_files().keys()
    assert not on_disk & made
    for path in on_disk:
        data = (STATIC / path).read_bytes()
        assert app_files()[path].data in (data, lean(data.decode(errors="replace")).encode())


def test_every_file_has_a_type() -> None:
    assert {file.content_type for file in app_files().values()} <= set(TYPES.values())


def test_the_version_is_of_all_bytes_and_names() -> None:
    one = {"a.js": AppFile("a.js", b"1"), "b.js": AppFile("b.js", b"2")}
    assert version_of(one) == version_of(dict(reversed(one.items())))
    assert version_of(one) != version_of({"a.js": one["a.js"]})
    assert version_of(one) != version_of({"a.js": AppFile("a.js", b"12"), "b.js": AppFile("b.js", b"")})
    assert re.fullmatch("[0-9a-f]{12}", version_of(app_files()))


@pytest.mark.parametrize("path", MODULES)
def test_a_module_says_what_it_is_for(path: str) -> None:
    text = (STATIC / path).read_text(encoding="utf-8")
    assert re.match(r"// [A-Z]|/\*\* ", text)
    assert len(text.splitlines()) <= 400


@pytest.mark.parametrize("path", [path for path in app_files() if path.endswith((".js", ".css"))])
def test_nothing_asks_another_host(path: str) -> None:
    """Addresses of other hosts stand in comments of libraries alone, and as the name of a format."""
    text = app_files()[path].data.decode()
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = set(re.findall(r"https?://[^\s\"'`)]+", bare))
    assert found <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"}


@pytest.mark.parametrize("path", MODULES)
def test_a_module_keeps_the_policy(path: str) -> None:
    """No text becomes code, markup or a style attribute."""
    text = app_files()[path].data.decode()
    for bad in (r"\beval\(", r"\bnew Function\(", r"innerHTML", r"""\sstyle=["']""", r"\bonclick=", r"cssText"):
        assert not re.search(bad, text), bad


@pytest.mark.parametrize("path", MODULES)
def test_imports_are_of_files_that_are_there(path: str) -> None:
    text = app_files()[path].data.decode()
    for name in re.findall(r"""^(?:import|export \{)[^;"'(]*["']([^"']+)["']""", text, re.MULTILINE):
        assert name.startswith("."), f"{name} is not relative"
        target = (STATIC / path).parent / name
        assert str(Path(target).resolve().relative_to(STATIC)) in app_files()


@pytest.mark.slow
def test_a_wheel_has_them(tmp_path: Path) -> None:
    built = finished((sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)), cwd=ROOT)
    assert built.returncode == 0, built.stderr.decode()
    (wheel,) = tmp_path.glob("*.whl")
    in_wheel = {name for name in ZipFile(wheel).namelist() if name.startswith("tentimes18/pages/static/")}
    assert in_wheel == {f"tentimes18/pages/static/{path.relative_to(STATIC)}" for path in STATIC.rglob("*.*")}
