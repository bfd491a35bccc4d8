"""A route for the one request that comes most often, moves: it is read in one step, where others go through FastAPI's.

It is declared like any other, so the reference knows it; what it takes is a path's id and a body of one model. Finding
out what a handler needs costs more than to make the move.
"""

from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import ValidationError

from tentimes18.web.models.games import StrictModel
from tentimes18.web.state import WebState

__all__ = ["QuickRoute"]


class QuickRoute(APIRoute):
    """A route to a handler ``(request, shared, caller, id, body)``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        answer: Callable[..., Coroutine[Any, Any, Response]] = self.endpoint
        model: type[StrictModel] = list(get_type_hints(answer).values())[4]

        async def handle(request: Request) -> Response:
            shared: WebState = request.app.state.shared
            try:
                body = model.model_validate_json(await request.body())
            except ValidationError as error:
                raise RequestValidationError(error.errors(include_url=False, include_input=False)) from None
            return await answer(request, shared, shared.signer.caller(request), request.path_params["id"], body)

        return handle
