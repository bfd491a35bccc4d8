"""Advice, reasons and reviews against the oracle."""

import re
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Board, Game, IllegalMove, InvalidGame, advise, named
from tentimes18.coach.advice import advise_slots, reason
from tentimes18.coach.aims import Chance, aim_named
from tentimes18.coach.classes import CLASSES, classify
from tentimes18.coach.review import review
from tentimes18.coach.units import Unit
from tentimes18.game import slots_of
from tentimes18.records.notation import Record, parse_record
from tests.oracle.play import best_slots, move_values, thresholds
from tests.oracle.review import Told, best_score, score_of_optimal, scores_of_optimal, told
from tests.support.games import games, law_of
from tests.support.records import records


@given(games())
def test_moves_are_worth_what_the_oracle_says(game: Game) -> None:
    law = law_of(game.dice)
    for free in range(1, game.all_free + 1):
        slots = frozenset(slots_of(free))
        for roll in game.dice.support:
            advice = advise_slots(game, slots_of(free), roll)
            values = move_values(law, game.multipliers, slots, roll)
            best = max(values.values())
            assert {move.slot: move.worth for move in advice.moves} == values
            assert all(move.loss == best - move.worth for move in advice.moves)
            assert [(move.loss, move.slot) for move in advice.moves] == sorted(
                (best - worth, slot) for slot, worth in values.items()
            )
            assert list(advice.best_slots) == best_slots(law, game.multipliers, slots, roll)
            assert advice.best == advice.best_slots[0]
            assert advice.roll == roll


def test_classic_first_move() -> None:
    game = Game.classic()
    advice = advise(Board(game), 9)
    assert [move.slot for move in advice.moves] == [4, 3, 5, 2, 6, 1, 7, 8, 9, 10]
    # The paper: 9 in slot 3 instead of 4 loses 0.03455.
    assert round(advice.moves[1].loss, 5) == Fraction("0.03455")
    assert advice.best_slots == (4,)


@pytest.mark.parametrize(
    ("dice", "slots", "free", "roll", "best"),
    [
        ("1d3", "1-3", (1, 2), 2, (1, 2)),
        ("1d3", "1-3", (1, 3), 2, (1, 3)),
        ("1d3", "1-3", (1, 2, 3), 2, (2,)),
        ("1d3", "4,4,4", (1, 2, 3), 3, (1, 2, 3)),
        ("3d6", "1,5,5,9", (1, 2, 3, 4), 11, (2, 3)),
        ("7", "1-4", (1, 2, 4), 7, (1, 2, 4)),
    ],
)
def test_ties_are_all_best(dice: str, slots: str, free: tuple[int, ...], roll: int, best: tuple[int, ...]) -> None:
    game = Game.parse(dice, slots)
    advice = advise_slots(game, free, roll)
    assert advice.best_slots == best
    board = Board.replay(game, ((game.dice.support[0], slot) for slot in range(1, game.size + 1) if slot not in free))
    assert named("optimal").choose(board, roll) == advice.best == best[0]


@pytest.mark.parametrize("roll", [2, 19, -9, 0, 10**20])
def test_a_roll_the_dice_never_show(roll: int) -> None:
    with pytest.raises(IllegalMove, match=f"never shows {roll}"):
        advise(Board(Game.classic()), roll)


@pytest.mark.parametrize("free", [[], [11], [0], [1, 1], [-1]])
def test_not_free_slots(free: list[int]) -> None:
    with pytest.raises(InvalidGame):
        advise_slots(Game.classic(), free, 9)


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


@pytest.mark.parametrize(
    ("loss", "name", "mark"),
    [
        (Fraction(0), "best", ""),
        (Fraction(1, 10**30), "fine", ""),
        (Fraction(1, 4) - Fraction(1, 10**30), "fine", ""),
        (Fraction(1, 4), "good", ""),
        (1 - Fraction(1, 10**30), "good", ""),
        (Fraction(1), "inaccuracy", "?!"),
        (3 - Fraction(1, 10**30), "inaccuracy", "?!"),
        (Fraction(3), "mistake", "?"),
        (8 - Fraction(1, 10**30), "mistake", "?"),
        (Fraction(8), "blunder", "??"),
        (Fraction(10**9), "blunder", "??"),
    ],
)
def test_classes_at_their_bounds(loss: Fraction, name: str, mark: str) -> None:
    assert classify(loss)[:2] == classify(loss / 100, Unit.chance)[:2] == (name, mark)
    if loss.denominator < 10**6:  # in float64 as well, where a chance is a difference of two
        assert classify(float(loss))[:2] == classify(float(loss / 100), Unit.chance)[:2] == (name, mark)
        for start in (0.05, 0.3, 0.55, 0.7):
            if 0 < loss <= 8:
                lost = (start + float(loss / 100)) - start
                assert classify(lost, Unit.chance)[:2] == (name, mark)


