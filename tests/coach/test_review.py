"""Reviews against the oracle: every move of a game, and the game in sum."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Board, Game, TooLarge
from tentimes18.coach.aims import Chance, aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.review import Fortune, optimal_distribution, review
from tentimes18.records.notation import Record, parse_record
from tests.oracle.review import Told, best_score, score_of_optimal, scores_of_optimal, told
from tests.support.games import law_of
from tests.support.records import records


def untagged_records(max_slots: int = 4) -> st.SearchStrategy[Record]:
    return records(max_slots, tags=st.just({}))


@given(untagged_records())
def test_a_game_is_told_as_the_oracle_tells_it(record: Record) -> None:
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


@given(untagged_records(5))
def test_score_is_value_and_luck_less_loss(record: Record) -> None:
    """Exactly, in fractions; of a game in play it is the expected score."""
    found = review(record)
    assert isinstance(found.start + found.luck - found.loss, Fraction)
    assert found.start + found.luck - found.loss == found.end
    assert found.start == review(Record(Board(record.board.game))).end
    for move in found.moves:
        assert move.before + move.luck - move.loss == move.after
        assert move.loss >= 0
    if record.finished:
        assert found.end == record.board.score


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


@pytest.mark.parametrize(
    ("line", "fortune"),
    [
        ("1d6 1-3: 6@3 6@2 6@1", Fortune.lucky),
        ("1d6 1-3: 1@1 1@2 1@3", Fortune.unlucky),
        ("1d6 1-3: 4@1", Fortune.ordinary),
        ("1d6 1-3:", Fortune.ordinary),
    ],
)
def test_fortune_is_half_a_standard_deviation(line: str, fortune: Fortune) -> None:
    found = review(parse_record(line))
    assert found.fortune is fortune
    law = optimal_distribution(found.record.board.game)
    assert law is not None
    assert (abs(float(found.luck)) > law.sd / 2) == (fortune is not Fortune.ordinary)


def test_fortune_of_a_chance_is_five_percent() -> None:
    record = parse_record("1d6 1-3: 4@2")
    found = review(record, Chance(record.board.game, 30))
    assert found.fortune is (Fortune.unlucky if found.luck < -0.05 else Fortune.ordinary)
    assert found.luck < 0


def test_what_is_too_large() -> None:
    with pytest.raises(TooLarge, match=r"^slots: 201 slots; games on at most 200 are reviewed$"):
        review(Record(Board(Game.parse("1d6", "1-201"))))
    assert optimal_distribution(Game.parse("d{1,2,999999937}", "1,1000003,7,1000000007,13,1000000021,19,23")) is None
