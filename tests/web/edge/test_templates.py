"""Templates: the route of a path, before anybody has routed it."""

import re

from fastapi import APIRouter, FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.routing import Mount, compile_path

from tentimes18.server.edge.templates import LONGEST_KNOWN, MOST_KNOWN, UNKNOWN, Templates, templates_of

SOME = ["/", "/a", "/a/{x}", "/a/{x}/b", "/a/b", "/a/c/d", "/{y}/d", "/files/{path:path}"]


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "x7", "files", ""]), max_size=4))
def test_the_router_would_choose_one_that_matches(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    found = Templates(SOME).of(path)
    matching = [template for template in SOME if compile_path(template)[0].match(path)]
    if found == UNKNOWN:
        assert matching == []
    else:
        assert found in matching
        fixed = {template: template.count("{") for template in matching}
        assert fixed[found] == min(fixed.values()), "a name stands before a parameter"


def test_an_id_is_never_empty() -> None:
    assert Templates(SOME).of("/a//b") == UNKNOWN


def test_included_routers_and_mounts_are_found() -> None:
    app, games, api = FastAPI(openapi_url=None), APIRouter(prefix="/games"), APIRouter(prefix="/api/v1")

    @games.post("/{id}/moves")
    async def place() -> None:
        pass

    api.include_router(games)
    app.include_router(api)
    app.mount("/static", FastAPI())
    found = templates_of(app.routes)
    assert {"/api/v1/games/{id}/moves", "/static/{path:path}"} <= set(found)
    assert not any(re.search(r"//|/$", template) for template in found)
    assert isinstance(app.routes[-1], Mount)


def test_what_is_remembered_of_paths_is_bounded() -> None:
    templates = Templates(SOME)
    for number in range(1000):
        assert templates.of(f"/a/{number:02000}") == templates.of(f"/a/{number}") == "/a/{x}"
    assert 0 < templates.known <= MOST_KNOWN * LONGEST_KNOWN
