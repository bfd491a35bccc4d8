"""How a game in play looks: the dice, the board as a row of tiles, and what the coach says beneath it.

A screen is a list of lines, none wider than asked for, and no number in them is cut: the board has as many rows of
slots as it takes, and grows with the window until its tiles are square. Nothing is shown by colour alone: a filled slot
has a solid frame, a free one a broken frame, the one under the cursor a heavy frame, and a mark follows what a bad move
loses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from rich.text import Text

from tentimes18.cli.terminal.games_pages import class_style
from tentimes18.coach.advice import Advice
from tentimes18.coach.losses import Unit, Worth, classify
from tentimes18.game import Board
from tentimes18.number_format import shown_number, shown_roll
from tentimes18.records.notation import Record
from tentimes18.wording import loss_cell, shown_worth

LABEL_WIDTH = 8
MIN_CELL = 5
MAX_CELL = 12
TALL_CELL = 9  # from this width on a tile may have three lines inside: it is then square
READABLE = 80  # columns of text, where the board is no wider
MAX_TILES = 20  # with more slots, a plain table
MAX_DRAWN_DICE = 6
PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
FACES = "⚀⚁⚂⚃⚄⚅"
FRAMES = {"filled": "┌─┐│└─┘", "free": "┌╌┐╎└╌┘", "cursor": "┏━┓┃┗━┛"}


@dataclass(frozen=True)
class View:
    """Everything to draw: the game, the faces of the dice, and the remarks on it."""

    record: Record
    heading: str
    status: Sequence[tuple[str, str]]
    faces: tuple[int, ...] = ()
    advice: Advice | None = None
    unit: Unit = Unit.points
    reason: str | None = None
    cursor: int | None = None
    is_own_roll: bool = False
    can_take_back: bool = False


class Note(NamedTuple):
    """A line below the board; ``indent`` applies to its continuation lines."""

    text: str
    style: str = ""
    indent: int = 0


class ScreenLayout(NamedTuple):
    """Whether dice and tiles are drawn, and whether all rows of numbers or only the losses are shown."""

    draws_dice: bool
    tile_height: int  # lines inside of a tile; 0: none is drawn
    has_all_rows: bool
    grows: bool = True  # with the window


LAYOUTS = (
    ScreenLayout(draws_dice=True, tile_height=3, has_all_rows=True),
    ScreenLayout(draws_dice=True, tile_height=1, has_all_rows=True),
    ScreenLayout(draws_dice=False, tile_height=1, has_all_rows=True),
    ScreenLayout(draws_dice=True, tile_height=0, has_all_rows=True),
    ScreenLayout(draws_dice=False, tile_height=0, has_all_rows=True),
    ScreenLayout(draws_dice=False, tile_height=0, has_all_rows=False),
)
TRANSCRIPT = ScreenLayout(draws_dice=False, tile_height=0, has_all_rows=True, grows=False)


class Cell(NamedTuple):
    text: str
    style: str = ""


class Columns(NamedTuple):
    in_a_row: int
    width: int
    digits: int

    @property
    def edge(self) -> int:
        return LABEL_WIDTH + self.in_a_row * (self.width + 1) - 1


def screen_lines(view: View, notes: Sequence[Note], width: int, height: int) -> list[Text]:
    """The screen in the roomiest layout that fits the height."""
    for layout in LAYOUTS:
        columns = _columns(view, layout, width)
        is_too_fine = layout.tile_height and view.record.board.game.size > MAX_TILES
        if is_too_fine or (layout.tile_height > 1 and columns.width < TALL_CELL):
            continue
        edge = min(width, max(READABLE, columns.edge + 1))
        gap = [_text()] if layout.has_all_rows else []
        parts = [_heading(view, edge), _dice(view, layout, edge), _board(view, layout, columns)]
        lines = [line for part in parts for line in (*part, *gap)] + _notes(view, notes, edge)
        if len(lines) <= height:
            return lines
    # The top scrolls away: the roll is then last, beside the prompt.
    columns = _columns(view, LAYOUTS[-1], width)
    board = _board(view, LAYOUTS[-1], columns)
    return [*board, *_notes(view, notes, width), *reversed(_dice_lines(view, width))]


def transcript_lines(view: View, width: int) -> list[Text]:
    """The same for a reader who sees line after line."""
    board = _board(view, TRANSCRIPT, _columns(view, TRANSCRIPT, width))
    return [_text(), *_dice_lines(view, width), *board, *_notes(view, (), width)]


def note_lines(notes: Sequence[Note], width: int) -> list[Text]:
    lines = []
    for note in notes:
        indent = " " * (note.indent if note.indent < width // 2 else 0)
        broken = wrap(note.text, max(1, width - 2), subsequent_indent=indent) or [""]
        lines += [_text(f" {line}", note.style) for line in broken]
    return lines


def _notes(view: View, notes: Sequence[Note], width: int) -> list[Text]:
    return note_lines([*([Note(view.reason, "italic")] if view.reason else []), *notes], width)


def _text(text: str = "", style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="crop")


def _heading(view: View, width: int) -> list[Text]:
    line = _text(" Ten times eighteen", "bold")
    if len(line) + 3 + len(view.heading) <= width:
        return [line.append(f"   {view.heading}", "dim not bold")]
    return note_lines([Note(view.heading, "dim")], width)


def _dice(view: View, layout: ScreenLayout, width: int) -> list[Text]:
    pictures = _pictures(view)
    drawn = [_text(f"  {part}", "bold" if place == len(pictures) // 2 else "") for place, part in enumerate(pictures)]
    widest = max(map(len, drawn))
    if not layout.draws_dice or view.record.finished or widest > width:
        return _dice_lines(view, width)
    names, texts = (max((len(entry[place]) for entry in view.status), default=0) for place in (0, 1))
    if widest + 2 + names + 2 + texts >= width:
        return [*drawn, *_status_lines(view, width)]
    above = max(0, (len(view.status) - len(drawn)) // 2)
    lines = [_text() for _ in range(above)] + drawn
    first = (len(pictures) - len(view.status) + 1) // 2 + above
    lines += [_text() for _ in range(first + len(view.status) - len(lines))]
    for line, (name, text) in zip(lines[first:], view.status, strict=False):
        line.pad_right(width - 1 - len(line) - names - 2 - texts)
        line.append(f"{name:<{names}}  ", "dim not bold").append(f"{text:>{texts}}", "bold")
    return lines


def _pictures(view: View) -> list[str]:
    number, faces = shown_roll(view.record.roll), view.faces
    if faces and len(faces) <= MAX_DRAWN_DICE:
        dice = [["╭───────╮", *(f"│ {pips} │" for pips in PIPS[face]), "╰───────╯"] for face in faces]
        pictures = [" ".join(part) for part in zip(*dice, strict=True)]
        pictures[2] += f"   {number}"
        return pictures
    small = f"   {' '.join(FACES[face - 1] for face in faces)}" if faces else ""
    edge = "─" * len(number)
    return [f"╭─{edge}─╮", f"│ {number} │{small}", f"╰─{edge}─╯"]


def _dice_lines(view: View, width: int) -> list[Text]:
    roll, faces = view.record.roll, view.faces
    if roll is None:
        return _status_lines(view, width, "bold" if view.record.finished else "dim")
    line = _text(f" {shown_roll(roll)}", "bold")
    if len(faces) > 1 and len(parts := f" = {' + '.join(map(str, faces))}") + len(line) <= width:
        line.append(parts, "not bold")
    status = " · ".join(f"{name} {text}" for name, text in view.status)
    if len(line) + 2 + len(status) >= width:
        return [line, *_status_lines(view, width)]
    line.pad_right(max(3, width - 1 - len(line) - len(status)))
    return [line.append(status, "dim not bold")]


def _status_lines(view: View, width: int, style: str = "dim") -> list[Text]:
    lines: list[str] = []
    for name, text in view.status:
        entry = f"{name} {text}"
        if lines and len(lines[-1]) + 3 + len(entry) <= width:
            lines[-1] += f" · {entry}"
        else:
            lines.append(f" {entry}")
    return [_text(line, style) for line in lines]


def _columns(view: View, layout: ScreenLayout, width: int) -> Columns:
    """As few rows of slots as possible, all of the same length; then as many digits as fit."""
    n, room = view.record.board.game.size, width - LABEL_WIDTH
    contents = max(len(cell.text) + 2 for cell in _contents(view).values())
    layouts: list[Columns] = []
    for digits in (2, 1, 0) if layout.grows else (1,):
        rows = _rows(view, layout, digits)
        longest = max(len(cell.text) for cells in rows.values() for cell in cells.values())
        least = max(longest + (2 if digits == 2 else 0), contents, MIN_CELL)  # more digits, but not side by side
        count = -(-n // -(-n // max(1, (room + 1) // (least + 1))))
        grown = min(MAX_CELL, (room + 1) // count - 1) if layout.grows else least
        layouts.append(Columns(count, max(least, grown), digits))
    return max(layouts, key=lambda columns: columns.in_a_row)


def _board(view: View, layout: ScreenLayout, columns: Columns) -> list[Text]:
    n = view.record.board.game.size
    rows = _rows(view, layout, columns.digits)
    contents = _contents(view)
    lines: list[Text] = []
    for first in range(1, n + 1, columns.in_a_row):
        slots = range(first, min(n, first + columns.in_a_row - 1) + 1)
        if lines and layout.has_all_rows:
            lines.append(_text())
        for label, cells in rows.items():
            lines.append(_row(label, cells, slots, columns.width))
            if label == "":
                drawn = _tiles(contents, view, slots, columns.width, layout.tile_height) if layout.tile_height else None
                lines += drawn or [_row("", contents, slots, columns.width)]
    return lines


def _rows(view: View, layout: ScreenLayout, digits: int) -> dict[str, Mapping[int, Cell]]:
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
            worth = {move.slot: shown_worth(move.worth, view.unit, max(1, digits)) for move in advice.moves}
            rows["value"] = {slot: Cell(text, "dim") for slot, text in worth.items()}
        rows["loss"] = {move.slot: _loss_cell(move.loss, view.unit, digits) for move in advice.moves}
    if (theirs := view.record.opponent) is not None:
        rows["theirs"] = _filled(theirs, "", "bold magenta")
    return rows


def _filled(board: Board, style: str, last_style: str) -> dict[int, Cell]:
    """The rolls in their slots, the last one in a style of its own, and a dot in each free slot."""
    cells = {slot: Cell("·", "dim") for slot in range(1, board.game.size + 1)}
    cells |= {slot: Cell(shown_roll(roll), style) for roll, slot in board.placements}
    return cells | {slot: Cell(shown_roll(roll), last_style) for roll, slot in board.placements[-1:]}


def _loss_cell(loss: Worth, unit: Unit, digits: int) -> Cell:
    move_class = classify(loss, unit)
    style = class_style(move_class)
    return Cell(loss_cell(loss, unit, digits) + move_class.mark, style if loss else f"bold {style}")


def _contents(view: View) -> dict[int, Cell]:
    cells = _filled(view.record.board, "bold", "bold cyan")
    if view.cursor is not None:
        cells[view.cursor] = Cell(f"▸{shown_roll(view.record.roll)}", "bold cyan")
    return cells


def _row(label: str, cells: Mapping[int, Cell], slots: Sequence[int], cell_width: int) -> Text:
    line = _text(f" {label:<{LABEL_WIDTH - 1}}", "dim")
    for slot in slots:
        cell = cells.get(slot, Cell(""))
        line.append(_centred(cell.text, cell_width) + " ", cell.style or "not dim")
    line.rstrip()
    return line


def _tiles(contents: Mapping[int, Cell], view: View, slots: Sequence[int], cell_width: int, height: int) -> list[Text]:
    lines = [_text(" " * LABEL_WIDTH) for _ in range(height + 2)]
    is_filled = {placement.slot for placement in view.record.board.placements}
    inner = cell_width - 2
    for slot in slots:
        kind = "cursor" if slot == view.cursor else "filled" if slot in is_filled else "free"
        frame, cell = FRAMES[kind], contents[slot]
        style = {"cursor": "bold cyan", "filled": "", "free": "dim"}[kind]
        lines[0].append(frame[0] + frame[1] * inner + frame[2] + " ", style)
        for place in range(1, height + 1):
            text = cell.text if kind != "free" and place == (height + 1) // 2 else ""
            lines[place].append(frame[3], style).append(_centred(text, inner), cell.style).append(f"{frame[3]} ", style)
        lines[-1].append(frame[4] + frame[5] * inner + frame[6] + " ", style)
    for line in lines:
        line.rstrip()
    return lines


def _centred(text: str, width: int) -> str:
    """In the middle, rather to the right: numbers of one and two digits then end in one column."""
    space = width - len(text)
    left = (space + 1) // 2
    return " " * left + text + " " * (space - left)
