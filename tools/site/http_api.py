"""The page of the HTTP API, from the description that the service gives of itself."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tentimes18.server.app import Application
from tentimes18.server.problems import KINDS, MEDIA_TYPE
from tentimes18.server.reference.markup import about, capital, field_name, pretty
from tentimes18.server.reference.operations import Operation
from tentimes18.server.reference.schemas import type_of
from tentimes18.server.settings import Service

__all__ = ["http_page"]

FIRST: Final = """# The HTTP API

JSON in and out, as UTF-8, under `/api/v1`. An unknown field or a wrong type is refused. The first request that needs a
player makes one and answers with a signed cookie: keep it, and send it with every request. A service tells all of this
itself, with examples, at `/api/docs`, and to machines at `/api/openapi.json`. What it promises, and its limits:
[the service](service.md).

"""


def http_page() -> str:
    """The page, in Markdown."""
    document = Application(Service(Path("nowhere"), b"x" * 32)).openapi
    topics: dict[str, list[Operation]] = {}
    for operation in Operation.all_of(document):
        topics.setdefault(operation.topic, []).append(operation)
    parts = [FIRST]
    for topic, operations in topics.items():
        parts.append(f"## {capital(topic)}\n\n")
        parts += (part for operation in operations for part in _operation(operation))
    parts += _problems()
    parts += _models(document["components"]["schemas"])
    return "".join(parts)


def _operation(operation: Operation) -> Iterator[str]:
    told = operation.told
    yield f"### `{operation.method} {operation.path}`\n\n"
    yield f"{_prose(told.get('description') or told.get('summary', ''))}\n\n"
    if parameters := told.get("parameters"):
        yield "| takes | | |\n| --- | --- | --- |\n"
        for part in parameters:
            name = field_name(part["name"], is_needed=part.get("required", False))
            yield _row(name, type_of(part["schema"]), about(part))
        yield "\n"
    for kind, content in (told.get("requestBody") or {}).get("content", {}).items():
        yield f"Body: {type_of(content.get('schema', {}))} <small>{kind}</small>\n\n"
    for status, answer in sorted(told.get("responses", {}).items()):
        for kind, part in answer.get("content", {}).items():
            if status.startswith("2") and kind != MEDIA_TYPE:
                yield f"Answer {status}: {type_of(part.get('schema', {}))} <small>{kind}</small>\n\n"


def _problems() -> Iterator[str]:
    yield f"## Problems\n\nWhatever goes wrong is told as `{MEDIA_TYPE}` (RFC 9457).\n\n"
    yield "| status | type | what it means |\n| --- | --- | --- |\n"
    for slug, kind in KINDS.items():
        yield _row(str(kind.status), f"`{slug}`", f"{kind.title}. {kind.advice}")
    yield "\n"


def _models(models: Mapping[str, Any]) -> Iterator[str]:
    yield "## Models\n\n"
    for name, model in models.items():
        yield f"### {name} {{ #model-{name} }}\n\n{_prose(model.get('description', ''))}\n\n"
        if properties := model.get("properties"):
            yield "| field | type | |\n| --- | --- | --- |\n"
            for field, part in properties.items():
                shown = field_name(field, is_needed=field in model.get("required", []))
                yield _row(shown, type_of(part), about(part))
            yield "\n"
        else:
            yield f"{type_of(model)}\n\n"
        if examples := model.get("examples"):
            yield f"```json\n{pretty(examples[0])}\n```\n\n"


def _prose(text: str) -> str:
    """A docstring as Markdown."""
    return re.sub(r"``([^`]+)``", r"`\1`", text.strip())


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "&#124;").split()) for cell in cells) + " |\n"
