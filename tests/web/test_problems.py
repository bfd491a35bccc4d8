"""Problem documents."""

import json

import pytest
from litestar.exceptions import HTTPException

from tentimes18.errors import IllegalMove, InvalidDice, TooLarge
from tentimes18.server.problems import KINDS, Problem, problem_of, problem_response
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.games import NotDue, NotFound
from tentimes18.server.store.writer import Busy


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
