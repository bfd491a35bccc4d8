"""Daily: from the first roll to the scores of the day, once; the countdown, the text to share, and past days."""

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from tests.support.browser import (
    DESKTOP,
    PHONE,
    Guard,
    OpenPage,
    Size,
    ask,
    free_slots,
    place,
    play_by_request,
    play_to_the_end,
    slot_button,
    verify_axe,
)
from tests.support.days import within_a_day

BEGIN = "Play today’s game"
SCORES = "Scores of the day"
SHARED = re.compile(
    r"Ten times eighteen · Daily \d+\n\d+ \(par \d{3}\.\d\)\nluck [+−]?\d+\.\d, mistakes −?\d+\.\d\n"
    r"[●◐○]{10}(\nstreak \d+)?"
)


def played(open_page: OpenPage, size: Size = DESKTOP, path: str = "/daily", **more: object) -> Page:
    """The page of a player who has just played today's game."""
    page = open_page(path, size, **more)
    play_by_request(page, "/daily")
    page.reload()
    expect(page.get_by_role("heading", name=SCORES)).to_be_visible()
    return page


@within_a_day
def test_a_day_from_its_first_roll_to_its_scores_and_no_second_attempt(open_page: OpenPage) -> None:
    page = open_page("/daily", PHONE)
    today = ask(page, "/daily")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Daily {today['number']}")
    page.get_by_role("button", name=BEGIN).click()
    expect(slot_button(page, 7)).to_be_visible()
    expect(page.get_by_role("group", name="Coach")).to_have_count(0)
    expect(page.get_by_text("best")).to_have_count(0)
    play_to_the_end(page)
    expect(page.get_by_role("heading", name=SCORES)).to_be_visible()

    found = ask(page, f"/daily/{today['day']}")
    own = page.locator("tr.is-you")
    expect(own).to_have_count(1)
    expect(own).to_contain_text(ask(page, "/me")["shown"])
    expect(own).to_contain_text(str(found["own"]["score"]))
    expect(page.locator(".hero .num")).to_have_text(str(found["own"]["score"]))
    expect(page.get_by_role("heading", name=re.compile("^(Kind|Fair|Harsh) dice today$"))).to_be_visible()
    expect(page.get_by_text(f"The perfect player makes {found['optimal']} of these rolls")).to_be_visible()
    expect(page.get_by_role("link", name="Review your game")).to_have_attribute(
        "href", f"/review/{found['own']['game']}"
    )

    page.reload()
    expect(page.get_by_text("You have played today’s game, and there is one attempt a day.")).to_be_visible()
    expect(page.get_by_role("button", name=BEGIN)).to_have_count(0)
    again = page.request.post("/api/v1/daily")
    assert (again.status, again.json()["id"], again.json()["finished"]) == (200, found["own"]["game"], True)


@within_a_day
def test_a_game_that_was_left_goes_on_where_it_was(open_page: OpenPage) -> None:
    page = open_page("/daily")
    page.get_by_role("button", name=BEGIN).click()
    for slot in (3, 8):
        place(page, slot)
    expect(slot_button(page, 1)).to_be_visible()
    page.reload()
    assert free_slots(page) == [1, 2, 4, 5, 6, 7, 9, 10]
    page.goto(f"/game/{ask(page, '/daily')['game']}")
    assert free_slots(page) == [1, 2, 4, 5, 6, 7, 9, 10]


