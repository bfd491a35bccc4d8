"""How a game in play looks: the dice, the board as a row of tiles, and what the coach says beneath it.

A screen is a list of lines, none wider than asked for. Nothing is told by colour alone: a filled slot has a solid
frame, a free one a broken frame, the one under the cursor a heavy frame, and a mark follows what a bad move loses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, NamedTuple

from rich.text import Text

from tentimes18.cli.terminal.review import class_style
from tentimes18.coach.advice import Advice
from tentimes18.coach.classes import classify
from tentimes18.coach.units import Unit, Worth
from tentimes18.game import Board
from tentimes18.records.notation import Record
from tentimes18.show.figures import shown_number
from tentimes18.show.words import loss_cell, shown_worth

__all__ = ["Note", "View", "note_lines", "screen_lines", "transcript_lines"]

LABEL_WIDTH: Final = 8
MAX_TILES: Final = 20  # with more slots, a plain table
MAX_DRAWN_DICE: Final = 6
PIPS: Final = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
FACES: Final = "⚀⚁⚂⚃⚄⚅"
FRAMES: Final = {"filled": "┌─┐│└─┘", "free": "┌╌┐╎└╌┘", "cursor": "┏━┓┃┗━┛"}


@dataclass(frozen=True)
class View:
    """What there is to see: the game, the faces that the dice show, and what is said about it."""

    record: Record
    heading: str
    status: Sequence[tuple[str, str]]
    faces: tuple[int, ...] = ()
    advice: Advice | None = None
    unit: Unit = Unit.points
    reason: str | None = None
    cursor: int | None = None
    is_own_roll: bool = False


class Note(NamedTuple):
    """A line beneath the board."""

    text: str
    style: str = ""


class ScreenLayout(NamedTuple):
    """How much room a view takes: dice and slots as pictures or in a line, all rows of numbers or only the losses."""

    draws_dice: bool
    draws_tiles: bool
    has_all_rows: bool


LAYOUTS: Final = (
    ScreenLayout(draws_dice=True, draws_tiles=True, has_all_rows=True),
    ScreenLayout(draws_dice=False, draws_tiles=True, has_all_rows=True),
    ScreenLayout(draws_dice=True, draws_tiles=False, has_all_rows=True),
    ScreenLayout(draws_dice=False, draws_tiles=False, has_all_rows=True),
    ScreenLayout(draws_dice=False, draws_tiles=False, has_all_rows=False),
)
TRANSCRIPT: Final = LAYOUTS[3]


class Cell(NamedTuple):
    """A text in the column of a slot, and its style."""

    text: str
    style: str = ""


def screen_lines(view: View, notes: Sequence[Note], width: int, height: int) -> list[Text]:
    """The screen in the roomiest layout that it has the height for."""
    for layout in LAYOUTS:
        if layout.draws_tiles and view.record.board.game.size > MAX_TILES:
            continue
        gap = [_blank()] if layout.has_all_rows else []
        parts = [[_heading(view, width)], _dice(view, layout, width), _board(view, layout, width)]
        lines = [line for part in parts for line in (*part, *gap)] + _reason(view, width) + note_lines(notes, width)
        if len(lines) <= height:
            return lines
    # The top scrolls away: the roll then stands last, beside the prompt.
    return [
        *_board(view, LAYOUTS[-1], width),
        *_reason(view, width),
        *note_lines(notes, width),
        _dice_line(view, width),
    ]


def transcript_lines(view: View, width: int) -> list[Text]:
    """The same for a reader who sees line after line."""
    return [_blank(), _dice_line(view, width), *_board(view, TRANSCRIPT, width), *_reason(view, width)]


def note_lines(notes: Sequence[Note], width: int) -> list[Text]:
    """Notes, broken into lines."""
    return [_text(f" {line}", note.style) for note in notes for line in wrap(note.text, max(1, width - 2)) or [""]]


def _reason(view: View, width: int) -> list[Text]:
    return note_lines([Note(view.reason, "italic")], width) if view.reason else []


def _text(text: str = "", style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="crop")


def _blank() -> Text:
    return _text()


def _heading(view: View, width: int) -> Text:
    line = _text(" Ten times eighteen", "bold")
    return line.append(f"   {view.heading}"[: max(0, width - len(line))], "dim not bold")


def _dice(view: View, layout: ScreenLayout, width: int) -> list[Text]:
    """The roll at the left, where the game stands at the right."""
    roll, faces = view.record.roll, view.faces
    if not layout.draws_dice or view.record.finished:
        return [_dice_line(view, width)]
    if faces and len(faces) <= MAX_DRAWN_DICE:
        pictures = [" ".join(part) for part in zip(*map(_die, faces), strict=True)]
        pictures[2] += f"   {roll}"
    else:
        number = "?" if roll is None else str(roll)
        pictures = [f"╭─{'─' * len(number)}─╮", f"│ {number} │", f"╰─{'─' * len(number)}─╯"]
        if faces:
            pictures[1] += f"   {' '.join(FACES[face - 1] for face in faces)}"
    first = (len(pictures) - len(view.status) + 1) // 2
    right = {first + place: entry for place, entry in enumerate(view.status)}
    lines = []
    names = max((len(name) for name, _ in view.status), default=0)
    texts = max((len(text) for _, text in view.status), default=0)
    for place in range(min(0, first), max(len(pictures), first + len(view.status))):
        left = pictures[place] if 0 <= place < len(pictures) else ""
        line = _text(f"  {left}", "bold" if place == len(pictures) // 2 else "")
        if place in right:
            name, text = right[place]
            line.pad_right(max(2, width - 1 - len(line) - names - 2 - texts))
            line.append(f"{name:<{names}}  ", "dim not bold").append(f"{text:>{texts}}", "bold")
            line.truncate(width)
        lines.append(line)
    return lines


def _dice_line(view: View, width: int) -> Text:
    roll, faces = view.record.roll, view.faces
    status = " · ".join(f"{name} {text}" for name, text in view.status)
    if roll is None:
        return _text(f" {status}"[:width], "bold" if view.record.finished else "dim")
    line = _text(f" {roll}", "bold")
    if len(faces) > 1:
        line.append(f" = {' + '.join(map(str, faces))}", "not bold")
    line.pad_right(max(3, width - 1 - len(line) - len(status)))
    line.append(status, "dim not bold").truncate(width)
    return line


def _die(face: int) -> list[str]:
    return ["╭───────╮", *(f"│ {pips} │" for pips in PIPS[face]), "╰───────╯"]


def _board(view: View, layout: ScreenLayout, width: int) -> list[Text]:
    """The board in as many rows of slots as it takes, all of the same length."""
    n = view.record.board.game.size
    rows = _rows(view, layout)
    contents = _contents(view)
    longest = max(len(cell.text) for cells in rows.values() for cell in cells.values())
    cell_width = max(longest, *(len(cell.text) + 2 for cell in contents.values()), 6 if layout.draws_tiles else 5)
    fitting = max(1, (width - LABEL_WIDTH) // (cell_width + 1))
    count = -(-n // fitting)
    length = -(-n // count)
    lines: list[Text] = []
    for first in range(1, n + 1, length):
        slots = range(first, min(n, first + length - 1) + 1)
        if lines and layout.has_all_rows:
            lines.append(_blank())
        for label, cells in rows.items():
            lines.append(_row(label, cells, slots, cell_width))
            if label == "":
                drawn = _tiles(contents, view, slots, cell_width) if layout.draws_tiles else None
                lines += drawn or [_row("", contents, slots, cell_width)]
    return lines


def _rows(view: View, layout: ScreenLayout) -> dict[str, Mapping[int, Cell]]:
    """The numbers above and beneath the slots, by their label."""
    board, advice = view.record.board, view.advice
    multipliers = board.game.multipliers
    rows: dict[str, Mapping[int, Cell]] = {}
    if any(slot != multiplier for slot, multiplier in enumerate(multipliers, start=1)):
        rows["slot"] = {slot: Cell(str(slot)) for slot in range(1, len(multipliers) + 1)}
    rows[""] = {slot: Cell(f"×{shown_number(of)}", "dim") for slot, of in enumerate(multipliers, start=1)}
    if layout.has_all_rows:
        rows["points"] = {slot: Cell(shown_number(multipliers[slot - 1] * roll)) for roll, slot in board.placements}
    if advice is not None:
        if layout.has_all_rows:
            worth = {move.slot: shown_worth(move.worth, view.unit) for move in advice.moves}
            rows["value"] = {slot: Cell(text, "dim") for slot, text in worth.items()}
        rows["loss"] = {move.slot: _loss_cell(move.loss, view.unit) for move in advice.moves}
    if view.record.opponent is not None:
        rows["theirs"] = _their_row(view.record.opponent)
    return rows


def _their_row(board: Board) -> dict[int, Cell]:
    last = board.placements[-1].slot if board.placements else None
    cells = {slot: Cell(str(roll), "bold magenta" if slot == last else "") for roll, slot in board.placements}
    return {slot: cells.get(slot, Cell("·", "dim")) for slot in range(1, board.game.size + 1)}


def _loss_cell(loss: Worth, unit: Unit) -> Cell:
    found = classify(loss, unit)
    style = class_style(found)
    return Cell(loss_cell(loss, unit) + found.mark, style if loss else f"bold {style}")


def _contents(view: View) -> dict[int, Cell]:
    """What stands in each slot."""
    board, last = view.record.board, view.record.board.placements[-1:]
    cells = {slot: Cell("·", "dim") for slot in range(1, board.game.size + 1)}
    cells |= {slot: Cell(str(roll), "bold") for roll, slot in board.placements}
    cells |= {slot: Cell(str(roll), "bold cyan") for roll, slot in last}
    if view.cursor is not None:
        cells[view.cursor] = Cell(f"▸{view.record.roll}", "bold cyan")
    return cells


def _row(label: str, cells: Mapping[int, Cell], slots: Sequence[int], cell_width: int) -> Text:
    line = _text(f" {label:<{LABEL_WIDTH - 1}}", "dim")
    for slot in slots:
        cell = cells.get(slot, Cell(""))
        line.append(_centred(cell.text, cell_width) + " ", cell.style or "not dim")
    line.rstrip()
    return line


def _tiles(contents: Mapping[int, Cell], view: View, slots: Sequence[int], cell_width: int) -> list[Text]:
    lines = [_text(" " * LABEL_WIDTH) for _ in range(3)]
    is_filled = {placement.slot for placement in view.record.board.placements}
    inner = cell_width - 2
    for slot in slots:
        kind = "cursor" if slot == view.cursor else "filled" if slot in is_filled else "free"
        frame, cell = FRAMES[kind], contents[slot]
        style = {"cursor": "bold cyan", "filled": "", "free": "dim"}[kind]
        text = cell.text if kind != "free" else ""
        lines[0].append(frame[0] + frame[1] * inner + frame[2] + " ", style)
        lines[1].append(frame[3], style).append(_centred(text, inner), cell.style).append(f"{frame[3]} ", style)
        lines[2].append(frame[4] + frame[5] * inner + frame[6] + " ", style)
    return lines


def _centred(text: str, width: int) -> str:
    """In the middle, rather to the right: numbers of one and two digits then end in one column."""
    space = width - len(text)
    left = (space + 1) // 2
    return " " * left + text + " " * (space - left)
