"""GET /api/docs: the page and its style, within the policy of pages."""

import asyncio
from pathlib import Path

from tests.support.web import ORIGIN, opened_hall


def test_the_page_and_its_style_are_served(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as anybody:
            page = await anybody.get(f"{ORIGIN}/api/docs")
            assert page.text.startswith("<!doctype html>")
            assert "style-src 'self'" in page.headers["content-security-policy"]
            assert "set-cookie" not in page.headers
            style = await anybody.get(f"{ORIGIN}/api/docs.css")
            assert style.headers["content-type"].startswith("text/css")
            assert 'href="/api/docs.css"' in page.text
            document = (await anybody.get(f"{ORIGIN}/api/openapi.json")).json()
            assert "/api/docs" not in document["paths"]

    asyncio.run(scene())
