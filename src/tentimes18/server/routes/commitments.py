"""What the rolls of the daily games are committed to, a day ahead: for everybody, and the same for all."""

from typing import Final

from fastapi import APIRouter, Response

from tentimes18.server.daily.days import day_at, day_number, days_before, start_of, utc_text
from tentimes18.server.models.daily import CommitmentsModel, CommittedDayModel
from tentimes18.server.problems import documented
from tentimes18.server.state import Shared, WebState
from tentimes18.server.store.daily import committed_days

__all__ = ["KEPT", "published_days", "router"]

PAST_DAYS: Final = 30
KEPT: Final = {"Cache-Control": "public, max-age=60"}

router = APIRouter(tags=["daily"])


async def published_days(shared: WebState) -> list[CommittedDayModel]:
    """The days whose deals are there, but for those long past, the latest first."""
    first = days_before(day_at(shared.now), PAST_DAYS)
    found = await shared.read(lambda connection: committed_days(connection, first))
    return [
        CommittedDayModel(
            day=day,
            number=day_number(day),
            committed=utc_text(created),
            ahead=created < start_of(day),
            commitments=list(commitments),
        )
        for day, created, commitments in found
    ]


@router.get("/commitments", responses=documented())
async def commitments(shared: Shared, response: Response) -> CommitmentsModel:
    """The commitments of the days to come, of today, and of the last thirty days."""
    response.headers.update(KEPT)
    return CommitmentsModel(days=await published_days(shared))
