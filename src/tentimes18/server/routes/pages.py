"""The pages: the HTML of each address, the files of the app, the documentation, and plain pages.

The app is made when the service starts, the compressed form too; what a stranger sends is looked up, never opened.
A file's address has the version of all files in it and may be cached for good; without the version, and for the HTML, a
browser asks each time whether what it has is still right.

The documentation is a site that `make site` builds. Only files that a walk through its folder has found are read: an
address is looked up, never made into a path. The walk is done again when the first page has changed.

Plain pages, which set no cookie: the API, the check of finished games, and the commitments of the daily games.
"""

import asyncio
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import RawBody
from litestar.response import Redirect

from tentimes18.app.page_html import FRAME, MANIFEST, NO_PAGE, PAGES, WORKER, manifest_json, page_html, worker_script
from tentimes18.app.static_files import TYPES, app_files, version_of
from tentimes18.errors import Ten18Error
from tentimes18.number_format import shown_number
from tentimes18.pictures.colours import style_sheet, whole_tokens
from tentimes18.queries.games import CheckedGameAnswer, VerificationAnswer
from tentimes18.server.calculator import BEST, CachedBody
from tentimes18.server.middleware import IMMUTABLE, PAGE_POLICY
from tentimes18.server.problems import KINDS, MEDIA_TYPE
from tentimes18.server.rates import RATES, STREAMS
from tentimes18.server.request import BODY_SECONDS, MAX_JSON, Request
from tentimes18.server.routes.daily import PUBLIC_MINUTE, CommittedDay, published_days
from tentimes18.server.routes.lab import MAX_RECORD
from tentimes18.server.routes.me import MAX_UPLOAD
from tentimes18.server.routes.shares import preview_picture, preview_tags
from tentimes18.server.uploads import MAX_GAMES, check_texts, read_form
from tentimes18.wording import fairness_verdict

ASK_EACH_TIME = "no-cache"
HTML = "text/html"
HTML_IN_UTF8 = f"{HTML}; charset=utf-8"  # Litestar adds the second part to what it sends itself
FAVICON = "icons/icon.svg"
INDEX = "index.html"
MAX_SITE_FILES = 64  # in memory, packed: those that are read most
SITE_TYPES = {
    **TYPES,
    ".html": HTML_IN_UTF8,
    ".ndjson": "application/x-ndjson",
    ".ipynb": "application/x-ipynb+json",
    ".pdf": "application/pdf",
}
"""What is served of the documentation, and as what; any other file of the folder is not."""
PUBLIC_HOUR = {"cache-control": "public, max-age=3600"}
STYLE = "/api/docs.css"
SCRIPT = "/api/docs.js"
REFERENCE_POLICY = PAGE_POLICY.decode().replace("img-src 'self'", "img-src 'self' data:")
"""The policy of the reference, whose style sheet has pictures in it."""
PLACES = {"/verify": "Check a game", "/commitments": "Commitments", "/api/docs": "API"}
FIELDS = {"games": "Finished games", "start": "What was published before"}
MAX_FORM = 300_000  # bytes
MAX_DIGITS = 20  # of a roll that is shown


class Prepared(NamedTuple):
    files: Mapping[str, CachedBody]
    pages: Mapping[tuple[str, str], CachedBody]
    at_root: Mapping[str, CachedBody]
    version: str


@lru_cache(1)
def prepare() -> Prepared:
    found = app_files()
    files = {path: CachedBody.of(file.data, file.content_type, BEST) for path, file in found.items()}
    pages = {
        (page.name, lang): CachedBody.of(page_html(page, found, lang=lang).encode(), HTML_IN_UTF8, BEST)
        for page in (*PAGES, NO_PAGE)
        for lang in FRAME
    }
    at_root = {
        WORKER: CachedBody.of(worker_script(found), TYPES[".js"], BEST),
        MANIFEST: CachedBody.of(manifest_json(found), TYPES[".webmanifest"], BEST),
        "favicon.ico": files[FAVICON],  # what browsers ask for beside pages that name none
    }
    return Prepared(files, pages, at_root, version_of(found))


