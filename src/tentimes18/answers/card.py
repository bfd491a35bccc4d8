"""The whole best play of a game by number of free slots: what stands on the strategy card."""

from typing import TypedDict

from tentimes18.game import Game
from tentimes18.pictures.strategy_card import make_card
from tentimes18.queries.json_numbers import Plain, plain

__all__ = ["BandAnswer", "CardAnswer", "CardExpected", "RowAnswer", "card"]


class CardExpected(TypedDict):
    """Expected scores by strategy."""

    random: float
    optimal: float


class BandAnswer(TypedDict):
    """Rolls that go to the free slot of this rank; ``tied``: the highest is as good in the next one."""

    rank: int
    rolls: list[int]
    tied: bool


class RowAnswer(TypedDict):
    """The bands for one number of free slots."""

    free: int
    bands: list[BandAnswer]


class CardAnswer(TypedDict):
    """A row for every number of free slots, from all down to two."""

    dice: str
    slots: list[Plain]
    expected: CardExpected
    rows: list[RowAnswer]


def card(game: Game) -> CardAnswer:
    """What the card of a game says.

    >>> card(Game.parse("1d4", "1,2"))["rows"][0]["bands"][0]
    {'rank': 1, 'rolls': [1, 2], 'tied': False}
    """
    content = make_card(game)
    return {
        "dice": str(game.dice),
        "slots": [plain(multiplier) for multiplier in game.multipliers],
        "expected": {"random": float(content.random), "optimal": float(content.optimal)},
        "rows": [
            {
                "free": row.free,
                "bands": [{"rank": band.rank, "rolls": list(band.rolls), "tied": band.tied} for band in row.bands],
            }
            for row in content.rows
        ],
    }
