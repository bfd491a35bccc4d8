"""The documentation as a site: what its checker finds, what is moved out of pages, and where links lead."""

import re
from pathlib import Path

import pytest

from tools.console import ROOT
from tools.site.__main__ import prepare, replace
from tools.site.checking import problems_of, read_page
from tools.site.fences import fenced, plain
from tools.site.policy import move_out
from tools.site.reference import ROOMS, homes, public_names, write_reference
from tools.site.sources import on_the_site, stage

BUILT = ROOT / "site"
ASKS = "asks another host, or for what is no file:"
GOOD = {
    "index.html": '<link rel="stylesheet" href="a.css"><h1 id="top">A</h1><a href="b/#here">b</a><img src="p.png">'
    '<a href="https://elsewhere.example/">away</a><a href="#top">up</a><script src="s.js"></script>',
    "b/index.html": '<h2 id="here">B</h2><a href="../">back</a><script type="application/json">{}</script>',
    "a.css": "a { mask: url(p.png) }",
    "p.png": "",
    "s.js": "",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_good_site_has_no_problem(tmp_path: Path) -> None:
    assert problems_of(written(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<a href="c/">c</a>', "leads nowhere: c/"),
        ('<a href="b/#there">b</a>', "no such anchor: b/#there"),
        ('<a href="#nowhere">b</a>', "no such anchor: #nowhere"),
        ('<a href="/b/">b</a>', "leads nowhere: /b/"),
        ('<a href="../other/">b</a>', "leads nowhere: ../other/"),
        ('<img src="q.png">', "leads nowhere: q.png"),
        ('<img srcset="p.png 1x, q.png 2x">', "leads nowhere: q.png"),
        ('<img src="//host.example/p.png">', f"{ASKS} //host.example/p.png"),
        ('<img src="data:image/gif;base64,AA">', f"{ASKS} data:image/gif;base64,AA"),
        (
            '<script src="https://cdn.example/a.js"></script>',
            f"{ASKS} https://cdn.example/a.js",
        ),
        (
            '<link rel="preconnect" href="https://fonts.example">',
            f"{ASKS} https://fonts.example",
        ),
        ('<a href="javascript:alert(1)">b</a>', f"{ASKS} javascript:alert(1)"),
        ("<script>alert(1)</script>", "a script inside of the page is forbidden by the policy"),
        ('<script type="module">1</script>', "a script inside of the page is forbidden by the policy"),
        ("<style>p { }</style>", "a <style> is forbidden by the policy"),
        ('<p style="color: red">', 'style="color: red" of a <p> is forbidden by the policy'),
        ('<p onclick="f()">', "onclick of a <p> is forbidden by the policy"),
        ('<base href="/">', "a <base> changes where links lead"),
    ],
)
def test_what_is_wrong_in_a_page_is_found(tmp_path: Path, text: str, problem: str) -> None:
    folder = written(tmp_path, GOOD | {"index.html": GOOD["index.html"] + text})
    assert problems_of(folder) == [f"index.html: {problem}"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a { background: url('q.png') }", "leads nowhere: q.png"),
        (
            "@import 'https://fonts.example/a.css';",
            f"{ASKS} https://fonts.example/a.css",
        ),
        (
            "a { mask: url(data:image/png;base64,AA) }",
            f"{ASKS} data:image/png;base64,AA",
        ),
    ],
)
def test_what_is_wrong_in_a_style_sheet_is_found(tmp_path: Path, text: str, problem: str) -> None:
    assert problems_of(written(tmp_path, GOOD | {"a.css": text})) == [f"a.css: {problem}"]


def test_a_folder_without_a_site_is_told(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path)
    assert "not built" in problem


def test_what_stands_inside_of_pages_gets_files_of_its_own(tmp_path: Path) -> None:
    script = "<script>var a = 1 < 2</script>"
    inner = {
        "index.html": GOOD["index.html"] + script,
        "b/index.html": GOOD["b/index.html"] + script,
        "a.css": "a { mask: url('data:image/svg+xml;charset=utf-8,<svg fill=\"%23fff\"/>'); "
        "background: url(data:image/png;base64,QUJD) }",
    }
    folder = written(tmp_path, GOOD | inner)
    assert problems_of(folder) != []
    assert move_out(folder) == 3
    assert problems_of(folder) == []
    contents = {path.suffix: path.read_text() for path in (folder / "assets" / "inner").iterdir()}
    assert contents == {".js": "var a = 1 < 2", ".svg": '<svg fill="#fff"/>', ".png": "ABC"}
    assert "{}</script>" in (folder / "b/index.html").read_text()


