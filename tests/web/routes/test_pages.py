"""The pages over HTTP: HTML for every address, files that may be kept, and nothing else of the disk."""

import re
from pathlib import Path

import pytest

from tentimes18.app.page_html import PAGES, TITLES
from tentimes18.app.static_files import app_files, version_of
from tentimes18.server.middleware import DATA_POLICY, PAGE_POLICY
from tentimes18.server.routes.pages import prepare
from tests.support.web import ORIGIN, opened_hall

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-encoding": "gzip, deflate, br"}
HEAD = 330  # bytes
PLAIN = {"accept-encoding": "identity"}


async def test_every_page_is_there_for_a_browser(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor(BROWSER) as ada:
        for page in PAGES:
            for path in page.paths:
                answer = await ada.get(ORIGIN + re.sub(r"\{\w+\}", "x7", path))
                assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
                assert f"<title>{TITLES['en'][page.name][0]} · Ten times eighteen</title>" in answer.text
                assert answer.headers["content-security-policy"].encode() == PAGE_POLICY
                assert (answer.headers["cache-control"], answer.headers["content-encoding"]) == ("no-cache", "gzip")
                assert "set-cookie" not in answer.headers


async def test_every_file_is_sent_unchanged(tmp_path: Path) -> None:
    version = version_of(app_files())
    async with opened_hall(tmp_path) as hall, hall.visitor(BROWSER) as ada, hall.visitor(PLAIN) as program:
        for path, file in app_files().items():
            kept = await ada.get(f"{ORIGIN}/static/{version}/{path}")
            asked = await program.get(f"{ORIGIN}/static/{path}")
            assert kept.content == asked.content == file.data
            assert kept.headers["content-type"] == asked.headers["content-type"] == file.content_type
            assert kept.headers["cache-control"] == "max-age=31536000, immutable"
            assert asked.headers["cache-control"] == "no-cache"
            assert "content-encoding" not in asked.headers
            policy = PAGE_POLICY if path.endswith(".js") else DATA_POLICY  # a worker has the policy of its script
            assert asked.headers["content-security-policy"].encode() == policy
            assert kept.headers["x-content-type-options"] == "nosniff"
            assert len(b"".join(b"".join(pair) for pair in kept.headers.raw)) < HEAD  # there are dozens of them


async def test_what_a_browser_has_is_not_sent_again(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor(BROWSER) as ada:
        for path in ("/", "/static/app/main.js"):
            first = await ada.get(ORIGIN + path)
            etag = first.headers["etag"]
            again = await ada.get(ORIGIN + path, headers={"if-none-match": etag})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
            assert again.headers["cache-control"] == first.headers["cache-control"]
            assert "content-security-policy" not in again.headers  # it would replace that of what the browser has
            vary = "Accept-Encoding, Accept-Language" if path == "/" else "Accept-Encoding"
            assert again.headers["vary"] == first.headers["vary"] == vary
            plain = await ada.get(ORIGIN + path, headers={**PLAIN, "if-none-match": etag})
            assert plain.status_code == 200  # the packed form is another one
            assert plain.content == first.content
            head = await ada.head(ORIGIN + path)
            assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", etag)
            assert head.headers["content-length"] == first.headers["content-length"]


@pytest.mark.parametrize(
    "path",
    [
        "../files.py",
        "..%2ffiles.py",
        "/etc/passwd",
        "app",
        "app/",
        "",
        "app/main.js/",
        "%00",
        "x/app/main.js",
        "APP/MAIN.JS",
    ],
)
async def test_nothing_else_is_given(tmp_path: Path, path: str) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as anybody:
        answer = await anybody.get(f"{ORIGIN}/static/{path}")
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


async def test_an_address_that_leads_nowhere(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as anybody:
        page = await anybody.get(f"{ORIGIN}/nowhere", headers=BROWSER)
        assert (page.status_code, "Nothing here" in page.text) == (404, True)
        assert page.headers["content-security-policy"].encode() == PAGE_POLICY
        known = await anybody.get(f"{ORIGIN}/nowhere", headers={**BROWSER, "if-none-match": page.headers["etag"]})
        assert known.status_code == 404
        for path, headers in (("/nowhere", {}), ("/api/v1/nowhere", BROWSER), ("/api/nowhere", BROWSER)):
            answer = await anybody.get(ORIGIN + path, headers=headers)
            assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
        moved = await anybody.get(f"{ORIGIN}/api/v1/games/x7", headers=BROWSER)
        assert moved.json()["type"] == "/api/docs#not-found"


async def test_what_lies_at_the_root(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as anybody:
        worker = await anybody.get(f"{ORIGIN}/worker.js")
        assert (worker.headers["content-type"], worker.headers["cache-control"]) == (
            "text/javascript; charset=utf-8",
            "no-cache",
        )
        assert worker.headers["content-security-policy"].encode() == PAGE_POLICY
        assert version_of(app_files()) in worker.text
        manifest = await anybody.get(f"{ORIGIN}/manifest.webmanifest")
        assert manifest.headers["content-type"] == "application/manifest+json"
        for icon in manifest.json()["icons"]:
            assert (await anybody.get(f"{ORIGIN}/{icon['src']}")).headers["content-type"] == icon["type"]
        assert (await anybody.get(f"{ORIGIN}/favicon.ico")).headers["content-type"] == "image/svg+xml"


def test_a_first_visit_is_small() -> None:
    """Every page with all that it names comes to less than 120 kB, packed."""
    files = prepare().files
    for html in prepare().pages.values():
        named = set(re.findall(r'(?:href|src)="/static/\w+/([^"]+)"', html.body.decode()))
        sizes = [len(sent.packed or sent.body) for sent in (html, *(files[path] for path in named))]
        assert sum(sizes) < 120_000
