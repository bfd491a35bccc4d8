"""A game in a sentence."""

import pytest

from tentimes18.coach.review import review
from tentimes18.records.notation import Record, parse_record
from tentimes18.wording import headline, notes, opponent_name, result_of, shown_date, standing, verdict


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1d6 1-3:", "Nothing is played yet."),
        ("1d6 1-3: 6@3 4@1 6@2", "Lucky rolls, and no error."),
        ("1d6 1-3: 1@1 1@2 1@3", "Unlucky rolls, and every move a best one."),
        ("1d6 1-3: 4@1", "Ordinary rolls, and 1 inaccuracy. After 1 of 3 rounds 22.25 points can be expected."),
        ("3d6 1-10: 3@10 18@1 3@9 18@2", "Lucky rolls, and 4 blunders. After 4 of 10 rounds "),
    ],
)
def test_verdict(line: str, says: str) -> None:
    assert verdict(review(parse_record(line))).startswith(says)


@pytest.mark.parametrize(
    ("line", "result", "says"),
    [
        ("1d6 1,2: 5@2 4@1; opponent=5@1 4@2", "won", "Won, 14 to 13"),
        ("1d6 1,2: 5@1 4@2; opponent=5@2 4@1", "lost", "Lost, 13 to 14"),
        ("1d6 1,2: 5@1 4@2; opponent=5@1 4@2", "drawn", "Drawn, 13 to 13"),
        ("1d6 1,2: 5@1; opponent=5@2", None, "5 points"),
        ("1d6 -2,-1: 5@1 4@2", None, "−14 points"),
    ],
)
def test_who_won(line: str, result: str | None, says: str) -> None:
    record = parse_record(line)
    assert (result_of(record), headline(record)) == (result, says)


def test_how_far_a_game_has_come() -> None:
    assert standing(parse_record("1d6 1-3:")) == ["0 of 3 rounds", "score 0"]
    record = parse_record("1d6 1/2,2: 5@1; opponent=5@2; against=nearest")
    assert standing(record) == ["1 of 2 rounds", "score 2.5", "against nearest"]


@pytest.mark.parametrize(
    ("tags", "told"),
    [
        ("", []),
        ("; aim=mean; takebacks=0", []),
        ("; takebacks=1", ["1 move was taken back: practice, so no level."]),
        ("; takebacks=3", ["3 moves were taken back: practice, so no level."]),
        ("; aim=duel", ["Played for duel, measured by the expected final score."]),
    ],
)
def test_what_has_to_be_said_besides(tags: str, told: list[str]) -> None:
    found = review(parse_record(f"1d6 1-3: 4@1{tags}"))
    assert notes(found) == told
    assert (found.level is None) == bool(told)


def test_an_opponent_without_a_name() -> None:
    assert opponent_name(parse_record("1d6 1-3: 4@1; opponent=4@2")) == "the opponent"


@pytest.mark.parametrize(
    ("date", "shown"),
    [
        ("2026-11-15", "2026-11-15"),
        ("2026-11-15T18:30:59+01:00", "2026-11-15 18:30"),
        ("a  Sunday\n", "a Sunday"),
        (7, "7"),
        ("", ""),
    ],
)
def test_dates(date: object, shown: str) -> None:
    assert shown_date(Record(parse_record("8@5").board, tags={"date": date})) == shown
