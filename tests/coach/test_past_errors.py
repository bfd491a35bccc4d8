"""Past errors are the moves that a review calls errors, each once, the latest first."""

from typing import Final

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.past_errors import past_errors
from tentimes18.coach.review import review
from tentimes18.coach.schedule import Source, key_of
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record, parse_record
from tests.support.played import played
from tests.support.questions import losses

CLASSIC: Final = Game.classic()


def test_errors_are_those_of_the_reviews() -> None:
    records = played(CLASSIC, 30, seed=5)
    others = [parse_record("1d6 1-3: 6@1 1@3 1@2"), parse_record("18@1 3@10; aim=target:700")]
    expected = []
    for record in reversed(records):
        for place, move in enumerate(review(record).moves):
            key = key_of(Record(Board(CLASSIC, record.board.placements[:place]), move.roll))
            if move.move_class in CLASSES[3:] and key not in expected:
                expected.append(key)
    found = list(past_errors(CLASSIC, [*records, *others]))
    assert [question.key for question in found] == expected
    assert len(expected) > 20
    assert all(question.source is Source.history and losses(question)[-1] >= 1 for question in found)
    small = Game.parse("1d6", "1-3")
    assert [question.key[1:] for question in past_errors(small, [*records, *others])] == [(7, 6), (6, 1)]
    assert list(past_errors(Game.parse("1d8", "1-3"), records)) == []


def test_an_error_made_twice_is_asked_once() -> None:
    record = parse_record("1d6 1-3: 6@1 1@3 1@2")
    once = [question.key for question in past_errors(record.board.game, [record])]
    assert [question.key for question in past_errors(record.board.game, [record, record])] == once
