"""The lab: any dice and slots, with the library's numbers; the address holds all of it; the card is printed."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tentimes18.coach.review import outlook
from tentimes18.game import Board, Game
from tentimes18.number_format import ordinal
from tentimes18.queries.moves import AdviceAnswer, advise
from tentimes18.queries.printed import card
from tentimes18.queries.solutions import solve
from tests.support.browser import PHONE, Guard, OpenPage, verify_axe

LOADED: Final = ("2d12:12=2", "1,3,5,7,9,11,13,15,17")
GAMES: Final = (("3d6", "1-10"), LOADED, ("4d6kh3", "1-6"))

# The milliseconds that answers are waited for.
ASKED_FOR: Final = """const timeout = AbortSignal.timeout.bind(AbortSignal);
window.waits = [];
AbortSignal.timeout = (wait) => { waits.push(wait); return timeout(wait); };"""
CELLS: Final = """() => [...document.querySelectorAll(".heat tbody tr")].map((row) =>
  [...row.cells].slice(1).map((cell) => cell.classList.contains("h0") ? "best" : cell.textContent.trim()))"""

MARKED: Final = """() => [...document.querySelectorAll(".heat .h0")]
  .map((cell) => [cell.cellIndex, cell.parentElement.rowIndex]).sort((a, b) => a[0] - b[0])"""


def address(dice: str, slots: str, **more: str) -> str:
    query = "&".join(f"{key}={value}" for key, value in {"dice": dice, "slots": slots, **more}.items())
    return f"/lab?{query.replace('=2&', '%3D2&')}" if dice == LOADED[0] else f"/lab?{query}"


def shown_loss(loss: float) -> str:
    if loss < 0.005:
        return "<.01"
    return f"{loss:.{2 if loss < 0.995 else 1 if loss < 9.95 else 0}f}"


def advice(game: Game, roll: int, free: list[int]) -> AdviceAnswer:
    return advise(roll, free=",".join(map(str, free)), dice=str(game.dice), slots=game.slots)


def matrix(game: Game, free: list[int]) -> list[list[str]]:
    """What the matrix is to say: a row a free slot, a column a roll."""
    columns = [advice(game, roll, free) for roll in game.dice.support]
    return [
        [
            "best"
            if slot in column.best_slots
            else shown_loss(next(move.loss for move in column.moves if move.slot == slot))
            for column in columns
        ]
        for slot in free
    ]


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_the_numbers_are_the_solvers(page: Page, dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    page.goto(address(dice, slots))
    expect(page.get_by_role("heading", name="Where each roll goes")).to_be_visible()
    assert page.evaluate(CELLS) == matrix(game, list(range(1, game.size + 1)))
    expected = solve(dice, slots).expected
    facts = page.get_by_role("region", name="What to expect")
    expect(facts).to_contain_text(f"Perfect player{float(expected.optimal):.2f}")
    expect(facts).to_contain_text(f"Any slot at random{float(expected.random):.2f}")
    expect(facts).to_contain_text(f"All rolls known in advance{float(expected.hindsight):.2f}")
    distribution = outlook(Board(game))
    expect(facts).to_contain_text(f"Spread (sd){distribution.sd:.2f}")
    quantiles = facts.get_by_role("row", name=re.compile("^Score [0-9]")).get_by_role("cell")
    expect(quantiles).to_have_text([str(distribution.quantile(share)) for share in (0.05, 0.25, 0.5, 0.75, 0.95)])


def test_the_papers_loaded_dice(page: Page) -> None:
    """The paper's table has E_5 = 9.038, 11.714, 13.868, 16.012, 18.599 of two loaded dice: there rolls are cut."""
    page.goto(address(*LOADED, board="2@1,2@2,2@3", roll="14"))  # six slots are free
    cuts = page.get_by_role("list").filter(has=page.get_by_role("button", name=re.compile("go to")))
    expect(cuts.get_by_role("button")).to_have_text(
        [
            re.compile(text)
            for text in ("^2–9.*×7$", "^10–11.*×9$", "^12–13.*×11$", "^14–16.*×13$", "^17–18.*×15$", "^19–24.*×17$")
        ]
    )


def test_a_position_is_edited_and_is_in_the_address(page: Page) -> None:
    page.goto("/lab")
    page.get_by_role("button", name="Roll 8", exact=True).click()
    page.get_by_role("button", name="Slot times 5: free").click()
    expect(page).to_have_url(re.compile(r"board=8%405.*roll=8|roll=8.*board=8%405"))
    page.get_by_role("button", name="Higher roll").click()
    page.get_by_role("button", name="Slot times 9: free").click()
    expect(page.get_by_text("Points so far")).to_be_visible()
    expect(page.get_by_role("region", name="Game")).to_contain_text("Points so far121")
    game = Game.classic()
    free = [1, 2, 3, 4, 6, 7, 8, 10]
    assert page.evaluate(CELLS) == matrix(game, free)
    best = advice(game, 9, free)
    worth = 121 + best.moves[0].value
    expect(page.get_by_text(f"goes in ×{best.best}: worth {worth:.2f}.")).to_be_visible()
    shared = page.url
    page.get_by_role("button", name="Slot times 5: holds 8").click()
    expect(page.get_by_role("button", name="Slot times 5: free")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Slot times 5: holds 8")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Slot times 9: free")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("button", name="Slot times 9: holds 9")).to_be_visible()
    assert page.url == shared
    page.goto(shared)
    expect(page.get_by_role("button", name="Slot times 5: holds 8")).to_be_visible()
    expect(page.get_by_role("button", name="Slot times 9: holds 9")).to_be_visible()


