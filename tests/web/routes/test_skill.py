"""The rating without luck over HTTP, against the reviews of the same games."""

from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean

import pytest

from tentimes18.coach.review import review
from tentimes18.server import background
from tentimes18.server.identity import new_id
from tentimes18.server.state import Fresh
from tentimes18.server.store.ratings import LEAST_GAMES, finished_games, those_that_wait
from tests.support.days import Watch, play_by_looks, played_records
from tests.support.stored import changing, put_game
from tests.support.web import opened_hall, play_on


async def test_cost_and_error_are_those_of_the_reviews(tmp_path: Path) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, clock=watch) as hall, hall.visitor() as ada:
        assert (await ada.get("/skill")).json() == {"players": [], "own": None}
        await ada.patch("/me", json={"name": "Ada"})
        counted = [await play_by_looks(ada, (await ada.post("/daily")).json())]
        for number in range(9):
            watch.now += 1
            assert (await ada.get("/skill")).json()["players"] == []  # from ten games on
            counted.append(await play_by_looks(ada, (await ada.post("/games")).json(), number % 2))
        # None of these count.
        await play_on(ada, (await ada.post("/games", json={"coach": "warn"})).json())
        await play_on(ada, (await ada.post("/games", json={"slots": "1-9"})).json())
        await play_on(ada, (await ada.post("/daily/2026-11-15")).json())
        await play_on(ada, (await ada.post("/games")).json(), 9)
        found = (await ada.get("/skill")).json()
        (first,) = found["players"]
        assert (first["name"], first["rank"], first["games"]) == ("Ada", 1, 10)
        assert found["own"] == first
        reviews = [review((await played_records(ada))[game["id"]]) for game in counted]
        losses = [Fraction(found.loss) for found in reviews]
        choices = [found.choices for found in reviews]
        cost = sum(losses) / sum(choices)
        assert first["cost"] == pytest.approx(float(cost), rel=1e-12)
        # The variance of a mean of ten, over the mean number of choices.
        residuals = [float(loss - cost * count) for loss, count in zip(losses, choices, strict=True)]
        variance = sum(residual**2 for residual in residuals) / 9
        assert first["error"] == pytest.approx(sqrt(variance / 10) / fmean(choices), rel=1e-9)
        mine = (await ada.get("/me")).json()
        assert mine["skill"] == {key: first[key] for key in ("rank", "games", "cost", "error")}
        assert (await hall.visitor().get("/skill")).json() == {"players": [first], "own": None}


async def test_the_course_of_the_own_rating(tmp_path: Path) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, clock=watch) as hall, hall.visitor() as ada:
        assert (await ada.get("/me/skill")).json() == {"course": [], "own": None, "players": 0}
        games = []
        for number in range(LEAST_GAMES):
            watch.now += 60
            games.append(await play_by_looks(ada, (await ada.post("/games")).json(), number % 3))
        await play_on(ada, (await ada.post("/games", json={"coach": "full"})).json())
        found = (await ada.get("/me/skill")).json()
        assert [entry["game"] for entry in found["course"]] == [game["id"] for game in games]
        assert [entry["score"] for entry in found["course"]] == [game["score"] for game in games]
        assert [entry["games"] for entry in found["course"]] == list(range(1, LEAST_GAMES + 1))
        assert found["course"][0]["finished"] == "2026-11-16T12:01:00Z"
        assert found["course"][0]["error"] is None
        own = (await ada.get("/skill")).json()["own"]
        assert (found["own"], found["players"]) == ({name: own[name] for name in found["own"]}, 1)
        last = found["course"][-1]
        assert (last["cost"], last["error"]) == pytest.approx((own["cost"], own["error"]), rel=1e-9)
        assert (await ada.get("/me/skill?limit=3")).json()["course"] == found["course"][-3:]
        assert (await ada.get("/me/skill?limit=0")).status_code == 422


async def test_many_who_ask_have_the_games_of_others_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "GAMES_SECONDS", (1000.0, 1000.0))
    async with opened_hall(tmp_path, clock=Watch()) as hall:
        hall.shared.has_measured = Fresh(1, most=1, clock=lambda: 0.0)

        def put() -> None:
            with changing(hall.shared.database) as commit:
                for _ in range(LEAST_GAMES):
                    put_game(commit.connection, new_id(), finished=1, score=1.0)

        async def waiting() -> int:
            found = await hall.shared.read(lambda connection: finished_games(connection, those_that_wait(), 100))
            return len(found)

        put()
        await hall.visitor().get("/skill")
        assert await waiting() == 0
        put()
        await hall.visitor().get("/skill")
        assert await waiting() == LEAST_GAMES
