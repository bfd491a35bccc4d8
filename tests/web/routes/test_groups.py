"""Group games over HTTP, on both databases: the same rolls for everybody, results after one's own game, a host."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from tentimes18.coach.review import review
from tentimes18.server.rates import RATES
from tentimes18.server.state import change_all
from tentimes18.server.store import groups as store
from tentimes18.server.store.groups import CODE_LETTERS, KEPT_MS, remove_old_groups
from tentimes18.server.store.schema import games, groups, moves, players
from tests.support.days import Watch, played_records, verify_results
from tests.support.events import StreamingTransport, watching
from tests.support.web import API, ORIGIN, Hall, free_slots, opened_hall, play_on

RESULTS = {"optimal", "best", "scores", "histogram", "rounds"}
CONTRACT = {"code", "name", "dice", "slots", "coach", "host", "open", "players", "finished"}
SMALL = {"dice": "1d6", "slots": "1-3"}


async def created(host: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await host.post("/groups", json=fields)
    assert answer.status_code == 201, answer.text
    group: dict[str, Any] = answer.json()
    return group


async def joined(client: httpx.AsyncClient, code: str) -> dict[str, Any]:
    answer = await client.post(f"/groups/{code}/join")
    assert answer.status_code == 201, answer.text
    game: dict[str, Any] = answer.json()
    return game


async def shown(client: httpx.AsyncClient, code: str) -> dict[str, Any]:
    answer = await client.get(f"/groups/{code}")
    assert answer.status_code == 200, answer.text
    group: dict[str, Any] = answer.json()
    return group


async def play(client: httpx.AsyncClient, game: Mapping[str, Any], place: int) -> dict[str, Any]:
    """A whole game; ``place`` picks one of the free slots, another one for every player."""
    return await play_on(client, game, choose=lambda found: (free := free_slots(found))[place % len(free)])


async def rows(hall: Hall) -> dict[str, int]:
    """How many rows the tables of a group have."""
    counts = select(*(select(func.count()).select_from(table).scalar_subquery() for table in TABLES))
    found = await hall.shared.read(lambda connection: connection.execute(counts).one())
    return dict(zip((table.name for table in TABLES), found, strict=True))


TABLES = (groups, games, moves, players)


async def test_a_group_from_its_creation_to_its_results(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(3) as (host, ada, bob):
        group = await created(host, name="Class 7b", coach="warn")
        assert set(group) >= CONTRACT
        assert {key: group[key] for key in CONTRACT - {"code"}} == {
            "name": "Class 7b",
            "dice": "3d6",
            "slots": list(range(1, 11)),
            "coach": "warn",
            "host": True,
            "open": True,
            "players": 0,
            "finished": 0,
        }
        assert len(group["code"]) == 6
        assert set(group["code"]) <= set(CODE_LETTERS)
        assert not set("01OI") & set(CODE_LETTERS)
        code = group["code"]
        mine, theirs = await joined(ada, code), await joined(bob, code.lower())
        assert (mine["kind"], mine["group"], mine["coach"]) == ("group", code, "warn")
        for same in ("commitments", "roll", "faces", "dice", "slots"):
            assert mine[same] == theirs[same]
        again = await ada.post(f"/groups/{code}/join")
        assert (again.status_code, again.json()) == (200, mine)
        await ada.patch("/me", json={"name": "Ada"})
        for client in (ada, bob, hall.visitor()):  # nobody has finished
            seen = await shown(client, code)
            assert not RESULTS & set(seen)
            assert (seen["players"], seen["finished"], seen["host"], "names" in seen) == (2, 0, False, False)
        done = {"Ada": await play(ada, mine, 0), "unnamed": await play(bob, theirs, 3)}
        reviews = {"Ada": review((await played_records(ada))[mine["id"]])}
        reviews["unnamed"] = review((await played_records(bob))[theirs["id"]])
        for client, name in ((ada, "Ada"), (bob, "unnamed"), (host, None)):
            seen = await shown(client, code)
            assert (seen["players"], seen["finished"]) == (2, 2)
            verify_results(seen, done, reviews)
            if name is None:
                assert ("own" in seen, seen["names"]) == (False, ["Ada"])
            else:
                assert (seen["own"]["score"], seen["own"]["loss"]) == (
                    done[name]["score"],
                    float(reviews[name].loss),
                )
        listed = (await ada.get("/groups")).json()["groups"]
        assert [entry["code"] for entry in listed] == [code]
        history = (await ada.get("/me/history?kind=group")).json()["games"]
        assert [(entry["kind"], entry["group"]) for entry in history] == [("group", code)]


async def test_before_the_end_nothing_of_a_group_is_shown(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitors(3) as (host, ada, eve):
        code = (await created(host))["code"]
        first = await joined(host, code)  # a host who plays is a player like any other
        await play(ada, await joined(ada, code), 0)
        assert set(await shown(ada, code)) >= RESULTS
        game = first
        for _ in range(10):
            for client in (host, eve):
                assert not RESULTS & set(await shown(client, code))
            game = await play_on(host, game, 1)
        assert set(await shown(host, code)) >= RESULTS
        assert not RESULTS & set(await shown(eve, code))


async def test_in_the_lobby_no_roll_is_open(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as host, hall.visitor() as ada:
        code = (await created(host, lobby=True, **SMALL))["code"]
        game = await joined(ada, code)
        assert (game["round"], game["roll"], game["faces"], game["opened"]) == (1, None, [], [])
        early = await ada.post(f"/games/{game['id']}/moves", json={"round": 1, "slot": 1})
        assert (early.status_code, early.json()["detail"]) == (409, "the host of the group has not started the game")
        assert (await ada.patch(f"/groups/{code}", json={"started": True})).status_code == 403
        started = await host.patch(f"/groups/{code}", json={"started": True})
        assert (started.status_code, started.json()["started"]) == (200, True)
        game = (await ada.get(f"/games/{game['id']}")).json()
        assert game["roll"] == game["opened"][0]["roll"]
        assert (await play_on(ada, game))["finished"]
        back = await host.patch(f"/groups/{code}", json={"started": False})
        assert (back.status_code, back.json()["field"]) == (409, "started")


async def test_the_host_alone_closes_and_deletes(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(3) as (host, ada, eve):
        other = await play(ada, (await ada.post("/games", json=SMALL)).json(), 0)
        before = await rows(hall)
        code = (await created(host, **SMALL))["code"]
        game = await play(ada, await joined(ada, code), 1)
        for client in (ada, eve):
            for answer in (
                await client.patch(f"/groups/{code}", json={"open": False}),
                await client.delete(f"/groups/{code}"),
                await client.post(f"/groups/{code}/next"),
            ):
                assert (answer.status_code, "opens" in answer.text) == (403, False)
        closed = await host.patch(f"/groups/{code}", json={"open": False})
        assert (closed.status_code, closed.json()["open"]) == (200, False)
        late = await eve.post(f"/groups/{code}/join")
        assert (late.status_code, late.json()["detail"]) == (
            409,
            "the host has closed this group: no one else can join",
        )
        assert (await ada.post(f"/groups/{code}/join")).json()["id"] == game["id"]
        assert (await host.patch(f"/groups/{code}", json={"open": 0})).status_code == 422
        assert (await host.delete(f"/groups/{code}")).status_code == 204
        for client in (host, ada, eve):
            assert (await client.get(f"/groups/{code}")).status_code == 404
        assert (await ada.get(f"/games/{game['id']}")).status_code == 404
        assert (await ada.get(f"/games/{other['id']}")).json() == other
        assert await rows(hall) == before  # the host had nothing else: neither group, game, move nor player is left


async def test_the_next_game_has_everybody_in_it(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(3) as (host, ada, bob):
        code = (await created(host, name="7b", **SMALL))["code"]
        mine = await play(ada, await joined(ada, code), 0)
        await joined(bob, code)
        answer = await host.post(f"/groups/{code}/next")
        following = answer.json()
        assert (answer.status_code, following["number"], following["name"]) == (201, 2, "7b")
        assert (following["players"], following["finished"], following["started"]) == (2, 0, False)
        assert (await host.post(f"/groups/{code}/next")).json() == following
        assert (await shown(ada, code))["next"] == following["code"]
        seat = await ada.post(f"/groups/{following['code']}/join")
        assert (seat.status_code, seat.json()["roll"]) == (200, None)
        await host.patch(f"/groups/{following['code']}", json={"started": True})
        again = await play(ada, (await ada.get(f"/games/{seat.json()['id']}")).json(), 0)
        assert again["commitments"] != mine["commitments"]
        third = (await host.post(f"/groups/{following['code']}/next")).json()
        assert third["number"] == 3
        assert (await host.delete(f"/groups/{following['code']}")).status_code == 204
        assert (await shown(ada, code))["next"] is None


async def test_a_group_comes_when_it_changes(tmp_path: Path, database_url: str) -> None:
    async with (
        opened_hall(tmp_path, database_url) as hall,
        httpx.AsyncClient(transport=StreamingTransport(hall.app), base_url=ORIGIN + API) as host,
        httpx.AsyncClient(transport=StreamingTransport(hall.app), base_url=ORIGIN + API) as ada,
    ):
        code = (await created(host, lobby=True, **SMALL))["code"]
        await ada.patch("/me", json={"name": "Ada"})  # a stream is for the player of its cookie
        async with watching(host, code) as watcher, watching(ada, code) as player:
            assert (watcher.status, watcher.headers["content-type"][:17]) == (200, "text/event-stream")
            assert await watcher.until(lambda seen: seen["players"] == 0) == await shown(host, code)
            game = await joined(ada, code)
            await watcher.until(lambda seen: seen["players"] == 1)
            await host.patch(f"/groups/{code}", json={"started": True})
            await player.until(lambda seen: seen["started"])
            await play_on(ada, (await ada.get(f"/games/{game['id']}")).json())
            await watcher.until(lambda seen: seen["finished"] == 1 and len(seen["scores"]) == 1)
            await player.until(lambda seen: "own" in seen)
            assert not any(RESULTS & set(event.game) for event in player.events if event.game["finished"] == 0)
            await host.delete(f"/groups/{code}")
            await watcher.end()
            await player.end()
        assert {event.name for event in watcher.events} == {"group"}
        assert hall.shared.live.streams == 0
        assert (await ada.get(f"/groups/{code}/events")).status_code == 404


async def test_thirty_players_at_once(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url, has_rate_limits=True) as hall, hall.visitor() as host:
        code = (await created(host))["code"]
        clients = [hall.visitor() for _ in range(30)]

        async def take_part(number: int, client: httpx.AsyncClient) -> dict[str, Any]:
            await shown(client, code)
            game = await joined(client, code)
            if number % 3:
                assert (await client.patch("/me", json={"name": f"Pupil {number}"})).status_code == 200
            return await play(client, game, number)

        done = await asyncio.gather(*(take_part(number, client) for number, client in enumerate(clients)))
        assert len({game["id"] for game in done}) == 30
        assert len({tuple(game["commitments"]) for game in done}) == 1
        seen = await shown(host, code)
        assert (seen["players"], seen["finished"], len(seen["scores"]), len(seen["names"])) == (30, 30, 30, 20)
        assert sum(count for _, count in seen["histogram"]) == 30
        assert sorted(row["score"] for row in seen["scores"]) == sorted(game["score"] for game in done)
        assert all(sum(entry["placed"].values()) == 30 for entry in seen["rounds"])
        results = await asyncio.gather(*(shown(client, code) for client in clients))
        assert [found["own"]["score"] for found in results] == [game["score"] for game in done]


async def test_who_guesses_codes_is_stopped(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, has_rate_limits=True) as hall, hall.visitors(3) as (host, eve, ada):
        code = (await created(host))["code"]
        await eve.post("/games")
        for _ in range(100):  # what is right does not count
            await shown(eve, code)
        limit = RATES["guess"].player
        assert limit is not None
        answers = [await eve.get(f"/groups/{store.new_code()}") for _ in range(limit.burst + 1)]
        assert [answer.status_code for answer in answers] == [404] * limit.burst + [429]
        for path in (f"/groups/{code}", f"/groups/{code}/events", f"/groups/{code}/qr.svg"):
            assert (await eve.get(path)).status_code == 429  # a code that exists looks the same by now
        assert (await eve.post(f"/groups/{code}/join")).status_code == 429
        assert (await eve.delete(f"/groups/{code}")).status_code == 429
        await joined(ada, code)
        # Without a cookie the address is what counts.
        burst = RATES["guess"].address.burst
        async with hall.visitor() as nobody:
            answers = [await nobody.get(f"/groups/{'A' * 5}{letter}x") for letter in "A" * burst]
        assert answers[-1].status_code == 429


@pytest.mark.parametrize("code", ["x", "%00", "ABCDE", "ABCDEFG", "ABCDE0", "ABCD€F"])
async def test_a_bad_code_is_not_found(tmp_path: Path, code: str) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        for answer in (await ada.get(f"/groups/{code}"), await ada.post(f"/groups/{code}/join")):
            assert answer.status_code == 404


async def test_bad_requests_name_the_field(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        for body, field in (
            ({"dice": "3x6"}, "dice"),
            ({"slots": "1-99"}, "slots"),
            ({"coach": "loud"}, "coach"),
            ({"name": "\u200b"}, "name"),
            ({"open": False}, "open"),
        ):
            answer = await ada.post("/groups", json=body)
            assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_quotas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_GROUPS", 2)
    monkeypatch.setattr(store, "MAX_PLAYERS", 1)
    async with opened_hall(tmp_path) as hall, hall.visitors(3) as (host, ada, bob):
        codes = [(await created(host))["code"] for _ in range(2)]
        full = await host.post("/groups")
        assert (full.status_code, "delete one" in full.json()["detail"]) == (409, True)
        await host.delete(f"/groups/{codes[0]}")
        await created(host)
        await joined(ada, codes[1])
        late = await bob.post(f"/groups/{codes[1]}/join")
        assert (late.status_code, late.json()["detail"]) == (409, "this group is full: it has 1 players")


async def test_a_group_is_deleted_when_its_time_is_over(tmp_path: Path, database_url: str) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitor() as host, hall.visitor() as ada:
        group = await created(host, **SMALL)
        await play(ada, await joined(ada, group["code"]), 0)
        assert group["until"] == "2026-12-16T12:00:00Z"
        watch.now += KEPT_MS / 1000 - 1
        assert await change_all(hall.shared, remove_old_groups) == 0
        young = await created(host, **SMALL)
        watch.now += 1
        assert await change_all(hall.shared, remove_old_groups) == 1
        assert (await host.get(f"/groups/{group['code']}")).status_code == 404
        assert (await shown(host, young["code"]))["code"] == young["code"]
        assert await rows(hall) == {"groups": 1, "games": 0, "moves": 0, "players": 1}  # the host of the young one


async def test_a_player_or_a_host_who_leaves(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(3) as (host, ada, bob):
        code = (await created(host, **SMALL))["code"]
        await play(ada, await joined(ada, code), 0)
        done = await play(bob, await joined(bob, code), 1)
        assert (await ada.delete("/me")).status_code == 204
        seen = await shown(host, code)
        assert (seen["players"], [row["score"] for row in seen["scores"]]) == (1, [done["score"]])
        assert (await host.delete("/me")).status_code == 204
        seen = await shown(bob, code)
        assert (seen["host"], seen["own"]["score"]) == (False, done["score"])
        assert (await host.delete(f"/groups/{code}")).status_code == 403


async def test_a_code_that_is_taken_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr(store, "new_code", lambda: next(codes))
    async with opened_hall(tmp_path) as hall, hall.visitor() as host:
        assert [(await created(host))["code"] for _ in range(2)] == ["AAAAAA", "BBBBBB"]


async def test_the_qr_code_leads_to_the_group(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as host:
        code = (await created(host))["code"]
        answer = await host.get(f"/groups/{code}/qr.svg")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert answer.text.startswith("<svg")
