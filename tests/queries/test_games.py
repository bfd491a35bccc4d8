"""Played games: which are chosen, and their measures against the review of each."""

import json

import pytest

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.coach.summary import measured_kinds
from tentimes18.queries import QUERIES, to_json
from tentimes18.queries.games import choose_games, history, review_answer
from tentimes18.records.formats import BadLine, Line
from tentimes18.records.notation import Record, parse_record, record_to_json

LINES = [
    Line(1, parse_record("1d6 1-4: 5@3 2@1 6@4 3@2; name=Ada")),
    Line(3, parse_record("3d6 1,3,5: 12@3 9@2 4@1")),
    Line(4, parse_record("1d6 1-4: 5@2")),
    Line(5, parse_record("1d6 1-201: 5@2")),
]
BAD = BadLine(2, "no game")


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
    lines, bad = choose_games([LINES[0], BAD, *LINES[1:]], dice, slots, last)
    assert [line.number for line in lines] == numbers
    assert bad == [BAD]


def test_games_of_a_name() -> None:
    names = ["Ada", "ada  ", "Ben", 7, None]
    lines = [Line(n, Record(LINES[0].record.board, tags={"name": name})) for n, name in enumerate(names)]
    lines.append(Line(9, Record(LINES[0].record.board)))
    assert [line.number for line in choose_games(lines, name=" ADA")[0]] == [0, 1]
    assert [line.number for line in choose_games(lines, name="7")[0]] == [3]
    assert choose_games(lines, name="Cleo")[0] == []


def test_the_history_has_every_game_and_the_summaries() -> None:
    kinds, _ = measured_kinds(LINES)
    unfinished = [parse_record("1d6 1-4: 5@3 2@?")]
    answer = json.loads(to_json(history(LINES, [BAD], unfinished, kinds)))
    for game, line in zip(answer["games"], LINES, strict=True):
        assert game.items() >= record_to_json(line.record).items()
        assert list(game)[-6:] == ["loss", "luck", "skill", "level", "measured_by", "number"]
        assert game["number"] == line.number
    assert [answer["games"][3][name] for name in ("loss", "luck", "skill", "level", "measured_by")] == [None] * 5
    assert len(answer["summaries"]) == len(kinds)
    assert answer["unfinished"] == [record_to_json(unfinished[0])]
    assert answer["bad_lines"] == [{"line": 2, "reason": "no game"}]


def test_integers_stay_integers() -> None:
    answer = review_answer(review(parse_record("1d6 1,2: 5@2 4@1")))
    assert all(type(number) is int for number in (answer.score, answer.loss, answer.gift, answer.best_score))
    assert isinstance(answer.value, float)


def test_a_duel_shows_how_both_mix_their_moves() -> None:
    record = parse_record("1d6 1-3: 1@1 3@3 5@2; opponent=1@2 3@3 5@1")
    moves = review_answer(review(record, aim_named(record.board.game, "duel"))).moves
    assert dict(moves[1].mix or ()) == pytest.approx({2: 0.4, 3: 0.6})
    assert dict(moves[1].opponent_mix or ()) == pytest.approx({1: 0.4, 3: 0.6})
    assert moves[2].mix == [(2, 1.0)]


def test_a_drill_asks_no_more_than_there_is() -> None:
    questions = QUERIES["drill"](dice="1d2", slots="1,2", count=50).questions
    assert 0 < len(questions) < 50
    assert QUERIES["drill"](dice="1d2", slots="1,2", count=1).questions == questions[:1]
