"""Reviews against the oracle: every move of a game, and the game in sum."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, TooLarge
from tentimes18.coach.aims import aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.review import optimal_distribution, review
from tentimes18.records.notation import Record, parse_record
from tests.oracle.review import Told, best_score, score_of_optimal, scores_of_optimal, told
from tests.support.games import law_of
from tests.support.records import records


def untagged_records(max_slots: int = 4) -> st.SearchStrategy[Record]:
    return records(max_slots, tags=st.just({}))


@settings(max_examples=40)
@given(untagged_records())
def test_a_review_agrees_with_the_oracle(record: Record) -> None:
    board = record.board
    found = review(record)
    expected = told(law_of(board.game.dice), board.game.multipliers, board.placements)
    assert [
        Told(
            move.best_slots,
            Fraction(move.loss),
            Fraction(move.luck),
            Fraction(move.before),
            Fraction(move.after),
            move.is_choice,
        )
        for move in found.moves
    ] == expected
    assert [(move.roll, move.slot) for move in found.moves] == list(board.placements)
    assert all(move.gift == 0 for move in found.moves)
    assert isinstance(found.end, Fraction)
    assert found.start + found.luck - found.loss == found.end
    assert found.end == board.score or board.free


@settings(max_examples=40)
@given(untagged_records())
def test_what_is_said_of_a_game_in_sum(record: Record) -> None:
    board = record.board
    found = review(record)
    law, multipliers = law_of(board.game.dice), board.game.multipliers
    moves = told(law, multipliers, board.placements)
    choices = [move for move in moves if move.is_choice]
    assert found.choices == len(choices)
    assert found.skill == (sum(move.loss for move in choices) / len(choices) if choices else None)
    assert list(found.counts) == [kind.name for kind in CLASSES]
    assert sum(found.counts.values()) == board.rounds
    assert found.counts["best"] == sum(move.loss == 0 for move in moves)
    assert found.counts["blunder"] == sum(move.loss >= 8 for move in moves)
    if not record.finished:
        assert (found.percentile, found.optimal_score, found.best_score) == (None, None, None)
        return
    rolls = [move.roll for move in board.placements]
    chances = scores_of_optimal(law, multipliers)
    assert found.percentile == sum(chance for score, chance in chances.items() if score <= board.score)
    assert found.optimal_score == score_of_optimal(law, multipliers, rolls)
    assert found.best_score == best_score(multipliers, rolls)


def test_rounding_is_neither_luck_nor_a_gift() -> None:
    """With one slot left on equal boards a duel is drawn, whatever comes."""
    record = parse_record("3d6 1-6: 8@3 4@1 16@6 13@5 8@2 12@4; opponent=8@2 4@1 16@6 13@5 8@3 12@4")
    last = review(record, aim_named(record.board.game, "duel")).moves[-1]
    assert (last.luck, last.loss, last.gift, last.after) == (0, 0, 0, 0.5)


def test_what_is_too_large() -> None:
    with pytest.raises(TooLarge, match=r"^slots: 201 slots; games on at most 200 are reviewed$"):
        review(Record(Board(Game.parse("1d6", "1-201"))))
    assert optimal_distribution(Game.parse("d{1,2,999999937}", "1,1000003,7,1000000007,13,1000000021,19,23")) is None
