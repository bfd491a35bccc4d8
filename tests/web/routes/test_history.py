"""The player's games as a list, and their scores, over HTTP."""

import json
from pathlib import Path

import pytest

from tests.support.days import Watch, play_by_looks, played_records
from tests.support.web import opened_hall, play_on


async def test_games_of_all_kinds_in_a_list(tmp_path: Path, database_url: str) -> None:
    watch = Watch()
    async with opened_hall(tmp_path, database_url, watch) as hall, hall.visitor() as ada, hall.visitor() as bob:
        assert (await hall.visitor().get("/me/history")).json() == {"games": [], "next": None}
        done = await play_on(ada, (await ada.post("/games", json={"slots": "1,2,5/2", "coach": "full"})).json())
        daily = await play_by_looks(ada, (await ada.post("/daily")).json())
        friend = await play_on(ada, (await ada.post("/duels", json={"against": "friend"})).json(), 1)
        bot = await play_on(ada, (await ada.post("/duels", json={"against": "nearest"})).json())
        found = (await ada.get("/me/history")).json()
        assert found["next"] is None
        listed = found["games"]
        assert [game["id"] for game in listed] == [game["id"] for game in (bot, friend, daily, done)]
        assert listed[3] == {
            "id": done["id"],
            "kind": "solo",
            "dice": "3d6",
            "slots": [1, 2, 2.5],
            "coach": "full",
            "day": None,
            "created": "2026-11-16T12:00:00Z",
            "finished": "2026-11-16T12:00:00Z",
            "placed": 3,
            "score": done["score"],
            "loss": listed[3]["loss"],
            "choices": listed[3]["choices"],
            "against": None,
            "bot": None,
            "opponent_score": None,
            "invite": None,
            "result": None,
            "ended_by": None,
            "rematch": None,
            "group": None,
            "turn": None,
        }
        for game in (done, daily):
            (entry,) = [one for one in listed if one["id"] == game["id"]]
            reviewed = (await ada.get(f"/games/{game['id']}/review")).json()
            assert entry["loss"] == pytest.approx(reviewed["loss"], rel=1e-12)
            assert entry["choices"] == reviewed["choices"]
        assert listed[2]["day"] == "2026-11-16"
        assert [listed[1][name] for name in ("placed", "turn", "against", "invite", "score", "finished")] == [
            *(1, "them", None, friend["invite"], None, None)
        ]
        assert [listed[0][name] for name in ("against", "bot", "result", "ended_by", "score", "loss")] == [
            *("nearest", True, bot["result"], "moves", bot["score"], None)
        ]
        assert listed[0]["opponent_score"] == bot["opponent"]["score"]
        await bob.post(f"/duels/{friend['invite']}/join")
        (theirs,) = (await bob.get("/me/history?kind=duel&finished=false")).json()["games"]
        assert (theirs["placed"], theirs["turn"], theirs["bot"]) == (0, "you", False)
        first = (await ada.get("/me/history?limit=3")).json()
        rest = (await ada.get("/me/history", params={"limit": "3", "before": first["next"]})).json()
        assert (first["games"] + rest["games"], rest["next"]) == ((await ada.get("/me/history")).json()["games"], None)
        assert (await ada.get("/me/history?before=7")).status_code == 422
        assert (await ada.get(f"/me/history?before={theirs['id']}")).json() == {"games": [], "next": None}
        for query, shown in (
            ("kind=solo", [done]),
            ("finished=true", [bot, daily, done]),
            (f"kind=duel&before={bot['id']}", [friend]),
        ):
            games = (await ada.get(f"/me/history?{query}")).json()["games"]
            assert [game["id"] for game in games] == [game["id"] for game in shown]


async def test_scores_beside_the_exact_distribution(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        games = [await play_by_looks(ada, (await ada.post("/daily")).json())]
        games += [await play_by_looks(ada, (await ada.post("/games")).json()) for _ in range(2)]
        await play_on(ada, (await ada.post("/games", json={"coach": "warn"})).json())
        found = (await ada.get("/me/scores")).json()
        distribution = json.loads((await ada.get("/lab/distribution")).content)
        scores = [game["score"] for game in games]
        assert (found["games"], found["width"]) == (3, 20)
        assert found["mean"] == pytest.approx(sum(scores) / 3)
        assert found["optimal_mean"] == distribution["mean"]
        for part in found["bins"]:
            assert part["count"] == sum(part["from"] <= score < part["to"] for score in scores)
            chance = sum(chance for score, chance in distribution["pmf"] if part["from"] <= score < part["to"])
            assert part["chance"] == pytest.approx(chance)
        daily = (await ada.get("/me/scores?kind=daily&width=50")).json()
        assert (daily["games"], daily["mean"], daily["width"]) == (1, scores[0], 50)
        nobody = (await hall.visitor().get("/me/scores")).json()
        assert (nobody["games"], nobody["mean"]) == (0, None)
        assert sum(part["chance"] for part in nobody["bins"]) > 0.99


async def test_all_records_in_their_order_or_the_latest_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.routes.me.EXPORT_BATCH", 2)
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        ids = [(await ada.post("/games", json={"slots": "1,2"})).json()["id"] for _ in range(3)]
        lines = "".join(f'{{"moves": "8@{slot}"}}\n' for slot in (1, 2, 3))
        await ada.post("/me/games", content=lines, headers={"content-type": "application/x-ndjson"})
        assert list(await played_records(ada)) == ids

        async def asked(query: str) -> list[str]:
            text = (await ada.get(f"/me/games?{query}")).text
            return [json.loads(line).get("id") or json.loads(line)["moves"] for line in text.splitlines()]

        assert await asked("") == [*ids, "8@1", "8@2", "8@3"]
        assert await asked("limit=2") == [*ids[1:], "8@2", "8@3"]
        assert await asked("source=played&limit=1") == ids[2:]
        assert await asked("source=imported") == ["8@1", "8@2", "8@3"]
        assert await asked("source=played&limit=9") == ids
        assert (await ada.get("/me/games?source=mine")).status_code == 422