def _path(request: Request, folder: str) -> str:
    """The path of an address below a folder as it was asked for: the router's has no slash at its end."""
    path = unquote(request.scope["raw_path"].partition(b"?")[0].decode("latin-1"), errors="replace")
    return path.removeprefix(folder)


@get("/static/{path:path}", rate="file", include_in_schema=False)
async def file(request: Request) -> Response[Any]:
    path, prepared = _path(request, "/static/"), prepare()
    name = path.removeprefix(f"{prepared.version}/")
    if (body := prepared.files.get(name)) is None:
        raise NotFoundException
    return body.response(request, ASK_EACH_TIME if name == path else IMMUTABLE)


@get([f"/{WORKER}", f"/{MANIFEST}", "/favicon.ico"], include_in_schema=False)
async def file_at_root(request: Request) -> Response[Any]:
    """What must be at the root: the worker, whose reach begins where it is, and what browsers look for there."""
    return prepare().at_root[request.scope["path"].removeprefix("/")].response(request, ASK_EACH_TIME)


PAGE_OF = {path.replace("}", ":str}"): page.name for page in PAGES for path in page.paths}


@get(list(PAGE_OF), include_in_schema=False)
async def page(request: Request) -> Response[Any]:
    name = PAGE_OF[request.scope["path_template"].replace("}", ":str}")]
    body = prepare().pages[name, language_of(request.headers.get("accept-language", ""))]
    if tags := await preview_tags(request, name):
        body = CachedBody.of(body.body.replace(b"</head>", tags.encode() + b"</head>", 1), HTML_IN_UTF8)
    return _varied(body.response(request, ASK_EACH_TIME))


def language_of(header: str) -> str:
    """The language of the app that a header Accept-Language prefers.

    >>> [language_of(text) for text in ("de-AT,de;q=0.9,en;q=0.8", "fr, en;q=0.5, de;q=0.7", "fr", "de;q=0", "de;q=x")]
    ['de', 'de', 'en', 'en', 'en']
    """
    best, lang = 0.0, "en"
    for name, weight in re.findall(r"\b([a-z]{2})(?:-[^,;]*)?(?:\s*;\s*q=([0-9.]*))?\s*(?:,|$)", header.lower()):
        share = float(weight) if weight.replace(".", "", 1).isdigit() else 0.0 if weight else 1.0
        if name in FRAME and share > best:
            best, lang = share, name
    return lang


def _varied(response: Response[Any]) -> Response[Any]:
    response.headers["vary"] = f"{response.headers.get('vary', '')}, Accept-Language".lstrip(", ")
    return response


def not_found(request: Request) -> Response[Any] | None:
    """The page for an address that leads nowhere; None for who wants no page."""
    if request.scope["path"].startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        return None
    lang = language_of(request.headers.get("accept-language", ""))
    return _varied(prepare().pages[NO_PAGE.name, lang].response(request, ASK_EACH_TIME, 404))


@lru_cache(1)
def _site_paths(folder: Path, _state: tuple[int, int]) -> dict[str, Path]:
    """The files of the site that was built last, by address below it; a folder, with its slash, is its first page."""
    paths = {}
    for place, _, names in os.walk(folder):  # it follows no link to a folder
        for path in (Path(place, name) for name in names):
            address = path.relative_to(folder).as_posix()
            if path.suffix in SITE_TYPES and not path.is_symlink() and "/." not in f"/{address}":
                paths[address] = path
                if path.name == INDEX:
                    paths[address.removesuffix(INDEX)] = path
    return paths


@get(["/docs", "/docs/{path:path}"], include_in_schema=False)
async def documentation(request: Request) -> Response[Any]:
    """A file of the documentation; 404 if there is none, with a line if the site was not built."""
    path = _path(request, "/docs")
    if not path:  # to the folder, so that relative links lead where they should
        return Redirect("/docs/", status_code=307)
    site = request.shared.service.site
    try:
        first = (site / INDEX).stat() if site is not None else None
    except OSError:
        first = None
    if site is None or first is None:
        return Response(DOCS_MISSING, status_code=404, media_type=HTML)
    state = first.st_ino, first.st_mtime_ns
    paths = await asyncio.to_thread(_site_paths, site, state)
    if (place := paths.get(path[1:])) is not None:
        try:
            return (await asyncio.to_thread(_site_file, place, state)).response(request, ASK_EACH_TIME)
        except OSError:  # another one was built just now
            raise NotFoundException from None
    if f"{path[1:]}/" in paths:
        return Redirect(f"/docs{path}/", status_code=307)
    raise NotFoundException


