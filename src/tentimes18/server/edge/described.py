"""What the edge may answer in front of every route, put into the OpenAPI document: no route has to know it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tentimes18.server.problems import documented

__all__ = ["describe_edge"]

_METHODS: Final = ("get", "head", "post", "put", "patch", "delete")


def describe_edge(document: Mapping[str, Any]) -> None:
    """Add the problems of the edge to every operation of a document.

    >>> document = {"paths": {"/games": {"post": {"responses": {"201": {}}}}}}
    >>> describe_edge(document)
    >>> sorted(document["paths"]["/games"]["post"]["responses"])
    ['201', '400', '403', '408', '413', '414', '415', '422', '429', '500', '503']
    """
    for operations in document["paths"].values():
        for method, operation in operations.items():
            if method in _METHODS:
                told = documented(*_problems(method))
                for status, answer in told.items():
                    operation["responses"].setdefault(str(status), answer)


def _problems(method: str) -> Iterator[str]:
    yield from ("too-long", "too-many", "fault")
    if method not in ("get", "head"):
        yield from ("cross-site", "slow", "too-large", "media-type")
