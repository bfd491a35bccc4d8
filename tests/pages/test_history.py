"""History: own games, skill, players, a name, another device, records out and in, and leaving."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import DESKTOP, PHONE, Guard, OpenPage, ask, play_by_request, verify_axe

RATED = {"dice": "3d6", "slots": "1-10", "coach": "off"}
SMALL = {"dice": "1d6", "slots": "1-3", "coach": "full"}
ENOUGH = 10  # rated games for a place among the players


def opened(page: Page) -> Page:
    """The page, when everything in it has come."""
    expect(page.get_by_role("heading", name="Your name")).to_be_visible()
    return page


def shown_games(page: Page) -> list[str]:
    return page.get_by_role("list", name="Your games").get_by_role("listitem").all_inner_texts()


def test_before_the_first_game_it_says_what_will_be_here(open_page: OpenPage) -> None:
    page = opened(open_page("/history", PHONE))
    expect(page.get_by_text("Nothing played yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Play a game")).to_have_attribute("href", "/")
    expect(page.get_by_text("There is nothing to download yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="Skill", exact=True)).to_have_count(0)


def test_games_lead_to_their_review_or_go_on(open_page: OpenPage) -> None:
    page = open_page("/history")
    done = play_by_request(page, "/games", SMALL)
    play_by_request(page, "/daily")
    waiting = page.request.post("/api/v1/games", data=RATED).json()
    page.request.post("/api/v1/duels", data={"against": "nearest"})
    page.reload()
    opened(page)
    expect(page.get_by_role("list", name="Your games").get_by_role("listitem")).to_have_count(4)
    duel, solo, daily, small = shown_games(page)
    assert "Duel with Nearest" in duel and "Go on" in duel
    assert "Classic" in solo and "round 1 of 10" in solo
    assert daily.startswith("Daily")
    assert "1d6 on 1-3, with coach" in small and str(done["score"]) in small
    listed = ask(page, "/me/history")["games"]
    cost = re.search(r"−([\d.]+)", small)
    assert "no mistake" in small if cost is None else float(cost[1]) == pytest.approx(listed[-1]["loss"], abs=0.051)
    links = page.get_by_role("list", name="Your games").get_by_role("link")
    expect(links.nth(1)).to_have_attribute("href", f"/game/{waiting['id']}")
    expect(links.nth(3)).to_have_attribute("href", f"/review/{done['id']}")
    page.get_by_role("button", name="Daily", exact=True).click()
    expect(page.get_by_role("list", name="Your games").get_by_role("listitem")).to_have_count(1)


def test_older_games_come_when_they_are_asked_for(open_page: OpenPage) -> None:
    page = opened(open_page("/history"))
    for _ in range(15):
        page.request.post("/api/v1/games", data=SMALL)
    page.reload()
    items = page.get_by_role("list", name="Your games").get_by_role("listitem")
    expect(items).to_have_count(12)
    page.get_by_role("button", name="Older games").click()
    expect(items).to_have_count(15)
    expect(page.get_by_role("button", name="Older games")).to_have_count(0)


def test_skill_is_shown_with_its_band_and_rank(open_page: OpenPage) -> None:
    page = open_page("/history", PHONE)
    for _ in range(ENOUGH):
        play_by_request(page, "/games", RATED)
    page.reload()
    opened(page)
    skill, board = ask(page, "/me/skill"), ask(page, "/skill")
    facts = page.locator(".facts").first
    expect(facts).to_contain_text(f"{skill['own']['cost']:.2f} ± {skill['own']['error']:.2f}")
    expect(
        page.get_by_role("img", name=re.compile(f"^Points lost per decision after each of {ENOUGH} games"))
    ).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(f"^Score of each of {ENOUGH} games"))).to_be_visible()
    own = page.locator("tr.is-you")
    expect(own).to_have_count(1)
    expect(own).to_contain_text(board["own"]["name"])
    verify_axe(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": DESKTOP.width, "height": DESKTOP.height})
    verify_axe(page)


def test_a_name_is_chosen_rejected_and_removed(open_page: OpenPage, guard: Guard) -> None:
    guard.allow("422")
    page = opened(open_page("/history"))
    field = page.get_by_label("Others see you as")
    field.fill("Ada <b>L.</b>")
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_text("You are Ada <b>L.</b> in the lists.")).to_be_visible()
    assert ask(page, "/me")["name"] == "Ada <b>L.</b>"
    field.fill("x" * 31)
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_role("alert")).to_contain_text("30")
    field.fill("")
    page.get_by_role("button", name="Remove the name").click()
    expect(page.get_by_text("You are Guest")).to_be_visible()


def test_records_go_out_as_a_file_and_come_in_again(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/history")
    games = [play_by_request(page, "/games", SMALL) for _ in range(3)]
    page.reload()
    opened(page)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download my games").click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == [game["id"] for game in games]

    other = opened(open_page("/history", PHONE))
    bring = other.get_by_label("Import a file")
    bring.set_input_files(file)
    expect(other.locator(".note")).to_contain_text("3 games imported.")
    bring.set_input_files(file)
    expect(other.locator(".note")).to_contain_text("0 games imported, 3 already known.")
    assert len(other.request.get("/api/v1/me/games").text().splitlines()) == 3


def test_pasted_games_are_imported_or_rejected_line_by_line_and_can_be_reviewed(open_page: OpenPage) -> None:
    page = opened(open_page("/history"))
    page.get_by_label("Or paste games").fill('1d6 1-2: 5@1 4@2\n\n{"moves": "8@5 4@5"}\n{"moves": "8@5"}')
    page.get_by_role("button", name="Import these").click()
    expect(page.locator(".note")).to_contain_text("2 games imported, 1 line rejected.")
    expect(page.get_by_text(re.compile("^Line 3: .*slot 5"))).to_be_visible()
    came = page.get_by_role("list", name="Games played offline or imported").get_by_role("link")
    expect(came).to_have_count(1)  # the other one is not finished
    expect(came).to_contain_text("13")
    came.click()
    expect(page).to_have_url(re.compile("/review#"))


def test_another_device_becomes_the_same_player_once(open_page: OpenPage, guard: Guard) -> None:
    guard.allow("404")
    page = open_page("/history")
    play_by_request(page, "/games", SMALL)
    page.request.patch("/api/v1/me", data={"name": "Grace"})
    page.reload()
    opened(page).get_by_role("button", name="Make a link").click()
    address = page.get_by_label("Open this link on the other device").input_value()

    other = open_page(address, PHONE)
    other.get_by_role("button", name="Yes, that is me").click()
    expect(other.get_by_text("You are Grace in the lists.")).to_be_visible()
    expect(other.get_by_role("list", name="Your games").get_by_role("listitem")).to_have_count(1)
    assert "#" not in other.url

    third = open_page(address)
    third.get_by_role("button", name="Yes, that is me").click()
    expect(third.get_by_role("alert")).to_contain_text("used already")
    third.get_by_role("link", name="No, stay").click()
    expect(third.get_by_text("You are Guest")).to_be_visible()


def test_everything_is_deleted_when_it_was_asked_twice(open_page: OpenPage) -> None:
    page = open_page("/history", PHONE)
    play_by_request(page, "/games", SMALL)
    page.goto("/")
    page.evaluate("() => { localStorage.setItem('ten18.solo', '1'); localStorage.setItem('ten18.theme', '\"dark\"'); }")
    page.goto("/history")
    opened(page).get_by_role("button", name="Delete everything…").click()
    page.get_by_role("button", name="Keep everything").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name="Delete everything…").click()
    verify_axe(page)
    page.get_by_role("button", name="Yes, delete").click()
    page.get_by_label("To delete 1 game").fill("yes")
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing is deleted")
    assert ask(page, "/me")["games"] == 1

    page.get_by_label("To delete 1 game").fill("Delete")
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Nothing played yet.")).to_be_visible()
    assert ask(page, "/me")["games"] == 0
    assert page.evaluate("Object.keys(localStorage).sort()") == ["ten18.theme", "ten18.welcomed"]
