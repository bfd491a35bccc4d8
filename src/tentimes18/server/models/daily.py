"""What the routes of the daily game take and answer."""

from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from tentimes18.queries.json_numbers import plain
from tentimes18.server.models.games import Digest, Number, StrictModel

__all__ = [
    "ArchiveModel",
    "ArchiveQuery",
    "ArchiveRequest",
    "ArchivedDayModel",
    "ArchivedGameModel",
    "CommitmentsModel",
    "CommittedDayModel",
    "DailyModel",
    "DayModel",
    "DayScoreModel",
    "Histogram",
    "OwnDayModel",
    "OwnDayScoreModel",
    "OwnDaysModel",
    "plain_score",
]

Histogram: TypeAlias = list[tuple[Number, int]]
"""Scores, increasing, and how many games made each."""


def plain_score(score: float) -> Number:
    """A score as the store has it, written as one writes it.

    >>> plain_score(640.0), plain_score(0.5)
    (640, 0.5)
    """
    return plain(Fraction(score))


class ArchiveRequest(StrictModel):
    """A game of a day that has passed, for practice."""

    coach: Literal["off", "warn", "full"] = "off"


class DailyModel(BaseModel):
    """Today's game: its day in UTC, its number, when the next one begins, who plays, and the own one, once begun."""

    day: str
    number: int
    next: str
    players: Annotated[int, Field(description="How many have begun it.")]
    game: Annotated[str | None, Field(description="The id of the own game.")]


class DayScoreModel(BaseModel):
    """A finished game of a day; equal scores share a rank, and ``loss`` is what the moves cost, in points."""

    rank: int
    name: str
    score: Number
    loss: float


class OwnDayScoreModel(BaseModel):
    """The own game of a day: its place among the others, even if it was practice."""

    game: str
    kind: Literal["daily", "solo"]
    rank: int
    score: Number
    loss: float


class DayModel(BaseModel):
    """A day as one sees it who has played it to the end.

    ``optimal`` is the score of the optimal strategy on these rolls, ``best`` the best possible one. The best thousand
    scores are listed, and the own one; the histogram has all.
    """

    day: str
    number: int
    optimal: Number
    best: Number
    players: Annotated[int, Field(description="How many have finished it.")]
    scores: list[DayScoreModel]
    histogram: Histogram
    own: OwnDayScoreModel
    share: Annotated[str | None, Field(description="To tell others, without a word about the rolls.")]


class ArchiveQuery(BaseModel):
    """How many days, and before which one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: Annotated[int, Field(ge=1, le=100)] = 30
    before: Annotated[str, Field(max_length=100, examples=["2026-11-16"], json_schema_extra={"format": "date"})] | (
        None
    ) = None


class ArchivedGameModel(BaseModel):
    """The own game of a day that has passed: the daily one, or else the latest that was practice."""

    game: str
    kind: Literal["daily", "solo"]
    score: Number
    loss: float


class ArchivedDayModel(BaseModel):
    """A day that has passed; what its rolls were worth is told to one who has played them to the end."""

    day: str
    number: int
    own: ArchivedGameModel | None
    open: Annotated[str | None, Field(description="The id of an own game of the day that is not finished.")]
    optimal: Annotated[Number | None, Field(description="The score of the optimal strategy.")]
    best: Annotated[Number | None, Field(description="The best possible score.")]


class ArchiveModel(BaseModel):
    """Days that have passed, the latest first, and before which day the next ones are."""

    days: list[ArchivedDayModel]
    next: str | None


class OwnDayModel(BaseModel):
    """A day that the player has finished."""

    day: str
    number: int
    score: Number
    loss: float
    game: str


class OwnDaysModel(BaseModel):
    """The player's daily games: how many days in a row, now and at most, and every day."""

    streak: int
    best_streak: int
    days: list[OwnDayModel]
    histogram: Histogram
    law: Annotated[str, Field(description="Where the exact law of the perfect player's score is.")]


class CommittedDayModel(BaseModel):
    """What was published of a day, and when; ``ahead``: before it began."""

    day: str
    number: int
    committed: str
    ahead: bool
    commitments: list[Digest]


class CommitmentsModel(BaseModel):
    """The days whose rolls are committed to, the latest first."""

    days: list[CommittedDayModel]
