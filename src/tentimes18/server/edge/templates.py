"""Which route a path belongs to: its template, `/api/v1/games/{id}`, known before anything else is.

Limits, the log and the metrics speak of templates: a path holds ids and codes, which are secrets, and there is no end
of paths.
"""

from collections.abc import Iterable
from typing import Final

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Mount

__all__ = ["UNKNOWN", "Templates", "templates_of"]

UNKNOWN: Final = "unknown"
"""The template of a path that no route has."""
MOST_KNOWN: Final = 4096  # paths
LONGEST_KNOWN: Final = 100  # characters of one: longer ones are nobody's, and would fill the memory


def templates_of(routes: Iterable[BaseRoute]) -> list[str]:
    """The templates of an application's routes; of what is mounted, the place and all below.

    >>> from starlette.routing import Route
    >>> templates_of([Route("/games/{id}", print), Mount("/static", print)])
    ['/games/{id}', '/static/{path:path}']
    """
    found: dict[str, None] = {}
    plain = [route for route in routes if not isinstance(route, Mount)]
    for context in iter_route_contexts(plain):
        if context.path:
            found[context.path] = None
    for route in routes:
        if isinstance(route, Mount):
            found[f"{route.path}/{{path:path}}"] = None
    return list(found)


class _Node:
    __slots__ = ("named", "parameter", "rest", "template")

    def __init__(self) -> None:
        self.named: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.template: str | None = None
        self.rest: str | None = None

    def find(self, parts: list[str], place: int) -> str | None:
        if place == len(parts):
            return self.template
        part = parts[place]
        if (node := self.named.get(part)) is not None and (found := node.find(parts, place + 1)) is not None:
            return found
        if part and self.parameter is not None and (found := self.parameter.find(parts, place + 1)) is not None:
            return found
        return self.rest


class Templates:
    """Finds the template of a path; a name stands before a parameter, a parameter before all that is below.

    >>> templates = Templates(["/games", "/games/{id}", "/games/{id}/moves", "/static/{path:path}"])
    >>> [templates.of(path) for path in ("/games", "/games/x7", "/games/x7/moves", "/static/a/b.js", "/x7", "/games/")]
    ['/games', '/games/{id}', '/games/{id}/moves', '/static/{path:path}', 'unknown', 'unknown']
    """

    def __init__(self, templates: Iterable[str]) -> None:
        self._root = _Node()
        self._known: dict[str, str] = {}  # a game's path comes a dozen times
        for template in templates:
            self._add(template)

    def _add(self, template: str) -> None:
        node = self._root
        for part in template.split("/"):
            if part.endswith(":path}"):
                node.rest = template
                return
            if part.startswith("{"):
                node.parameter = node = node.parameter or _Node()
            else:
                node = node.named.setdefault(part, _Node())
        node.template = template

    @property
    def known(self) -> int:
        """How many characters of paths are remembered."""
        return sum(map(len, self._known))

    def of(self, path: str) -> str:
        """The template of this path, or `UNKNOWN`."""
        if len(path) > LONGEST_KNOWN:
            return self._find(path)
        if (known := self._known.get(path)) is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[path] = self._find(path)
        return known

    def _find(self, path: str) -> str:
        parts = path.split("/")
        node = self._root
        for part in parts:  # almost always the first way is the right one
            if (below := node.named.get(part)) is None and (not part or (below := node.parameter) is None):
                return self._root.find(parts, 0) or UNKNOWN
            node = below
        return node.template or self._root.find(parts, 0) or UNKNOWN
