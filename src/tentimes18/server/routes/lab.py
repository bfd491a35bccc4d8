"""The lab: any game within limits, solved, advised on, and its scores; the same JSON as the command's.

The routes are those of the declared queries: their parameters, checks, documentation and results. An answer depends on
the question alone: no player is known here, and any proxy in between may cache it.
"""

import asyncio
from inspect import Parameter as Signed
from inspect import Signature
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter, RawBody

from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.queries import LAB, QUERIES, Parameter, Query
from tentimes18.records.notation import record_to_json
from tentimes18.server.request import Request
from tentimes18.server.routes.games import NOT_CHANGED
from tentimes18.server.routes.me import LINES
from tentimes18.server.uploads import read_record

CACHING = "public, max-age=86400"
MAX_RECORD = 10_000  # bytes


def _parameter(parameter: Parameter) -> Any:
    """The type of a parameter with its documentation, and with the limits for strangers."""
    doc, name = parameter.doc, str(parameter.type)
    limits: dict[str, Any] = {}
    if "list" in name:
        limits["max_items"] = doc.max_items
    elif "str" in name:
        limits["max_length"] = doc.max_length
    elif "int" in name:
        limits["ge"] = doc.least if doc.lab_least is None else doc.lab_least
        limits["le"] = doc.most if doc.lab_most is None else doc.lab_most
    return Annotated[parameter.type, QueryParameter(description=doc.text, **limits)]


def _get(query: Query) -> HTTPRouteHandler:
    defaults: dict[str, Any] = {"request": Signed.empty}
    for parameter in query.parameters:
        default = Signed.empty if parameter.is_required else parameter.default
        defaults[parameter.name] = tuple(default) if isinstance(default, list) else default  # as Litestar wants it
    types = {"request": Request} | {parameter.name: _parameter(parameter) for parameter in query.parameters}

    async def handler(request: Request, **arguments: Any) -> Response[Any]:
        question = {name: value for name, value in arguments.items() if value != defaults[name]}
        try:
            answer = await request.shared.lab.ask(query.name, question, request.info.address)
        except IllegalMove as error:  # here a position is no more than what was asked
            raise InvalidGame(error.problem, error.field, error.value) from None
        return answer.response(request, CACHING)

    signed = [Signed(name, Signed.KEYWORD_ONLY, annotation=types[name], default=defaults[name]) for name in types]
    result: Any = Response[query.result]  # type: ignore[name-defined]
    handler.__signature__ = Signature(signed, return_annotation=result)  # type: ignore[attr-defined]
    handler.__annotations__ = types | {"return": result}
    handler.__name__, handler.__doc__ = query.name, query.doc
    return get(f"/lab/{query.name}", rate="compute", responses=NOT_CHANGED)(handler)


def _post(query: Query) -> HTTPRouteHandler:
    """The route of a query on a record, which is the body: a line of text, or a JSON object."""

    async def handler(request: Request, body: RawBody) -> Response[Any]:
        record = await asyncio.to_thread(read_record, body)
        answer = await request.shared.lab.ask_anew(query.name, {"record": record_to_json(record)}, request.info.address)
        return Response(answer, media_type="application/json")

    handler.__annotations__["return"] = Response[query.result]  # type: ignore[name-defined]
    handler.__name__, handler.__doc__ = query.name, query.doc
    return post(
        f"/lab/{query.name}",
        status_code=200,
        rate="compute",
        media_types=(*LINES, "application/json"),
        request_max_body_size=MAX_RECORD,
    )(handler)


ROUTES = [_post(query) if query.takes_record else _get(query) for query in map(QUERIES.__getitem__, LAB)]
