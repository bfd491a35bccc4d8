"""The quick route: what it refuses is what any other route refuses, in the same words."""

import asyncio
from pathlib import Path

from tests.support.web import ORIGIN, opened_hall


def test_a_body_that_is_wrong_is_told_as_elsewhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            game = (await ada.post("/games")).json()
            place = f"/games/{game['id']}/moves"
            for body, status, field in (
                (b"{", 400, None),
                (b"", 400, None),
                (b"\xff", 400, None),
                (b"[]", 422, None),
                (b'{"round": 1, "slot": "x"}', 422, "slot"),
                (b'{"round": 1, "slot": 1, "score": 700}', 422, "score"),
            ):
                answer = await ada.post(place, content=body, headers={"content-type": "application/json"})
                assert answer.headers["content-type"] == "application/problem+json"
                assert (answer.status_code, answer.json().get("field")) == (status, field), answer.text

    asyncio.run(scenario())


def test_the_reference_knows_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            document = (await ada.get(f"{ORIGIN}/api/openapi.json")).json()
            operation = document["paths"]["/api/v1/games/{id}/moves"]["post"]
            assert operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("MoveRequest")
            assert operation["responses"].keys() >= {"200", "404", "409", "422"}

    asyncio.run(scenario())
