"""Errors as problem documents (RFC 9457), one for whatever is raised.

An error of the core becomes one here, and nowhere else. An internal error reveals nothing about the request.
"""

import logging
import re
from collections.abc import Mapping
from math import ceil
from traceback import extract_tb, format_list
from typing import NamedTuple

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec

from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.server.calculator import Crashed, NotAnswered
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.writer import Busy

MEDIA_TYPE = "application/problem+json"
WHERE = "/api/docs#"
RETRY_SECONDS = 1
MAX_DETAIL = 400

_MISSING = re.compile(r"parameter '(\w+)'")
_LOG = logging.getLogger("tentimes18.server")


class ProblemKind(NamedTuple):
    status: int
    title: str
    advice: str


KINDS: Mapping[str, ProblemKind] = {
    "bad-request": ProblemKind(400, "The request cannot be read", "Send JSON as shown in the reference."),
    "forbidden": ProblemKind(403, "Not allowed", "The detail says when it is allowed."),
    "cross-site": ProblemKind(403, "From another site", "Send it from a page of this service, or from a program."),
    "not-found": ProblemKind(404, "Not found", "Check the id. Only its player can see a game."),
    "method": ProblemKind(405, "Method not allowed", "The header Allow lists the methods."),
    "slow": ProblemKind(408, "Too slow", "Send the whole body within the time that the detail names."),
    "conflict": ProblemKind(409, "Conflict", "Fetch the game again: the detail says what is due."),
    "too-large": ProblemKind(413, "Too large", "Send less in one request."),
    "media-type": ProblemKind(415, "Unsupported content type", "Send application/json, or the type in the reference."),
    "too-long": ProblemKind(414, "Address too long", "Shorten the address."),
    "headers": ProblemKind(431, "Too many or too large headers", "Send fewer."),
    "invalid": ProblemKind(422, "Invalid value", "The document names the field, and what is accepted."),
    "too-many": ProblemKind(429, "Too many requests", "Wait as long as the header Retry-After says."),
    "fault": ProblemKind(500, "Internal error", "Try again. Everything acknowledged is stored."),
    "unavailable": ProblemKind(503, "Temporarily unavailable", "Wait as long as the header Retry-After says."),
}


class ProblemDocument(msgspec.Struct, omit_defaults=True):
    """What went wrong (RFC 9457), and what to do."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None


class Problem(Exception):
    """A problem of one of `KINDS`, described in one line, with the field that caused it if there is one."""

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
    def document(self) -> ProblemDocument:
        kind = self.kind
        return ProblemDocument(WHERE + self.slug, kind.title, kind.status, self.detail[:MAX_DETAIL], self.field)


class NotFound(Problem):
    """It does not exist, or it belongs to somebody else."""

    def __init__(self, detail: str = "there is no such game of yours") -> None:
        super().__init__("not-found", detail)


def problem_response(problem: Problem) -> Response[bytes]:
    body = msgspec.json.encode(problem.document)
    return Response(body, status_code=problem.kind.status, headers=problem.headers, media_type=MEDIA_TYPE)


def described(answer: type, description: str, media_type: str = "application/json") -> dict[int, ResponseSpec]:
    """An answer of 200 beside the handler's own, or of another content type, for the OpenAPI document."""
    return {200: ResponseSpec(answer, generate_examples=False, media_type=media_type, description=description)}


def documented(*kinds: str) -> dict[int, ResponseSpec]:
    """The problems that a route may answer with, for the OpenAPI document."""
    return {
        kind.status: described(ProblemDocument, kind.title, MEDIA_TYPE)[200] for kind in map(KINDS.__getitem__, kinds)
    }


def problem_of(error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case IllegalMove():
            return Problem("conflict", error.problem, error.field or "slot")
        case Ten18Error():
            return Problem("invalid", error.message(None), error.field)
        case Busy():
            return Problem("unavailable", "too many requests wait to be written; nothing was changed")
        case StoreUnavailable():
            _LOG.error("the store is unavailable: %s", error)
            return Problem("unavailable", "the games cannot be written or read now; nothing was acknowledged")
        case Crashed():
            return Problem("fault", "the question could not be answered; the log of the server says why")
        case NotAnswered():
            return Problem("unavailable", str(error), headers={"Retry-After": str(ceil(error.seconds))})
        case HTTPException():
            return _of_status(error)
    lines = "".join(format_list(extract_tb(error.__traceback__)))  # not its text, which may hold a roll or a name
    _LOG.error("error while answering: %s\n%s", type(error).__name__, lines)
    return Problem("fault", "something went wrong; the log of the server says what")


def _of_status(error: HTTPException) -> Problem:
    if isinstance(error, ValidationException):  # a parameter that is missing, or is not of its type
        if isinstance(error.extra, list) and error.extra:
            first = error.extra[0]
            if first.get("key") == "data":
                return Problem("invalid", "the body is missing")
            return Problem("invalid", first["message"].replace("`", ""), first.get("key"))
        missing = _MISSING.search(error.detail)
        return Problem("invalid", "is required", None if missing is None else missing[1])
    slug = next((slug for slug, kind in KINDS.items() if kind.status == error.status_code), "bad-request")
    return Problem(slug, "there is nothing at this address" if slug == "not-found" else "the request cannot be read")
