"""Forgery: foreign games, requests of other sites, scores that somebody sends: all rejected.

A rejected request changes nothing: after each attempt the game is what it was.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tentimes18.server.identity import COOKIE, new_id
from tests.support.web import ORIGIN, Hall, opened_hall, play_on


@asynccontextmanager
async def mallory(hall: Hall) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody else, with a player of their own."""
    async with hall.visitor() as client:
        assert (await client.post("/games")).status_code == 201
        yield client


async def every_way_in(client: httpx.AsyncClient, game: dict[str, Any]) -> list[httpx.Response]:
    """What its player could do with a game."""
    where = f"/games/{game['id']}"
    move = {"round": game["round"], "slot": 1}
    asked = [await client.get(f"{where}{part}") for part in ("", "/advice", "/review", "/events")]
    return [*asked, await client.post(f"{where}/moves", json=move)]


@asynccontextmanager
async def played_by_ada(folder: Path) -> AsyncIterator[tuple[Hall, httpx.AsyncClient, dict[str, Any]]]:
    """Ada plays; somebody tries something; her game is what it was, and goes on."""
    async with opened_hall(folder) as hall, hall.visitor() as ada:
        game = await play_on(ada, (await ada.post("/games")).json(), 2)
        yield hall, ada, game
        assert (await ada.get(f"/games/{game['id']}")).json() == game
        assert (await play_on(ada, game, 1))["round"] == game["round"] + 1


def verify_refused(answers: list[httpx.Response], game: dict[str, Any]) -> None:
    """Nothing there, for all anybody can tell: no answer differs from that for a game that never was."""
    assert {answer.status_code for answer in answers} == {404}
    for answer in answers:
        assert game["id"] not in answer.text
        assert not any(digest in answer.text for digest in game["commitments"])


async def test_a_foreign_game_is_not_there(tmp_path: Path) -> None:
    async with played_by_ada(tmp_path) as (hall, _, game):
        async with mallory(hall) as client:
            foreign = await every_way_in(client, game)
            verify_refused(foreign, game)
            never = await every_way_in(client, game | {"id": new_id()})
            assert [answer.json() for answer in foreign] == [answer.json() for answer in never]
        async with hall.visitor() as nobody:
            verify_refused(await every_way_in(nobody, game), game)


FROM_ELSEWHERE: list[dict[str, str]] = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": ORIGIN.replace("http:", "https:")},
    {"Origin": f"{ORIGIN}:81"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": ORIGIN},
]


async def test_a_page_of_another_site_moves_nothing(tmp_path: Path) -> None:
    async with played_by_ada(tmp_path) as (_, ada, game):
        move = {"round": game["round"], "slot": 5}
        for headers in FROM_ELSEWHERE:
            asked = [
                await ada.post(f"/games/{game['id']}/moves", json=move, headers=headers),
                await ada.post("/games", headers=headers),
                await ada.patch("/me", json={"name": "Mallory"}, headers=headers),
                await ada.delete("/me", headers=headers),
            ]
            for answer in asked:
                assert answer.status_code == 403
                assert answer.json()["type"] == "/api/docs#cross-site"
                assert "set-cookie" not in answer.headers


SENT: list[dict[str, Any]] = [
    {"score": 1000},
    {"roll": 18},
    {"board": {"10": 18}},
    {"finished": True},
    {"opened": []},
    {"player": "AAAAAAAAAAAAAAAAAAAAAA"},
]


async def test_a_score_sent_by_a_client_is_rejected(tmp_path: Path) -> None:
    async with played_by_ada(tmp_path) as (_, ada, game):
        move = {"round": game["round"], "slot": 5}
        for sent in SENT:
            for answer in (
                await ada.post(f"/games/{game['id']}/moves", json=move | sent),
                await ada.post("/games", json=sent),
            ):
                assert answer.status_code == 422
                assert answer.json()["field"] == next(iter(sent))


async def test_a_game_is_not_moved_by_other_means(tmp_path: Path) -> None:
    async with played_by_ada(tmp_path) as (_, ada, game):
        where = f"/games/{game['id']}"
        asked = [await ada.request(method, where, json=game) for method in ("PUT", "PATCH", "DELETE", "POST")]
        asked += [await ada.request(method, f"{where}/moves") for method in ("GET", "PUT", "DELETE")]
        assert {answer.status_code for answer in asked} == {405}
        moves = f"{where}/moves"
        wrong = [{"round": game["round"] + 1, "slot": 5}, {"round": 1, "slot": 9}, {"round": game["round"], "slot": 1}]
        assert {(await ada.post(moves, json=move)).status_code for move in wrong} == {409}
        outside = {"round": game["round"], "slot": 11}
        assert (await ada.post(moves, json=outside)).status_code in (409, 422)


async def test_a_player_is_not_taken_over(tmp_path: Path) -> None:
    """With the code of a link that is made up, altered, or taken from elsewhere."""
    async with played_by_ada(tmp_path) as (hall, ada, game):
        code = (await ada.post("/me/link")).json()["code"]
        async with mallory(hall) as client:
            before = client.cookies[COOKIE]
            altered = [code[:-1] + ("A" if code[-1] != "A" else "B"), code[::-1], new_id(), ada.cookies[COOKIE][:22]]
            for made_up in altered:
                answer = await client.post("/link", json={"code": made_up})
                assert answer.status_code in (404, 422), answer.text
                assert "set-cookie" not in answer.headers
            assert client.cookies[COOKIE] == before
            assert game["id"] not in (await client.get("/me/games")).text
