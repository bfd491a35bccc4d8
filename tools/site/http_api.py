"""The page of the HTTP API, from the description that the server gives."""

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from tentimes18.server.app import Application, openapi_document
from tentimes18.server.problems import KINDS, MEDIA_TYPE
from tentimes18.server.settings import Service

NUMBER = {"type": "number"}
NAMES = {"string": "text", "boolean": "true or false"}
FIRST = """# The HTTP API

JSON in and out, as UTF-8, under `/api/v1`. An unknown field or a wrong type is rejected. The first request that needs a
player creates one and answers with a signed cookie: keep it, and send it with every request. The server
shows the same, with examples, at `/api/docs`, and for programs at `/api/openapi.json`. Its limits and guarantees:
[HTTP routes](reference/http.md).

"""


def http_page() -> str:
    """The page, in Markdown."""
    document = openapi_document(Application(Service(Path("nowhere"), b"x" * 32)).litestar)
    topics: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            topic = topics.setdefault(operation["tags"][0], [])
            topic += _operation(f"{method.upper()} {path}", operation)
    parts = [FIRST]
    for name, topic in topics.items():
        parts += [f"## {name.capitalize()}\n\n", *topic]
    parts += _problems()
    parts += _models(document["components"]["schemas"])
    return "".join(parts)


def _operation(name: str, told: Mapping[str, Any]) -> Iterator[str]:
    yield f"### `{name}`\n\n"
    yield f"{_prose(told.get('description') or told.get('summary', ''))}\n\n"
    if parameters := told.get("parameters"):
        yield "| takes | | |\n| --- | --- | --- |\n"
        for part in parameters:
            name = _field(part["name"], is_needed=part.get("required", False))
            yield _row(name, _type(part["schema"]), _about(part))
        yield "\n"
    for kind, content in (told.get("requestBody") or {}).get("content", {}).items():
        yield f"Body: {_type(content.get('schema', {}))} <small>{kind}</small>\n\n"
    for status, answer in sorted(told.get("responses", {}).items()):
        for kind, part in answer.get("content", {}).items():
            if status.startswith("2") and kind != MEDIA_TYPE:
                yield f"Answer {status}: {_type(part.get('schema', {}))} <small>{kind}</small>\n\n"


def _problems() -> Iterator[str]:
    yield f"## Problems\n\nErrors are `{MEDIA_TYPE}` documents (RFC 9457).\n\n"
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
                shown = _field(field, is_needed=field in model.get("required", []))
                yield _row(shown, _type(part), _about(part))
            yield "\n"
        else:
            yield f"{_type(model)}\n\n"


def _prose(text: str) -> str:
    """A docstring as Markdown."""
    return re.sub(r"``([^`]+)``", r"`\1`", text.strip())


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "&#124;").split()) for cell in cells) + " |\n"


def _field(name: str, *, is_needed: bool) -> str:
    return f"<code>{escape(name)}</code>" + ("" if is_needed else " <small>optional</small>")


def _about(part: Mapping[str, Any]) -> str:
    """What is said of a field or a parameter, and its default."""
    schema = part.get("schema", part)
    told = _prose(part.get("description") or schema.get("description", ""))
    if schema.get("default") is not None:
        default = schema["default"]
        told += f" Default: <code>{escape(default if isinstance(default, str) else json.dumps(default))}</code>."
    return told.strip()


def _type(schema: Mapping[str, Any]) -> str:
    """What a schema takes, in words; a model is a link to its place on the page.

    >>> _type({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 6}, {"type": "null"}]})
    'integer from 1 to 6, or null'
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#model-{name}">{name}</a>'
    if "anyOf" in schema:
        parts = [part for part in schema["anyOf"] if part.get("type") != "integer" or NUMBER not in schema["anyOf"]]
        return _either([_type(part) for part in parts])
    if "enum" in schema:
        return _either([f"<code>{escape(str(value))}</code>" for value in schema["enum"]])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return _either([_type({**schema, "type": part}) for part in kind])
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(_type, schema['prefixItems']))}]"
        most = f", at most {schema['maxItems']:,}" if "maxItems" in schema else ""
        return f"list of {_type(schema.get('items', {}))}{most}"
    if kind == "object" and isinstance(below := schema.get("additionalProperties"), Mapping):
        return f"object of {_type(below)}"
    return NAMES.get(str(kind), str(kind)) + _limits(schema)


def _either(parts: list[str]) -> str:
    parts = list(dict.fromkeys(parts))
    comma = "," if any(" " in part for part in parts) or len(parts) > 2 else ""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{comma} or {parts[-1]}"


def _limits(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    text = ""
    if low is not None and high is not None:
        text += f" from {low:,} to {high:,}"
    elif low is not None or high is not None:
        text += f" from {low:,}" if low is not None else f" up to {high:,}"
    if "pattern" in schema:
        text += f" like <code>{escape(schema['pattern'])}</code>"
    elif "maxLength" in schema:
        text += f" of at most {schema['maxLength']:,} characters"
    return text
