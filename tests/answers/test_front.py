"""What safety costs: the points of the front, by increasing standard deviation."""

from dataclasses import asdict

from tentimes18.answers.front import FrontAnswer, front
from tentimes18.game import Game
from tentimes18.strategies.front import front_of
from tests.support.answers import assert_answer


def test_front() -> None:
    game = Game.parse("1d6", "1-3")
    told: list[tuple[int, int]] = []
    answer = front(game, lambda *at: told.append(at))
    assert_answer(answer, FrontAnswer)
    assert answer["front"] == [asdict(point) for point in front_of(game)]
    shares = [done / total for done, total in told]
    assert shares == sorted(shares)
    assert told[-1] == (len(answer["front"]),) * 2
