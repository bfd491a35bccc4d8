"""What is said when something goes wrong: one problem document (RFC 9457), for whatever is raised.

An error of the core becomes one here, and nowhere else. A fault of ours says nothing of what was being done.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from traceback import extract_tb, format_list
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from tentimes18.errors import IllegalMove, Ten18Error, quoted
from tentimes18.server.bots.tables import NotReady
from tentimes18.server.calculator.calculator import Crashed, NotAnswered
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.games import NotDue, NotFound
from tentimes18.server.store.writer import Busy

__all__ = [
    "KINDS",
    "MEDIA_TYPE",
    "Problem",
    "ProblemKind",
    "documented",
    "problem_of",
    "problem_response",
    "say_problems",
]

MEDIA_TYPE: Final = "application/problem+json"
WHERE: Final = "/api/docs#"
RETRY_SECONDS: Final = 1
LONGEST_DETAIL: Final = 400

_LOG: Final = logging.getLogger("tentimes18.server")


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem: its status, what it is called, and what to do about it."""

    status: int
    title: str
    advice: str


KINDS: Final[Mapping[str, ProblemKind]] = {
    "bad-request": ProblemKind(400, "The request cannot be read", "Send JSON as the reference shows it."),
    "forbidden": ProblemKind(403, "Not allowed", "The detail says when it is."),
    "cross-site": ProblemKind(403, "From another site", "Send it from a page of this service, or from a program."),
    "not-found": ProblemKind(404, "Nothing there", "Look at the id; a game is seen by its player alone."),
    "method": ProblemKind(405, "Not this method", "The header Allow names those that are."),
    "slow": ProblemKind(408, "Too slow", "Send the whole body within the time that the detail names."),
    "conflict": ProblemKind(409, "Not now", "Fetch the game again: the detail says what is due."),
    "too-large": ProblemKind(413, "Too large", "Send less at once."),
    "media-type": ProblemKind(415, "Not this content type", "Send application/json, or what the reference names."),
    "too-long": ProblemKind(414, "Too long an address", "Shorten it."),
    "headers": ProblemKind(431, "Too many or too large headers", "Send fewer."),
    "invalid": ProblemKind(422, "Not valid", "The field that is to blame is named, and what is accepted."),
    "too-many": ProblemKind(429, "Too many requests", "Wait as long as the header Retry-After says."),
    "fault": ProblemKind(500, "A fault of this service", "Try again; whatever was acknowledged is kept."),
    "unavailable": ProblemKind(503, "Not available now", "Try again after as long as the header Retry-After says."),
}


class Problem(Exception):
    """A problem of one of `KINDS`, told in one line, with the field to blame where there is one."""

    def __init__(
        self, kind: str, detail: str, field: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(kind, detail)
        self.kind = KINDS[kind]
        self.slug = kind
        self.detail = detail
        self.field = field
        self.headers = dict(headers or {})
        if self.kind.status in (429, 503):
            self.headers.setdefault("Retry-After", str(RETRY_SECONDS))

    @property
    def document(self) -> dict[str, Any]:
        """The problem document.

        >>> Problem("conflict", "round 3 is the one to play", "round").document["status"]
        409
        """
        document: dict[str, Any] = {
            "type": WHERE + self.slug,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail[:LONGEST_DETAIL],
        }
        return document | ({} if self.field is None else {"field": self.field})


def problem_response(problem: Problem) -> Response:
    """The answer that tells a problem."""
    body = json.dumps(problem.document).encode()
    return Response(body, problem.kind.status, headers=problem.headers, media_type=MEDIA_TYPE)


def documented(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of the problems that it may answer with; of those that all may, too."""
    found: dict[int | str, dict[str, Any]] = {}
    for slug in (*kinds, "bad-request", "invalid", "too-many", "unavailable"):
        kind = KINDS[slug]
        found[kind.status] = {
            "description": kind.title,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
        }
    return found


def problem_of(error: Exception) -> Problem:
    """The problem that an error is for whoever asked.

    >>> problem_of(NotDue("round 3 is the one to play")).slug
    'conflict'
    """
    match error:
        case Problem():
            return error
        case NotFound():
            return Problem("not-found", str(error))
        case NotDue():
            return Problem("conflict", str(error), "round")
        case IllegalMove():
            return Problem("conflict", error.problem, error.field or "slot")
        case NotReady():
            return Problem("unavailable", str(error), error.field, {"Retry-After": str(error.retry_after)})
        case Ten18Error():
            return Problem("invalid", error.told(None), error.field)
        case Busy():
            return Problem("unavailable", "too many requests wait to be written; nothing was changed")
        case StoreUnavailable():
            _LOG.error("the store is unavailable: %s", error)
            return Problem("unavailable", "the games cannot be written or read now; nothing was acknowledged")
        case Crashed():
            return Problem("fault", "the question could not be answered; the operator finds it in the log")
        case NotAnswered():
            return Problem("unavailable", str(error), headers={"Retry-After": str(ceil(error.seconds))})
        case HTTPException():
            return _of_status(error)
        case RequestValidationError():
            return _of_validation(error)
    lines = "".join(format_list(extract_tb(error.__traceback__)))  # not its text, which may hold a roll or a name
    _LOG.error("a fault while answering: %s\n%s", type(error).__name__, lines)
    return Problem("fault", "something went wrong here; the operator finds it in the log")


def _of_status(error: HTTPException) -> Problem:
    slug = next((slug for slug, kind in KINDS.items() if kind.status == error.status_code), "bad-request")
    details = {404: "there is nothing at this address", 405: "this address takes other methods"}
    return Problem(slug, details.get(error.status_code, "the request cannot be read"), headers=error.headers)


def _of_validation(error: RequestValidationError) -> Problem:
    first = error.errors()[0]
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    if first["type"] == "json_invalid":
        return Problem("bad-request", "the body is not JSON")
    names = ".".join(part for part in place if part.isidentifier() or part.isdecimal())
    is_unknown = first["type"] == "extra_forbidden"
    detail = f"{quoted(place[-1])} is not a field that is known here" if is_unknown else str(first["msg"])
    return Problem("invalid", detail, names or None)


def say_problems(app: FastAPI) -> None:
    """Have everything that is raised answered by a problem document."""

    async def answer(_: Request, error: Exception) -> Response:
        return problem_response(problem_of(error))

    ours = (Problem, NotFound, NotDue, Ten18Error, Busy, StoreUnavailable, NotAnswered)
    for kind in (*ours, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, answer)
