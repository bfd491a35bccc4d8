"""Claim: every page is there within a second, in less than 120 kB, does not jump, and keeps the browser free.

A real browser with nothing in its caches asks a real service, and its own protocol reports the results:
the first paint with content, how far things were shifted, the tasks that took longer than 50 ms, and the bytes of
every answer with its head, as they came over the wire. What the worker fetches afterwards, to have the app ready
without a network, is reported separately: it waits until the page is at rest.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, CDPSession, ViewportSize, sync_playwright

from benchmarks.harness import Claim, Section, Table, seconds
from tentimes18.app.page_html import PAGES, is_kept_ready
from tentimes18.app.static_files import app_files
from tentimes18.server.routes.pages import prepare
from tests.support.service import serving
from tools.browser import find_browser

PLAIN = "/verify"  # the peer: HTML with one style sheet and no script
RUNS = 3
PAINT_GOAL = 1.0  # seconds
BYTES_GOAL = 120_000
SHIFT_GOAL = 0.05  # half of what is called good
TASKS_GOAL = 0.2  # seconds in tasks beyond 50 ms each, as the browser's advice for a total has it
PHONE: ViewportSize = {"width": 390, "height": 844}
REST = 500.0  # ms without anything new

WATCH = """
window.measured = { paint: 0, shift: 0, tasks: 0, last: 0 };
const watch = (type, take) => new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) take(entry);
  window.measured.last = performance.now();
}).observe({ type, buffered: true });
watch("paint", (entry) => { if (entry.name === "first-contentful-paint") window.measured.paint = entry.startTime; });
watch("layout-shift", (entry) => { if (!entry.hadRecentInput) window.measured.shift += entry.value; });
watch("longtask", (entry) => { window.measured.tasks += Math.max(0, entry.duration - 50); });
"""
AT_REST = """async (rest) => {
  const since = () => Math.max(measured.last, performance.getEntriesByType("navigation")[0].loadEventEnd);
  while (performance.now() - since() < rest) await new Promise((resolve) => setTimeout(resolve, 50));
  return measured;
}"""


@dataclass(frozen=True, slots=True)
class Visit:
    """A first visit to a page: seconds to the first paint, the shift, seconds of long tasks, bytes, requests."""

    paint: float
    shift: float
    tasks: float
    sent: int
    requests: int


def run() -> Section:
    with TemporaryDirectory() as folder, serving(Path(folder) / "data") as server, opened() as browser:
        visits = {page.name: _visited(browser, server.url + page.paths[0]) for page in PAGES if page.in_nav}
        plain = _visited(browser, server.url + PLAIN)
    files = prepare().files
    ready = sum(len(files[path].packed or files[path].body) for path in app_files() if is_kept_ready(path))
    return Section(
        "Pages",
        "First visits with empty caches, in a phone's window, from a server on this machine. Bytes are those of all "
        "responses with their headers, compressed. When a page is at rest, the service worker fetches the rest of the "
        f"app ({_bytes(ready)} in all), so that it works offline.",
        [
            Claim(
                "first paint, the slowest page",
                PAINT_GOAL,
                max(visit.paint for visit in visits.values()),
                "the HTML and the styles come first",
                f"plain HTML {seconds(plain.paint)}",
            ),
            Claim(
                "bytes of a first visit, the largest page",
                BYTES_GOAL,
                max(visit.sent for visit in visits.values()),
                "what the page runs is sent",
                f"plain HTML {_bytes(plain.sent)}",
                _bytes,
            ),
            Claim(
                "layout shift, the worst page",
                SHIFT_GOAL,
                max(visit.shift for visit in visits.values()),
                "0: nothing moves",
                f"plain HTML {_share(plain.shift)}",
                _share,
            ),
            Claim(
                "long tasks beyond 50 ms, in sum, the worst page",
                TASKS_GOAL,
                max(visit.tasks for visit in visits.values()),
                "0: no task is long",
                f"plain HTML {seconds(plain.tasks)}",
            ),
        ],
        [
            Table(
                ("page", "first paint", "layout shift", "long tasks", "bytes", "requests"),
                [
                    (
                        name,
                        seconds(visit.paint),
                        _share(visit.shift),
                        seconds(visit.tasks),
                        _bytes(visit.sent),
                        str(visit.requests),
                    )
                    for name, visit in visits.items()
                ],
            )
        ],
    )


def _share(value: float) -> str:
    return f"{value:.3f}"


def _bytes(value: float) -> str:
    return f"{value / 1000:.1f} kB"


@contextmanager
def opened() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(find_browser()))
        try:
            yield browser
        finally:
            browser.close()


def _visited(browser: Browser, url: str) -> Visit:
    """A first visit, the best of some: disturbances only ever add to times, and things may shift in any of them."""
    found = [_visit(browser, url) for _ in range(RUNS)]
    return Visit(
        min(visit.paint for visit in found),
        max(visit.shift for visit in found),
        min(visit.tasks for visit in found),
        min(visit.sent for visit in found),
        min(visit.requests for visit in found),
    )


def _visit(browser: Browser, url: str) -> Visit:
    context = browser.new_context(viewport=PHONE, service_workers="block")
    try:
        page = context.new_page()
        answers = _counted(context.new_cdp_session(page))
        page.add_init_script(WATCH)
        page.goto(url)
        told: dict[str, float] = page.evaluate(AT_REST, REST)
    finally:
        context.close()
    return Visit(told["paint"] / 1000, told["shift"], told["tasks"] / 1000, sum(answers), len(answers))


def _counted(session: CDPSession) -> list[int]:
    """The bytes of every answer, as they come."""
    answers: list[int] = []

    def finished(event: dict[str, Any]) -> None:
        answers.append(round(event["encodedDataLength"]))

    session.on("Network.loadingFinished", finished)
    session.send("Network.enable")
    return answers
