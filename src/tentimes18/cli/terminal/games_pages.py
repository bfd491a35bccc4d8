"""The report of one played game, with what each move lost and what was luck; the report of many; a list of games."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tentimes18 import wording
from tentimes18.cli.command import Part
from tentimes18.cli.grid import GAPS, ByWidth, Column, Entry, Grid, table
from tentimes18.cli.output import printable, styled
from tentimes18.coach.aims import played_for, takebacks_of
from tentimes18.coach.losses import CLASSES, MoveClass, Unit, Worth
from tentimes18.coach.review import Review
from tentimes18.number_format import counted, share, shown_number, shown_roll, times
from tentimes18.queries.games import UNKNOWN, GameMeasures, measures_of
from tentimes18.records.formats import Line
from tentimes18.records.notation import Record

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from tentimes18.coach.summary import MeasuredGames, Summary


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


def review_page(review: Review) -> Iterator[Part]:
    if review.moves:
        yield _moves(review)
    if (mixed := mixes_grid(review)) is not None:
        yield mixed
    yield _account(review)
    yield ""
    for label, text in _facts(review):
        yield labelled(f"  {label}", text, 16)
    if remarks := [*wording.notes(review), *([note] if (note := wording.review_note(review.aim)) else [])]:
        yield ""
        yield from (labelled("", styled(note, "dim"), 2) for note in remarks)


def labelled(label: str, text: "Text", width: int) -> "Table":
    """A text beside its label, over several lines if need be."""
    from rich.table import Table

    grid = Table.grid()
    grid.add_column(width=width, no_wrap=True)
    grid.add_column()
    grid.add_row(styled(label, "dim"), text)
    return grid


def boards_grid(record: Record) -> Grid | None:
    opponent, size = record.opponent, record.board.game.size
    if opponent is None or size > MAX_BOARD:
        return None
    grid = table("", *map(times, record.board.game.multipliers), "score", label="")
    grid.head_style = "dim"
    for name, board in (("yours", record.board), ("theirs", opponent)):
        rolls = [board[slot] for slot in range(1, size + 1)]
        cells = ["·" if roll is None else shown_roll(roll) for roll in rolls]
        grid.add_row(name, *cells, Entry(None, shown_number(board.score), "bold"))
    return grid


def class_style(move_class: MoveClass) -> str:
    return STYLES[move_class.name]


def counted_classes(counts: Mapping[str, int]) -> "Text":
    counted = styled()
    for move_class in CLASSES:
        if count := counts[move_class.name]:
            counted.append(" · " if counted else "", "dim")
            counted.append(
                f"{count:,} {move_class.name}{move_class.mark and ' '}{move_class.mark}",
                class_style(move_class) or "not dim",
            )
    return counted


def _moves(review: Review) -> Grid:
    is_duel = review.record.opponent is not None
    has_gifts = any(move.gift for move in review.moves)
    columns: list[str | Column] = ["roll", "slot", *(["theirs"] if is_duel else []), "best", "loss"]
    columns += [Column("", left=True, width=2), "luck", *(["gift"] if has_gifts else [])]
    columns.append(Column(wording.words_of(review.aim.unit).expected))
    grid = table("", *columns, label=Column("round"))
    grid.head_style = "dim"
    theirs, unit = review.record.opponent.placements if review.record.opponent else (), review.aim.unit
    for place, move in enumerate(review.moves, start=1):
        style, best = class_style(move.move_class), list(map(str, move.best_slots))
        shown = ",".join(best) if len(best) <= MAX_LISTED else f"{best[0]},…,{best[-1]}"
        grid.add_row(
            place,
            Entry(move.roll, str(move.roll), "bold"),
            move.slot,
            *([theirs[place - 1].slot] if is_duel else []),
            Entry(" ".join(best), shown, "dim" if not move.loss else None),
            Entry(float(move.loss), wording.amount(move.loss, unit, is_narrow=True) if move.loss else "best", style),
            Entry(move.move_class.name, move.move_class.mark, style),
            Entry(float(move.luck), wording.signed(move.luck, unit, is_narrow=True)),
            *([Entry(float(move.gift), wording.signed(move.gift, unit, is_narrow=True))] if has_gifts else []),
            Entry(float(move.after), wording.amount(move.after, unit, is_narrow=True), "dim"),
        )
    return grid


def _account(review: Review) -> ByWidth:
    """How the luck and the loss lead from the start to the end of a game."""
    unit = review.aim.unit
    words = wording.words_of(unit)

    def shown(worth: Worth) -> str:
        return wording.amount(worth, unit, is_narrow=True)

    parts = [
        ("", "score", shown_number(review.end)) if review.ends_with_score else ("", words.expected, shown(review.end)),
        ("=", words.start, shown(review.start)),
        ("+" if review.luck >= 0 else "−", "luck", shown(abs(float(review.luck)))),
        ("−", "loss", shown(review.loss)),
    ]
    if review.gift:
        parts.append(("+" if review.gift > 0 else "−", "gifts", shown(abs(float(review.gift)))))
    return ByWidth(partial(sum_of_parts, parts))


def sum_of_parts(parts: Sequence[tuple[str, str, str]], available: int) -> "Iterator[Text]":
    """Parts (sign, name, number): each number below its name, side by side, or one per line if that is too wide."""
    widths = [max(len(name), len(number)) for _, name, number in parts]
    names = " ".join(f"  {name:>{width}}" for (_, name, _), width in zip(parts, widths, strict=True))
    numbers = " ".join(f"{sign:1} {number:>{width}}" for (sign, _, number), width in zip(parts, widths, strict=True))
    if max(len(names), len(numbers)) < available:
        yield styled(f" {names}".rstrip(), "dim", no_wrap=True)
        yield styled(f" {numbers}".rstrip(), "bold", no_wrap=True)
        return
    name_width, width = (max(len(part[place]) for part in parts) for place in (1, 2))
    for sign, name, value in parts:
        line = styled(f" {sign:1} ", "bold", no_wrap=True)
        yield line.append(f"{name:<{name_width}}  ", "dim not bold").append(f"{value:>{width}}")


def _facts(review: Review) -> "list[tuple[str, Any]]":
    unit = review.aim.unit
    facts: list[tuple[str, Any]] = []
    if review.skill is not None:
        lost = f"{wording.amount(review.skill, unit, is_narrow=True)} {wording.words_of(unit).name}"
        level = f": {review.level.name}" if review.level else ""
        facts.append(("skill", styled(f"{lost} lost per decision ({counted(review.choices, 'decision')}){level}")))
    if review.moves:
        facts.append(("moves", counted_classes(review.counts)))
    if review.optimal_score is not None and review.best_score is not None:
        scores = shown_number(review.optimal_score), shown_number(review.best_score)
        facts.append(("same rolls", styled(f"{scores[0]} by optimal, {scores[1]} the best possible")))
    if review.percentile is not None:
        share, score = 100 * float(review.percentile), shown_number(review.record.board.score)
        facts.append(("percentile", styled(f"{share:.1f}% of optimal's games end at {score} or less")))
    return facts


def mixes_grid(review: Review) -> Grid | None:
    rows = [
        (place, shown_roll(move.roll), *map(wording.mix_text, move.mixes))
        for place, move in enumerate(review.moves, start=1)
        if move.mixes is not None and any(len(mix) > 1 for mix in move.mixes)
    ]
    columns = "roll", Column("best play", left=True), Column("the opponent's", left=True)
    return table("Mixed moves", *columns, label=Column("round"), rows=rows) if rows else None


def sparkline(values: Sequence[float | None]) -> str:
    """Numbers over time in one line of text, with gaps for None."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    step = (high - low) / (len(BLOCKS) - 1) or 1.0
    return "".join(" " if value is None else BLOCKS[round((value - low) / step)] for value in values)


