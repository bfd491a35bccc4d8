"""The lab: any game within limits, solved, advised on, and its scores; the same JSON as the command's.

An answer depends on the question alone: no player is known here, and whoever stands between may keep it.
"""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from tentimes18.answers.advice import AdviceAnswer
from tentimes18.answers.distribution import (
    DistributionAnswer,
    DistributionsAnswer,
    MomentsAnswer,
    SeveralMomentsAnswer,
    SlotLawsAnswer,
)
from tentimes18.answers.drill import CloseCallsAnswer
from tentimes18.answers.review import OneReviewAnswer
from tentimes18.answers.rolls import RollLawsAnswer
from tentimes18.answers.solution import SolutionAnswer
from tentimes18.answers.targets import TargetAnswer
from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.records.notation import record_to_json
from tentimes18.server.calculator.kept_answers import answer_response
from tentimes18.server.game_limits import CLASSIC_DICE, CLASSIC_SLOTS, MOST_CHARACTERS, MOST_ROLL
from tentimes18.server.models.answers import answer_model, documented_answers
from tentimes18.server.problems import documented
from tentimes18.server.state import Shared, WebState
from tentimes18.server.uploads import read_record

__all__ = [
    "AdviseQuery",
    "DiceQuery",
    "DistributionQuery",
    "DrillQuery",
    "LabQuery",
    "SolveQuery",
    "TargetQuery",
    "router",
]

CACHING: Final = "public, max-age=86400"
MOST_DIGITS: Final = 1000
MOST_MOVES: Final = 400  # characters
MOST_SCORE: Final = 40
MOST_DICE: Final = 8  # side by side
MOST_QUESTIONS: Final = 50  # of a drill at once
MOST_SEED: Final = 2**53 - 1  # that a browser's numbers tell apart

LAWS: Final = (DistributionAnswer, DistributionsAnswer, MomentsAnswer, SeveralMomentsAnswer, SlotLawsAnswer)
RECORD: Final[dict[str, Any]] = {
    "text/plain": {"schema": {"type": "string", "examples": ["3d6 1-10: 8@5 4@1; name=Ada"]}},
    "application/x-ndjson": {"schema": {"type": "string"}},
    "application/json": {"schema": {"type": "object"}},
}

router = APIRouter(prefix="/lab", tags=["lab"])

Moves = Annotated[str, Field(max_length=MOST_MOVES, examples=["8@5 4@1"])]
FreeSlots = Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["1,4,7"])]
Scores = Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["650,700"])]
Score = Annotated[str, Field(max_length=MOST_SCORE, examples=["700"])]


class LabQuery(BaseModel):
    """A game to ask about: the classic one, but for what is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dice: Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["3d6"])] = CLASSIC_DICE
    slots: Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["1-10"])] = CLASSIC_SLOTS


class SolveQuery(LabQuery):
    """The game to solve, and how its numbers are written."""

    exact: Annotated[bool, Field(description="Every number as a fraction p/q.")] = False
    digits: Annotated[int, Field(ge=1, le=MOST_DIGITS, description="Significant digits.")] | None = None
    last_row: Annotated[bool, Field(description="Of the thresholds only E_n.")] = False
    method: Annotated[Literal["thresholds", "subsets"], Field(description="Value of the best play by this table.")] = (
        "thresholds"
    )


class AdviseQuery(LabQuery):
    """The roll to place, and where the game stands."""

    roll: Annotated[int, Field(ge=-MOST_ROLL, le=MOST_ROLL, examples=[9])]
    free: Annotated[FreeSlots, Field(description="Free slots by number.")] | None = None
    moves: Annotated[Moves, Field(description="Or the game so far.")] | None = None
    opponent: Annotated[Moves, Field(description="The opponent's moves, where the aim is a duel.")] | None = None
    aim: Annotated[
        str, Field(max_length=60, examples=["mean"], description="mean, target:700, duel, duel:optimal.")
    ] = "mean"
    target: Annotated[Score, Field(description="Show the chance of this score or more as well.")] | None = None


class DistributionQuery(LabQuery):
    """The strategy whose score has a law, and what is asked of it."""

    strategy: Annotated[
        str,
        Field(
            max_length=MOST_CHARACTERS,
            examples=["optimal"],
            description="optimal, random, hindsight, target:700, cvar:0.1, ...; several with commas.",
        ),
    ] = "optimal"
    moves: Annotated[Moves, Field(description="The game so far.")] = ""
    at_least: Annotated[Scores, Field(description="Chance of these scores or more.")] | None = None
    at_most: Annotated[Scores, Field(description="Chance of these scores or less.")] | None = None
    cumulative: Annotated[bool, Field(description="Also the chances of each score or less, and or more.")] = False
    moments: Annotated[bool, Field(description="Mean and variance alone.")] = False
    per_slot: Annotated[bool, Field(description="The law of the roll in each slot instead.")] = False
    exact: Annotated[bool, Field(description="Every number as a fraction p/q.")] = False
    summary: Annotated[bool, Field(description="Leave out the chances of the single scores.")] = False


class TargetQuery(LabQuery):
    """The score to reach or beat."""

    target: Annotated[Score, Field(description="The score to reach or beat.")]
    moves: Annotated[Moves, Field(description="The game so far.")] = ""


class DiceQuery(BaseModel):
    """Dice, one or several."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dice: Annotated[
        list[Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["3d6"])]],
        Field(min_length=1, max_length=MOST_DICE, description="Several where it is given several times."),
    ] = [CLASSIC_DICE]
    exact: Annotated[bool, Field(description="Every number as a fraction p/q.")] = False


