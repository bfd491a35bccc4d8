"""`ten18 verify`: files of every form, games that verify, games that do not, and lines that are not games."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import convert

from tentimes18.queries.games import VerificationAnswer
from tests.support.command import Run, problems, read_json
from tools.fair_games import contents

FOLDER: Final = Path("docs/games")
FILES: Final = contents()
GAME: Final[dict[str, Any]] = json.loads(FILES["fair.json"])
RECORD: Final = FILES["fair.ndjson"].splitlines()[0]


@pytest.mark.parametrize(
    "text",
    [
        FILES["fair.json"],
        json.dumps(GAME),
        json.dumps([GAME, GAME]),
        json.dumps([GAME, json.loads(RECORD)], indent=3),
        FILES["fair.ndjson"],
        f"{json.dumps(GAME)}\n\n{RECORD}\r\n",
        "\ufeff" + RECORD,
    ],
    ids=["pretty", "line", "array", "mixed array", "records", "mixed lines", "mark"],
)
def test_every_form_of_a_file(run_here: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "games"
    path.write_text(text, encoding="utf-8")
    result = run_here("verify", str(path), "--json")
    answer = read_json(result)
    convert(answer, VerificationAnswer)
    assert answer["games"] == answer["verified"] == text.count('"commitments"')
    assert run_here("verify", "-", "--json", stdin=text) == result


def test_a_page_for_one_game(run_here: Run) -> None:
    result = run_here("verify", str(FOLDER / "fair.json"))
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1].startswith("Verified: ")
    assert all(digest in result.out for digest in GAME["commitments"])
    assert result.out.count(" verified\n") == 10


def test_what_does_not_verify_ends_with_1(run_here: Run) -> None:
    result = run_here("verify", str(FOLDER / "altered.json"))
    assert (result.code, result.err) == (1, "")
    assert "the nonce and the roll do not make the commitment" in result.out
    assert result.out.count(" verified\n") == 9
    assert result.out.endswith("Not verified.\n")


def test_a_game_in_play_ends_with_1(run_here: Run) -> None:
    result = run_here("verify", str(FOLDER / "fair-start.json"))
    assert (result.code, result.err) == (1, "")
    assert "not finished" in result.out
    assert result.out.count("not opened\n") == 9


def test_bad_lines_are_reported_and_the_others_checked(run_here: Run) -> None:
    lines = [json.dumps(GAME), "{", "[]", '{"moves": 7}', FILES["altered.json"].replace("\n", "")]
    text = "\n".join(lines)
    result = run_here("verify", "-", stdin=text)
    assert (result.code, result.err) == (1, "")
    assert "line 2 is not a game: JSON: " in result.out
    assert "line 4 is not a game: moves: 7 is not text" in result.out
    assert result.out.endswith("2 games, 1 verified, 1 not. 3 lines could not be read.\n")
    answer = json.loads(run_here("verify", "-", "--json", stdin=text).out)
    assert [line["line"] for line in answer["bad_lines"]] == [2, 3, 4]
    games = run_here("verify", "-", "--csv", "--table", "games", stdin=text).out.splitlines()
    assert [row.split(",")[0] for row in games] == ["game", "1", "5", "2", "3", "4"]
    one_bad = run_here("verify", "-", stdin=f"{lines[0]}\n{{")
    assert (one_bad.code, one_bad.out.splitlines()[-1][-26:]) == (1, " 1 line could not be read.")


def test_the_start(run_here: Run, tmp_path: Path) -> None:
    start = FOLDER / "fair-start.json"
    for file in ("fair.json", "fair.ndjson"):
        assert run_here("verify", str(FOLDER / file), "--start", str(start)).code == 0
    other = tmp_path / "other.json"
    other.write_text(json.dumps(GAME | {"id": "y"}))
    result = run_here("verify", str(other), "--start", str(start))
    assert (result.code, "what was published before this game is not given" in result.out) == (1, True)
    days = tmp_path / "days.json"
    days.write_text(json.dumps({"days": [{"day": "2026-11-16", "commitments": GAME["commitments"]}]}))
    other.write_text(json.dumps(GAME | {"day": "2026-11-16"}))
    assert run_here("verify", str(other), "--start", str(days)).code == 0
    other.write_text(json.dumps(GAME | {"day": "2026-11-15"}))
    assert run_here("verify", str(other), "--start", str(days)).code == 1
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps({name: value for name, value in json.loads(RECORD).items() if name != "id"}))
    assert run_here("verify", str(bare), "--start", str(start)).code == 0


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "no game in it"),
        ("\n\n", "no game in it"),
        ("x", "line 1: JSON: "),
        ("{}", "line 1: opened: missing"),
        ("[]", "no game in it"),
        ("[" * 100_000, "too deep"),
        ("{}\n{}\n{}", "and 2 more bad lines"),
        (json.dumps(GAME | {"score": 10**500}).replace("10000", "1e999"), "score"),
        (json.dumps(GAME | {"board": "\x1b[2J"}), "board: "),
        ('{"opened": ' + "9" * 100_000 + "}", "a number of more than 4000 digits"),
        (json.dumps(GAME | {"slots": "1-9999999"}), "slots"),
        (json.dumps(GAME | {"dice": "3x6"}), "dice '3x6': cannot read"),
        ("8@5 4@1", "line 1: JSON: "),
    ],
    ids=lambda text: text[:20],
)
def test_bad_input_is_one_line(run_here: Run, text: str, fact: str) -> None:
    assert problems(run_here("verify", "-", stdin=text), fact) == []


def test_bad_files_are_one_line(run_here: Run, tmp_path: Path) -> None:
    nul = tmp_path / "nul"
    nul.write_bytes(b"\0\0")
    fair = str(FOLDER / "fair.json")
    assert problems(run_here("verify", str(nul)), "is not text") == []
    assert problems(run_here("verify", fair, "--start", str(FOLDER / "paper.txt")), "--start: ", "line ") == []
    assert problems(run_here("verify", fair, "--start", str(FOLDER / "fair.ndjson")), "--start: ", "id: ") == []


def test_nothing_that_a_terminal_would_obey_is_printed(run_here: Run) -> None:
    hostile = GAME | {"id": "\x1b[2J\ud800", "commitments": ["\x1b[2J"] * 10, "kind": "\x1b[2J"}
    hostile["opened"] = [part | {"nonce": "\x1b[2J"} for part in hostile["opened"]]
    for form in ([], ["--csv"], ["--json"]):
        result = run_here("verify", "-", *form, stdin=json.dumps(hostile))
        assert result.code == 1
        assert "\x1b" not in result.out + result.err
