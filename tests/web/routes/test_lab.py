"""The lab over HTTP: the same bytes as the command, cached by clients; bad questions get a problem document."""

from pathlib import Path

from tentimes18.queries import LAB
from tentimes18.server.calculator import Calculator
from tests.support.command import Run
from tests.support.odd_questions import answer
from tests.support.web import opened_hall


async def test_the_lab_says_what_the_command_says(tmp_path: Path, run_here: Run) -> None:
    small = ("--dice", "1d6", "--slots", "1-4")
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        game = {"dice": "1d6", "slots": "1-4"}
        asked_for: tuple[tuple[str, dict[str, str], list[str]], ...] = (
            ("solve", {}, ["solve"]),
            ("solve", game | {"exact": "true", "last_row": "1"}, ["solve", *small, "--exact", "--last-row"]),
            ("advise", {"roll": "9", "free": "1,4,7"}, ["advise", "--roll", "9", "--free", "1,4,7"]),
            ("distribution", game | {"at_least": "30,35"}, ["distribution", *small, "--at-least", "30,35"]),
            ("target", game | {"target": "35"}, ["target", "35", *small]),
            ("dice", {"dice": "4d6kh3", "exact": "true"}, ["dice", "4d6kh3", "--exact"]),
        )
        for path, asked, options in asked_for:
            found = await ada.get(f"/lab/{path}", params=asked)
            assert found.status_code == 200, found.text
            assert found.text == run_here(*options, "--json").out
            assert found.headers["content-type"] == "application/json"
            assert found.headers["cache-control"] == "public, max-age=86400"
            assert "set-cookie" not in found.headers
            etag = found.headers["etag"]
            for given in (etag, f'"x", W/{etag}', "*"):
                again = await ada.get(f"/lab/{path}", params=asked, headers={"If-None-Match": given})
                assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
            other = await ada.get(f"/lab/{path}", params=asked, headers={"If-None-Match": '"x"'})
            assert (other.status_code, other.content) == (200, found.content)
        assert len(hall.shared.lab) == 6
        # The command `drill` plays; the lab gives its questions.
        assert {path for path, _, _ in asked_for} | {"review", "drill"} == set(LAB)