def test_anchors_and_links_are_read_as_a_browser_does() -> None:
    page = read_page('<meta name="a"><a name="old" href="x&amp;y">x</a><p id=plain>')
    assert page.anchors == {"old", "plain"}
    assert [address.text for address in page.addresses] == ["x&y"]


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("docs/a.md", "[b](b.md#c)", "[b](b.md#c)"),
        ("docs/theory/a.md", "[b](../duel.md)", "[b](../duel.md)"),
        ("docs/a.md", "[t](theory)", "[t](theory/README.md)"),
        ("docs/theory/a.md", "[map](../../CONTRIBUTING.md)", "[map](../contributing.md)"),
        ("CONTRIBUTING.md", "[words](docs/glossary.md#on-pages)", "[words](glossary.md#on-pages)"),
        ("docs/a.md", "[it](https://a.example/b)", "[it](https://a.example/b)"),
        ("docs/a.md", "[`review`](../src/tentimes18/coach/review.py)", "[`review`](reference/coach.md#here)"),
        ("docs/a.md", "[test](../tests/test_docs.py)", "test"),
        ("docs/a.md", "```\n[b](../tests/x.py)\n```", "```\n[b](../tests/x.py)\n```"),
        ("docs/a.md", "```python\n>>> 1\n1\n```", "```pycon\n>>> 1\n1\n```"),
        ("docs/a.md", "![p](pictures/a.png)", "![p](pictures/a.png)"),
    ],
)
def test_links_lead_to_the_site(source: str, text: str, found: str) -> None:
    page = source.removeprefix("docs/").replace("CONTRIBUTING", "contributing")
    assert on_the_site(text, source, page, {"src/tentimes18/coach/review.py": "reference/coach.md#here"}) == found


def test_all_pages_are_there(tmp_path: Path) -> None:
    stage(tmp_path, homes())
    write_reference(tmp_path)
    for path in (ROOT / "docs").rglob("*"):
        assert (tmp_path / path.relative_to(ROOT / "docs")).exists()
    decisions = (tmp_path / "decisions" / "README.md").read_text()
    assert all(path.name in decisions for path in (ROOT / "docs" / "decisions").glob("0*.md"))
    assert {path.stem for path in (tmp_path / "reference").iterdir()} == {"README", "tentimes18", *ROOMS}
    told = (tmp_path / "reference" / "tentimes18.md").read_text()
    assert [line.rpartition(".")[2] for line in told.splitlines() if line.startswith(":::")] == public_names(
        "tentimes18"
    )


def test_the_menu_has_every_page(tmp_path: Path) -> None:
    """The builder would tell, but is not always there."""
    prepare(tmp_path)
    menu = (tmp_path / "zensical.toml").read_text().partition("\nnav = [\n")[2].partition("\n]\n")[0]
    pages = {path.relative_to(tmp_path / "docs").as_posix() for path in (tmp_path / "docs").rglob("*.md")}
    named = set(re.findall(r'"([^"]+\.md)"', menu))
    assert named == {page for page in pages if not page.startswith("decisions/0")}


def test_examples_of_docstrings_are_fenced() -> None:
    text = "A.\n\n>>> f(1)\n2\n>>> g()\n\nB.\n\n    indented\n\n>>> h()\n3"
    first, last = "```pycon\n>>> f(1)\n2\n>>> g()\n```", "```pycon\n>>> h()\n3\n```"
    assert fenced(text) == f"A.\n\n{first}\n\nB.\n\n```text\nindented\n```\n\n{last}"
    assert fenced("No example.") == "No example."


def test_code_in_lists_and_brackets_in_code_stay() -> None:
    for text in ("- one\n\n    more of it\n", "Say `a[1][2]`.", "```\na[1][2]\n```", "[a](b.md)"):
        assert plain(text) == text
    assert plain("A:\n\n    x\n\n    y\n\nB") == "A:\n\n```text\nx\n\ny\n```\n\nB"


def test_a_new_site_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    for text in ("old", "new"):
        built = written(tmp_path / text, {"index.html": text})
        replace(built, tmp_path / "site")
        assert (tmp_path / "site" / "index.html").read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "old", "site"]


@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the site is not built: make site")
def test_the_built_site_has_no_problem() -> None:
    assert problems_of(BUILT) == []
