"""One operation on the page: what it takes, what it answers, an example that runs."""

import json
import shlex
from typing import Any

from tentimes18.server.reference.operations import Operation, example_block, operation_card
from tests.support.pages import Page

MODELS: dict[str, dict[str, Any]] = {
    "Move": {"properties": {"round": {"type": "integer", "minimum": 1}}, "required": ["round"]},
    "Game": {"properties": {"id": {"type": "string"}}, "examples": [{"id": "x7"}]},
    "Health": {"properties": {"status": {"const": "ok"}}},
}
PROBLEM: dict[str, Any] = {"content": {"application/problem+json": {"schema": {}}}}


def answer(name: str) -> dict[str, object]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}


PLACE = Operation(
    "POST",
    "/api/v1/games/{id}/moves",
    {
        "tags": ["games"],
        "description": "Place the <roll>.",
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "dry", "in": "query", "required": True, "schema": {"type": "boolean"}},
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Move"}}},
        },
        "responses": {
            "200": answer("Game"),
            "404": PROBLEM | {"description": "Nothing there"},
            "429": PROBLEM | {"description": "Too many requests"},
        },
    },
)


def test_a_card_shows_all_of_it() -> None:
    card = "".join(operation_card(PLACE, MODELS))
    page = Page(card)
    assert page.named("article")[0]["id"] == "post-api-v1-games-id-moves"
    assert "Place the &lt;roll&gt;." in card
    links = [link["href"] for link in page.named("a")]
    assert links == ["#model-Move", "#model-Game", "#not-found", "#too-many"]


def test_the_example_is_a_command_that_sends_it() -> None:
    (command,) = Page("".join(operation_card(PLACE, MODELS))).text("pre")
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:5] == ["curl", "-b", "jar", "-c", "jar"]
    assert "$HOST/api/v1/games/ID/moves?dry=true" in words
    assert json.loads(words[-1]) == {"round": 1}


def test_a_model_with_an_example_of_its_own_is_not_repeated() -> None:
    plain = Operation("GET", "/health", {"responses": {"200": answer("Health")}})
    command, form = Page("".join(operation_card(plain, MODELS))).text("pre")
    assert command == 'curl "$HOST/health"'
    assert json.loads(form) == {"status": "ok"}


def test_long_texts_are_cut_in_examples() -> None:
    assert example_block({"nonce": "ab" * 32}) == '<pre tabindex="0">{\n  "nonce": "abababababab..."\n}</pre>'


def test_operations_of_a_document() -> None:
    document = {"paths": {"/b": {"post": {}, "get": {"tags": ["x"]}, "summary": "none"}, "/a": {"delete": {}}}}
    found = Operation.all_of(document)
    assert [(one.method, one.path, one.topic) for one in found] == [
        ("GET", "/b", "x"),
        ("POST", "/b", "other"),
        ("DELETE", "/a", "other"),
    ]
