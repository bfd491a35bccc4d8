"""What is public of the days to come, as data and as a page."""

import json
import re
from pathlib import Path

from tests.support.command import Run
from tests.support.days import DAY, NOON, Watch
from tests.support.web import opened_hall, play_on


async def test_a_day_is_committed_to_before_it_begins_and_kept(tmp_path: Path) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, clock=watch) as hall, hall.visitor() as ada:
        answer = await ada.get("/commitments")
        assert answer.headers["cache-control"] == "public, max-age=60"
        assert "set-cookie" not in answer.headers
        days = answer.json()["days"]
        assert [(day["day"], day["number"], day["ahead"]) for day in days] == [
            ("2026-11-17", 321, True),
            ("2026-11-16", 320, False),  # of a service that was first started at noon
        ]
        assert {day["committed"] for day in days} == {"2026-11-16T12:00:00Z"}
        watch.now += DAY
        game = await play_on(ada, (await ada.post("/daily")).json())
        assert game["commitments"] == days[0]["commitments"]
        assert (await ada.get("/commitments")).json()["days"][-2:] == days


async def test_days_long_past_are_left_out(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        for day in ("2026-10-17", "2026-10-16"):
            await ada.post(f"/daily/{day}")
        days = (await ada.get("/commitments")).json()["days"]
        assert [day["day"] for day in days] == ["2026-11-17", "2026-11-16", "2026-10-17"]
        assert days[-1]["ahead"] is False


async def test_the_command_checks_a_daily_game_against_the_public_list(tmp_path: Path, run_here: Run) -> None:
    watch = Watch()
    async with opened_hall(tmp_path / "data", clock=watch) as hall, hall.visitor() as ada:
        published = (await ada.get("/commitments")).content
        watch.now += DAY
        game = await play_on(ada, (await ada.post("/daily")).json())
        (tmp_path / "start.json").write_bytes(published)
        (tmp_path / "game.json").write_text(json.dumps(game))
        (tmp_path / "games.ndjson").write_bytes((await ada.get("/me/games")).content)
    for file in ("game.json", "games.ndjson"):
        checked = run_here("verify", str(tmp_path / file), "--start", str(tmp_path / "start.json"), "--json")
        assert (checked.code, json.loads(checked.out)["verified"]) == (0, 1), checked


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
