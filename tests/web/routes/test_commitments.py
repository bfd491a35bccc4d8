"""What is public of the days to come."""

import asyncio
from pathlib import Path

from tests.support.days import DAY, Watch
from tests.support.web import opened_hall, play_on


def test_a_day_is_committed_to_before_it_begins_and_kept(tmp_path: Path, database_url: str) -> None:
    async def scenario() -> None:
        watch = Watch()
        async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitor() as ada:
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

    asyncio.run(scenario())


def test_days_long_past_are_left_out(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
            for day in ("2026-10-17", "2026-10-16"):
                await ada.post(f"/daily/{day}")
            days = (await ada.get("/commitments")).json()["days"]
            assert [day["day"] for day in days] == ["2026-11-17", "2026-11-16", "2026-10-17"]
            assert days[-1]["ahead"] is False

    asyncio.run(scenario())
