"""The HTML of each page, the manifest, the service worker that caches the app's files, and the app as plain files.

The HTML names the styles and all modules that the page imports, so that a browser fetches them at once. The frame is
drawn before any script runs, as `parts/shell.js` will draw it.

The plain files are for any static host and in any folder of it. Pages are folders with an `index.html`, and all
addresses are relative. The other files are in a folder named by their version, so that a page never mixes files of two.
"""

import json
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TypedDict

from tentimes18.app.static_files import TYPES, VERSION_DIGITS, AppFile, app_files, version_of
from tentimes18.errors import Ten18Error
from tentimes18.files import write_whole
from tentimes18.pictures.colours import colour_of, dark_colour_of

SITE_NAME = "Ten times eighteen"
ENTRY = "app/main.js"
STYLES = ("base", "frame", "board")
IMPORT = re.compile(r"""^(?:import|export)\b(?:[^;"'(]*?\bfrom)?\s*["'](\.[^"']+)["']""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page; ``is_exported``: it works without a service."""

    name: str
    paths: tuple[str, ...] = ()
    in_nav: bool = True
    is_exported: bool = False

    def address(self, *, is_static: bool = False) -> str:
        """Where it is below the app's root; an exported page is a folder."""
        path = self.paths[0].removeprefix("/")
        return f"{path}/" if is_static and path else path


PAGES = (
    PageInfo("play", ("/",), is_exported=True),
    PageInfo("daily", ("/daily", "/daily/{day}")),
    PageInfo("duel", ("/duel", "/duel/{code}")),
    PageInfo("group", ("/g", "/g/{code}"), in_nav=False),
    PageInfo("game", ("/game/{id}",), in_nav=False),
    PageInfo("review", ("/review", "/review/{id}"), is_exported=True),
    PageInfo("drill", ("/drill",), is_exported=True),
    PageInfo("lab", ("/lab",), is_exported=True),
    PageInfo("history", ("/history",)),
    PageInfo("about", ("/about",), is_exported=True),
)
NO_PAGE = PageInfo("", in_nav=False)
TITLES = {
    "en": {
        "play": (
            "Play",
            "Ten rolls of three dice, ten slots from ×1 to ×10: place each roll at once, and make the most of it.",
        ),
        "daily": ("Daily", "One game a day, the same rolls for all, one attempt."),
        "duel": ("Duel", "Two boards, the same rolls: against a friend, or a bot."),
        "group": ("Groups", "One link for a class: everybody gets the same rolls."),
        "game": ("Game", "A game in play."),
        "review": ("Review", "What was luck and what was you: every move of a game, measured exactly."),
        "drill": ("Drill", "Positions to answer, your own mistakes first."),
        "lab": ("Lab", "Any dice, any slots: what each slot is worth, exactly."),
        "history": ("History", "Your games, your skill, and the board of players."),
        "about": ("About", "The rules in a minute, and why it works."),
        "": ("Nothing here", "There is nothing at this address."),
    },
    "de": {
        "play": (
            "Spielen",
            "Drei Würfel, zehn Würfe, zehn Felder von ×1 bis ×10: Setze jeden Wurf sofort und hol alles heraus.",
        ),
        "daily": ("Tagesspiel", "Jeden Tag ein Spiel, dieselben Würfe für alle, ein Versuch."),
        "duel": ("Duell", "Zwei Bretter, dieselben Würfe: gegen Freunde oder Bots."),
        "group": ("Gruppen", "Ein Link für die ganze Klasse: Alle bekommen dieselben Würfe."),
        "game": ("Spiel", "Ein laufendes Spiel."),
        "review": ("Analyse", "Was war Glück und was warst du? Jeder Zug eines Spiels, genau gemessen."),
        "drill": ("Training", "Stellungen zum Üben, deine eigenen Fehler zuerst."),
        "lab": ("Labor", "Beliebige Würfel und Felder: was jedes Feld wert ist, exakt."),
        "history": ("Verlauf", "Deine Spiele, dein Können und die Rangliste."),
        "about": ("Über", "Die Regeln in einer Minute, und warum es funktioniert."),
        "": ("Nichts gefunden", "Unter dieser Adresse gibt es nichts."),
    },
}
"""Titles and descriptions of the pages by their names, in each language."""
FRAME = {
    "en": {
        "skip": "Skip to the page",
        "menu": "Menu",
        "pages": "Pages",
        "needs": "The game needs JavaScript.",
        "allow": "Please allow it for this page.",
    },
    "de": {
        "skip": "Zum Inhalt springen",
        "menu": "Menü",
        "pages": "Seiten",
        "needs": "Das Spiel braucht JavaScript.",
        "allow": "Bitte erlaube es für diese Seite.",
    },
}
"""What the HTML itself says, in each language."""

STATIC_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'"
)
"""The same policy as in the answers of the service."""
_POLICY = f'<meta http-equiv="content-security-policy" content="{STATIC_POLICY}">\n'

