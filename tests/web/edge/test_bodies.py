"""Bodies: whole, not too large, not too slow, of the right kind."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from tentimes18.server.edge.bodies import BODIES, JSON, LONGEST_PATH, LONGEST_QUERY, Bodies
from tests.support.asgi import Answered, asked, echo, http_scope, sent, visited

MOVES = "/api/v1/games/x7/moves"
IMPORT = "/api/v1/me/games"
AS_JSON = {"content-type": "application/json"}


def ask(
    messages: list[Message], headers: dict[str, str], method: str = "POST", path: str = MOVES, **others: Any
) -> Answered:
    app = visited(Bodies(echo, seconds=60.0))
    return asyncio.run(asked(app, http_scope(method, path, headers, **others), messages))


@pytest.mark.parametrize("parts", [[b'{"round": 1}'], [b'{"ro', b'und"', b": 1}"]])
@pytest.mark.parametrize("is_told", [True, False])
def test_a_body_comes_whole(parts: list[bytes], is_told: bool) -> None:
    length = {"content-length": "12"} if is_told else {"transfer-encoding": "chunked"}
    assert ask(sent(*parts), AS_JSON | length).body == b'{"round": 1}'


def test_a_body_of_known_length_is_not_waited_for_any_longer() -> None:
    headers = AS_JSON | {"content-length": "2"}
    assert ask(sent(b"{}", is_whole=False), headers).body == b"{}"


def test_without_a_body_nothing_is_waited_for() -> None:
    assert ask([], {}).status == 200
    assert ask([], {"content-length": "0"}).status == 200


def test_too_large_is_refused_by_its_length_before_it_comes() -> None:
    answer = ask([], AS_JSON | {"content-length": str(JSON.most_bytes + 1)})
    assert (answer.status, answer.json["type"]) == (413, "/api/docs#too-large")
    assert f"{JSON.most_bytes:,}" in answer.json["detail"]
    assert ask([], AS_JSON | {"content-length": "9" * 19}).status == 413


def test_too_large_is_refused_as_it_comes() -> None:
    chunked = AS_JSON | {"transfer-encoding": "chunked"}
    endless = sent(*[b"x" * 8000] * 9, is_whole=False)
    assert ask(endless, chunked).status == 413
    fits = sent(b"x" * JSON.most_bytes)
    assert ask(fits, chunked).status == 200


def test_the_import_of_records_may_be_longer() -> None:
    body = BODIES["POST", IMPORT]
    headers = {"content-type": "application/x-ndjson", "content-length": "1000000"}
    assert ask(sent(b"x" * 1_000_000), headers, path=IMPORT).status == 200
    assert ask([], headers | {"content-length": str(body.most_bytes + 1)}, path=IMPORT).status == 413


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "\xff"])
def test_another_content_type_is_refused(kind: str) -> None:
    answer = ask(sent(b"{}"), {"content-type": kind, "content-length": "2"})
    assert (answer.status, answer.json["type"]) == (415, "/api/docs#media-type")
    assert "application/json" in answer.json["detail"]


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;x=y"])
def test_json_is_told_in_many_ways(kind: str) -> None:
    assert ask(sent(b"{}"), {"content-type": kind, "content-length": "2"}).status == 200


def test_a_name_given_twice_is_refused_in_any_json_and_only_there() -> None:
    body = b'{"slot": 1, "slot": 2}'
    answer = ask(sent(body), AS_JSON | {"content-length": str(len(body))})
    assert (answer.status, answer.json["type"]) == (400, "/api/docs#bad-request")
    assert "'slot' is given twice" in answer.json["detail"]
    lines = {"content-type": "application/x-ndjson", "content-length": str(len(body))}
    assert ask(sent(body), lines, path=IMPORT).body == body


def test_a_body_that_ends_early_is_no_body() -> None:
    headers = AS_JSON | {"content-length": "12"}
    assert ask(sent(b'{"round"'), headers).status == 400
    assert ask([*sent(b'{"round"', is_whole=False), {"type": "http.disconnect"}], headers).status == 400


def test_what_a_get_brings_is_read_and_forgotten() -> None:
    answer = ask(sent(b"junk"), {"content-length": "4"}, method="GET")
    assert (answer.status, answer.body) == (200, b"")
    assert ask([], {"content-length": "10000000"}, method="GET").status == 413


def test_too_long_an_address_is_refused() -> None:
    assert ask([], {}, method="GET", path="/" + "x" * LONGEST_PATH).status == 414
    assert ask([], {}, method="GET", query_string=b"x" * (LONGEST_QUERY + 1)).status == 414


def test_a_slow_body_is_given_up_and_others_go_on() -> None:
    async def scene() -> None:
        bodies = Bodies(echo, seconds=0.05)
        app = visited(bodies)
        headers = AS_JSON | {"content-length": "12"}

        def post(*parts: bytes) -> "asyncio.Task[Answered]":
            messages = sent(*parts, is_whole=False)
            return asyncio.create_task(asked(app, http_scope("POST", MOVES, headers), messages))

        slow = [post(b'{"ro'), post(), post(b"{")]
        quick = post(b'{"round": 1}')
        assert (await quick).status == 200
        answers = [await task for task in slow]
        assert [answer.status for answer in answers] == [408] * 3
        assert answers[0].json["type"] == "/api/docs#slow"
        assert answers[0].headers["connection"] == "close"
        assert (await post()).status == 408, "the timer goes on for those who come later"

    asyncio.run(scene())


def test_a_request_cancelled_by_others_is_cancelled() -> None:
    async def scene() -> None:
        app = visited(Bodies(echo, seconds=60.0))
        task = asyncio.create_task(asked(app, http_scope("POST", MOVES, AS_JSON | {"content-length": "12"})))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scene())


def test_after_the_body_the_connection_is_heard() -> None:
    heard: list[str] = []

    async def listener(_scope: Scope, receive: Receive, send: Send) -> None:
        heard.extend([(await receive())["type"], (await receive())["type"]])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = http_scope("POST", MOVES, AS_JSON | {"content-length": "2"})
    messages = [*sent(b"{}", is_whole=False), {"type": "http.disconnect"}]
    asyncio.run(asked(visited(Bodies(listener)), scope, messages))
    assert heard == ["http.request", "http.disconnect"]
