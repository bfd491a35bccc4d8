"""A review as one HTML file, opened in the browser from the file system: whole in itself, and it asks nobody."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tentimes18.app.review_file import MAX_GAMES, MAX_MOVES, listed_games, review_of_game, review_of_games
from tentimes18.coach.aims import aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.review import review
from tentimes18.coach.summary import MeasuredGames, measured_kinds
from tentimes18.game import Game
from tentimes18.records.formats import Line
from tentimes18.records.notation import Record, parse_record
from tests.support.browser import PHONE, Guard, NewPlayer, verify_axe
from tests.support.played import games_of
from tools.pictures import GAME

CLASSIC: Final = f"3d6 1-10: {GAME}"
DUEL: Final = "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3; against=nearest"
EVIL: Final = "<script>alert('x')</script>\" onload=\"x & </title></style><img src=x><!--"


@pytest.fixture
def reader(new_player: NewPlayer, guard: Guard, tmp_path: Path) -> BrowserContext:
    """A reader who opens a file of this test's folder; all other requests are foreign."""
    guard.base_url = f"file://{tmp_path}"
    return new_player(service_workers="allow")


def opened(reader: BrowserContext, folder: Path, html: str) -> Page:
    path = folder / "review.html"
    path.write_text(html, encoding="utf-8")
    page = reader.new_page()
    page.goto(path.as_uri())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def kinds_of(*texts: str) -> list[MeasuredGames]:
    return measured_kinds([Line(number, parse_record(text)) for number, text in enumerate(texts, start=901)])[0]


def test_one_game(reader: BrowserContext, tmp_path: Path) -> None:
    found = review(parse_record(f"{CLASSIC}; name=Ada; date=2026-11-15 # on the train"))
    page = opened(reader, tmp_path, review_of_game(found))
    expect(page).to_have_title("Ada: 698 points, 3d6, slots 1-10 · Ten times eighteen")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review: 698")
    for text in ("Ada · 15 Nov 2026", "on the train", "85.2% of perfect games end at 698 or less."):
        expect(page.get_by_text(text)).to_be_visible()
    bill = page.locator(".ledger b").all_inner_texts()
    assert bill == ["642.24", "+60.67", "−4.91", "698", "712", "715"]
    costs = page.locator("table.columns tr").last.locator("td .cost").all_inner_texts()
    assert [cost for cost in costs if cost.startswith("−")] == [
        f"−{float(move.loss):.2f}" for move in found.moves if move.loss
    ]
    expect(page.locator(".duo li")).to_have_count(10)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    with page.expect_download() as download:
        page.locator(".more-actions .link:visible").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["score"] == 698
    expect(page.get_by_role("link")).to_have_count(0)
    verify_axe(page)


def test_on_a_phone_and_on_paper(new_player: NewPlayer, guard: Guard, tmp_path: Path) -> None:
    guard.base_url = f"file://{tmp_path}"
    page = opened(new_player(PHONE, "dark"), tmp_path, review_of_game(review(parse_record(CLASSIC))))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    expect(page.locator(".ledger")).to_be_visible()
    expect(page.get_by_role("slider")).to_be_hidden()


@pytest.mark.parametrize("aim", ["target:30", "duel", "duel:greedy"])
def test_a_game_by_another_aim(aim: str, reader: BrowserContext, tmp_path: Path) -> None:
    record = parse_record(DUEL)
    found = review(record, aim_named(record.board.game, aim))
    page = opened(reader, tmp_path, review_of_game(found))
    expect(page.get_by_text("Measured by the chance")).to_be_visible()
    bill = page.locator(".ledger b").all_inner_texts()
    assert bill[2] == f"−{100 * float(found.loss):.2f}%".replace("−0.00", "0.00")
    expect(page.get_by_text("Given by nearest")).to_have_count(int(bool(found.gift)))
    expect(page.get_by_role("heading", name="You and nearest")).to_be_visible()


def test_whatever_a_name_says_stays_text(reader: BrowserContext, tmp_path: Path) -> None:
    record = Record(parse_record(CLASSIC).board, tags={"name": EVIL, "date": EVIL, "comment": EVIL + "\x00\x1b\n"})
    page = opened(reader, tmp_path, review_of_game(review(record)))
    expect(page.locator(".said")).to_contain_text("<script>alert('x')</script>")
    assert page.title().startswith(f"{EVIL}: 698 points")


@pytest.mark.parametrize(
    "text",
    [
        *("1d6 -3--1: 4@1 6@3", "d{7} 1-3: 7@1 7@2 7@3", "1d6 1/3,2000000000: 4@1 6@2", "8@5 9@?"),
        "1d6 1-60: 4@1 6@60",
        "d{1,2,999999937}:1=1000000007 1-3: 999999937@3",
    ],
)
def test_odd_games(text: str, reader: BrowserContext, tmp_path: Path) -> None:
    page = opened(reader, tmp_path, review_of_game(review(parse_record(text))))
    expect(page.locator(".ledger li").first).to_be_visible()


def test_several_games_are_listed_and_open(reader: BrowserContext, tmp_path: Path) -> None:
    games = games_of("random", 250)
    small = kinds_of(f"{DUEL}; aim=duel; date=2026-11-15T18:30:00+01:00; name=<i>", "1d6 1-3: 4@1; takebacks=2")
    page = opened(reader, tmp_path, review_of_games([games, *small]))
    expect(page.get_by_role("heading", level=1)).to_have_text("252 games")
    expect(page.get_by_role("heading", level=2)).to_have_count(3)
    summary = games.summary
    facts = page.locator(".facts").first
    expect(facts).to_contain_text(f"{summary.skill:.2f}")
    expect(facts).to_contain_text("beginner")
    counts = page.locator(".bars").first.locator("tbody tr").all_inner_texts()
    assert [row.split()[0] for row in counts] == [move_class.name for move_class in CLASSES]
    assert [int(row.split()[1]) for row in counts] == list(summary.classes.values())
    expect(page.locator(".picker").first.locator("li")).to_have_count(len(listed_games(games, MAX_MOVES // 3)))
    expect(page.get_by_text("<i> · against nearest · lost")).to_have_count(0)
    expect(page.get_by_text(re.compile("15 Nov 2026.* · <i> · against nearest · "))).to_be_visible()
    expect(page.get_by_text("2 taken back: practice")).to_be_visible()
    costly = summary.costliest[0]
    page.get_by_role("link", name=str(costly.game), exact=True).first.click()
    expect(page.get_by_role("heading", name=f"Round {costly.round}", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("252 games")
    page.get_by_role("link", name="Game 250").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Review: ")
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("252 games")
    verify_axe(page)


def test_very_many_games_stay_one_small_file() -> None:
    games = games_of("greedy", 3000)
    assert len(review_of_games([games])) < 1_500_000
    places = listed_games(games)
    assert places[:MAX_GAMES] == list(range(2999, 2999 - MAX_GAMES, -1))
    assert {move.game for move in games.summary.costliest} <= {games.lines[place].number for place in places}
    assert len(listed_games(games_of("random", 500, Game.parse("1d6", "1-4")), 40)) <= 10 + 10


def test_the_same_game_gives_the_same_file() -> None:
    found = review(parse_record(CLASSIC))
    assert review_of_game(found) == review_of_game(found)
    assert not re.search(r"https?://(?!www\.w3\.org)", review_of_game(found).split("importmap")[0])
