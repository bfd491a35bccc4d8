"""Advice on a game and its review over HTTP, on both databases: as the command says, and only when it is due."""

from pathlib import Path
from typing import Any

import msgspec

from tentimes18.queries.games import ReviewAnswer
from tentimes18.queries.moves import AdviceAnswer
from tests.support.command import Run
from tests.support.web import opened_hall, play_on


def moves_of(game: dict[str, Any]) -> str:
    """In the order of play, as the rolls were opened; of equal rolls in any order."""
    left = dict(game["board"])
    moves = []
    for opened in game["opened"]:
        slot = next((slot for slot, roll in left.items() if roll == opened["roll"]), None)
        if slot is not None:
            moves.append(f"{left.pop(slot)}@{slot}")
    return " ".join(moves)


async def test_advice_as_the_command_gives_it(tmp_path: Path, run_here: Run) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = (await ada.post("/games", json={"coach": "full"})).json()
        for _ in range(3):
            found = await ada.get(f"/games/{game['id']}/advice")
            moves = moves_of(game)
            options = [f"--roll={game['roll']}", *([f"--moves={moves}"] if moves else [])]
            assert found.text == run_here("advise", *options, "--json").out
            assert found.headers["cache-control"] == "private, no-cache"
            msgspec.json.decode(found.content, type=AdviceAnswer)
            again = {"If-None-Match": found.headers["etag"]}
            assert (await ada.get(f"/games/{game['id']}/advice", headers=again)).status_code == 304
            game = await play_on(ada, game, 1)
        done = await play_on(ada, game)
        late = await ada.get(f"/games/{done['id']}/advice")
        assert (late.status_code, late.json().get("field")) == (409, None)


async def test_without_a_coach_there_is_no_advice(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada, hall.visitor() as bob:
        game = (await ada.post("/games", json={"coach": "off"})).json()
        assert (await ada.get(f"/games/{game['id']}/advice")).status_code == 403
        with_coach = (await ada.post("/games", json={"coach": "warn"})).json()
        assert (await ada.get(f"/games/{with_coach['id']}/advice")).status_code == 200
        for path in ("advice", "review"):  # of somebody else's
            assert (await bob.get(f"/games/{with_coach['id']}/{path}")).status_code == 404


async def test_a_review_as_the_command_gives_it(tmp_path: Path, run_here: Run) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = (await ada.post("/games", json={"dice": "2d4-3", "slots": [1, 2.5, -1]})).json()
        early = await ada.get(f"/games/{game['id']}/review")
        assert (early.status_code, early.json().get("field")) == (409, None)
        done = await play_on(ada, game)
        await ada.patch("/me", json={"name": "Ada"})
        found = await ada.get(f"/games/{game['id']}/review")
        assert found.status_code == 200, found.text
        msgspec.json.decode(found.content, type=ReviewAnswer)
        file = tmp_path / "games.ndjson"
        file.write_bytes((await ada.get("/me/games")).content)
        assert found.text == run_here("review", str(file), "--json").out
        assert found.json()["score"] == done["score"]
