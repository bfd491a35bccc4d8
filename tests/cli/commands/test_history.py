"""`ten18 history`: the games in the file and nothing else, what they come to, and what could not be read."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.records.formats import Line, read_records
from tentimes18.records.history import History
from tentimes18.records.notation import Record, parse_record
from tests.support.command import Run

GAMES = [
    "1d6 1-4: 5@3 2@1 6@4 3@2; date=2026-11-01T10:00:00+01:00; against=nearest; opponent=5@3 2@1 6@4 3@2",
    "1d6 1-4: 5@2 2@4 6@1 3@3; date=2026-11-02T23:59:59+00:00; name=Ada",
    "3d6 1,3,5: 12@3 9@2 4@1; date=2026-11-03T08:00:00+00:00",
    "1d6 1-4: 6@4 6@3 1@1 2@2; date=someday",
]


@pytest.fixture
def history(data_folder: Path) -> History:
    kept = History(data_folder)
    for line in GAMES:
        kept.add(parse_record(line))
    return kept


def read(run_here: Run, *arguments: str) -> Any:
    result = run_here("history", *arguments, "--json")
    assert (result.code, result.err, result.out.count("\n")) == (0, "", 1)
    return json.loads(result.out)


def test_an_empty_history_says_how_to_start(run_here: Run, data_folder: Path) -> None:
    result = run_here("history")
    assert (result.code, result.err) == (0, "")
    assert result.out == "No games yet: `ten18 play` starts one.\n"
    assert read(run_here) == {"games": [], "summaries": [], "unfinished": [], "bad_lines": []}
    assert not data_folder.exists()


@pytest.mark.usefixtures("history")
def test_the_table(run_here: Run, run: Run) -> None:
    result = run_here("history")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert "\x1b" not in result.out
    first = review(parse_record(GAMES[0]))
    assert first.level is not None
    row = next(line for line in lines if line.startswith("   1  2026-11-01 10:00"))
    assert row.split()[3:] == [
        "1d6",
        "1-4",
        "nearest",
        "drawn",
        str(first.record.board.score),
        f"{float(first.loss):.2f}",
        f"{float(first.luck):+.2f}".replace("-", "−"),
        f"{float(first.skill or 0):.2f}",
        first.level.name,
    ]
    assert any(line.startswith("   4  someday") for line in lines)
    course = lines[lines.index(" 1d6 1-4, 3 games") + 2]
    assert len(course.split()[0]) == 3
    assert set(course.split()[0]) <= set("▁▂▃▄▅▆▇█")
    assert "0 won, 1 drawn, 0 lost" in result.out
    plain = run("history", PYTHONIOENCODING="ascii")
    assert (plain.code, plain.err) == (0, "")
    assert plain.out.isascii()


def test_only_the_last_ones_are_listed(run_here: Run, data_folder: Path) -> None:
    kept = History(data_folder)
    for _ in range(13):
        kept.add(parse_record(GAMES[0]))
    shown = run_here("history").out
    assert "Your last 10 games of 13" in shown
    assert shown.count("2026-11-01") == 10
    assert "Your last 3 games\n" in run_here("history", "--last", "3").out
    assert "Your last game\n" in run_here("history", "--last", "1").out


def test_a_damaged_line_is_reported_and_passed_over(run_here: Run, history: History) -> None:
    lines = history.path.read_text().splitlines()
    for bad in ("[1,", lines[1][:30], "\x00\x01", '{"moves": "9@99"}'):
        history.path.write_text("\n".join([bad, *lines]) + "\n", encoding="utf-8")
        result = run_here("history")
        assert result.code == 0
        assert result.err.startswith("ten18: line 1: ")
        assert len(result.err.splitlines()) == 1
        found = read(run_here)
        assert len(found["games"]) == len(GAMES)
        assert [line["line"] for line in found["bad_lines"]] == [1]
    # A line that was cut off does not spoil the one that is added to it.
    history.path.write_text("\n".join([*lines, lines[0][:40]]), encoding="utf-8")
    history.add(parse_record(GAMES[0]))
    assert len(read(run_here)["games"]) == len(GAMES) + 1


def test_unfinished_games_that_cannot_be_read(run_here: Run, history: History) -> None:
    history.folder.mkdir(parents=True, exist_ok=True)
    path = history.folder / "unfinished-0123456789abcdef.json"
    path.write_text('{"moves": "8@5 4@')
    result = run_here("history")
    assert result.err.count("\n") == 1
    assert str(path) in result.err
    assert path.exists()


def test_unfinished_games_are_shown(run_here: Run, history: History) -> None:
    record = parse_record("1d6 1-4: 5@3 2@?; against=random; opponent=5@1; seed=3")
    kept = history.begin(record)
    assert read(run_here)["unfinished"] == [], "it is being played"
    kept.unlock()
    (found,) = read(run_here)["unfinished"]
    assert (found["moves"], found["roll"]) == ("5@3", 2)
    assert "1d6 1-4, 1 of 4 rounds, score 15, against random" in run_here("history").out


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize("ending", [".txt", ".ndjson", ".csv"])
def test_export(ending: str, run_here: Run, tmp_path: Path) -> None:
    file = tmp_path / f"games{ending}"
    result = run_here("history", "--last", "3", "--export", str(file))
    assert (result.code, result.err, result.out) == (0, "", f"Wrote {file}\n")
    read_back: list[Record] = []
    for line in read_records(file.read_text(encoding="utf-8").splitlines(keepends=True)):
        assert isinstance(line, Line)
        read_back.append(line.record)
    assert read_back == [parse_record(line) for line in GAMES[1:]]
    if ending == ".csv":
        with file.open(newline="", encoding="utf-8") as table:
            assert [row["score"] for row in csv.DictReader(table)] == [str(r.board.score) for r in read_back]


def test_a_history_that_cannot_be_read_is_one_line(run: Run, data_folder: Path) -> None:
    data_folder.write_text("in the way")
    result = run("history")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("ten18: Not a directory: ")
    assert len(result.err.splitlines()) == 1


def test_a_game_is_measured_by_what_it_was_played_for(run_here: Run, data_folder: Path) -> None:
    """Chances are listed apart from points, with their sign; a table says where it uses the mean instead."""
    kept = History(data_folder)
    game = "1d6 1-4: 5@2 2@4 6@1 3@3"
    for tags in ("aim=mean", "aim=target:45", "aim=fame", "aim=mean; takebacks=2"):
        kept.add(parse_record(f"{game}; {tags}"))
    record = parse_record(game)
    twin = review(record, aim_named(record.board.game, "target:45"))
    found = read(run_here)
    assert [played["measured_by"] for played in found["games"]] == ["mean", "target:45", "mean", "mean"]
    assert found["games"][1]["loss"] == pytest.approx(float(twin.loss))
    assert [(kind["played_for"], kind["measured_by"], kind["practice"]) for kind in found["summaries"]] == [
        ("mean", "mean", False),
        ("target:45", "target:45", False),
        ("fame", "mean", False),
        ("mean", "mean", True),
    ]
    lines = run_here("history").out.splitlines()
    rows = {line.split()[0]: line for line in lines if line[:4].strip().isdigit()}
    assert f"{100 * float(twin.loss):.2f}%" in rows["2"]
    assert "target:45" in rows["2"]
    assert rows["3"].split()[1] == "*"
    assert " * played for another aim, measured by the expected final score" in lines
    assert rows["4"].split()[1] == "p"
    assert any(line.startswith(" p ") for line in lines)
    for title in ("for target:45, 1 game", "for fame, 1 game", "practice, 1 game"):
        assert f" 1d6 1-4, {title}" in lines


@pytest.mark.usefixtures("history")
def test_tables_as_csv(run_here: Run) -> None:
    head, *rows = csv.reader(run_here("history", "--csv").out.splitlines())
    found = read(run_here)
    assert head[:4] == ["game", "date", "name", "dice"]
    for row, played in zip(rows, found["games"], strict=True):
        named = dict(zip(head, row, strict=True))
        assert (int(named["game"]), float(named["loss"])) == (played["number"], played["loss"])
        assert (named["date"], named["level"], named["measured_by"]) == (
            played["date"],
            played["level"],
            played["measured_by"],
        )
    head, *rows = csv.reader(run_here("history", "--csv", "--table", "sums").out.splitlines())
    assert [row[head.index("games")] for row in rows] == ["3", "1"]
    assert [float(row[head.index("skill")]) for row in rows] == [kind["skill"] for kind in found["summaries"]]


@pytest.mark.usefixtures("history")
def test_a_page_of_the_history(run_here: Run, tmp_path: Path) -> None:
    page = tmp_path / "history.html"
    assert run_here("history", "--html", str(page)).out == f"Wrote {page}\n"
    text = page.read_text(encoding="utf-8")
    assert '"title":"4 games"' in text
    assert text.count('"record":') == 4
    result = run_here("history", "--html", str(page), "--dice", "1d4")
    assert (result.code, result.err) == (2, "ten18: --html: there are no games to write about\n")
    result = run_here("history", "--html", str(page), "--export", str(tmp_path / "x.csv"))
    assert (result.code, result.err) == (2, "ten18: --export and --html exclude each other; give one of them\n")


def test_names_that_nobody_has(run_here: Run) -> None:
    shown = run_here("history", "--name", "Ada", "--dice", "3d6").out
    assert shown == "No such games yet; without --name and --dice you see all games.\n"
