"""What the edge may answer stands in the OpenAPI document of every operation."""

from typing import Any

from tentimes18.server.edge.described import describe_edge


def test_what_a_route_says_itself_stands() -> None:
    own = {"description": "Not with this coach"}
    document: dict[str, Any] = {
        "paths": {
            "/games": {
                "get": {"responses": {"200": {}}},
                "delete": {"responses": {"204": {}, "403": own}},
                "post": {"requestBody": {}, "responses": {"201": {}}},
                "parameters": [],
            }
        }
    }
    describe_edge(document)
    told = {name: operation["responses"] for name, operation in document["paths"]["/games"].items() if operation}
    assert told["get"].keys() == {"200", "400", "414", "422", "429", "500", "503"}
    assert told["delete"].keys() - told["get"].keys() == {"204", "403", "408", "413", "415"}
    assert told["delete"]["403"] is own
    assert {"403", "408", "413", "415"} <= told["post"].keys()
    assert "application/problem+json" in told["post"]["413"]["content"]
