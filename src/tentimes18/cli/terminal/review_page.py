"""The report of one played game: every move with what it lost and what was luck, and the sums."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tentimes18.cli.command import Part
from tentimes18.cli.tables import Column, Entry, Grid, table
from tentimes18.coach.losses import CLASSES, MoveClass, Worth
from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.number_format import counted, shown_number, shown_roll, times
from tentimes18.records.notation import Record
from tentimes18.wording import amount, notes, review_note, signed, told_mix, words_of

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table
    from rich.text import Text

STYLES = {
    "best": "green",
    "fine": "",
    "good": "",
    "inaccuracy": "yellow",
    "mistake": "dark_orange",
    "blunder": "bold red",
}
MAX_LISTED = 6  # best slots in one cell
MAX_BOARD = 20  # slots of boards that are shown
BLOCKS = "▁▂▃▄▅▆▇█"


class Amount(NamedTuple):
    """A part of a sum: the sign before it, its name, and the number."""

    sign: str
    name: str
    number: str


@dataclass(frozen=True)
class Account:
    """A sum: each number under its name, side by side, or below each other in a narrow window; no number is cut."""

    parts: tuple[Amount, ...]

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        widths = [max(len(part.name), len(part.number)) for part in self.parts]
        names = " ".join(f"  {part.name:>{width}}" for part, width in zip(self.parts, widths, strict=True))
        numbers = " ".join(
            f"{sign:1} {number:>{width}}" for (sign, _, number), width in zip(self.parts, widths, strict=True)
        )
        if max(len(names), len(numbers)) < options.max_width:
            yield Text(f" {names}".rstrip(), style="dim", no_wrap=True)
            yield Text(f" {numbers}".rstrip(), style="bold", no_wrap=True)
            return
        name_width, width = (max(len(part[place]) for part in self.parts) for place in (1, 2))
        for sign, name, number in self.parts:
            line = Text(f" {sign:1} ", style="bold", no_wrap=True)
            yield line.append(f"{name:<{name_width}}  ", "dim not bold").append(f"{number:>{width}}")


def review_page(review: Review) -> Iterator[Part]:
    """A game move by move, and below it where the score came from."""
    from rich.text import Text

    if review.moves:
        yield _moves(review)
    if (mixed := mixes_grid(review)) is not None:
        yield mixed
    yield _account(review)
    yield ""
    for label, text in _facts(review):
        yield labelled(f"  {label}", text, 16)
    if remarks := [*notes(review), *([note] if (note := review_note(review.aim)) else [])]:
        yield ""
        yield from (labelled("", Text(note, style="dim"), 2) for note in remarks)


def labelled(label: str, text: "Text", width: int) -> "Table":
    """A text beside its label; where it takes several lines, these stand below each other."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid()
    grid.add_column(width=width, no_wrap=True)
    grid.add_column()
    grid.add_row(Text(label, style="dim"), text)
    return grid


def boards_grid(record: Record) -> Grid | None:
    """Both boards of a duel, slot above slot; nothing where there is one, or no room for them."""
    opponent, size = record.opponent, record.board.game.size
    if opponent is None or size > MAX_BOARD:
        return None
    grid = table("", *map(times, record.board.game.multipliers), "score", label="")
    grid.head_style = "dim"
    for name, board in (("yours", record.board), ("theirs", opponent)):
        rolls = [board[slot] for slot in range(1, size + 1)]
        cells = ["·" if roll is None else str(roll).replace("-", "−") for roll in rolls]
        grid.add_row(name, *cells, Entry(None, shown_number(board.score).replace("-", "−"), "bold"))
    return grid


def class_style(found: MoveClass) -> str:
    """The colour of a class; its mark says the same without colour."""
    return STYLES[found.name]


def counted_classes(counts: Mapping[str, int]) -> "Text":
    """How many moves are of each class, in one line."""
    from rich.text import Text

    counted = Text()
    for found in CLASSES:
        if count := counts[found.name]:
            counted.append(" · " if counted else "", "dim")
            counted.append(f"{count:,} {found.name}{found.mark and ' '}{found.mark}", class_style(found) or "not dim")
    return counted


