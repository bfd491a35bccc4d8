"""The text that is shared: how good the moves were, and nothing of the rolls."""

import re
from random import Random

from tentimes18.coach.losses import board_losses
from tentimes18.coach.review import review
from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import Record
from tentimes18.server.daily.share import BEST, MARKS, MORE, UNDER_A_POINT, share_text
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game


def test_a_mark_a_round_by_the_cost_of_the_move() -> None:
    random = Random(18)
    board = Board(
        Game.classic(), tuple(map(Placement, draw_deal(Game.classic()).rolls, random.sample(range(1, 11), 10)))
    )
    reviewed = review(Record(board))
    score = float(board.score)
    title, figures, bill, marks, streak = share_text("2026-01-03", score, board_losses(board), 2).splitlines()
    assert (title, streak) == ("Ten times eighteen · Daily 3", "streak 2")
    assert [BEST if not move.loss else UNDER_A_POINT if move.loss < 1 else MORE for move in reviewed.moves] == list(
        marks
    )
    assert figures == f"{score:g} (par {float(reviewed.start):.1f})"
    luck, mistakes = re.fullmatch("luck (.*), mistakes (.*)", bill.replace("−", "-")).groups()  # type: ignore[union-attr]
    assert (luck, mistakes) == (f"{float(reviewed.luck):+.1f}", f"{-float(reviewed.loss):+.1f}")
    assert len(share_text("2026-01-03", score, board_losses(board), 1).splitlines()) == 4
    assert len(set(MARKS)) == 3


def test_no_roll_and_no_slot_is_told() -> None:
    """With the same costs and scores two games read the same."""
    game = Game.classic()
    texts = {share_text("2026-01-03", 600.0, board_losses(best_board(game)), 1) for _ in range(2)}
    assert len(texts) == 1
    (text,) = texts
    assert re.findall("[0-9.]+", text) == ["3", "600", "642.2", "42.2", "0.0"]


def best_board(game: Game) -> Board:
    return play_game(game, named("optimal"), list(draw_deal(game).rolls))
