"""What all pages share, in a browser: numbers, addresses, storage and requests."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import Guard

# The app's own instance of a module, by its path below app/.
MODULE = "const load = (path) => import(document.querySelector('script[type=module]').src.replace('main.js', path));"


def run(page: Page, body: str, value: Any = None) -> Any:
    """What a function with this body returns; it may load modules of the app."""
    return page.evaluate(f"async (value) => {{ {MODULE} {body} }}", value)


@pytest.fixture
def about(page: Page) -> Page:
    """A page that asks the service for nothing."""
    page.goto("/about")
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    return page


def test_numbers(about: Page) -> None:
    told = run(
        about,
        """const { points, exact2, signed, percent, count } = await load("core/format.js");
        return [points(654.92), exact2(654.921), points(-0.04), signed(-9.14), signed(3.2), signed(0.04),
          signed(-0.001, 2), points(0.25), exact2(-2.125),
          ...[0.519, 0.00001, 0.99999, 0, 1].map((share) => percent(share)),
          ...[1204331, 9999, -12000].map(count)];""",
    )
    assert told == [
        *("654.9", "654.92", "0.0", "\u22129.1", "+3.2", "0.0", "0.00", "0.2", "\u22122.12"),
        *("51.9%", "<0.1%", ">99.9%", "0.0%", "100.0%"),
        *("1,204,331", "9999", "\u221212,000"),
    ]


ADDRESSES: Final[tuple[tuple[str, dict[str, str | None], str], ...]] = (
    ("play", {}, "/"),
    ("daily", {"day": "2026-11-16"}, "/daily/2026-11-16"),
    ("daily", {"day": None}, "/daily"),
    ("game", {"id": "a/b c"}, "/game/a%2Fb%20c"),
    ("review", {"record": "3d6 1-10: 8@5 # x"}, "/review#3d6%201-10%3A%208%405%20%23%20x"),
    ("lab", {"dice": "2d12:12=2", "slots": "1,3"}, "/lab?dice=2d12%3A12%3D2&slots=1%2C3"),
)


def test_addresses_lead_back(about: Page) -> None:
    body = """const { link, pageAt } = await load("core/links.js");
    const outside = [pageAt("/verify"), pageAt("https://example.org/")];
    const hrefs = value.map(([page, params]) => link(page, params));
    return { hrefs, found: hrefs.map((href) => pageAt(href)), outside };"""
    told = run(about, body, ADDRESSES)
    assert told["outside"] == [None, None]
    for (page, params, href), shown, found in zip(ADDRESSES, told["hrefs"], told["found"], strict=True):
        assert (shown, found["page"]) == (href, page)
        assert found["params"] | found["query"] == {name: text for name, text in params.items() if text is not None}


def test_storage_that_is_full_or_empty(about: Page) -> None:
    body = """const { kept } = await load("core/kept.js");
    const seen = [];
    const end = kept.watch("thing", () => seen.push(kept.get("thing")));
    kept.set("thing", { a: 1 });
    Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    kept.set("thing", { a: 2 });
    const [now, other] = [kept.get("thing"), kept.get("nothing", 7)];
    kept.remove("thing");
    end();
    for (const [key, value] of [["b", 2], ["a", 1], [3, 3]]) await kept.db.put("list", key, value);
    await kept.db.put("lists", "c", 4);
    await kept.db.remove("list", "b");
    const [all, none = null] = [await kept.db.all("list"), await kept.db.get("list", "b")];
    return { seen, now, other, gone: kept.get("thing"), all, none };"""
    assert run(about, body) == {
        "seen": [{"a": 1}, {"a": 2}, None],
        "now": {"a": 2},
        "other": 7,
        "gone": None,
        "all": [[3, 3], ["a", 1]],
        "none": None,
    }


ASK = """const api = await load("core/api.js");
return api[value.method](...value.with).then((answer) => ({ answer }), (error) => ({ ...error, name: error.name }));"""


def test_what_is_harmless_is_asked_again_and_what_is_not_once(about: Page, guard: Guard) -> None:
    guard.allow("ERR_FAILED|503")
    tries: list[str] = []

    def fail_twice(route: Route) -> None:
        tries.append(route.request.method)
        if len(tries) == 2:
            route.fulfill(status=503, content_type="application/problem+json", body='{"detail": "not now"}')
        elif len(tries) == 3:
            route.continue_()
        else:
            route.abort()

    about.route("**/api/v1/daily", fail_twice)
    about.route("**/api/v1/games", fail_twice)
    assert "number" in run(about, ASK, {"method": "get", "with": ["/daily"]})["answer"]
    told = run(about, ASK, {"method": "post", "with": ["/games", {}]})
    assert (told["name"], told["why"], tries) == ("Away", "offline", ["GET"] * 3 + ["POST"])


def test_a_problem_says_what_is_wrong(about: Page, guard: Guard) -> None:
    guard.allow("422|409")
    told = run(about, ASK, {"method": "post", "with": ["/games", {"dice": "3x6"}]})
    assert (told["name"], told["status"], told["field"]) == ("Problem", 422, "dice")
    assert "accepted" in told["detail"]