@pytest.mark.parametrize(
    ("slots", "name"),
    [
        ("0,1/2", "good"),
        ("0,2", "inaccuracy"),
        ("0,6", "mistake"),
        ("0,16", "blunder"),
        ("0,0.4999", "fine"),
        ("5,6.999", "good"),
    ],
)
def test_a_move_that_loses_exactly_so_much(slots: str, name: str) -> None:
    """With two slots free, a 4 of one die in the lower one loses half the difference of the multipliers."""
    move = review(parse_record(f"1d6 {slots}: 4@1")).moves[0]
    assert (move.best_slots, move.move_class.name) == ((2,), name)


@pytest.mark.parametrize(
    ("others", "name"),
    [(399, "good"), (400, "fine"), (99, "inaccuracy"), (100, "good"), (13, "mistake"), (11, "blunder")],
)
def test_a_chance_that_is_thrown_away(others: int, name: str) -> None:
    """One more roll reaches the target, once in so many: a 0 where it counts gives that up."""
    record = parse_record(f"d{{0,1}}:0={others} 0,1: 0@2")
    move = review(record, Chance(record.board.game, 1)).moves[0]
    assert move.loss == Fraction(1, others + 1)
    assert move.move_class.name == name


def test_three_and_eight_percent_exactly() -> None:
    for parts, name in ((3, "mistake"), (8, "blunder")):
        record = parse_record(f"d{{0,1}}:0={100 - parts},1={parts} 0,1: 0@2")
        assert review(record, Chance(record.board.game, 1)).moves[0].move_class.name == name


SENTENCE: Final = re.compile(
    r"(?P<roll>-?\d+) (?:goes to slot (?P<slot>\d+)|is equally good in slots (?P<slots>[\d, and]+)): "
    r"(?:above what slot (?P<below>\d+) can expect \((?P<low>-?\d+\.\d+)\))?(?:, )?"
    r"(?:below (?:what )?slot (?P<above>\d+)(?:'s | can expect \()(?P<high>-?\d+\.\d+)\)?)?\."
)


@given(games(max_slots=5))
def test_reasons_are_true(game: Game) -> None:
    """Each number is what the oracle expects in that slot if the roll goes elsewhere, and is on the side it is said."""
    law = law_of(game.dice)
    for free in range(1, game.all_free + 1):
        slots = slots_of(free)
        expected = thresholds(law, len(slots) - 1)[-1] if len(slots) > 1 else []
        for roll in game.dice.support:
            text = reason(game, slots_of(free), roll)
            best = best_slots(law, game.multipliers, frozenset(slots), roll)
            if len(slots) == 1:
                assert text == f"Slot {slots[0]} is the only free one."
                continue
            if len(best) == len(slots):
                assert text == f"All free slots are equally good for {roll}."
                continue
            match = SENTENCE.fullmatch(text)
            assert match, text
            assert int(match["roll"]) == roll
            assert [int(slot) for slot in re.findall(r"\d+", match["slot"] or match["slots"])] == best
            for side, number, rank in (
                ("below", "low", slots.index(best[0]) - 1),
                ("above", "high", slots.index(best[-1])),
            ):
                is_there = rank >= 0 if side == "below" else rank < len(slots) - 1
                assert (match[side] is not None) == is_there
                if is_there:
                    assert int(match[side]) == slots[rank if side == "below" else rank + 1]
                    told_number = Fraction(match[number])
                    assert abs(told_number - expected[rank]) <= Fraction(
                        1, 2 * 10 ** len(match[number].partition(".")[2])
                    )
                    assert told_number < roll if side == "below" else told_number > roll


def test_a_reason_where_two_digits_would_lie() -> None:
    """With one face in a million, what a slot expects is not the roll itself."""
    game = Game.parse("d{0,1}:1=1000000", "1-2")
    assert reason(game, [1, 2], 1) == "1 goes to slot 2: above what slot 1 can expect (0.999999)."


def test_a_reason_as_close_as_it_gets() -> None:
    game = Game.parse("1d2", "1-100")
    assert (
        reason(game, range(1, game.size + 1), 2) == "2 goes to slot 100: above what slot 99 can expect (just below 2)."
    )


def test_rounding_is_neither_luck_nor_a_gift() -> None:
    """With one slot left on equal boards a duel is drawn, whatever comes."""
    record = parse_record("3d6 1-6: 8@3 4@1 16@6 13@5 8@2 12@4; opponent=8@2 4@1 16@6 13@5 8@3 12@4")
    last = review(record, aim_named(record.board.game, "duel")).moves[-1]
    assert (last.luck, last.loss, last.gift, last.after) == (0, 0, 0, 0.5)