def test_dice_and_slots_are_written_and_rejected_in_a_line(page: Page) -> None:
    page.goto("/lab")
    page.get_by_label("Dice", exact=True).fill("3x6")
    expect(page.get_by_role("alert")).to_contain_text("cannot read '3x6'; accepted: 3d6")
    page.get_by_label("Dice", exact=True).fill("2d8")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Slots", exact=True).fill("1-30")
    expect(page.get_by_role("alert")).to_contain_text("30 slots, at most 20 are accepted")
    page.get_by_label("Slots", exact=True).fill("1,3,7/2")
    page.get_by_label("Slots", exact=True).press("Enter")
    expect(page).to_have_url(re.compile("dice=2d8&slots=1%2C3%2C7%2F2"))
    expect(page.get_by_role("rowheader", name="×7/2")).to_be_visible()
    page.get_by_label("Preset").select_option("loaded")
    expect(page.get_by_label("Dice", exact=True)).to_have_value(LOADED[0])
    page.go_back()
    expect(page.get_by_label("Dice", exact=True)).to_have_value("2d8")


def test_a_page_suggests_one_target_and_says_what_cannot_be_reached(page: Page) -> None:
    page.goto("/lab?dice=2d12:12=2&slots=1-5")
    expect(page.get_by_role("img", name=re.compile("260 reach|reach 260")).first).to_be_attached()
    expect(page.get_by_role("textbox", name="Target score")).to_have_value("260")
    expect(page.get_by_text(re.compile(r"^An? \d+ goes in"))).to_be_visible()
    page.goto("/lab?target=1000")
    expect(page.get_by_text("Nobody can reach 1000 from here: 990 is the most.")).to_be_visible()
    expect(page.locator(".heat")).to_have_count(0)


def test_a_target_is_played_for(page: Page) -> None:
    page.goto("/lab?dice=1d6&slots=1-4&target=45&roll=4")
    expect(page.get_by_text("✓ best slot to reach 45.")).to_be_visible()
    reached = page.get_by_text(re.compile("reach 45 when that is the aim"))
    expect(reached).to_be_visible()
    best = page.request.get("/api/v1/lab/target?dice=1d6&slots=1-4&target=45").json()
    expect(reached).to_contain_text(f"{best['probability'] * 100:.1f}% reach 45")
    slots = [best["next_move"][str(roll)] for roll in range(1, 7)]
    assert page.evaluate(MARKED) == [[roll, slot] for roll, slot in enumerate(slots, start=1)]
    page.get_by_label("Highest average").check()
    expect(page).not_to_have_url(re.compile("target"))


def test_the_card_is_printed_on_one_page(page: Page) -> None:
    page.goto("/lab")
    table = page.get_by_role("table", name="The free slot that takes a roll")
    expect(table).to_be_visible()
    for row, wanted in zip(table.locator("tbody tr").all(), card().rows, strict=False):
        free = wanted.free
        texts = [ordinal(band.rank, free) for band in wanted.bands]
        assert row.locator("th, td").all_inner_texts() == [str(free), *texts]
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    page.get_by_role("button", name="Print the card").click()
    page.wait_for_function("window.printed")
    for format_ in ("A4", "Letter"):
        sheet = page.pdf(format=format_, print_background=True)
        assert sheet.count(b"/Type /Page\n") + sheet.count(b"/Type /Page ") + sheet.count(b"/Type /Page/") == 1, format_
    page.emulate_media(media="print")
    expect(table).to_be_visible()
    expect(page.get_by_role("heading", name="What to expect")).not_to_be_visible()


def test_on_a_phone_the_matrix_is_turned(open_page: OpenPage) -> None:
    page = open_page("/lab", PHONE)
    expect(page.get_by_role("columnheader", name="×10")).to_be_visible()
    rows = page.evaluate(CELLS)
    assert list(map(list, zip(*rows, strict=True))) == matrix(Game.classic(), list(range(1, 11)))


def test_without_the_network_the_matrix_and_the_distribution_go_on(page: Page, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    page.goto("/lab")
    expect(page.get_by_text("Spread (sd)54.96")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name="Slot times 5: free").click()
    expect(page.get_by_role("button", name="Slot times 5: holds 12")).to_be_visible()
    assert page.evaluate(CELLS) == matrix(Game.classic(), [1, 2, 3, 4, 6, 7, 8, 9, 10])
    distribution = outlook(Board(Game.classic()).place(12, 5))
    expect(page.get_by_role("region", name="What to expect")).to_contain_text(f"Spread (sd){distribution.sd:.2f}")


def test_a_chart_that_cannot_be_loaded_comes_with_the_network(page: Page, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    page.route("**/vendor/uplot.js", lambda route: route.abort("internetdisconnected"))
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/vendor/uplot.js")):
        page.goto("/lab")
    expect(page.get_by_text("Spread (sd)54.96")).to_be_visible()
    expect(page.locator("canvas")).to_have_count(0)
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("canvas").first).to_be_attached()


def test_a_question_may_take_two_minutes(open_page: OpenPage) -> None:
    page = open_page("about:blank", theme="dark")
    page.add_init_script(ASKED_FOR)
    page.goto("/lab?board=8@5&target=700")
    expect(page.get_by_role("img", name=re.compile("^Distribution of.* playing for 700"))).to_be_visible()
    assert max(page.evaluate("window.waits")) == 120_000
    verify_axe(page)


def test_a_game_with_one_score_is_drawn(page: Page) -> None:
    page.goto(address("1d1", "1"))
    expect(page.locator("canvas").first).to_be_attached()
    page.get_by_role("heading", name="The position").scroll_into_view_if_needed()
