"""The lab: any game within limits, solved, advised on, and its scores; the same JSON as the command's.

The routes are those of the declared queries: their parameters, checks, documentation and results. An answer depends on
the question alone: no player is known here, and whoever stands between may cache it.
"""

import asyncio
from collections.abc import Mapping
from inspect import Parameter as Signed
from inspect import Signature
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter, RawBody

from tentimes18.answers.drill import CloseCallsAnswer
from tentimes18.answers.review import OneReviewAnswer
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.queries import QUERIES
from tentimes18.records.notation import record_to_json
from tentimes18.server.game_limits import CLASSIC_DICE, CLASSIC_SLOTS, MOST_CHARACTERS, MOST_ROLL
from tentimes18.server.request import Request
from tentimes18.server.routes.games import not_changed
from tentimes18.server.routes.own_games import LINES
from tentimes18.server.uploads import read_record

LAB = ("solve", "advise", "distribution", "target", "dice")
"""The queries that strangers may ask."""
CACHING = "public, max-age=86400"
MAX_QUESTIONS = 50  # of a drill at once
MAX_SEED = 2**53 - 1  # that a browser's numbers tell apart
MAX_RECORD = 10_000  # bytes
LIMITS: Mapping[str, Mapping[str, Any]] = {
    "roll": {"ge": -MOST_ROLL, "le": MOST_ROLL},
    "digits": {"ge": 1, "le": 1000},
    "moves": {"max_length": 400},
    "opponent": {"max_length": 400},
    "dice": {"max_items": 8},
}
"""What the command leaves to the machine's owner."""
DEFAULTS: Mapping[str, Any] = {"dice": (CLASSIC_DICE,)}
"""Of parameters that the command takes by position."""


async def _answer(request: Request, name: str, arguments: Mapping[str, Any]) -> Response[Any]:
    try:
        answer = await request.shared.lab.ask(name, arguments)
    except IllegalMove as error:  # here a position is no more than what was asked
        raise InvalidGame(error.problem, error.field, error.given) from None
    return answer.response(request, CACHING)


def _route(name: str) -> HTTPRouteHandler:
    """The route of a query."""
    query = QUERIES[name]
    defaults = {p.name: DEFAULTS.get(p.name, ...) if p.is_required else p.default for p in query.parameters}
    types: dict[str, Any] = {"request": Request}
    for parameter in query.parameters:
        limits = LIMITS.get(parameter.name, {})
        if "str" in str(parameter.type) and "list" not in str(parameter.type):
            limits = {"max_length": limits.get("max_length", MOST_CHARACTERS)}
        types[parameter.name] = Annotated[parameter.type, QueryParameter(description=parameter.doc.text, **limits)]
    types["return"] = Response[query.result]  # type: ignore[name-defined]

    async def handler(request: Request, **arguments: Any) -> Any:
        given = {key: value for key, value in arguments.items() if value != defaults[key]}
        return await _answer(request, name, given)

    signed = [Signed("request", Signed.KEYWORD_ONLY, annotation=Request)]
    for key, default in defaults.items():
        empty = Signed.empty if default is ... else default
        signed.append(Signed(key, Signed.KEYWORD_ONLY, default=empty, annotation=types[key]))
    handler.__signature__ = Signature(signed, return_annotation=types["return"])  # type: ignore[attr-defined]
    handler.__annotations__ = types
    handler.__name__, handler.__doc__ = name, query.doc
    return get(f"/lab/{name}", tags=["lab"], rate="compute", responses=not_changed())(handler)


Text = Annotated[str, QueryParameter(max_length=MOST_CHARACTERS)]


@get("/lab/drill", tags=["lab"], rate="compute", responses=not_changed())
async def drill(
    request: Request,
    dice: Text = CLASSIC_DICE,
    slots: Text = CLASSIC_SLOTS,
    count: Annotated[int, QueryParameter(ge=1, le=MAX_QUESTIONS)] = 10,
    seed: Annotated[int, QueryParameter(ge=0, le=MAX_SEED, description="The same seed gives the same questions.")] = 0,
) -> Response[CloseCallsAnswer]:
    """Close calls: positions with a roll to place where the best slot is hard to tell, and what every slot is worth."""
    return await _answer(request, "drill", {"dice": dice, "slots": slots, "count": count, "seed": seed})


@post(
    "/lab/review",
    tags=["lab"],
    status_code=200,
    rate="compute",
    media_types=(*LINES, "application/json"),
    request_max_body_size=MAX_RECORD,
)
async def review(request: Request, body: RawBody) -> Response[OneReviewAnswer]:
    """What each move of a record gave up, and what was luck; a line of text or a JSON object, and nothing is kept."""
    record = await asyncio.to_thread(read_record, body)
    answer = await request.shared.lab.ask_anew("review", {"record": record_to_json(record)})
    return Response[Any](answer, media_type="application/json")


ROUTES = (*map(_route, LAB), drill, review)
