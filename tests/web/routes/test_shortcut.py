"""The shortcut: it answers as the routes do, to the byte, and refuses in the same words."""

import asyncio
import json
from pathlib import Path

from tentimes18.server.routes.shortcut import Shortcut
from tests.support.web import ORIGIN, opened_hall

AS_JSON = {"content-type": "application/json"}


def test_a_body_that_is_wrong_is_told_as_elsewhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            game = (await ada.post("/games")).json()
            place = f"/games/{game['id']}/moves"
            for body, status, field in (
                (b"{", 400, None),
                (b"", 400, None),
                (b"\xff", 400, None),
                (b"[]", 422, None),
                (b'{"round": 1, "slot": "x"}', 422, "slot"),
                (b'{"round": 1, "slot": 1, "score": 700}', 422, "score"),
                (b'{"round": 1, "slot": "\\ud800"}', 422, "slot"),
                (b'{"round": 1, "slot": 1, "slot": 2}', 400, None),
            ):
                answer = await ada.post(place, content=body, headers=AS_JSON)
                assert answer.headers["content-type"] == "application/problem+json"
                assert (answer.status_code, answer.json().get("field")) == (status, field), answer.text

    asyncio.run(scenario())


def test_it_answers_as_the_routes_do(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            await ada.post("/games")  # to be known
            inner = hall.app.front.app
            assert isinstance(inner, Shortcut)
            answers = dict(inner._answers)
            game = (await ada.post("/games")).json()
            for sent in (
                {"round": 1, "slot": 4},
                {"round": 1, "slot": 5},
                {"round": 7, "slot": 5},
                {"round": 2, "slot": 4},
                {},
            ):
                replies = []
                for known in (answers, {}):
                    inner._answers = known
                    replies.append(await ada.post(f"/games/{game['id']}/moves", json=sent))
                quick, slow = replies
                assert (quick.status_code, quick.content) == (slow.status_code, slow.content)
                assert {*quick.headers.items()} == {*slow.headers.items()}
            for body in (
                *({}, {"coach": "loud"}, {"dice": "3x6"}, {"slots": [1, 2]}, {"score": 1}),
                *({"slots": [True, 2]}, {"dice": "\ud800"}, {"slots": "\ud800"}),
            ):
                replies = []
                for known in (answers, {}):
                    inner._answers = known
                    text = json.dumps(body).encode()  # also half a letter, which httpx would not send
                    replies.append(await ada.post("/games", content=text, headers=AS_JSON))
                quick, slow = replies
                assert quick.status_code == slow.status_code
                assert quick.json().keys() == slow.json().keys()
                if quick.status_code != 201:
                    assert quick.content == slow.content

    asyncio.run(scenario())


def test_the_reference_knows_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            document = (await ada.get(f"{ORIGIN}/api/openapi.json")).json()
            operation = document["paths"]["/api/v1/games/{id}/moves"]["post"]
            assert operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("MoveRequest")
            assert operation["responses"].keys() >= {"200", "404", "409", "422"}

    asyncio.run(scenario())
