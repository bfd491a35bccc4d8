"""Games taken along and brought along: what the command reads, and what strangers send."""

import json
from pathlib import Path

import pytest

from tentimes18.play.verification import check_game
from tests.support.command import Run
from tests.support.days import Watch, play_by_looks
from tests.support.web import NDJSON, opened_hall, play_on


async def test_the_command_reads_what_is_taken_along(tmp_path: Path, run_here: Run) -> None:
    async with opened_hall(tmp_path, clock=Watch()) as hall, hall.visitor() as ada:
        await ada.patch("/me", json={"name": "Ada"})
        await play_by_looks(ada, (await ada.post("/games")).json(), 1)
        await play_on(ada, (await ada.post("/daily")).json())
        await play_on(ada, (await ada.post("/games", json={"dice": "2d6", "slots": "1,1/2,3"})).json(), 2)
        await play_on(ada, (await ada.post("/duels", json={"against": "nearest"})).json())
        await ada.post("/me/games", headers=NDJSON, content=b'{"moves": "8@5 4@1", "name": "Bob"}\n')
        answer = await ada.get("/me/games")
        assert answer.headers["content-type"] == "application/x-ndjson"
        text = answer.text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line.get("kind") for line in lines] == ["solo", "daily", "solo", "duel", None]
    first = lines[0]
    assert (first["name"], first["coach"], first["aim"]) == ("Ada", "off", "mean")
    assert (first["date"], lines[1]["day"]) == ("2026-11-16T12:00:00Z", "2026-11-16")
    assert (len(lines[2]["nonces"]), len(lines[2]["commitments"]), "roll" in lines[2]) == (3, 3, True)
    assert (lines[3]["against"], lines[3]["ended_by"], "opponent" in lines[3]) == ("nearest", "moves", True)
    assert [check_game(line).verified for line in lines] == [True, True, False, True, False]
    file = tmp_path / "games.ndjson"
    file.write_text(text)
    reviewed = json.loads(run_here("review", str(file), "--json").out)
    assert (reviewed["games"], reviewed["finished"], reviewed["bad_lines"]) == (5, 3, [])
    file.write_text("".join(f"{line}\n" for line in text.splitlines()[:2]))
    verified = json.loads(run_here("verify", str(file), "--json").out)
    assert (verified["games"], verified["verified"]) == (2, 2)


async def test_what_is_brought_along_comes_back_once(tmp_path: Path, database_url: str) -> None:
    async with opened_hall(tmp_path, database_url, Watch()) as hall, hall.visitor() as ada, hall.visitor() as bob:
        await play_on(ada, (await ada.post("/games")).json())
        mine = (await ada.get("/me/games")).content
        again = (await ada.post("/me/games", content=mine, headers=NDJSON)).json()
        assert again == {"imported": 0, "known": 1, "bad": 0, "bad_lines": []}
        brought = await bob.post("/me/games", content=mine + mine + b"\n\n", headers=NDJSON)
        assert "set-cookie" in brought.headers
        assert brought.json() == {"imported": 1, "known": 1, "bad": 0, "bad_lines": []}
        assert (await bob.get("/me/games")).content == mine
        assert (await bob.post("/me/games", content=mine, headers=NDJSON)).json()["known"] == 1
        me = (await bob.get("/me")).json()
        assert (me["games"], me["skill"]) == (0, None)
        assert (await hall.visitor().get("/me/games")).content == b""


HOSTILE = [
    *(b"null", b"[]", b"7", b'"text"', b"{", b"\xff\xfe", b"{}"),
    *(b'{"moves": 7}', b'{"moves": "19@1"}', b'{"moves": "8@5 4@5"}'),
    b'{"moves": "8@5", "score": 900}',
    b'{"moves": "", "slots": "1-1000000"}',
    b'{"moves": "", "slots": [1e308]}',
    b'{"moves": "", "slots": [true]}',
    b'{"moves": "", "dice": "1000000d1000000"}',
    b'{"moves": "", "dice": null}',
    b'{"moves": "", "dice": {"a": 1}}',
    b'{"moves": "", "slots": {}}',
    b'{"moves": "", "a": ' + b"[" * 4000 + b"]" * 4000 + b"}",
    b'{"moves": "", "a": ' + b"9" * 5000 + b"}",
    b'{"moves": "", "a": NaN}',
    b'{"moves": "", "a": "\\ud800"}',
    b'{"moves": "", "a": 1, "a": 2}',
    b'{"moves": "", "a": "' + b"x" * 10_000 + b'"}',
    b'{"version": 2, "moves": ""}',
    b"8@5 4@1",
]


async def test_hostile_lines_spoil_no_other(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        good = [
            b'\xef\xbb\xbf{"moves": "8@5"}',
            b'{"moves": "", "id": "\\u00a0", "note": "\\u00a0"}',
            b'{"moves": "", "id": {"a": []}}',
            b'{"moves": "8@5", "name": "<script>"}\r',
        ]
        body = b"\n".join([good[0], *HOSTILE, *good[1:]])
        answer = await ada.post("/me/games", content=body, headers=NDJSON)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert (found["imported"], found["known"], found["bad"]) == (4, 0, len(HOSTILE))
        assert [line["line"] for line in found["bad_lines"]] == list(range(2, 2 + len(HOSTILE)))
        assert all(0 < len(line["reason"]) <= 300 for line in found["bad_lines"])
        assert len((await ada.get("/me/games")).text.splitlines()) == 4


async def test_there_are_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.store.players.MAX_RECORDS", 5)
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        body = "\n".join(f'{{"moves": "{roll}@1"}}' for roll in range(3, 11))
        found = (await ada.post("/me/games", content=body, headers=NDJSON)).json()
        assert (found["imported"], found["bad"], [bad["line"] for bad in found["bad_lines"]]) == (5, 3, [6, 7, 8])
        junk = (await ada.post("/me/games", content=b"x\n" * 900_000, headers=NDJSON)).json()
        assert (junk["bad"], len(junk["bad_lines"])) == (20_001, 100)
        large = await ada.post("/me/games", content=b"x" * 2_000_001, headers=NDJSON)
        assert (large.status_code, large.headers["content-type"]) == (413, "application/problem+json")
