"""The rules: multipliers and their notation, legal and illegal moves, the score."""

from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Dice, Game, IllegalMove, InvalidGame
from tentimes18.game import Number, mask_of, read_score, slots_of
from tests.support.games import games, multipliers

THREE_DICE = Dice.parse("3d6")
CLASSIC = Game.classic()


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A board in the middle of a game."""
    game = draw(games(max_slots=5))
    order = draw(st.permutations(range(1, game.size + 1)))
    count = draw(st.integers(0, game.size))
    rolls = [draw(st.sampled_from(game.dice.support)) for _ in range(count)]
    return Board.replay(game, zip(rolls, order[:count], strict=True))


@given(multipliers(max_slots=7), st.randoms(use_true_random=False))
def test_multipliers_come_in_any_order(numbers: list[Number], random: Any) -> None:
    game = Game(THREE_DICE, numbers)
    shuffled = list(numbers)
    random.shuffle(shuffled)
    assert Game(THREE_DICE, shuffled) == game
    assert hash(Game(THREE_DICE, shuffled)) == hash(game)
    assert list(game.multipliers) == sorted(numbers)
    assert (game.size, game.all_free) == (len(numbers), 2 ** len(numbers) - 1)


@given(
    st.lists(
        st.integers(-20, 20)
        | st.fractions(-5, 5, max_denominator=9)
        | st.integers(1 - 10**15, 10**15 - 1)
        | st.builds(Fraction, st.integers(1 - 10**15, 10**15 - 1), st.integers(1, 10**15 - 1)),
        min_size=1,
        max_size=12,
    )
)
def test_slots_round_trip(numbers: list[Number]) -> None:
    game = Game(THREE_DICE, numbers)
    assert Game.parse("3d6", game.slots) == game
    assert Game.parse("3d6", f" {game.slots} ".replace(",", " , ")) == game


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([7, 3, 1, 2], "1-3,7"),
        ([2, 2, 3, 4], "2,2-4"),
        ([-1, 0, -3, -2], "-3-0"),
        ([-1, -2, -3], "-3--1"),
        ([Fraction(1, 2), 1, Fraction(3, 2), 2], "1/2,1,3/2,2"),
        ([0.5, 4], "1/2,4"),
    ],
)
def test_slots_are_written_short(numbers: list[Number | float], text: str) -> None:
    assert Game(THREE_DICE, numbers).slots == text
    assert str(Game(THREE_DICE, numbers)) == f"3d6 {text}"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1-10", range(1, 11)),
        ("-3", [-3]),
        ("+3", [3]),
        ("-2-1", [-2, -1, 0, 1]),
        ("-3--1", [-3, -2, -1]),
        ("7,3,5,1", [1, 3, 5, 7]),
        ("1,1,1-2", [1, 1, 1, 2]),
        ("2,1/2,5-7", [Fraction(1, 2), 2, 5, 6, 7]),
        ("0.1,.5,2.", [Fraction(1, 10), Fraction(1, 2), 2]),
        ("-6/4,4/2", [Fraction(-3, 2), 2]),
        (" 1 - 3 , 5 ", [1, 2, 3, 5]),
    ],
)
def test_slots_notation(text: str, numbers: list[Number]) -> None:
    assert Game.parse("3d6", text) == Game(THREE_DICE, numbers)


@given(st.text("0123456789,+-/. x½\0", max_size=12) | st.text(max_size=10))
@settings(max_examples=150)
def test_any_text_is_read_or_rejected(text: str) -> None:
    try:
        game = Game.parse("3d6", text)
    except InvalidGame as error:
        assert len(str(error).splitlines()) == 1
        return
    assert Game.parse("3d6", game.slots) == game


NOT_SLOTS = """
    , 1, ,1 1,,2 x a-b 1- - -- 1-2-3 1-- 1/0 1/ /2 1/2/3 1/-2 1.5-3 1-3/2 1e3 1e400 nan inf 1..2 1.2.3 . 1_000 0x10
    1;2 ١-٣ [1,2] 1\0 ² ½ 1:3 1-1000001 1-1000000000 1-999999999999999
