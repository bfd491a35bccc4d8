"""What the routes of a player's own data take and answer, and those of the rating."""

from typing import Annotated

from pydantic import BaseModel, Field

from tentimes18.web.models.games import StrictModel

__all__ = [
    "BadLineModel",
    "ImportModel",
    "LinkModel",
    "LinkRequest",
    "NameRequest",
    "OwnSkillModel",
    "PlayerModel",
    "RatedPlayerModel",
    "SkillModel",
]


class NameRequest(StrictModel):
    """What the player wants to be called; null for nothing any more."""

    name: Annotated[str | None, Field(max_length=200, examples=["Ada"])]


class LinkRequest(StrictModel):
    """The code of a link."""

    code: Annotated[str, Field(max_length=200)]


class LinkModel(BaseModel):
    """A code that makes another device this player, once, and until when."""

    code: str
    expires: str


class OwnSkillModel(BaseModel):
    """What a choice cost over the last games that count, and its standard error."""

    rank: int
    games: int
    cost: float
    error: float


class PlayerModel(BaseModel):
    """The player who asks; ``shown`` is what others see in place of a name that was not given."""

    name: str | None
    shown: str
    created: Annotated[str | None, Field(description="Null before anything of the player is kept.")]
    games: int
    finished: int
    streak: int
    skill: Annotated[OwnSkillModel | None, Field(description="From ten finished games that count on.")]


class RatedPlayerModel(OwnSkillModel):
    """A player by skill; equal costs share a rank."""

    name: str


class SkillModel(BaseModel):
    """The players who lose least by a choice, and the one who asks."""

    players: list[RatedPlayerModel]
    own: RatedPlayerModel | None


class BadLineModel(BaseModel):
    """A line that is no game."""

    line: int
    reason: str


class ImportModel(BaseModel):
    """How many records were kept, how many were there already, and the first lines that are none."""

    imported: int
    known: int
    bad: Annotated[int, Field(description="How many lines are no game, or found no room.")]
    bad_lines: list[BadLineModel]
