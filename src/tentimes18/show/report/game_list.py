"""The games of one kind as a list in a page: a row a game, and a click on it shows its moves.

A row is a `details` of HTML, so no script is needed. A page should open at once: of very many games the last are
listed, and those that the costliest moves were made in.
"""

from collections.abc import Sequence
from typing import Final

from tentimes18.coach.aims import takebacks_of
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.skill import level_of
from tentimes18.coach.summary import MeasuredGames
from tentimes18.number_format import counted, shown_score
from tentimes18.records.notation import Record
from tentimes18.show.report.page import chip, table, text
from tentimes18.wording import amount, result_of, shown_date, signed, words_of

__all__ = ["MOST_GAMES", "MOST_MOVES", "game_anchor", "game_list", "listed_games"]

MOST_GAMES: Final = 200
MOST_MOVES: Final = 4000  # of a page, about a megabyte
ABOUT: Final = 1  # the column of words
LEVEL: Final = 6
BELOW: Final = (ABOUT, LEVEL)  # on a phone the words stand below the numbers, or nowhere


def listed_games(games: MeasuredGames, most_moves: int = MOST_MOVES) -> list[int]:
    """Which games are listed, by their places, the last first.

    >>> from tentimes18.coach.summary import measured_kinds
    >>> from tentimes18.records.files import Line
    >>> from tentimes18.records.notation import parse_record
    >>> (games,), _ = measured_kinds([Line(number, parse_record("1d6 1,2: 5@2 4@1")) for number in (3, 4, 7)])
    >>> listed_games(games), listed_games(games, most_moves=4)
    ([2, 1, 0], [2, 1])
    """
    most = max(1, min(MOST_GAMES, most_moves // games.summary.game.size))
    last = range(max(0, len(games.lines) - most), len(games.lines))
    costly = {move.game for move in games.summary.costliest}
    others = [place for place, line in enumerate(games.lines[: last.start]) if line.number in costly]
    return sorted([*last, *others], reverse=True)


def game_anchor(name: str, number: int) -> str:
    """What a link to a listed game refers to; ``name`` is that of the kind in its page.

    >>> game_anchor("k0", 7)
    'k0-game-7'
    """
    return f"{name}-game-{number}"


def game_list(games: MeasuredGames, places: Sequence[int], name: str) -> str:
    """The list of these games."""
    whole, shown = len(games.lines), len(places)
    told = f"All {shown:,}, the last first"
    if shown < whole:
        told = f"{shown:,} of {whole:,}: the last ones, and those of the costliest moves"
    in_head = words_of(games.summary.aim.unit).in_head
    heads = ["game", "", "result", "score", f"loss{in_head}", f"luck{in_head}", "level"]
    rows = [_cells(games, place) for place in places]
    kept = [column for column in range(len(heads)) if column == ABOUT or any(row[column] for row in rows)]
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    whole_row, narrow_row = ([column for column in kept if column not in without] for without in ((), BELOW))
    wide, narrow = _template(widths, whole_row), _template(widths, narrow_row)
    lines = []
    for place, row in zip(places, rows, strict=True):
        anchor, label = game_anchor(name, games.lines[place].number), text(_label(games, row))
        lines.append(
            f'<details class="game"><summary class="row" aria-label="{label}">{_spans(row, kept)}</summary>'
            f'<div id="{anchor}">{_moves(games, place)}</div></details>'
        )
    return "\n".join(
        [
            f'<div class="card wide long games" style="--columns: {wide}"><h3>Game by game</h3>',
            f'<p class="quiet">{told}. Open a game to see its moves.</p>',
            f'<div style="--narrow: {narrow}">',
            f'<div class="row head" aria-hidden="true">{_spans(heads, kept)}</div>',
            *lines,
            "</div></div>",
        ]
    )


def _template(widths: Sequence[int], columns: Sequence[int]) -> str:
    """Columns as wide as what stands in them, so that no number is cut; the words take the rest."""
    first = f"{widths[0] + 2}ch" if ABOUT in columns else "1fr"
    sizes = [first, "minmax(0, 1fr)", *(f"{width}ch" for width in widths[2:])]
    return " ".join(sizes[column] for column in columns)


def _spans(row: Sequence[str], columns: Sequence[int]) -> str:
    names = {ABOUT: ' class="about"', LEVEL: ' class="level"'}
    return "".join(f"<span{names.get(column, '')}>{text(row[column])}</span>" for column in columns)


def _cells(games: MeasuredGames, place: int) -> list[str]:
    line, moves, unit = games.lines[place], games.summary.table, games.summary.aim.unit
    loss, luck = float(moves.losses[place].sum()), float(moves.lucks[place].sum())
    choices = int(moves.is_choice[place].sum())
    level = level_of(loss / choices, games.random_loss) if choices else None
    return [
        str(line.number),
        _about(line.record),
        result_of(line.record) or "",
        shown_score(line.record.board.score),
        amount(loss, unit),
        signed(luck, unit),
        "practice" if takebacks_of(line.record) else level.name if level else "",
    ]


def _label(games: MeasuredGames, row: Sequence[str]) -> str:
    number, about, result, score, loss, luck, level = row
    tail = words_of(games.summary.aim.unit).tail
    told = [f"Game {number}", about, result, f"{score} points", f"loss {loss}{tail}", f"luck {luck}{tail}", level]
    return ", ".join(part for part in told if part)


def _about(record: Record) -> str:
    """When, by whom and against whom a game was played, and how far, where it is not finished."""
    parts = [shown_date(record), str(record.tags.get("name", ""))]
    if record.opponent is not None and "against" in record.tags:
        parts.append(f"against {record.tags['against']}")
    if count := takebacks_of(record):
        parts.append(f"{count:,} taken back")
    if not record.finished:
        parts.append(f"{record.board.rounds} of {counted(record.board.game.size, 'round')}")
    return " · ".join(part for part in parts if part)


def _moves(games: MeasuredGames, place: int) -> str:
    line, moves, unit = games.lines[place], games.summary.table, games.summary.aim.unit
    opponent, in_head = line.record.opponent, words_of(unit).in_head
    heads = ["round", "roll", "slot", *(["theirs"] if opponent else []), "best", f"loss{in_head}", "", f"luck{in_head}"]
    rows = []
    for r, (roll, slot) in enumerate(line.record.board.placements):
        loss, found = float(moves.losses[place, r]), CLASSES[int(moves.classes[place, r])]
        theirs = [str(opponent.placements[r].slot)] if opponent else []
        lost = f'<span class="lost">{text(amount(loss, unit))}</span>' if loss else ""
        cells = [str(r + 1), f'<span class="strong">{roll}</span>', str(slot), *theirs, str(int(moves.best[place, r]))]
        rows.append([*cells, lost, chip(found.name, found.mark), text(signed(float(moves.lucks[place, r]), unit))])
    return table(f"Game {line.number}, move by move", heads, rows, left=[heads.index("")])
