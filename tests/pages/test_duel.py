"""Duels in a real browser: two players over an invite, every bot, what is sealed, a reload, and a line that fails."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tentimes18.game import Game
from tentimes18.server.bots import BOTS, CHANCES
from tentimes18.strategies.solved import equilibrium, hunter
from tests.support.browser import (
    DESKTOP,
    PHONE,
    Guard,
    NewPlayer,
    OpenPage,
    free_slots,
    slot_button,
    verify_axe,
)

NAMES = {
    "random": "Random",
    "greedy": "Greedy",
    "bands": "Bands",
    "nearest": "Nearest",
    "optimal": "The perfect player",
    "hunter": "The hunter",
    "equilibrium": "The equilibrium",
    "target:700": "Seven hundred",
}


def invited(ada: BrowserContext, bob: BrowserContext) -> tuple[Page, Page]:
    """A duel of two: one invites, the other opens the link and joins."""
    first, second = ada.new_page(), bob.new_page()
    first.goto("/duel")
    first.get_by_role("button", name="Invite a friend").click()
    address = first.get_by_role("textbox", name="Link").input_value()
    second.goto(urlsplit(address).path)
    second.get_by_role("button", name="Join the duel").click()
    expect(slot_button(second, 1)).to_be_visible()
    expect(first.get_by_role("heading", name="Send this link")).to_have_count(0)
    return first, second


def place(page: Page, slot: int) -> None:
    button = slot_button(page, slot)
    expect(button).to_be_enabled()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_count(0)


def place_and_send(page: Page, slot: int) -> None:
    """Place a roll and wait for the server's answer: the page shows a move before it is stored."""
    with page.expect_response("**/moves"):
        place(page, slot)


def open_moves(page: Page) -> int:
    return page.locator(".half.r .block").count()


