"""The files of the app: all there, typed, and told apart by a version."""

import re
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tentimes18.app.static_files import TYPES, AppFile, app_files, lean, version_of
from tests.support import ROOT, SOURCE
from tests.support.process import finished

STATIC = SOURCE / "app" / "static"
MODULES = [path for path in app_files() if re.match(r"(app/.*|worker)\.js$", path)]
TEXTS = {path: app_files()[path].data.decode() for path in MODULES}
TEXTS["app/review_file.js"] = lean((SOURCE / "app" / "review_file.js").read_text(encoding="utf-8"))
SCRIPTS = [path.read_text(encoding="utf-8") for kind in ("js", "py") for path in (ROOT / "tests").glob(f"*/*.{kind}")]
"""Of tests, which run some in a page."""


def test_every_file_of_the_folder_is_there() -> None:
    on_disk = {str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.is_file()}
    made = {"style/tokens.css", "style/dark.css"}
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


def test_a_module_says_what_it_is_for() -> None:
    for path in MODULES:
        text = (STATIC / path).read_text(encoding="utf-8")
        assert re.match(r"// [A-Z]|/\*\* ", text), path
        assert len(text.splitlines()) <= 400, path


def test_nothing_asks_another_host() -> None:
    """Addresses of other hosts stand in comments of libraries alone, and as the name of a format."""
    named = {f"http://www.w3.org/{name}" for name in ("2000/svg", "1999/xhtml", "1998/Math/MathML")}
    for path, file in app_files().items():
        if path.endswith((".js", ".css")) and "swagger-ui" not in path:  # which knows the names of standards
            bare = re.sub(r"/\*.*?\*/", "", file.data.decode(), flags=re.DOTALL)
            assert set(re.findall(r"https?://[^\s\"'`)]+", bare)) <= named, path


def test_a_module_keeps_the_policy() -> None:
    """No text becomes code, markup or a style attribute."""
    bad = r"""\beval\(|\bnew Function\(|innerHTML|\sstyle=["']|\bonclick=|cssText"""
    assert [(path, found[0]) for path, text in TEXTS.items() if (found := re.search(bad, text))] == []


def test_imports_are_of_files_that_are_there() -> None:
    for path, text in TEXTS.items():
        for name in re.findall(r"""^(?:import|export \{)[^;"'(]*["']([^"']+)["']""", text, re.MULTILINE):
            assert name.startswith("."), f"{path}: {name} is not relative"
            target = (STATIC / path).parent / name
            assert str(Path(target).resolve().relative_to(STATIC)) in app_files(), path


def names_in(listed: str, place: int) -> set[str]:
    """The names in a list of them in braces; of `a as b` the first or the last."""
    return {one.split(" as ")[place].strip() for one in listed.split(",") if one.strip()}


def test_what_a_module_exports_is_imported() -> None:
    """By another module, or by a test; the frame reads a page's title, and imports the page when it is asked for."""
    imported: set[tuple[Path, str]] = set()
    for path, text in TEXTS.items():
        for listed, name in re.findall(r"""^import [^;"'{]*\{([^}]*)\} from ["']([^"']+)["']""", text, re.MULTILINE):
            imported |= {((STATIC / path).parent.joinpath(name).resolve(), one) for one in names_in(listed, 0)}
    for path, text in TEXTS.items():
        exported = set(re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", text, re.MULTILINE))
        exported |= names_in(",".join(re.findall(r"^export \{([^}]*)\}", text, re.MULTILINE)), -1)
        exported -= {"title"} if path.startswith("app/pages/") else set()
        for one in exported:
            if (STATIC / path, one) not in imported:
                in_tests = any(Path(path).stem in text and re.search(rf"\b{one}\b", text) for text in SCRIPTS)
                assert in_tests, f"{path}: nobody imports {one}"


def test_what_a_module_imports_is_used() -> None:
    for path, text in TEXTS.items():
        for default, listed in re.findall(r"""^import (\w*)[^;"'{]*(?:\{([^}]*)\})? from""", text, re.MULTILINE):
            for one in {default, *names_in(listed, -1)} - {""}:
                assert len(re.findall(rf"(?<![\w$]){one}(?![\w$])", text)) > 1, f"{path}: {one} is not used"


@pytest.mark.slow
def test_a_wheel_has_them(tmp_path: Path) -> None:
    built = finished((sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)), cwd=ROOT)
    assert built.returncode == 0, built.stderr.decode()
    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    in_wheel = {name for name in names if name.startswith("tentimes18/app/static/")}
    assert in_wheel == {f"tentimes18/app/static/{path.relative_to(STATIC)}" for path in STATIC.rglob("*.*")}
    licences = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", *(path.name for path in (STATIC / "vendor").glob("*.LICENCE.txt"))}
