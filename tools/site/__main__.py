"""Build the documentation's site into the folder `site`, and check it: ``python -m tools.site [FOLDER]``.

`--check FOLDER` checks a site that was built before.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory

from tentimes18.pictures.colours import style_sheet
from tools.console import ROOT
from tools.site.checking import problems_of
from tools.site.http_api import http_page
from tools.site.policy import hand_over_style, move_out
from tools.site.reference import homes, write_reference
from tools.site.sources import stage

HERE = Path(__file__).resolve().parent
UNUSED = ("404.html", "sitemap.xml", "sitemap.xml.gz")  # they hold addresses of a host that nobody has named


def main(arguments: list[str]) -> int:
    """Build or check the site, and return 1 if there are problems."""
    parser = argparse.ArgumentParser("python -m tools.site", description="The documentation as a site.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site", help="where it is, or will be")
    parser.add_argument("--check", action="store_true", help="check a site that is there")
    given = parser.parse_args(arguments)
    if given.check:
        return told(problems_of(given.folder))
    with TemporaryDirectory() as name:
        work = Path(name)
        prepare(work)
        built = work / "site"
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        result = subprocess.run(
            command, cwd=work, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
        )
        if result.returncode:
            sys.stderr.write(result.stdout + result.stderr)
            return result.returncode
        finish(built)
        if problems := problems_of(built):
            return told(problems)
        replace(built, given.folder)
    pages = sum(1 for _ in given.folder.rglob("*.html"))
    sys.stdout.write(f"{given.folder}: {pages} pages, no broken link, nothing from another host\n")
    return 0


def prepare(work: Path) -> None:
    """Put everything that the builder reads into a folder."""
    docs = work / "docs"
    docs.mkdir()
    stage(docs, homes())
    write_reference(docs)
    (docs / "http-api.md").write_text(http_page(), encoding="utf-8")
    for name in ("zensical.toml", "docstrings.py"):
        (work / name).write_bytes((HERE / name).read_bytes())
    copytree(HERE / "theme", work / "theme")
    dark = style_sheet("dark").replace(":root", '[data-md-color-scheme="slate"]')
    (work / "theme" / "stylesheets" / "tokens.css").write_text(style_sheet("tokens") + dark, encoding="utf-8")


def finish(built: Path) -> None:
    """Take away what nobody needs, and have it keep to the policy of the service."""
    for name in UNUSED:
        (built / name).unlink(missing_ok=True)
    move_out(built)
    (script,) = (built / "assets" / "javascripts").glob("bundle.*.js")
    script.write_text(hand_over_style(script.read_text(encoding="utf-8")), encoding="utf-8")


def replace(built: Path, folder: Path) -> None:
    """Put a new site where the old one was; a service sees the one or the other."""
    new, old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")
    for path in (new, old):
        rmtree(path, ignore_errors=True)
    copytree(built, new)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    rmtree(old, ignore_errors=True)


def told(problems: list[str]) -> int:
    """Say what is wrong, if anything is."""
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    sys.stderr.write(f"problems: {len(problems)}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
