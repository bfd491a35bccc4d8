"""The days that have passed, over HTTP: results of days that the player finished, and nothing of the others."""

from pathlib import Path

import pytest

from tests.support.days import DAY, Watch, play_by_looks
from tests.support.web import opened_hall, play_on


async def test_what_was_played_and_what_was_not(tmp_path: Path) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, clock=watch) as hall, hall.visitor() as ada:
        nothing = (await hall.visitor().get("/daily/archive?limit=2")).json()
        empty = {"own": None, "open": None, "optimal": None, "best": None}
        assert nothing == {
            "days": [{"day": "2026-11-15", "number": 319, **empty}, {"day": "2026-11-14", "number": 318, **empty}],
            "next": "2026-11-14",
        }
        daily = await play_by_looks(ada, (await ada.post("/daily")).json())
        assert (await ada.get("/daily/archive?limit=1")).json()["days"][0]["day"] == "2026-11-15"  # not today
        watch.now += DAY
        practised = await play_on(ada, (await ada.post("/daily/2026-11-15")).json())
        again = (await ada.post("/daily/2026-11-16")).json()
        begun = (await ada.post("/daily/2026-11-14")).json()
        first, second, third = (await ada.get("/daily/archive?limit=3")).json()["days"]
        for entry, game, kind in ((first, daily, "daily"), (second, practised, "solo")):
            reviewed = (await ada.get(f"/games/{game['id']}/review")).json()
            assert entry["own"] == {
                "game": game["id"],
                "kind": kind,
                "score": game["score"],
                "loss": pytest.approx(reviewed["loss"], rel=1e-12),
            }
            assert (entry["optimal"], entry["best"]) == (reviewed["optimal_score"], reviewed["best_score"])
            shown = (await ada.get(f"/daily/{entry['day']}")).json()
            assert (entry["optimal"], entry["best"]) == (shown["optimal"], shown["best"])
        assert (first["open"], second["open"], third["open"]) == (again["id"], None, begun["id"])
        assert third == {"day": "2026-11-14", "number": 318, **empty, "open": begun["id"]}


async def test_page_by_page_to_the_first_day(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        days: list[str] = []
        before: str | None = "2027-01-01"
        while before is not None:
            page = (await ada.get("/daily/archive", params={"limit": "100", "before": before})).json()
            days += [entry["day"] for entry in page["days"]]
            before = page["next"]
        assert (len(days), days[0], days[-1]) == (319, "2026-11-15", "2026-01-01")
        for old in ("2026-01-01", "1999-12-31", "0001-01-01"):
            answer = await ada.get(f"/daily/archive?before={old}")
            assert answer.json() == {"days": [], "next": None}
        for wrong, field in (("before=never", "before"), ("before=2026-02-30", "before"), ("limit=0", "limit")):
            refused = await ada.get(f"/daily/archive?{wrong}")
            assert (refused.status_code, refused.json()["field"]) == (422, field)
