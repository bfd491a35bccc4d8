"""The HTML of each page: one template, which names the styles and the modules that the page needs.

A browser that reads it fetches all of them at once: those that the page's module imports are found by walking the
imports, and are named in the HTML too. The frame is drawn before any script runs, as `parts/shell.js` will draw it.

What makes the app installable: its manifest, and the worker that keeps it ready without a network.

Both name files of one version, so they are made, not kept. The worker gets exactly the app's own files; nothing that
the service answers is among them.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from posixpath import dirname, join, normpath

from tentimes18.app.static_files import TYPES, AppFile, version_of
from tentimes18.pictures.colours import colour_of, dark_colour_of

SITE_NAME = "Ten times eighteen"
ENTRY = "app/main.js"
STYLES = ("base", "frame", "board")
IMPORT = re.compile(r"""^(?:import|export)\b(?:[^;"'(]*?\bfrom)?\s*["'](\.[^"']+)["']""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page: its name, where it is, what it is called, and whether it needs no service."""

    name: str
    paths: tuple[str, ...]
    title: str
    about: str
    in_nav: bool = True
    is_exported: bool = False


PAGES = (
    PageInfo(
        "play",
        ("/",),
        "Play",
        "Ten rolls of three dice, ten slots from ×1 to ×10: place each roll at once, and make the most of it.",
        is_exported=True,
    ),
    PageInfo("daily", ("/daily", "/daily/{day}"), "Daily", "One game a day, the same rolls for all, one attempt."),
    PageInfo("duel", ("/duel", "/duel/{code}"), "Duel", "Two boards, the same rolls: against a friend, or a bot."),
    PageInfo("game", ("/game/{id}",), "Game", "A game in play.", in_nav=False),
    PageInfo(
        "review",
        ("/review", "/review/{id}"),
        "Review",
        "What was luck and what was you: every move of a game, measured exactly.",
        is_exported=True,
    ),
    PageInfo("drill", ("/drill",), "Drill", "Positions to answer, your own mistakes first.", is_exported=True),
    PageInfo("lab", ("/lab",), "Lab", "Any dice, any slots: what each slot is worth, exactly.", is_exported=True),
    PageInfo("history", ("/history",), "History", "Your games, your skill, and the board of players."),
    PageInfo("about", ("/about",), "About", "The rules in a minute, and why it works.", is_exported=True),
)
NO_PAGE = PageInfo("", (), "Nothing here", "There is nothing at this address.", in_nav=False)

STATIC_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'"
)
"""What a page of an export may do: what one of the service may, whose answers say it."""
_POLICY = f'<meta http-equiv="content-security-policy" content="{STATIC_POLICY}">\n'

_HEAD = """<!doctype html>
<html lang="en" data-root="{root}" data-version="{version}" data-styled="{styled}"{static}>
<head>
<meta charset="utf-8">
{policy}<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>{title} · {site}</title>
<meta name="description" content="{about}">
<meta name="theme-color" content="{light}" media="(prefers-color-scheme: light)" data-theme="light">
<meta name="theme-color" content="{dark}" media="(prefers-color-scheme: dark)" data-theme="dark">
<link rel="stylesheet" href="{files}style/tokens.css">
<link rel="stylesheet" href="{files}style/dark.css" media="screen and (prefers-color-scheme: dark)" data-theme="dark">
<script src="{files}app/theme.js"></script>
{links}
<link rel="manifest" href="{root}manifest.webmanifest">
<link rel="icon" href="{files}icons/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="{files}icons/icon-192.png">
<script type="module" src="{files}{entry}"></script>
</head>
<body>
<div id="app"><div class="app"><a class="btn skip" href="#main">Skip to the page</a>
<header class="felt bar"><div class="top">
<button class="iconbtn" type="button" aria-label="Menu"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true">\
<path d="M4 7h16M4 12h16M4 17h16"/></svg></button>
<a class="brand" href="{home}"><svg class="mark" viewBox="0 0 26 22" aria-hidden="true"><rect width="12" height="2" \
rx="1"/><rect y="5" width="19" height="5" rx="1.5"/><rect y="13" width="26" height="9" rx="2"/></svg>10×18</a>
<nav class="nav" aria-label="Pages">{nav}</nav>
</div></header>
<main id="main" tabindex="-1"><noscript><div class="page"><p class="note"><b>The game needs JavaScript.</b> \
Please allow it for this page.</p></div></noscript></main></div></div>
<div id="told"></div>
<p id="said" class="vh" role="status" aria-live="polite"></p>
</body>
</html>
"""


