"""`ten18 review`, `history` and `verify`: played games, move by move or together, and whether they were fair."""

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from tentimes18.cli.command import Form, HtmlOption, Part, Result, add_command, verify_output, written
from tentimes18.cli.games_file import (
    STANDARD_INPUT,
    FileArgument,
    GameOption,
    GamesFile,
    LastOption,
    NumberOption,
    chosen_file,
    name_of,
    opened_text,
    tell_bad_lines,
)
from tentimes18.cli.output import progress_bar, tell
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.cli.terminal.game_tables import games_table, moves_table, review_moves, summary_tables
from tentimes18.cli.terminal.review_page import boards_grid, review_page
from tentimes18.coach.aims import Mean, aim_named, is_of_duels, own_aim
from tentimes18.coach.review import Review
from tentimes18.coach.review import review as review_game
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.files import write_whole
from tentimes18.number_format import counted, listed, shown_number
from tentimes18.play.game_in_play import unfinished_games
from tentimes18.play.verification import PublicGame, Starts, check_public_game, read_public_game, read_starts
from tentimes18.queries import Doc
from tentimes18.queries.games import (
    SHOWN_TAGS,
    CheckedGameAnswer,
    GameMeasures,
    ReviewAnswer,
    VerificationAnswer,
    choose_games,
    many_reviews,
    measures_of,
    moves_of,
    review_answer,
    summary_answer,
    verification,
)
from tentimes18.queries.games import history as history_answer
from tentimes18.records.formats import ENDINGS, BadLine, JsonValue, Line, read_values, written_lines
from tentimes18.records.history import History
from tentimes18.records.notation import Record
from tentimes18.wording import fairness_verdict, opponent_name, standing

if TYPE_CHECKING:
    from rich.text import Text

    from tentimes18.coach.summary import MeasuredGames

MAX_MOVES = 2_000_000  # in a table of CSV: some gigabytes in memory
MAX_GAMES = 100_000  # to verify
MAX_JUNK = 10_000  # lines without a game

