"""The Play page when things go wrong: what could not be sent, and what was placed elsewhere."""

import re

from playwright.sync_api import Page, expect

from tests.support.browser import Guard, slot_button
from tests.support.play_page import begin, kept, place_first, placed, told, wait_for_roll


def test_a_placement_that_could_not_be_sent_is_kept_and_sent_later(page: Page, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    page.goto("/")
    begin(page)
    page.context.set_offline(True)
    slot = place_first(page)
    expect(page.get_by_text("Not sent yet.")).to_be_visible()
    expect(page.get_by_text(re.compile(rf"^Slot times {slot}: .*not sent yet"))).to_be_attached()
    assert kept(page)["unsent"] and kept(page)["rounds"][0]["slot"] == slot
    page.context.set_offline(False)
    wait_for_roll(page)
    assert told(page)["board"].keys() == {str(slot)} and not kept(page)["unsent"]


def test_an_unsent_placement_survives_the_page(page: Page, guard: Guard) -> None:
    guard.allow("ERR_FAILED")
    page.goto("/")
    begin(page)
    page.route("**/moves", lambda route: route.abort())
    slot = place_first(page)
    expect(page.get_by_role("button", name="Send again")).to_be_visible()
    page.unroute("**/moves")
    page.reload()
    wait_for_roll(page)
    assert told(page)["board"].keys() == {str(slot)} and told(page)["round"] == 2


def test_a_round_that_was_placed_elsewhere_stays_as_it_is(page: Page, guard: Guard) -> None:
    guard.allow("409")
    page.goto("/")
    begin(page)
    page.request.post(f"/api/v1/games/{kept(page)['id']}/moves", data={"round": 1, "slot": 10})
    slot_button(page, 1).click()
    page.get_by_role("button", name=re.compile("^Place")).click()
    expect(placed(page, 10)).to_be_attached()
    expect(slot_button(page, 1)).to_be_visible()
    expect(page.get_by_text("You placed the last roll in another tab.")).to_be_visible()


def test_a_game_that_the_service_does_not_know(page: Page, guard: Guard) -> None:
    guard.allow("404")
    page.goto("/")
    begin(page)
    page.context.clear_cookies()
    place_first(page)
    expect(page.get_by_text("The server no longer knows this game.")).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="New game").click()
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()
