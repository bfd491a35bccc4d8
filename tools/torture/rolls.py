"""Fairness: the rolls that the service draws follow the law of the dice, by a chi-square test.

Drawn are as many as one likes by the function that deals games; and games are begun by requests, whose rolls are read
from the database. A p-value below one in a million fails: that happens by chance in one of a million runs.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from tentimes18.dice import Dice
from tools.torture.fairness import ChiSquare, chi_square, chi_square_of
from tools.torture.history import FILE
from tools.torture.many import answers_to
from tools.torture.wire import request
from tools.torture.yard import Row, Yard

__all__ = ["run"]

LEAST: Final = 1e-6
DICE: Final = ("3d6", "1d20", "2d12:12=2", "1d1000")
ROLLS: Final = "SELECT rolls FROM deals JOIN games ON games.deal = deals.number WHERE games.id IN ({})"


def run(yard: Yard) -> Iterator[Row]:
    """Rolls drawn by millions, and those of games that were begun."""
    for text in DICE[: yard.pick(len(DICE), 1)]:
        count = yard.pick(10_000_000, 50_000)
        yield _row(f"{count:,} rolls of {text} as the service draws them", chi_square(Dice.parse(text), count))
    games = yard.pick(20_000, 100)
    asked = [request("POST", "/api/v1/games", {})] * games
    ids = [answer.json["id"] for _, answer in answers_to(yard.server.port, asked) if answer.status == 201]
    seen: Counter[int] = Counter()
    with closing(sqlite3.connect(yard.server.data / FILE)) as database:
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            for (rolls,) in database.execute(ROLLS.format(",".join("?" * len(part))), part):
                seen.update(map(int, rolls.split(",")))
    dice = Dice.parse(DICE[0])
    found = chi_square_of([seen[roll] for roll in dice.support], dice.counts)
    row = _row(f"{seen.total():,} rolls of {len(ids):,} games that were begun", found)
    wrong = () if len(ids) == games and set(seen) <= set(dice.support) else (f"{len(ids):,} games of {games:,}",)
    yield Row(row.kind, row.test, row.figures, row.wrong + wrong)


def _row(test: str, found: ChiSquare) -> Row:
    figures = f"chi-square {found.statistic:.1f} with {found.degrees:,} degrees of freedom, p-value {found.p_value:.3g}"
    return Row("fairness", test, figures, () if found.p_value >= LEAST else (f"a p-value below {LEAST:g}",))
