"""Sheets for a class, as PDFs of A4 pages: boards, the strategy card, and worksheets with their answers.

A worksheet and its answers are the same page: what a pupil has to find is a `Blank`, drawn as an empty box or with the
number in it. The numbers are those of the solver; the texts are in `sheets.toml`.
"""

import re
import tomllib
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias

from tentimes18.coach.review import review
from tentimes18.dice import Dice
from tentimes18.game import Board, Game
from tentimes18.pictures.colours import INK, QUIET, SUNK, WHITE, colour_of, tint
from tentimes18.pictures.strategy_card import (
    HEIGHT,
    LEADING,
    MARGIN,
    RIGHT,
    WIDTH,
    Mark,
    Rectangle,
    Text,
    inside,
    make_card,
    page,
    pdf,
    text_lines,
    text_width,
    wrapped,
)
from tentimes18.records.notation import parse_record
from tentimes18.solve.thresholds import exact_thresholds
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_distribution

Language: TypeAlias = Literal["en", "de"]

SIZE = 4.0  # of the type, in millimetres
GAP = 4.0
BOX = 9.0
GAMES = {"Lulu": "1d6 1-3: 4@3 2@1 6@2", "Tim": "1d6 1-3: 4@2 2@1 6@3"}
_WORDS: dict[str, Any] = tomllib.loads(files("tentimes18.pictures").joinpath("sheets.toml").read_text(encoding="utf-8"))


class Blank(NamedTuple):
    """What a pupil has to find."""

    answer: str


Cell: TypeAlias = str | Blank


def mixed(value: Fraction | int | float) -> str:
    """A number as pupils write it.

    >>> [mixed(Fraction(text)) for text in ("11/4", "7/3", "-1/6", "21")]
    ['2.75', '2 1/3', '–1/6', '21']
    """
    number = Fraction(value)
    if number < 0:
        return f"–{mixed(-number)}"
    whole, part = divmod(number, 1)
    if 100 % number.denominator == 0:
        return f"{float(number):g}"
    return f"{whole} {part}" if whole else str(part)


@dataclass
class Sheet:
    """A page that is filled from top to bottom; ``y`` is where the next part begins."""

    language: Language
    has_answers: bool = False
    y: float = 46.0
    marks: list[Mark] = field(default_factory=lambda: [Rectangle(0, 0, WIDTH, HEIGHT, fill=WHITE)])

    def say(self, key: str, **values: object) -> Any:
        """A text, or a list of texts."""
        words = _WORDS[self.language][key]
        return words.format(**values) if values else words

    def heading(self, title: str, rule: str) -> None:
        self.marks += [
            Text(MARGIN, 22, self.say("answers", title=title) if self.has_answers else title, 8.6, bold=True),
            Text(MARGIN, 29.2, rule, min(SIZE, (RIGHT - MARGIN) / text_width(rule, 1)), colour=QUIET),
            Rectangle(MARGIN, 34, RIGHT - MARGIN, 0.35, fill=INK),
            Text(MARGIN, HEIGHT - 9, "Ten times eighteen", 2.8, colour=QUIET),
        ]

    def text(self, name: str, *, bold: bool = False) -> None:
        size = SIZE * (1.2 if bold else 1)
        self.y += 1.5 * GAP * bold
        lines = wrapped(_WORDS[self.language].get(name, name), size, RIGHT - MARGIN)
        self.marks += [line._replace(bold=bold) for line in text_lines(lines, MARGIN, self.y, size)]
        self.y += (len(lines) - 1) * size * LEADING + GAP * (1.75 if bold else 1)

    def box(self, x: float, width: float, cell: Cell) -> None:
        """A cell of a table, or a place to write."""
        shown = cell if isinstance(cell, str) else cell.answer if self.has_answers else ""
        fill = SUNK if isinstance(cell, str) else colour_of("felt-soft") if self.has_answers else WHITE
        frame = Rectangle(x, self.y, width, BOX, fill=fill, stroke=INK)
        size = min(SIZE, width / text_width(shown, 1, 0.8))
        self.marks += [frame, inside(frame, shown, size, bold=isinstance(cell, Blank))]

    def ask(self, name: str, *answers: Fraction | str, width: float = 27.0) -> None:
        """A question, with a box at its right for each answer."""
        left = RIGHT - len(answers) * (width + 2)
        lines = wrapped(self.say(name), SIZE, left - MARGIN - GAP)
        self.marks += text_lines(lines, MARGIN, self.y + (5.9 if len(lines) == 1 else 3.2), SIZE)
        for number, answer in enumerate(answers, start=1):
            shown = answer if isinstance(answer, str) else mixed(answer)
            self.box(left + 2 * number + (number - 1) * width, width, Blank(shown))
        self.y += BOX + GAP

    def table(self, widths: Sequence[float], rows: Iterable[Sequence[Cell]]) -> None:
        for row in rows:
            for number, (width, cell) in enumerate(zip(widths, row, strict=True)):
                self.box(MARGIN + sum(widths[:number]), width, cell)
            self.y += BOX
        self.y += GAP * 1.5

    def board(self, x: float, y: float, width: float, multipliers: Sequence[int]) -> None:
        """A blank board: a row for the rolls, the multipliers, a row for the points, and a box for their sum."""
        label, total = 13.0, 20.0
        step = (width - label - total) / len(multipliers)
        self.marks += [Text(x, y + 8.5, self.say("roll"), 3.0), Text(x, y + 26.5, self.say("points"), 3.0)]
        for number, multiplier in enumerate(multipliers):
            left = x + label + number * step
            name = Rectangle(left, y + 13, step, 7, fill=tint(number + 1, len(multipliers)), stroke=INK)
            self.marks += [Rectangle(left, top, step, height, stroke=INK) for top, height in ((y, 13), (y + 20, 10))]
            self.marks += [name, inside(name, f"×{multiplier}", 4.4, bold=True)]
        right = x + width - total + 2
        self.marks.append(Text(right, y + 17.6, self.say("score"), 3.0))
        self.marks.append(Rectangle(right, y + 20, total - 2, 10, stroke=INK))