def test_a_duel_over_an_invite_to_its_end(new_player: NewPlayer) -> None:
    ada, bob = invited(new_player(DESKTOP), new_player(PHONE, "dark"))
    for round_ in range(1, 11):
        leads, follows = (ada, bob) if round_ % 2 else (bob, ada)
        if 2 < round_ < 9:  # by request: both pages follow
            for page in (leads, follows):
                path = f"/api/v1/games/{page.url.split('/')[-1]}/moves"
                assert page.request.post(path, data={"round": round_, "slot": round_}).ok
            continue
        expect(leads.get_by_role("button", name=re.compile("^Slot times")).first).to_be_enabled()
        waiting = dice_shown(leads)
        assert waiting == dice_shown(follows)
        assert re.fullmatch(r"Dice: [1-6], [1-6], [1-6]", waiting)
        place(leads, free_slots(leads)[0])
        assert dice_shown(leads) == waiting
        expect(leads.get_by_text(re.compile("^Placed. Waiting for Guest"))).to_be_visible()
        expect(follows.locator(".sealed")).to_contain_text("has placed")
        assert open_moves(follows) == round_ - 1
        place(follows, free_slots(follows)[-1])
        for page in (leads, follows):
            expect(page.locator(".half.r .block")).to_have_count(round_)
    for page in (ada, bob):
        expect(
            page.get_by_role("heading", name=re.compile(r"^(You win by|Guest \d+ wins by|A draw at)"))
        ).to_be_visible()
        expect(page.get_by_role("link", name="Review your game")).to_be_visible()
        expect(page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
        verify_axe(page)
    scores = [[int(text) for text in page.locator(".score dd").all_inner_texts()] for page in (ada, bob)]
    assert scores[0] == scores[1][::-1]

    # A rematch takes one tap of each player.
    ada.get_by_role("button", name="Rematch", exact=True).click()
    expect(ada.get_by_role("heading", name=re.compile(r"^You asked Guest \d+ for a rematch$"))).to_be_visible()
    expect(bob.get_by_text(re.compile(r"^Guest \d+ asks for a rematch\.$"))).to_be_visible()
    bob.goto("/duel")
    expect(bob.locator(".offer")).to_contain_text("asks for a rematch")
    verify_axe(bob)
    bob.get_by_role("button", name="Accept the rematch").click()
    for page in (ada, bob):
        expect(slot_button(page, 1)).to_be_visible()
        expect(page.get_by_text(re.compile(r"^Guest \d+ is choosing$"))).to_be_visible()


def dice_shown(page: Page) -> str:
    return page.locator(".tray [role=img]").get_attribute("aria-label") or ""


def test_a_long_name_fits_and_the_board_does_not_move(new_player: NewPlayer) -> None:
    ada, bob = new_player(PHONE), new_player(PHONE)
    for player in (ada, bob):
        page = player.new_page()
        page.goto("/about")
        page.request.patch("/api/v1/me", data={"name": "W" * 30})
    for page in invited(ada, bob):
        expect(page.get_by_text("W" * 30).first).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE.width
        rows = [row.bounding_box() for row in page.locator(".duo > li").all()]
        slot_button(page, 5).tap()
        expect(slot_button(page, 5)).to_have_attribute("aria-pressed", "true")
        assert [row.bounding_box() for row in page.locator(".duo > li").all()] == rows


def test_a_duel_is_resigned_and_an_invite_withdrawn(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("404")
    ada, bob = invited(new_player(), new_player(PHONE))
    bob.get_by_role("button", name="Resign").click()
    verify_axe(bob)
    bob.get_by_role("button", name="Keep playing").click()
    expect(slot_button(bob, 1)).to_be_visible()
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("button", name="Yes, resign").click()
    expect(bob.get_by_role("heading", name=re.compile(r"^Guest \d+ wins\.$"))).to_be_visible()
    expect(bob.get_by_text("You resigned.", exact=True)).to_be_visible()
    expect(ada.get_by_role("heading", name="You win.")).to_be_visible()
    expect(ada.get_by_text(re.compile(r"^Guest \d+ resigned\.$"))).to_be_visible()

    ada.goto("/duel")
    ada.get_by_role("button", name="Invite a friend").click()
    address = ada.get_by_role("textbox", name="Link").input_value()
    ada.get_by_role("button", name="Withdraw the invite").click()
    expect(ada.get_by_role("heading", level=1, name="Duels")).to_be_visible()
    expect(ada.locator(".going")).to_have_count(0)
    bob.goto(urlsplit(address).path)
    expect(bob.get_by_text("There is no such invite.")).to_be_visible()


def test_a_move_that_is_sealed_is_nowhere(new_player: NewPlayer) -> None:
    """Of two worlds that differ in a sealed slot alone the other player sees the same, to the letter."""
    heard: list[str] = []
    ada, bob = invited(new_player(), new_player())

    def listen(page: Page) -> None:
        page.on("response", lambda answer: heard.append(answer.text()) if "/games/" in answer.url else None)

    listen(ada)
    before = ada.locator("main").inner_html()
    place(bob, 7)
    expect(ada.locator(".sealed")).to_be_visible()
    after = ada.locator("main").inner_html()
    assert ada.locator(".half.r .block").count() == 0
    assert after.count("<li") == before.count("<li")
    game = ada.evaluate("(id) => fetch(`/api/v1/games/${id}`).then((answer) => answer.json())", ada.url.split("/")[-1])
    assert (game["opponent"]["board"], game["opponent"]["score"], game["opponent"]["placed"]) == ({}, 0, True)
    for text in heard:
        assert '"board":{},"score":0,"placed"' in text
    place(ada, 3)
    expect(ada.locator(".half.r .block")).to_have_count(1)


def test_coming_back_in_the_midst(new_player: NewPlayer) -> None:
    ada, bob = invited(new_player(), new_player())
    place(bob, 5)
    place_and_send(ada, 4)
    expect(slot_button(ada, 1)).to_be_visible()
    ada.reload()
    expect(slot_button(ada, 1)).to_be_visible()
    expect(ada.locator(".half.r .block")).to_have_count(1)
    place_and_send(ada, 9)
    ada.reload()
    expect(ada.get_by_text("Placed. Waiting")).to_be_visible()
    ada.goto("/duel")
    going = ada.locator(".going a")
    expect(going).to_contain_text("waiting for Guest")
    place_and_send(bob, 6)
    ada.reload()
    expect(going).to_contain_text("your move")
    going.click()
    expect(slot_button(ada, 1)).to_be_visible()
    expect(ada.locator(".half.r .block")).to_have_count(2)


def test_without_a_stream_the_game_is_asked_for(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("503|EventSource|Failed to load")
    refused = {"status": 503, "content_type": "application/problem+json", "body": "{}"}
    contexts = new_player(), new_player()
    for context in contexts:
        context.route("**/events", lambda route: route.fulfill(**refused))
    ada, bob = invited(*contexts)
    place(bob, 5)
    expect(ada.locator(".sealed")).to_be_visible()
    place(ada, 6)
    for page in (ada, bob):
        expect(page.locator(".half.r .block")).to_have_count(1)


def test_a_move_without_a_network_is_kept_and_sent(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("ERR_|Failed to load|EventSource|503")
    here, there = new_player(), new_player()
    ada, bob = invited(here, there)
    place(bob, 5)
    expect(ada.locator(".sealed")).to_be_visible()
    here.route("**/api/v1/**", lambda route: route.abort("connectionfailed"))
    place(ada, 6)
    expect(ada.get_by_text("Placed here, not sent yet.")).to_be_visible()
    assert ada.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('ten18.duel.')).length") == 1
    here.unroute("**/api/v1/**")
    expect(ada.locator(".half.r .block")).to_have_count(1)
    expect(bob.locator(".half.r .block")).to_have_count(1)
    assert ada.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('ten18.duel.')).length") == 0


def test_offline_it_says_that_a_duel_needs_the_network(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED|Failed to load")
    context = new_player()
    page = context.new_page()
    page.goto("/duel")
    expect(page.get_by_role("button", name="Invite a friend")).to_be_enabled()
    context.set_offline(True)
    expect(page.get_by_text("A duel needs the server")).to_be_visible()
    expect(page.get_by_role("button", name="Invite a friend")).to_be_disabled()
    context.set_offline(False)
    expect(page.get_by_role("button", name="Invite a friend")).to_be_enabled()


def test_invites_that_lead_nowhere(new_player: NewPlayer, guard: Guard) -> None:
    guard.allow("404")
    ada, bob, eve = new_player(), new_player(), new_player()
    first = ada.new_page()
    first.goto("/duel")
    first.get_by_role("button", name="Invite a friend").click()
    path = urlsplit(first.get_by_role("textbox", name="Link").input_value()).path
    picture = first.get_by_alt_text("The link as a QR code")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    verify_axe(first)
    first.goto(path)
    expect(first.get_by_text("This is your own invite.")).to_be_visible()
    second = bob.new_page()
    second.goto(path)
    expect(second.get_by_role("button", name="Join the duel")).to_be_visible()
    verify_axe(second)
    second.reload()  # nothing is taken by looking
    second.get_by_role("button", name="Join the duel").click()
    expect(slot_button(second, 1)).to_be_visible()
    second.goto(path)  # who has joined goes on
    expect(slot_button(second, 1)).to_be_visible()
    third = eve.new_page()
    third.goto(path)
    expect(third.get_by_text("Somebody else has used this invite.")).to_be_visible()
    third.goto("/duel/AAAAAAAAAAAAAAAAAAAAAA")
    expect(third.get_by_text("There is no such invite.")).to_be_visible()


ANA = {"name": "Ana", "board": {}, "score": 0, "placed": True}
LEFT = ANA | {"name": "someone"}
OTHER_ENDS = [
    (
        {"ended_by": "moves", "result": "win", "score": 640, "opponent": ANA | {"score": 612}},
        "You win by 28. 640 to 612",
    ),
    ({"ended_by": "moves", "result": "loss", "score": 1, "opponent": ANA | {"score": 2}}, "Ana wins by 1."),
    ({"ended_by": "moves", "result": "draw", "score": 640, "opponent": ANA | {"score": 640}}, "A draw at 640."),
    ({"ended_by": "time", "result": "win", "opponent": ANA}, "You win. Ana did not place a roll within 72 hours."),
    ({"ended_by": "time", "result": "loss", "opponent": ANA}, "Ana wins. You did not place a roll within 72 hours."),
    ({"ended_by": "time", "result": None, "opponent": ANA}, "The duel ended without a winner. Neither of you placed"),
    ({"ended_by": "time", "result": None, "opponent": None}, "Nobody used the invite. It was open for seven days."),
    ({"ended_by": "resign", "result": "win", "opponent": ANA}, "You win. Ana resigned."),
    ({"ended_by": "resign", "result": "loss", "opponent": ANA}, "Ana wins. You resigned."),
    ({"ended_by": "leave", "result": "win", "opponent": LEFT}, "You win. The other player left for good."),
]


def test_every_outcome_is_described_in_words(open_page: OpenPage) -> None:
    page = open_page("/duel")
    tell = """async (game) => {
      const { endWords } = await import("/static/app/duel/words.js");
      const { head, rest } = endWords({ invite: "code", score: 0, finished: true, ...game });
      return `${head} ${rest}`;
    }"""
    for game, words in OTHER_ENDS:
        assert page.evaluate(tell, game).startswith(words)


def test_an_answer_that_was_overtaken_changes_nothing(open_page: OpenPage) -> None:
    page = open_page("/duel")
    chosen = """async ([known, told]) => {
      const { later } = await import("/static/app/duel/rounds.js");
      return later(known, told);
    }"""

    def game(opened: int, placed: int, finished: bool = False, **more: Any) -> dict[str, Any]:
        board = {str(slot): 9 for slot in range(1, placed + 1)}
        return {"opened": [{}] * opened, "board": board, "opponent": ANA, "finished": finished, "chances": None} | more

    in_order = [
        game(1, 0, opponent=None),
        game(1, 0, opponent=ANA | {"placed": False}),
        game(1, 0),
        game(1, 1, opponent=ANA | {"placed": False}),
        game(2, 1, opponent=ANA | {"placed": False}),
        game(2, 1),
        game(10, 3, finished=True),
    ]
    for place, known in enumerate(in_order):
        for told in in_order[:place]:
            assert page.evaluate(chosen, [known, told]) == known
        for told in in_order[place:]:
            assert page.evaluate(chosen, [known, told]) == told
    known, told = game(3, 2, chances=[0.5, 0.6]), game(3, 2)
    assert page.evaluate(chosen, [known, told])["chances"] == [0.5, 0.6]  # the answer to a move has none


def test_the_ladder_has_each_bot_with_its_record_and_exact_chances(open_page: OpenPage) -> None:
    chances = CHANCES[str(Game.classic())]
    for size, theme in ((PHONE, "dark"), (DESKTOP, "light")):
        page = open_page("/duel", size, theme)
        expect(page.locator(".rung")).to_have_count(len(BOTS))
        levels = page.locator(".rungs").first.locator("h3").all_inner_texts()
        assert [re.sub(r"\s+", " ", text) for text in levels] == [
            f"Level {level}: {name}"
            for level, name in enumerate(("Random", "Greedy", "Bands", "Nearest", "Perfect player", "Hunter"), 1)
        ]
        page.get_by_text("How strong is each bot?").click()
        rows = page.locator(".odds tbody tr")
        expect(rows).to_have_count(len(BOTS))
        for row, one in zip(rows.all(), chances.values(), strict=True):
            shares = [float(cell.strip("<>%\u00a0 ")) for cell in row.locator("td").all_inner_texts()]
            assert shares == pytest.approx([100 * one.win, 100 * one.draw, 100 * one.loss], abs=0.1)
        verify_axe(page)
        random = page.locator(".rung", has_text="Random").first
        expect(random).to_contain_text("Not met yet")
        page.get_by_role("button", name="Play against Random").click()
        expect(slot_button(page, 1)).to_be_visible()
        verify_axe(page)
        wide = (
            "() => { document.documentElement.style.fontSize = '200%'; return document.documentElement.scrollWidth; }"
        )
        assert page.evaluate(wide) <= size.width  # with text of twice the size, nothing to scroll sideways for
        settled = page.url.split("/")[-1]
        assert page.request.post(f"/api/v1/games/{settled}/resign").ok
        page.goto("/duel")
        expect(random).to_contain_text("0 won, 1 lost")


def beat(page: Page, name: str) -> None:
    page.goto("/duel")
    page.get_by_role("button", name=f"Play against {NAMES[name]}").click()
    for round_ in range(1, 11):
        expect(page.locator(".half.r .block")).to_have_count(round_ - 1)
        expect(page.get_by_role("button", name=re.compile("^Slot times")).first).to_be_enabled()
        slot = free_slots(page)[0]
        page.keyboard.press(str(slot % 10))
        page.keyboard.press("Enter")
    expect(page.locator(".half.r .block")).to_have_count(10)
    expect(page.get_by_role("heading", name=re.compile("wins? by|A draw at"))).to_be_visible()


def test_a_bot_that_needs_no_large_table(open_page: OpenPage) -> None:
    page = open_page("/duel")
    expect(page.get_by_role("button", name=f"Play against {NAMES['target:700']}")).to_be_visible(timeout=60_000)
    beat(page, "target:700")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".half.r .block")).to_have_count(0)


def test_a_table_that_is_being_made(open_page: OpenPage) -> None:
    page = open_page("about:blank")
    shown: list[dict[str, Any]] = []

    def making(route: Route) -> None:
        answer = route.fetch()
        bots = answer.json()
        for bot in bots:
            if bot["name"] == "hunter":
                bot |= {"ready": bool(shown), "progress": None if shown else 0.42}
        shown.append(bots)
        route.fulfill(response=answer, json=bots)

    page.route("**/duels/bots", making)
    page.goto("/duel")
    expect(page.get_by_text("Computing its table: 42%.")).to_be_visible()
    expect(page.get_by_role("button", name="Play against The hunter")).to_be_visible()


@pytest.mark.slow
def test_the_bots_of_the_large_tables_and_the_curve(open_page: OpenPage) -> None:
    """The tables of the classic game are solved for it, in the folder that all tests share."""
    hunter(Game.classic())
    equilibrium(Game.classic())
    page = open_page("/duel")
    for name in ("hunter", "equilibrium"):  # the curve of either is read off the second table
        expect(page.get_by_role("button", name=f"Play against {NAMES[name]}")).to_be_visible(timeout=60_000)
    for name in ("hunter", "equilibrium"):
        page.goto("/duel")
        beat(page, name)
        expect(page.get_by_role("img", name=re.compile("^Your chance to win"))).to_be_visible()
        game = page.evaluate(
            "(id) => fetch(`/api/v1/games/${id}`).then((answer) => answer.json())", page.url.split("/")[-1]
        )
        rows = page.locator(".chances tbody tr")
        expect(rows).to_have_count(10)
        shares = [float(text.split()[-1].strip("<>%")) for text in rows.all_inner_texts()]
        assert shares == pytest.approx([100 * chance for chance in game["chances"]], abs=0.1)
        assert shares[-1] == {"win": 100, "draw": 50, "loss": 0}[game["result"]]
