"""What is sent and what is answered, as requests are checked by it and as the reference shows it.

What the routes of the daily game take and answer.

What the lists of a player's own games take and answer.

What the routes of a player's own data take and answer, and those of the rating.

The answers as the reference describes them: their TypedDicts, rebuilt so that pydantic takes them.

Below Python 3.12 pydantic reads the TypedDict of `typing_extensions` alone, as that of `typing` does not tell which
keys may be missing. The answers keep to `typing`, which a short command has loaded anyway.
"""

import types
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints, is_typeddict

import typing_extensions
from fastapi import Body, Depends
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from tentimes18.queries.json_numbers import plain
from tentimes18.server.game_limits import MOST_CHARACTERS, MOST_SLOTS
from tentimes18.server.identity import ID_PATTERN

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)
MAX_ROUND = 2**31 - 1

Number = int | float
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class StrictModel(BaseModel):
    """What is sent: an unknown field or a wrong type is refused."""

    model_config = STRICT


class EmptyRequest(StrictModel):
    """Nothing: where a request says all by its address."""


async def _take_nothing(sent: Annotated[EmptyRequest | None, Body()] = None) -> EmptyRequest | None:
    return sent


TAKES_NOTHING = Depends(_take_nothing)
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


MOST_LISTED = 200
MOST_EXPORTED = 100_000

_STRICT = ConfigDict(extra="forbid", frozen=True)


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


MOST_COURSE = 2000


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


def answer_model(hint: Any) -> Any:
    """The same type with every TypedDict in it rebuilt: for an answer, or whatever it is made of.

    >>> from tentimes18.answers.solution import Expected
    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(answer_model(list[Expected])).json_schema()["$defs"]["Expected"]["required"]
    ['random', 'optimal', 'hindsight']
    """
    if is_typeddict(hint):
        return _rebuilt(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return Union[tuple(answer_model(argument) for argument in arguments)]  # noqa: UP007 (made of a tuple)
    if origin is Annotated:
        return Annotated[(answer_model(arguments[0]), *arguments[1:])]
    if origin in (list, dict, tuple):
        return origin[tuple(argument if argument is ... else answer_model(argument) for argument in arguments)]
    return hint  # a Literal, or what holds no answers


def documented_answers(*answers: Any) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of answers with an ETag: one of these, or that whoever asks has it."""
    model: Any = Union[tuple(map(answer_model, answers))]  # noqa: UP007
    return {200: {"model": model, "description": "The answer"}, 304: {"description": "The same as you have"}}


@cache
def _rebuilt(answer: Any) -> Any:
    hints = get_type_hints(answer, include_extras=False)  # without NotRequired: the keys tell
    fields = {name: answer_model(hint) for name, hint in hints.items()}
    optional = {name: typing_extensions.NotRequired[fields[name]] for name in answer.__optional_keys__}
    model = typing_extensions.TypedDict(answer.__name__, fields | optional)  # type: ignore[misc]
    model.__doc__ = answer.__doc__
    return model
