"""Whether the service works."""

import asyncio
from pathlib import Path

from tests.support.web import ORIGIN, opened_hall


def test_health_names_the_database(tmp_path: Path, database_url: str) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as watcher:
            answer = await watcher.get(f"{ORIGIN}/health")
            assert answer.status_code == 200
            assert (answer.json()["status"], answer.json()["waiting"]) == ("ok", 0)
            assert database_url.startswith(answer.json()["database"])

    asyncio.run(scenario())
