"""Pages in a real browser: the system's Chromium, looked at by guards that nothing wrong gets past.

A test asks for the fixture ``page``, or for ``open_page`` where the size of the window or the theme matters, or another
player is needed; they are in tests/conftest.py. Whatever a page logs as an error or a warning, an exception that
nobody caught, a violation of the content security policy, a request that failed or went to another host: the test fails
at its end, unless it has said with ``guard.allow(...)`` that this was to come.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    APIResponse,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    WebError,
    expect,
)

Theme: TypeAlias = Literal["light", "dark"]
NewPlayer: TypeAlias = Callable[..., BrowserContext]
OpenPage: TypeAlias = Callable[..., Page]


@dataclass(frozen=True, slots=True)
class Size:
    """A window: its size in pixels, and whether it is the screen of a phone or tablet, which is touched."""

    name: str
    width: int
    height: int
    is_touched: bool = False

    def __str__(self) -> str:
        return self.name


SMALL_PHONE: Final = Size("360x640", 360, 640, is_touched=True)
PHONE: Final = Size("390x844", 390, 844, is_touched=True)
TABLET: Final = Size("768x1024", 768, 1024, is_touched=True)
DESKTOP: Final = Size("1280x800", 1280, 800)
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")

PATIENCE: Final = 30_000.0  # milliseconds to wait for something visible; a machine may be busy
GRAVE: Final = {"serious", "critical"}
expect.set_options(timeout=PATIENCE)
# The rules that are on need no style sheets: none is fetched again.
RUN_AXE: Final = "(within) => axe.run(within ?? document, {resultTypes: ['violations'], preload: false})"
HAS_WORKER: Final = """async () => {
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  }
}"""
# Violations are reported to the document; playwright's own scripts are not bound by the policy.
TELL_VIOLATIONS: Final = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI || "inline"} ${event.sourceFile}`);
});
"""


def context_options(size: Size = DESKTOP, theme: Theme = "light") -> dict[str, Any]:
    """Options of a browser context: a reader in UTC whose system is set to a theme, and to little motion."""
    return {
        "viewport": {"width": size.width, "height": size.height},
        "is_mobile": size.is_touched,
        "has_touch": size.is_touched,
        "color_scheme": theme,
        "reduced_motion": "reduce",
        "locale": "en-GB",
        "timezone_id": "UTC",
        "service_workers": "block",  # a worker would download all files for every player: it has tests of its own
    }


@dataclass
class Guard:
    """What went wrong in the pages of a test, and what of it was expected."""

    base_url: str
    problems: list[str] = field(default_factory=list)
    _allowed: list[re.Pattern[str]] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TELL_VIOLATIONS)
        context.on("console", self._heard)
        context.on("weberror", self._thrown)
        context.on("request", self._sent)
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)

    def allow(self, pattern: str) -> None:
        """Problems in which this regular expression is found are expected, as an answer of 409 may be."""
        self._allowed.append(re.compile(pattern))

    def found(self) -> list[str]:
        return [text for text in dict.fromkeys(self.problems) if not any(one.search(text) for one in self._allowed)]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert") and "registration blocked by Playwright" not in message.text:
            self.problems.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _thrown(self, error: WebError) -> None:
        self.problems.append(f"uncaught: {error.error}")

    def _sent(self, request: Request) -> None:
        if not request.url.startswith((f"{self.base_url}/", "data:", "blob:", "about:")):
            self.problems.append(f"foreign request: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # a page that is left gives up what it still waited for
            self.problems.append(f"failed request: {request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"answer {response.status}: {response.request.method} {response.url}")


class LoopOfTheDriver:
    """Playwright's event loop, which counts as running only while a test with a browser is at work.

    Its interface for plain functions leaves the loop running between two calls, and asyncio knows one running loop a
    thread: every other test that runs a loop of its own would be rejected, as long as the browser is open.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Within the block it counts as running, if it was started already; it may be started or ended there."""
        asyncio._set_running_loop(self._loop if self._loop is not None and not self._loop.is_closed() else None)
        try:
            yield
        finally:
            self._loop = asyncio._get_running_loop() or self._loop
            asyncio._set_running_loop(None)


# What can be said of a page.


def axe_findings(page: Page, within: str | None = None) -> list[str]:
    """What axe finds in a page, or in a part that a selector names: what is serious or critical, one a line."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    result = page.evaluate(RUN_AXE, within)
    return [
        f"{finding['id']} ({finding['impact']}): {finding['help']}: {node['target']} {node['html'][:160]}"
        for finding in result["violations"]
        if finding["impact"] in GRAVE
        for node in finding["nodes"]
    ]


def verify_axe(page: Page, within: str | None = None) -> None:
    findings = axe_findings(page, within)
    assert not findings, "\n".join(findings)


# Playing by hand.


def slot_button(page: Page, slot: int) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^Slot times {slot}(?!\d)"))


def free_slots(page: Page) -> list[int]:
    """The multipliers of the slots that can be chosen, from small to large; waits until there is one."""
    buttons = page.get_by_role("button", name=re.compile(r"^Slot times \d+"))
    expect(buttons.first).to_be_visible()
    names: list[str] = buttons.evaluate_all("(buttons) => buttons.map((button) => button.ariaLabel)")
    return sorted(int(found[1]) for name in names if (found := re.match(r"Slot times (\d+)", name)))


def place(page: Page, slot: int) -> None:
    """Put the roll that waits into a slot by clicking, whether one click places or arms; waits until it lies there."""
    button = slot_button(page, slot)
    button.click()
    if button.count() and button.get_attribute("aria-pressed") == "true":
        button.click()
    expect(button).to_have_count(0)


def play_to_the_end(page: Page, choose: Callable[[list[int]], int] = max) -> list[int]:
    """Click a whole game, from where it is to its end; the slots in the order they were filled."""
    chosen: list[int] = []
    for _ in range(len(free_slots(page))):
        chosen.append(choose(free_slots(page)))
        place(page, chosen[-1])
    return chosen


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size.width, "height": size.height})


def settle(page: Page) -> None:
    """Wait until the heading of a page is visible, and nothing is being fetched that it says to wait for."""
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator(".loading")).to_have_count(0)


def with_worker(player: BrowserContext, path: str = "/") -> Page:
    page = player.new_page()
    page.goto(path)
    page.evaluate(HAS_WORKER)
    return page


def play_by_request(page: Page, path: str = "/games", body: dict[str, Any] | None = None) -> dict[str, Any]:
    """A whole game of the page's player, begun by a POST to this path of the API and played by requests; the Game."""
    settle(page)  # the page asks who the player is, and another answer would make another player
    game: dict[str, Any] = _answer(page.request.post(f"/api/v1{path}", data=body))
    while not game["finished"]:
        slot = min(slot for slot in range(1, len(game["slots"]) + 1) if str(slot) not in game["board"])
        move = {"round": game["round"], "slot": slot}
        game = _answer(page.request.post(f"/api/v1/games/{game['id']}/moves", data=move))
    return game


def ask(page: Page, path: str) -> Any:
    return _answer(page.request.get(f"/api/v1{path}"))


def _answer(answer: APIResponse) -> Any:
    assert answer.ok, answer.text()
    return answer.json()