"""


@pytest.mark.parametrize("text", ["", " ", "9" * 5_000, "1/" + "9" * 5_000, "1 2 3", "1.5 2", *NOT_SLOTS.split()])
def test_bad_slots(text: str) -> None:
    with pytest.raises(InvalidGame) as error:
        Game.parse("3d6", text)
    assert str(error.value).startswith("slots")
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    "numbers", [[], [nan], [inf], [1, -inf], [True], ["1"], "12", [None], [1j], [[1]], [b"1"], range(1_000_001)]
)
def test_bad_multipliers(numbers: Any) -> None:
    with pytest.raises(InvalidGame, match="slots"):
        Game(THREE_DICE, numbers)


@given(games(max_slots=6))
def test_multipliers_of_a_free_set(game: Game) -> None:
    for free in range(game.all_free + 1):
        slots = slots_of(free)
        assert mask_of(slots) == free
        assert game.multipliers_of(free) == tuple(game.multipliers[slot - 1] for slot in slots)
        if free:
            assert game.verify_free(reversed(slots)) == free


@pytest.mark.parametrize("slots", [[], [0], [11], [-1], [1, 1], [3, 2, 3], [1, 11], [10**30]])
def test_bad_free_sets(slots: list[int]) -> None:
    with pytest.raises(InvalidGame, match=r"^free: ") as error:
        CLASSIC.verify_free(slots)
    assert len(str(error.value).splitlines()) == 1


def test_full_game() -> None:
    rolls = [8, 4, 10, 18, 3, 11, 9, 12, 14, 7]
    slots = [5, 1, 6, 10, 2, 7, 4, 8, 9, 3]
    board = Board.replay(CLASSIC, zip(rolls, slots, strict=True))
    assert (board.free, board.rounds) == (0, 10)
    assert board.score == 40 + 4 + 60 + 180 + 6 + 77 + 36 + 96 + 126 + 21
    for slot in range(1, 11):
        with pytest.raises(IllegalMove, match="free: none"):
            board.place(10, slot)


def test_score_with_odd_multipliers() -> None:
    game = Game.parse("d{-2,0,5}", "-3,0,1/2,1/2")
    assert Board.replay(game, [(5, 1), (-2, 2), (-2, 3), (5, 4)]).score == -15 + 0 - 1 + Fraction(5, 2)
    assert Board.replay(game, [(-2, 3)]).score == -1
    assert isinstance(Board.replay(game, [(-2, 3)]).score, int)
    assert Board(game).score == 0


@given(boards())
def test_what_is_legal(board: Board) -> None:
    support = board.game.dice.support
    for slot in range(-1, board.game.size + 3):
        legal_slot = 1 <= slot <= board.game.size and board.free >> (slot - 1) & 1 == 1
        assert passes(board.verify, slot) == legal_slot
        for roll in range(support[0] - 1, support[-1] + 2):
            legal = legal_slot and roll in support
            assert passes(board.verify, slot, roll) == legal
            assert passes(board.place, roll, slot) == legal


def passes(move: Callable[..., object], *arguments: int) -> bool:
    """Whether it raises nothing; an illegal move says so in one line."""
    try:
        move(*arguments)
    except IllegalMove as error:
        assert len(str(error).splitlines()) == 1
        return False
    return True


@given(boards(), st.data())
def test_placing(board: Board, data: st.DataObject) -> None:
    assert board.score == sum(board.game.multipliers[slot - 1] * roll for roll, slot in board.placements)
    assert board.free == board.game.all_free ^ mask_of(slot for _, slot in board.placements)
    assert Board.replay(board.game, board.placements) == board
    if not board.free:
        return
    slot = data.draw(st.sampled_from(board.free_slots))
    roll = data.draw(st.sampled_from(board.game.dice.support))
    before = (board.free, board.score, board.placements)
    after = board.place(roll, slot)
    assert (board.free, board.score, board.placements) == before
    assert after.free == board.free ^ 1 << (slot - 1)
    assert after.score == board.score + board.game.multipliers[slot - 1] * roll
    assert (after.rounds, after[slot], board[slot]) == (board.rounds + 1, roll, None)


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ([(8, 5), (4, 5)], "slot 5 already holds 8"),
        ([(8, 0)], "no slot 0"),
        ([(8, 11)], "no slot 11"),
        ([(2, 1)], "never shows 2"),
        ([(19, 1)], "never shows 19"),
    ],
)
def test_illegal_replays(moves: list[tuple[int, int]], complaint: str) -> None:
    with pytest.raises(IllegalMove, match=complaint):
        Board.replay(CLASSIC, moves)


@pytest.mark.parametrize(
    ("notation", "complaint"),
    [
        ("2d{0,10}", "never shows 5; its rolls are 0,10,20"),
        ("d{1,50}+d{0,100}+d{0,200}+d{0,400}+d{0,800}+d{0,1600}", "never shows 5; its rolls are 64 numbers from 1"),
    ],
)
def test_rolls_with_gaps(notation: str, complaint: str) -> None:
    with pytest.raises(IllegalMove, match=complaint):
        Board(Game.parse(notation, "1-3")).place(5, 1)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("700", 700),
        ("0.01", Fraction(1, 100)),
        ("7/2", Fraction(7, 2)),
        ("4/2", 2),
        ("1e3", 1000),
        ("-2.5E+2", -250),
        ("1e-2", Fraction(1, 100)),
        ("0.1e40", 10**39),
    ],
)
def test_scores_in_text_are_exact(text: str, score: Number) -> None:
    exact = read_score(text, "target")
    assert (exact, type(exact)) == (score, type(score))


@pytest.mark.parametrize(
    "text",
    ["", "e3", "1e", "1e3.5", "1/1e3", "1e3/2", "1e1_0", "nan", "inf", "1/0", "1/00"],
)
def test_text_that_is_not_a_score(text: str) -> None:
    with pytest.raises(InvalidGame, match=r"^target: .* is not a number; accepted: numbers like 700") as rejected:
        read_score(text, "target")
    assert rejected.value.field == "target"


@pytest.mark.parametrize("text", ["1e151", "1e400", "1e999999999", "1e-999999999", "9" * 41])
def test_score_that_is_out_of_range(text: str) -> None:
    with pytest.raises(InvalidGame, match=r"^target: .* is out of range; accepted: at most 40 characters"):
        read_score(text, "target")
