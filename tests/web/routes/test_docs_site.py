"""The documentation under /docs."""

from pathlib import Path

from tests.support.web import ORIGIN, opened_hall

DOCS = f"{ORIGIN}/docs"
PAGES = {"accept": "text/html"}


def small_site(folder: Path) -> Path:
    site = folder / "site"
    (site / "theory").mkdir(parents=True)
    (site / "index.html").write_text("<h1>First</h1>" + " " * 1000)
    (site / "theory" / "index.html").write_text("<h1>Theory</h1>")
    (site / "site.css").write_text("p {}")
    (site / "search.json").write_text("{}")
    (site / ".env.json").write_text("{}")
    (site / "picture.svg").write_text("<svg/>")
    (folder / "outside.txt").write_text("outside")
    return site


async def test_a_built_site_is_served(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, site=small_site(tmp_path)) as hall, hall.visitor() as ada:
        assert (await ada.get(DOCS)).headers["location"] == "/docs/"
        assert (await ada.get(f"{DOCS}/theory")).headers["location"] == "/docs/theory/"
        for path, kind in (
            ("", "text/html; charset=utf-8"),
            ("theory/", "text/html; charset=utf-8"),
            ("theory/index.html", "text/html; charset=utf-8"),
            ("site.css", "text/css; charset=utf-8"),
            ("search.json", "application/json"),
            ("picture.svg", "image/svg+xml"),
        ):
            answer = await ada.get(f"{DOCS}/{path}")
            assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
            known = {"if-none-match": answer.headers["etag"]}
            assert (await ada.get(f"{DOCS}/{path}", headers=known)).status_code == 304
        first = await ada.get(f"{DOCS}/", headers={"accept-encoding": "gzip"})
        assert first.headers["content-encoding"] == "gzip"
        assert first.text.startswith("<h1>First</h1>")
        policy = first.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert (await ada.head(f"{DOCS}/")).status_code == 200
        assert not ada.cookies


async def test_nothing_else_is_served(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, site=small_site(tmp_path)) as hall, hall.visitor() as ada:
        for path in (
            "nowhere",
            ".env.json",
            "../outside.txt",
            "..%2foutside.txt",
            "%2e%2e/outside.txt",
            "theory/..%2f..%2foutside.txt",
            "%00",
        ):
            for accepted in (PAGES, {}):
                answer = await ada.get(f"{DOCS}/{path}", headers=accepted)
                assert answer.status_code == 404, path
                assert answer.text != "outside"
        assert (await ada.post(f"{DOCS}/")).status_code == 405


async def test_a_site_that_was_not_built_is_reported_in_a_line(tmp_path: Path) -> None:
    for site in (None, tmp_path / "nowhere"):
        async with opened_hall(tmp_path, site=site) as hall, hall.visitor() as ada:
            for path in ("", "theory/", "site.css"):
                answer = await ada.get(f"{DOCS}/{path}")
                assert answer.status_code == 404
                assert answer.headers["content-type"] == "text/html; charset=utf-8"
                assert answer.text.count("The documentation has not been built: run make site") == 1