def summary_page(games: "MeasuredGames") -> Iterator[Part]:
    summary, unit = games.summary, games.summary.aim.unit
    yield _sums(games)
    remarks = [*([note] if (note := wording.summary_note(summary.aim)) else []), *wording.kind_notes(games)]
    yield from remarks
    if remarks:
        yield ""
    yield _classes(summary)
    if rounds := summary.rounds:
        heads = Column("decisions", form=","), "loss per decision", "errors"
        rows = [
            (one.round, one.choices, wording.fixed(one.mean_loss, unit, 3), share(one.error_rate)) for one in rounds
        ]
        yield table("Moves by round", *heads, label="round", rows=rows)
    if moves := summary.costliest:
        title = "The costliest moves, with the line of the game"
        lost = [(one.game, one.round, one.roll, one.slot, one.best, wording.fixed(one.loss, unit)) for one in moves]
        yield table(title, "round", "roll", "slot", "best", "loss", label="game", rows=lost)
    yield from _progress(summary)


def _sums(games: "MeasuredGames") -> Grid:
    summary, level = games.summary, games.level
    finished = "" if summary.finished == summary.games else f", {summary.finished:,} finished"
    practice = ", practice" if games.is_practice else ""
    title = f"{counted(summary.games, 'game')} of {summary.game}{practice}{finished}"
    grid = table(title, "per game", label=Column("", left=True))
    for place, (name, value) in enumerate(summary.means.items()):
        grid.add_row(name, wording.fixed(value, Unit.points), style="bold" if place == 0 else None)
    unit = summary.aim.unit
    in_percent = wording.words_of(unit).in_percent
    grid.add_row(f"luck{in_percent}", wording.fixed(summary.mean_luck, unit, is_change=True))
    grid.add_row(f"loss{in_percent}", wording.fixed(summary.mean_loss, unit))
    if summary.skill is not None and summary.error_rate is not None:
        grid.add_row(f"skill: loss{in_percent} per decision", wording.fixed(summary.skill, unit, 3))
        if level is not None:
            grid.add_row("level", level.name)
        grid.add_row("errors, of all decisions", share(summary.error_rate))
    return grid


