"""The Play page as it is drawn and said: blocks, small windows, large text, and what axe finds."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import PHONE, SMALL_PHONE, OpenPage, verify_axe
from tests.support.play_page import begin, finish, place_first, wait_for_roll


def test_a_hundred_slots_are_drawn_and_scroll(page: Page) -> None:
    page.goto("/")
    found = page.evaluate(
        """async () => {
          const root = document.querySelector("link[href*='style/base.css']").href.replace("style/base.css", "app/");
          const [{ html, render }, { Board }, { gameOf }] = await Promise.all(
            ["html.js", "parts/board.js", "game/game.js"].map((path) => import(root + path)));
          const multipliers = Array.from({ length: 100 }, (_, place) => place + 1);
          const labels = multipliers.map(String);
          const game = { ...gameOf(), size: 100, multipliers, labels, scaled: multipliers.map(BigInt) };
          const table = document.createElement("div");
          document.querySelector("#main").replaceChildren(table);
          render(html`<${Board} game=${game} board=${{ 100: 18, 1: 18 }} roll=${12} />`, table);
          const height = (slot) => table.querySelector(`li:nth-child(${slot}) .trough`).getBoundingClientRect().height;
          const ends = [...table.querySelectorAll(".block, .trough")].map((one) => one.getBoundingClientRect().right);
          return { keys: table.querySelectorAll("button").length, beam: height(100), half: height(50), hair: height(1),
            width: document.documentElement.scrollWidth, most: Math.max(...ends), room: innerWidth };
        }"""
    )
    assert found["keys"] == 98
    assert found["beam"] == pytest.approx(2 * found["half"], abs=0.5) and found["hair"] == 2
    assert found["width"] <= found["room"] and found["most"] < found["room"]


@pytest.mark.parametrize("coach", ["warn", "full"])
def test_a_small_phone_shows_ten_rows_unscrolled(open_page: OpenPage, coach: str) -> None:
    page = open_page("/", SMALL_PHONE)
    begin(page, coach)
    room = page.evaluate(
        """() => ({
          page: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth,
          last: document.querySelector(".board > li:last-child").getBoundingClientRect().bottom,
          bar: document.querySelector(".act").getBoundingClientRect().top,
          low: Math.min(...[...document.querySelectorAll("button.slot")].map((one) => one.offsetHeight)),
        })"""
    )
    assert room["page"] <= 640 and room["width"] <= 360
    assert room["last"] <= room["bar"] and room["low"] >= 40


def test_score_is_area(page: Page) -> None:
    """A block is as long as its roll and as thick as its multiplier."""
    page.goto("/")
    begin(page)
    for _ in range(3):
        place_first(page)
        wait_for_roll(page)
    blocks = page.locator(".block").evaluate_all(
        """all => all.map((block) => ({
          roll: Number(block.dataset.r), slot: Number(block.closest("li").dataset.m),
          width: block.getBoundingClientRect().width, height: block.getBoundingClientRect().height }))"""
    )
    pip, unit = blocks[0]["width"] / blocks[0]["roll"], blocks[0]["height"] / blocks[0]["slot"]
    for block in blocks:
        assert block["width"] == pytest.approx(block["roll"] * pip, rel=0.01)
        assert block["height"] == pytest.approx(block["slot"] * unit, rel=0.02)


def test_what_is_seen_is_said(page: Page) -> None:
    page.goto("/")
    begin(page, "full")
    said = page.locator("#said")
    expect(said).to_have_text(re.compile(r"^Round 1 of 10: you rolled \d+\.$"))
    slot = place_first(page)
    cost = r"(It costs [\d.]+ on average|The best slot)"
    after = r"Round 2 of 10: you rolled \d+"
    expect(said).to_have_text(re.compile(rf"^\d+ placed in times {slot}: \d+ points\. {cost}\. {after}\.$"))


def test_nobody_is_shut_out(open_page: OpenPage) -> None:
    page = open_page("/", PHONE, "dark")
    begin(page, "full", "Blitz")
    verify_axe(page)
    finish(page)
    page.emulate_media(color_scheme="light")
    verify_axe(page)
