"""JSON schemas in words, and an example of what they describe."""

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from typing import Any, Final

__all__ = ["example_of", "form_of", "name_of", "type_of"]

DEEPEST: Final = 6  # of an example
_PLAIN: Final = {"string": "text", "integer": "integer", "number": "number", "boolean": "true or false", "null": "null"}
_WHOLE: Final = {"type": "integer"}  # a number, too
_SAMPLES: Final = {"string": "...", "integer": 1, "number": 1.5, "boolean": True, "null": None}


def name_of(schema: Mapping[str, Any]) -> str | None:
    """The name of the model that a schema refers to.

    >>> name_of({"$ref": "#/components/schemas/Game"})
    'Game'
    """
    reference = schema.get("$ref")
    return str(reference).rpartition("/")[2] if reference else None


def type_of(schema: Mapping[str, Any]) -> str:
    """What a schema takes, in words, as HTML; a model is a link to where it stands on the page.

    >>> type_of({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 6}, {"type": "null"}]})
    'integer from 1 to 6, or null'
    >>> type_of({"type": "array", "items": {"$ref": "#/components/schemas/Game"}})
    'list of <a href="#model-Game">Game</a>'
    """
    if name := name_of(schema):
        return f'<a href="#model-{escape(name)}">{escape(name)}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            parts = [part for part in schema[several] if part != _WHOLE or {"type": "number"} not in schema[several]]
            return _alternatives([type_of(part) for part in parts])
    if "allOf" in schema:
        return " and ".join(type_of(part) for part in schema["allOf"])
    if "const" in schema:
        return _value(schema["const"])
    if "enum" in schema:
        return _alternatives([_value(value) for value in schema["enum"]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return _alternatives([type_of({**schema, "type": part}) for part in kind])
    if kind == "array":
        return _list(schema)
    if kind == "object":
        below = schema.get("additionalProperties")
        return f"object of {type_of(below)}" if isinstance(below, Mapping) and below else "object"
    return (_PLAIN.get(str(kind), "anything") if kind else "anything") + _limits(schema)


def _alternatives(parts: Sequence[str]) -> str:
    parts = list(dict.fromkeys(parts))
    comma = "," if any(" " in part for part in parts) or len(parts) > 2 else ""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{comma} or {parts[-1]}"


def _list(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(part) for part in schema['prefixItems'])}]"
    items = type_of(schema.get("items", {}))
    most = f", at most {schema['maxItems']:,}" if "maxItems" in schema else ""
    return f"list of {items}{most}"


def _value(value: object) -> str:
    return f"<code>{escape(str(value)) if isinstance(value, str) else escape(repr(value))}</code>"


def _limits(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    text = ""
    if low is not None and high is not None:
        text += f" from {low:,} to {high:,}"
    elif low is not None:
        text += f" from {low:,}"
    elif high is not None:
        text += f" up to {high:,}"
    if "pattern" in schema:
        text += f" like <code>{escape(schema['pattern'])}</code>"
    elif "maxLength" in schema:
        text += f" of at most {schema['maxLength']:,} characters"
    return text


def form_of(schema: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]], depth: int = 0) -> Any:
    """What a value looks like that the schema describes: its fields, and in the place of each value what it is.

    >>> form_of({"properties": {"slot": {"type": "integer"}, "mix": {"type": "array", "items": {}}}}, {})
    {'slot': 'integer', 'mix': ['anything']}
    """
    if (name := name_of(schema)) in models and depth < DEEPEST:
        return form_of(models[str(name)], models, depth + 1)
    if "properties" in schema:
        return {name: form_of(part, models, depth + 1) for name, part in schema["properties"].items()}
    if schema.get("type") == "array" and "prefixItems" not in schema and depth < DEEPEST:
        return [form_of(schema.get("items", {}), models, depth + 1)]
    return unescape(re.sub(r"<[^>]+>", "", type_of(schema)))


def example_of(schema: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]], depth: int = 0) -> Any:
    """A value that the schema describes: its own example or default, or one that is made up.

    >>> example_of({"properties": {"round": {"examples": [3]}, "day": {"type": "string"}}, "required": ["round"]}, {})
    {'round': 3, 'day': '...'}
    """
    if examples := schema.get("examples"):
        return examples[0]
    if "example" in schema:
        return schema["example"]
    if schema.get("default") is not None:
        return schema["default"]
    if name := name_of(schema):
        return example_of(models[name], models, depth + 1) if name in models and depth < DEEPEST else {}
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return example_of(schema[several][0], models, depth)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        return {name: example_of(part, models, depth + 1) for name, part in schema["properties"].items()}
    if schema.get("type") == "array":
        parts = schema.get("prefixItems") or [schema.get("items", {})]
        return [example_of(part, models, depth + 1) for part in parts] if depth < DEEPEST else []
    if schema.get("type") == "object":
        below = schema.get("additionalProperties")
        return {"1": example_of(below, models, depth + 1)} if isinstance(below, Mapping) and below else {}
    if schema.get("pattern") == "^[0-9a-f]{64}$":
        return "0123456789abcdef" * 4
    return schema.get("minimum", _SAMPLES.get(str(schema.get("type"))))