def boards(language: Language, slots: int) -> Sheet:
    sheet = Sheet(language)
    dice = sheet.say("one-die" if slots == 3 else "three-dice")
    sheet.heading(sheet.say("boards-title", slots=slots), sheet.say("boards-rule", slots=slots, dice=dice))
    across = 1 if slots > 5 else 2
    width = (RIGHT - MARGIN - 8 * (across - 1)) / across
    for row in range(5):
        for column in range(across):
            sheet.board(MARGIN + column * (width + 8), 46 + row * 48, width, range(1, slots + 1))
    return sheet


def card(language: Language) -> Sheet:
    """The strategy of the game with three dice and ten slots."""

    def translate(text: str) -> str:
        german: str = _WORDS["de"]["card"].get(text, re.sub(r"^(\d+)(st|nd|rd|th)$", r"\1.", text))
        return german

    return Sheet(language, marks=page(make_card(Game.classic(), translate if language == "de" else str)))


def by_hand(language: Language, *, has_answers: bool) -> Sheet:
    """The table of one die, from one slot to four."""
    sheet, thresholds = Sheet(language, has_answers), exact_thresholds(Dice.parse("1d6"), 4)
    sheet.heading(sheet.say("by-hand-title"), sheet.say("by-hand-rule"))
    sheet.text("step-1", bold=True)
    sheet.ask("step-1-ask", thresholds[0][0])
    for slots in (2, 3):
        sheet.text(f"step-{slots}", bold=True)
        sheet.text(f"step-{slots}-text")
        sheet.table((40, *[18.0] * 6, 34), _step(sheet, list(thresholds[slots - 2]), sheet.say(f"names-{slots}")))
    sheet.text("step-4", bold=True)
    points = score_distribution(Board(Game.parse("1d6", "1-3")), named("optimal")).mean
    sheet.ask("step-4-ask", Fraction(points))
    sheet.ask("step-4-random", Fraction(21))
    sheet.ask("step-4-harder", *thresholds[3])
    return sheet


def _step(sheet: Sheet, row: Sequence[Fraction], names: Sequence[str]) -> Iterator[Sequence[Cell]]:
    """The table of a step; ``row`` is what the other slots expect: E[i] = E[clamp(X, E[i - 1], E[i])]."""
    rolls = [Fraction(roll) for roll in range(1, 7)]
    yield sheet.say("your-roll"), *map(str, rolls), sheet.say("average")
    yield sheet.say("its-slot"), *(Blank(names[bisect(row, roll)]) for roll in rolls), ""
    ends = [Fraction(0), *row, Fraction(7)]
    for name, low, high in zip(names, ends, ends[1:], strict=False):
        values = [min(max(roll, low), high) for roll in rolls]
        yield sheet.say("slot", name=name), *(Blank(mixed(x)) for x in values), Blank(mixed(sum(values) / Fraction(6)))


