"""The quick costs are those of the review, on random games of any dice and slots."""

from random import Random

import pytest

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.costs import costs_of
from tentimes18.coach.review import review
from tentimes18.coach.summary import measure
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record


def played(game: Game, random: Random, rounds: int) -> Record:
    board = Board(game)
    for _ in range(rounds):
        board = board.place(random.choice(game.dice.support), random.choice(board.free_slots))
    return Record(board)


@pytest.mark.parametrize(
    "game",
    [
        Game.classic(),
        Game.parse("1d3", "1-4"),  # where rolls equal thresholds
        Game.parse("2d6-3", "1,1,2,2,7/2"),  # where multipliers are equal
        Game.parse("1d6", "-3,-1/2,0,2"),
        Game.parse("1d6", "2"),
    ],
    ids=str,
)
def test_costs_are_those_of_the_review(game: Game) -> None:
    random = Random(18)
    for count in range(30):
        record = played(game, random, game.size if count % 3 else random.randrange(game.size + 1))
        reviewed = review(record)
        costs = costs_of(record.board)
        assert [(cost.loss, cost.is_choice) for cost in costs] == [
            (move.loss, move.is_choice) for move in reviewed.moves
        ]
        assert [cost.move_class for cost in costs] == [move.move_class for move in reviewed.moves]


def test_costs_are_those_of_the_kernel() -> None:
    random = Random(2)
    records = [played(Game.classic(), random, 10) for _ in range(50)]
    table = measure(records)
    for place, record in enumerate(records):
        costs = costs_of(record.board)
        assert [float(cost.loss) for cost in costs] == pytest.approx(table.losses[place].tolist(), abs=1e-12)
        assert [cost.is_choice for cost in costs] == table.is_choice[place].tolist()
        assert [cost.move_class for cost in costs] == [CLASSES[number] for number in table.classes[place]]
