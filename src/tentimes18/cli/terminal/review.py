"""The report of one played game: every move with what it lost and what was luck, and the sums."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tentimes18.cli.output import console
from tentimes18.coach.classes import CLASSES, MoveClass
from tentimes18.coach.review import Review, ReviewedMove
from tentimes18.coach.units import Worth
from tentimes18.show.figures import counted, shown_number
from tentimes18.show.words import amount, review_note, signed, words_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

__all__ = ["STYLES", "class_style", "counted_classes", "show_review"]

STYLES: Final = {
    "best": "green",
    "fine": "",
    "good": "",
    "inaccuracy": "yellow",
    "mistake": "dark_orange",
    "blunder": "bold red",
}
MAX_LISTED: Final = 6  # best slots in one cell


def show_review(review: Review, screen: "Console | None" = None) -> None:
    """Print a game move by move, and below it where the score came from."""
    from rich.text import Text

    screen = screen or console()
    if review.moves:
        screen.print(_moves(review))
    screen.print(_account(review))
    screen.print()
    for label, text in _facts(review):
        line = Text(f"  {label:<14}", style="dim")
        screen.print(line.append_text(text))
    if note := review_note(review.aim):
        screen.print(f"\n  {note}", style="dim")


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


def _moves(review: Review) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    is_duel = review.record.opponent is not None
    has_gifts = any(move.gift for move in review.moves)
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="dim")
    for name in ("round", "roll", "slot", *(["theirs"] if is_duel else []), "best", "loss"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("", justify="left", no_wrap=True, min_width=2)
    for name in ("luck", *(["gift"] if has_gifts else []), words_of(review.aim.unit).expected):
        grid.add_column(name, justify="right", no_wrap=True)
    theirs, unit = review.record.opponent.placements if review.record.opponent else (), review.aim.unit
    for number, move in enumerate(review.moves, start=1):
        style = class_style(move.move_class)
        grid.add_row(
            str(number),
            Text(str(move.roll), style="bold"),
            str(move.slot),
            *([str(theirs[number - 1].slot)] if is_duel else []),
            Text(_best(move), style="dim" if not move.loss else ""),
            Text(amount(move.loss, unit, is_narrow=True) if move.loss else "best", style=style),
            Text(move.move_class.mark, style=style),
            signed(move.luck, unit, is_narrow=True),
            *([signed(move.gift, unit, is_narrow=True)] if has_gifts else []),
            Text(amount(move.after, unit, is_narrow=True), style="dim"),
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