def _classes(summary: "Summary") -> Grid:
    grid = table("Moves by class", Column("", left=True), Column("moves", form=","), "share", label="class")
    for move_class in CLASSES:
        count = summary.classes[move_class.name]
        part = share(count / summary.moves) if summary.moves else ""
        grid.add_row(move_class.name, move_class.mark, count, part, style=class_style(move_class) if count else None)
    return grid


def _progress(summary: "Summary") -> "Iterator[Text | str]":
    skills = [None if part.skill is None else summary.aim.unit.counted(part.skill) for part in summary.progress]
    courses = [
        (name, values, digits)
        for name, values, digits in (
            ("loss per decision", skills, 2),
            ("mean score", [part.mean_score for part in summary.progress], 0),
        )
        if sum(value is not None for value in values) > 1
    ]
    if not courses:
        return
    first, last = summary.progress[0], summary.progress[-1]
    longest = max(part.last - part.first + 1 for part in summary.progress)
    steps = "game by game" if longest == 1 else f"by {longest:,} games"
    yield styled(f"Progress from game {first.first:,} to {last.last:,}, {steps}", "bold")
    for name, values, digits in courses:
        known = [value for value in values if value is not None]
        ends = " → ".join(f"{value:z.{digits}f}".replace("-", "−") for value in (known[0], known[-1]))
        yield f"  {name:<18}{sparkline(values)}  {ends}"
    yield ""


SHOWN = 10
BY_THE_MEAN = "*"
PRACTICE = "p"
MEANINGS = {
    BY_THE_MEAN: "played for another aim, measured by the expected final score",
    PRACTICE: "moves were taken back: practice, which is counted separately",
}
# What is left out where there is no room, the least important first; numbers never are.
DISPENSABLE = ("level", "name", "time", "against", "date", "game", "for", "result")
MAX_LETTERS = 14  # letters of a text on a terminal that is too narrow for all of it


def games_page(lines: Sequence[Line], kinds: "Sequence[MeasuredGames]", *, is_all: bool) -> Iterator[Part]:
    shown = lines[-SHOWN:]
    title = "Your games"
    if len(shown) < len(lines):
        title = f"Your last {len(shown)} games of {len(lines):,}"
    elif not is_all:
        title = f"Your last {len(shown)} games" if len(shown) > 1 else "Your last game"
    rows = _rows(shown, kinds)
    shortened = ((DISPENSABLE[:count], MAX_LETTERS) for count in range(len(DISPENSABLE) + 1))
    grids = [_games(title, rows, without, longest) for without, longest in (((), None), *shortened)]
    yield ByWidth(lambda available: [next((grid for grid in grids if grid.width(GAPS[-1]) <= available), grids[-1])])
    marks = set("".join(row.mark for row in rows))
    for mark, meaning in MEANINGS.items():
        if mark in marks:
            yield labelled(f" {mark}", styled(meaning, "dim"), 3)
    if marks:
        yield ""
    for games in kinds:
        yield from _kind(games)


class _Row(NamedTuple):
    line: Line
    measured: GameMeasures
    unit: Unit
    mark: str


