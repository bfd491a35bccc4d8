"""The Play page as a player uses it: a game is begun, rolls are placed, and what is kept of it."""

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import free_slots, slot_button


def begin(page: Page, coach: str = "off", game: str | None = None) -> None:
    """Begin a game with a coach, and one of the named games where it is not the one that is picked."""
    pill = page.get_by_role("button", name="Coach:")
    switch = page.get_by_role("group", name="Coach")
    expect(pill.or_(switch)).to_be_visible()
    if pill.is_visible():
        pill.click()
        page.get_by_role("radio", name=coach.capitalize()).check()
        page.get_by_role("button", name="Close").click()
    else:
        switch.get_by_role("button", name=coach.capitalize(), exact=True).click()
    if game not in (None, "Classic", "Blitz"):
        page.get_by_role("button", name="More games").click()
    if game is not None:
        page.get_by_role("radio", name=game).check()
    page.get_by_role("button", name="Roll the dice").click()
    wait_for_roll(page)


def wait_for_roll(page: Page) -> None:
    keys = page.locator("button.slot:not([aria-disabled])")
    expect(keys.first.or_(page.get_by_role("button", name="Play again"))).to_be_visible()


def place_first(page: Page, way: str = "click") -> int:
    """Put the roll into the smallest free slot, by two clicks or two taps."""
    wait_for_roll(page)
    slot = free_slots(page)[0]
    button = slot_button(page, slot)
    getattr(button, way)()
    expect(button).to_have_attribute("aria-pressed", "true")
    getattr(page.get_by_role("button", name=re.compile(r"^Place (\d+ in|anyway)")), way)()
    expect(placed(page, slot).or_(page.get_by_role("button", name="Play again"))).to_be_attached()
    return slot


def placed(page: Page, slot: int) -> Locator:
    return page.get_by_text(re.compile(rf"^Slot times {slot}: \d+, \d+ points"))


def is_over(page: Page) -> bool:
    wait_for_roll(page)
    return page.get_by_role("button", name="Play again").is_visible()


def finish(page: Page, way: str = "click") -> None:
    while not is_over(page):
        place_first(page, way)


def kept(page: Page) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('ten18.solo')"))


def told(page: Page) -> Any:
    """The same game as the service tells it."""
    return page.request.get(f"/api/v1/games/{kept(page)['id']}").json()
