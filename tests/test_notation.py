"""Moves as text: a round trip, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Board, Game, InvalidGame, Placement
from tentimes18.notation import format_moves, parse_moves
from tests.conftest import games

placements = st.builds(Placement, st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 10**9 - 1))


@given(st.lists(placements, max_size=12))
def test_round_trip(moves: list[Placement]) -> None:
    text = format_moves(moves)
    assert parse_moves(text) == moves
    assert format_moves(parse_moves(text)) == text


@given(games(max_slots=6), st.data())
def test_played_games(game: Game, data: st.DataObject) -> None:
    """A board is what its moves say."""
    slots = data.draw(st.permutations(range(1, game.size + 1)))
    rolls = data.draw(st.lists(st.sampled_from(game.dice.support), max_size=game.size))
    board = Board.replay(game, zip(rolls, slots, strict=False))
    assert Board.replay(game, parse_moves(format_moves(board.placements))) == board


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("  \n\t ", []),
        ("8@5", [(8, 5)]),
        ("8@5 4@1 12@7", [(8, 5), (4, 1), (12, 7)]),
        ("8@5,4@1", [(8, 5), (4, 1)]),
        (" 8@5 ,\n4@1, ", [(8, 5), (4, 1)]),
        ("-3@2 +4@1 0@3", [(-3, 2), (4, 1), (0, 3)]),
        ("008@05", [(8, 5)]),
    ],
)
def test_accepted(text: str, moves: list[tuple[int, int]]) -> None:
    found = parse_moves(text)
    assert found == moves
    assert all(isinstance(move, Placement) for move in found)


@pytest.mark.parametrize(
    "text",
    [
        *[
            "nonsense",
            "8",
            "8@",
            "@5",
            "8@@5",
            "8 @5",
            "8@ 5",
            "8@5@1",
            "8@-5",
            "8@+5",
            "8.0@5",
            "8@5.0",
            "1e1@5",
            "8@5;4@1",
        ],
        *["8@5 x", "8:5", "½@5", "8@x", "--8@5", "8@1000000000", "1000000000000000@5", "8@" + "5" * 1000, "8_0@5"],
        *["٨@٥", "８@５"],
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(
        InvalidGame, match=r"^moves: cannot read '.{1,60}'; accepted: rolls and slots like 8@5"
    ) as refused:
        parse_moves(text)
    assert "\n" not in str(refused.value)
