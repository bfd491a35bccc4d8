"""The application as a whole."""

import asyncio
from pathlib import Path

from tests.support.web import ORIGIN, opened_hall, play_on


def test_games_outlive_the_process(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            game = await play_on(ada, (await ada.post("/games")).json(), 4)
            cookies = ada.cookies
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            ada.cookies = cookies
            assert (await ada.get(f"/games/{game['id']}")).json() == game

    asyncio.run(scenario())


def test_the_reference_names_every_answer(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            document = (await ada.get(f"{ORIGIN}/api/openapi.json")).json()
            assert document["components"]["schemas"].keys() >= {"GameModel", "ProblemDocument"}
            operations = [operation for path in document["paths"].values() for operation in path.values()]
            assert all({"422", "503"} <= operation["responses"].keys() for operation in operations)

    asyncio.run(scenario())
