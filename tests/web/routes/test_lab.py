"""The lab over HTTP: the same bytes as the command, kept by whoever asks, and refused in the words of a problem."""

import asyncio
from pathlib import Path

from tentimes18.web.calculator.calculator import LAB_PROCESS, Calculator
from tentimes18.web.calculator.kept_answers import KeptAnswers
from tests.support.command import Run
from tests.support.odd_questions import COMMAND
from tests.support.web import ORIGIN, opened_hall


def test_the_lab_says_what_the_command_says(tmp_path: Path, run_here: Run) -> None:
    small = ("--dice", "1d6", "--slots", "1-4")

    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            game = {"dice": "1d6", "slots": "1-4"}
            asked_for: tuple[tuple[str, dict[str, str], list[str]], ...] = (
                ("solve", {}, ["solve"]),
                ("solve", game | {"exact": "true", "last_row": "1"}, ["solve", *small, "--exact", "--last-row"]),
                ("advise", {"roll": "9", "free": "1,4,7"}, ["advise", "--roll", "9", "--free", "1,4,7"]),
                ("distribution", game | {"at_least": "30,35"}, ["distribution", *small, "--at-least", "30,35"]),
                ("target", game | {"target": "35"}, ["target", "35", *small]),
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
            assert len(hall.shared.lab) == 5

    asyncio.run(scenario())


def test_what_the_lab_refuses(tmp_path: Path) -> None:
    async def scenario() -> None:
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
            ):
                found = await ada.get(f"/lab/{path}", params=asked)
                assert (found.status_code, found.json()["field"]) == (422, field), found.text
                assert found.headers["content-type"] == "application/problem+json"
                assert "etag" not in found.headers
            assert (
                "would need about 5.65 GB" in (await ada.get("/lab/distribution?slots=1-20&dice=1d19")).json()["detail"]
            )

    asyncio.run(scenario())


def test_what_cannot_be_answered_now(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            of_hall = hall.shared.lab
            for calculator, path, status, retry in (
                (Calculator(COMMAND, seconds=0.3), "target?target=700", 503, "1"),
                (Calculator(LAB_PROCESS, seconds=20, most_waiting=0), "solve", 503, "10"),
                (Calculator(COMMAND), "solve", 500, None),  # which fails there
            ):
                hall.shared.lab = KeptAnswers(calculator, 1000)
                found = await ada.get(f"/lab/{path}")
                await calculator.close()
                assert (found.status_code, found.headers.get("retry-after")) == (status, retry), found.text
                assert found.headers["content-type"] == "application/problem+json"
            stopped = await ada.get("/lab/solve")
            assert (stopped.status_code, stopped.json()["detail"]) == (503, "the service stops")
            hall.shared.lab = of_hall

    asyncio.run(scenario())


def test_the_reference_knows_the_answers(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened_hall(tmp_path) as hall, hall.visitor() as ada:
            document = (await ada.get(f"{ORIGIN}/api/openapi.json")).json()
            schemas = document["components"]["schemas"]
            assert schemas.keys() >= {
                "SolutionAnswer",
                "AdviceAnswer",
                "DistributionAnswer",
                "TargetAnswer",
                "Expected",
            }
            operation = document["paths"]["/api/v1/lab/target"]["get"]
            assert {parameter["name"] for parameter in operation["parameters"]} == {"dice", "slots", "target", "moves"}
            assert operation["responses"].keys() >= {"200", "304", "422", "503"}

    asyncio.run(scenario())