_HEAD = """<!doctype html>
<html lang="{lang}" data-root="{root}" data-version="{version}" data-styled="{styled}"{static}>
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
<div id="app"><div class="app"><a class="btn skip" href="#main">{skip}</a>
<header class="felt bar"><div class="top">
<button class="iconbtn" type="button" aria-label="{menu}"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true">\
<path d="M4 7h16M4 12h16M4 17h16"/></svg></button>
<a class="brand" href="{home}"><svg class="mark" viewBox="0 0 26 22" aria-hidden="true"><rect width="12" height="2" \
rx="1"/><rect y="5" width="19" height="5" rx="1.5"/><rect y="13" width="26" height="9" rx="2"/></svg>10×18</a>
<nav class="nav" aria-label="{pages}">{nav}</nav>
</div></header>
<main id="main" tabindex="-1"><noscript><div class="page"><p class="note">\
<b>{needs}</b> {allow}</p></div></noscript></main></div></div>
<div id="message"></div>
<p id="said" class="vh" role="status" aria-live="polite"></p>
</body>
</html>
"""


def page_html(
    page: PageInfo, app: Mapping[str, AppFile], *, root: str = "/", lang: str = "en", is_static: bool = False
) -> str:
    """The HTML of a page.

    Parameters
    ----------
    page
        The page.
    app
        The files of the app by their paths.
    root
        The address of the app, relative to the page.
    lang
        The language, a key of `FRAME`. In the browser, a player's own choice replaces it (`theme.js`).
    is_static
        Whether this is an export without a service: pages are folders, and those that need the service are left out.
    """
    version = version_of(app)
    base = f"{root}static/{version}/"
    styles = [name for name in (*STYLES, page.name) if f"style/{name}.css" in app]
    entries = [path for path in (ENTRY, f"app/pages/{page.name}.js", f"app/texts/{lang}.js") if path in app]
    title, about = TITLES[lang][page.name]
    links = [
        *(f'<link rel="stylesheet" href="{base}style/{name}.css" data-style="{name}">' for name in styles),
        *(f'<link rel="modulepreload" href="{base}{path}">' for path in imported_by(entries, app)),
    ]
    return _HEAD.format(
        root=root,
        lang=lang,
        version=version,
        styled=" ".join(page.name for page in PAGES if f"style/{page.name}.css" in app),
        static=" data-static" if is_static else "",
        policy=_POLICY if is_static else "",
        title=escape(title),
        site=SITE_NAME,
        about=escape(about),
        light=colour_of("felt-lit"),
        dark=dark_colour_of("felt-lit"),
        files=base,
        links="\n".join(links),
        entry=ENTRY,
        home=root,
        nav="".join(_nav(page, root, lang, is_static=is_static)),
        **FRAME[lang],
    )


def _nav(shown: PageInfo, root: str, lang: str, *, is_static: bool) -> Iterable[str]:
    for page in PAGES:
        if page.in_nav and (page.is_exported or not is_static):
            current = ' aria-current="page"' if page is shown else ""
            yield f'<a href="{root}{page.address(is_static=is_static)}"{current}>{TITLES[lang][page.name][0]}</a>'


def imported_by(entries: Iterable[str], app: Mapping[str, AppFile]) -> list[str]:
    """These modules and all that they import, each once, in the order of the imports."""
    paths: list[str] = []
    queue = list(entries)
    while queue:
        path = queue.pop(0)
        if path not in paths and path in app:
            paths.append(path)
            queue += [normpath(join(dirname(path), name)) for name in IMPORT.findall(app[path].data.decode())]
    return paths


