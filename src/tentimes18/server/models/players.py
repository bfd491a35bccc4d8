"""What the routes of a player's own data take and answer, and those of the rating."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tentimes18.server.models.games import Number, StrictModel

__all__ = [
    "BadLineModel",
    "CourseGameModel",
    "CourseModel",
    "CourseQuery",
    "ImportModel",
    "LinkModel",
    "LinkRequest",
    "NameRequest",
    "OwnSkillModel",
    "PlayerModel",
    "RatedPlayerModel",
    "SkillModel",
]

MOST_COURSE: Final = 2000


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


class CourseQuery(BaseModel):
    """How far back."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: Annotated[int, Field(ge=1, le=MOST_COURSE, description="The latest so many games.")] = 500


class CourseGameModel(BaseModel):
    """A game that counts: what its moves cost, and the cost of a choice over the last ``games`` up to it."""

    game: str
    kind: Literal["solo", "daily"]
    finished: str
    score: Number
    loss: float
    choices: int
    games: Annotated[int, Field(description="How many games the rating is of, 30 at most.")]
    cost: float
    error: Annotated[float | None, Field(description="Standard error; null for a single game.")]


class CourseModel(BaseModel):
    """The course of the own rating, the oldest game first; ``own`` from ten games on, among so many players."""

    course: list[CourseGameModel]
    own: OwnSkillModel | None
    players: int


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
