"""The two requests that come most often, beginning a game and moving, answered on a shorter way than all others.

Finding the route, and what its handler needs, costs more than to make a move. So these two are read in one step and
handed to the same handlers as the routes do; the routes are there all the same, and describe them.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from tentimes18.server.models.games import MoveRequest, NewGameRequest, StrictModel
from tentimes18.server.problems import problem_of, problem_response
from tentimes18.server.routes.games import begin, place
from tentimes18.server.state import WebState

__all__ = ["Shortcut"]

Answer: TypeAlias = Callable[[Request, WebState], Awaitable[Response]]
Sent = TypeVar("Sent", bound=StrictModel)


class Shortcut:
    """A layer between the edge, which knows the route of a request, and the application."""

    def __init__(self, app: ASGIApp, shared: Callable[[], WebState], prefix: str = "") -> None:
        self._app = app
        self._shared = shared
        self._answers = {("POST", prefix + template): answer for template, answer in _ANSWERS.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http" or (
            (answer := self._answers.get((scope["method"], scope["visit"].template))) is None
        ):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            response = await answer(request, self._shared())
        except Exception as error:
            response = problem_response(problem_of(error))
        await response(scope, receive, send)


async def _begin(request: Request, shared: WebState) -> Response:
    body = await _body(request)
    wanted = None if body in (b"", b"null") else _read(NewGameRequest, body)
    return await begin(request, shared, shared.signer.caller(request), wanted)


async def _place(request: Request, shared: WebState) -> Response:
    move = _read(MoveRequest, await _body(request))
    return await place(request, shared, shared.signer.caller(request), request.scope["path"].split("/")[-2], move)


async def _body(request: Request) -> bytes:
    """The body, which the edge has already and gives in one message."""
    body: bytes = (await request.receive())["body"]
    return body


_ANSWERS: Final[dict[str, Answer]] = {"/games": _begin, "/games/{id}/moves": _place}


def _read(model: type[Sent], body: bytes) -> Sent:
    try:
        return model.model_validate_json(body)
    except ValidationError as quick:
        error = quick
    if error.errors()[0]["type"] == "json_invalid":  # by a stricter reader than that of the routes: half a letter, say
        try:
            return model.model_validate(json.loads(body))
        except ValidationError as slow:
            error = slow
        except ValueError:
            pass
    raise RequestValidationError(error.errors(include_url=False, include_input=False)) from None
