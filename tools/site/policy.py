"""The site under the policy of the service, which forbids scripts and styles inside pages.

A builder of sites writes small scripts into its pages and pictures into its style sheets. `move_out` gives each a file
of its own beside the others, named by its digest. The builder's search puts a <style> into its shadow root, which the
policy forbids as well: `hand_over_style` has it hand the same text over as a sheet that was constructed, which none
forbids. The site then needs no exception from any policy, here or on another host.
"""

import re
from base64 import b64decode
from functools import partial
from hashlib import sha256
from os.path import relpath
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tools.site.checking import is_script

PLACE = "assets/inner"
ENDINGS = {"image/svg+xml": "svg", "image/png": "png", "image/gif": "gif", "font/woff2": "woff2"}
_SCRIPT = re.compile(r"<script(?P<given>[^>]*)>(?P<text>.*?)</script>", re.DOTALL | re.IGNORECASE)
_GIVEN = re.compile(r"""([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""", re.IGNORECASE)
_DATA = re.compile(
    r"""url\((?P<quote>["']?)data:(?P<kind>[a-z]+/[a-z0-9+.-]+)(?P<how>[^,]*?),(?P<text>.*?)(?P=quote)\)""", re.DOTALL
)

_SHADOW_STYLE = re.compile(r"""(\w+)\.appendChild\(\w+\("style",\{\},(\w+)\.toString\(\)\)\)""")
_HANDED = r"(s=>{s.replaceSync(\2.toString()),\1.adoptedStyleSheets=[s]})(new CSSStyleSheet)"


def hand_over_style(script: str) -> str:
    """The builder's script, its one <style> made a constructed sheet.

    >>> hand_over_style('let o=n.attachShadow({});o.appendChild(C("style",{},T.toString()));')
    'let o=n.attachShadow({});(s=>{s.replaceSync(T.toString()),o.adoptedStyleSheets=[s]})(new CSSStyleSheet);'
    """
    new, found = _SHADOW_STYLE.subn(_HANDED, script)
    if found != 1:
        raise ValueError(f"the builder's script puts {found} styles into shadow roots, not the one that is known")
    return new


def move_out(folder: Path) -> int:
    """Move scripts out of pages, and pictures out of style sheets; gives the number of files that they fill."""
    made: set[Path] = set()
    for pattern, ending, moved in ((_SCRIPT, "html", _moved_script), (_DATA, "css", _moved_picture)):
        for path in sorted(folder.rglob(f"*.{ending}")):
            text = path.read_text(encoding="utf-8")
            new = pattern.sub(partial(moved, folder=folder, seen_from=path, made=made), text)
            if new != text:
                path.write_text(new, encoding="utf-8")
    return len(made)


def _moved_script(found: re.Match[str], folder: Path, seen_from: Path, made: set[Path]) -> str:
    given = {name.lower(): one or two or three for name, one, two, three in _GIVEN.findall(found["given"])}
    if "src" in given or not is_script(given.get("type")):
        return found[0]
    file = _file_for(found["text"].encode(), "js", folder, made)
    return f'<script{found["given"]} src="{_address(file, seen_from)}"></script>'


def _moved_picture(found: re.Match[str], folder: Path, seen_from: Path, made: set[Path]) -> str:
    content = unquote_to_bytes(found["text"])
    if found["how"].endswith(";base64"):
        content = b64decode(content)
    return f'url("{_address(_file_for(content, ENDINGS[found["kind"]], folder, made), seen_from)}")'


def _file_for(content: bytes, ending: str, folder: Path, made: set[Path]) -> Path:
    file = folder / PLACE / f"{sha256(content).hexdigest()[:12]}.{ending}"
    if file not in made:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        made.add(file)
    return file


def _address(file: Path, seen_from: Path) -> str:
    return Path(relpath(file, seen_from.parent)).as_posix()
