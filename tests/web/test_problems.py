"""Problem documents."""

import json
from pathlib import Path

import pytest
from litestar import get
from litestar.exceptions import HTTPException

from tentimes18.errors import IllegalMove, InvalidDice, TooLarge
from tentimes18.server.app import Application
from tentimes18.server.problems import KINDS, Problem, problem_of, problem_response
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.games import NotDue, NotFound
from tentimes18.server.store.writer import Busy
from tests.support.web import opened_hall


@pytest.mark.parametrize(
    ("error", "status", "field"),
    [
        (NotFound("no"), 404, None),
        (NotDue("round 3 is the one to play"), 409, "round"),
        (IllegalMove("slot 5 already holds 8"), 409, "slot"),
        (InvalidDice("cannot read 'x'; accepted: 3d6", "dice", "x"), 422, "dice"),
        (TooLarge("12 slots fit", "slots"), 422, "slots"),
        (Busy(), 503, None),
        (StoreUnavailable("disk"), 503, None),
        (HTTPException(status_code=405, headers={"Allow": "GET"}), 405, None),
        (KeyError("a secret"), 500, None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_become_problems(error: Exception, status: int, field: str | None) -> None:
    response = problem_response(problem_of(error))
    document = json.loads(response.content)
    assert response.status_code == document["status"] == status
    assert document.get("field") == field
    assert ("Retry-After" in response.headers) == (status == 503)
    assert "secret" not in json.dumps(document)


def test_every_kind_says_what_to_do() -> None:
    for slug, kind in KINDS.items():
        problem = Problem(slug, "so it is")
        assert problem.document.type == f"/api/docs#{slug}"
        assert problem.document.title == kind.title
        assert kind.advice.endswith(".")


async def test_a_fault_says_nothing_of_what_was_done(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(app: Application) -> None:
        @get("/api/v1/fault")
        async def fault() -> None:
            raise RuntimeError("a secret")

        app.litestar.register(fault)

    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        fail(hall.app)
        answer = await ada.get("/fault")
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        assert "secret" not in answer.text
        assert (await ada.get("/nothing")).json()["status"] == 404
        assert (await ada.delete("/games")).headers["allow"] == "OPTIONS, POST"
    assert "RuntimeError" in caplog.text  # the operator learns of it
