"""A review as one HTML file: the review page of the app with the games inside, made of the app's own files.

Its modules are in the page, as data addresses in an import map, and so are its styles: the file opens without a
server, and asks nobody for anything. One game is shown at once; several are listed, and each opens from the list.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Any

import numpy as np
from msgspec import to_builtins

from tentimes18.app.page_html import IMPORT, SITE_NAME, imported_by
from tentimes18.app.static_files import AppFile, app_files, lean
from tentimes18.coach.review import Review, review
from tentimes18.coach.summary import MeasuredGames
from tentimes18.number_format import counted, points
from tentimes18.queries.games import review_answer, summary_answer
from tentimes18.records.notation import Record, record_to_json
from tentimes18.wording import game_name, headline, kind_name, kind_notes

MAX_KINDS = 20
MAX_GAMES = 200
MAX_MOVES = 4000  # of a page, about a megabyte
MAX_BINS = 12
ENTRY = "app/review_file.js"
STYLES = ("base", "frame", "board", "review")

_PAGE = """<!doctype html>
<html lang="en" data-root="./" data-static data-file>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src {scripts} data:; \
style-src {styles}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{head}
</head>
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<p id="said" class="vh" role="status" aria-live="polite"></p>
<script type="application/json" id="games">{games}</script>
{entry}
</body>
</html>
"""


def review_of_game(reviewed: Review, number: int = 1) -> str:
    """The file of one game."""
    record = reviewed.record
    name = f"{record.tags['name']}: " if record.tags.get("name") else ""
    title = f"{name}{headline(record)}, {game_name(record.board.game)}"
    return _page(title, [{"games": [_game(number, record, reviewed)]}])


def review_of_games(kinds: Sequence[MeasuredGames]) -> str:
    """The file of many games, those of each kind together."""
    games = sum(kind.summary.games for kind in kinds)
    max_moves = MAX_MOVES // min(len(kinds), MAX_KINDS)
    return _page(
        counted(games, "game"),
        [
            {
                "heading": f"{counted(kind.summary.games, 'game')} of {kind_name(kind)}",
                "notes": kind_notes(kind),
                "isChance": kind.summary.aim.name != "mean",
                "summary": to_builtins(summary_answer(kind)),
                "scores": _scores(kind.summary.scores),
                "games": [
                    _game(line.number, line.record, review(line.record, kind.summary.aim))
                    for line in (kind.lines[place] for place in listed_games(kind, max_moves))
                ],
            }
            for kind in kinds[:MAX_KINDS]
        ],
        more=max(0, len(kinds) - MAX_KINDS),
    )


def listed_games(games: MeasuredGames, max_moves: int = MAX_MOVES) -> list[int]:
    """The places of the games to list, the last first: of very many the last, and those of the costliest moves."""
    most = max(1, min(MAX_GAMES, max_moves // games.summary.game.size))
    last = range(max(0, len(games.lines) - most), len(games.lines))
    costly = {move.game for move in games.summary.costliest}
    others = [place for place, line in enumerate(games.lines[: last.start]) if line.number in costly]
    return sorted([*last, *others], reverse=True)


def _game(number: int, record: Record, reviewed: Review) -> dict[str, Any]:
    return {"number": number, "record": record_to_json(record), "review": to_builtins(review_answer(reviewed))}


def _scores(scores: np.ndarray[Any, Any]) -> list[tuple[str, int]]:
    """How many games ended with scores from each bound to the next."""
    if len(scores) < 2 or scores.min() == scores.max():
        return []
    counts, edges = np.histogram(scores, bins=min(MAX_BINS, 1 + int(np.ptp(scores))))
    return [(f"from {points(float(edge))}", int(count)) for edge, count in zip(edges, counts, strict=False)]


def _page(title: str, kinds: list[dict[str, Any]], more: int = 0) -> str:
    found = {path: file for path, file in app_files().items() if path.endswith((".js", ".css"))}
    found[ENTRY] = AppFile(ENTRY, lean(_own("review_file.js")).encode())
    sheets = ["tokens", *STYLES]
    styles = [f"<style>{_style(found, sheet)}</style>" for sheet in sheets]
    styles.append(f'<style media="screen and (prefers-color-scheme: dark)">{_style(found, "dark")}</style>')
    styles.append(f"<style>{_own('review_file.css')}</style>")
    imports = {f"ten18/{path}": _data(path, found) for path in imported_by([ENTRY], found)}
    head = f'<script type="importmap">{json.dumps({"imports": imports})}</script>'
    entry = f'<script type="module">import "ten18/{ENTRY}";</script>'
    games = json.dumps({"title": title, "kinds": kinds, "more": more}, ensure_ascii=False, separators=(",", ":"))
    return _PAGE.format(
        scripts=" ".join(_hashes([head, entry])),
        styles=" ".join(_hashes(styles)),
        title=escape(f"{title} · {SITE_NAME}"),
        head="\n".join([*styles, head]),
        games=games.replace("<", "\\u003c"),
        entry=entry,
    )


def _own(name: str) -> str:
    return files("tentimes18.app").joinpath(name).read_text(encoding="utf-8")


def _style(found: Mapping[str, AppFile], name: str) -> str:
    return found[f"style/{name}.css"].data.decode()


def _data(path: str, found: Mapping[str, AppFile]) -> str:
    """A module as an address; what it imports is named as in the import map."""
    text = found[path].data.decode()
    text = IMPORT.sub(
        lambda match: match[0].replace(match[1], f"ten18/{normpath(join(dirname(path), match[1]))}"), text
    )
    return f"data:text/javascript;base64,{b64encode(text.encode()).decode()}"


def _hashes(elements: Iterable[str]) -> Iterator[str]:
    """What the policy says of elements: that exactly these contents are ours."""
    for element in elements:
        content = element[element.index(">") + 1 : element.rindex("</")]
        yield f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
