"""What the rolls of the daily games are committed to, a day ahead: for everybody, and the same for all."""

from html import escape
from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from tentimes18.web.daily_models import CommitmentsModel, CommittedDayModel
from tentimes18.web.days import day_at, day_number, days_before, start_of, utc_text
from tentimes18.web.problems import documented
from tentimes18.web.state import Shared, WebState
from tentimes18.web.store.daily import committed_days

__all__ = ["page", "router"]

PAST_DAYS: Final = 30
KEPT: Final = {"Cache-Control": "public, max-age=60"}
PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Commitments of the daily games</title>
</head>
<body>
<main>
<h1>Commitments of the daily games</h1>
<p>The rolls of a daily game are drawn before its day begins. A commitment is the SHA-256 of the text
<code>NONCE:ROUND:ROLL</code>, in small hexadecimal digits; the nonce, 64 such digits drawn for that round, is shown
with the roll. So everybody can check that the rolls were fixed beforehand, and nobody can find them from what stands
here. The same <a href="/api/v1/commitments">as data</a>.</p>
{days}
</main>
</body>
</html>
"""
DAY: Final = """<section>
<h2>Day {number}: <time>{day}</time></h2>
<p>Committed to at <time>{committed}</time>{note}.</p>
<ol>
{items}
</ol>
</section>
"""

router = APIRouter(tags=["daily"])
page = APIRouter(tags=["pages"])


async def _days(shared: WebState) -> list[CommittedDayModel]:
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
    return CommitmentsModel(days=await _days(shared))


@page.get("/commitments", response_class=HTMLResponse, responses=documented())
async def commitments_page(shared: Shared) -> HTMLResponse:
    """The same for people."""
    days = [
        DAY.format(
            number=found.number,
            day=escape(found.day),
            committed=escape(found.committed),
            note="" if found.ahead else ", after the day had begun",
            items="\n".join(f"<li><code>{escape(digest)}</code></li>" for digest in found.commitments),
        )
        for found in await _days(shared)
    ]
    return HTMLResponse(PAGE.format(days="".join(days)), headers=KEPT)
