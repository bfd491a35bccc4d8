"""The answer on the games of a player: all of them, with their measures, against the review of each."""

import pytest

from tentimes18.answers.history import HistoryAnswer, chosen_games, history, measures_of
from tentimes18.answers.review import summary_json
from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.coach.summary import measured_kinds
from tentimes18.errors import InvalidDice, InvalidGame
from tentimes18.game import Game
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record, parse_record, record_to_json
from tests.support.answers import assert_answer
from tests.support.played import played

LINES = [
    Line(1, parse_record("1d6 1-4: 5@3 2@1 6@4 3@2; name=Ada")),
    Line(3, parse_record("3d6 1,3,5: 12@3 9@2 4@1")),
    Line(4, parse_record("1d6 1-4: 5@2")),
    Line(5, parse_record("1d6 1-201: 5@2")),
]


@pytest.mark.parametrize(
    ("dice", "slots", "last", "numbers"),
    [
        (None, None, None, [1, 3, 4, 5]),
        ("d6", None, None, [1, 4, 5]),
        (None, "5,3,1", None, [3]),
        ("1d6", "1-4", 1, [4]),
        (None, None, 9, [1, 3, 4, 5]),
        ("3d6", "1-4", None, []),
    ],
)
def test_games_are_chosen(dice: str | None, slots: str | None, last: int | None, numbers: list[int]) -> None:
    bad = BadLine(2, "no game")
    found, passed_over = chosen_games([LINES[0], bad, *LINES[1:]], dice, slots, last)
    assert [line.number for line in found] == numbers
    assert passed_over == [bad]


def test_dice_and_slots_that_are_none() -> None:
    with pytest.raises(InvalidDice):
        chosen_games([], dice="3x6")
    with pytest.raises(InvalidGame):
        chosen_games([], slots="x")


def test_games_of_a_name() -> None:
    names = ["Ada", "ada  ", "Ben", 7, None]
    lines = [Line(n, Record(LINES[0].record.board, tags={"name": name})) for n, name in enumerate(names)]
    lines.append(Line(9, Record(LINES[0].record.board)))
    assert [line.number for line in chosen_games(lines, name=" ADA")[0]] == [0, 1]
    assert [line.number for line in chosen_games(lines, name="7")[0]] == [3]
    assert chosen_games(lines, name="Cleo")[0] == []


def test_a_game_is_measured_by_what_it_was_played_for() -> None:
    """And not by the mean in silence."""
    text = "1d6 1-4: 5@2 2@4 6@1 3@3"
    lines = [
        Line(n, parse_record(f"{text}; aim={aim}")) for n, aim in enumerate(("mean", "target:45", "fame"), start=1)
    ]
    measures = measures_of(measured_kinds(lines)[0])
    assert [measures[n]["measured_by"] for n in (1, 2, 3)] == ["mean", "target:45", "mean"]
    twin = review(lines[1].record, aim_named(lines[1].record.board.game, "target:45"))
    assert measures[2]["loss"] == pytest.approx(float(twin.loss))
    assert measures[1]["loss"] == measures[3]["loss"] == pytest.approx(float(review(lines[0].record).loss))
    assert [measures[n]["level"] is None for n in (1, 2, 3)] == [False, False, True]


def test_measures_are_those_of_the_review() -> None:
    lines = [Line(7 * number, record) for number, record in enumerate(played(Game.parse("1d6", "1-4"), 20, seed=18))]
    measures = measures_of(measured_kinds(lines)[0])
    for line in lines:
        found, measured = review(line.record), measures[line.number]
        assert measured["loss"] == pytest.approx(float(found.loss))
        assert measured["luck"] == pytest.approx(float(found.luck))
        assert measured["skill"] == (None if found.skill is None else pytest.approx(float(found.skill)))


def test_the_answer_holds_every_game_and_the_sums() -> None:
    kinds, _ = measured_kinds(LINES)
    unfinished = [parse_record("1d6 1-4: 5@3 2@?")]
    answer = history(LINES, [BadLine(2, "no game")], unfinished, kinds)
    assert list(answer) == ["games", "summaries", "unfinished", "bad_lines"]
    assert_answer(answer, HistoryAnswer)
    for game, line in zip(answer["games"], LINES, strict=True):
        kept = record_to_json(line.record)
        assert {name: game[name] for name in kept} == kept
        assert list(game)[-6:] == ["loss", "luck", "skill", "level", "measured_by", "number"]
        assert game["number"] == line.number
    assert [answer["games"][3][name] for name in ("loss", "luck", "skill", "level", "measured_by")] == [None] * 5
    assert answer["summaries"] == [summary_json(games) for games in kinds]
    assert answer["unfinished"] == [record_to_json(unfinished[0])]
    assert answer["bad_lines"] == [{"line": 2, "reason": "no game"}]
