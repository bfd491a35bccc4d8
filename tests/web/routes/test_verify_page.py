"""The page that checks games."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from tentimes18.server.routes.pages import MAX_FORM
from tests.support.web import ORIGIN, opened_hall, play_on

PAGE = f"{ORIGIN}/verify"
UNKNOWN_START = "You did not give what was published before the first move"
FAIR, ALTERED = (Path(f"docs/games/{name}.json").read_text() for name in ("fair", "altered"))


async def test_a_game_that_was_played_here_is_checked(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada, hall.visitor() as anybody:
        form = await anybody.get(PAGE)
        assert form.headers["content-type"] == "text/html; charset=utf-8"
        assert "form-action 'self'" in form.headers["content-security-policy"]
        assert re.search('<form [^>]*method="post" action="/verify"', form.text)
        start = (await ada.post("/games")).json()
        unfinished = await anybody.post(PAGE, data={"games": json.dumps(start)})
        assert "the game is not finished" in unfinished.text
        game = await play_on(ada, start)
        for games in (json.dumps(game), (await ada.get("/me/games")).text):
            page = await anybody.post(PAGE, data={"games": games, "start": json.dumps(start)})
            assert page.status_code == 200
            assert "Verified: the rolls are those" in page.text
            assert page.text.count('<span class="right">verified</span>') == len(start["slots"])
            assert re.findall(r"<code>([0-9a-f]{64})</code>", page.text) == game["commitments"]
            assert page.headers["cache-control"] == "no-store"
        assert not anybody.cookies
        assert 'href="/verify"' in (await anybody.get(f"{ORIGIN}/commitments")).text


async def test_what_is_wrong_is_shown_with_its_round(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        page = (await ada.post(PAGE, data={"games": ALTERED})).text
        assert "Not verified" in page
        assert page.count('<span class="wrong">the nonce and the roll do not make the commitment</span>') == 1
        assert UNKNOWN_START not in page
        assert UNKNOWN_START in (await ada.post(PAGE, data={"games": FAIR})).text
        several = json.dumps([json.loads(FAIR), json.loads(ALTERED)])
        assert "2 games, 1 verified, 1 not." in (await ada.post(PAGE, data={"games": several})).text


@pytest.mark.parametrize(
    "games", ["", "nonsense", "[]", "{}", "</textarea><script>alert(1)</script>", "\x00", "[" * 9999]
)
async def test_bad_input_gives_the_page_again_with_one_line(tmp_path: Path, games: str) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        page = await ada.post(PAGE, data={"games": games})
        assert page.status_code == 422
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        (line,) = re.findall('role="alert">(.*)</p>', page.text)
        assert unescape(line).startswith("Finished games: ")
        assert "<script" not in page.text
        (kept,) = re.findall(r'<textarea id="games"[^>]*>\n(.*?)</textarea>', page.text, re.DOTALL)
        assert unescape(kept) == games.replace("\x00", "\ufffd")


async def test_hostile_games_are_text(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        hostile = "<script>alert(1)</script>\u202e\ud800\x1b&\"'"
        opened = [{"round": 1, "roll": 10**3000, "nonce": hostile}]
        game = json.loads(FAIR) | {"id": hostile, "day": hostile, "commitments": [hostile], "opened": opened}
        page = await ada.post(PAGE, data={"games": json.dumps(game), "start": json.dumps({"days": []})})
        assert page.status_code == 200
        assert "<script" not in page.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
        assert not set(page.text) & {"\u202e", "\x1b"}
        assert "0" * 100 not in page.text.replace("0" * 3000, "", 1)  # but for what was given
        bad = await ada.post(PAGE, data={"games": FAIR + "\n" + hostile.replace("\ud800", "")})
        assert "<script" not in bad.text


async def test_too_much_or_another_form(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        most = MAX_FORM
        assert (await ada.post(PAGE, data={"games": "x" * most})).status_code == 413
        assert (await ada.post(PAGE, files={"games": b"{}"})).status_code == 415
        assert (await ada.post(PAGE, json={"games": "{}"})).status_code == 415
        assert (await ada.post(PAGE)).status_code == 422
        foreign = {"origin": "http://evil.example"}
        assert (await ada.post(PAGE, data={"games": FAIR}, headers=foreign)).status_code == 403
        unknown = await ada.post(PAGE, data={"games": FAIR, "x": "1"})
        assert (unknown.status_code, "is not a known field" in unknown.text) == (422, True)
