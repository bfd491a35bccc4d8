"""What is sent and what is answered, as requests are checked by it and as the reference shows it."""

from typing import Annotated, Any, Final, Literal

from fastapi import Body, Depends
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from tentimes18.server.game_limits import MOST_CHARACTERS, MOST_SLOTS

__all__ = [
    "TAKES_NOTHING",
    "Digest",
    "EmptyRequest",
    "GameModel",
    "MoveRequest",
    "NewGameRequest",
    "Number",
    "OpenedRoundModel",
    "OpponentModel",
    "ProblemDocument",
    "StrictModel",
]

STRICT: Final = ConfigDict(extra="forbid", strict=True, frozen=True)
MAX_ROUND: Final = 2**31 - 1

Number = int | float
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class StrictModel(BaseModel):
    """What is sent: an unknown field or a wrong type is refused."""

    model_config = STRICT


class EmptyRequest(StrictModel):
    """Nothing: where a request says all by its address."""


async def _take_nothing(sent: Annotated[EmptyRequest | None, Body()] = None) -> EmptyRequest | None:
    return sent


TAKES_NOTHING: Final = Depends(_take_nothing)
"""Of a route without a body: it may be empty or an empty object, and a field in it is refused."""


class _Accepting:
    """Of a type that is one of several: what is accepted, told in one line for all of them."""

    def __init__(self, accepted: str) -> None:
        self.accepted = accepted

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        message = f"not accepted; accepted: {self.accepted}"
        return core_schema.custom_error_schema(handler(source), "not_accepted", custom_error_message=message)


class NewGameRequest(StrictModel):
    """A game to begin: the classic one without a coach, but for what is named."""

    dice: Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["3d6"])] = "3d6"
    slots: Annotated[
        Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["1-10"])]
        | Annotated[list[Number], Field(max_length=MOST_SLOTS)],
        _Accepting(
            f"text of at most {MOST_CHARACTERS} characters like '1-10', or a list of at most {MOST_SLOTS} numbers "
            "like [1, 2, 5]"
        ),
    ] = "1-10"
    coach: Literal["off", "warn", "full"] = "off"


class MoveRequest(StrictModel):
    """The roll of this round goes into this slot."""

    round: Annotated[int, Field(ge=1, le=MAX_ROUND, examples=[1])]
    slot: Annotated[int, Field(ge=1, le=MAX_ROUND, examples=[5])]


class OpenedRoundModel(BaseModel):
    """A roll that was shown, and the nonce that proves it."""

    round: int
    roll: int
    nonce: Digest


class OpponentModel(BaseModel):
    """The other side of a duel, as far as it is open; ``placed``: whether the roll that waits is placed there."""

    name: str
    board: dict[str, int]
    score: Number
    placed: bool


class GameModel(BaseModel):
    """A game as its player sees it.

    ``round`` is the one to play, one more than there are when the game is finished; ``roll`` the waiting one.
    ``commitments`` holds the SHA-256 of NONCE:ROUND:ROLL for each round, ``opened`` what proves those that were shown.
    """

    id: str
    kind: Literal["solo", "daily", "duel"]
    dice: str
    slots: list[Number]
    coach: Literal["off", "warn", "full"]
    round: int
    roll: int | None
    board: dict[str, int]
    score: Number
    finished: bool
    commitments: list[Digest]
    opened: list[OpenedRoundModel]
    opponent: OpponentModel | None
    day: Annotated[str, Field(description="Of a daily game, and of one from the archive.")] | None = None
    invite: Annotated[str, Field(description="The code of a duel with a friend.")] | None = None
    ended_by: Annotated[Literal["moves", "time", "leave"], Field(description="How a duel ended.")] | None = None
    result: Annotated[Literal["win", "draw", "loss"], Field(description="Of a duel that ended.")] | None = None
    chances: (
        Annotated[
            list[float],
            Field(
                description="The chance to win a duel, draws at one half, after each round that both have placed, "
                "if both play best from there on; null until the table is made."
            ),
        ]
        | None
    ) = None


class ProblemDocument(BaseModel):
    """What went wrong (RFC 9457), and what to do."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None


def game_answer(status: int = 200, description: str = "The game") -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of an answer that is a game."""
    return {status: {"model": GameModel, "description": description}}
