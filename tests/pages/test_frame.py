"""The frame of all pages: header, menu, tabs, theme, the way from page to page, and addresses that lead nowhere."""

import re

import pytest
from playwright.sync_api import Route, expect

from tentimes18.app.page_html import PAGES, TITLES
from tests.support.browser import DESKTOP, PHONE, Guard, OpenPage, verify_axe

IN_NAV = [TITLES["en"][page.name][0] for page in PAGES if page.in_nav]
PAPER = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(244, 240, 230)", "rgb(17, 23, 20)"
NOWHERE = "/nowhere"


@pytest.fixture
def nowhere(guard: Guard, open_page: OpenPage) -> OpenPage:
    """A page that has the frame alone."""
    guard.allow(f"404.*({NOWHERE}|Not Found)")
    return lambda *args, **more: open_page(NOWHERE, *args, **more)


def test_an_address_that_leads_nowhere_says_so(nowhere: OpenPage) -> None:
    page = nowhere()
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    expect(page).to_have_title("Nothing here · Ten times eighteen")
    page.get_by_role("link", name="Play a game").click()
    expect(page).to_have_url(re.compile(r":\d+/$"))
    expect(page).to_have_title("Play · Ten times eighteen")


def test_a_slash_at_the_end_of_an_address_changes_nothing(open_page: OpenPage) -> None:
    expect(open_page("/about/")).to_have_title("About · Ten times eighteen")


def test_going_on_moves_the_focus_and_the_title_and_back_again(nowhere: OpenPage) -> None:
    page = nowhere()
    nav = page.get_by_role("navigation", name="Pages")
    expect(nav.get_by_role("link")).to_have_text(IN_NAV)
    page.evaluate("window.isSame = true")
    nav.get_by_role("link", name="About").click()
    expect(page).to_have_title("About · Ten times eighteen")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(nav.get_by_role("link", name="About")).to_have_attribute("aria-current", "page")
    assert page.evaluate("window.isSame"), "the page was loaded again"
    page.go_back()
    expect(page).to_have_title("Nothing here · Ten times eighteen")
    expect(nav.locator("[aria-current]")).to_have_count(0)


def test_a_page_that_comes_late_is_waited_for(nowhere: OpenPage) -> None:
    page = nowhere()
    held: list[Route] = []
    page.route("**/app/pages/about.js", lambda route: held.append(route))
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="About").click()
    expect(page.get_by_text("Loading…")).to_be_visible()
    held.pop().continue_()
    expect(page).to_have_title("About · Ten times eighteen")
    expect(page.get_by_text("Loading…")).to_have_count(0)


def test_a_page_that_fails_to_load_says_so_and_is_requested_again(nowhere: OpenPage, guard: Guard) -> None:
    guard.allow("about.js")
    page = nowhere()
    page.route("**/app/pages/about.js", lambda route: route.abort())
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="About").click()
    expect(page.get_by_text("Couldn’t load this page.")).to_be_visible()  # after the app was reloaded, once
    page.unroute("**/app/pages/about.js")
    page.get_by_role("button", name="Try again").click()
    expect(page).to_have_title("About · Ten times eighteen")


def test_the_menu_of_a_phone_has_all_pages(nowhere: OpenPage) -> None:
    page = nowhere(PHONE)
    expect(page.get_by_role("navigation", name="Main pages").get_by_role("link")).to_have_text(
        ["Play", "Daily, not played today", "Duel", "Review"]
    )
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("dialog", name="Ten times eighteen")
    expect(menu.get_by_role("navigation").get_by_role("link")).to_have_count(len(IN_NAV))
    verify_axe(page)
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.get_by_role("button", name="Menu")).to_be_focused()
    page.get_by_role("button", name="More").click()
    menu.get_by_role("link", name="About").click()
    expect(menu).to_have_count(0)
    expect(page).to_have_title("About · Ten times eighteen")


def test_the_theme_is_the_systems_until_one_is_chosen(nowhere: OpenPage) -> None:
    page = nowhere(DESKTOP, "dark")
    assert page.evaluate(PAPER) == DARK
    page.get_by_role("button", name="Light theme").click()
    assert page.evaluate(PAPER) == LIGHT
    page.reload()
    assert page.evaluate(PAPER) == LIGHT
    page.get_by_role("button", name="Dark theme").click()
    assert page.evaluate(PAPER) == DARK
    page.emulate_media(color_scheme="light")
    assert page.evaluate(PAPER) == DARK
    page.evaluate("localStorage.clear()")
    page.reload()
    assert page.evaluate(PAPER) == LIGHT


def test_the_keyboard_can_skip_to_the_page(nowhere: OpenPage) -> None:
    page = nowhere()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_storage_that_is_forbidden_is_no_reason_to_stop(nowhere: OpenPage) -> None:
    page = nowhere(PHONE)
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });")
    page.reload()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("radio", name="Dark").check()
    assert page.evaluate(PAPER) == DARK