def _moves(review: Review) -> Grid:
    is_duel = review.record.opponent is not None
    has_gifts = any(move.gift for move in review.moves)
    columns: list[str | Column] = ["roll", "slot", *(["theirs"] if is_duel else []), "best", "loss"]
    columns += [Column("", left=True, width=2), "luck", *(["gift"] if has_gifts else [])]
    columns.append(Column(words_of(review.aim.unit).expected))
    grid = table("", *columns, label=Column("round"))
    grid.head_style = "dim"
    theirs, unit = review.record.opponent.placements if review.record.opponent else (), review.aim.unit
    for number, move in enumerate(review.moves, start=1):
        style = class_style(move.move_class)
        grid.add_row(
            number,
            Entry(move.roll, str(move.roll), "bold"),
            move.slot,
            *([theirs[number - 1].slot] if is_duel else []),
            Entry(" ".join(map(str, move.best_slots)), _best(move), "dim" if not move.loss else None),
            Entry(float(move.loss), amount(move.loss, unit, is_narrow=True) if move.loss else "best", style),
            Entry(move.move_class.name, move.move_class.mark, style),
            Entry(float(move.luck), signed(move.luck, unit, is_narrow=True)),
            *([Entry(float(move.gift), signed(move.gift, unit, is_narrow=True))] if has_gifts else []),
            Entry(float(move.after), amount(move.after, unit, is_narrow=True), "dim"),
        )
    return grid


def _best(move: ReviewedMove) -> str:
    slots = [str(slot) for slot in move.best_slots]
    return ",".join(slots) if len(slots) <= MAX_LISTED else f"{slots[0]},…,{slots[-1]}"


def _account(review: Review) -> Account:
    """Where the score came from: value + luck - loss."""
    unit = review.aim.unit
    words = words_of(unit)

    def shown(worth: Worth) -> str:
        return amount(worth, unit, is_narrow=True)

    parts = [
        ("", "score", shown_number(review.end)) if review.ends_with_score else ("", words.expected, shown(review.end)),
        ("=", words.start, shown(review.start)),
        ("+" if review.luck >= 0 else "−", "luck", shown(abs(float(review.luck)))),
        ("−", "loss", shown(review.loss)),
    ]
    if review.gift:
        parts.append(("+" if review.gift > 0 else "−", "gifts", shown(abs(float(review.gift)))))
    return Account(tuple(Amount(*part) for part in parts))


def _facts(review: Review) -> "list[tuple[str, Any]]":
    from rich.text import Text

    unit = review.aim.unit
    facts: list[tuple[str, Any]] = []
    if review.skill is not None:
        lost = f"{amount(review.skill, unit, is_narrow=True)} {words_of(unit).name}"
        level = f": {review.level.name}" if review.level else ""
        facts.append(("skill", Text(f"{lost} lost a choice, {counted(review.choices, 'choice')}{level}")))
    if review.moves:
        facts.append(("moves", counted_classes(review.counts)))
    if review.optimal_score is not None and review.best_score is not None:
        scores = shown_number(review.optimal_score), shown_number(review.best_score)
        facts.append(("same rolls", Text(f"{scores[0]} by optimal, {scores[1]} the best possible")))
    if review.percentile is not None:
        share, score = 100 * float(review.percentile), shown_number(review.record.board.score)
        facts.append(("percentile", Text(f"{share:.1f}% of optimal's games end at {score} or less")))
    return facts


def mixes_grid(review: Review) -> Grid | None:
    """Both players' mixed moves, round by round; nothing where both had one best slot in all of them."""
    columns = Column("roll"), Column("best play", left=True), Column("the opponent's", left=True)
    grid = table("Mixed moves", *columns, label=Column("round"))
    for number, move in enumerate(review.moves, start=1):
        if move.mixes is not None and any(len(mix) > 1 for mix in move.mixes):
            grid.add_row(number, Entry(move.roll, shown_roll(move.roll)), *map(told_mix, move.mixes))
    return grid if grid.rows else None


def sparkline(values: Sequence[float | None]) -> str:
    """The course of some numbers in one line of text; where there is none, a gap."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    step = (high - low) / (len(BLOCKS) - 1) or 1.0
    return "".join(" " if value is None else BLOCKS[round((value - low) / step)] for value in values)
