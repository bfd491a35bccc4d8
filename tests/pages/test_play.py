"""The Play page: games by mouse, touch and keyboard, what the coach says, and what is kept when things go wrong."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tentimes18.pages.starts import NAMED_GAMES
from tests.support.browser import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    THEMES,
    Guard,
    NewPlayer,
    OpenPage,
    Theme,
    free_slots,
    place,
    slot_button,
    verify_axe,
)

NAME: Final = re.compile(
    r"Slot times (?P<times>\d+): worth (?P<worth>[\d.]+), (the best|as good as the best|costs (?P<cost>[\d.]+))"
)
HINTS: Final = re.compile(r"worth|cost|best|course|luck|par\b|gives up|mistake", re.IGNORECASE)


def begin(page: Page, coach: str = "off", game: str | None = None) -> None:
    page.get_by_role("group", name="Coach").get_by_role("button", name=coach.capitalize(), exact=True).click()
    if game is not None:
        page.get_by_role("radio", name=game).check()
    page.get_by_role("button", name="Roll the dice").click()
    wait_for_roll(page)


def wait_for_roll(page: Page) -> None:
    """The next roll is there, or the game is over."""
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
    expect(placed(page, slot)).to_be_attached()
    return slot


def placed(page: Page, slot: int) -> Locator:
    """The row of a slot that is filled."""
    return page.get_by_text(re.compile(rf"^Slot times {slot}: \d+, \d+ points"))


def is_over(page: Page) -> bool:
    wait_for_roll(page)
    return page.get_by_role("button", name="Play again").is_visible()


def finish(page: Page, way: str = "click") -> None:
    while not is_over(page):
        place_first(page, way)


def kept(page: Page) -> Any:
    """The game that the page keeps."""
    return json.loads(page.evaluate("localStorage.getItem('ten18.solo')"))


def told(page: Page) -> Any:
    """The same game as the service tells it."""
    return page.request.get(f"/api/v1/games/{kept(page)['id']}").json()


def test_a_whole_game_by_mouse(page: Page) -> None:
    page.goto("/")
    begin(page)
    finish(page)
    game = told(page)
    assert game["finished"] and game["coach"] == "off"
    expect(page.locator(".final")).to_contain_text(str(game["score"]))
    review = page.request.get(f"/api/v1/games/{game['id']}/review").json()
    shown = dict(
        zip(page.locator(".stats dt").all_inner_texts(), page.locator(".stats dd").all_inner_texts(), strict=True)
    )
    for name, points in (("Par", review["value"]), ("Luck", review["luck"]), ("Mistakes", -review["loss"])):
        assert float(shown[name].replace("\u2212", "-")) == pytest.approx(points, abs=0.0501)
    assert page.get_by_role("link", name="Review", exact=True).last.get_attribute("href") == f"/review/{game['id']}"
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".stats")).to_contain_text("1 of 10")
    assert kept(page)["id"] != game["id"] and told(page)["round"] == 1


def test_a_whole_game_by_touch_with_one_tap_a_roll(open_page: OpenPage) -> None:
    page = open_page("/", PHONE)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("radio", name="One tap places").check()
    page.get_by_role("button", name="Close").tap()
    begin(page, game="Blitz")
    while not is_over(page):
        slot = free_slots(page)[-1]
        slot_button(page, slot).tap()
        expect(placed(page, slot)).to_be_attached()
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
        expect(placed(page, slot)).to_be_attached()
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
                told_cost = re.compile(rf"×{move['slot']} gives up ([\d.]+) points on average\.")
                expect(page.get_by_text(told_cost)).to_be_visible()
                found = told_cost.search(page.locator(".act").inner_text())
                assert found and float(found[1]) == pytest.approx(loss, abs=0.0501)
                warned += 1
        costly = moves[-1]["slot"]
    page.get_by_role("button", name="Pick another").click()
    expect(slot_button(page, costly)).to_have_attribute("aria-pressed", "false")
    slot_button(page, costly).click()
    page.get_by_role("button", name="Place anyway").click()
    expect(placed(page, costly)).to_be_attached()


def test_without_a_coach_nothing_is_told(page: Page) -> None:
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
    expect(page.get_by_text("The coach speaks from the next one on.")).to_be_visible()
    expect(page.locator("#said")).not_to_contain_text(HINTS)
    assert page.request.get(f"/api/v1/games/{kept(page)['id']}/advice").status == 403


def test_a_reload_and_a_second_tab_go_on_with_the_game(page: Page) -> None:
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
    second = place_first(other)
    expect(placed(page, second)).to_be_attached()  # the first tab follows
    wait_for_roll(page)
    assert kept(page)["rounds"][:2] == kept(other)["rounds"][:2] and told(page)["round"] == 3


def test_dice_and_slots_of_ones_own(page: Page) -> None:
    page.goto("/")
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


def test_a_mistake_in_own_dice_is_told_at_its_field(page: Page, guard: Guard) -> None:
    guard.allow("422")
    page.goto("/")
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
    expect(page.get_by_text("The last round was placed in another tab.")).to_be_visible()


def test_a_game_that_the_service_does_not_know(page: Page, guard: Guard) -> None:
    guard.allow("404")
    page.goto("/")
    begin(page)
    page.context.clear_cookies()
    place_first(page)
    expect(page.get_by_text("The service does not know this game any more.")).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="New game").click()
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()


def test_without_the_network_a_game_is_played_here_and_sent_later(page: Page, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    page.goto("/")
    page.get_by_role("radio", name="Blitz").check()
    page.context.set_offline(True)
    expect(page.get_by_text("the game is played here, and sent later")).to_be_visible()
    begin(page, "full")
    expect(page.get_by_text("this game is played here, sent later, and counts for no rating")).to_be_visible()
    finish(page)
    game = kept(page)
    assert game["local"] and len(game["rounds"]) == 5
    page.context.set_offline(False)
    moves = " ".join(f"{played['roll']}@{played['slot']}" for played in game["rounds"])
    page.wait_for_function(
        "async (moves) => (await (await fetch('/api/v1/me/games')).text()).includes(moves)", arg=moves
    )


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


@pytest.mark.parametrize("theme", THEMES)
def test_nobody_is_shut_out(open_page: OpenPage, theme: Theme) -> None:
    page = open_page("/", DESKTOP if theme == "light" else PHONE, theme)
    begin(page, "full", "Blitz")
    verify_axe(page)
    finish(page)
    verify_axe(page)


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


def test_large_text_keeps_everything_in_reach(open_page: OpenPage) -> None:
    page = open_page("/", PHONE)
    begin(page, "full")
    page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE.width
    slot = place_first(page)
    expect(placed(page, slot)).to_be_attached()


def test_the_named_games_are_those_of_the_service(page: Page) -> None:
    page.goto("/")
    found = page.evaluate(
        """async () => {
          const root = document.querySelector("link[href*='style/base.css']").href.replace("style/base.css", "app/");
          return (await import(root + "solo/games.js")).GAMES.map(({ short, ...game }) => game);
        }"""
    )
    assert found == [
        {"name": game.name, "title": game.title, "about": game.about, "dice": game.dice, "slots": game.slots}
        for game in NAMED_GAMES
    ]


def test_a_game_is_continued_by_its_address(new_player: NewPlayer) -> None:
    context = new_player()
    page = context.new_page()
    page.goto("/")
    begin(page)
    slot = place_first(page)
    wait_for_roll(page)
    id_ = kept(page)["id"]
    page.evaluate("localStorage.clear()")
    page.goto(f"/game/{id_}")
    expect(placed(page, slot)).to_be_attached()
    place_first(page)


def test_a_placement_that_takes_long_says_so_and_another_tab_sends_it(page: Page) -> None:
    page.goto("/")
    begin(page)
    other = page.context.new_page()
    other.goto("/")
    expect(other.locator("button[data-slot]")).to_have_count(10)
    page.route("**/moves", lambda _: None)  # nobody answers
    place(page, 5)
    expect(page.get_by_text("The line is slow, or the service is away.")).to_be_visible()
    page.close()
    expect(other.locator("button[data-slot]:not([aria-disabled=true])")).to_have_count(9)
