"""Values that the service gives, beside the obvious recurrence over sets on exact fractions (`tests/oracle`).

Every position of some games is asked for: all sets of free slots with all rolls. Value, loss and best slot must be
those of the exact numbers, to the last bit of a float.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from tentimes18.game import Game
from tests.oracle.play import move_values
from tools.torture.many import answers_to
from tools.torture.wire import request
from tools.torture.yard import Row, Yard

__all__ = ["Question", "complaint", "positions", "run"]

GAMES: Final = (("3d6", "1-10"), ("3d6", "1-12"), ("1d20", "1-10"), ("2d12:12=2", "1,3,5,7,9,11,13,15,17"))


class Question(NamedTuple):
    """A position of a game that is asked for."""

    dice: str
    slots: str
    free: tuple[int, ...]
    roll: int

    @property
    def request(self) -> bytes:
        """To the lab."""
        given = {"dice": self.dice, "slots": self.slots, "free": ",".join(map(str, self.free)), "roll": self.roll}
        return request("GET", f"/api/v1/lab/advise?{urlencode(given)}")


def positions(dice: str, slots: str) -> Iterator[Question]:
    """All of a game: 2^n - 1 sets of free slots, and every roll.

    >>> len(list(positions("1d6", "1-3")))
    42
    """
    game = Game.parse(dice, slots)
    for size in range(1, game.size + 1):
        for free in combinations(range(1, game.size + 1), size):
            for roll in game.dice.support:
                yield Question(dice, slots, free, roll)


def complaint(question: Question, answer: Mapping[str, Any]) -> str:
    """What is wrong with advice: empty where every number is the exact one.

    >>> question = Question("1d6", "1-3", (1, 3), 6)
    >>> moves = [{"slot": 3, "value": 21.5, "loss": 0.0}, {"slot": 1, "value": 16.5, "loss": 5.0}]
    >>> right = {"roll": 6, "best": 3, "moves": moves}
    >>> complaint(question, right), bool(complaint(question, right | {"best": 1}))
    ('', True)
    """
    game = Game.parse(question.dice, question.slots)
    law = {
        roll: Fraction(count, game.dice.total) for roll, count in zip(game.dice.support, game.dice.counts, strict=True)
    }
    values = move_values(law, game.multipliers, frozenset(question.free), question.roll)
    most = max(values.values())
    best = min(slot for slot, value in values.items() if value == most)
    right = {slot: (float(value), float(most - value)) for slot, value in values.items()}
    told = {move["slot"]: (float(move["value"]), float(move["loss"])) for move in answer["moves"]}
    if (answer["roll"], answer["best"], told) == (question.roll, best, right):
        return ""
    return f"{question}: best {answer['best']} and {told}, where {best} and {right} is right"


def run(yard: Yard) -> Iterator[Row]:
    """Ask for all positions of the games, or for some of the first."""
    questions = [question for game in GAMES[: yard.pick(len(GAMES), 1)] for question in positions(*game)]
    yard.chance.shuffle(questions)
    questions = questions[: yard.pick(len(questions), 200)]
    wrong, values, equal = list[str](), 0, 0
    server = yard.server
    asked = (question.request for question in questions)
    for done, (number, answer) in enumerate(answers_to(server.port, asked), 1):
        if answer.status != 200:
            text = f"{answer.status} for {questions[number]}: {answer.body[:100]!r}"
        else:
            told = answer.json
            values += len(told["moves"])
            text = complaint(questions[number], told)
        equal += not text
        wrong += [text] if text else []
        if done % 20_000 == 0:
            yard.tell(f"truth: {done:,} of {len(questions):,}")
    figures = f"{equal:,} equal, with {values:,} values and losses of moves, on exact fractions"
    games = ", ".join(f"{dice} on {slots}" for dice, slots in GAMES[: yard.pick(len(GAMES), 1)])
    yield Row("truth", f"advice in {len(questions):,} positions of {games}", figures, Row.told(wrong))
