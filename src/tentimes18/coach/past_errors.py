"""Where a player erred before: the moves of the history that lost a point or more, as questions to drill."""

from collections.abc import Iterable, Iterator

from tentimes18.coach.classes import ERROR
from tentimes18.coach.drill import Question
from tentimes18.coach.played_for import played_for
from tentimes18.coach.schedule import Key, Source
from tentimes18.coach.summary import measure
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record

__all__ = ["past_errors"]


def past_errors(game: Game, records: Iterable[Record]) -> Iterator[Question]:
    """Where the player lost a point or more in this game, playing for the mean; the latest first, none twice.

    >>> from tentimes18.records.notation import parse_record
    >>> [question.record.roll for question in past_errors(Game.classic(), [parse_record("18@1 3@10")])]
    [18, 3]
    """
    played = [record for record in records if record.board.game == game and played_for(record) == "mean"]
    if not played:
        return
    table = measure(played)
    found: set[Key] = set()
    for g, record in reversed(list(enumerate(played))):
        for r, (roll, _) in enumerate(record.board.placements):
            if table.classes[g, r] >= ERROR:
                question = Question(Record(Board(game, record.board.placements[:r]), roll), Source.history)
                if question.key not in found:
                    found.add(question.key)
                    yield question