def page_html(page: PageInfo, found: Mapping[str, AppFile], *, root: str = "/", is_static: bool = False) -> str:
    """The HTML of a page of these files; ``root`` is where the app lies as seen from the page.

    With ``is_static`` there is no service behind it: pages are folders, and those that need one are not there.
    """
    version = version_of(found)
    base = f"{root}static/{version}/"
    styles = [name for name in (*STYLES, page.name) if f"style/{name}.css" in found]
    entries = [ENTRY, *([f"app/pages/{page.name}.js"] if f"app/pages/{page.name}.js" in found else [])]
    links = [
        *(f'<link rel="stylesheet" href="{base}style/{name}.css" data-style="{name}">' for name in styles),
        *(f'<link rel="modulepreload" href="{base}{path}">' for path in imported_by(entries, found)),
    ]
    return _HEAD.format(
        root=root,
        version=version,
        styled=" ".join(page.name for page in PAGES if f"style/{page.name}.css" in found),
        static=" data-static" if is_static else "",
        policy=_POLICY if is_static else "",
        title=escape(page.title),
        site=SITE_NAME,
        about=escape(page.about),
        light=colour_of("felt-lit"),
        dark=dark_colour_of("felt-lit"),
        files=base,
        links="\n".join(links),
        entry=ENTRY,
        home=root,
        nav="".join(_nav(page, root, is_static=is_static)),
    )


def _nav(shown: PageInfo, root: str, *, is_static: bool) -> Iterable[str]:
    for page in PAGES:
        if page.in_nav and (page.is_exported or not is_static):
            path = page.paths[0].removeprefix("/")
            href = f"{root}{path}/" if is_static and path else f"{root}{path}"
            current = ' aria-current="page"' if page is shown else ""
            yield f'<a href="{href}"{current}>{page.title}</a>'


def imported_by(entries: Iterable[str], found: Mapping[str, AppFile]) -> list[str]:
    """These modules and all that they import, each once, first what is imported first.

    >>> found = {"a.js": AppFile("a.js", b'import { b } from "./b/b.js";'), "b/b.js": AppFile("b/b.js", b"export {};")}
    >>> imported_by(["a.js"], found)
    ['a.js', 'b/b.js']
    """
    seen: dict[str, None] = {}
    waiting = list(entries)
    while waiting:
        path = waiting.pop(0)
        if path in seen or path not in found:
            continue
        seen[path] = None
        text = found[path].data.decode()
        waiting += [normpath(join(dirname(path), name)) for name in IMPORT.findall(text)]
    return list(seen)


MANIFEST = "manifest.webmanifest"
WORKER = "worker.js"
ICONS = (
    ("icons/icon.svg", "any", "any"),
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
)
_PLACE = "/* put in when it is sent */ null"
_NOT_READY = (".txt", "VENDOR.json", "swagger-ui.js", "swagger-ui.css")


def manifest_json(found: Mapping[str, AppFile]) -> bytes:
    """The manifest; its addresses are relative to itself, which lies at the app's root."""
    base = f"static/{version_of(found)}/"
    return json.dumps(
        {
            "name": "Ten times eighteen",
            "short_name": "10×18",
            "description": PAGES[0].about,
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": colour_of("paper"),
            "theme_color": colour_of("felt-lit"),
            "icons": [
                {"src": base + path, "sizes": sizes, "type": TYPES[path[-4:]], "purpose": purpose}
                for path, sizes, purpose in ICONS
            ],
        },
        ensure_ascii=False,
        indent=1,
    ).encode()


def is_kept_ready(path: str) -> bool:
    """Whether the worker keeps this file: all that a page may load."""
    return path != WORKER and not path.endswith(_NOT_READY)


def worker_script(found: Mapping[str, AppFile], *, is_static: bool = False) -> bytes:
    """The worker of these files, its addresses relative to the app's root."""
    version = version_of(found)
    paths = {}
    for page in PAGES:
        if page.is_exported or not is_static:
            first = page.paths[0].removeprefix("/")
            paths[page.name] = f"{first}/" if is_static and first else first
    told = {
        "version": version,
        "files": [f"static/{version}/{path}" for path in found if is_kept_ready(path)],
        "pages": {name: path for name, path in paths.items() if "{" not in path},
    }
    text = found[WORKER].data.decode()
    if _PLACE not in text:
        raise ValueError("the worker has no place for its files")
    return text.replace(_PLACE, json.dumps(told, separators=(",", ":")), 1).encode()
