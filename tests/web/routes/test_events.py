"""Live games over HTTP: what comes, when it ends, and what an opponent's move shows before it is open."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tentimes18.server.rates import STREAMS
from tentimes18.server.routes import games as events
from tests.support.events import StreamingTransport, watching
from tests.support.web import API, ORIGIN, Hall, opened_hall, play_on


def visitor(hall: Hall) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=StreamingTransport(hall.app), base_url=ORIGIN + API)


async def test_a_game_comes_when_it_changes_and_the_stream_ends_with_it(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, visitor(hall) as ada:
        game = (await ada.post("/games", json={"dice": "1d6", "slots": "1-3"})).json()
        async with watching(ada, game["id"]) as watcher:
            assert watcher.status == 200
            assert watcher.headers["content-type"].startswith("text/event-stream")
            assert (watcher.headers["cache-control"], watcher.headers["x-accel-buffering"]) == ("no-store", "no")
            assert await watcher.until(lambda seen: seen["round"] == 1) == game
            after = await play_on(ada, game, 1)
            assert await watcher.until(lambda seen: seen["round"] == 2) == after
            done = await play_on(ada, after)
            assert await watcher.until(lambda seen: seen["finished"]) == done
            await watcher.end()
        seen = [event.game["round"] for event in watcher.events]
        assert seen == sorted(set(seen))  # nothing twice
        assert {event.name for event in watcher.events} == {"game"}
        assert hall.shared.live.streams == 0
        last = watcher.events[-1].id
        # A browser that reconnects is asked not to; one that has missed the end gets it.
        finished = await ada.get(f"/games/{game['id']}/events", headers={"Last-Event-ID": last})
        assert (finished.status_code, finished.content) == (204, b"")
        async with watching(ada, game["id"], "an older one") as watcher:
            await watcher.end()
        assert [event.game for event in watcher.events] == [done]


async def test_who_comes_back_gets_what_was_missed_and_no_more(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, visitor(hall) as ada:
        game = (await ada.post("/games")).json()
        async with watching(ada, game["id"]) as watcher:
            await watcher.until(lambda seen: seen["round"] == 1)
        last = watcher.events[-1].id
        async with watching(ada, game["id"], last) as watcher:
            await play_on(ada, game, 1)
            await watcher.until(lambda seen: seen["round"] == 2)
        assert [event.game["round"] for event in watcher.events] == [2]
        async with watching(ada, game["id"], last) as watcher:
            await watcher.until(lambda seen: seen["round"] == 2)


async def test_a_move_that_is_not_open_shows_only_that_it_was_made(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, visitor(hall) as ada, visitor(hall) as bob:
        mine = (await ada.post("/duels", json={"against": "friend"})).json()
        async with watching(ada, mine["id"]) as watcher:
            assert (await watcher.until(lambda _: True))["opponent"] is None
            theirs = (await bob.post(f"/duels/{mine['invite']}/join")).json()
            come = await watcher.until(lambda seen: seen["opponent"] is not None)
            assert not come["opponent"]["placed"]
            move = {"round": 1, "slot": 7}
            assert (await bob.post(f"/games/{theirs['id']}/moves", json=move)).status_code == 200
            placed = await watcher.until(lambda seen: bool(seen["opponent"] and seen["opponent"]["placed"]))
            shown = come | {"opponent": come["opponent"] | {"placed": True}}
            assert placed == shown
            await play_on(ada, mine, 1)
            both = await watcher.until(lambda seen: seen["round"] == 2 and seen["roll"] is not None)
            assert both["opponent"]["board"] == {"7": mine["roll"]}
            await bob.delete("/me")
            assert (await watcher.until(lambda seen: seen["finished"]))["ended_by"] == "leave"


async def test_a_quiet_stream_has_a_heartbeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    async with opened_hall(tmp_path) as hall, visitor(hall) as ada:
        game = (await ada.post("/games")).json()
        async with watching(ada, game["id"]) as watcher:
            await watcher.comment()


async def test_streams_are_counted_and_own_games_alone_are_seen(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, has_rate_limits=True) as hall, visitor(hall) as ada, visitor(hall) as eve:
        game = (await ada.post("/games")).json()
        path = f"/games/{game['id']}/events"
        for _ in range(2):  # first without a cookie, then as another player
            assert (await eve.get(path)).status_code == 404
            await eve.post("/games")
        assert (await ada.get("/games/%00/events")).status_code == 404
        streams = [watching(ada, game["id"]) for _ in range(STREAMS.player)]
        for stream in streams:
            await stream.__aenter__()
        refused = await ada.get(path)
        assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")
        for stream in streams:
            await stream.__aexit__(None, None, None)
        assert hall.shared.live.streams == 0
        async with watching(ada, game["id"]) as watcher:
            await watcher.until(lambda _: True)
            hall.shared.live.close()  # as when the server is stopped
            await watcher.end()
        closed = await ada.get(path)
        assert (closed.status_code, int(closed.headers["Retry-After"]) > 0) == (503, True)


async def test_a_fault_breaks_the_stream_off_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> bytes:
        raise ArithmeticError

    with caplog.at_level("ERROR", logger="tentimes18.server"):
        async with opened_hall(tmp_path) as hall, visitor(hall) as ada:
            game = (await ada.post("/games")).json()
            monkeypatch.setattr(events, "game_bytes", fail)
            async with watching(ada, game["id"]) as watcher:
                await watcher.end()
            assert (watcher.events, hall.shared.live.streams) == ([], 0)
    assert [record.message for record in caplog.records] == ["error in a stream: ArithmeticError"]


async def test_who_reads_too_slowly_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PATIENCE", 0.05)
    async with opened_hall(tmp_path) as hall, visitor(hall) as ada:
        game = (await ada.post("/games")).json()
        live = hall.shared.live
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)
            if b"event" in message.get("body", b""):
                await asyncio.Event().wait()  # the network takes no more

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def render(_: object) -> bytes:
            return b"{}"

        player = ada.cookies["ten18"].partition(".")[0]
        stream, stack = live.watch(game["id"], player), ExitStack()
        stack.callback(live.leave, stream)
        answer = events.stream_events("game", stream, render, None, stack)
        async with asyncio.timeout(30):
            await answer.to_asgi_response()({"type": "http"}, receive, send)
        assert live.streams == 0
        assert len(sent) == 3  # headers, the first words, the game
        assert all(message.get("more_body", True) for message in sent)  # cut off, not ended
