"""Review in the browser: the bill adds up and is the library's, the rounds, pasted records, links, one's own games."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.game import Game
from tentimes18.records.notation import parse_record
from tentimes18.server.uploads import check_texts
from tentimes18.solve.thresholds import exact_thresholds
from tests.support.browser import DESKTOP, PHONE, Guard, NewPlayer, OpenPage, play_by_request, verify_axe
from tools.pictures import GAME

CLASSIC: Final = f"3d6 1-10: {GAME}"
LOADED: Final = "2d12:12=2 1,3,5,7,9,11,13,15,17: 13@5 21@9 6@1 17@8 12@4 24@7 9@2 15@6 11@3"
BLITZ: Final = "3d6 1-5: 9@2 14@4 6@1 11@3 10@5; name=Ben; date=2026-11-15"
DUEL: Final = "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3; against=Ana; aim=duel"


def address(text: str) -> str:
    return "/review#" + text.replace(" ", "%20")


def shown(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")


def signed(number: float) -> str:
    return ("+" if number > 0 else "") + shown(number)


def bill(page: Page) -> dict[str, str]:
    rows = page.locator(".ledger li:not(.scale)")
    expect(rows.first).to_be_visible()
    return {row.locator("span").inner_text(): row.locator("b").inner_text() for row in rows.all()}


@pytest.mark.parametrize("text", [CLASSIC, LOADED, BLITZ], ids=["classic", "loaded", "blitz"])
def test_the_bill_adds_up_and_is_the_librarys(text: str, page: Page) -> None:
    found = review(parse_record(text))
    page.goto(address(text))
    rows = bill(page)
    assert rows == {
        "Par: perfect play, on average": shown(float(found.start)),
        "Luck": signed(float(found.luck)),
        "Mistakes": signed(-float(found.loss)),
        "Score": str(found.record.board.score),
        "Perfect player, same rolls": str(found.optimal_score),
        "Best possible in hindsight": str(found.best_score),
    }
    par, luck, mistakes, score = (float(number.replace("−", "-")) for number in list(rows.values())[:4])
    assert par + luck + mistakes == pytest.approx(score, abs=0.02)
    assert found.percentile is not None
    expect(
        page.get_by_text(f"{100 * float(found.percentile):.1f}% of perfect games end at {score:.0f} or less.")
    ).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Review: {score:.0f}")


def test_a_review_without_the_service(page: Page, guard: Guard) -> None:
    guard.allow("ERR_FAILED")
    page.route("**/api/**", lambda route: route.abort())
    page.goto(address(CLASSIC))
    assert bill(page)["Mistakes"] == "−4.91"
    expect(page.get_by_text("85.2% of perfect games end at 698 or less.")).to_be_visible()


def test_step_by_step(page: Page) -> None:
    """The dearest move first; arrow keys, the slider and the rolls lead to the others, with the worths of all slots."""
    page.goto(address(CLASSIC))
    slider = page.get_by_role("slider", name="Round")
    expect(slider).to_have_attribute("aria-valuetext", "Round 1 of 10: the 8 in times 5")
    expect(page.get_by_text("×2 was best: ×5 cost 2.78 on average.")).to_be_visible()
    step = page.locator(".at-step")
    expect(step.get_by_role("button", name="Slot times 2: worth 627.45, the best")).to_be_visible()
    expect(step.get_by_role("button", name="Slot times 5: worth 624.67, costs 2.78")).to_be_visible()
    page.locator("body").press("ArrowRight")
    expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
    expect(step.get_by_text("That was best.")).to_be_visible()
    page.locator("body").press("ArrowLeft")
    page.locator("body").press("ArrowLeft")
    expect(slider).to_have_value("1")
    slider.press("End")
    expect(page.get_by_role("heading", name="Round 10", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="The next round")).to_be_disabled()
    page.get_by_role("button", name="Round 4: the 13").first.click()
    expect(step.get_by_text("×9 cost 0.52")).to_be_visible()
    assert step.get_by_role("button", name=re.compile("^Slot times")).count() == 7, "three are taken"
    found = review(parse_record(CLASSIC)).moves[3]
    assert found.best_slots == (8,)
    expect(step.get_by_role("button", name=re.compile("^Slot times 8: worth .*, the best$"))).to_be_visible()


def test_why_a_move_cost_points(page: Page) -> None:
    """What each free slot can expect after the move and after the best one; the differences add up to the cost."""
    page.goto(address(CLASSIC))
    page.get_by_text("Why?").click()
    table = page.get_by_role("table", name="Expected roll of each free slot")
    expect(table.locator("tbody tr")).to_have_count(10)
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    board, roll, slot, best = Game.classic(), 8, 5, 2
    total = 0.0
    for row, number in zip(rows, range(1, 11), strict=True):
        chosen, other = (expected_rolls(board, roll, taken)[number] for taken in (slot, best))
        assert row[0] == f"×{number}"
        assert [float(text) for text in row[1:3]] == pytest.approx([chosen, other], abs=0.0051)
        points = number * (chosen - other)
        assert float(row[3].replace("−", "-")) == pytest.approx(points, abs=0.0051)
        total += points
    assert total == pytest.approx(-float(review(parse_record(CLASSIC)).moves[0].loss))
    expect(table.locator("tfoot")).to_contain_text("−2.78")
    verify_axe(page)


def expected_rolls(game: Game, roll: int, taken: int) -> dict[int, float]:
    """The roll in the taken slot, and what every other slot can expect."""
    left = [slot for slot in range(1, game.size + 1) if slot != taken]
    row = exact_thresholds(game.dice, len(left))[-1]
    return {taken: float(roll)} | {slot: float(row[place]) for place, slot in enumerate(left)}


def test_records_that_are_pasted_in(page: Page) -> None:
    page.goto("/review")
    page.get_by_text("Review any other game").click()
    field, go = page.get_by_label("One game per line"), page.get_by_role("button", name="Review it")
    go.click()
    expect(page.get_by_role("alert")).to_contain_text("Paste a game first")
    for text, told in (
        ("hello", "moves: cannot read 'hello'; accepted: rolls and slots like 8@5 4@1 12@7"),
        ("8@5 4@5", "moves: slot 5 already holds 8; free: 1,2,3,4,6,7,8,9,10"),
        ('{"moves": "8@5 4@1", "score": 45}', "score: 45 is given, and the moves make 44"),
    ):
        field.fill(text)
        go.click()
        expect(page.get_by_role("alert")).to_have_text(told)
        assert "\n" not in page.get_by_role("alert").inner_text()
    field.fill(f'{{"moves": "{GAME}", "score": 698}}\n{BLITZ}\n8@5 8@5\n')
    go.click()
    expect(page.get_by_text("One line isn’t a game: line 3, moves: slot 5 already holds 8")).to_be_visible()
    page.get_by_role("link", name="Ben").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Review: {parse_record(BLITZ).board.score}")
    page.go_back()
    expect(page.get_by_role("heading", name="Your last games")).to_be_visible()


def test_a_permanent_link_needs_nothing_but_itself(open_page: OpenPage, new_player: NewPlayer) -> None:
    page = open_page(address(BLITZ), permissions=["clipboard-read", "clipboard-write"])
    rows = bill(page)
    page.get_by_role("button", name="Copy link").first.click()
    expect(page.get_by_role("button", name="Link copied").first).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/review#3d6%201-5:%209@2,14@4,6@1,11@3,10@5;%20name=Ben;%20date=2026-11-15")
    other = new_player().new_page()
    other.goto(link)
    assert bill(other) == rows
    other.goto(address("8@5,4@77"))
    expect(other.get_by_role("alert")).to_have_text("moves: there is no slot 77; slots are 1 to 10")


def test_a_duel_by_the_aim_that_it_was_played_for(page: Page) -> None:
    record = parse_record(DUEL)
    found = review(record, aim_named(record.board.game, "duel"))
    page.goto(address(DUEL))
    rows = bill(page)
    assert rows["Given by Ana"] == f"{signed(100 * float(found.gift))}%"
    assert rows["Mistakes"] == f"{signed(-100 * float(found.loss))}%"
    assert rows["The chance at the end"] == "100.00%"
    expect(page.get_by_text("The player won against Ana, 32 to 29.")).to_be_visible()
    expect(page.locator(".at-step").get_by_role("button", name="Slot times 2: worth 50.00, the best")).to_be_visible()
    page.get_by_role("button", name="Perfect player").click()
    expect(page.get_by_role("heading", name="The player and the perfect player")).to_be_visible()


def test_own_games(page: Page, guard: Guard) -> None:
    guard.allow("404|409")
    page.goto("/review")
    game = play_by_request(page, "/games", {"dice": "3d6", "slots": [1, 2, 3]})["id"]
    page.reload()
    page.locator(f'a[href="/review/{game}"]').click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Review: ")
    expect(page.get_by_text("You put the")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download record").first.click()
    line = saved.value.path().read_text(encoding="utf-8")
    checked = check_texts(line)
    assert (checked.games, checked.verified) == (1, 1), "with what proves its rolls"
    assert bill(page)["Score"] == str(checked.results[0].score)
    begun = page.request.post("/api/v1/games", data={}).json()["id"]
    page.goto(f"/review/{begun}")
    expect(page.get_by_text("This game is not over yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Go on playing")).to_have_attribute("href", f"/game/{begun}")
    page.goto("/review/nobodys")
    expect(page.get_by_text("There is no such game of yours.")).to_be_visible()


def test_axe_finds_nothing(open_page: OpenPage) -> None:
    for text, size, theme in ((CLASSIC, DESKTOP, "light"), (DUEL, PHONE, "dark")):
        page = open_page(address(text), size, theme)
        bill(page)
        verify_axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
