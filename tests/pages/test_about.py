"""About: the rules to try, the figure of thresholds, the fairness check that passes and fails, the duel's numbers."""

import json
import re
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tentimes18.dice import Dice
from tentimes18.solve.thresholds import exact_thresholds
from tests.support.browser import play_by_request, verify_axe
from tools.duel_facts import WRITTEN

GAMES: Final = Path(__file__).parents[2] / "docs" / "games"


def result(page: Page) -> Locator:
    return page.get_by_role("region", name="Result of the check")


def test_the_rules_are_tried_at_once(page: Page) -> None:
    page.goto("/about")
    for _ in range(3):
        page.get_by_role("button", name="Roll", exact=True).click()
        page.get_by_role("button", name=re.compile("^Slot times")).first.click()
    expect(page.get_by_text("All your green together is your score.")).to_be_visible()
    page.get_by_role("button", name="Once more").click()
    expect(page.get_by_role("button", name=re.compile("^Slot times"))).to_have_count(3)


def test_the_figure_says_which_rank_a_roll_has(page: Page) -> None:
    page.goto("/about")
    row = exact_thresholds(Dice.parse("3d6"), 4)[-1].floats()  # what four others can expect, where five are free
    page.get_by_label(re.compile("^Free slots")).fill("5")
    page.get_by_label(re.compile("^Roll")).fill("9")
    figure = page.get_by_role("img", name=re.compile("^With 5 free slots"))
    expect(figure).to_have_accessible_name(
        f"With 5 free slots, a 9 is between {row[0]:.1f} and {row[1]:.1f}. So it goes to the 2nd of them."
    )
    page.get_by_label(re.compile("^Roll")).fill("18")
    expect(page.get_by_text("So it goes to the last of them.").first).to_be_visible()


def test_a_fair_game_is_verified_and_an_altered_one_is_not(page: Page) -> None:
    page.goto("/about")
    game = page.get_by_label(re.compile("^A finished game"))
    game.fill((GAMES / "fair.json").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Check").click()
    expect(result(page)).to_contain_text("Verified: the rolls are those that the server committed to")
    expect(page.get_by_text("✓ verified")).to_have_count(10)
    page.get_by_text("I saved the game at its start").click()
    page.get_by_label(re.compile("^Its JSON at")).fill((GAMES / "fair-start.json").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("✓ verified")).to_have_count(10)
    game.fill((GAMES / "altered.json").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Check").click()
    expect(result(page)).to_contain_text("Not verified.")
    expect(page.get_by_text("✗ the nonce and the roll do not make the commitment")).to_have_count(1)
    expect(page.get_by_text("✓ verified")).to_have_count(9)
    verify_axe(page)

    # Errors outside of the rounds.
    fair = json.loads((GAMES / "fair.json").read_text(encoding="utf-8"))
    game.fill(json.dumps(fair | {"score": 700}))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("the score of the board is said to be 700, and it makes 698")).to_be_visible()
    game.fill(json.dumps(fair, indent=1)[:-20])
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("JSON: it breaks off, or something in it is mistyped").first).to_be_visible()
    game.fill("3d6 1-10: 8@5; name=Ada\nnonsense")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("nothing was committed to, so that nothing can be checked")).to_be_visible()
    expect(page.get_by_text("Line 2: moves: cannot read 'nonsense'")).to_be_visible()


def test_an_own_game_is_picked_and_verified(page: Page) -> None:
    page.goto("/about")
    game = play_by_request(page, "/games", {"dice": "1d6", "slots": "1-3"})
    page.reload()
    page.get_by_label("One of your own games").select_option(game["id"])
    expect(page.get_by_text("✓ verified")).to_have_count(3)


def test_the_findings_are_those_of_the_document(page: Page) -> None:
    page.goto("/about")
    facts = json.loads(WRITTEN.read_text(encoding="utf-8"))
    for caption, key in (
        ("Against the perfect player", "against_optimal"),
        ("Against the equilibrium", "against_equilibrium"),
    ):
        rows = page.get_by_role("table", name=caption).locator("tbody tr")
        expect(rows).to_have_count(len(facts[key]))
        ordered = sorted(facts[key], key=lambda fact: fact["loss"] - fact["win"])  # the best player first
        for row, fact in zip(rows.all(), ordered, strict=True):
            assert row.locator("td").all_inner_texts() == [
                f"{100 * fact[part]:.1f}%" for part in ("win", "draw", "loss")
            ]
