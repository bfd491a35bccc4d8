"""The application as a whole: what outlives it, its reference, its health, and its metrics."""

from pathlib import Path
from typing import Any

from sqlalchemy import event

from tests.support.prometheus import read_exposition
from tests.support.web import ORIGIN, opened_hall, play_on


async def test_the_reference_names_every_answer(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        document = (await ada.get(f"{ORIGIN}/api/openapi.json")).json()
        assert document["components"]["schemas"].keys() >= {"Game", "ProblemDocument"}
        assert all(schema.get("description") for schema in document["components"]["schemas"].values())
        assert "/api/docs" not in document["paths"]
        operations = [operation for path in document["paths"].values() for operation in path.values()]
        assert all({"422", "503"} <= operation["responses"].keys() for operation in operations)


async def test_an_unexpected_field_is_rejected(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada, hall.visitor() as bob:
        code = (await bob.post("/duels", json={"against": "friend"})).json()["invite"]
        for method, path in (
            ("POST", "/daily"),
            ("POST", f"/duels/{code}/join"),
            ("POST", "/me/link"),
            ("DELETE", "/me"),
        ):
            refused = await ada.request(method, path, json={"x": 1})
            assert (refused.status_code, refused.json().get("field")) == (422, "x"), path
            for content in (b"", b"{}", None):
                kind = {} if content is None else {"content-type": "application/json"}
                answer = await ada.request(method, path, content=content, headers=kind)
                assert answer.status_code in (200, 201, 204), path


async def test_an_address_tells_all_its_methods_and_has_a_head(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        put = await ada.put("/daily")
        assert (put.status_code, put.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")
        told = await ada.options("/me")
        assert (told.status_code, told.headers["allow"]) == (204, "DELETE, GET, HEAD, OPTIONS, PATCH")
        assert not [name for name in told.headers if name.startswith("access-control-")]
        game = (await ada.post("/games")).json()["id"]
        for path in (f"/games/{game}", "/daily", f"{ORIGIN}/api/docs", f"{ORIGIN}/nothing"):
            head, whole = await ada.head(path), await ada.get(path)
            assert (head.status_code, head.headers) == (whole.status_code, whole.headers)
        stream = await ada.head(f"/games/{game}/events")
        assert (stream.status_code, stream.headers["allow"]) == (405, "GET, OPTIONS")


async def test_health_names_the_database(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as watcher:
        answer = await watcher.get(f"{ORIGIN}/health")
        assert answer.status_code == 200
        assert (answer.json()["status"], answer.json()["waiting"]) == ("ok", 0)
        assert database_url.startswith(answer.json()["database"])


async def test_a_store_that_cannot_be_written_is_not_well(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as watcher:
        engine = hall.shared.database.writer

        @event.listens_for(engine, "checkout")
        def forbid(connection: Any, *_: Any) -> None:
            connection.execute("PRAGMA query_only = ON")

        assert (await watcher.get(f"{ORIGIN}/health")).status_code == 503
        event.remove(engine, "checkout", forbid)
        engine.dispose()
        assert (await watcher.get(f"{ORIGIN}/health")).status_code == 200


async def test_moves_games_and_requests_are_counted(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = (await ada.post("/games")).json()
        await play_on(ada, game, 3)
        answer = await ada.get(f"{ORIGIN}/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        found = read_exposition(answer.text)
        assert found["ten18_moves_total"].total() == 3
        assert found["ten18_games_total"].value(kind="solo") == 1
        assert found["ten18_commits_total"].total() >= 4
        moves = {"method": "POST", "route": "/api/v1/games/{id}/moves", "status": "200"}
        assert found["ten18_http_requests_total"].value(**moves) == 3
        assert game["id"] not in answer.text
        assert found["ten18_http_requests_in_flight"].total() == 1
