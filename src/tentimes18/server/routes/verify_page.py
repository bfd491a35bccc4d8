"""A page that checks finished games: a form, and what came of it. No script, no cookie, and nothing is kept."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from tentimes18.answers.fairness import CheckedGameAnswer, CheckedRoundAnswer, VerificationAnswer
from tentimes18.errors import Ten18Error
from tentimes18.number_format import shown_number
from tentimes18.server.checking import MOST_GAMES, check_texts, read_form
from tentimes18.server.reference.markup import felt_head
from tentimes18.server.reference.page import STYLE_PATH
from tentimes18.wording import fairness_verdict

__all__ = ["router"]

KEPT: Final = {"Cache-Control": "public, max-age=3600"}
NAMES: Final = {"games": "Finished games", "start": "What was published before"}
LONGEST_NUMBER: Final = 20  # digits of a roll that is shown

HEAD: Final = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ten times eighteen: check a game</title>
<link rel="stylesheet" href="{STYLE_PATH}">
</head>
<body>
{felt_head("/verify")}<div class="page">
<main>
<header><h1>Check a game</h1>
<p class="lead">Were the rolls fixed before the first move, and do they make the score?</p>
<p>Each roll is checked against its commitment, the SHA-256 of <code>NONCE:ROUND:ROLL</code>, and the board and the
score against the rolls. What you give is not kept.</p></header>
"""
FORM: Final = """<section><h2>%(title)s</h2>
<form class="card" method="post" action="/verify">
%(problem)s<label for="games">Finished games</label>
<p id="about-games">A game as <code>GET /api/v1/games/{id}</code> gives it, or your games as
<a href="/api/v1/me/games">records</a>, one a line; at most %(most)d.</p>
<textarea id="games" name="games" rows="10" spellcheck="false" required aria-describedby="about-games">
%(games)s</textarea>
<label for="start">What was published before <small>optional</small></label>
<p id="about-start">The same game as it was saved at its start, or for daily games the
<a href="/api/v1/commitments">list of commitments</a> (<a href="/commitments">as a page</a>). Without it, all that is
shown is that a game agrees with itself.</p>
<textarea id="start" name="start" rows="5" spellcheck="false" aria-describedby="about-start">
%(start)s</textarea>
<button type="submit">Check</button>
</form></section>
"""
FOOT: Final = "</main>\n</div>\n</body>\n</html>\n"

router = APIRouter(include_in_schema=False)


@router.get("/verify")
async def form() -> Response:
    """The empty form."""
    return _page(_form({}), headers=KEPT)


@router.post("/verify")
async def check(request: Request) -> Response:
    """What the games are worth, and the form to change them; the form with one line where they cannot be read."""
    sent: Mapping[str, str] = {}
    try:
        sent = read_form(await request.body())
        answer = await run_in_threadpool(check_texts, sent.get("games", ""), sent.get("start", ""))
    except Ten18Error as error:
        name = NAMES.get(error.field or "")
        return _page(_form(sent, error.told(name)), 422)
    return _page("".join(_answer(answer, has_start=bool(sent.get("start", "").strip()))) + _form(sent, again=True))


def _page(content: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    text = f"{HEAD}{content}{FOOT}".encode(errors="replace")
    return Response(text, status, headers=headers, media_type="text/html")


def _form(sent: Mapping[str, str], problem: str = "", *, again: bool = False) -> str:
    return FORM % {
        "title": "Check again" if again else "Your game",
        "problem": f'<p class="verdict wrong" role="alert">{_shown(problem)}</p>\n' if problem else "",
        "most": MOST_GAMES,
        **{name: escape(sent.get(name, "").replace("\0", "\ufffd")) for name in NAMES},  # HTML has no zero
    }


def _answer(answer: VerificationAnswer, *, has_start: bool) -> Iterator[str]:
    is_right = answer["games"] == answer["verified"] and not answer["bad_lines"]
    yield f'<section id="result"><h2>Result</h2>\n<p class="verdict {"right" if is_right else "wrong"}" role="status">'
    yield f"{fairness_verdict(answer['games'], answer['verified'], len(answer['bad_lines']))}</p>\n"
    if answer["verified"] and not has_start:
        yield "<p>What was published before the first move was not given: this shows that a game agrees with itself, "
        yield "not that nothing was exchanged since.</p>\n"
    if answer["bad_lines"]:
        yield '<article class="card"><h3>Lines that are no game</h3>\n<ul>\n'
        yield from (f"<li>Line {line['line']}: {_shown(line['reason'])}</li>\n" for line in answer["bad_lines"])
        yield "</ul></article>\n"
    for result in answer["results"]:
        yield from _game(result, is_only=len(answer["results"]) == 1)
    yield "</section>\n"


def _game(result: CheckedGameAnswer, *, is_only: bool) -> Iterator[str]:
    state = "right" if result["verified"] else "wrong"
    points = f"{shown_number(result['score'])} points" if result["finished"] else "not finished"
    parts = [f"{result['dice']} {result['slots']}", points, result["id"] or f"line {result['line']}"]
    is_open = " open" if is_only or not result["verified"] else ""
    yield f'<details class="card"{is_open}><summary><b class="mark {state}">'
    yield f"{'Verified' if result['verified'] else 'Not verified'}</b> {_shown(', '.join(parts))}</summary>\n"
    if result["problems"]:
        yield "<ul>\n"
        yield from (f"<li>{_shown(problem)}</li>\n" for problem in result["problems"])
        yield "</ul>\n"
    if result["rounds"]:
        yield '<table class="rounds"><thead><tr><th>Round</th><th>Roll</th><th>Commitment</th><th></th></tr></thead>\n'
        yield "<tbody>\n"
        yield from map(_round, result["rounds"])
        yield "</tbody></table>\n"
    yield "</details>\n"


def _round(part: CheckedRoundAnswer) -> str:
    told = '<span class="right">verified</span>'
    if part["problem"] is not None:
        told = f'<span class="wrong">{_shown(part["problem"])}</span>'
    roll = "" if part["roll"] is None else str(part["roll"])
    roll = roll if len(roll) <= LONGEST_NUMBER else f"{roll[:LONGEST_NUMBER]}..."
    digest = "" if part["commitment"] is None else f"<code>{escape(part['commitment'])}</code>"
    return (
        f'<tr><td>{part["round"]}</td><td data-name="Roll">{roll}</td>'
        f'<td data-name="Commitment">{digest}</td><td>{told}</td></tr>\n'
    )


def _shown(text: str) -> str:
    """A text that others gave, escaped, without what cannot be seen."""
    return escape("".join(letter if letter.isprintable() else "?" for letter in text))
