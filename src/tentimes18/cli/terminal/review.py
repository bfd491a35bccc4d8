"""The report of one played game: every move with what it lost and what was luck, and the sums."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from tentimes18.cli.results import Part
from tentimes18.cli.tables import Column, Entry, Grid, table
from tentimes18.coach.classes import CLASSES, MoveClass
from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.coach.units import Worth
from tentimes18.show.figures import counted, shown_number
from tentimes18.show.words import amount, review_note, signed, words_of

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

__all__ = ["STYLES", "class_style", "counted_classes", "review_page"]

STYLES: Final = {
    "best": "green",
    "fine": "",
    "good": "",
    "inaccuracy": "yellow",
    "mistake": "dark_orange",
    "blunder": "bold red",
}
MAX_LISTED: Final = 6  # best slots in one cell


def review_page(review: Review) -> Iterator[Part]:
    """A game move by move, and below it where the score came from."""
    from rich.text import Text

    if review.moves:
        yield _moves(review)
    yield _account(review)
    yield ""
    for label, text in _facts(review):
        yield Text(f"  {label:<14}", style="dim").append_text(text)
    if note := review_note(review.aim):
        yield Text(f"\n  {note}", style="dim")


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
    columns += [Column("", "class", left=True, width=2), "luck", *(["gift"] if has_gifts else [])]
    columns.append(Column(words_of(review.aim.unit).expected, "expected"))
    grid = table("", *columns, label=Column("round"), name="moves")
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


def _account(review: Review) -> "Table":
    """Where the score came from: value + luck - loss."""
    from rich.table import Table

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
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=1)
    for _ in parts:
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(justify="right", no_wrap=True)
    names, amounts = [""], [""]
    for sign, name, number in parts:
        names += ["", name]
        amounts += [sign, number]
    grid.add_row(*names, style="dim")
    grid.add_row(*amounts, style="bold")
    return grid


def _facts(review: Review) -> "list[tuple[str, Any]]":
    from rich.text import Text

    unit = review.aim.unit
    facts: list[tuple[str, Any]] = []
    if review.skill is not None:
        lost = f"{amount(review.skill, unit, is_narrow=True)} {words_of(unit).name}"
        facts.append(("skill", Text(f"{lost} lost a choice, {counted(review.choices, 'choice')}")))
    if review.moves:
        facts.append(("moves", counted_classes(review.counts)))
    if review.optimal_score is not None and review.best_score is not None:
        scores = shown_number(review.optimal_score), shown_number(review.best_score)
        facts.append(("same rolls", Text(f"{scores[0]} by optimal, {scores[1]} the best possible")))
    if review.percentile is not None:
        share, score = 100 * float(review.percentile), shown_number(review.record.board.score)
        facts.append(("percentile", Text(f"{share:.1f} % of optimal's games end at {score} or less")))
    return facts