class DrillQuery(LabQuery):
    """The game to drill, how many questions, and the seed that they are found by."""

    count: Annotated[int, Field(ge=1, le=MOST_QUESTIONS)] = 10
    seed: Annotated[int, Field(ge=0, le=MOST_SEED, description="The same seed gives the same questions.")] = 0


async def _answer(request: Request, shared: WebState, question: str, query: LabQuery | DiceQuery) -> Response:
    try:
        answer = await shared.lab.ask(question, query.model_dump(exclude_defaults=True))
    except IllegalMove as error:  # here a position is no more than what was asked
        raise InvalidGame(error.problem, error.field, error.given) from None
    return answer_response(request, answer, CACHING)


@router.get("/solve", responses=documented() | documented_answers(SolutionAnswer))
async def solve(request: Request, shared: Shared, query: Annotated[SolveQuery, Query()]) -> Response:
    """Expected scores, and the thresholds that play the game."""
    return await _answer(request, shared, "solve", query)


@router.get("/advise", responses=documented() | documented_answers(AdviceAnswer))
async def advise(request: Request, shared: Shared, query: Annotated[AdviseQuery, Query()]) -> Response:
    """Where to place a roll, what every other slot gives up, and why."""
    return await _answer(request, shared, "advise", query)


@router.get(
    "/distribution",
    responses=documented() | documented_answers(*LAWS),
)
async def distribution(request: Request, shared: Shared, query: Annotated[DistributionQuery, Query()]) -> Response:
    """The exact law of a strategy's final score, from the start or from a game in play."""
    return await _answer(request, shared, "distribution", query)


@router.get("/target", responses=documented() | documented_answers(TargetAnswer))
async def target(request: Request, shared: Shared, query: Annotated[TargetQuery, Query()]) -> Response:
    """The best chance of a score or more, and how to play for it."""
    return await _answer(request, shared, "target", query)


@router.get("/dice", responses=documented() | documented_answers(RollLawsAnswer))
async def dice(request: Request, shared: Shared, query: Annotated[DiceQuery, Query()]) -> Response:
    """The law of one roll: the chance of each, of that much or less, and or more."""
    return await _answer(request, shared, "dice", query)


@router.get("/drill", responses=documented() | documented_answers(CloseCallsAnswer))
async def drill(request: Request, shared: Shared, query: Annotated[DrillQuery, Query()]) -> Response:
    """Close calls: positions with a roll to place where the best slot is hard to tell, and what every slot is worth."""
    return await _answer(request, shared, "drill", query)


@router.post(
    "/review",
    responses=documented() | {200: {"model": answer_model(OneReviewAnswer), "description": "The review"}},
    openapi_extra={"requestBody": {"required": True, "content": RECORD}},
)
async def review(request: Request, shared: Shared) -> Response:
    """What each move of a record gave up, and what was luck; a line of text or a JSON object, and nothing is kept."""
    record = await run_in_threadpool(read_record, await request.body())  # of a size that the edge lets through
    answer = await shared.lab.ask_anew("review", {"record": record_to_json(record)})
    return Response(answer, media_type="application/json")
