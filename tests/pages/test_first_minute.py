"""The first minute and the end of a game: the first screen, the guided game, and what a finished game shows."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tentimes18.coach.advice import advise
from tentimes18.coach.review import optimal_distribution, review
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record, parse_record
from tests.support.browser import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    Guard,
    NewPlayer,
    OpenPage,
    Size,
    free_slots,
    place,
    slot_button,
    verify_axe,
)
from tests.support.play_page import begin, finish, kept, place_first, told, wait_for_roll

LESSON = Game.parse("3d6", "1-5")


def first_visit(new_player: NewPlayer, size: Size = PHONE) -> Page:
    page = new_player(size, is_first=True).new_page()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Where do you put a 9?")
    return page


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, DESKTOP], ids=str)
def test_a_first_visit_asks_a_question_and_fits(new_player: NewPlayer, size: Size) -> None:
    page = first_visit(new_player, size)
    assert page.evaluate("document.documentElement.scrollHeight") <= size.height
    assert page.locator("#main .is-best, #main .cost").count() == 0  # the board is no answer
    verify_axe(page)
    page.get_by_role("button", name="Skip, play all ten").click()
    wait_for_roll(page)
    assert told(page)["slots"] == list(range(1, 11))
    expect(page.locator(".ask")).to_be_focused()


def sentence(page: Page) -> str:
    return page.locator(".say").inner_text()


def test_the_guided_game_teaches_and_blocks_no_choice(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    page = first_visit(new_player)
    page.get_by_role("region", name="What a 9 scores in each slot").click()  # a tap on the board begins it, too
    expect(page.locator(".say")).to_have_text(re.compile(r"^A 5 is low\. An average roll is 10\.5\."))
    expect(page.locator("li.thread-end")).to_have_attribute("data-m", "1")
    page.context.set_offline(True)
    before = [row.bounding_box() for row in page.locator(".board > li").all()]
    slot_button(page, 3).click()
    page.get_by_role("button", name="Place 5 in ×3").click()
    expect(page.locator(".say")).to_contain_text("×5 now, or wait for a 16?")
    chance = 1 - (1 - 10 / 216) ** 3
    assert f"a 16 or more comes {chance:.0%} of the time" in sentence(page)
    assert [row.bounding_box() for row in page.locator(".board > li").all()] == before  # the board never moves
    place(page, 5)
    expect(page.locator(".say")).to_contain_text("This one is yours. Three slots are free.")
    verify_axe(page)
    board = Board.replay(LESSON, [(5, 3), (13, 5)])
    for roll in (9, None):
        shown = roll or int(re.sub(r"\D", "", page.locator(".sum").inner_text()))
        worst = advise(board, shown).moves[-1]
        place(page, worst.slot)
        board = board.place(shown, worst.slot)
        if worst.loss:
            cost = f"{float(worst.loss):.1f}" if worst.loss >= 0.095 else ""
            expect(page.locator(".say")).to_contain_text(f"Your ×{worst.slot} cost {cost}")
        else:
            expect(page.locator(".say")).to_contain_text("was best")
    last = int(re.sub(r"\D", "", page.locator(".sum").inner_text()))
    slot_button(page, free_slots(page)[0]).dblclick()
    expect(page.get_by_role("heading", name="That is the whole game. Now with ten slots.")).to_be_focused()
    bill = [float(text.replace("−", "-")) for text in page.locator(".bill dd").all_inner_texts()]
    board = board.place(last, board.free_slots[0])
    found = review(Record(board))
    assert bill == pytest.approx([170.9, float(found.luck), -float(found.loss), float(board.score)], abs=0.0501)
    verify_axe(page)
    page.context.set_offline(False)
    page.get_by_role("button", name="Play with ten slots").click()
    wait_for_roll(page)
    assert len(kept(page)["rounds"]) == 1 and page.url.endswith("/")


def test_the_guided_game_by_keyboard_skipped_and_repeated(open_page: OpenPage) -> None:
    page = open_page("/?guided=1")
    expect(page.locator(".say")).to_be_focused()
    page.keyboard.press("1")
    expect(slot_button(page, 1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#said")).to_have_text("5 in times 1: 5 points.")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("5 placed in times 1: 5 points. You rolled 13. ×5 now")
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Guided game").click()
    expect(page.locator(".say")).to_contain_text("A 5 is low.")


def test_the_board_does_not_move_under_a_finger(open_page: OpenPage) -> None:
    """A warning is taller than a question; the rows keep their places, so a second tap means the same slot."""
    page = open_page("/", PHONE)
    begin(page, "warn")
    warned = 0
    for _ in range(3):
        wait_for_roll(page)
        rows = [row.bounding_box() for row in page.locator(".board > li").all()]
        for slot in free_slots(page):
            slot_button(page, slot).tap()
            expect(slot_button(page, slot)).to_have_attribute("aria-pressed", "true")
            assert [row.bounding_box() for row in page.locator(".board > li").all()] == rows
            warned += page.get_by_role("button", name="Place anyway").count()
        page.keyboard.press("Escape")
        place_first(page, "tap")
    assert warned


def test_a_double_tap_on_the_last_move_keeps_the_end(open_page: OpenPage) -> None:
    page = open_page("/about", PHONE)
    page.clock.install()
    page.goto("/")
    begin(page, game="Blitz")
    for _ in range(4):
        place_first(page)
        wait_for_roll(page)
    slot_button(page, free_slots(page)[0]).tap()
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    page.get_by_role("button", name=re.compile("^Place")).tap()
    again = page.get_by_role("button", name="Play again")
    expect(again).to_be_disabled()  # a second tap means what was there before
    again.dispatch_event("click")
    page.clock.run_for(1000)
    expect(again).to_be_enabled()
    expect(page.locator(".final")).to_be_visible()


def test_a_warning_is_heard_and_the_coach_introduces_itself(page: Page) -> None:
    page.goto("/")
    begin(page, "warn")
    game = told(page)
    moves = page.request.get(f"/api/v1/games/{game['id']}/advice").json()["moves"]
    costly = moves[-1]["slot"]
    page.keyboard.press(str(costly % 10))
    said = page.locator("#said")
    expect(said).to_have_text(
        re.compile(rf"in times {costly}: \d+ points\. ×{costly} costs [\d.]+ points on average\. I’m the coach\.")
    )
    assert told(page)["faces"] and sum(told(page)["faces"]) == game["roll"]
    label = page.get_by_role("img", name=re.compile("^Dice")).get_attribute("aria-label")
    assert label == f"Dice: {', '.join(map(str, game['faces']))}"  # those that everybody with these rolls sees


def test_the_end_is_graded_by_the_exact_distribution(page: Page) -> None:
    page.goto("/")
    begin(page, "off", "Blitz")
    finish(page)
    moves = " ".join(f"{one['roll']}@{one['slot']}" for one in kept(page)["rounds"])
    record = parse_record(f"3d6 1-5: {moves}")
    distribution = optimal_distribution(LESSON)
    assert distribution is not None
    below = 1 - float(distribution.at_least(record.board.score))
    expect(page.locator(".crown h2")).not_to_be_empty()
    lead = page.locator(".crown .lead").inner_text()
    words = re.fullmatch(r"Better than (>?\d+)% of perfect games", lead)
    assert words or (below < 0.005 and lead == "Most perfect games end higher.")
    if words and words[1].startswith(">"):
        assert (words[1], below > 0.9949) == (">99", True)
    elif words:
        assert int(words[1]) == pytest.approx(100 * below, abs=0.51)
    grade = next(name for least, name in GRADES if below >= least)
    expect(page.locator(".crown h2")).to_have_text(grade)
    found = review(record)
    dearest = max(found.moves, key=lambda move: move.loss)
    costliest = page.locator(".move").last
    if dearest.loss >= 1:
        expect(costliest).to_contain_text(f"cost {float(dearest.loss):.1f} on average")
    else:
        expect(costliest).to_contain_text("No costly move.")
    expect(page.get_by_text("First score")).to_be_visible()
    verify_axe(page)


GRADES = [(0.9, "Superb game"), (0.75, "Great game"), (0.5, "Strong game"), (0.25, "Solid game"), (0, "Tough one")]


def test_the_sentence_of_praise_is_true(page: Page) -> None:
    """Games with known ends: a slot held open, and nothing to praise."""
    page.goto("/about")
    found = page.evaluate(
        """async (records) => {
          const root = document.querySelector("link[href*='style/base.css']").href.replace("style/base.css", "app/");
          const [{ praiseOf }, { review }, { parseRecord }] = await Promise.all(
            ["solo/ending.js", "game/review.js", "game/record.js"].map((path) => import(root + path)));
          return records.map((record) => {
            const { position } = parseRecord(record);
            return praiseOf(position, review(position), null);
          });
        }""",
        ["8@5 4@1 10@6 13@9 16@10 8@3 8@4 11@7 18@8 12@2", "3d6 1-5: 18@1 18@2 3@5 3@4 3@3"],
    )
    assert found == [
        "You kept ×10 free for four rolls, and then a 16 came. Nicely held.",
        "Five rolls, five choices. The next dice are fresh.",
    ]


def test_the_next_game_knows_the_best_and_the_daily(open_page: OpenPage) -> None:
    page = open_page("/", PHONE)
    begin(page, game="Blitz")
    finish(page)
    first = kept(page)
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".stats")).to_contain_text("1 of 5")
    finish(page)
    assert kept(page)["id"] != first["id"]
    expect(page.locator(".fact").first).to_have_text(re.compile(r"^(Best: \d+|New best)"))
    expect(page.get_by_role("link", name=re.compile("Daily.*not played today")).first).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name=re.compile("Copied|Share"))).to_be_visible()