async def test_what_the_lab_rejects(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        for path, asked, field in (
            ("solve", {"dice": "3x6"}, "dice"),
            ("solve", {"slots": "1-21"}, "slots"),
            ("solve", {"digits": "0"}, "digits"),
            ("solve", {"exact": "perhaps"}, "exact"),
            ("solve", {"method": "magic"}, "method"),
            ("solve", {"coins": "3"}, "coins"),
            ("solve", {"dice": "1" * 201}, "dice"),
            ("advise", {}, "roll"),
            ("advise", {"roll": "2"}, "roll"),
            ("advise", {"roll": "9.5"}, "roll"),
            ("advise", {"roll": "9", "moves": "8@5 8@5"}, "moves"),
            ("advise", {"roll": "9", "aim": "duel", "dice": "1d9", "slots": "1-13"}, "slots"),
            ("distribution", {"strategy": "os:system"}, "strategy"),
            ("distribution", {"slots": "1-20", "dice": "1d19"}, "slots"),
            ("target", {}, "target"),
            ("target", {"target": "x"}, "target"),
            ("dice", {"dice": "3x6"}, "dice"),
            ("dice", {"dice": "99d99"}, "dice"),
            ("dice", {"slots": "1-10"}, "slots"),
            ("drill", {"count": "51"}, "count"),
            ("drill", {"seed": "-1"}, "seed"),
            ("drill", {"slots": "1-21"}, "slots"),
        ):
            found = await ada.get(f"/lab/{path}", params=asked)
            assert (found.status_code, found.json()["field"]) == (422, field), found.text
            assert found.headers["content-type"] == "application/problem+json"
            assert "etag" not in found.headers
        assert "5.65 GB" in (await ada.get("/lab/distribution?slots=1-20&dice=1d19")).json()["detail"]


async def test_what_cannot_be_answered_now(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        of_hall = hall.shared.lab
        for calculator, path, status, retry in (
            (Calculator(function=answer, seconds=0.3), "target?target=700", 503, "1"),
            (Calculator(-1, seconds=20), "solve", 503, "10"),
            (Calculator(function=answer), "solve", 500, None),  # which fails there
        ):
            hall.shared.lab = calculator
            found = await ada.get(f"/lab/{path}")
            await calculator.close()
            assert (found.status_code, found.headers.get("retry-after")) == (status, retry), found.text
            assert found.headers["content-type"] == "application/problem+json"
        stopped = await ada.get("/lab/solve")
        assert (stopped.status_code, stopped.json()["detail"]) == (503, "the service stops")
        hall.shared.lab = of_hall


async def test_dice_side_by_side(tmp_path: Path, run_here: Run) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        found = await ada.get("/lab/dice?dice=3d6&dice=2d12:12=2&dice=3d6")
        assert found.text == run_here("dice", "3d6", "2d12:12=2", "3d6", "--json").out
        assert (await ada.get("/lab/dice")).json()["distributions"][0]["dice"] == "3d6"
        many = await ada.get("/lab/dice", params={"dice": [f"1d{sides}" for sides in range(1, 10)]})
        assert (many.status_code, many.json()["field"]) == (422, "dice")


async def test_a_drill(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        found = (await ada.get("/lab/drill?count=3&seed=18")).json()
        assert (found["seed"], len(found["questions"])) == (18, 3)
        assert (await ada.get("/lab/drill?count=3&seed=18")).json() == found
        assert (await ada.get("/lab/drill?count=3&seed=19")).json() != found
        for call in found["questions"]:
            asked = {"roll": str(call["roll"]), "moves": call["moves"]}
            advice = (await ada.get("/lab/advise", params=asked)).json()
            assert advice["best"] == call["worths"][0]["slot"]
            assert [(move["slot"], move["loss"]) for move in advice["moves"]] == [
                (row["slot"], row["loss"]) for row in call["worths"]
            ]


async def test_a_record_is_reviewed_as_the_command_does_it(tmp_path: Path, run_here: Run) -> None:
    line = "3d6 1-10: 8@5 4@1 12@7 9@?; name=Ada # on the train"
    as_json = '{"dice": "1d6", "slots": [1, 2, 3], "moves": [[5, 1], [4, 2], [1, 3]], "aim": "target:20"}'
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        for text, kind in (
            (line, "text/plain"),
            (f"\n{line}\r\n\n", "text/plain; charset=utf-8"),
            (as_json, "text/plain"),
            (as_json, "application/json"),
            (as_json + "\n", "application/x-ndjson"),
            ("8@5", "application/json"),
        ):
            found = await ada.post("/lab/review", content=text, headers={"content-type": kind})
            file = tmp_path / "game.txt"
            file.write_text(text)
            assert (found.status_code, found.text) == (200, run_here("review", str(file), "--json").out)
            assert "set-cookie" not in found.headers
            assert found.headers["cache-control"] == "no-store"
        assert len(hall.shared.lab) == 0  # nothing is kept


async def test_what_is_not_a_record(tmp_path: Path) -> None:
    async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
        for body, status, field in (
            (b"", 422, "record"),
            (b"8@5\n4@1\n", 422, "record"),
            (b"hello", 422, "moves"),
            (b"8@5 4@5", 422, "moves"),
            (b"{", 422, "JSON"),
            (b'[{"moves": "8@5"}]', 422, "JSON"),
            (b"\xff", 422, "line"),
            (b"3d6 1-99999: 8@5", 422, "slots"),
            (b"99d99 1-3: 8@5", 422, "dice"),
            (b'{"moves": "8@5", "moves": ""}', 422, "JSON"),
            (b"8@5 # " + b"x" * 10_000, 413, None),
        ):
            found = await ada.post("/lab/review", content=body, headers={"content-type": "text/plain"})
            problem = found.json()
            assert (found.status_code, problem.get("field")) == (status, field), problem
            assert "\n" not in problem["detail"]
        other = await ada.post("/lab/review", content=b"8@5", headers={"content-type": "image/png"})
        assert other.status_code == 415
