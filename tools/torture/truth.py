"""Truth: values that the service gives, beside the obvious recurrence over sets on exact fractions. And fair rolls.

Every position of some games is asked for: all sets of free slots with all rolls. Value, loss and best slot must be
those of the exact numbers, to the last bit of a float.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tentimes18.dice import Dice
from tentimes18.game import Game
from tests.oracle.play import move_values
from tools.torture.clients import GAMES, answers_to, request
from tools.torture.fairness import ChiSquare, chi_square, chi_square_of
from tools.torture.report import Row
from tools.torture.setup import Setup
from tools.torture.stored import FILE

BOARDS = (("3d6", "1-10"), ("3d6", "1-12"), ("1d20", "1-10"), ("2d12:12=2", "1,3,5,7,9,11,13,15,17"))
DICE = ("3d6", "1d20", "2d12:12=2", "1d1000")
LEAST_P = 1e-6  # below it a test fails, by chance once in a million runs
ROLLS = "SELECT rolls FROM deals JOIN games ON games.deal = deals.number WHERE games.id IN ({})"


class Question(NamedTuple):
    """A position of a game that is asked for."""

    dice: str
    slots: str
    free: tuple[int, ...]
    roll: int

    @property
    def request(self) -> bytes:
        """To the lab."""
        return request(
            "GET", f"/api/v1/lab/advise?{urlencode(self._asdict() | {'free': ','.join(map(str, self.free))})}"
        )


def positions(dice: str, slots: str) -> Iterator[Question]:
    """All of a game: 2^n - 1 sets of free slots, and every roll."""
    game = Game.parse(dice, slots)
    for size in range(1, game.size + 1):
        for free in combinations(range(1, game.size + 1), size):
            for roll in game.dice.support:
                yield Question(dice, slots, free, roll)


def complaint(question: Question, answer: Mapping[str, Any]) -> str:
    """What is wrong with advice: empty if every number is the exact one."""
    game = Game.parse(question.dice, question.slots)
    weights = zip(game.dice.support, game.dice.counts, strict=True)
    chances = {roll: Fraction(count, game.dice.total) for roll, count in weights}
    values = move_values(chances, game.multipliers, frozenset(question.free), question.roll)
    most = max(values.values())
    best = min(slot for slot, value in values.items() if value == most)
    right = {slot: (float(value), float(most - value)) for slot, value in values.items()}
    told = {move["slot"]: (float(move["value"]), float(move["loss"])) for move in answer["moves"]}
    if (answer["roll"], answer["best"], told) == (question.roll, best, right):
        return ""
    return f"{question}: best {answer['best']} and {told}, where {best} and {right} is right"


def truth(setup: Setup) -> Iterator[Row]:
    """Ask for all positions of the games, or for some of the first."""
    boards = BOARDS[: setup.pick(len(BOARDS), 1)]
    questions = [question for board in boards for question in positions(*board)]
    setup.chance.shuffle(questions)
    questions = questions[: setup.pick(len(questions), 200)]
    wrong, values = list[str](), 0
    for number, answer in answers_to(setup.server.port, (question.request for question in questions)):
        text = f"{answer.status} for {questions[number]}: {answer.body[:100]!r}"
        if answer.status == 200:
            values += len(answer.json["moves"])
            text = complaint(questions[number], answer.json)
        wrong += [text] if text else []
    equal = len(questions) - len(wrong)
    figures = f"{equal:,} equal, with {values:,} values and losses of moves, on exact fractions"
    games = ", ".join(f"{dice} on {slots}" for dice, slots in boards)
    yield Row.of("truth", f"advice in {len(questions):,} positions of {games}", figures, wrong)


def fairness(setup: Setup) -> Iterator[Row]:
    """Rolls drawn by millions, and those of games that were begun, follow the distribution of the dice."""
    for text in DICE[: setup.pick(len(DICE), 1)]:
        number = setup.pick(10_000_000, 50_000)
        yield _fair(f"{number:,} rolls of {text} as the service draws them", chi_square(Dice.parse(text), number))
    number, dice = setup.pick(20_000, 100), Dice.parse(DICE[0])
    answers = answers_to(setup.server.port, [request("POST", GAMES, {})] * number)
    ids = [answer.json["id"] for _, answer in answers if answer.status == 201]
    seen: Counter[int] = Counter()
    with closing(sqlite3.connect(setup.server.data / FILE)) as database:
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            for (rolls,) in database.execute(ROLLS.format(",".join("?" * len(part))), part):
                seen.update(map(int, rolls.split(",")))
    wrong = [] if len(ids) == number and set(seen) <= set(dice.support) else [f"{len(ids):,} games of {number:,}"]
    found = chi_square_of([seen[roll] for roll in dice.support], dice.counts)
    yield _fair(f"{seen.total():,} rolls of {len(ids):,} games that were begun", found, wrong)


def _fair(test: str, found: ChiSquare, wrong: list[str] | None = None) -> Row:
    figures = f"chi-square {found.statistic:.1f} with {found.degrees:,} degrees of freedom, p-value {found.p_value:.3g}"
    return Row.of("fairness", test, figures, (wrong or []) + ["it is too small"] * (found.p_value < LEAST_P))
