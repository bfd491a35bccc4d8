"""Signed cookies."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.server.identity import COOKIE, Signer
from tests.support.web import opened_hall

SIGNER = Signer(b"x" * 32)
PLAYER = "A" * 22


def test_a_cookie_names_its_player_and_no_other_secret_made_it() -> None:
    cookie = SIGNER.sign(PLAYER)
    assert SIGNER.player(cookie) == PLAYER
    assert Signer(b"y" * 32).player(cookie) is None


@given(place=st.integers(0, 65), letter=st.characters(max_codepoint=255))
def test_an_edited_cookie_is_nobodys(place: int, letter: str) -> None:
    cookie = SIGNER.sign(PLAYER)
    edited = cookie[:place] + letter + cookie[place + 1 :]
    assert SIGNER.player(edited) == (PLAYER if edited == cookie else None)


@given(st.text(st.characters(max_codepoint=255), max_size=100))
def test_any_text_is_nobodys(text: str) -> None:
    assert SIGNER.player(text) is None


async def test_the_cookie_that_a_browser_gets(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        told = (await ada.post("/games")).headers["set-cookie"].lower()
        assert told.startswith(f"{COOKIE}=")
        assert "httponly" in told
        assert "samesite=lax" in told
        assert "secure" not in told
        assert "set-cookie" not in (await ada.post("/games")).headers
    behind = {"x-forwarded-proto": "https"}
    async with opened_hall(tmp_path, is_behind_proxy=True) as hall, hall.visitor(behind) as bob:
        assert "secure" in (await bob.post("/games")).headers["set-cookie"].lower()
    async with opened_hall(tmp_path) as hall, hall.visitor(behind) as eve:
        assert "secure" not in (await eve.post("/games")).headers["set-cookie"].lower()
