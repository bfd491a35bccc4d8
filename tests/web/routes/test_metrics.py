"""GET /metrics: what the service did, as Prometheus reads it."""

from pathlib import Path

from tests.support.prometheus import read_exposition
from tests.support.web import ORIGIN, opened_hall, play_on


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
