"""One operation of the API on the page: what it takes, what it answers, and an example."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Self, TypeAlias

from tentimes18.server.problems import KINDS, MEDIA_TYPE
from tentimes18.server.reference.markup import about, chip, field_name, marked_path, plain, pretty, prose, table
from tentimes18.server.reference.schemas import example_of, form_of, name_of, type_of

__all__ = ["Document", "Operation", "example_block", "operation_card"]

COMMON: Final = {
    *("bad-request", "cross-site", "slow", "too-large", "too-long", "media-type", "invalid", "too-many", "fault"),
    "unavailable",
}
OF_A_PLAYER: Final = "/api/v1/"  # requests that may need its cookie
METHODS: Final = ("get", "post", "put", "patch", "delete")
Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path."""

    method: str
    path: str
    told: Document

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return f"{self.method.lower()}-" + re.sub(r"[^a-z0-9]+", "-", self.path.lower()).strip("-")

    @property
    def topic(self) -> str:
        """What it belongs to."""
        return str((self.told.get("tags") or ["other"])[0])

    @classmethod
    def all_of(cls, document: Document) -> list[Self]:
        """All of a document."""
        return [
            cls(method.upper(), path, operations[method])
            for path, operations in document.get("paths", {}).items()
            for method in METHODS
            if method in operations
        ]


def operation_card(operation: Operation, models: Mapping[str, Document]) -> Iterator[str]:
    """The card of an operation."""
    told = operation.told
    yield f'<article class="card" id="{operation.anchor}">'
    yield f"<h3>{chip(operation.method)} <code>{marked_path(operation.path)}</code></h3>"
    yield '<div class="sides"><div>'
    yield prose(told.get("description") or told.get("summary", ""))
    if parameters := told.get("parameters"):
        rows = [
            (field_name(part["name"], is_needed=part.get("required", False)), type_of(part["schema"]), about(part))
            for part in parameters
        ]
        yield table("What it takes", rows)
    body = told.get("requestBody") or {}
    for kind, content in body.get("content", {}).items():
        needed = "" if body.get("required") else ", which may be left out"
        taken = type_of(_solid(content.get("schema", {})))
        yield f"<h4>Body{needed}</h4><p>{taken} <small>{escape(kind)}</small></p>"
    yield from _answers(told.get("responses", {}))
    yield "</div>"
    yield from _examples(operation, models)
    yield "</div></article>"


def _answers(answers: Mapping[str, Document]) -> Iterator[str]:
    """Those of this operation, one a line; the problems that any request may meet share one."""
    yield '<h4>Answers</h4><ul class="answers">'
    common = []
    for status, answer in sorted(answers.items()):
        told = escape(answer.get("description", "")).replace("Successful Response", "")
        content = answer.get("content", {})
        slugs = [slug for slug, kind in KINDS.items() if str(kind.status) == status and kind.title == told]
        if MEDIA_TYPE in content and slugs:
            if slugs[0] in COMMON:
                common.append(f'<a href="#{slugs[0]}">{status}</a>')
            else:
                yield f'<li><b class="problem">{status}</b> <a href="#{slugs[0]}">{told}</a></li>'
            continue
        parts = [f"{type_of(part.get('schema', {}))} <small>{escape(kind)}</small>" for kind, part in content.items()]
        kinds = (": " if told and parts else "") + ", ".join(parts)
        yield f'<li><b class="fine">{status}</b> {told}{kinds}</li>'
    if common:
        yield f'<li class="common">As any request: {", ".join(common)}</li>'
    yield "</ul>"


def _examples(operation: Operation, models: Mapping[str, Document]) -> Iterator[str]:
    """A request as curl sends it, and the answer to it."""
    told = operation.told
    path = operation.path
    for part in told.get("parameters", []):
        if part["in"] == "path":
            path = path.replace(f"{{{part['name']}}}", part["name"].upper())
    asked = [
        f"{part['name']}={plain(example)}"
        for part in told.get("parameters", [])
        if part["in"] == "query" and (example := _example(part, models)) is not None and part.get("required")
    ]
    address = path + ("?" + "&".join(asked) if asked else "")
    method = "" if operation.method == "GET" else f" -X {operation.method}"
    jar = " -b jar -c jar" if path.startswith(OF_A_PLAYER) else ""
    command = f'curl{jar}{method} "$HOST{address}"'
    for kind, content in (told.get("requestBody") or {}).get("content", {}).items():
        example = _example({**content, "schema": _solid(content.get("schema", {}))}, models)
        sent = example if isinstance(example, str) else json.dumps(example)
        command += f" \\\n  -H 'Content-Type: {kind}' \\\n  -d '{sent}'"
        break
    yield f'<div class="example"><h4>Example</h4><pre>{escape(command, quote=False)}</pre>'
    for status, answer in sorted(told.get("responses", {}).items()):
        content = answer.get("content", {}).get("application/json", {})
        schema = content.get("schema")
        if status.startswith("2") and schema and not models.get(name_of(schema) or "", {}).get("examples"):
            # A model with an example of its own shows it itself.
            yield f"<h4>Form of the answer</h4>{example_block(form_of(schema, models))}"
    yield "</div>"


def _example(part: Document, models: Mapping[str, Document]) -> Any:
    if "example" in part:
        return part["example"]
    if examples := part.get("examples"):
        first = next(iter(examples.values())) if isinstance(examples, Mapping) else examples[0]
        return first.get("value") if isinstance(first, Mapping) else first
    return example_of(part.get("schema", {}), models)


def example_block(value: Any) -> str:
    """An example of an answer."""
    return f'<pre tabindex="0">{escape(pretty(_shortened(value)), quote=False)}</pre>'


def _shortened(value: Any) -> Any:
    """An example without what is long and says nothing."""
    if isinstance(value, dict):
        return {name: _shortened(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_shortened(part) for part in value]
    return f"{value[:12]}..." if isinstance(value, str) and len(value) > 40 else value


def _solid(schema: Document) -> Document:
    """A schema without its null: a body that may be left out."""
    parts = [part for part in schema.get("anyOf", []) if part.get("type") != "null"]
    return parts[0] if len(parts) == 1 else schema
