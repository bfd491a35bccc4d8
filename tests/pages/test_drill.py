"""The Drill page: own mistakes first, close calls after; what was wrong comes back; without the network, too."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tentimes18.coach.advice import advise
from tentimes18.coach.drill import RESTS
from tentimes18.records.notation import Record, parse_record
from tests.support.browser import SMALL_PHONE, Guard, OpenPage, slot_button, verify_axe

PLAYED: Final = "8@5 4@1 16@10 13@9 8@2 12@6 8@4 11@7 18@8 12@3"  # one move lost more than a point: the first


def cards(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.evaluate("localStorage.getItem('ten18.drill') ?? '{\"cards\": []}'"))[
        "cards"
    ]
    return found


def asked(page: Page) -> Record:
    expect(page.get_by_text(re.compile("^Which slot is best for"))).to_be_visible()
    roll = int(page.locator(".sum").inner_text().strip("= \n"))
    rows = page.get_by_text(re.compile(r"^Slot times \d+: \d+, \d+ points$")).all_inner_texts()
    found = [re.match(r"Slot times (\d+): (\d+),", row) for row in rows]
    moves = " ".join(f"{row[2]}@{row[1]}" for row in found if row)
    return parse_record(f"3d6 1-10: {moves} {roll}@?")


def answer(page: Page, slot: int) -> None:
    slot_button(page, slot).click()
    page.get_by_role("button", name=f"Answer ×{slot}").click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()


def answer_best(page: Page) -> None:
    record = asked(page)
    assert record.roll is not None
    answer(page, advise(record.board, record.roll).best)


def answer_worst(page: Page) -> tuple[int, Record]:
    record = asked(page)
    assert record.roll is not None
    worst = advise(record.board, record.roll).moves[-1].slot
    answer(page, worst)
    return worst, record


def test_an_answer_is_graded_by_the_solver(page: Page) -> None:
    page.goto("/drill")
    record = asked(page)
    assert record.roll is not None
    moves = advise(record.board, record.roll).moves
    assert 0.05 < next(move.loss for move in moves if move.loss) < 3  # a close call
    assert not page.locator("#main .rail, #main .cost").count()
    verify_axe(page)
    worst, _ = answer_worst(page)
    verify_axe(page)
    for move in moves:
        name = slot_button(page, move.slot).get_attribute("aria-label") or ""
        assert (found := re.match(rf"Slot times {move.slot}: worth ([\d.]+), ", name))
        assert float(found[1]) == pytest.approx(float(move.worth), abs=0.0501)
    grade = rf"^×{worst} costs ([\d.]+) points on average\. ×{moves[0].slot} is best\.$"
    assert (told := re.match(grade, page.locator(".ask").inner_text()))
    assert float(told[1]) == pytest.approx(float(moves[-1].loss), abs=0.0501)
    expect(page.locator(".act")).to_contain_text("You will see it again.")
    expect(page.locator(".is-wrong")).to_have_count(1)


def test_what_was_wrong_is_asked_again_and_comes_back(page: Page) -> None:
    page.goto("/drill")
    _, record = answer_worst(page)
    page.get_by_role("button", name="Next").click()
    for _ in range(3):
        answer_best(page)
        page.get_by_role("button", name="Next").click()
    again = asked(page)
    assert (again.board.free, again.roll) == (record.board.free, record.roll)
    expect(page.get_by_text("Repeat", exact=True)).to_be_visible()
    answer_best(page)
    assert [(card["box"], parse_record(card["record"]).roll) for card in cards(page)] == [(1, record.roll)]
    page.reload()  # the next time it is the first
    first = asked(page)
    assert (first.board.free, first.roll) == (record.board.free, record.roll)
    answer_best(page)
    assert [card["box"] for card in cards(page)] == [2]
    expect(page.locator(".act")).to_contain_text("You will see it again in a day.")


def test_own_mistakes_come_first(page: Page) -> None:
    page.goto("/about")
    sent = json.dumps({"moves": PLAYED}) + "\n"
    page.request.post("/api/v1/me/games", data=sent, headers={"content-type": "application/x-ndjson"})
    page.goto("/drill")
    record = asked(page)
    assert (record.board.rounds, record.roll) == (0, 8)
    expect(page.get_by_text("Your move")).to_be_visible()
    answer_best(page)
    assert [(card["source"], card["box"]) for card in cards(page)] == [("history", 2)]
    page.get_by_role("button", name="Next").click()
    asked(page)
    expect(page.get_by_text("Close call")).to_be_visible()


def test_the_moves_of_one_game(page: Page) -> None:
    page.goto(f"/drill?record={PLAYED.replace(' ', '+')}")
    expect(page.locator(".stats")).to_contain_text("1 of 5")
    rolls = []
    for _ in range(5):
        record = asked(page)
        rolls.append(record.roll)
        answer_best(page)
        page.get_by_role("button", name="Next").click()
    assert rolls == [8, 12, 8, 13, 8]  # the dearest first
    expect(page.get_by_role("heading", name="5 of 5 right")).to_be_visible()
    expect(page.get_by_text("To repeat: 5 in a day.")).to_be_visible()


def test_a_game_without_mistakes_and_a_text_that_is_not_a_game(page: Page) -> None:
    page.goto("/drill?record=1d6+1,2:+6@2+1@1")
    expect(page.get_by_text("Every move of this game was best.")).to_be_visible()
    page.goto("/drill?record=8@55")
    expect(page.get_by_role("alert")).to_contain_text("You cannot drill this game.")
    page.get_by_role("link", name="Drill close calls").click()
    asked(page)


def test_a_round_by_keyboard_without_the_network(page: Page, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    page.goto("/drill")
    asked(page)
    page.context.set_offline(True)
    for _ in range(10):
        record = asked(page)
        assert record.roll is not None
        page.keyboard.press(str(advise(record.board, record.roll).best % 10))
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Next")).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="10 of 10 right")).to_be_visible()
    page.keyboard.press("n")
    asked(page)


def test_the_boxes_are_those_of_the_command(page: Page) -> None:
    page.goto("/drill")
    asked(page)
    found = page.evaluate(
        """async () => {
          const root = document.querySelector("link[href*='style/base.css']").href.replace("style/base.css", "app/");
          const [{ RESTS, move, cards }, { parseRecord }] = await Promise.all(
            ["drill/schedule.js", "game/record.js"].map((path) => import(root + path)));
          const { position, roll } = parseRecord("1d6 1-3: 4@2 5@?");
          const question = { position, roll, source: "close", isBack: false };
          const days = [false, true, true, false].map((isRight) => move(question, isRight, "2026-11-15").due);
          return { rests: RESTS, days, boxes: cards().map(({ box }) => box) };
        }"""
    )
    assert found["rests"] == list(RESTS)
    assert found["days"] == ["2026-11-15", "2026-11-16", "2026-11-18", "2026-11-15"] and found["boxes"] == [1]


def test_three_minutes_of_different_questions(page: Page) -> None:
    page.clock.install()
    page.goto("/drill?run=time")
    page.get_by_role("button", name="Start").click()
    seen = set()
    for number in range(1, 7):
        record = asked(page)
        assert record.roll is not None
        seen.add((record.board.free, record.roll))
        slot_button(page, advise(record.board, record.roll).best).click()
        page.get_by_role("button", name=re.compile("^Answer")).click()
        expect(page.locator(".stats dd").nth(1)).to_have_text(str(number))
    assert len(seen) == 6
    answer_worst(page)
    before = page.locator(".stats dd").first.inner_text()
    page.clock.run_for(30_000)  # the clock stops while the answer is read
    expect(page.locator(".stats dd").first).to_have_text(before)
    page.get_by_role("button", name="Next").click()
    page.clock.run_for(200_000)
    expect(page.get_by_role("heading", name="6 right in three minutes")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("open the position in the lab"))).to_have_count(1)
    verify_axe(page)
    page.get_by_role("button", name="Drill again").click()
    expect(page.get_by_text("Your best is 6.")).to_be_visible()


def test_a_run_ends_with_the_third_mistake_also_on_a_small_phone_by_night(open_page: OpenPage) -> None:
    page = open_page("/drill?run=mistakes", SMALL_PHONE, "dark")
    page.get_by_role("button", name="Start").click()
    for _ in range(3):
        asked(page)
        assert page.evaluate("document.documentElement.scrollHeight") <= SMALL_PHONE.height
        answer_worst(page)
        verify_axe(page)
        page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="0 right before the third mistake")).to_be_visible()
    assert cards(page) == []


def test_a_round_of_mistakes_does_not_go_in_circles(page: Page) -> None:
    page.goto("/drill")
    seen = []
    for _ in range(10):
        _, record = answer_worst(page)
        seen.append((record.board.free, record.roll))
        page.get_by_role("button", name="Next").click()
    assert len(set(seen)) >= 6 and max(map(seen.count, seen)) == 2
    expect(page.locator("tbody tr")).to_have_count(len(set(seen)))  # each position once
