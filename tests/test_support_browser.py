"""The guards of the pages can fail: what goes wrong in a page is seen, and only what a test allows is let through."""

import asyncio
import time

import pytest
from playwright.sync_api import Page

from tests.support.browser import PATIENCE, Guard, LoopOfTheDriver, NewPlayer, axe_findings

BLANK = "/verify"


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("console.error('alas')", "error: alas"),
        ("console.warn('alas')", "warning: alas"),
        ("setTimeout(() => { throw new Error('alas'); })", "uncaught: alas"),
        ("Promise.reject(new Error('alas'))", "uncaught: alas"),
        ("document.body.setAttribute('style', 'color: red')", "error: policy violated: style-src-attr by inline"),
        ("fetch('http://other.invalid/')", "error: policy violated: connect-src by http://other.invalid/"),
        ("fetch('/no/such/page')", "answer 404: GET"),
        ("location.assign('http://127.0.0.1:1/')", "foreign request: http://127.0.0.1:1/"),
    ],
)
def test_what_goes_wrong_is_seen(script: str, told: str, page: Page, guard: Guard) -> None:
    page.goto(BLANK)
    page.wait_for_load_state("networkidle")
    assert guard.found() == []
    page.evaluate(f"() => {{ {script} }}")
    deadline = time.monotonic() + PATIENCE / 1000
    while not any(text.startswith(told) for text in guard.found()):
        assert time.monotonic() < deadline, guard.found()
        page.wait_for_timeout(10)  # events of the page are heard meanwhile
    guard.allow("")
    assert guard.found() == []


def test_what_a_page_says_else_is_nothing(page: Page, guard: Guard) -> None:
    page.goto(BLANK)
    page.evaluate("() => { console.log('well'); console.info('well'); }")
    assert guard.found() == []


def test_axe_finds_what_is_grave(page: Page) -> None:
    page.goto(BLANK)
    assert axe_findings(page) == []
    page.evaluate("() => { document.body.append(document.createElement('button')); }")
    [finding] = axe_findings(page)
    assert finding.startswith("button-name (critical)")


def test_every_player_is_another(new_player: NewPlayer) -> None:
    pages = [new_player().new_page() for _ in range(2)]
    for page in pages:
        page.goto(BLANK)
    pages[0].evaluate("() => localStorage.setItem('a', '1')")
    assert [page.evaluate("() => localStorage.getItem('a')") for page in pages] == ["1", None]


def test_other_tests_run_loops_of_their_own() -> None:
    """Also in a process in which a browser is open."""
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"


def test_the_loop_of_the_driver_runs_only_while_it_is_asked_for() -> None:
    driver, loop = LoopOfTheDriver(), asyncio.new_event_loop()
    try:
        with driver.running():
            assert asyncio._get_running_loop() is None
            asyncio._set_running_loop(loop)
        assert asyncio._get_running_loop() is None
        with driver.running():
            assert asyncio._get_running_loop() is loop
    finally:
        loop.close()
    with driver.running():
        assert asyncio._get_running_loop() is None
