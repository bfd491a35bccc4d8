"""`ten18 admin` changes what the players of a running server see, on both databases."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.command import Run
from tests.support.web import SECRET, opened_hall, play_on


class Operator:
    """``ten18 admin`` on the database of a server."""

    def __init__(self, run: Run, folder: Path, url: str) -> None:
        self.run, self.folder, self.url = run, folder, url

    async def __call__(self, *arguments: str, code: int = 0) -> Any:
        variables = {"TEN18_DATABASE_URL": self.url, "TEN18_SECRET": SECRET.decode(), "TEN18_DATA": str(self.folder)}
        done = await asyncio.to_thread(self.run, "admin", *arguments, "--json", **variables)
        assert done.code == code, done.err
        return done.err if code else json.loads(done.out)

    async def id_of(self, name: str) -> str:
        (row,) = (await self("players", "--search", name))["players"]
        player: str = row["id"]
        return player


@pytest.fixture
def operator(run_here: Run, tmp_path: Path, database_url: str) -> Operator:
    return Operator(run_here, tmp_path, database_url)


async def play_daily(client: httpx.AsyncClient, name: str) -> None:
    await play_on(client, (await client.post("/daily")).json())
    assert (await client.patch("/me", json={"name": name})).status_code == 200


async def names_of_today(client: httpx.AsyncClient) -> set[str]:
    day = (await client.get("/daily")).json()["day"]
    return {row["name"] for row in (await client.get(f"/daily/{day}")).json()["scores"]}


async def test_names_lists_devices_and_deletion(operator: Operator) -> None:
    now = time.time()  # no new day begins in between

    async with (
        opened_hall(operator.folder, operator.url, lambda: now) as hall,
        hall.visitor() as ada,
        hall.visitor() as bob,
    ):
        await play_daily(ada, "Rude Word")
        await play_daily(bob, "Bob")
        player = await operator.id_of("rude")
        await operator("rename", player, "Kind Word")
        assert "Kind Word" in await names_of_today(bob)
        await operator("clear-name", player)
        assert len(await names_of_today(bob)) == 2
        assert "Kind Word" not in await names_of_today(bob)
        await operator("hide", player)
        assert await names_of_today(bob) == {"Bob"}
        await operator("show", player)
        assert len(await names_of_today(bob)) == 2

        code = (await operator("sign-out", player))["detail"]
        assert (await ada.get("/me")).json()["finished"] == 0
        assert (await ada.post("/link", json={"code": code})).json()["finished"] == 1
        assert (await ada.post("/link", json={"code": code})).status_code == 404

        await operator("delete-player", await operator.id_of("bob"))
        assert len(await names_of_today(ada)) == 1
        sizes = {row["table"]: row["rows"] for row in (await operator("sizes"))["tables"]}
        assert sizes["games"] == 1
    log = [json.loads(line) for line in (operator.folder / "admin.log").read_text().splitlines()]
    assert [line["action"] for line in log] == ["rename", "rename", "hide", "show", "sign out", "delete player"]


async def test_a_duel_is_ended_once(operator: Operator) -> None:
    async with opened_hall(operator.folder, operator.url) as hall, hall.visitor() as ada, hall.visitor() as bob:
        game = (await ada.post("/duels", json={"against": "friend"})).json()
        other = (await bob.post(f"/duels/{game['invite']}/join")).json()
        await operator("end-duel", game["id"])
        assert (await bob.get(f"/games/{other['id']}")).json()["finished"]
        assert "no unfinished duel" in await operator("end-duel", game["id"], code=2)


async def test_a_group_is_deleted(operator: Operator) -> None:
    async with opened_hall(operator.folder, operator.url) as hall, hall.visitor() as ada:
        code = (await ada.post("/groups")).json()["code"]
        game = (await ada.post(f"/groups/{code}/join")).json()
        await operator("delete-group", code.lower())
        assert (await ada.get(f"/games/{game['id']}")).status_code == 404
        assert "no group with this code" in await operator("delete-group", code, code=2)


async def test_bad_input_is_one_line(operator: Operator) -> None:
    async with opened_hall(operator.folder, operator.url) as hall, hall.visitor() as ada:
        await play_daily(ada, "Ada")
        assert "no player with this id" in await operator("hide", "nobody", code=2)
        assert "printable" in await operator("rename", await operator.id_of("Ada"), "\u202e", code=2)
        assert "reserved" in await operator("rename", await operator.id_of("Ada"), "Optimal", code=2)
        assert (await operator("players", "--search", "%"))["players"] == []


def test_where_no_server_has_run_nothing_is_made(run_here: Run, tmp_path: Path) -> None:
    done = run_here("admin", "players", "--data", tmp_path / "none")
    assert done.code == 2
    assert "there are no games in this folder" in done.err
