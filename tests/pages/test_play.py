"""The Play page: games by mouse, touch and keyboard, what the coach says, and going on with a game."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import PHONE, Guard, OpenPage, free_slots, place, slot_button, verify_axe
from tests.support.play_page import begin, finish, is_over, kept, place_first, placed, told, wait_for_roll

NAME: Final = re.compile(
    r"Slot times (?P<times>\d+): worth (?P<worth>[\d.]+), (the best|as good as the best|costs (?P<cost>[\d.]+))"
)
HINTS: Final = re.compile(r"worth|cost|best|course|luck|par\b|gives up|mistake", re.IGNORECASE)


def test_a_whole_game_by_mouse(page: Page) -> None:
    page.goto("/")
    begin(page)
    finish(page)
    game = told(page)
    assert game["finished"] and game["coach"] == "off"
    expect(page.locator(".final")).to_contain_text(str(game["score"]))
    page.get_by_text(f"How {game['score']} came about").click()
    review = page.request.get(f"/api/v1/games/{game['id']}/review").json()
    shown = dict(
        zip(page.locator(".stats dt").all_inner_texts(), page.locator(".stats dd").all_inner_texts(), strict=True)
    )
    for name, points in (("Par", review["value"]), ("Luck", review["luck"]), ("Mistakes", -review["loss"])):
        assert float(shown[name].replace("\u2212", "-")) == pytest.approx(points, abs=0.0501)
    assert page.get_by_role("link", name="Review every move").get_attribute("href") == f"/review/{game['id']}"
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".stats")).to_contain_text("1 of 10")
    assert kept(page)["id"] != game["id"] and told(page)["round"] == 1


def test_a_whole_game_by_touch_with_one_tap_a_roll(open_page: OpenPage) -> None:
    page = open_page("/", PHONE)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("radio", name="Place with one tap").check()
    page.get_by_role("button", name="Close").tap()
    begin(page, game="Blitz")
    while not is_over(page):
        slot = free_slots(page)[-1]
        slot_button(page, slot).tap()
        expect(placed(page, slot).or_(page.locator(".final")).first).to_be_attached()
    assert told(page)["finished"]
    page.reload()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert page.evaluate("localStorage.getItem('ten18.placing')") == '"tap"'


def test_a_whole_game_by_keyboard(page: Page) -> None:
    page.goto("/")
    begin(page)
    for slot in (10, *range(1, 10)):
        wait_for_roll(page)
        page.keyboard.press(str(slot % 10))
        expect(slot_button(page, slot)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Escape")
        expect(slot_button(page, slot)).to_have_attribute("aria-pressed", "false")
        page.keyboard.press(str(slot % 10))
        page.keyboard.press("Enter")
        expect(placed(page, slot).or_(page.get_by_role("button", name="Play again"))).to_be_attached()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    game = told(page)
    assert game["finished"]
    assert game["opened"][0]["roll"] == game["board"]["10"]
    page.keyboard.press("n")
    expect(page.locator(".stats")).to_contain_text("1 of 10")
    assert told(page)["round"] == 1


def test_the_focus_walks_over_free_slots_and_stays_on_the_board(page: Page) -> None:
    page.goto("/")
    begin(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(slot_button(page, 2)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(placed(page, 2)).to_be_attached()
    expect(slot_button(page, 1)).to_be_focused()


@pytest.mark.parametrize("game", ["Classic", "Twelves"])
def test_the_coach_says_what_the_solver_says(page: Page, game: str) -> None:
    page.goto("/")
    begin(page, "full", game)
    for _ in range(4):
        wait_for_roll(page)
        state = told(page)
        advice = page.request.get(f"/api/v1/games/{state['id']}/advice").json()
        best = max(move["value"] for move in advice["moves"])
        buttons = page.locator("button.slot")
        names = {
            int(one.get_attribute("data-slot") or 0): one.get_attribute("aria-label") or "" for one in buttons.all()
        }
        assert names.keys() == {move["slot"] for move in advice["moves"]}
        for move in advice["moves"]:
            found = NAME.fullmatch(names[move["slot"]])
            assert found and float(found["times"]) == state["slots"][move["slot"] - 1]
            assert float(found["worth"]) == pytest.approx(state["score"] + move["value"], abs=0.0501)
            assert ("the best" in found[0]) == (move["slot"] == advice["best"])
            assert float(found["cost"] or 0) == pytest.approx(best - move["value"], abs=0.0501)
        assert float(page.locator(".stats dd").nth(2).inner_text()) == pytest.approx(state["score"] + best, abs=0.0501)
        place_first(page)


def test_warn_speaks_only_before_a_costly_placement(page: Page) -> None:
    page.goto("/")
    begin(page, "warn")
    warned = 0
    while not warned:
        wait_for_roll(page)
        state = told(page)
        moves = page.request.get(f"/api/v1/games/{state['id']}/advice").json()["moves"]
        for move in moves:
            slot_button(page, move["slot"]).click()
            loss = moves[0]["value"] - move["value"]
            if loss < 1:
                expect(page.get_by_role("button", name=f"Place {state['roll']} in ×{move['slot']}")).to_be_visible()
                expect(page.locator(".act")).not_to_contain_text(HINTS)
            else:
                told_cost = re.compile(rf"×{move['slot']} costs ([\d.]+) points on average\.")
                expect(page.locator(".act").get_by_text(told_cost)).to_be_visible()
                found = told_cost.search(page.locator(".act").inner_text())
                assert found and float(found[1]) == pytest.approx(loss, abs=0.0501)
                warned += 1
        costly = moves[-1]["slot"]
    page.get_by_role("button", name="Pick another").click()
    expect(slot_button(page, costly)).to_have_attribute("aria-pressed", "false")
    slot_button(page, costly).click()
    page.get_by_role("button", name="Place anyway").click()
    expect(placed(page, costly)).to_be_attached()


def test_without_a_coach_there_is_no_advice(page: Page) -> None:
    page.goto("/")
    begin(page, "off")
    for _ in range(2):
        place_first(page)
        wait_for_roll(page)
    coach = page.get_by_role("group", name="Coach")
    for wanted in ("Off", "Full"):  # of a game that was begun without one, the coach is silent to its end
        coach.get_by_role("button", name=wanted).click()
        slot_button(page, free_slots(page)[-1]).click()
        assert not page.locator("#main .coach, #main .cost, #main .rail, #main .is-best, #main .curve").count()
        assert not HINTS.search(page.locator(".sheet").inner_text() + page.locator(".cloth").inner_text())
        assert not any(
            HINTS.search(name)
            for name in page.locator("[aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)")
        )
        page.keyboard.press("Escape")
    expect(page.get_by_text("It helps in your next game.")).to_be_visible()
    expect(page.locator("#said")).not_to_contain_text(HINTS)
    assert page.request.get(f"/api/v1/games/{kept(page)['id']}/advice").status == 403


def test_a_reload_a_second_tab_and_its_address_go_on_with_the_game(page: Page) -> None:
    page.goto("/")
    begin(page)
    first = place_first(page)
    wait_for_roll(page)
    before = (
        page.locator(".sum").inner_text(),
        page.get_by_role("img", name=re.compile("^Dice")).get_attribute("aria-label"),
    )
    page.reload()
    wait_for_roll(page)
    expect(placed(page, first)).to_be_attached()
    assert (
        page.locator(".sum").inner_text(),
        page.get_by_role("img", name=re.compile("^Dice")).get_attribute("aria-label"),
    ) == before
    other = page.context.new_page()
    other.goto("/")
    slot_button(page, 10).click()
    expect(slot_button(page, 10)).to_have_attribute("aria-pressed", "true")
    second = place_first(other)
    expect(placed(page, second)).to_be_attached()  # the first tab follows
    wait_for_roll(page)
    expect(page.locator(".stats")).to_contain_text("3 of 10")
    expect(slot_button(page, 10)).to_have_attribute("aria-pressed", "false")  # it was picked for one roll only
    assert kept(page)["rounds"][:2] == kept(other)["rounds"][:2] and told(page)["round"] == 3
    id_ = kept(page)["id"]
    other.close()
    page.evaluate("localStorage.clear()")
    page.goto(f"/game/{id_}")
    expect(placed(page, second)).to_be_attached()
    place_first(page)


def test_dice_and_slots_of_ones_own(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More games").click()
    page.get_by_role("radio", name="Own").check()
    page.get_by_role("textbox", name="Dice").fill("1d8-2")
    page.get_by_role("textbox", name="Slots").fill("1/2,3,-2")
    begin(page, "full")
    assert (told(page)["dice"], told(page)["slots"]) == ("1d8-2", [-2, 0.5, 3])
    names = [name or "" for name in page.locator("button.slot").evaluate_all("all => all.map((one) => one.ariaLabel)")]
    assert [name.split(":")[0] for name in names] == ["Slot times \u22122", "Slot times 1/2", "Slot times 3"]
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^Slot times 3: "))).to_be_attached()


def test_a_typo_in_your_own_dice_is_shown_at_its_field(page: Page, guard: Guard) -> None:
    guard.allow("422")
    page.goto("/")
    page.get_by_role("button", name="More games").click()
    page.get_by_role("radio", name="Own").check()
    dice, slots = page.get_by_role("textbox", name="Dice"), page.get_by_role("textbox", name="Slots")
    for field, bad, other in ((dice, "3x6", slots), (slots, "1-100", dice)):
        dice.fill("3d6")
        slots.fill("1-10")
        field.fill(bad)
        page.get_by_role("button", name="Roll the dice").click()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(other).not_to_have_attribute("aria-invalid", "true")
        wanted = {"dice": dice.input_value(), "slots": slots.input_value()}
        expect(page.get_by_role("alert")).to_have_text(page.request.post("/api/v1/games", data=wanted).json()["detail"])


def test_another_game_from_the_table(page: Page) -> None:
    page.goto("/")
    begin(page)
    left = kept(page)["id"]
    page.get_by_role("button", name="New game").click()
    verify_axe(page, "dialog")
    page.get_by_role("dialog").get_by_role("radio", name="Blitz").check()
    page.get_by_role("dialog").get_by_role("button", name="Roll the dice").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".stats")).to_contain_text("1 of 5")
    assert kept(page)["id"] != left and page.request.get(f"/api/v1/games/{left}").json()["round"] == 1


def test_a_placement_that_takes_long_says_so_and_another_tab_sends_it(page: Page) -> None:
    page.goto("/")
    begin(page)
    other = page.context.new_page()
    other.goto("/")
    expect(other.locator("button[data-slot]")).to_have_count(10)
    page.route("**/moves", lambda _: None)  # nobody answers
    place(page, 5)
    expect(page.get_by_text("The connection is slow, or the server is down.")).to_be_visible()
    page.close()
    expect(other.locator("button[data-slot]:not([aria-disabled=true])")).to_have_count(9)
