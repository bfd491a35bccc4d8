"""The application as a whole."""

from pathlib import Path

from tests.support.web import ORIGIN, opened_hall, play_on


async def test_games_outlive_the_process(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = await play_on(ada, (await ada.post("/games")).json(), 4)
        cookies = ada.cookies
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        ada.cookies = cookies
        assert (await ada.get(f"/games/{game['id']}")).json() == game


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
