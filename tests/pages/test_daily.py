"""Daily: from the first roll to the scores of the day, once; the countdown, the text to share, and past days."""

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from tests.support.browser import (
    DESKTOP,
    PHONE,
    OpenPage,
    Size,
    ask,
    free_slots,
    place,
    play_by_request,
    play_to_the_end,
    resize,
    slot_button,
    verify_axe,
)

BEGIN = "Play today’s game"
SCORES = "Scores of the day"
SHARED = re.compile(r"Ten times eighteen · Daily \d+\n\d+ points \(par 642\)\n[🟩🟨⬛]{10}(\n\d+ days in a row)?")


def played(open_page: OpenPage, size: Size = DESKTOP, path: str = "/daily", **more: object) -> Page:
    page = open_page(path, size, **more)
    play_by_request(page, "/daily")
    page.reload()
    expect(page.get_by_role("heading", name=SCORES)).to_be_visible()
    return page


def test_a_day_from_its_first_roll_to_its_scores_and_no_second_attempt(open_page: OpenPage) -> None:
    page = open_page("/daily", PHONE)
    today = ask(page, "/daily")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Daily {today['number']}")
    page.get_by_role("button", name=BEGIN).click()
    expect(slot_button(page, 7)).to_be_visible()
    expect(page.get_by_role("group", name="Coach")).to_have_count(0)
    expect(page.get_by_text("best")).to_have_count(0)
    chosen = play_to_the_end(page)
    expect(page.get_by_role("heading", name=SCORES)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("#said")).to_have_text(re.compile(r"^The last roll is placed\. You scored \d+\.$"))
    expect(page.get_by_role("link", name="Daily", exact=True)).to_be_attached()  # the tab has no dot any more

    found = ask(page, f"/daily/{today['day']}")
    own = page.locator("tr.is-you")
    expect(own).to_have_count(1)
    expect(own).to_contain_text(ask(page, "/me")["shown"])
    expect(own).to_contain_text(str(found["own"]["score"]))
    expect(page.locator(".hero .num")).to_have_text(str(found["own"]["score"]))
    expect(page.get_by_role("heading", name=re.compile("^(Kind|Fair|Harsh) dice today$"))).to_be_visible()
    expect(page.get_by_text(f"The perfect player scores {found['optimal']} on these rolls")).to_be_visible()
    expect(page.get_by_role("link", name="Review your game")).to_have_attribute(
        "href", f"/review/{found['own']['game']}"
    )

    rows = page.get_by_role("table", name="Players per slot").locator("tbody tr")
    expect(rows).to_have_count(10)
    for row, told, own_slot in zip(rows.all(), found["rounds"], chosen, strict=True):
        expect(row.get_by_role("rowheader")).to_have_text(str(told["roll"]))
        cells = row.get_by_role("cell").all_inner_texts()
        counts = {str(slot): int(count[0]) for slot, text in enumerate(cells, 1) if (count := re.match(r"\d+", text))}
        assert counts == told["placed"]
        assert [slot for slot, text in enumerate(cells, 1) if "the perfect player" in text] == [told["optimal"]]
        assert [slot for slot, text in enumerate(cells, 1) if "you" in text] == [own_slot]
    expect(page.get_by_role("img", name=re.compile("^Scores of .* you scored"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Your scores on 1 day,"))).to_be_visible()
    verify_axe(page)
    page.emulate_media(color_scheme="dark")
    resize(page, DESKTOP)
    verify_axe(page)

    page.reload()
    expect(page.get_by_text("You have played today’s game, your one attempt.")).to_be_visible()
    expect(page.get_by_role("button", name=BEGIN)).to_have_count(0)
    again = page.request.post("/api/v1/daily")
    assert (again.status, again.json()["id"], again.json()["finished"]) == (200, found["own"]["game"], True)


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


def test_the_text_to_share_spoils_nothing(open_page: OpenPage) -> None:
    page = played(open_page, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy result").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    day = ask(page, "/daily")["day"]
    text, _, link = page.evaluate("navigator.clipboard.readText()").rpartition("\n")
    assert text == ask(page, f"/daily/{day}")["share"]
    assert SHARED.fullmatch(text), text
    assert link.endswith(f"/daily/{day}")
    expect(page.get_by_role("button", name="Share", exact=True)).to_have_count(0)
    # Without a clipboard the text is selected, and copied the old way.
    page.reload()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    page.get_by_role("button", name="Copy result").click()
    expect(page.get_by_role("button", name=re.compile("Copied|Select the text"))).to_be_visible()
    selected = page.evaluate("getSelection().toString()")
    assert SHARED.fullmatch(selected.strip().rpartition("\n")[0].replace("\n\n", "\n")), selected


def test_a_phone_shares_by_its_own_sheet(open_page: OpenPage) -> None:
    page = open_page("/daily", PHONE)
    page.context.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    play_by_request(page, "/daily")
    page.reload()
    page.get_by_role("button", name="Share", exact=True).click()
    shared = page.wait_for_function("window.shared").json_value()
    assert SHARED.fullmatch(shared["text"])
    assert shared["url"].endswith(f"/daily/{ask(page, '/daily')['day']}")


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


def test_a_day_without_a_game(page: Page) -> None:
    for day in ("2025-12-31", "2999-01-01", "2026-02-30", "yesterday"):
        page.goto(f"/daily/{day}")
        expect(page.get_by_text("There is no such day.")).to_be_visible()
        expect(page.get_by_role("link", name="Today’s game")).to_be_visible()


def test_a_long_name_breaks_no_table(open_page: OpenPage) -> None:
    page = played(open_page, PHONE)
    page.request.patch("/api/v1/me", data={"name": "W" * 30})
    page.reload()
    expect(page.get_by_role("cell", name="W" * 30)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    other = played(open_page, PHONE)
    expect(other.get_by_role("cell", name="W" * 30)).to_be_visible()
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_days_in_words(page: Page) -> None:
    page.goto("/daily")
    words = page.evaluate(
        """async () => {
          const src = document.querySelector('script[type=module]').src;
          const paths = ["pages/daily/days.js", "core/dates.js", "texts.js"];
          const loaded = paths.map((path) => import(new URL(path, src).href));
          const [days, dates, { texts }] = await Promise.all(loaded);
          const distribution = { scores: [500, 600, 700], chances: [0.25, 0.5, 0.25] };
          const scores = new Map([["2026-02-28", 610], ["2026-03-01", 590]]);
          return {
            ranks: [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 113].map(texts.daily.rank),
            left: [0, 1, 59000, 60000, 61000, 3599000, 3600000, 86399000].map(days.timeLeft),
            dates: [dates.longDay('2026-11-15'), dates.shortDay('2026-01-01')],
            streaks: [0, 1, 6, 40].map(texts.daily.streak),
            dice: [450, 500, 600, 700].map((score) => days.diceOfDay(distribution, score)),
            ahead: days.aheadOf([[500, 1], [600, 2], [700, 1]], 600),
            week: days.weekOf('2026-03-01', scores).map(({ letter, score }) => letter + (score ?? '')),
          };
        }"""
    )
    assert words == {
        "ranks": ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "113th"],
        "left": ["0 s", "1 s", "59 s", "1 min", "2 min", "1 h 0 min", "1 h 0 min", "24 h 0 min"],
        "dates": ["Sun 15 November", "Thu 1 Jan"],
        "streaks": ["No days in a row yet", "One day", "Six days in a row", "40 days in a row"],
        "dice": [
            {"kind": "harsh", "below": 0},
            {"kind": "harsh", "below": 0},
            {"kind": "fair", "below": 0.25},
            {"kind": "kind", "below": 0.75},
        ],
        "ahead": 0.25,
        "week": ["M", "T", "W", "T", "F", "S610", "S590"],
    }
