"""Answers that are kept: asked once, however many ask, and no more of them than there is room for."""

import asyncio
import gzip
import json
from typing import Any

import pytest
from litestar import Request

from tentimes18.errors import InvalidDice
from tentimes18.plan import Limits
from tentimes18.server.calculator.calculator import Calculator
from tentimes18.server.calculator.kept_answers import (
    OVERHEAD,
    WARM,
    KeptAnswers,
    coach_answers,
    lab_answers,
)
from tentimes18.server.calculator.lab_questions import LAB_QUESTIONS
from tentimes18.server.http_caching import CachedBody
from tests.support.asgi import http_scope
from tests.support.odd_questions import COMMAND


def test_the_same_question_is_asked_once() -> None:
    async def scenario() -> None:
        answers = KeptAnswers(Calculator(COMMAND), most_bytes=10_000)
        try:
            count = [answers.ask("count", {"a": 1, "b": 2}), answers.ask("count", {"b": 2, "a": 1})]
            first, second = await asyncio.gather(*count)  # at once
            assert first == second == await answers.ask("count", {"a": 1, "b": 2})  # and later
            assert json.loads(first.body) == {"asked": 1}
            assert json.loads((await answers.ask("count", {"a": 2})).body) == {"asked": 2}
            assert len(answers) == 2
        finally:
            await answers.calculator.close()

    asyncio.run(scenario())


def test_who_goes_does_not_take_the_answer_from_the_others() -> None:
    async def scenario() -> None:
        answers = KeptAnswers(Calculator(COMMAND), most_bytes=10_000)
        try:
            first, second = (asyncio.create_task(answers.ask("sleep", {"seconds": 0.1})) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            assert json.loads((await second).body) == {"slept": 0.1}
        finally:
            await answers.calculator.close()

    asyncio.run(scenario())


def test_those_asked_longest_ago_go_first() -> None:
    async def scenario() -> None:
        answers = KeptAnswers(Calculator(COMMAND), most_bytes=3 * (OVERHEAD + 100))
        try:
            for name in "abcad":
                await answers.ask("count", {name: 1})
            assert len(answers) == 3
            assert answers.nbytes <= answers.most_bytes
            asked = [json.loads((await answers.ask("count", {name: 1})).body)["asked"] for name in "acdb"]
            assert asked == [1, 3, 4, 5]  # b was forgotten
            answers.most_bytes = 1
            await answers.ask("count", {"e": 1})
            assert (len(answers), answers.nbytes) == (0, 0)
        finally:
            await answers.calculator.close()

    asyncio.run(scenario())


def test_an_error_is_not_kept() -> None:
    async def scenario() -> None:
        answers = coach_answers()
        try:
            for _ in range(2):
                with pytest.raises(InvalidDice):
                    await answers.ask("advice", {"dice": "x", "slots": "1", "moves": "", "roll": 1})
            assert len(answers) == 0
        finally:
            await answers.calculator.close()

    asyncio.run(scenario())


def test_the_lab_is_ready_before_it_is_asked() -> None:
    async def scenario() -> None:
        answers = lab_answers()
        answers.calculator.start(after=0.01)
        try:
            while not answers.calculator.is_ready:
                await asyncio.sleep(0.01)
            assert len(answers.calculator.pids) == 1
        finally:
            await answers.calculator.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(("question", "data"), WARM)
def test_what_it_gets_ready_by_has_answers(question: str, data: dict[str, Any]) -> None:
    assert LAB_QUESTIONS[question](Limits(1e9, 4), **data)


def test_an_etag_is_of_the_bytes() -> None:
    etag = CachedBody.of(b"{}").etag
    assert etag.startswith('"')
    assert etag.endswith('"')
    assert etag != CachedBody.of(b"{} ").etag


def asked(**headers: str) -> Any:
    told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request(http_scope() | {"headers": told})


def test_a_long_answer_is_packed_for_whoever_takes_it_so() -> None:
    answer = CachedBody.of(b"[" + b"0.125, " * 1000 + b"1]")
    plain = answer.response(asked(), "no-cache")
    packed = answer.response(asked(accept_encoding="gzip"), "no-cache")
    assert gzip.decompress(packed.content) == plain.content == answer.body
    assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert plain.headers["etag"] != packed.headers["etag"]
    again = answer.response(asked(accept_encoding="gzip", if_none_match=packed.headers["etag"]), "no-cache")
    assert (again.status_code, again.content) == (304, None)
    short = CachedBody.of(b"{}").response(asked(accept_encoding="gzip"), "no-cache")
    assert (short.content, "content-encoding" in short.headers) == (b"{}", False)
