"""The page of the reference: routes by topic, what they take and answer, the problems, the limits and the models."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final

from tentimes18.pictures.colours import style_sheet, whole_tokens
from tentimes18.server.edge.bodies import BODIES, JSON, SECONDS
from tentimes18.server.edge.rates import KINDS as RATE_KINDS
from tentimes18.server.edge.rates import STREAMS
from tentimes18.server.problems import KINDS, MEDIA_TYPE
from tentimes18.server.reference.markup import about, capital, chip, felt_head, field_name, marked_path, prose, table
from tentimes18.server.reference.operations import Document, Operation, example_block, operation_card
from tentimes18.server.reference.schemas import type_of

__all__ = ["STYLE_PATH", "reference_page", "reference_style"]

PAGE_PATH: Final = "/api/docs"
STYLE_PATH: Final = "/api/docs.css"


def reference_style() -> str:
    """The style sheet of the page.

    >>> "--ink" in reference_style()
    True
    """
    return whole_tokens() + style_sheet("reference")


def reference_page(document: Document) -> str:
    """The page of an OpenAPI document.

    >>> reference_page({"info": {"title": "The game"}, "paths": {}})[:15]
    '<!doctype html>'
    """
    title = escape(document["info"]["title"])
    operations = Operation.all_of(document)
    models = document.get("components", {}).get("schemas", {})
    topics: dict[str, list[Operation]] = {}
    for operation in operations:
        topics.setdefault(operation.topic, []).append(operation)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: the API</title>",
        f'<link rel="stylesheet" href="{STYLE_PATH}">',
        "</head>",
        "<body>",
        felt_head(PAGE_PATH),
        '<div class="page">',
        *_navigation(title, topics, models),
        "<main>",
        *_introduction(title, document),
        *(line for topic, found in topics.items() for line in _topic(topic, found, models)),
        *_problems(),
        *_limits(),
        *_models(models),
        "</main>",
        "</div>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def _navigation(title: str, topics: Mapping[str, list[Operation]], models: Iterable[str]) -> Iterator[str]:
    yield f'<nav aria-label="Contents"><p class="name">{title}</p>'
    for topic, operations in topics.items():
        yield f'<a class="topic" href="#topic-{escape(topic)}">{escape(capital(topic))}</a><ul>'
        for operation in operations:
            name = f"{chip(operation.method)} <span>{marked_path(_short(operation.path))}</span>"
            yield f'<li><a href="#{operation.anchor}">{name}</a></li>'
        yield "</ul>"
    for anchor, name in (("problems", "Problems"), ("limits", "Limits"), ("models", "Models")):
        yield f'<a class="topic" href="#{anchor}">{name}</a>'
    yield "<ul>"
    for name in models:
        yield f'<li><a href="#model-{escape(name)}"><span>{escape(name)}</span></a></li>'
    yield "</ul></nav>"


def _introduction(title: str, document: Document) -> Iterator[str]:
    yield f"<header><h1>{title}</h1>"
    yield '<p class="lead">The API of this service: what its pages use, and what a program may.</p>'
    yield "<p>JSON in and out, as UTF-8. An unknown field or a wrong type is refused. The first request that needs a "
    yield "player makes one and answers with a signed cookie: keep it, and send it with every request. All of this as "
    yield 'a machine reads it: <a href="/api/openapi.json">openapi.json</a>.</p>'
    if told := document["info"].get("description"):
        yield prose(told)
    yield "</header>"


def _topic(topic: str, operations: Iterable[Operation], models: Mapping[str, Document]) -> Iterator[str]:
    yield f'<section id="topic-{escape(topic)}"><h2>{escape(capital(topic))}</h2>'
    for operation in operations:
        yield from operation_card(operation, models)
    yield "</section>"


def _problems() -> Iterator[str]:
    yield '<section id="problems"><h2>Problems</h2>'
    yield f"<p>Whatever goes wrong is told as <code>{MEDIA_TYPE}</code> (RFC 9457): <code>type</code> is a link to "
    yield "one of these, <code>detail</code> says what was wrong and what is accepted, and <code>field</code> names "
    yield 'what is to blame, where one thing is.</p><dl class="card problems">'
    for slug, kind in KINDS.items():
        yield f'<div id="{slug}"><dt><b class="problem">{kind.status}</b> {escape(kind.title)}</dt>'
        yield f"<dd>{escape(kind.advice)} <small>{slug}</small></dd></div>"
    yield "</dl></section>"


def _limits() -> Iterator[str]:
    yield '<section id="limits"><h2>Limits</h2>'
    yield "<p>Of each kind of request a player and an address (of IPv6: its /64) may send so many at once, and so many "
    yield "more as time goes by. Beyond that the answer is 429; <code>Retry-After</code> has the seconds to wait.</p>"
    rows = [
        (escape(capital(kind.what)), "-" if kind.player is None else str(kind.player), str(kind.address))
        for kind in RATE_KINDS.values()
    ]
    rows.append(("Streams of events", f"{STREAMS.player} open", f"{STREAMS.address} open"))
    yield '<div class="card">' + table(None, rows, ("Requests", "A player", "An address")) + "</div>"
    sizes = "; ".join(f"{body.most_bytes:,} for {method} {path}" for (method, path), body in BODIES.items())
    yield f"<p>A body has at most {JSON.most_bytes:,} bytes ({sizes}), and comes within {SECONDS:g} seconds.</p>"
    yield "</section>"


def _models(models: Mapping[str, Document]) -> Iterator[str]:
    yield '<section id="models"><h2>Models</h2>'
    for name, model in models.items():
        needed = model.get("required", [])
        yield f'<article class="card" id="model-{escape(name)}"><h3><code>{escape(name)}</code></h3>'
        yield prose(model.get("description", ""))
        rows = [
            (field_name(field, is_needed=field in needed), type_of(part), about(part))
            for field, part in model.get("properties", {}).items()
        ]
        yield table(None, rows) if rows else f"<p>{type_of(model)}</p>"
        if examples := model.get("examples"):
            yield f"<h4>Example</h4>{example_block(examples[0])}"
        yield "</article>"
    yield "</section>"


def _short(path: str) -> str:
    return path.removeprefix("/api/v1")