@lru_cache(MAX_SITE_FILES)
def _site_file(path: Path, _: tuple[int, int]) -> CachedBody:
    return CachedBody.of(path.read_bytes(), SITE_TYPES[path.suffix], BEST)


def frame(title: str, main: str, place: str = "", scripts: str = "") -> str:
    """A page around its main part, with the way to the game and to the other pages of its kind."""
    links = "".join(
        f'<a href="{address}"{" aria-current=page" * (address == place)}>{name}</a>' for address, name in PLACES.items()
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ten times eighteen: {title}</title>
<link rel="stylesheet" href="{STYLE}">
{scripts}</head>
<body>
<div class="felt"><div><a class="brand" href="/"><svg aria-hidden="true" viewBox="0 0 26 22">\
<rect width="12" height="2" rx="1"/><rect y="5" width="19" height="5" rx="1.5"/>\
<rect y="13" width="26" height="9" rx="2"/></svg>10×18</a><nav aria-label="Pages">{links}</nav></div></div>
<div class="page">
<main>
{main}</main>
</div>
</body>
</html>
"""


DOCS_MISSING = frame(
    "documentation",
    """<header><h1>Documentation</h1>
<p class="lead">The documentation has not been built: run make site in a clone of the project, or set TEN18_SITE to \
the folder that has it.</p>
<p>There is <a href="/api/docs">the reference of the API</a>, and <a href="/">the game</a>.</p></header>
""",
)


@get(STYLE, include_in_schema=False)
async def style() -> Response[Any]:
    return Response(_style(), headers=PUBLIC_HOUR, media_type="text/css")


@lru_cache(1)
def _style() -> str:
    return whole_tokens() + style_sheet("reference")


COMMITMENTS = """<header><h1>Commitments of the daily games</h1>
<p class="lead">The rolls of a daily game are drawn before its day begins, and nobody can change them afterwards.</p>
<p>For each round this page shows the SHA-256 of the text <code>NONCE:ROUND:ROLL</code>, in small hexadecimal
digits. The nonce, 64 such digits drawn for that round, is shown with the roll when the round opens: then everybody can
check it, and before that nobody can find the roll from this page. The same
<a href="/api/v1/commitments">as data</a>; <a href="/verify">check a game</a> against it.</p></header>
"""


@get("/commitments", include_in_schema=False)
async def commitments(request: Request) -> Response[Any]:
    """The commitments of the daily games, and all that a check needs."""
    days = await published_days(request.shared)
    text = frame("commitments of the daily games", COMMITMENTS + "".join(map(_day, days)), "/commitments")
    return Response(text, headers={"cache-control": PUBLIC_MINUTE}, media_type=HTML)


def _day(day: CommittedDay) -> str:
    items = "".join(f"<li><code>{escape(digest)}</code></li>\n" for digest in day.commitments)
    note = "" if day.ahead else ", after the day had begun"
    return (
        f'<section id="day-{day.number}"><h2>Day {day.number}, <time>{escape(day.day)}</time></h2>\n'
        f'<article class="card"><p>Committed to at <time>{escape(day.committed)}</time>{note}.</p>\n'
        f'<div class="scroll"><ol>\n{items}</ol></div></article></section>\n'
    )


CHECK = """<header><h1>Check a game</h1>
<p class="lead">Were the rolls fixed before the first move, and do they make the score?</p>
<p>Each roll is checked against its commitment, the SHA-256 of <code>NONCE:ROUND:ROLL</code>, and the board and the
score against the rolls. Nothing that you send is stored.</p></header>
"""
FORM = """<section><h2>%(title)s</h2>
<form class="card" method="post" action="/verify">
%(problem)s<label for="games">Finished games</label>
<p id="about-games">A game as <code>GET /api/v1/games/{id}</code> returns it, or your games as
<a href="/api/v1/me/games">records</a>, one per line; at most %(most)d.</p>
<textarea id="games" name="games" rows="10" spellcheck="false" required aria-describedby="about-games">
%(games)s</textarea>
<label for="start">What was published before <small>optional</small></label>
<p id="about-start">The same game as it was saved at its start, or for daily games the
<a href="/api/v1/commitments">list of commitments</a> (<a href="/commitments">as a page</a>). Without it, the check
only shows that a game is consistent.</p>
<textarea id="start" name="start" rows="5" spellcheck="false" aria-describedby="about-start">
%(start)s</textarea>
<button type="submit">Check</button>
</form></section>
"""


@get("/verify", include_in_schema=False)
async def form() -> Response[Any]:
    return _check_page(_form({}), headers=PUBLIC_HOUR)


@post(
    "/verify",
    status_code=200,
    rate="compute",
    media_types=("application/x-www-form-urlencoded",),
    request_max_body_size=MAX_FORM,
    include_in_schema=False,
)
async def check(body: RawBody) -> Response[Any]:
    """What the games are worth, and the form to change them; the form with one line where they cannot be read."""
    sent: Mapping[str, str] = {}
    try:
        sent = read_form(body)
        answer = await asyncio.to_thread(check_texts, sent.get("games", ""), sent.get("start", ""))
    except Ten18Error as error:
        return _check_page(_form(sent, error.message(FIELDS.get(error.field or ""))), 422)
    has_start = bool(sent.get("start", "").strip())
    return _check_page("".join(_answer(answer, has_start=has_start)) + _form(sent, again=True))


def _check_page(content: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[Any]:
    text = frame("check a game", CHECK + content, "/verify").encode(errors="replace")
    return Response(text, status_code=status, headers=headers, media_type=HTML)


def _form(sent: Mapping[str, str], problem: str = "", *, again: bool = False) -> str:
    return FORM % {
        "title": "Check again" if again else "Your game",
        "problem": f'<p class="verdict wrong" role="alert">{_shown(problem)}</p>\n' if problem else "",
        "most": MAX_GAMES,
        **{name: escape(sent.get(name, "").replace("\0", "\ufffd")) for name in FIELDS},  # HTML has no zero
    }


def _answer(answer: VerificationAnswer, *, has_start: bool) -> Iterator[str]:
    is_right = answer.games == answer.verified and not answer.bad_lines
    verdict = fairness_verdict(answer.games, answer.verified, len(answer.bad_lines))
    yield '<section id="result"><h2>Result</h2>\n'
    yield f'<p class="verdict {"right" if is_right else "wrong"}" role="status">{verdict}</p>\n'
    if answer.verified and not has_start:
        yield "<p>You did not give what was published before the first move: this shows that a game is consistent, "
        yield "not that its rolls were fixed before.</p>\n"
    if answer.bad_lines:
        yield '<article class="card"><h3>Lines that are not games</h3>\n'
        yield from _list(f"Line {line.line}: {line.reason}" for line in answer.bad_lines)
        yield "</article>\n"
    for result in answer.results:
        yield from _game(result, is_only=len(answer.results) == 1)
    yield "</section>\n"


def _list(texts: Iterable[str]) -> Iterator[str]:
    items = [f"<li>{_shown(text)}</li>\n" for text in texts]
    yield from ["<ul>\n", *items, "</ul>\n"] if items else []


def _game(result: CheckedGameAnswer, *, is_only: bool) -> Iterator[str]:
    state, verdict = ("right", "Verified") if result.verified else ("wrong", "Not verified")
    points = f"{shown_number(result.score)} points" if result.finished else "not finished"
    about = f"{result.dice} {result.slots}, {points}, {result.id or f'line {result.line}'}"
    yield f'<details class="card"{" open" * (is_only or not result.verified)}><summary>'
    yield f'<b class="mark {state}">{verdict}</b> {_shown(about)}</summary>\n'
    yield from _list(result.problems)
    if result.rounds:
        yield '<table class="rounds"><thead><tr><th>Round</th><th>Roll</th><th>Commitment</th><th></th></tr></thead>\n'
        yield "<tbody>\n"
        for part in result.rounds:
            state = "right" if part.problem is None else "wrong"
            roll = "" if part.roll is None else str(part.roll)
            roll = roll if len(roll) <= MAX_DIGITS else f"{roll[:MAX_DIGITS]}..."
            digest = "" if part.commitment is None else f"<code>{escape(part.commitment)}</code>"
            yield f'<tr><td>{part.round}</td><td data-name="Roll">{roll}</td><td data-name="Commitment">{digest}</td>'
            yield f'<td><span class="{state}">{_shown(part.problem or "verified")}</span></td></tr>\n'
        yield "</tbody></table>\n"
    yield "</details>\n"


def _shown(text: str) -> str:
    """A text that others gave, escaped, without what cannot be seen."""
    return escape("".join(letter if letter.isprintable() else "?" for letter in text))


REFERENCE = """<header><h1>Ten times eighteen</h1>
<p class="lead">The API of this server, for its pages and for programs.</p>
<p>JSON in and out, as UTF-8. An unknown field or a wrong type is rejected. The first request that needs a
player creates one and answers with a signed cookie: keep it, and send it with every request. The same for
programs: <a href="/api/openapi.json">openapi.json</a>.</p></header>
<div id="operations"></div>
<section id="problems"><h2>Problems</h2>
<p>Every error is a <code>{media_type}</code> (RFC 9457): <code>type</code> is a link to one of these,
<code>detail</code> says what was wrong and what is accepted, and <code>field</code> names the cause, if there is
one.</p>
<dl class="card problems">
{problems}</dl></section>
<section id="limits"><h2>Limits</h2>
<p>Each kind of request is limited per player and per address (IPv6: its /64): a burst, then a steady rate. Beyond that
the answer is 429; <code>Retry-After</code> has the seconds to wait.</p>
<div class="card"><div class="scroll"><table>
<thead><tr><th>Requests</th><th>A player</th><th>An address</th></tr></thead>
<tbody>
{limits}</tbody></table></div></div>
<p>A body has at most {json:,} bytes ({upload:,} for POST /api/v1/me/games, {record:,} for POST /api/v1/lab/review,
{form:,} for POST /verify) and arrives within {seconds:g} seconds.</p></section>
"""


@get("/api/docs", include_in_schema=False)
async def reference() -> Response[Any]:
    """The reference of the API: its operations, the problems, and the limits."""
    headers = PUBLIC_HOUR | {"content-security-policy": REFERENCE_POLICY}
    return Response(_reference(), headers=headers, media_type=HTML)


@lru_cache(1)
def _reference() -> str:
    files = f"/static/{version_of(app_files())}/vendor"
    scripts = (
        f'<link rel="stylesheet" href="{files}/swagger-ui.css">\n<script src="{files}/swagger-ui.js" defer></script>\n'
        f'<script src="{SCRIPT}" defer></script>\n'
    )
    problems = [
        f'<div id="{slug}"><dt><b class="problem">{kind.status}</b> {escape(kind.title)}</dt>'
        f"<dd>{escape(kind.advice)} <small>{slug}</small></dd></div>\n"
        for slug, kind in KINDS.items()
    ]
    rows = [(kind.what, "-" if kind.player is None else str(kind.player), str(kind.address)) for kind in RATES.values()]
    rows.append(("streams of events", f"{STREAMS.player} open", f"{STREAMS.address} open"))
    limits = [
        f'<tr><td data-name="Requests">{escape(what[:1].upper() + what[1:])}</td>'
        f'<td data-name="A player">{player}</td><td data-name="An address">{address}</td></tr>\n'
        for what, player, address in rows
    ]
    sizes = {"json": MAX_JSON, "upload": MAX_UPLOAD, "record": MAX_RECORD, "form": MAX_FORM, "seconds": BODY_SECONDS}
    tables = {"problems": "".join(problems), "limits": "".join(limits)}
    return frame("the API", REFERENCE.format(media_type=MEDIA_TYPE, **sizes, **tables), "/api/docs", scripts)


@get(SCRIPT, include_in_schema=False)
async def script() -> Response[Any]:
    text = 'SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#operations", validatorUrl: null });\n'
    return Response(text, headers=PUBLIC_HOUR, media_type="text/javascript")


ROUTES = (
    *(file, file_at_root, page, preview_picture, documentation),
    *(style, commitments, form, check, reference, script),
)
