"""What is said when something goes wrong: one problem document (RFC 9457), for whatever is raised.

An error of the core becomes one here, and nowhere else. A fault of ours says nothing of what was being done.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from traceback import extract_tb, format_list

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec

from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.server.bot_tables import NotReady
from tentimes18.server.calculator import Crashed, NotAnswered
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.games import NotDue, NotFound
from tentimes18.server.store.writer import Busy

MEDIA_TYPE = "application/problem+json"
WHERE = "/api/docs#"
RETRY_SECONDS = 1
MAX_DETAIL = 400

_MISSING = re.compile(r"parameter '(\w+)'")
_LOG = logging.getLogger("tentimes18.server")


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem: its status, what it is called, and what to do about it."""

    status: int
    title: str
    advice: str


KINDS: Mapping[str, ProblemKind] = {
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


class ProblemDocument(msgspec.Struct, omit_defaults=True):
    """What went wrong (RFC 9457), and what to do."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None


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
    def document(self) -> ProblemDocument:
        """The problem document."""
        return ProblemDocument(
            WHERE + self.slug, self.kind.title, self.kind.status, self.detail[:MAX_DETAIL], self.field
        )


def problem_response(problem: Problem) -> Response[bytes]:
    """The answer that is a problem."""
    body = msgspec.json.encode(problem.document)
    return Response(body, status_code=problem.kind.status, headers=problem.headers, media_type=MEDIA_TYPE)


def documented(*kinds: str) -> dict[int, ResponseSpec]:
    """The problems that a route may answer with, for the OpenAPI document."""
    return {
        KINDS[slug].status: ResponseSpec(
            ProblemDocument, generate_examples=False, description=KINDS[slug].title, media_type=MEDIA_TYPE
        )
        for slug in kinds
    }


def problem_of(error: Exception) -> Problem:
    """The problem that an error is for whoever asked."""
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
    lines = "".join(format_list(extract_tb(error.__traceback__)))  # not its text, which may hold a roll or a name
    _LOG.error("a fault while answering: %s\n%s", type(error).__name__, lines)
    return Problem("fault", "something went wrong here; the operator finds it in the log")


def _of_status(error: HTTPException) -> Problem:
    if isinstance(error, ValidationException):
        return _of_parameter(error)
    slug = next((slug for slug, kind in KINDS.items() if kind.status == error.status_code), "bad-request")
    details = {404: "there is nothing at this address"}
    return Problem(slug, details.get(error.status_code, "the request cannot be read"))


def _of_parameter(error: ValidationException) -> Problem:
    """A parameter that is missing, or is not of its type."""
    if isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        field = first.get("key")
        if field == "data":
            return Problem("invalid", "the body is missing")
        return Problem("invalid", first["message"].replace("`", ""), field)
    missing = _MISSING.search(error.detail)
    return Problem("invalid", "is required", None if missing is None else missing[1])
