"""Games of one player over HTTP, on both databases."""

import asyncio
from pathlib import Path

import pytest

from tentimes18.play.fairness import commitment
from tests.support.web import free_slots, opened_hall, play_on


async def test_a_whole_game(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as ada:
        begun = await ada.post("/games")
        assert begun.status_code == 201
        game = begun.json()
        assert (game["kind"], game["dice"], game["slots"]) == ("solo", "3d6", list(range(1, 11)))
        assert (game["round"], game["board"], game["score"], game["finished"]) == (1, {}, 0, False)
        assert [part["round"] for part in game["opened"]] == [1]
        assert game["opened"][0]["roll"] == game["roll"]
        assert (await ada.get(f"/games/{game['id']}")).json() == game
        done = await play_on(ada, game)
        assert (done["round"], done["roll"], done["finished"]) == (11, None, True)
        assert done["commitments"] == game["commitments"]
        assert done["score"] == sum(int(slot) * roll for slot, roll in done["board"].items())
        for part, published in zip(done["opened"], done["commitments"], strict=True):
            assert commitment(part["nonce"], part["round"], part["roll"]) == published
        assert [part["roll"] for part in done["opened"]] == [done["board"][str(slot)] for slot in range(1, 11)]


async def test_the_same_move_again_gets_the_same_answer_whatever_happened_since(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = (await ada.post("/games")).json()
        place = f"/games/{game['id']}/moves"
        first = await ada.post(place, json={"round": 1, "slot": 5})
        await play_on(ada, first.json(), 3)
        again = await ada.post(place, json={"round": 1, "slot": 5})
        assert (again.status_code, again.content) == (200, first.content)
        other = await ada.post(place, json={"round": 1, "slot": 6})
        assert (other.status_code, other.json()["field"]) == (409, "round")
        early = await ada.post(place, json={"round": 9, "slot": 9})
        assert early.status_code == 409
        taken = await ada.post(place, json={"round": 5, "slot": 5})
        assert (taken.status_code, taken.json()["field"]) == (409, "slot")


async def test_a_move_that_is_sent_many_times_at_once_is_made_once(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as ada:
        game = (await ada.post("/games")).json()
        place = f"/games/{game['id']}/moves"
        for round_ in range(1, 11):
            slots = free_slots((await ada.get(f"/games/{game['id']}")).json())[:2]
            sent = [{"round": round_, "slot": slot} for slot in slots for _ in range(4)]
            answers = await asyncio.gather(*(ada.post(place, json=move) for move in sent))
            good = {answer.content for answer in answers if answer.status_code == 200}
            assert len(good) == 1
            assert {answer.status_code for answer in answers} == ({200, 409} if len(slots) > 1 else {200})


async def test_a_game_of_other_dice_and_slots(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = (await ada.post("/games", json={"dice": "2d12:12=2", "slots": "7/2,1", "coach": "full"})).json()
        assert (game["dice"], game["slots"], game["coach"]) == ("2d12:12=2", [1, 3.5], "full")
        done = await play_on(ada, game)
        assert done["score"] == done["board"]["1"] + 3.5 * done["board"]["2"]
        listed = (await ada.post("/games", json={"slots": [3, 1, 2.5]})).json()
        assert listed["slots"] == [1, 2.5, 3]


@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({"dice": "3x6"}, 422, "dice"),
        ({"slots": "ten"}, 422, "slots"),
        ({"dice": 7}, 422, "dice"),
        ({"coach": "loud"}, 422, "coach"),
        ([], 422, None),
    ],
)
async def test_a_game_that_cannot_be_begun(tmp_path: Path, sent: object, status: int, field: str | None) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        answer = await ada.post("/games", json=sent)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert problem.keys() >= {"type", "title", "status", "detail"}
        assert problem.get("field") == field


async def test_repeated_requests_are_answered_with_not_modified(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = (await ada.post("/games")).json()
        path = f"/games/{game['id']}"
        tag = (await ada.get(path)).headers["ETag"]
        same = await ada.get(path, headers={"If-None-Match": f'"another", W/{tag}'})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
        assert (await ada.get(path, headers={"If-None-Match": "*"})).status_code == 304
        await play_on(ada, game, 1)
        changed = await ada.get(path, headers={"If-None-Match": tag})
        assert (changed.status_code, changed.json()["round"]) == (200, 2)
        assert changed.headers["ETag"] != tag


@pytest.mark.parametrize("junk", ["%00", "a" * 500, "%F0%9F%8E%B2", "-"])
async def test_a_bad_id_is_not_found(tmp_path: Path, junk: str) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        await ada.post("/games")
        assert (await ada.get(f"/games/{junk}")).status_code == 404
        assert (await ada.post(f"/games/{junk}/moves", json={"round": 1, "slot": 1})).status_code == 404