MANIFEST = "manifest.webmanifest"
WORKER = "worker.js"
ICONS = (
    ("icons/icon.svg", "any", "any"),
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
)
_PLACE = "/* put in when it is sent */ null"
_NOT_CACHED = (".txt", "VENDOR.json", "swagger-ui.js", "swagger-ui.css")


def manifest_json(app: Mapping[str, AppFile]) -> bytes:
    """The manifest, with addresses relative to the app's root."""
    base = f"static/{version_of(app)}/"
    return json.dumps(
        {
            "name": SITE_NAME,
            "short_name": "10×18",
            "description": TITLES["en"]["play"][1],
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
    """Whether the worker caches this file: all that a page may load."""
    return path != WORKER and not path.endswith(_NOT_CACHED)


def worker_script(app: Mapping[str, AppFile], *, is_static: bool = False) -> bytes:
    """The service worker, with addresses relative to the app's root."""
    version = version_of(app)
    pages = {page.name: page.address(is_static=is_static) for page in PAGES if page.is_exported or not is_static}
    data = {
        "version": version,
        "files": [f"static/{version}/{path}" for path in app if is_kept_ready(path)],
        "pages": {name: path for name, path in pages.items() if "{" not in path},
    }
    text = app[WORKER].data.decode()
    if _PLACE not in text:
        raise ValueError("the worker has no place for its files")
    return text.replace(_PLACE, json.dumps(data, separators=(",", ":")), 1).encode()


FILES = "static"
_VERSION = re.compile(rf"[0-9a-f]{{{VERSION_DIGITS}}}")
_OURS = frozenset({"index.html", WORKER, MANIFEST, FILES})  # every exported folder has these


class SiteAnswer(TypedDict):
    folder: str
    version: str
    pages: list[str]
    files: int
    bytes: int


def site_files() -> Mapping[str, bytes]:
    """Every file of the app without a service, by its path."""
    names = [page.name for page in PAGES if not page.is_exported]
    missing = {path for name in names for path in (f"app/pages/{name}.js", f"style/{name}.css")}
    app = {
        path: file
        for path, file in app_files().items()
        if path not in missing and not path.startswith(("app/group/", "vendor/swagger-ui"))
    }
    site = {f"{FILES}/{version_of(app)}/{path}": file.data for path, file in app.items()}
    for page in PAGES:
        if page.is_exported:
            folder = page.address(is_static=True)
            text = page_html(page, app, root="../" if folder else "./", is_static=True)
            site[f"{folder}index.html"] = text.encode()
    site[WORKER] = worker_script(app, is_static=True)
    site[MANIFEST] = manifest_json(app)
    return dict(sorted(site.items()))


def verify_folder(folder: Path) -> None:
    """Raise ``Ten18Error`` unless the folder is new, empty, or was written by `write_site` before."""
    accepted = "accepted: a new or empty folder, or one that was written so before"
    if folder.exists() and not folder.is_dir():
        raise Ten18Error(f"{str(folder)!r} is a file; {accepted}", "folder")
    names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if names and not names >= _OURS:
        raise Ten18Error(f"{str(folder)!r} is not empty; {accepted}", "folder")


def write_site(folder: Path) -> SiteAnswer:
    """Write the app into a folder; an earlier version is replaced, and other files stay.

    The files of a page are written before the page, so that a host never shows one without its files.
    """
    site = site_files()
    version = next(path for path in site if path.startswith(f"{FILES}/")).split("/")[1]
    try:
        verify_folder(folder)
        for path in sorted(site, key=lambda path: (not path.startswith(FILES), path == WORKER, path)):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, site[path])
        for old in (folder / FILES).iterdir():
            if old.name != version and _VERSION.fullmatch(old.name):
                shutil.rmtree(old)
    except OSError as error:
        raise Ten18Error(f"{error.strerror or error}: {str(folder)!r}; give another folder", "folder") from None
    return {
        "folder": str(folder),
        "version": version,
        "pages": [page.name for page in PAGES if page.is_exported],
        "files": len(site),
        "bytes": sum(map(len, site.values())),
    }
