"""`ten18 review` of games in the history: the last one, or by number."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.records.history import History
from tentimes18.records.notation import parse_record
from tests.support.command import Result, Run, problems, read_json

KEPT: Final = [
    "1d6 1-3: 4@1 6@3 5@2; name=Ada; aim=mean",
    "1d6 1-3: 4@2 6@1 5@3; aim=target:30",
    "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@3 5@1; aim=duel; against=equilibrium",
]


@pytest.fixture
def history(data_folder: Path) -> History:
    kept = History(data_folder)
    for line in KEPT:
        kept.add(parse_record(line))
    return kept


@pytest.mark.usefixtures("history")
def test_the_last_game_and_any_by_its_number(run_here: Run) -> None:
    """Each by the aim it was played for, unless another is given."""
    for number, (line, aim) in enumerate(zip(KEPT, ("mean", "target:30", "duel"), strict=True), start=1):
        found = read_json(run_here("review", "--number", str(number), "--json"))
        record = parse_record(line)
        twin = review(record, aim_named(record.board.game, aim))
        assert (found["aim"], found["played_for"], found["score"]) == (aim, aim, record.board.score)
        assert found["loss"] == pytest.approx(float(twin.loss), abs=1e-12)
        assert found["bad_lines"] == []
    assert read_json(run_here("review", "--last", "--json")) == found
    assert read_json(run_here("review", "--last", "--aim", "mean", "--json"))["aim"] == "mean"
    assert run_here("review", "--number", "2").out.startswith("Game 2, 1d6 1-3\n")


def test_numbers_stay_whatever_happens_to_other_lines(run_here: Run, history: History) -> None:
    lines = history.path.read_text().splitlines()
    history.path.write_text("\n".join([lines[0], "", "{damaged", *lines[1:], "{"]) + "\n")
    assert [game["number"] for game in read_json_of(run_here("history", "--json"))["games"]] == [1, 4, 5]
    assert read_json_of(run_here("review", "--number", "4", "--json"))["aim"] == "target:30"
    last = run_here("review", "--last", "--json")
    assert (json.loads(last.out)["aim"], [bad["line"] for bad in json.loads(last.out)["bad_lines"]]) == ("duel", [6])
    assert last.err.startswith("ten18: line 6: ")
    assert problems(run_here("review", "--number", "3"), "--number: line 3 of your history is not a game") == []
    assert problems(run_here("review", "--number", "2"), "--number: your history has no game 2; accepted: 1") == []


def read_json_of(result: Result) -> Any:
    assert result.code == 0
    return json.loads(result.out)


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        ("", "give a FILE of played games, or --last or --number N"),
        ("--last --number 1", "give --last or --number, not both"),
        ("games.txt --last", "--last: is for your history; leave out FILE"),
        ("games.txt --number 1", "--number: is for your history; leave out FILE"),
        ("--last --game 1", "--game: is for a FILE"),
        ("--number 4", "--number: your history has no game 4; accepted: 1 to 3"),
        ("--number 0", "--number: your history has no game 0"),
        ("--last --aim duel:nobody", "--aim"),
        ("--number 1 --aim duel", "needs the opponent's moves"),
    ],
)
@pytest.mark.usefixtures("history")
def test_what_cannot_be_asked_for(run_here: Run, tmp_path: Path, arguments: str, fact: str) -> None:
    assert problems(run_here("review", *arguments.split()), fact) == []
    picture = ("-o", str(tmp_path / "x.svg"))
    assert problems(run_here("plot", "review", *arguments.split(), *picture), fact) == []


@pytest.mark.usefixtures("history")
def test_plots_and_pages_of_the_history(run_here: Run, tmp_path: Path) -> None:
    picture, page = tmp_path / "last.svg", tmp_path / "first.html"
    assert run_here("plot", "review", "--last", "-o", str(picture)).out == f"Wrote {picture}\n"
    assert run_here("plot", "review", "--number", "2", "-o", str(picture)).code == 0
    assert run_here("review", "--number", "3", "--html", str(page)).out == f"Wrote {page}\n"
    assert '"against":"equilibrium"' in page.read_text(encoding="utf-8")
