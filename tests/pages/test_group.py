"""A group in real browsers: a host with a projector and three players, from the lobby to the next game and the end."""

import re

from playwright.sync_api import Page, expect

from tests.support.browser import DESKTOP, PHONE, SMALL_PHONE, Guard, NewPlayer, OpenPage, play_to_the_end, verify_axe

SHORT = {"dice": "3d6", "slots": "1-5", "lobby": True}


def created(page: Page, name: str) -> str:
    """A group of the short game, created by hand; its code."""
    page.goto("/g")
    page.get_by_role("textbox", name="Name of the group").fill(name)
    page.get_by_role("combobox", name="Game").select_option("blitz")
    page.get_by_role("button", name="Create the group").click()
    code = page.locator(".code")
    expect(code).to_have_text(re.compile("^[A-HJ-NP-Z2-9]{6}$"))
    return code.inner_text()


def join(page: Page, code: str, name: str = "") -> None:
    page.goto(f"/g/{code}")
    if name:
        page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Join the group").click()
    expect(page.get_by_role("heading", name=f"You’re in, {name}." if name else "You’re in.")).to_be_visible()


def verify_no_scrolling(page: Page) -> None:
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("main")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_a_host_and_three_players(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("404")
    host = new_player(DESKTOP).new_page()
    ada, bob, cy = (new_player(size).new_page() for size in (PHONE, SMALL_PHONE, DESKTOP))
    code = created(host, "Class 7b")
    expect(host.get_by_role("img", name="The link as a QR code")).to_be_visible()
    expect(host.locator(".kept")).to_contain_text("The host can delete all of it at any time.")
    verify_axe(host)

    # One types the code, one has the link, one gives no name.
    ada.goto("/g")
    ada.get_by_role("textbox", name="Code").fill(code.lower())
    ada.get_by_role("button", name="Open").click()
    expect(ada.get_by_role("heading", name="Where do you put a 9?")).to_be_visible()
    verify_axe(ada)
    join(ada, code, "Ada")
    join(bob, code, "Bob")
    join(cy, code)
    verify_axe(ada)
    expect(host.locator(".names-in li")).to_have_text(["Ada", "Bob", "1 without a name"])
    verify_no_scrolling(host)
    expect(ada.get_by_role("button", name=re.compile("^Slot times"))).to_have_count(0)
    host.get_by_role("button", name="Start for everybody").click()

    # Everybody plays at their own pace; a player who leaves comes back to the same board.
    play_to_the_end(ada, max)
    expect(ada.get_by_text("Review your game")).to_be_visible()
    bob.get_by_role("button", name=re.compile("^Slot times 1")).click()
    bob.get_by_role("button", name=re.compile("^Place ")).click()
    expect(bob.get_by_role("button", name=re.compile("^Slot times"))).to_have_count(4)
    bob.goto("/about")
    bob.goto(f"/g/{code}")
    expect(bob.get_by_role("button", name=re.compile("^Slot times"))).to_have_count(4)

    # The host sees scores live, but no roll before everybody has finished.
    expect(host.locator(".host-state")).to_contain_text("1 of 3 finished")
    expect(host.locator(".scores rect.you")).to_have_count(1)
    expect(host.locator(".placed")).to_have_count(0)
    expect(host.get_by_text("Ada")).to_have_count(0)
    verify_axe(host)
    play_to_the_end(bob, min)
    play_to_the_end(cy, max)
    expect(host.locator(".host-state")).to_contain_text("3 of 3 finished")
    expect(host.locator(".scores rect.you")).to_have_count(3)
    expect(host.locator(".dots .dot")).to_have_count(3)
    expect(host.locator(".placed rect.you")).to_have_count(3)
    host.get_by_role("button", name=re.compile("^Round 2: ")).click()
    expect(host.locator(".placed rect.you")).to_have_count(3)
    verify_no_scrolling(host)
    verify_axe(host)

    # A player sees the place, and no names.
    expect(ada.get_by_text("still playing")).to_have_count(0)
    expect(ada.locator(".scores .you")).to_have_count(1)
    expect(ada.locator(".scores .others")).to_have_count(2)
    expect(ada.get_by_text("Bob")).to_have_count(0)
    same = ada.locator(".hero .num").inner_text()
    assert same == cy.locator(".hero .num").inner_text()  # the same choices on the same rolls
    verify_axe(ada)

    # Names on request, nobody else joins, and the next game carries everybody over.
    host.get_by_role("button", name="Manage").click()
    verify_axe(host)
    host.get_by_role("button", name="Show names beside the dots").click()
    expect(host.locator(".dots table")).to_contain_text("Bob")
    host.get_by_role("button", name="Manage").click()
    host.get_by_role("button", name="Let nobody else join").click()
    late = new_player(PHONE).new_page()
    late.goto(f"/g/{code}")
    expect(late.get_by_text("The host lets nobody else join.")).to_be_visible()
    host.get_by_role("button", name="Next game").click()
    expect(host.locator(".names-in li")).to_have_text(["Ada", "Bob", "1 without a name"])
    ada.get_by_role("link", name="Go to game 2").click()
    expect(ada.get_by_role("heading", name="You’re in, Ada.")).to_be_visible()
    host.get_by_role("button", name="Start for everybody").click()
    expect(ada.get_by_role("button", name=re.compile("^Slot times"))).to_have_count(5)

    # Deleted: the group is gone for everybody.
    host.get_by_role("button", name="Manage").click()
    host.get_by_role("button", name="Delete the group").click()
    verify_axe(host)
    host.get_by_role("button", name="Yes, delete").click()
    expect(host.get_by_role("heading", name="Play as a group")).to_be_visible()
    expect(host.get_by_role("link", name="Class 7b")).to_have_count(1)  # the first game
    expect(ada.get_by_text("There is no such group.")).to_be_visible()


def test_a_host_who_plays_and_a_code_that_leads_nowhere(open_page: OpenPage, guard: Guard) -> None:
    guard.allow("404")
    host = open_page("/about", PHONE)
    code = host.request.post("/api/v1/groups", data=SHORT).json()["code"]
    host.goto(f"/g/{code}")
    host.get_by_role("button", name="Manage").click()
    host.get_by_role("button", name="Play too").click()
    expect(host.get_by_role("heading", name="You’re in.")).to_be_visible()
    host.goto(f"/g/{code}")
    host.get_by_role("button", name="Start for everybody").click()
    expect(host.get_by_text("You play too")).to_be_visible()
    host.get_by_role("link", name="Your board").click()
    play_to_the_end(host)
    host.get_by_role("link", name="The group’s page").click()
    expect(host.locator(".placed rect.you")).to_have_count(1)
    host.goto("/g/ABCDEF")
    expect(host.get_by_text("There is no such group.")).to_be_visible()
