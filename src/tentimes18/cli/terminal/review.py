"""The report of one played game: every move with what it lost and what was luck, and the sums."""

from typing import TYPE_CHECKING, Any, Final

from tentimes18.cli.output import console
from tentimes18.coach.classes import CLASSES
from tentimes18.coach.units import Unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tentimes18.coach.classes import MoveClass
    from tentimes18.coach.review import Review, ReviewedMove
    from tentimes18.coach.units import Worth
    from tentimes18.game import Number

__all__ = ["STYLES", "class_name", "class_style", "counted_classes", "show_review", "shown_loss", "shown_number"]

STYLES: Final = {
    "best": "green",
    "fine": "",
    "good": "",
    "inaccuracy": "yellow",
    "mistake": "dark_orange",
    "blunder": "bold red",
}
MAX_LISTED: Final = 6  # best slots in one cell


def show_review(review: "Review", screen: "Console | None" = None) -> None:
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
    if review.aim.unit is Unit.chance:
        screen.print(f"\n  Measured by {_aim(review)}; losses in percent.", style="dim")


def shown_number(value: "Number | Worth", digits: int = 2) -> str:
    """A score or a multiplier, short enough for a cell.

    >>> from fractions import Fraction
    >>> shown_number(44), shown_number(Fraction(7, 2)), shown_number(10**12)
    ('44', '3.5', '1e+12')
    """
    number = float(value)
    if value == int(value) and abs(number) < 10**7:
        return str(int(value))
    if abs(number) >= 10**7:
        return f"{number:.4g}"
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def shown_loss(loss: "Worth", unit: Unit, digits: int = 1) -> str:
    """What a move loses, in words.

    >>> from fractions import Fraction
    >>> shown_loss(Fraction(16, 5), Unit.points), shown_loss(0.031, Unit.chance)
    ('3.2 points', '3.1 percentage points')
    """
    counted = unit.counted(loss)
    while 0 < counted < 10**-digits and digits < 5:
        digits += 1
    text = f"{counted:.{digits}f}" if counted >= 10**-digits or not counted else "next to nothing"
    if text == "next to nothing":
        return text
    if unit is Unit.chance:
        return f"{text} percentage points"
    return f"{text} point{'' if float(text) == 1 else 's'}"


def class_name(found: "MoveClass") -> str:
    """A class with its mark, as in a sentence.

    >>> class_name(CLASSES[4]), class_name(CLASSES[2])
    ('a mistake ?', 'good')
    """
    if not found.mark:
        return found.name
    article = "an" if found.name[0] in "aeiou" else "a"
    return f"{article} {found.name} {found.mark}"


def class_style(found: "MoveClass") -> str:
    """The colour of a class; its mark says the same without colour."""
    return STYLES[found.name]


def counted_classes(counts: "Mapping[str, int]") -> "Text":
    """How many moves are of each class, in one line."""
    from rich.text import Text

    counted = Text()
    for found in CLASSES:
        if count := counts[found.name]:
            counted.append(" · " if counted else "", "dim")
            counted.append(f"{count:,} {found.name}{found.mark and ' '}{found.mark}", class_style(found) or "not dim")
    return counted


def _moves(review: "Review") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    is_duel = review.record.opponent is not None
    has_gifts = any(move.gift for move in review.moves)
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="dim")
    for name in ("round", "roll", "slot", *(["theirs"] if is_duel else []), "best", "loss"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("", justify="left", no_wrap=True, min_width=2)
    for name in ("luck", *(["gift"] if has_gifts else []), "chance" if review.aim.unit is Unit.chance else "expected"):
        grid.add_column(name, justify="right", no_wrap=True)
    theirs = review.record.opponent.placements if review.record.opponent else ()
    for number, move in enumerate(review.moves, start=1):
        style = class_style(move.move_class)
        grid.add_row(
            str(number),
            Text(str(move.roll), style="bold"),
            str(move.slot),
            *([str(theirs[number - 1].slot)] if is_duel else []),
            Text(_best(move), style="dim" if not move.loss else ""),
            Text(_worth(move.loss, review) if move.loss else "best", style=style),
            Text(move.move_class.mark, style=style),
            _signed(move.luck, review),
            *([_signed(move.gift, review)] if has_gifts else []),
            Text(_worth(move.after, review), style="dim"),
        )
    return grid


def _best(move: "ReviewedMove") -> str:
    slots = [str(slot) for slot in move.best_slots]
    return ",".join(slots) if len(slots) <= MAX_LISTED else f"{slots[0]},…,{slots[-1]}"


def _account(review: "Review") -> "Table":
    """Where the score came from: value + luck - loss."""
    from rich.table import Table

    is_chance = review.aim.unit is Unit.chance
    is_score = review.record.finished and not is_chance
    end = "chance" if is_chance else "score" if is_score else "expected"
    parts = [
        ("", end, shown_number(review.end) if is_score else _worth(review.end, review)),
        ("=", "chance at start" if is_chance else "value of the game", _worth(review.start, review)),
        ("+" if review.luck >= 0 else "−", "luck", _worth(abs(float(review.luck)), review)),
        ("−", "loss", _worth(review.loss, review)),
    ]
    if review.gift:
        parts.append(("+" if review.gift > 0 else "−", "gifts", _worth(abs(float(review.gift)), review)))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=1)
    for _ in parts:
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(justify="right", no_wrap=True)
    names, amounts = [""], [""]
    for sign, name, amount in parts:
        names += ["", name]
        amounts += [sign, amount]
    grid.add_row(*names, style="dim")
    grid.add_row(*amounts, style="bold")
    return grid


def _facts(review: "Review") -> "list[tuple[str, Any]]":
    from rich.text import Text

    unit = "percentage points" if review.aim.unit is Unit.chance else "points"
    facts: list[tuple[str, Any]] = []
    if review.skill is not None:
        choices = f"{review.choices} choice{'' if review.choices == 1 else 's'}"
        facts.append(("skill", Text(f"{_worth(review.skill, review)} {unit} lost a choice, {choices}")))
    if review.moves:
        facts.append(("moves", counted_classes(review.counts)))
    if review.optimal_score is not None and review.best_score is not None:
        scores = shown_number(review.optimal_score), shown_number(review.best_score)
        facts.append(("same rolls", Text(f"{scores[0]} by optimal, {scores[1]} the best possible")))
    if review.percentile is not None:
        share, score = 100 * float(review.percentile), shown_number(review.record.board.score)
        facts.append(("percentile", Text(f"{share:.1f} % of optimal's games end at {score} or less")))
    return facts


def _aim(review: "Review") -> str:
    kind, _, rest = review.aim.name.partition(":")
    if kind == "target":
        return f"the chance of {rest} points or more"
    return f"the chance to win against {rest or 'the best play'}, draws by half"


def _worth(worth: "Worth", review: "Review") -> str:
    """Two digits after the point, or what it takes to see that it is not nothing."""
    counted = float(100 * worth if review.aim.unit is Unit.chance else worth)
    if abs(counted) >= 10**7:
        return f"{counted:.6g}"
    return "<0.01" if 0 < counted < 0.005 else f"{counted:.2f}"


def _signed(worth: "Worth", review: "Review") -> str:
    text = _worth(abs(float(worth)), review)
    return text if not worth else f"{'+' if worth > 0 else '−'}{text}"
