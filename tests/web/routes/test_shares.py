"""Shared games over HTTP: short links, who may see a review, and what a chat shows beside a link."""

import re
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image

from tentimes18.pictures.board import draw_preview
from tests.support.days import Watch
from tests.support.web import ORIGIN, opened_hall, play_on

BROWSER = {"accept": "text/html"}
DAY = "2026-11-16"


def tags_of(page: httpx.Response) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page.text))


async def test_a_finished_game_has_one_short_link_for_everybody(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url) as hall, hall.visitor() as ada, hall.visitor(BROWSER) as bob:
        await ada.patch("/me", json={"name": "Ada"})
        game = (await ada.post("/games")).json()
        address = f"/games/{game['id']}"
        assert (await ada.post(f"{address}/share")).status_code == 409
        done = await play_on(ada, game)
        share = (await ada.post(f"{address}/share")).json()
        assert share == {"code": share["code"], "path": f"/review/{share['code']}", "kind": "solo", "day": None}
        assert re.fullmatch("[A-Z2-9]{10}", share["code"])
        assert (await ada.post(f"{address}/share")).json() == share
        assert (await bob.post(f"{address}/share")).status_code == 404

        review = (await bob.get(f"/shares/{share['code']}/review")).json()
        own = (await ada.get(f"{address}/review")).json()
        assert own.pop("name") == "Ada" and "name" not in review
        assert review == own and review["score"] == done["score"]
        assert game["id"] not in (await bob.get(f"/shares/{share['code']}/review")).text

        tags = tags_of(await bob.get(ORIGIN + share["path"]))
        assert tags["title"] == f"{done['score']} points" and tags["url"] == ORIGIN + share["path"]
        picture = await bob.get(tags["image"])
        assert picture.headers["content-type"] == "image/png"
        assert Image.open(BytesIO(picture.content)).size == (1200, 630)
        assert draw_preview.cache_info().maxsize == 128
        assert (await bob.get(f"/shares/{share['code']}")).json() == share

        await ada.delete("/me")
        for path in (f"/shares/{share['code']}", f"/shares/{share['code']}/review", f"/shares/{'A' * 10}"):
            assert (await bob.get(path)).status_code == 404
        assert tags_of(await bob.get(ORIGIN + share["path"])) == {}
        assert (await bob.get(tags["image"])).status_code == 404


async def test_a_daily_game_is_shown_only_to_a_player_who_has_finished_it(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada, hall.visitor(BROWSER) as bob:
        done = await play_on(ada, (await ada.post("/daily")).json())
        share = (await ada.post(f"/games/{done['id']}/share")).json()
        assert (share["kind"], share["day"]) == ("daily", DAY)
        review = f"/shares/{share['code']}/review"
        game = (await bob.post("/daily")).json()
        assert (await bob.get(review)).status_code == 403

        other = await play_on(ada, (await ada.post("/games")).json())
        pictures = []
        for path in (share["path"], f"/daily/{DAY}"):
            page = await bob.get(ORIGIN + path)
            tags = tags_of(page)
            assert tags["title"] == "Daily 320"
            assert str(done["score"]) not in " ".join(text for name, text in tags.items() if name != "url")
            pictures.append((await bob.get(tags["image"])).content)
        assert pictures[0] == pictures[1]
        code = (await ada.post(f"/games/{other['id']}/share")).json()["code"]
        assert (await bob.get(f"{ORIGIN}/previews/review/{code}.png")).content != pictures[0]

        await play_on(bob, game)
        assert (await bob.get(review)).json()["score"] == done["score"]


async def test_invites_have_a_preview_and_other_addresses_none(tmp_path: Path) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor(BROWSER) as ada:
        invite = (await ada.post("/duels", json={"against": "friend"})).json()["invite"]
        tags = tags_of(await ada.get(f"{ORIGIN}/duel/{invite}", headers={"host": "games.test"}))
        assert tags["title"] == "You’re invited" and tags["image"].startswith("http://games.test/previews/duel/")
        assert (await ada.get(f"{ORIGIN}/previews/duel/{invite}.png")).status_code == 200
        for path in (
            "/duel",
            "/duel/nobody",
            f"/duel/{invite[::-1]}",
            "/daily/2026-02-30",
            "/daily/2999-01-01",
            "/lab",
        ):
            assert tags_of(await ada.get(f"{ORIGIN}/{path}")) == {}
        for path in ("duel/nobody.png", f"duel/{invite}", "daily/2999-01-01.png", "lab/x.png", "review/..png"):
            assert (await ada.get(f"{ORIGIN}/previews/{path}")).status_code == 404
