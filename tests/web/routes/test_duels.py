"""Duels over HTTP: against bots and friends, on both databases, with every answer searched for what is sealed."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from tentimes18.game import Board, Game
from tentimes18.play.opponents import opponent
from tentimes18.play.verification import check_game
from tentimes18.server.bots import BOTS, Bots, DuelTables
from tentimes18.server.routes.duels import qr_picture
from tentimes18.server.store.games import COMING_MS, MOVING_MS, GameState, load_state
from tentimes18.strategies import solved
from tests.support.web import Hall, free_slots, opened_hall, play_on

SMALL = Game.parse("1d6", "1-3")


class Spy:
    """Both clients of a duel, and a look at every answer: nothing sealed is in it."""

    def __init__(self, hall: Hall, *clients: httpx.AsyncClient) -> None:
        self.hall = hall
        self.clients = clients
        self.games: list[dict[str, Any]] = []

    async def begin(self) -> None:
        ada, bob = self.clients
        begun = await ada.post("/duels", json={"against": "friend"})
        assert begun.status_code == 201
        mine = begun.json()
        assert len(mine["invite"]) == 22
        assert (mine["opponent"], mine["roll"], mine["round"]) == (None, mine["opened"][0]["roll"], 1)
        joined = await bob.post(f"/duels/{mine['invite']}/join")
        assert joined.status_code == 200
        self.games = [mine, joined.json()]
        await self.look(1, joined)

    async def place(self, seat: int, slot: int) -> dict[str, Any]:
        due = (await self.see(seat))["round"]
        answer = await self.clients[seat].post(self.path(seat) + "/moves", json={"round": due, "slot": slot})
        assert answer.status_code == 200, answer.text
        return await self.look(seat, answer)

    async def see(self, seat: int) -> dict[str, Any]:
        return await self.look(seat, await self.clients[seat].get(self.path(seat)))

    def path(self, seat: int) -> str:
        return f"/games/{self.games[seat]['id']}"

    async def state(self, seat: int) -> GameState:
        state = await self.hall.shared.read(lambda connection: load_state(connection, self.games[seat]["id"]))
        assert state is not None
        return state

    async def look(self, seat: int, answer: httpx.Response) -> dict[str, Any]:
        """What both have placed is shown, and the next roll; of the rest not even the nonces."""
        state = await self.state(seat)
        assert state.opponent is not None
        both = min(len(state.slots), len(state.opponent.slots))
        shown = 10 if state.is_over else both + 1
        game: dict[str, Any] = answer.json()
        assert [part["round"] for part in game["opened"]] == list(range(1, min(shown, 10) + 1))
        assert not any(nonce in answer.text for nonce in state.deal.nonces[shown:])
        assert game["opponent"]["board"] == {
            str(slot): roll for slot, roll in zip(state.opponent.slots[:both], state.deal.rolls, strict=False)
        }
        assert game["opponent"]["placed"] == (len(state.opponent.slots) >= min(shown, 10))
        assert game["roll"] == (state.deal.rolls[both] if len(state.slots) == both < 10 else None)
        return game


async def test_a_duel_of_two_friends(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as ada, hall.visitor() as bob:
        spy = Spy(hall, ada, bob)
        await spy.begin()
        assert spy.games[0]["commitments"] == spy.games[1]["commitments"]
        for round_ in range(1, 11):
            first, slots = round_ % 2, (round_, 11 - round_)
            waiting = await spy.place(first, slots[first])
            assert (waiting["roll"], waiting["finished"]) == (None, False)
            if round_ < 10:
                early = {"round": round_ + 1, "slot": free_slots(waiting)[0]}
                answer = await spy.clients[first].post(spy.path(first) + "/moves", json=early)
                assert answer.status_code == 409
            assert (await spy.see(1 - first))["opponent"]["placed"]
            await spy.place(1 - first, slots[1 - first])
        mine, theirs = [await spy.see(seat) for seat in (0, 1)]
        assert mine["finished"]
        assert theirs["finished"]
        assert mine["ended_by"] == theirs["ended_by"] == "moves"
        assert (mine["opponent"]["board"], theirs["opponent"]["board"]) == (theirs["board"], mine["board"])
        lead = mine["score"] - theirs["score"]
        results = ("win", "loss") if lead > 0 else ("loss", "win") if lead < 0 else ("draw", "draw")
        assert (mine["result"], theirs["result"]) == results


async def test_a_rematch_is_one_request_for_each_player(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(3) as (ada, bob, eve):
        spy = Spy(hall, ada, bob)
        await spy.begin()
        paths = [spy.path(seat) for seat in (0, 1)]
        assert (await ada.post(f"{paths[0]}/rematch")).status_code == 409
        for round_ in range(1, 11):
            for seat in (0, 1):
                last = await spy.place(seat, round_)
        assert last["rematch"] is None
        answers = await asyncio.gather(
            *(client.post(f"{path}/rematch") for client, path in zip((ada, bob) * 3, paths * 3, strict=True))
        )
        assert sorted(answer.status_code for answer in answers) == [200] * 4 + [201] * 2
        mine, theirs = [{answer.json()["id"] for answer in answers[seat::2]} for seat in (0, 1)]
        assert (len(mine), len(theirs)) == (1, 1)
        old = [(await client.get(path)).json() for client, path in zip((ada, bob), paths, strict=True)]
        assert [{game["rematch"]["game"]} for game in old] == [mine, theirs]
        assert {game["rematch"]["by"] for game in old} == {"you", "them"}
        new = [
            (await client.get(f"/games/{id_}")).json()
            for client, (id_,) in zip((ada, bob), (mine, theirs), strict=True)
        ]
        assert new[0]["commitments"] == new[1]["commitments"] != old[0]["commitments"]
        assert all(game["opponent"]["board"] == {} for game in new)
        assert (await eve.post(f"{paths[0]}/rematch")).status_code == 404
        again = await bob.post(f"{paths[1]}/moves", json={"round": 10, "slot": 10})
        assert (again.status_code, again.json()["rematch"]) == (200, None)  # the answer of that move


async def test_a_rematch_is_offered_before_it_is_accepted(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada, hall.visitor() as bob:
        spy = Spy(hall, ada, bob)
        await spy.begin()
        await ada.post(f"{spy.path(0)}/resign")
        offer = (await ada.post(f"{spy.path(0)}/rematch")).json()
        assert (offer["kind"], offer["opponent"]) == ("duel", None)
        seen = (await bob.get(spy.path(1))).json()["rematch"]
        assert seen == {"by": "them", "invite": offer["invite"], "game": None}
        (listed,) = (await bob.get("/me/history", params={"kind": "duel"})).json()["games"]
        assert listed["rematch"] == seen
        assert (await ada.delete(f"/duels/{offer['invite']}")).status_code == 204
        assert (await bob.get(spy.path(1))).json()["rematch"] is None
        assert (await bob.post(f"{spy.path(1)}/rematch")).status_code == 201
        assert (await ada.get(spy.path(0))).json()["rematch"]["by"] == "them"
        await ada.delete("/me")
        assert (await bob.post(f"{spy.path(1)}/rematch")).status_code == 200  # the duel that waits for nobody
        solo = (await bob.post("/games")).json()["id"]
        for what in ("rematch", "resign"):
            assert (await bob.post(f"/games/{solo}/{what}")).status_code == 409


async def test_a_duel_is_resigned(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(2) as (ada, bob):
        spy = Spy(hall, ada, bob)
        await spy.begin()
        await spy.place(0, 5)
        assert (await ada.post(f"{spy.path(1)}/resign")).status_code == 404
        answer = await bob.post(f"{spy.path(1)}/resign")
        assert (answer.status_code, answer.json()["ended_by"], answer.json()["result"]) == (200, "resign", "loss")
        assert (await bob.post(f"{spy.path(1)}/resign")).json() == answer.json()
        won = (await ada.get(spy.path(0))).json()
        assert (won["finished"], won["result"], won["opponent"]["board"]) == (True, "win", {})
        assert check_game(won).verified
        assert (await ada.post(f"{spy.path(0)}/resign")).status_code == 409
        assert (await ada.post(f"{spy.path(0)}/moves", json={"round": 2, "slot": 1})).status_code == 409
        bots = (await ada.post("/duels", json={"against": "nearest"})).json()
        lost = (await ada.post(f"/games/{bots['id']}/resign")).json()
        assert (lost["result"], lost["round"]) == ("loss", 11)
        records = {bot["name"]: bot["record"] for bot in (await ada.get("/duels/bots")).json()}
        assert records.pop("nearest") == {"won": 0, "drawn": 0, "lost": 1}
        assert all(record == {"won": 0, "drawn": 0, "lost": 0} for record in records.values())
        again = await ada.post(f"/games/{bots['id']}/rematch")
        assert (again.status_code, again.json()["opponent"]["name"]) == (201, "nearest")
        assert (await ada.post(f"/games/{bots['id']}/rematch")).json()["id"] == again.json()["id"]


async def test_an_invite_is_withdrawn(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as ada, hall.visitor() as bob:
        game = (await ada.post("/duels", json={"against": "friend"})).json()
        path = f"/duels/{game['invite']}"
        await ada.post(f"/games/{game['id']}/moves", json={"round": 1, "slot": 5})
        assert (await ada.post(f"/games/{game['id']}/resign")).status_code == 409
        assert (await bob.delete(path)).status_code == 404  # without a cookie nobody has made an invite
        await bob.post("/games")
        assert (await bob.delete(path)).status_code == 403
        assert (await ada.delete(path)).status_code == 204
        for gone in (await ada.delete(path), await bob.post(f"{path}/join"), await ada.get(f"/games/{game['id']}")):
            assert gone.status_code == 404
        taken = (await ada.post("/duels", json={"against": "friend"})).json()["invite"]
        await bob.post(f"/duels/{taken}/join")
        assert (await ada.delete(f"/duels/{taken}")).status_code == 409


async def test_who_may_join(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitors(3) as (ada, bob, eve):
        mine = (await ada.post("/duels", json={"against": "friend"})).json()
        path = f"/duels/{mine['invite']}/join"
        assert (await ada.post(path)).status_code == 409
        answers = await asyncio.gather(*(client.post(path) for client in (bob, eve)))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        winner, loser = (bob, eve) if answers[0].status_code == 200 else (eve, bob)
        joined = next(answer for answer in answers if answer.status_code == 200)
        assert (await winner.post(path)).content == joined.content
        refused = await loser.post(path)
        assert refused.headers["content-type"] == "application/problem+json"
        for junk in ("A" * 22, "short", "%00", "a" * 300):
            assert (await bob.post(f"/duels/{junk}/join")).status_code == 404
        # Nobody sees the game of the other.
        assert (await winner.get(f"/games/{mine['id']}")).status_code == 404
        assert (await ada.get(f"/games/{joined.json()['id']}")).status_code == 404


@pytest.mark.parametrize("name", ["random", "greedy", "bands", "nearest", "optimal", "target:700"])
async def test_a_bot_plays_a_whole_duel(tmp_path: Path, name: str) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        begun = await ada.post("/duels", json={"against": name})
        assert begun.status_code == 201, begun.text
        game = begun.json()
        assert game["opponent"] == {"name": name, "board": {}, "score": 0, "placed": True}
        assert (game["invite"], game["result"]) == (None, None)
        assert not game["chances"]  # of no round yet; None until the large table is there
        kept = await hall.shared.read(load_state, game["id"])
        assert kept is not None
        assert kept.duel is not None
        other = opponent(name, kept.game, int(kept.duel.seed, 16))
        for round_ in range(1, 11):
            boards = [{int(slot): roll for slot, roll in side["board"].items()} for side in (game["opponent"], game)]
            path = f"/games/{game['id']}/moves"
            move = {"round": round_, "slot": free_slots(game)[-1]}
            taken = {"round": round_, "slot": next(iter(map(int, game["board"])), 99)}
            assert (await ada.post(path, json=taken)).status_code == 409
            answers = await asyncio.gather(*(ada.post(path, json=move) for _ in range(3)))
            assert len({answer.content for answer in answers}) == 1
            game = answers[0].json()
            (slot,) = {int(slot) for slot in game["opponent"]["board"]} - boards[0].keys()
            before = [board_of(board, kept) for board in boards]
            roll = kept.deal.rolls[round_ - 1]
            assert slot == other(before[0], before[1], roll)
        assert game["finished"]
        assert game["result"] in {"win", "draw", "loss"}
        record = next(bot["record"] for bot in (await ada.get("/duels/bots")).json() if bot["name"] == name)
        assert [way for way, count in record.items() if count] == [
            {"win": "won", "draw": "drawn", "loss": "lost"}[game["result"]]
        ]
        assert sorted(game["opponent"]["board"].values()) == sorted(game["board"].values())


def board_of(board: Mapping[int, int], state: GameState) -> Board:
    """A board by its slots, filled in the order of the rolls."""
    found = Board(state.game)
    left = dict(board)
    for roll in state.deal.rolls[: len(board)]:
        slot = next(slot for slot, standing in left.items() if standing == roll)
        del left[slot]
        found = found.place(roll, slot)
    return found


async def test_bots_that_play_by_a_table_say_that_it_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path / "empty"))
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        for name in ("hunter", "equilibrium"):
            answer = await ada.post("/duels", json={"against": name})
            assert (answer.status_code, answer.json()["field"]) == (503, "against")
            assert int(answer.headers["Retry-After"]) > 0
        listed = {bot["name"]: bot for bot in (await ada.get("/duels/bots")).json()}
        assert listed.keys() == BOTS.keys()
        assert {name for name, bot in listed.items() if not bot["ready"]} >= {"hunter", "equilibrium"}
        assert all(bot["what"].endswith(".") for bot in listed.values())


async def test_how_bots_fare_against_the_perfect_player(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, makes_tables=False) as hall, hall.visitor() as ada:
        listed = {bot["name"]: bot["against_optimal"] for bot in (await ada.get("/duels/bots")).json()}
        assert list(listed) == list(BOTS)
        assert listed["optimal"] == {"win": 0.0, "draw": 1.0, "loss": 0.0}
        for name, chances in listed.items():
            assert sum(chances.values()) == pytest.approx(1, abs=1e-9), name
        assert listed["hunter"]["win"] > listed["hunter"]["loss"] > 0.3
        hall.shared.bots = Bots(DuelTables(SMALL, makes=False), hall.shared.lab, hall.shared.coach)
        assert {bot["against_optimal"] for bot in (await ada.get("/duels/bots")).json()} == {None}


async def test_an_invite_is_looked_at_before_it_is_taken(tmp_path: Path) -> None:
    now = [1_000_000.0]
    async with opened_hall(tmp_path, clock=lambda: now[0]) as hall, hall.visitors(3) as (ada, bob, eve):
        await ada.patch("/me", json={"name": "Ada"})
        mine = (await ada.post("/duels", json={"against": "friend"})).json()
        path = f"/duels/{mine['invite']}"
        shown = {"code": mine["invite"], "by": "Ada"}
        assert (await ada.get(path)).json() == shown | {"state": "own", "game": mine["id"]}
        for _ in range(2):  # nothing is taken by looking
            looked = await bob.get(path)
            assert looked.json() == shown | {"state": "open", "game": None}
            assert "set-cookie" not in looked.headers
        theirs = (await bob.post(f"{path}/join")).json()
        assert (await bob.get(path)).json() == shown | {"state": "joined", "game": theirs["id"]}
        assert (await eve.get(path)).json() == shown | {"state": "taken", "game": None}
        now[0] += MOVING_MS / 1000
        assert (await eve.get(path)).json() == shown | {"state": "over", "game": None}
        assert (await bob.get(path)).json()["state"] == "joined"  # whose game tells the rest
        late = (await ada.post("/duels", json={"against": "friend"})).json()
        now[0] += COMING_MS / 1000
        assert (await bob.get(f"/duels/{late['invite']}")).json()["state"] == "over"
        await ada.delete("/me")
        assert (await bob.get(path)).json()["by"] == "someone"
        assert (await bob.get(f"/duels/{late['invite']}")).status_code == 404
        for junk in ("A" * 22, "short", mine["id"], "%00"):
            for what in ("", "/qr.svg"):
                missing = await bob.get(f"/duels/{junk}{what}")
                assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("settings", "headers", "origin"),
    [
        ({}, {}, "http://test"),
        ({}, {"host": "10.0.0.7:8018", "x-forwarded-proto": "https"}, "http://10.0.0.7:8018"),
        ({"is_behind_proxy": True}, {"host": "play.example", "x-forwarded-proto": "https"}, "https://play.example"),
    ],
)
async def test_the_picture_of_an_invite(
    tmp_path: Path, settings: dict[str, Any], headers: dict[str, str], origin: str
) -> None:
    async with opened_hall(tmp_path, **settings) as hall, hall.visitor() as ada, hall.visitor() as anybody:
        code = (await ada.post("/duels", json={"against": "friend"})).json()["invite"]
        picture = await anybody.get(f"/duels/{code}/qr.svg", headers=headers)
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
        assert picture.content == qr_picture(f"{origin}/duel/{code}")
        assert picture.headers["cache-control"] == "no-store"
        assert picture.headers["content-security-policy"].startswith("default-src 'none'")
        refused = await anybody.get(f"/duels/{code}/qr.svg", headers={"Host": "a" * 3000})
        assert (refused.status_code, refused.json()["field"]) == (422, "host")


@pytest.mark.parametrize("sent", [None, {}, {"against": "hindsight"}, {"against": "os:system"}, {"against": 1}])
async def test_a_duel_that_cannot_be_begun(tmp_path: Path, sent: object) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        answer = await ada.post("/duels", json=sent)
        assert answer.status_code == 422
        assert answer.headers["content-type"] == "application/problem+json"


async def test_tables_that_are_there(tmp_path: Path) -> None:
    """With a small game: both bots play by their tables, and the chances are those of the equilibrium."""
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        folder = tmp_path / "tables"
        solved.hunter(SMALL, None, folder)
        solved.equilibrium(SMALL, None, folder)
        hall.shared.bots = Bots(DuelTables(SMALL, folder, makes=False), hall.shared.lab, hall.shared.coach)
        for name in ("hunter", "equilibrium"):
            game = (await ada.post("/duels", json={"against": name})).json()
            assert game["chances"] == []
            moved = await play_on(ada, game)
            assert moved["chances"] is None  # the same move gets the same answer, with or without a table
            done = (await ada.get(f"/games/{game['id']}")).json()
            assert done | {"chances": None} == moved
            assert len(done["chances"]) == 3
            assert done["chances"][-1] == {"win": 1, "draw": 0.5, "loss": 0}[done["result"]]
            assert all(0 <= chance <= 1 for chance in done["chances"])
        friend = (await ada.post("/duels", json={"against": "friend"})).json()
        assert friend["chances"] is None


@pytest.mark.parametrize(("placed", "results"), [((1, 0), ("win", "loss")), ((1, 1), (None, None))])
async def test_an_abandoned_duel_ends_when_it_is_looked_at(
    tmp_path: Path, placed: tuple[int, int], results: tuple[str | None, str | None]
) -> None:
    now = [1_000_000.0]
    async with opened_hall(tmp_path, clock=lambda: now[0]) as hall, hall.visitor() as ada, hall.visitor() as bob:
        spy = Spy(hall, ada, bob)
        await spy.begin()
        for seat, count in enumerate(placed):
            for _ in range(count):
                await spy.place(seat, 5)
        now[0] += MOVING_MS / 1000 - 1
        assert not (await spy.see(0))["finished"]
        now[0] += 1
        late = {"round": placed[1] + 1, "slot": 6}
        assert (await bob.post(spy.path(1) + "/moves", json=late)).status_code == 409
        for seat in (0, 1):
            answer = await spy.clients[seat].get(spy.path(seat))
            game = answer.json()
            assert (game["finished"], game["ended_by"], game["result"]) == (True, "time", results[seat])
            assert (game["round"], game["roll"], len(game["opened"])) == (11, None, 10)
        again = await ada.post(spy.path(0) + "/moves", json={"round": 1, "slot": 5})
        assert (again.status_code, again.json()["finished"]) == (200, False)
