"""The page of the commitments."""

import re
from pathlib import Path

from tests.support.days import NOON, Watch
from tests.support.web import opened_hall


async def test_the_page_shows_the_same_and_no_roll(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch(NOON)) as hall, hall.visitor() as ada:
        days = (await ada.get("/commitments")).json()["days"]
        page = await ada.get("http://test/commitments")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "set-cookie" not in page.headers
        digests = [digest for day in days for digest in day["commitments"]]
        assert re.findall(r"[0-9a-f]{64}", page.text) == digests
        assert "<script" not in page.text
        assert "style=" not in page.text
        (sheet,) = re.findall('<link rel="stylesheet" href="(.*?)">', page.text)
        assert (await ada.get(f"http://test{sheet}")).status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
