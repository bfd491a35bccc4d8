"""Whether the service works."""

from pathlib import Path
from typing import Any

from sqlalchemy import event

from tests.support.web import ORIGIN, opened_hall


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
