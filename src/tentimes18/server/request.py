"""A request as the middleware and the handlers know it: its sender, and its body, read strictly and within limits."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import litestar
import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import Empty

from tentimes18.errors import quoted
from tentimes18.server.identity import new_id
from tentimes18.server.problems import Problem

if TYPE_CHECKING:
    from tentimes18.server.state import WebState

UNKNOWN = "unknown"  # the route of a request whose path no route has
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
STREAMS = "/events"  # a stream is not begun for its head
JSON = ("application/json",)
MAX_JSON = 64_000  # bytes
BODY_SECONDS = 10.0
_FIELD = re.compile(r"`\$\.([\w.]+)")
_NAMED = re.compile(r"(unknown|required) field `(.*?)`")


def allowed_methods(methods: str, path: str) -> str:
    """The methods of an address: every one that takes GET takes HEAD as well, but for streams of events."""
    names = set(methods.split(", "))
    return ", ".join(sorted(names | {"HEAD"} if "GET" in names and not path.endswith(STREAMS) else names))


@dataclass(slots=True)
class RequestInfo:
    """What is known of a request, and of its answer; `scope["info"]`. Times are of the middleware's clock."""

    method: str
    headers: dict[bytes, bytes]
    address: str
    start: float
    player: str | None = None  # the player of the signed cookie
    cookie: str | None = None  # the player whose cookie goes out with a good answer; an empty text removes the cookie
    route: str = UNKNOWN
    status: int = 0
    sent: int = 0
    answered: float = 0.0  # when the answer began
    end: float = 0.0

    @property
    def known_method(self) -> str:
        return self.method if self.method in METHODS else "other"


class Caller(NamedTuple):
    """The player who sent a request; ``is_new`` if it came without a cookie of ours."""

    player: str
    is_new: bool


class Request(litestar.Request[Any, Any, Any]):
    """The request that handlers get.

    A handler's options say what it takes: ``media_types`` of its body; ``request_max_body_size`` is Litestar's own.
    """

    __slots__ = ("_caller",)
    _caller: Caller

    @property
    def info(self) -> RequestInfo:
        info: RequestInfo = self.scope["info"]  # type: ignore[typeddict-item]
        return info

    @property
    def shared(self) -> "WebState":
        shared: WebState = self.app.state["shared"]
        return shared

    @property
    def caller(self) -> Caller:
        """The player of its cookie, or a new one, who gets a cookie for the first change."""
        try:
            return self._caller
        except AttributeError:
            info = self.info
            self._caller = caller = Caller(info.player or new_id(), is_new=info.player is None)
            if caller.is_new and info.method not in SAFE_METHODS:
                info.cookie = caller.player
            return caller

    async def body(self) -> bytes:
        """The body, whole and in time, of a content type that is read here."""
        if self._body is not Empty:
            return self._body
        try:
            async with asyncio.timeout(BODY_SECONDS):
                self._body = body = await self._read()
        except TimeoutError:
            detail = f"the body did not arrive within {BODY_SECONDS:g} s"
            raise Problem("slow", detail, headers={"Connection": "close"}) from None
        accepted = self.route_handler.opt.get("media_types", JSON)
        kind = self.info.headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        if body and kind not in accepted:
            detail = f"this content type is not supported; accepted: {' or '.join(accepted)}"
            raise Problem("media-type", detail)
        return body

    async def _read(self) -> bytes:
        most = self.route_handler.resolve_request_max_body_size() or 0
        length = self.info.headers.get(b"content-length", b"")
        size = int(length) if length.isdigit() else 0  # as it is announced, and then as it comes
        body, has_more = bytearray(), True
        while has_more and size <= most:
            message: Any = await self.receive()
            if message["type"] == "http.disconnect":
                raise Problem("bad-request", "the body ended too early")
            body += message["body"]
            size, has_more = max(size, len(body)), message.get("more_body", False)
        if size > most:
            raise Problem("too-large", f"at most {most:,} bytes are accepted here")
        return bytes(body)

    async def json(self) -> Any:
        """The body as the type that the handler takes; a wrong type or an unknown field is rejected."""
        field = self.route_handler.parsed_data_field
        return read_json(await self.body(), Nothing | None if field is None else field.annotation)


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that says everything by its address: empty, or an empty object."""


@cache
def _decoder(annotation: Any) -> tuple[Callable[[bytes], Any], int]:
    """What decodes a type, and how many names an object has at least: one with as many has none twice."""
    required = 0
    for part in getattr(annotation, "__args__", (annotation,)):
        if isinstance(part, type) and issubclass(part, msgspec.Struct):
            required = sum(field.required for field in msgspec.structs.fields(part))
    return msgspec.json.Decoder(annotation).decode, required


def read_json(body: bytes, annotation: Any) -> Any:
    """The value of this type that a body holds; raises a ``Problem``."""
    decode, required = _decoder(annotation)
    try:
        if body.count(b":") > required:
            with suppress(ValueError):  # no JSON, or too long a number: `decode` finds that
                json.loads(body, object_pairs_hook=_verify_names)
        return decode(body)
    except msgspec.ValidationError as error:
        raise invalid(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Problem("bad-request", "the body is not JSON") from None
    except RecursionError:
        raise Problem("bad-request", "lists and objects are nested too deeply") from None


def invalid(message: str) -> Problem:
    """The problem that msgspec reports."""
    if (match := _NAMED.search(message)) is not None:
        kind, name = match.groups()
        return unknown_field(name) if kind == "unknown" else Problem("invalid", "is required", name)
    place = _FIELD.search(message)
    return Problem("invalid", message.partition(" - at ")[0].replace("`", ""), None if place is None else place[1])


def unknown_field(name: str) -> Problem:
    return Problem("invalid", f"{quoted(name)} is not a known field", name if name.isidentifier() else None)


def _verify_names(pairs: list[tuple[str, Any]]) -> None:
    """Reject a name that is given twice in one object: readers keep the first, or the last, or both."""
    counts = Counter(name for name, _ in pairs)
    if len(counts) < len(pairs):
        ((twice, _),) = counts.most_common(1)
        raise Problem("bad-request", f"{quoted(twice)} is given twice in one object; accepted: each name once")


async def check_request(request: Request) -> litestar.Response[None] | None:
    """Reject what a handler does not take: query parameters that it does not know, and a body that has any field.

    OPTIONS is answered here, with the methods of all handlers of an address.
    """
    handler = request.route_handler
    if request.method == "OPTIONS":
        template = request.scope["path_template"]
        methods = {name for route in request.app.routes if route.path_format == template for name in route.methods}
        allow = allowed_methods(", ".join(methods), request.scope["path"])
        return litestar.Response(None, status_code=204, headers={"Allow": allow})
    if request.scope["query_string"]:
        known = _query_names(handler)
        for name in request.query_params if known else ():
            if name not in known:
                raise unknown_field(name)
    takes_body = not {"data", "body"}.isdisjoint(handler.parsed_fn_signature.parameters)
    if request.method not in SAFE_METHODS and not takes_body and await request.body():
        await request.json()
    return None


@cache
def _query_names(handler: HTTPRouteHandler) -> frozenset[str]:
    parameters = handler.parsed_fn_signature.parameters
    return frozenset(name for name, field in parameters.items() if isinstance(field.kwarg_definition, QueryParameter))
