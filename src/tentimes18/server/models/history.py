"""What the lists of a player's own games take and answer."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tentimes18.server.identity import ID_PATTERN
from tentimes18.server.models.games import Number

__all__ = [
    "ExportQuery",
    "HistoryModel",
    "HistoryQuery",
    "ListedGameModel",
    "ScoreBinModel",
    "ScoresModel",
    "ScoresQuery",
]

MOST_LISTED: Final = 200
MOST_EXPORTED: Final = 100_000

_STRICT: Final = ConfigDict(extra="forbid", frozen=True)


class HistoryQuery(BaseModel):
    """Which games, and how many of them."""

    model_config = _STRICT

    kind: Literal["solo", "daily", "duel"] | None = None
    finished: bool | None = None
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 50
    before: Annotated[
        Annotated[str, Field(pattern=ID_PATTERN)] | None, Field(description="What `next` of the page before says.")
    ] = None


class ListedGameModel(BaseModel):
    """A game in a list; of a duel also who it was against, how it ended, and whose turn it is."""

    id: str
    kind: Literal["solo", "daily", "duel"]
    dice: str
    slots: list[Number]
    coach: Literal["off", "warn", "full"]
    day: Annotated[str | None, Field(description="Of a daily game, and of one from the archive.")]
    created: str
    finished: str | None
    placed: Annotated[int, Field(description="How many rolls the player has placed.")]
    score: Annotated[Number | None, Field(description="Of a finished game.")]
    loss: Annotated[float | None, Field(description="What the moves cost, once it is measured; never of a duel.")]
    choices: Annotated[int | None, Field(description="How many moves were a choice, with the loss.")]
    against: Annotated[str | None, Field(description="The opponent of a duel; null until the friend has come.")]
    bot: Annotated[bool | None, Field(description="Of a duel: whether it is against a bot.")]
    opponent_score: Annotated[Number | None, Field(description="Of a finished duel.")]
    invite: Annotated[str | None, Field(description="The code of a duel with a friend.")]
    result: Literal["win", "draw", "loss"] | None
    ended_by: Literal["moves", "time", "leave"] | None
    turn: Annotated[
        Literal["you", "them"] | None, Field(description="Whose move a game waits for that is not finished.")
    ]


class HistoryModel(BaseModel):
    """Games, the latest begun first, and where the next page begins."""

    games: list[ListedGameModel]
    next: str | None


class ExportQuery(BaseModel):
    """Which records: of games played here, or brought along; and only the latest so many of each."""

    model_config = _STRICT

    source: Literal["all", "played", "imported"] = "all"
    limit: Annotated[int, Field(ge=1, le=MOST_EXPORTED)] | None = None


class ScoresQuery(BaseModel):
    """Which games, and how wide a bin is, in points."""

    model_config = _STRICT

    kind: Annotated[
        Literal["rated", "daily"], Field(description="All games that count (classic, without a coach), or daily ones.")
    ] = "rated"
    width: Annotated[int, Field(ge=5, le=100)] = 20


class ScoreBinModel(BaseModel):
    """Scores from one, up to but without the other: in how many games, and the exact chance of the perfect player."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    first: Annotated[int, Field(alias="from")]
    end: Annotated[int, Field(alias="to")]
    count: int
    law: float


class ScoresModel(BaseModel):
    """The own scores of the classic game, beside the law of the perfect player's score."""

    games: int
    mean: float | None
    law_mean: float
    width: int
    bins: list[ScoreBinModel]
