"""The player over HTTP: who, a name, days, links, and the end."""

import asyncio
import json
from pathlib import Path

from sqlalchemy import select

from tentimes18.server.app import openapi_document
from tentimes18.server.store.schema import duels, metadata, players
from tests.support.days import DAY, Watch, play_by_looks
from tests.support.web import NDJSON, Hall, opened_hall, play_on


async def rows_of(hall: Hall) -> list[str]:
    """All that is kept, as text."""
    return await hall.shared.read(
        lambda connection: [
            repr(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(select(table))
        ]
    )


async def test_one_who_is_new_gets_a_cookie_and_nothing_is_kept(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        answer = await ada.get("/me")
        assert "set-cookie" in answer.headers
        me = answer.json()
        assert me["shown"].startswith("Guest ")
        assert (me["name"], me["created"], me["games"], me["streak"], me["skill"]) == (None, None, 0, 0, None)
        again = await ada.get("/me")
        assert again.headers["set-cookie"] == answer.headers["set-cookie"]  # for another while: browsers end them
        assert again.json() == me
        count = await hall.shared.read(lambda connection: connection.execute(select(players)).all())
        assert count == []
        await play_on(ada, (await ada.post("/games")).json())
        await ada.post("/games")
        known = (await ada.get("/me")).json()
        assert (known["created"], known["games"], known["finished"]) == ("2026-11-16T12:00:00Z", 2, 1)
        assert known["shown"] == me["shown"]


async def test_a_name_is_taken_and_given_up(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        named = await ada.patch("/me", json={"name": "  <b>Ada</b> "})
        assert "set-cookie" in named.headers
        assert (named.json()["name"], named.json()["shown"]) == ("<b>Ada</b>", "<b>Ada</b>")
        for wrong in ("", " ", "a\u202eb", "x" * 31, "a\nb", "\u200b", 7, ["Ada"]):
            refused = await ada.patch("/me", json={"name": wrong})
            assert (refused.status_code, refused.json()["field"]) == (422, "name")
        for body in ({}, {"name": "Ada", "score": 900}, {"names": "Ada"}):
            assert (await ada.patch("/me", json=body)).status_code == 422
        assert (await ada.get("/me")).json()["name"] == "<b>Ada</b>"
        assert (await ada.patch("/me", json={"name": None})).json()["name"] is None


async def test_days_in_a_row(tmp_path: Path) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, clock=watch) as hall, hall.visitor() as ada:
        scores = {}
        for day in range(4):
            game = (await ada.post("/daily")).json()
            if day != 1:  # which is begun and not finished
                scores[game["day"]] = (await play_by_looks(ada, game))["score"]
            watch.now += DAY
        own = (await ada.get("/me/daily")).json()
        assert (own["streak"], own["best_streak"]) == (2, 2)  # today's is still to be played
        assert {day["day"]: day["score"] for day in own["days"]} == scores
        assert [day["number"] for day in own["days"]] == [323, 322, 320]
        assert sum(count for _, count in own["histogram"]) == 3
        path, _, query = own["distribution"].partition("?")
        known = openapi_document(hall.app.litestar)["paths"][path]["get"]["parameters"]
        assert query.partition("=")[0] in {parameter["name"] for parameter in known}
        assert (await ada.get("/me")).json()["streak"] == 2
        assert (await ada.get("/daily/2026-11-19")).json()["share"].endswith("\n2 days in a row")
        watch.now += DAY
        assert (await ada.get("/me/daily")).json()["streak"] == 0
        empty = (await hall.visitor().get("/me/daily")).json()
        assert (empty["streak"], empty["best_streak"], empty["days"], empty["histogram"]) == (0, 0, [], [])


async def test_a_link_takes_the_player_to_another_device_once(tmp_path: Path, database_url: str) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitor() as ada, hall.visitor() as phone:
        game = (await ada.post("/games")).json()
        link = await ada.post("/me/link")
        assert (link.status_code, link.json()["expires"]) == (201, "2026-11-16T13:00:00Z")
        code = link.json()["code"]
        assert not any(code in row for row in await rows_of(hall))
        taken = await phone.post("/link", json={"code": code})
        assert (taken.status_code, taken.json()) == (200, (await ada.get("/me")).json())
        assert (await phone.get(f"/games/{game['id']}")).json() == game
        for wrong in (code, "", "nonsense", "\x00", "A" * 22):
            refused = await hall.visitor().post("/link", json={"code": wrong})
            assert (refused.status_code, "set-cookie" in refused.headers) == (404, False)
        first, second = [(await ada.post("/me/link")).json()["code"] for _ in range(2)]
        assert (await phone.post("/link", json={"code": first})).status_code == 404  # the later one counts
        watch.now += 3600
        assert (await phone.post("/link", json={"code": second})).status_code == 404
        third = (await ada.post("/me/link")).json()["code"]
        watch.now += 3599.9
        used = await asyncio.gather(*(hall.visitor().post("/link", json={"code": third}) for _ in range(5)))
        assert sorted(answer.status_code for answer in used) == [200, 404, 404, 404, 404]


async def test_who_leaves_leaves_nothing(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url, Watch()) as hall, hall.visitor() as ada, hall.visitor() as bob:
        before = await rows_of(hall)
        kept = (await bob.post("/games")).json()
        with_bob = await rows_of(hall)
        await ada.patch("/me", json={"name": "Ada"})
        for _ in range(9):
            game = await play_on(ada, (await ada.post("/games")).json())
        await play_on(ada, (await ada.post("/daily")).json())
        await ada.post("/me/link")
        brought = await ada.post("/me/games", content=b'{"moves": "8@5"}', headers=NDJSON)
        assert brought.json()["imported"] == 1
        assert len((await ada.get("/skill")).json()["players"]) == 1
        cookie = ada.cookies["ten18"]
        left = await ada.delete("/me")
        assert (left.status_code, left.content) == (204, b"")
        assert 'ten18=""' in left.headers["set-cookie"]
        assert "ten18" not in ada.cookies
        (day,) = set(await rows_of(hall)) - set(with_bob)  # a digest, so that the daily game cannot be played again
        assert ("2026-11-16" in day, cookie[:22] in day, "Ada" in day) == (True, False, False)
        assert len(with_bob) == len(before) + 3
        assert (await bob.get(f"/games/{kept['id']}")).json() == kept
        assert (await bob.get("/skill")).json()["players"] == []
        ada.cookies.set("ten18", cookie)
        assert (await ada.get(f"/games/{game['id']}")).status_code == 404
        assert (await ada.get("/me")).json()["games"] == 0
        again = await ada.post("/daily")
        assert (again.status_code, again.json()["field"]) == (409, "day")
        assert (await ada.delete("/me")).status_code == 204
        assert (await hall.visitor().delete("/me")).status_code == 204


async def test_other_devices_are_ended(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url, Watch()) as hall, hall.visitor() as ada, hall.visitor() as thief:
        game = (await ada.post("/games")).json()
        await ada.patch("/me", json={"name": "Ada"})
        thief.cookies.set("ten18", ada.cookies["ten18"])
        assert (await thief.get(f"/games/{game['id']}")).status_code == 200
        assert (await ada.delete("/me/devices")).json()["name"] == "Ada"
        assert (await thief.get(f"/games/{game['id']}")).status_code == 404
        assert (await thief.get("/me")).json()["name"] is None
        assert (await play_on(ada, game))["finished"]
        assert (await hall.visitor().delete("/me/devices")).json()["games"] == 0


async def test_a_friend_keeps_the_duel(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url, Watch()) as hall, hall.visitor() as ada, hall.visitor() as bob:
        await ada.patch("/me", json={"name": "Ada"})
        game = (await ada.post("/duels", json={"against": "friend"})).json()
        theirs = (await bob.post(f"/duels/{game['invite']}/join")).json()
        assert theirs["opponent"]["name"] == "Ada"
        for client, id_ in ((ada, game["id"]), (bob, theirs["id"])):
            assert (await client.post(f"/games/{id_}/moves", json={"round": 1, "slot": 1})).status_code == 200
        over = (await bob.post("/duels", json={"against": "friend"})).json()
        pair = (await ada.post(f"/duels/{over['invite']}/join")).json()["id"]
        for move in ({"round": number, "slot": number} for number in range(1, 11)):
            for client, id_ in ((ada, pair), (bob, over["id"])):
                over = (await client.post(f"/games/{id_}/moves", json=move)).json()
        player = ada.cookies["ten18"].partition(".")[0]
        assert (await ada.delete("/me")).status_code == 204
        assert not any(player in row or "Ada" in row for row in await rows_of(hall))
        left = (await bob.get(f"/games/{theirs['id']}")).json()
        assert (left["finished"], left["ended_by"], left["result"]) == (True, "leave", "win")
        assert (left["opponent"]["name"], left["opponent"]["board"]) == ("someone", left["board"])
        kept = (await bob.get(f"/games/{over['id']}")).json()
        assert kept["opponent"] == over["opponent"] | {"name": "someone"}
        listed = (await bob.get("/me/history")).json()["games"]
        assert {game["id"]: game["score"] for game in listed} == {game["id"]: game["score"] for game in (left, over)}
        records = map(json.loads, (await bob.get("/me/games")).text.splitlines())
        results = [record["result"] for record in records if record["against"] == "someone"]
        assert results == ["win", "draw"]
        assert (await bob.delete("/me")).status_code == 204
        assert await hall.shared.read(lambda connection: connection.execute(select(duels)).all()) == []
