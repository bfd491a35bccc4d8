"""The commitments of the daily games as a page, for people: no script, no cookie, and all that a check needs."""

from html import escape
from typing import Final

from fastapi import APIRouter, Response

from tentimes18.server.models.daily import CommittedDayModel
from tentimes18.server.reference.markup import felt_head
from tentimes18.server.reference.page import STYLE_PATH
from tentimes18.server.routes.commitments import KEPT, published_days
from tentimes18.server.state import Shared

__all__ = ["router"]

PAGE: Final = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ten times eighteen: commitments of the daily games</title>
<link rel="stylesheet" href="{STYLE_PATH}">
</head>
<body>
{felt_head("/commitments")}<div class="page">
<main>
<header><h1>Commitments of the daily games</h1>
<p class="lead">The rolls of a daily game are drawn before its day begins, and nobody can change them afterwards.</p>
<p>What stands here of each round is the SHA-256 of the text <code>NONCE:ROUND:ROLL</code>, in small hexadecimal
digits. The nonce, 64 such digits drawn for that round, is shown with the roll when the round opens: then everybody can
check it, and before that nobody can find the roll from what stands here. The same
<a href="/api/v1/commitments">as data</a>; <a href="/verify">check a game</a> against it.</p></header>
%s</main>
</div>
</body>
</html>
"""

router = APIRouter(include_in_schema=False)


@router.get("/commitments")
async def commitments_page(shared: Shared) -> Response:
    """The page."""
    days = await published_days(shared)
    return Response(PAGE % "".join(map(_section, days)), media_type="text/html", headers=KEPT)


def _section(day: CommittedDayModel) -> str:
    items = "".join(f"<li><code>{escape(digest)}</code></li>\n" for digest in day.commitments)
    note = "" if day.ahead else ", after the day had begun"
    return (
        f'<section id="day-{day.number}"><h2>Day {day.number}, <time>{escape(day.day)}</time></h2>\n'
        f'<article class="card"><p>Committed to at <time>{escape(day.committed)}</time>{note}.</p>\n'
        f'<div class="scroll"><ol>\n{items}</ol></div></article></section>\n'
    )