def house_number(language: Language, *, has_answers: bool) -> Sheet:
    """House number: the slots 1, 10 and 100, and the strategy of the slots 1, 2 and 3."""
    sheet, game = Sheet(language, has_answers), Game.parse("1d6", "1,10,100")
    sheet.heading(sheet.say("house-title"), sheet.say("house-rule"))
    places = [sheet.say(name) for name in ("ones", "tens", "hundreds")]
    sheet.text("house-play", bold=True)
    for number in range(12):
        left = MARGIN + number * 13.5 + number // 3 * 6.6
        sheet.marks.append(Rectangle(left, sheet.y, 13.5, 15, stroke=INK))
        sheet.marks.append(Text(left + 6.75, sheet.y + 19, places[2 - number % 3], 2.6, align="center", colour=QUIET))
    sheet.y += 25
    sheet.text("house-vote", bold=True)
    first, second = _places(game, places), _places(game, places[::2])
    sheet.ask("house-vote-ask", first[3], width=34)
    sheet.y += GAP
    sheet.text("house-table")
    rows = [("house-three", first), ("house-two", second)]
    cells = [[sheet.say(name), *map(Blank, row)] for name, row in rows]
    sheet.table((38, *[24.0] * 6), [[sheet.say("your-roll"), *"123456"], *cells])
    sheet.ask("house-points", Fraction(score_distribution(Board(game), named("optimal")).mean))
    sheet.ask("house-random", game.dice.mean * sum(game.multipliers))
    sheet.text("house-end", bold=True)
    small = _places(Game.parse("1d6", "1-3"), places)
    sheet.ask("house-differ", str(sum(one != other for one, other in zip(first, small, strict=True))))
    sheet.ask("house-why", sheet.say("house-order"), width=40)
    return sheet


def _places(game: Game, names: Sequence[str]) -> list[str]:
    """Where each roll goes if these slots are free, from the lowest."""
    row = list(exact_thresholds(game.dice, 2)[len(names) - 2])
    return [names[bisect(row, roll)] for roll in game.dice.support]


def luck(language: Language, *, has_answers: bool) -> Sheet:
    """Two games on the same rolls, split into luck and mistakes."""
    sheet = Sheet(language, has_answers)
    sheet.heading(sheet.say("luck-title"), sheet.say("luck-rule"))
    sheet.text("luck-text")
    reviews = {name: review(parse_record(text)) for name, text in GAMES.items()}
    for name, game in reviews.items():
        sheet.text(name, bold=True)
        rows: list[list[Cell]] = [sheet.say("luck-heads"), [sheet.say("luck-start"), mixed(game.start), "", ""]]
        for move in game.moves:
            best = Blank(mixed(move.before + move.luck))
            rows.append([sheet.say("luck-rolls", name=name, roll=move.roll), best, Blank(mixed(move.luck)), ""])
            after, cost = Blank(mixed(move.after)), Blank(mixed(move.loss))
            rows.append([sheet.say("luck-places", name=name, slot=move.slot), after, "", cost])
        rows.append([sheet.say("luck-sums"), *(Blank(mixed(sum_)) for sum_ in (game.end, game.luck, game.loss))])
        sheet.table((74, 36, 36, 36), rows)
    sheet.ask("luck-ask", min(reviews, key=lambda name: reviews[name].loss))
    return sheet


def sheets(language: Language) -> dict[str, bytes]:
    """All sheets as PDFs, by their file names; the same bytes every time."""
    pages = {f"boards-{slots}": boards(language, slots) for slots in (3, 5, 10)} | {"strategy-card": card(language)}
    for name, draw in (("by-hand", by_hand), ("house-number", house_number), ("luck", luck)):
        pages |= {name: draw(language, has_answers=False), f"{name}-answers": draw(language, has_answers=True)}
    return {f"{name}.pdf": pdf(_printed(sheet), f"Ten times eighteen: {name}") for name, sheet in pages.items()}


def _printed(sheet: Sheet) -> list[Mark]:
    """The marks of a sheet, with decimal commas in German."""
    if sheet.language == "en":
        return sheet.marks
    comma = re.compile(r"(?<=\d)\.(?=\d)")
    return [mark._replace(text=comma.sub(",", mark.text)) if isinstance(mark, Text) else mark for mark in sheet.marks]
