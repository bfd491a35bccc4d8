"""The text that is shared: the classes of the moves, and nothing of the rolls."""

import re
from random import Random

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.costs import costs_of
from tentimes18.coach.review import review
from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import Record
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game
from tentimes18.web.daily.share import SQUARES, share_text


def test_a_square_a_round_by_the_class_of_the_move() -> None:
    random = Random(18)
    board = Board(
        Game.classic(), tuple(map(Placement, draw_deal(Game.classic()).rolls, random.sample(range(1, 11), 10)))
    )
    reviewed = review(Record(board))
    title, figures, squares, streak = share_text("2026-01-03", 612.0, costs_of(board), 2).splitlines()
    assert (title, streak) == ("Ten times eighteen, day 3", "streak 2")
    assert [SQUARES[move.move_class.name] for move in reviewed.moves] == list(squares)
    assert figures == f"612 points, cost {float(reviewed.loss):.1f}"
    assert len(share_text("2026-01-03", 612.0, costs_of(board), 1).splitlines()) == 3


def test_every_class_has_a_square_of_its_own() -> None:
    assert len(set(SQUARES.values())) == len(CLASSES)


def test_no_roll_and_no_slot_is_told() -> None:
    """With the same classes, losses and scores two games read the same."""
    game = Game.classic()
    texts = {share_text("2026-01-03", 600.0, costs_of(best_board(game)), 1) for _ in range(2)}
    assert len(texts) == 1
    (text,) = texts
    assert re.findall("[0-9.]+", text) == ["3", "600", "0.0"]


def best_board(game: Game) -> Board:
    return play_game(game, named("optimal"), list(draw_deal(game).rolls))