OwnAim: TypeAlias = Annotated[
    str | None,
    Doc(
        "What counts: mean, target:700, duel, duel:optimal, duel:nearest, ...",
        metavar="AIM",
        default="what a game was played for",
    ),
]
OnlyDice: TypeAlias = Annotated[str | None, Doc("Only games with these dice.", metavar="DICE", default="all")]
OnlySlots: TypeAlias = Annotated[str | None, Doc("Only games on these slots.", metavar="SLOTS", default="all")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    sums = ["sums", "classes", "rounds", "costliest"]
    add_command(app, review, tables=["moves", "games", *sums])
    add_command(app, history, tables=["games", *sums])
    add_command(app, verify, tables=["rounds", "games"])


def review(
    file: FileArgument = None,
    aim: OwnAim = None,
    game: GameOption = None,
    last: LastOption = False,
    number: NumberOption = None,
    html: HtmlOption = None,
) -> Result:
    """What the moves of played games gave up, and what was luck.

    One game, of a file or of your history, is shown move by move; several are summed up, those
    of each kind by themselves. A line that is no game is told with its number, and the others
    are read.
    """
    if html is not None:
        verify_output(html, (".html",), "html")
    games = read_chosen_games(file, aim, last=last, number=number, game=game)
    if len(games.lines) == 1:
        line = games.lines[0]
        reviewed = measure_game(line, aim)
        title = _title(reviewed, f"Game {line.number}" if file is None else None)
        answer = review_answer(reviewed, games.bad)
        boards = boards_grid(reviewed.record)  # those of a duel
        page = lambda: [title, *review_page(reviewed), *([boards] if boards else [])]  # noqa: E731
        result = Result(answer, page, lambda: _game_tables(line, reviewed, answer))
    else:
        kinds = measure_games(games, aim)
        result = Result(many_reviews(kinds, games.bad), lambda: _games_page(kinds), lambda: _games_tables(kinds))
    tell_bad_lines(games.bad)
    if html is not None:
        from tentimes18.app.review_file import review_of_game, review_of_games

        text = review_of_game(reviewed, line.number) if len(games.lines) == 1 else review_of_games(kinds)
        write_whole(html, text.encode(errors="replace"))
        result = replace(result, page=lambda: [written(html)])
    return result


def read_chosen_games(
    file: Path | None, aim: str | None, *, last: bool, number: int | None, game: int | None
) -> GamesFile:
    """The games that are asked for, for a duel those with two boards; at least one."""
    games = chosen_file(file, last=last, number=number, game=game)
    if aim is not None and is_of_duels(aim):
        games.require_opponents(aim)
    games.verify()
    return games


def measure_game(line: Line, aim: str | None) -> Review:
    """The game of a line, move by move; by its own aim where none is given and that can be had."""
    record = line.record
    try:
        return review_game(record, (own_aim(record) or Mean()) if aim is None else aim_named(record.board.game, aim))
    except (InvalidGame, TooLarge) as error:
        if error.field == "aim":
            raise
        raise type(error)(f"line {line.number}: {error}") from None


def measure_games(games: GamesFile, aim: str | None) -> "list[MeasuredGames]":
    """The games of each kind together, the most frequent kind first; a kind that is too large is taken out."""
    from tentimes18.coach.summary import measured_kinds

    with progress_bar("games") as progress:
        kinds, bad = measured_kinds(games.lines, aim, progress)
    games.reject(bad)
    games.verify()
    return kinds


def _title(reviewed: Review, game_number: str | None) -> "Text":
    """The game and what is known of it; what a terminal would obey is left out."""
    from rich.text import Text

    record = reviewed.record
    parts = [*([game_number] if game_number else []), str(record.board.game)]
    if record.opponent is not None and "against" in record.tags:
        parts.append(f"against {opponent_name(record)}")
    title = ", ".join([*parts, *(str(record.tags[tag]) for tag in SHOWN_TAGS if record.tags.get(tag))])
    return Text("".join(letter if letter.isprintable() else " " for letter in title), style="bold")


def _game_tables(line: Line, reviewed: Review, answer: ReviewAnswer) -> Iterator[Grid]:
    from tentimes18.coach.summary import measured_kinds

    opponent = reviewed.record.opponent
    theirs = [None] * len(reviewed.moves) if opponent is None else [slot for _, slot in opponent.placements]
    yield review_moves(answer, line.number, theirs)
    skill = None if reviewed.skill is None else float(reviewed.skill)
    measures = GameMeasures(float(reviewed.loss), float(reviewed.luck), skill, answer.level, reviewed.aim.name)
    yield games_table([line], {line.number: measures})
    yield from summary_tables([summary_answer(games) for games in measured_kinds([line], reviewed.aim.name)[0]])


def _games_page(kinds: "list[MeasuredGames]") -> Iterator[Part]:
    from tentimes18.cli.terminal.summary_page import summary_page

    for games in kinds:
        yield from summary_page(games)


def _games_tables(kinds: "list[MeasuredGames]") -> Iterator[Grid]:
    """Those that take little first: a table that is not asked for is not made."""
    yield from summary_tables([summary_answer(games) for games in kinds])
    yield games_table(sorted(line for games in kinds for line in games.lines), measures_of(kinds))
    moves = sum(games.summary.moves for games in kinds)
    if moves > MAX_MOVES:
        raise TooLarge(
            f"{moves:,} moves; at most {MAX_MOVES:,} in a table: give the games in several files", field="csv"
        )
    yield moves_table(moves_of(kinds))


def history(
    last: Annotated[int | None, Doc("Only the last N games.", metavar="N", default="all")] = None,
    name: Annotated[str | None, Doc("Only games of this player.", metavar="NAME", default="all")] = None,
    dice: OnlyDice = None,
    slots: OnlySlots = None,
    export: Annotated[Path | None, Doc("Write the games: .txt, .ndjson or .csv.", metavar="FILE")] = None,
    html: HtmlOption = None,
    form: Form = Form.text,
) -> Result:
    """The games you played, and how you get on.

    Each has a number, by which `ten18 review --number` shows its moves. It is measured by what
    it was played for: losses and luck are points, or chances in percent. Skill is the loss a
    choice, so the less the better.
    """
    if last is not None and last < 1:
        raise Ten18Error(f"{last} games cannot be shown; accepted: 1 or more", field="last")
    if export is not None and html is not None:
        raise Ten18Error("--export and --html exclude each other; give one of them")
    if export is not None:
        verify_output(export, ENDINGS, "export")
    if html is not None:
        verify_output(html, (".html",), "html")
    games = History()
    unfinished = [record for _, record in unfinished_games(games)]
    lines, bad = choose_games(games.games(), dice, slots, last, name)
    kinds = [] if export is not None else _measure_kinds(lines)
    if html is not None and not kinds:
        raise Ten18Error("there is no game to write about", field="html")
    if form is Form.text:
        tell_bad_lines(bad)
        for path in games.unreadable():
            tell(f"the unfinished game in {path} cannot be read; it is left as it is")
    if export is not None:
        records = [line.record for line in lines]
        text = "".join(f"{line}\n" for line in written_lines(records, export.suffix.lower()))
        write_whole(export, text.encode(errors="replace"))
        return Result({"output": str(export)}, lambda: [written(export)])
    if html is not None:
        from tentimes18.app.review_file import review_of_games

        write_whole(html, review_of_games(kinds).encode(errors="replace"))
    filters = [option for option, value in (("--name", name), ("--dice", dice), ("--slots", slots)) if value]

    def page() -> Iterator[Part]:
        if html is not None:
            yield written(html)
            return
        if lines:
            from tentimes18.cli.terminal.history_page import games_page

            yield from games_page(lines, kinds, is_all=last is None)
        elif filters:
            yield f"No such games yet; without {listed(filters)} all are shown."
        elif not unfinished:
            yield "No games yet: `ten18 play` starts one."
        yield from _unfinished(unfinished)

    def tables() -> Iterator[Grid]:
        yield from summary_tables([summary_answer(games) for games in kinds])
        yield games_table(lines, measures_of(kinds))

    # The answer on very many games takes as long as all the rest: it is not made for people.
    return Result(lambda: history_answer(lines, bad, unfinished, kinds), page, tables)


def _measure_kinds(lines: list[Line]) -> "list[MeasuredGames]":
    """Each kind of game by what it was played for; without games nothing is loaded."""
    if not lines:
        return []
    from tentimes18.coach.summary import measured_kinds

    with progress_bar("games", late=True) as progress:
        return measured_kinds(lines, progress=progress)[0]


def _unfinished(records: list[Record]) -> "Iterator[Text | str]":
    from rich.text import Text

    if not records:
        return
    yield Text(" Not finished; `ten18 play` goes on with them", style="bold")
    for record in records:
        yield "  " + ", ".join([str(record.board.game), *standing(record)])


def verify(
    file: Annotated[
        Path,
        Doc("Games as the service gives them, or records; - for standard input.", metavar="FILE", is_argument=True),
    ],
    start: Annotated[
        Path | None,
        Doc("What was published before: the same games at their start, or the days.", metavar="FILE"),
    ] = None,
) -> Result:
    """Check finished games of the service: the rolls against what was published before the first move, and the scores.

    FILE holds one JSON object, an array of them, or one a line (docs/fairness.md). Exit code 1 if something does not
    verify, also because a game is not finished.
    """
    if start is not None and str(start) == str(file) == STANDARD_INPUT:
        raise Ten18Error("standard input holds one of both; give the other in a file", field="start")
    starts = None if start is None else _read_starts(start)
    games, bad = _read_public(file)
    answer = verification(((line, check_public_game(public, starts)) for line, public in games), bad)
    is_right = answer.verified == answer.games and not bad
    return Result(answer, lambda: _verified_page(answer), lambda: _verified_tables(answer), code=0 if is_right else 1)


def _read_public(file: Path) -> tuple[list[tuple[int, PublicGame]], list[BadLine]]:
    """The games of a file with their lines, at least one, and the lines that are none."""
    name = name_of(file)
    games: list[tuple[int, PublicGame]] = []
    bad: list[BadLine] = []
    with opened_text(file, name) as text, progress_bar("reading", late=True) as progress:
        size = os.fstat(text.fileno()).st_size
        for line in read_values(text):
            if isinstance(line, BadLine):
                bad.append(line)
            else:
                try:
                    games.append((line.number, read_public_game(line.value)))
                except Ten18Error as error:
                    bad.append(BadLine(line.number, str(error)))
            if len(games) > MAX_GAMES:
                raise TooLarge(f"{name}: more than {MAX_GAMES:,} games; give them in several files")
            if not games and len(bad) >= MAX_JUNK:
                break
            if progress and size and line.number % 1000 == 0:
                progress(os.lseek(text.fileno(), 0, os.SEEK_CUR), size)
    if not games:
        _reject(name, bad)
    return games, bad


def _read_starts(file: Path) -> Starts:
    """What was published before the games."""
    name = name_of(file)
    with opened_text(file, name) as text:
        found = list(islice(read_values(text), MAX_GAMES + 1))
    if len(found) > MAX_GAMES:
        raise TooLarge(f"{name}: more than {MAX_GAMES:,} games; give them in several files", field="start")
    for line in found:
        if isinstance(line, BadLine):
            raise Ten18Error(f"{name}: line {line.number}: {line.reason}", field="start")
    try:
        return read_starts(line.value for line in found if isinstance(line, JsonValue))
    except Ten18Error as error:
        raise Ten18Error(f"{name}: {error}", field="start") from None


def _reject(name: str, bad: list[BadLine]) -> None:
    if not bad:
        raise Ten18Error(f"{name}: no game in it; accepted: JSON objects as the service gives them")
    others = f"; and {counted(len(bad) - 1, 'more bad line')}" if len(bad) > 1 else ""
    raise Ten18Error(f"{name}: no game in it; line {bad[0].number}: {bad[0].reason}{others}")


def _verified_tables(answer: VerificationAnswer) -> Iterator[Grid]:
    """For programs: a row a round, or a game; of a line that is no game, why."""
    rounds = table("", "game", "round", "roll", "commitment", "verified", "problem", name="rounds")
    for result in answer.results:
        for part in result.rounds:
            cells = (part.round, part.roll, part.commitment, part.verified, part.problem)
            rounds.add_row(result.line, *(Entry(cell, "") for cell in cells))
    yield rounds
    games = table("", "game", "id", "dice", "slots", "score", "finished", "verified", "problem", name="games")
    for result in answer.results:
        told = (result.id, result.dice, result.slots, result.score, result.finished, result.verified)
        games.add_row(result.line, *(Entry(cell, "") for cell in told), "; ".join(_all_problems(result)))
    for line in answer.bad_lines:
        games.add_row(line.line, *[Entry(None, "")] * 5, Entry(False, ""), line.reason)
    yield games


def _verified_page(answer: VerificationAnswer) -> Iterator[Part]:
    from rich.text import Text

    is_one = len(answer.results) == 1
    if not is_one:
        yield _verified_games(answer)
    for result in answer.results:
        if is_one or not result.verified:
            title = _verified_title(result) if is_one else f"Line {result.line}: {_verified_title(result)}"
            yield _verified_rounds(title, result) if result.rounds else Text(f"{title}\n", style="bold")
            if result.problems:
                yield Text("".join(f" {problem}\n" for problem in result.problems))
    if answer.bad_lines:
        yield Text("".join(f" line {line.line} is no game: {line.reason}\n" for line in answer.bad_lines))
    yield Text(fairness_verdict(answer.games, answer.verified, len(answer.bad_lines)), style="bold")


def _verified_games(answer: VerificationAnswer) -> Grid:
    columns = (Column("id", left=True), Column("game", left=True), Column("score"), Column("", left=True))
    grid = table("Games", *columns, label=Column("line"))
    for result in answer.results:
        told = "verified" if result.verified else "not verified"
        game = f"{result.dice} {result.slots}"
        grid.add_row(result.line, _printable(result.id or ""), game, shown_number(result.score), told)
    return grid


def _verified_title(result: CheckedGameAnswer) -> str:
    parts = [f"{result.dice} {result.slots}", *([_printable(result.id)] if result.id else [])]
    return ", ".join([*parts, f"{shown_number(result.score)} points" if result.finished else "not finished"])


def _verified_rounds(title: str, result: CheckedGameAnswer) -> Grid:
    """Every round of a game, and what is wrong with it."""
    grid = table(title, "round", "roll", Column("commitment", left=True), Column("", left=True))
    for part in result.rounds:
        told = "verified" if part.verified else part.problem or ""
        grid.add_row(part.round, number(part.roll), part.commitment or "", told)
    return grid


def _all_problems(result: CheckedGameAnswer) -> list[str]:
    of_rounds = [f"round {part.round}: {part.problem}" for part in result.rounds if part.problem]
    return [*of_rounds, *result.problems]


def _printable(text: str) -> str:
    """A name that others gave: it may hold what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
