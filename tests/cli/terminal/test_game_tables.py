"""Games, moves and sums for programs: whole numbers, names for every column, and nothing rounded."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import pytest

from tentimes18.cli.tables import Grid
from tentimes18.cli.terminal.game_tables import games_table, moves_table, review_moves, summary_tables
from tentimes18.coach.review import review
from tentimes18.coach.summary import measured_kinds
from tentimes18.queries.games import measures_of, moves_of, review_answer, summary_answer
from tentimes18.records.formats import Line
from tentimes18.records.notation import parse_record

TEXTS = [
    "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@3 5@1; against=nearest",
    "1d6 1-3: 4@1 6@2; name=Ada; takebacks=2",
    "1d6 1/2,1,3: 4@1 6@3 5@2; aim=target:20",
]
LINES = [Line(10 * number, parse_record(text)) for number, text in enumerate(TEXTS, start=1)]
KINDS, _ = measured_kinds(LINES)


def rows_of(grid: Grid) -> Sequence[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(grid.csv())))


def test_games() -> None:
    rows = rows_of(games_table(LINES, measures_of(KINDS)))
    assert [row["game"] for row in rows] == ["10", "20", "30"]
    assert [row["result"] for row in rows] == ["won", "", ""]
    assert [row["finished"] for row in rows] == ["true", "false", "true"]
    assert [(row["aim"], row["measured_by"]) for row in rows] == [("mean", "mean")] * 2 + [("target:20", "target:20")]
    assert (rows[0]["opponent_score"], rows[1]["takebacks"], rows[2]["score"]) == ("31", "2", "25")
    for row, line in zip(rows, LINES, strict=True):
        assert float(row["loss"]) == measures_of(KINDS)[line.number].loss
    assert {row["loss"] for row in rows_of(games_table(LINES, {}))} == {""}


def test_moves_of_many_and_of_one() -> None:
    rows = rows_of(moves_table(moves_of(KINDS)))
    assert len(rows) == sum(line.record.board.rounds for line in LINES)
    of_first = [row for row in rows if row["game"] == "10"]
    answer = review_answer(review(LINES[0].record))
    alone = rows_of(review_moves(answer, 10, [2, 3, 1]))
    for row, other, move in zip(of_first, alone, answer.moves, strict=True):
        assert float(other["loss"]) == move.loss
        assert float(row["loss"]) == pytest.approx(move.loss)
        assert (row["theirs"], row["class"], row["choice"]) == (other["theirs"], other["class"], other["choice"])
        assert float(other["expected"]) == move.after


def test_sums_of_every_kind() -> None:
    summaries = [summary_answer(games) for games in KINDS]
    sums, classes, rounds, costliest = map(rows_of, summary_tables(summaries))
    assert [(row["slots"], row["practice"], row["measured_by"]) for row in sums] == [
        ("1-3", "false", "mean"),
        ("1/2,1,3", "false", "target:20"),
        ("1-3", "true", "mean"),
    ]
    assert [float(row["skill"]) for row in sums] == [summary.skill for summary in summaries]
    assert sum(int(row["moves"]) for row in classes) == 8
    assert len(rounds) == sum(len(summary.rounds) for summary in summaries)
    assert len(costliest) == sum(len(summary.costliest) for summary in summaries)
