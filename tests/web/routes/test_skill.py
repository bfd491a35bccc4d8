"""The rating without luck over HTTP, against the reviews of the same games."""

from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean

import pytest

from tentimes18.coach.review import review
from tentimes18.server.state import BackgroundTasks
from tests.support.days import Watch, play_by_looks, played_records
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
        course = (await ada.get("/me/skill")).json()
        assert (course["own"], course["players"]) == ({name: first[name] for name in course["own"]}, 1)
        assert [(entry["game"], entry["score"]) for entry in course["course"]] == [
            (game["id"], game["score"]) for game in counted
        ]
        assert (await ada.get("/me/skill?limit=3")).json()["course"] == course["course"][-3:]
        assert (await ada.get("/me/skill?limit=0")).status_code == 422


async def test_a_game_that_is_left_counts_as_it_is(tmp_path: Path, database_url: str) -> None:
    """Nobody gets a better rating by finishing only the games that went well."""
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitor() as ada:
        await ada.post("/games")  # without a move: never counts
        bad = await play_by_looks(ada, (await ada.post("/games", json={"coach": "off"})).json())
        left = (await ada.post("/games")).json()
        await ada.post(f"/games/{left['id']}/moves", json={"round": 1, "slot": 1 if left["roll"] > 10 else 10})
        watch.now += 7 * 24 * 3600 - 1
        tasks = BackgroundTasks(hall.shared)
        await tasks.clear_away()
        assert [entry["game"] for entry in (await ada.get("/me/skill")).json()["course"]] == [bad["id"]]
        watch.now += 1
        await tasks.clear_away()
        first, second = (await ada.get("/me/skill")).json()["course"]
        assert (second["game"], second["score"], second["choices"]) == (left["id"], None, 1)
        assert second["loss"] > 0
        assert not (await ada.get(f"/games/{left['id']}")).json()["finished"]
        listed = (await ada.get("/me/history?finished=false")).json()["games"]
        assert listed[0]["id"] == left["id"]
        assert (await ada.get("/me")).json()["finished"] == 1
        done = await play_on(ada, (await ada.get(f"/games/{left['id']}")).json())
        again = (await ada.get("/me/skill")).json()["course"][-1]
        assert (again["game"], again["loss"], again["score"]) == (left["id"], second["loss"], done["score"])
        assert first["game"] == bad["id"]
