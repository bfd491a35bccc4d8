"""The pages of the site, as the builder reads them: those of docs/, and files from elsewhere in the project.

The pages are written to be read where they lie. On the way to the site a link to a folder becomes one to its first
page, one to a source file leads to its place in the reference, and one to a file at the top of the project to its page.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from shutil import copyfile

from tools.console import ROOT
from tools.site.fences import outside_fences, plain

DOCS = "docs"
FIRST = "README.md"
SOURCE = "src/tentimes18"
TOPS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md", "README.md": FIRST}
"""Pages at the top of the project, and their names on the site; the site has a first page of its own."""
DECISIONS = """# Decisions

Choices that somebody would otherwise undo, and why they were made.

"""
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
_PROMPT = re.compile(r"^( *)```python\n(?= *>>> )", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)

Homes = Mapping[str, str]
"""Where source files are described: the page of the reference for each, with its anchor."""


def on_the_site(text: str, source: str, page: str, homes: Homes, root: Path = ROOT) -> str:
    """A page with its links as they are on the site: ``source`` is its path in the project, ``page`` on the site.

    >>> on_the_site("[map](../CONTRIBUTING.md#the-house), [code](../src/tentimes18/a.py)", "docs/a.md", "a.md", {})
    '[map](contributing.md#the-house), code'
    """

    def lead(found: re.Match[str]) -> str:
        label, target, anchor = found[1], found[2], found[3] or ""
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        path = os.path.normpath(PurePosixPath(source).parent / target)
        if path.startswith(SOURCE):
            if path not in homes:
                return label
            place, anchor = homes[path].split("#")
            anchor = f"#{anchor}"
        elif path in TOPS:
            place = TOPS[path]
        elif path.startswith(f"{DOCS}/") or path == DOCS:
            place = os.path.relpath(path, DOCS)
            if (root / path).is_dir():
                place = str(PurePosixPath(place) / FIRST)
        else:
            return label
        return f"[{label}]({os.path.relpath(place, PurePosixPath(page).parent)}{anchor})"

    text = "".join(outside_fences(text, lambda part: _LINK.sub(lead, part)))
    return plain(_PROMPT.sub(r"\1```pycon\n", text))


def stage(folder: Path, homes: Homes, root: Path = ROOT) -> None:
    """Put all pages, and the files that they show, into this folder."""
    for path in sorted((root / DOCS).rglob("*")):
        if path.is_dir():
            continue
        page = path.relative_to(root / DOCS).as_posix()
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = on_the_site(path.read_text(encoding="utf-8"), f"{DOCS}/{page}", page, homes, root)
            target.write_text(text, encoding="utf-8")
        else:
            copyfile(path, target)
    for name, page in TOPS.items():
        if page != FIRST:
            text = on_the_site((root / name).read_text(encoding="utf-8"), name, page, homes, root)
            (folder / page).write_text(text, encoding="utf-8")
    (folder / "decisions" / FIRST).write_text(DECISIONS + "".join(_decisions(root)), encoding="utf-8")


def _decisions(root: Path) -> Iterator[str]:
    for path in sorted((root / DOCS / "decisions").glob("*.md")):
        title = _TITLE.search(path.read_text(encoding="utf-8"))
        yield f"- [{title[1] if title else path.stem}]({path.name})\n"
