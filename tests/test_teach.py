"""What docs/teach says is what the solvers compute: numbers, pictures, and notebooks, which run from top to bottom."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tentimes18 import Board, Dice, Game, advise, exact_thresholds, named, parse_record, review, score_distribution
from tentimes18.pictures import sheets
from tentimes18.pictures.strategy_card import HEIGHT, WIDTH, Text, text_width
from tentimes18.server.bots import CHANCES
from tests.support import ROOT
from tools import teach_pictures

FOLDER = ROOT / "docs" / "teach"
WORKSHEETS = (sheets.by_hand, sheets.house_number, sheets.luck)


def run(name: str) -> dict[str, Any]:
    """The names that a notebook defines, after all its cells."""
    namespace: dict[str, Any] = {}
    for number, cell in enumerate(json.loads((FOLDER / name).read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None), "clear the outputs before you commit"
            exec(compile("".join(cell["source"]), f"{name}, cell {number}", "exec"), namespace)
    return namespace


def mean_of(strategy: str, game: Game | None = None) -> Fraction:
    mean = score_distribution(Board(game or Game.classic()), named(strategy)).mean
    assert isinstance(mean, Fraction)
    return mean


def mixed(number: Fraction) -> str:
    """A fraction as the pages write it: 2⅓, 3.5."""
    whole, part = divmod(number, 1)
    thirds = {Fraction(1, 3): "⅓", Fraction(2, 3): "⅔"}
    return f"{whole}{thirds[part]}" if part in thirds else f"{float(number):g}"


def test_lessons_have_the_numbers_of_the_solver() -> None:
    small, house, classic = Game.parse("1d6", "1-3"), Game.parse("1d6", "1,10,100"), Game.classic()
    _, two, three, four = exact_thresholds(Dice.parse("1d6"), 4)
    dice = exact_thresholds(Dice.parse("3d6"), 9)
    low, middle, high = map(mixed, three)
    par = mixed(mean_of("optimal", small))
    expected = {
        "by-hand.md": [
            f"1 × {low} + 2 × {middle} + 3 × {high} = {par}",
            f"1 × {low} + 10 × {middle} + 100 × {high} = {mixed(mean_of('optimal', house))}",
            mixed(mean_of("random", house)),
            f"6 × 3.5 = {mixed(mean_of('random', small))}",
            *(f"{float(x):.2f}" for x in (*dice[1], *dice[2])),
            "  ".join(f"{float(x):.2f}" for x in dice[8]),
            *(mixed(x) for x in two),
        ],
        "lesson-45.md": [*(mixed(x) for x in two), par],
        "lesson-90.md": [
            " | ".join(mixed(mean_of("random", game)) for game in (small, house, classic)),
            f"{par} | {mixed(mean_of('optimal', house))} | {float(mean_of('optimal')):.2f}",
            f"{100 * CHANCES['3d6 1-10']['random'].win:.1f}",
        ],
        "luck.md": [f"{low} + 2 × {middle} + 3 × {high} = {par}", "= 23½", "= 23¼", "= 21", "= 26"],
        "questions.md": [
            "= 20.25",
            "= 19.5",
            "0.75",
            mixed(mean_of("greedy", small)),
            f"{float(mean_of('greedy')):.0f}",
        ],
    }
    for language in ("", "de"):
        for page, numbers in expected.items():
            text = (FOLDER / language / page).read_text(encoding="utf-8")
            shown = [number.replace(".", ",") if language else number for number in numbers]
            assert [number for number in shown if number not in text] == [], (language, page)

    # Statements in words.
    loss = {roll: {move.slot: move.loss for move in advise(Board(small), roll).moves} for roll in (2, 4)}
    assert (loss[2][2], loss[4][3]) == (Fraction(3, 4), Fraction(1, 4)), "a 2 in the middle, a 4 in the highest slot"
    lulu = review(parse_record("1d6 1-3: 4@3 2@1 6@2"))
    assert (lulu.luck, lulu.loss) == (Fraction(35, 12), Fraction(1, 4)), "Lulu: 2¹¹⁄₁₂ and ¼"
    assert mean_of("optimal", small) - mean_of("greedy", small) == Fraction(1, 12)
    assert score_distribution(Board(small), named("optimal")).at_least(30) == Fraction(11, 72)
    assert list(four) == [Fraction(n, 36) for n in (74, 109, 143, 178)], "2¹⁄₁₈, 3¹⁄₃₆, 3³⁵⁄₃₆ and 4¹⁷⁄₁₈"
    odd = exact_thresholds(Dice.parse("d{1,1,1,6,6,6}"), 2)
    assert list(odd[1]) == [Fraction(9, 4), Fraction(19, 4)]


def test_the_four_pictures_are_drawn_from_the_table() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in teach_pictures.FOLDER.iterdir()}
    assert written == teach_pictures.pictures()


def test_simulated_strategies_are_near_their_exact_averages() -> None:
    found = run("simulate.ipynb")
    for player, strategy in (("anywhere", "random"), ("high_low", "greedy")):
        mean, error = found["average"](found[player], games=4000)
        assert abs(mean - mean_of(strategy)) < 4 * error
    assert found["gain"] > 2 * found["error"]


def test_the_table_of_the_notebook_is_the_solver() -> None:
    found = run("dynamic-programming.ipynb")
    assert found["rows3"] == [list(row) for row in exact_thresholds(Dice.parse("3d6"), 10)]
    assert found["par"] == score_distribution(Board(Game.classic()), named("optimal")).mean
    assert found["house"] == 504
    assert found["best_value"]((1, 2, 3)) == Fraction(70, 3)


def test_the_review_of_the_notebook_is_the_coach() -> None:
    found = run("luck-and-skill.ipynb")
    expected = review(parse_record("1d6 1-3: 4@3 2@1 6@2"))
    assert (found["par"], found["luck"], found["mistakes"]) == (expected.start, expected.luck, expected.loss)
    assert found["share_ahead"](found["high_low"], found["perfect"], 30) < found["share_ahead"](
        found["high_low"], found["perfect"], 1
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_sheets_in_the_repository_are_those_of_the_command(language: sheets.Language) -> None:
    folder = FOLDER / "sheets" if language == "en" else FOLDER / language / "sheets"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == sheets.sheets(language)


@pytest.mark.parametrize("language", ["en", "de"])
def test_answers_are_on_the_sheets_and_nothing_leaves_the_page(language: sheets.Language) -> None:
    expected = {
        sheets.by_hand: {"3.5", "2.75", "4.25", "2 1/3", "4 2/3", "23 1/3", "21", "2 1/18", "3 1/36"},
        sheets.house_number: {"504", "388.5", "0"},
        sheets.luck: {"23.5", "23.25", "–2.25", "2 11/12", "4 2/3", "26", "28"},
    }
    for draw, answers in expected.items():
        open_, filled = (draw(language, has_answers=has_answers) for has_answers in (False, True))
        shown, empty = ({mark.text for mark in page.marks if isinstance(mark, Text)} for page in (filled, open_))
        assert answers <= shown
        assert not answers & empty
        for mark in filled.marks:
            width = text_width(mark.text, mark.size) if isinstance(mark, Text) else mark.width
            assert mark.x + (width if not isinstance(mark, Text) or mark.align == "left" else 0) <= WIDTH
            assert mark.y <= HEIGHT - 6 or mark.y == 0


def test_the_german_sheets_have_no_english_text() -> None:
    draws: list[Callable[[sheets.Language], sheets.Sheet]] = [sheets.card, partial(sheets.boards, slots=5)]
    draws += [partial(draw, has_answers=True) for draw in WORKSHEETS]
    for draw in draws:
        english, german = ({mark.text for mark in draw(lang).marks if isinstance(mark, Text)} for lang in ("en", "de"))
        assert {text for text in english & german if re.search("[a-z]{4}", text)} <= {"Ten times eighteen"}


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.name)
def test_links_of_notebooks_lead_somewhere(page: Path) -> None:
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    targets = [part.split(")")[0] for part in text.split("](")[1:]]
    assert [target for target in targets if not (FOLDER / target).exists()] == []
