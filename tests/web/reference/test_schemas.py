"""Schemas in words, and examples of them."""

from typing import Any

import pytest

from tentimes18.server.reference.schemas import example_of, form_of, type_of

GAME = {"$ref": "#/components/schemas/Game"}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "maxLength": 200}, "text of at most 200 characters"),
        ({"type": "string", "pattern": "^<a>$"}, "text like <code>^&lt;a&gt;$</code>"),
        ({"type": "integer", "minimum": 1}, "integer from 1"),
        ({"type": "number", "maximum": 2}, "number up to 2"),
        ({"enum": ["off", "warn", "full"]}, "<code>off</code>, <code>warn</code>, or <code>full</code>"),
        ({"const": "ok"}, "<code>ok</code>"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
        ({"anyOf": [GAME, {"type": "null"}]}, '<a href="#model-Game">Game</a>, or null'),
        ({"type": ["string", "null"]}, "text or null"),
        ({"allOf": [GAME]}, '<a href="#model-Game">Game</a>'),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 50}, "list of integer, at most 50"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "number"}]}, "[integer, number]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integer"),
        ({"type": "object"}, "object"),
        ({}, "anything"),
    ],
)
def test_words(schema: dict[str, Any], words: str) -> None:
    assert type_of(schema) == words


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"examples": ["3d6"]}, "3d6"),
        ({"example": 7, "type": "integer"}, 7),
        ({"default": "off", "enum": ["full", "off"]}, "off"),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "array", "items": {"type": "boolean"}}, [True]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"1": 1}),
        (GAME, {"id": "...", "next": {}}),
    ],
)
def test_examples(schema: dict[str, Any], example: object) -> None:
    models = {"Game": {"properties": {"id": {"type": "string"}, "next": {"type": "object"}}}}
    assert example_of(schema, models) == example


def test_forms_have_words_for_values() -> None:
    models = {"Game": {"properties": {"id": {"type": "string", "pattern": "^<x>$"}, "next": GAME}}}
    form = form_of({"type": "array", "items": GAME}, models)
    assert form[0]["id"] == "text like ^<x>$"
    assert form_of({"anyOf": [GAME, {"type": "null"}]}, models) == "Game, or null"
    assert str(form).count("next") <= 10


def test_a_model_inside_of_itself_has_an_end() -> None:
    models = {"Game": {"properties": {"next": GAME}}}
    assert str(example_of(GAME, models)).count("next") <= 10
