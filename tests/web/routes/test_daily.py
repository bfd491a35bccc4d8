"""The daily game over HTTP: one deal per day, one attempt per player, nothing shown early, days past and to come."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tentimes18.coach.review import review
from tentimes18.server.state import Fresh
from tests.support.command import Run
from tests.support.days import DAY, NOON, Watch, play_by_looks, played_records, verify_results
from tests.support.web import opened_hall, play_on

TODAY = "/daily/2026-11-16"


async def test_a_day_from_its_first_player_to_its_scores(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url, Watch()) as hall, hall.visitor() as ada, hall.visitor() as bob:
        assert (await ada.get("/daily")).json() == {
            "day": "2026-11-16",
            "number": 320,
            "next": "2026-11-17T00:00:00Z",
            "players": 0,
            "game": None,
        }
        begun = await ada.post("/daily")
        game = begun.json()
        assert (begun.status_code, game["kind"], game["day"], game["coach"]) == (201, "daily", "2026-11-16", "off")
        again = await ada.post("/daily")
        assert (again.status_code, again.json()) == (200, game)
        now = (await ada.get("/daily")).json()
        assert (now["players"], now["game"]) == (1, game["id"])
        theirs = (await bob.post("/daily")).json()
        for same in ("commitments", "roll", "faces"):
            assert theirs[same] == game[same]
        assert theirs["id"] != game["id"]
        await ada.patch("/me", json={"name": "Ada"})
        other = (await bob.get("/me")).json()["shown"]
        done = {"Ada": await play_by_looks(ada, game), other: await play_by_looks(bob, theirs, 3)}
        reviews = {"Ada": review((await played_records(ada))[game["id"]])}
        reviews[other] = review((await played_records(bob))[theirs["id"]])
        for client, name in ((ada, "Ada"), (bob, other)):
            day = (await client.get(TODAY)).json()
            assert (day["day"], day["number"], day["players"]) == ("2026-11-16", 320, 2)
            verify_results(day, done, reviews)
            (own,) = (entry for entry in day["scores"] if entry["name"] == name)
            assert {key: day["own"][key] for key in ("rank", "score", "loss")} == {
                key: own[key] for key in ("rank", "score", "loss")
            }
            assert day["share"].startswith("Ten times eighteen · Daily 320\n")


async def test_many_attempts_at_once_are_one(tmp_path: Path, database_url: str) -> None:
    """Also where they come to two processes."""
    watch = Watch()
    async with (
        opened_hall(tmp_path, database_url, watch) as one,
        opened_hall(tmp_path, database_url, watch) as two,
        one.visitor() as ada,
        two.visitor() as twin,
    ):
        await ada.get("/me")
        twin.cookies = ada.cookies
        answers = await asyncio.gather(*(client.post("/daily") for client in (ada, twin) * 10))
        assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert (await twin.get("/daily")).json()["players"] == 1


async def test_a_game_keeps_its_day_whatever_the_clock_does(tmp_path: Path) -> None:
    watch = Watch(NOON + DAY / 2 - 0.001)
    async with opened_hall(tmp_path, clock=watch) as hall, hall.visitor() as ada:
        late = (await ada.post("/daily")).json()
        assert late["day"] == "2026-11-16"
        watch.now += 0.001
        now = (await ada.get("/daily")).json()
        assert (now["day"], now["game"], now["next"]) == ("2026-11-17", None, "2026-11-18T00:00:00Z")
        early = await ada.post("/daily")
        assert (early.status_code, early.json()["day"]) == (201, "2026-11-17")
        assert early.json()["commitments"] != late["commitments"]
        late = await play_on(ada, late)
        assert late["day"] == "2026-11-16"
        assert (await ada.get(TODAY)).json()["own"]["game"] == late["id"]
        assert (await ada.get("/daily/2026-11-17")).status_code == 403
        watch.now -= DAY  # back
        again = await ada.post("/daily")
        assert (again.status_code, again.json()["id"]) == (200, late["id"])
        done = await play_on(ada, early.json())
        assert (await ada.get("/daily/2026-11-17")).json()["own"]["score"] == done["score"]
        assert (await ada.get("/daily/2026-11-18")).status_code == 404


STATUS_OF_DAYS = {
    "2026-11-17": 404,
    "9999-12-31": 404,
    "2025-12-31": 404,
    "0001-01-01": 404,
    "2026-11-15": 403,
    "2026-01-01": 403,
    "2026-02-30": 404,
    "0000-01-01": 404,
    "2026-1-1": 422,
    "20261116": 422,
    "today": 422,
    "2026-W47-1": 422,
    "\u0662\u0660\u0662\u0666-11-16": 422,
    "2026-11-16%00": 422,
    "9" * 300: 422,
}


async def test_days_that_are_none(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        for day, status in STATUS_OF_DAYS.items():
            found = await ada.get(f"/daily/{day}")
            assert (day, found.status_code) == (day, status)
            assert found.headers["content-type"] == "application/problem+json"
            begun = await ada.post(f"/daily/{day}")
            assert (day, begun.status_code) == (day, 201 if status == 403 else status)


async def test_a_day_that_has_passed_is_there_to_practise(tmp_path: Path, database_url: str) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitor() as ada, hall.visitor() as bob:
        daily = await play_on(bob, (await bob.post("/daily")).json())
        assert (await ada.post(TODAY)).status_code == 409  # today's is begun without its day
        watch.now += DAY
        first = await ada.post(TODAY, json={"coach": "full"})
        game = first.json()
        assert (first.status_code, game["kind"], game["coach"], game["day"]) == (201, "solo", "full", "2026-11-16")
        assert game["commitments"] == daily["commitments"]
        again = await ada.post(TODAY)
        assert (again.status_code, again.json()) == (200, game)
        assert (await ada.get(TODAY)).status_code == 403
        done = await play_by_looks(ada, game)
        day = (await ada.get(TODAY)).json()
        assert [entry["score"] for entry in day["scores"]] == [daily["score"]]  # practice is not among them
        assert (day["own"]["kind"], day["own"]["score"], day["share"]) == ("solo", done["score"], None)
        assert day["own"]["loss"] == float(review((await played_records(ada))[game["id"]]).loss)
        another = await ada.post(TODAY)
        assert (another.status_code, another.json()["id"] != game["id"]) == (201, True)
        assert (await ada.get(TODAY)).status_code == 200
        assert (await ada.get("/me/daily")).json()["days"] == []
        watch.now -= DAY  # who has practised on a day cannot play it
        assert (await ada.post("/daily")).status_code == 409
        assert (await ada.post(TODAY, json={"coach": "loud"})).status_code == 422


async def test_a_day_closes_at_noon_of_the_next(tmp_path: Path, database_url: str) -> None:
    """Later the game is still there to finish, and counts neither in the list nor in the streak."""
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitors(3) as (ada, bob, eve):
        early, late = (await ada.post("/daily")).json(), (await bob.post("/daily")).json()
        watch.now += DAY - 1
        refused = await eve.post(TODAY)
        assert (refused.status_code, refused.json()["field"]) == (409, "day")
        assert "2026-11-17T12:00:00Z" in refused.json()["detail"]
        assert (await eve.get("/daily/archive?limit=1")).json()["days"][0]["day"] == "2026-11-15"
        done = await play_on(ada, early)
        watch.now += 1
        assert (await eve.get("/daily/archive?limit=1")).json()["days"][0]["day"] == "2026-11-16"
        assert (await eve.post(TODAY)).status_code == 201
        refused = await bob.post(TODAY, json={"coach": "full"})  # would say what the daily game hides
        assert (refused.status_code, refused.json()["field"]) == (409, "day")
        assert (await play_on(bob, late))["finished"]
        assert (await bob.post(TODAY, json={"coach": "full"})).status_code == 201
        for client in (ada, bob):
            assert [entry["score"] for entry in (await client.get(TODAY)).json()["scores"]] == [done["score"]]
        assert [(await client.get("/me/daily")).json()["best_streak"] for client in (ada, bob)] == [1, 0]


async def test_only_the_best_are_listed_and_the_histogram_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tentimes18.server.routes.daily.MAX_SCORES", 2)
    monkeypatch.setattr("tentimes18.server.routes.daily.MANY_PLAYERS", 3)
    async with opened_hall(tmp_path, clock=Watch()) as hall:
        hall.shared.scores_of_days = Fresh(1, 9, clock=lambda: 0.0)
        hall.shared.players_of_days = Fresh(1, 9, clock=lambda: 0.0)
        scores = []
        for off in range(4):
            async with hall.visitor() as client:
                done = await play_by_looks(client, (await client.post("/daily")).json(), off)
                scores.append(done["score"])
                day = (await client.get(TODAY)).json()
                assert day["own"]["rank"] == 1 + sum(score > done["score"] for score in scores)
                counted = scores if off < 3 else scores[:3]  # from here on kept for some seconds
                assert [entry["score"] for entry in day["scores"]] == sorted(counted, reverse=True)[:2]
                assert sum(count for _, count in day["histogram"]) == len(counted)
                now = (await client.get("/daily")).json()
                assert (now["players"], now["game"]) == (min(off + 1, 3), done["id"])


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
