"""A review as one HTML file: the review page of the app with the games inside, made of the app's own files.

Its modules are in the page, as data addresses in an import map, and so are its styles: the file opens without a server
and sends no request. A single game is shown at once; several are listed, and each opens from the list.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
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
TEXTS = "app/texts.js"
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
    """The file of many games, ordered by kind."""
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


def _scores(scores: np.ndarray[Any, Any]) -> list[tuple[str, int]]:
    if len(scores) < 2 or scores.min() == scores.max():
        return []
    counts, edges = np.histogram(scores, bins=min(MAX_BINS, 1 + int(np.ptp(scores))))
    return [(f"from {points(float(edge))}", int(count)) for edge, count in zip(edges, counts, strict=False)]


def listed_games(games: MeasuredGames, max_moves: int = MAX_MOVES) -> list[int]:
    """The places of the games to list, the latest first: where they are too many, the latest and the costliest."""
    most = max(1, min(MAX_GAMES, max_moves // games.summary.game.size))
    last = range(max(0, len(games.lines) - most), len(games.lines))
    costly = {move.game for move in games.summary.costliest}
    others = [place for place, line in enumerate(games.lines[: last.start]) if line.number in costly]
    return sorted([*last, *others], reverse=True)


def _game(number: int, record: Record, reviewed: Review) -> dict[str, Any]:
    return {"number": number, "record": record_to_json(record), "review": to_builtins(review_answer(reviewed))}


def _page(title: str, kinds: list[dict[str, Any]], more: int = 0) -> str:
    own = {ENTRY: lean(_own("review_file.js")), TEXTS: 'export { default as texts } from "./texts/en.js";'}
    app = {**app_files(), **{path: AppFile(path, text.encode()) for path, text in own.items()}}
    sheets = {name: app[f"style/{name}.css"].data.decode() for name in ("tokens", *STYLES, "dark")}
    styles = [f"<style>{text}</style>" for name, text in sheets.items() if name != "dark"]
    styles.append(f'<style media="screen and (prefers-color-scheme: dark)">{sheets["dark"]}</style>')
    styles.append(f"<style>{_own('review_file.css')}</style>")
    imports = {f"ten18/{path}": _data_address(path, app[path]) for path in imported_by([ENTRY], app)}
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


def _data_address(path: str, module: AppFile) -> str:
    """A module as an address, its imports named as in the import map."""

    def rename(match: re.Match[str]) -> str:
        return match[0].replace(match[1], f"ten18/{normpath(join(dirname(path), match[1]))}")

    text = IMPORT.sub(rename, module.data.decode())
    return f"data:text/javascript;base64,{b64encode(text.encode()).decode()}"


def _hashes(elements: Iterable[str]) -> Iterator[str]:
    """The sources for the content security policy that allow exactly these elements."""
    for element in elements:
        content = element[element.index(">") + 1 : element.rindex("</")]
        yield f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