def _rows(lines: Sequence[Line], kinds: "Sequence[MeasuredGames]") -> list[_Row]:
    numbers = {line.number for line in lines}
    measures = measures_of(kinds, numbers)
    units = {line.number: games.summary.aim.unit for games in kinds for line in games.lines if line.number in numbers}
    rows = []
    for line in lines:
        measured = measures.get(line.number, UNKNOWN)
        mark = PRACTICE if takebacks_of(line.record) else ""
        if measured.measured_by not in (None, played_for(line.record)):
            mark += BY_THE_MEAN
        rows.append(_Row(line, measured, units.get(line.number, Unit.points), mark))
    return rows


def _games(title: str, rows: Sequence[_Row], without: Sequence[str], longest: int | None) -> Grid:
    """Games, one per row; a column that is empty or the same in every row is left out."""
    names = [_tag(row.line.record, "name") for row in rows]
    games, aims = [str(row.line.record.board.game) for row in rows], [played_for(row.line.record) for row in rows]
    words = {
        "": [row.mark for row in rows],
        "date": [wording.shown_date(row.line.record)[: 10 if "time" in without else None] for row in rows],
        "name": names if len(set(names)) > 1 else [],
        "game": games if len(set(games)) > 1 else [],
        "for": [] if set(aims) == {"mean"} else aims,
        "against": [_tag(row.line.record, "against") for row in rows],
        "result": [wording.result_of(row.line.record) or "" for row in rows],
    }
    numbers = {
        "score": [shown_number(row.line.record.board.score) for row in rows],
        "loss": [_measure(row, row.measured.loss) for row in rows],
        "luck": [_measure(row, row.measured.luck, is_change=True) for row in rows],
        "skill": [_measure(row, row.measured.skill) for row in rows],
    }
    last = {"level": [row.measured.level or "" for row in rows]}

    def cut(text: str) -> str:
        return text if longest is None or len(text) <= longest else f"{text[: longest - 1]}…"

    kept = {
        head: list(map(cut, column)) if head in words else column
        for head, column in (words | numbers | last).items()
        if head not in without and (any(column) or head in numbers)
    }
    columns = (Column(head, left=head not in numbers) for head in kept)
    lines = zip((row.line.number for row in rows), *kept.values(), strict=True)
    grid = table(title, *columns, label=Column("no."), rows=lines)
    grid.head_style = "dim"
    return grid


def _tag(record: Record, name: str) -> str:
    """A tag on one line, without control characters."""
    return " ".join(printable(str(record.tags.get(name, "")), " ").split())


def _measure(row: _Row, measured: float | None, *, is_change: bool = False) -> str:
    if measured is None:
        return ""
    return wording.fixed(measured, row.unit, is_change=is_change) + wording.words_of(row.unit).sign


def _kind(games: "MeasuredGames") -> Iterator[Part]:
    summary, unit = games.summary, games.summary.aim.unit
    aim = [] if games.played_for == "mean" else [f"for {games.played_for[:60]}"]
    practice = ["practice"] if games.is_practice else []
    name = ", ".join([str(summary.game), *aim, *practice, counted(summary.games, "game")])
    yield styled(f" {name}", "bold")
    if summary.mean_score is not None:
        texts = [f"mean {wording.fixed(summary.mean_score, Unit.points, 1)}"]
        if summary.mean_optimal is not None:
            texts.append(f"optimal {wording.fixed(summary.mean_optimal, Unit.points, 1)} on the same rolls")
        yield from _course("score", [part.mean_score for part in summary.progress], ", ".join(texts), Unit.points)
    if summary.skill is not None:
        description = wording.skill_text(summary.skill, unit, games.level)
        yield from _course("skill", [part.skill for part in summary.progress], description, unit)
    yield labelled("  moves", counted_classes(summary.classes), 10)
    results = Counter(wording.result_of(line.record) for line in games.lines)
    if any(results[result] for result in wording.RESULTS):
        duels = ", ".join(f"{results[result]:,} {result}" for result in wording.RESULTS)
        yield labelled("  duels", styled(duels), 10)
    for note in wording.kind_notes(games):
        yield labelled("", styled(note, "dim"), 2)
    yield ""


def _course(name: str, values: Sequence[float | None], description: str, unit: Unit) -> Iterator[Part]:
    yield labelled(f"  {name}", styled(description), 10)
    known = [value for value in values if value is not None]
    if len(values) > 1 and known:
        first, last = (wording.fixed(value, unit, 2 if name == "skill" else 0) for value in (known[0], known[-1]))
        yield styled(f"{'':10}").append(sparkline(list(values)), "cyan").append(f"  {first} → {last}", "dim")
