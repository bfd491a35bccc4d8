"""What could be made of rolls: the review's two scores."""

from tentimes18.coach.review import review
from tentimes18.game import Board, Game, Placement
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import Record
from tentimes18.server.daily.reached import scores_on


def test_the_same_as_the_review_says() -> None:
    rolls = draw_deal(Game.classic()).rolls
    board = Board(Game.classic(), tuple(map(Placement, rolls, range(1, 11))))
    reviewed = review(Record(board))
    assert scores_on(tuple(rolls)) == (reviewed.optimal_score, reviewed.best_score)