@within_a_day
def test_without_the_network_a_placement_waits_and_is_sent_later(open_page: OpenPage, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    page = open_page("/daily", PHONE)
    page.get_by_role("button", name=BEGIN).click()
    place(page, 5)
    expect(slot_button(page, 1)).to_be_visible()
    page.context.set_offline(True)
    place(page, 6)
    expect(page.get_by_text("Not sent yet.")).to_be_visible()
    page.context.set_offline(False)
    expect(slot_button(page, 1)).to_be_visible()
    game = ask(page, f"/games/{ask(page, '/daily')['game']}")
    assert set(game["board"]) == {"5", "6"}


@within_a_day
def test_the_time_to_the_next_day_is_counted_down(page: Page) -> None:
    end = datetime.fromisoformat(ask(page, "/daily")["next"])
    page.clock.set_fixed_time(end - timedelta(hours=1, minutes=2, seconds=10))
    page.goto("/daily")
    left = page.locator("time")
    expect(left).to_have_text("1 h 3 min")
    page.clock.set_fixed_time(end - timedelta(hours=1, minutes=2))
    expect(left).to_have_text("1 h 2 min")
    page.clock.set_fixed_time(end - timedelta(seconds=10))
    expect(left).to_have_text("10 s")


@within_a_day
def test_the_text_to_share_spoils_nothing(open_page: OpenPage) -> None:
    page = played(open_page, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy result").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == ask(page, f"/daily/{ask(page, '/daily')['day']}")["share"]
    assert SHARED.fullmatch(text), text
    expect(page.get_by_role("button", name="Share", exact=True)).to_have_count(0)
    # Without a clipboard the text is selected, and copied the old way.
    page.reload()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    page.get_by_role("button", name="Copy result").click()
    expect(page.get_by_role("button", name=re.compile("Copied|Select the text"))).to_be_visible()
    assert SHARED.fullmatch(page.evaluate("getSelection().toString()").replace("\n\n", "\n").strip())


@within_a_day
def test_a_phone_shares_by_its_own_sheet(open_page: OpenPage) -> None:
    page = open_page("/daily", PHONE)
    page.context.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    play_by_request(page, "/daily")
    page.reload()
    page.get_by_role("button", name="Share", exact=True).click()
    shared = page.evaluate("window.shared")
    assert SHARED.fullmatch(shared["text"])
    assert shared["url"].endswith("/daily")


@within_a_day
def test_past_days_are_there_to_practise_on(open_page: OpenPage) -> None:
    page = open_page("/daily")
    [day] = ask(page, "/daily/archive?limit=1")["days"]
    page.goto(f"/daily/{day['day']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Daily {day['number']}")
    expect(page.get_by_text("You have not played")).to_be_visible()
    page.get_by_role("button", name="Practise", exact=True).click()
    expect(page).to_have_url(re.compile("/game/"))
    expect(slot_button(page, 1)).to_be_visible()

    page.goto("/daily")
    expect(page.get_by_role("link", name="Go on")).to_be_visible()
    play_by_request(page, f"/daily/{day['day']}")
    page.goto(f"/daily/{day['day']}")
    expect(page.get_by_text(f"Daily {day['number']}, in practice")).to_be_visible()
    expect(page.get_by_text("You, in practice")).to_be_visible()
    expect(page.locator(".ticket")).to_have_count(0)
    assert ask(page, "/me/daily")["days"] == []


def test_a_day_that_is_none_is_told(page: Page) -> None:
    for day in ("2025-12-31", "2999-01-01", "yesterday"):
        page.goto(f"/daily/{day}")
        expect(page.get_by_text("There is no such day.")).to_be_visible()
        expect(page.get_by_role("link", name="Today’s game")).to_be_visible()


@within_a_day
def test_the_scores_can_be_read_by_everybody(open_page: OpenPage) -> None:
    page = played(open_page, PHONE)
    expect(page.get_by_role("img", name=re.compile("^Scores of .* you made"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Your scores on 1 day "))).to_be_visible()
    verify_axe(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": DESKTOP.width, "height": DESKTOP.height})
    verify_axe(page)


def test_days_in_words(page: Page) -> None:
    page.goto("/daily")
    words = page.evaluate(
        """async () => {
          const src = document.querySelector('script[type=module]').src;
          const days = await import(new URL('pages/daily/days.js', src).href);
          const law = { scores: [500, 600, 700], chances: [0.25, 0.5, 0.25] };
          return {
            ordinals: [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 113].map(days.ordinal),
            left: [0, 1, 59000, 60000, 61000, 3599000, 3600000, 86399000].map(days.timeLeft),
            long: [days.longDay('2026-11-15'), days.shortDay('2026-01-01')],
            streaks: [0, 1, 6, 40].map(days.streakWords),
            dice: [450, 500, 600, 700].map((made) => days.diceOfDay(law, made)),
            ahead: days.aheadOf([[500, 1], [600, 2], [700, 1]], 600),
            week: days.weekOf('2026-03-01', new Set(['2026-02-28', '2026-03-01']))
              .map(({ letter, isPlayed }) => letter + (isPlayed ? '+' : '')),
          };
        }"""
    )
    assert words == {
        "ordinals": ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "113th"],
        "left": ["0 s", "1 s", "59 s", "1 min", "2 min", "1 h 0 min", "1 h 0 min", "24 h 0 min"],
        "long": ["Sun 15 November", "Thu 1 Jan"],
        "streaks": ["No days in a row yet", "One day", "Six days in a row", "40 days in a row"],
        "dice": [
            {"word": "Harsh", "below": 0},
            {"word": "Harsh", "below": 0},
            {"word": "Fair", "below": 0.25},
            {"word": "Kind", "below": 0.75},
        ],
        "ahead": 0.25,
        "week": ["M", "T", "W", "T", "F", "S+", "S+"],
    }
