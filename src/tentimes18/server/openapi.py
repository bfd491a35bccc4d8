"""The OpenAPI document: what Litestar derives from the handlers, and what any request may meet before them."""

import json
from typing import Any

from litestar import Litestar
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.openapi import OpenAPIConfig

from tentimes18.server.problems import KINDS, MEDIA_TYPE

TITLE = "Ten times eighteen"
VERSION = "1"
PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}}
COMMON = ("bad-request", "too-long", "invalid", "too-many", "fault", "unavailable")
OF_CHANGES = ("cross-site", "slow", "too-large", "media-type")


def openapi_document(app: Litestar) -> dict[str, Any]:
    """The document of an application."""
    plugin = app.plugins.get(OpenAPIPlugin)
    # Not as an option of the application, which would give every other address below /api to the plugin.
    plugin._openapi_config = OpenAPIConfig(TITLE, VERSION, use_handler_docstrings=True)
    text = json.dumps(plugin.provide_openapi_schema())
    document: dict[str, Any] = json.loads(text.replace('"oneOf"', '"anyOf"'))  # an integer is a number, too
    for route in plugin.included_routes.values():
        for method, operation in document["paths"][route.path_format].items():
            handler, _ = route.route_handler_map[method.upper()]
            if "media_types" in handler.opt:
                content = {name: {"schema": {"type": "string"}} for name in handler.opt["media_types"]}
                operation["requestBody"] = {"required": True, "content": content}
            for slug in COMMON if method == "get" else (*COMMON, *OF_CHANGES):
                kind = KINDS[slug]
                operation["responses"].setdefault(str(kind.status), {"description": kind.title} | PROBLEM)
            for status in {"204", "304"} & operation["responses"].keys():
                operation["responses"][status].pop("content", None)
            operation["responses"]["400"] = {"description": KINDS["bad-request"].title} | PROBLEM
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Request"):
            schema["additionalProperties"] = False
    return document
