"""`ten18 review`, `history` and `verify`: played games, one by one or summed up, and whether they were fair."""

import codecs
import gc
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypeAlias, TypeVar

import typer
from msgspec import to_builtins

from tentimes18.cli.command import Form, HtmlOption, Part, Result, add_command, verify_output, written
from tentimes18.cli.grid import Column, Grid, Value, data_table, number, table
from tentimes18.cli.output import printable, progress_bar, styled, tell
from tentimes18.cli.terminal.games_pages import boards_grid, games_page, review_page, summary_page
from tentimes18.coach.aims import Mean, aim_named, is_of_duels, own_aim, played_for, takebacks_of
from tentimes18.coach.review import Review
from tentimes18.coach.review import review as review_game
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge
from tentimes18.files import write_whole
from tentimes18.number_format import counted, listed, shown_number
from tentimes18.play.game_in_play import unfinished_games
from tentimes18.play.verification import PublicGame, Starts, check_public_game, read_public_game, read_starts
from tentimes18.queries import Doc
from tentimes18.queries import games as queries
from tentimes18.queries.json_numbers import plain
from tentimes18.records.formats import ENDINGS, BadLine, JsonValue, Line, read_records, read_values, written_lines
from tentimes18.records.history import History
from tentimes18.solve.parallel import Progress
from tentimes18.wording import fairness_verdict, result_of, standing

if TYPE_CHECKING:
    from rich.text import Text

    from tentimes18.coach.summary import MeasuredGames


STANDARD_INPUT = "-"
MAX_GAMES = 1_000_000  # some gigabytes in memory
MAX_MOVES = 2_000_000  # in a table of CSV: some gigabytes in memory
MAX_PUBLIC_GAMES = 100_000  # to verify
MAX_JUNK = 10_000  # bad lines before the first game: whatever this is, it is not a file of games
WINDOWS = "windows"
LOOK = 4096  # bytes, to see what a file is
MAX_REPORTED = 10  # bad lines
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # what some shells write

Entry = TypeVar("Entry")

# Columns of the tables for programs.
GAMES = (
    *("game", "date", "name", "dice", "slots", "rounds", "finished", "aim", "against", "result", "score"),
    *("opponent_score", "loss", "luck", "skill", "level", "measured_by", "takebacks"),
)
KIND = ("dice", "slots", "played_for", "measured_by", "practice")
SUMS = (
    *("games", "finished", "moves", "choices", "mean_score", "mean_optimal", "mean_best", "value"),
    *("mean_loss", "mean_luck", "skill", "level", "error_rate"),
)
MOVES = ("game", "round", "roll", "slot", "theirs", "best", "loss", "class", "luck", "choice")
PARTS = {"rounds": ("round", "choices", "mean_loss", "error_rate")} | {
    "costliest": ("game", "round", "roll", "slot", "best", "loss")
}

FileArgument: TypeAlias = Annotated[
    Path | None, Doc("A file of played games, one per line; - for standard input.", metavar="[FILE]", is_argument=True)
]
LastOption: TypeAlias = Annotated[bool, Doc("Show the last game in your history.")]
NumberOption: TypeAlias = Annotated[
    int | None, Doc("Show game N of your history, numbered as in `ten18 history`.", metavar="N")
]
GameOption: TypeAlias = Annotated[int | None, Doc("Show only the game in line N of FILE, move by move.", metavar="N")]
OwnAim: TypeAlias = Annotated[
    str | None,
    Doc(
        "The aim that counts: mean, target:700, duel, duel:optimal, duel:nearest, ...",
        metavar="AIM",
        default="the aim of each game",
    ),
]
OnlyDice: TypeAlias = Annotated[str | None, Doc("Take only games with these dice.", metavar="DICE", default="all")]
OnlySlots: TypeAlias = Annotated[str | None, Doc("Take only games on these slots.", metavar="SLOTS", default="all")]


@dataclass
class GamesFile:
    """The games of a file by line, and the lines that are not games."""

    name: str
    lines: list[Line] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)

    def game(self, number: int, option: str = "game") -> Line:
        for line in self.lines:
            if line.number == number:
                return line
        for bad in self.bad:
            if bad.number == number:
                raise Ten18Error(f"line {number} of {self.name} is not a game: {bad.reason}", field=option)
        several = len(self.lines) > 1
        numbers = f"{self.lines[0].number} to {self.lines[-1].number}" if several else f"{self.lines[0].number}"
        if option == "number":
            raise Ten18Error(f"{self.name} has no game {number}; accepted: {numbers}", field=option)
        numbers = f"{'lines' if several else 'line'} {numbers}"
        raise Ten18Error(f"line {number} of {self.name} is not a game; the games are in {numbers}", field=option)

    def require_opponents(self, aim: str) -> None:
        reason = f"the aim {aim} needs the opponent's moves, like opponent=8@4 4@2"
        self.reject([BadLine(line.number, reason) for line in self.lines if line.record.opponent is None])

    def reject(self, bad: Sequence[BadLine]) -> None:
        numbers = {line.number for line in bad}
        self.lines = [line for line in self.lines if line.number not in numbers]
        self.bad = sorted([*self.bad, *bad])

    def verify(self) -> None:
        """Raise where there is no game, with the first reason."""
        if not self.lines:
            raise no_game(self.name, self.bad, "lines like 3d6 1-10: 8@5 4@1 12@7")


def register(app: typer.Typer) -> None:
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
    """Show what each move of your games lost, and how much was luck.

    A single game, from a file or from your history, is shown move by move. Several games are summed up, each kind
    separately. Lines that are not games are reported by number and skipped.
    """
    if html is not None:
        verify_output(html, (".html",), "html")
    games = read_chosen_games(file, aim, last=last, number=number, game=game)
    if len(games.lines) == 1:
        line = games.lines[0]
        reviewed = measure_game(line, aim)
        title = _title(reviewed, f"Game {line.number}" if file is None else None)
        answer = queries.review_answer(reviewed, games.bad)
        boards = boards_grid(reviewed.record)  # those of a duel
        page = lambda: [title, *review_page(reviewed), *([boards] if boards else [])]  # noqa: E731
        result = Result(answer, page, lambda: _game_tables(line, reviewed, answer))
    else:
        kinds = measure_games(games, aim)
        page = lambda: list(chain.from_iterable(map(summary_page, kinds)))  # noqa: E731
        result = Result(queries.many_reviews(kinds, games.bad), page, lambda: _games_tables(kinds))
    tell_bad_lines(games.bad)
    if html is not None:
        from tentimes18.app.review_file import review_of_game, review_of_games

        text = review_of_game(reviewed, line.number) if len(games.lines) == 1 else review_of_games(kinds)
        write_whole(html, text.encode(errors="replace"))
        result = replace(result, page=lambda: [written(html)])
    return result


def measure_game(line: Line, aim: str | None) -> Review:
    """Review the game of a line, by its own aim unless another is chosen."""
    record = line.record
    try:
        return review_game(record, (own_aim(record) or Mean()) if aim is None else aim_named(record.board.game, aim))
    except (InvalidGame, TooLarge) as error:
        if error.field == "aim":
            raise
        raise type(error)(f"line {line.number}: {error}") from None


def measure_games(games: GamesFile, aim: str | None) -> "list[MeasuredGames]":
    """The games by kind, the most frequent first; kinds that are too large count as bad lines."""
    with progress_bar("games") as progress:
        kinds, bad = measured_kinds(games.lines, aim, progress)
    games.reject(bad)
    games.verify()
    return kinds


def measured_kinds(
    lines: Sequence[Line], aim: str | None = None, progress: Progress | None = None
) -> "tuple[list[MeasuredGames], list[BadLine]]":
    """Games by kind, and those that cannot be measured; numpy is loaded here."""
    from tentimes18.coach import summary

    return summary.measured_kinds(lines, aim, progress)


def _title(reviewed: Review, game_number: str | None) -> "Text":
    record = reviewed.record
    parts = [*([game_number] if game_number else []), str(record.board.game)]
    if record.opponent is not None and "against" in record.tags:
        parts.append(f"against {record.tags['against']}")
    title = ", ".join([*parts, *(str(record.tags[tag]) for tag in queries.SHOWN_TAGS if record.tags.get(tag))])
    return styled(printable(title, " "), "bold")


def _game_tables(line: Line, reviewed: Review, answer: queries.ReviewAnswer) -> Iterator[Grid]:
    opponent = reviewed.record.opponent
    theirs = [None] * len(reviewed.moves) if opponent is None else [slot for _, slot in opponent.placements]
    moves = (
        {**move, "game": line.number, "theirs": slot, "best": " ".join(map(str, move["best"]))}
        for move, slot in zip(to_builtins(answer.moves), theirs, strict=True)
    )  # also with what the opponent's moves changed, and the value after each move
    rows = (itemgetter(*MOVES, "gift", "after")(move) for move in moves)
    yield data_table("moves", (*MOVES, "gift", "expected"), rows)
    skill = None if reviewed.skill is None else float(reviewed.skill)
    measures = queries.GameMeasures(float(reviewed.loss), float(reviewed.luck), skill, answer.level, reviewed.aim.name)
    yield _games_table([line], {line.number: measures})
    yield from _summary_tables(measured_kinds([line], reviewed.aim.name)[0])


def _games_tables(kinds: "list[MeasuredGames]") -> Iterator[Grid]:
    """The cheap tables first: a table that is not needed is not made."""
    yield from _summary_tables(kinds)
    yield _games_table(sorted(line for games in kinds for line in games.lines), queries.measures_of(kinds))
    moves = sum(games.summary.moves for games in kinds)
    if moves > MAX_MOVES:
        raise TooLarge(
            f"{moves:,} moves; at most {MAX_MOVES:,} in a table: give the games in several files", field="csv"
        )
    yield data_table("moves", MOVES, queries.moves_of(kinds))


def history(
    last: Annotated[int | None, Doc("List only the last N games.", metavar="N", default="all")] = None,
    name: Annotated[str | None, Doc("List only games of this player.", metavar="NAME", default="all")] = None,
    dice: OnlyDice = None,
    slots: OnlySlots = None,
    export: Annotated[Path | None, Doc("Write the games to a file: .txt, .ndjson or .csv.", metavar="FILE")] = None,
    html: HtmlOption = None,
    form: Form = Form.text,
) -> Result:
    """List the games you played, with your scores and your skill over time.

    Each game has a number: `ten18 review --number N` shows its moves. A game is measured by its own aim, so losses and
    luck are points, or chances in percent. Skill is the loss per decision: the smaller, the better.
    """
    if last is not None and last < 1:
        raise Ten18Error(f"cannot show {last} games; accepted: 1 or more", field="last")
    if export is not None and html is not None:
        raise Ten18Error("--export and --html exclude each other; give one of them")
    if export is not None:
        verify_output(export, ENDINGS, "export")
    if html is not None:
        verify_output(html, (".html",), "html")
    games = History()
    unfinished = [record for _, record in unfinished_games(games)]
    lines, bad = queries.choose_games(games.games(), dice, slots, last, name)
    kinds: list[MeasuredGames] = []
    if lines and export is None:
        with progress_bar("games", late=True) as progress:
            kinds = measured_kinds(lines, progress=progress)[0]
    if html is not None and not kinds:
        raise Ten18Error("there are no games to write about", field="html")
    if form is Form.text:
        tell_bad_lines(bad)
        for path in games.unreadable():
            tell(f"cannot read the unfinished game in {path}; the file was not changed")
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
            yield from games_page(lines, kinds, is_all=last is None)
        elif filters:
            yield f"No such games yet; without {listed(filters)} you see all games."
        elif not unfinished:
            yield "No games yet: `ten18 play` starts one."
        if unfinished:
            yield styled(" Not finished; `ten18 play` continues them", "bold")
        yield from ("  " + ", ".join([str(record.board.game), *standing(record)]) for record in unfinished)

    def tables() -> Iterator[Grid]:
        yield from _summary_tables(kinds)
        yield _games_table(lines, queries.measures_of(kinds))

    # The JSON answer on very many games takes as long as everything else, so it is made only if needed.
    return Result(lambda: queries.history(lines, bad, unfinished, kinds), page, tables)


def verify(
    file: Annotated[
        Path,
        Doc(
            "A file of games as the server writes them, or of records; - for standard input.",
            metavar="FILE",
            is_argument=True,
        ),
    ],
    start: Annotated[
        Path | None,
        Doc(
            "A file of what was published before the games: the same games at their start, or the days.", metavar="FILE"
        ),
    ] = None,
) -> Result:
    """Check the rolls and scores of finished games from a server.

    The rolls must match what the server published before the first move. FILE holds one JSON object, an array of
    them, or one per line (docs/play/fairness.md). The exit code is 1 if anything does not verify, or a game is not
    finished.
    """
    if start is not None and str(start) == str(file) == STANDARD_INPUT:
        raise Ten18Error("standard input can hold only one of the two; give the other in a file", field="start")
    starts = None if start is None else _read_starts(start)
    games, bad = read_lines(file, _public_games, MAX_PUBLIC_GAMES)
    if not games:
        raise no_game(name_of(file), bad, "JSON objects as the server writes them")
    answer = queries.verification(((line, check_public_game(public, starts)) for line, public in games), bad)
    is_right = answer.verified == answer.games and not bad
    return Result(answer, lambda: _verified_page(answer), lambda: _verified_tables(answer), code=0 if is_right else 1)


def _public_games(text: TextIO) -> Iterator[tuple[int, PublicGame] | BadLine]:
    for line in read_values(text):
        try:
            yield line if isinstance(line, BadLine) else (line.number, read_public_game(line.value))
        except Ten18Error as error:
            yield BadLine(line.number, str(error))


def _read_starts(file: Path) -> Starts:
    name = name_of(file)
    with opened_text(file, name) as text:
        values = list(islice(read_values(text), MAX_PUBLIC_GAMES + 1))
    if len(values) > MAX_PUBLIC_GAMES:
        raise TooLarge(f"{name}: more than {MAX_PUBLIC_GAMES:,} games; give them in several files", field="start")
    for line in values:
        if isinstance(line, BadLine):
            raise Ten18Error(f"{name}: line {line.number}: {line.reason}", field="start")
    try:
        return read_starts(line.value for line in values if isinstance(line, JsonValue))
    except Ten18Error as error:
        raise Ten18Error(f"{name}: {error}", field="start") from None


def _verified_tables(answer: queries.VerificationAnswer) -> Iterator[Grid]:
    rounds = (
        (result.line, part.round, part.roll, part.commitment, part.verified, part.problem)
        for result in answer.results
        for part in result.rounds
    )
    yield data_table("rounds", ("game", "round", "roll", "commitment", "verified", "problem"), rounds)
    games: list[tuple[Value, ...]] = []
    for result in answer.results:
        of_rounds = [f"round {part.round}: {part.problem}" for part in result.rounds if part.problem]
        facts = (result.id, result.dice, result.slots, result.score, result.finished, result.verified)
        games.append((result.line, *facts, "; ".join([*of_rounds, *result.problems])))
    games += [(line.line, *[None] * 5, False, line.reason) for line in answer.bad_lines]
    yield data_table("games", ("game", "id", "dice", "slots", "score", "finished", "verified", "problem"), games)


def _verified_page(answer: queries.VerificationAnswer) -> Iterator[Part]:
    is_one = len(answer.results) == 1
    if not is_one:
        games = (
            (
                *(result.line, printable(result.id or ""), f"{result.dice} {result.slots}"),
                *(shown_number(result.score), "verified" if result.verified else "not verified"),
            )
            for result in answer.results
        )
        columns = (Column("id", left=True), Column("game", left=True), Column("score"), Column("", left=True))
        yield table("Games", *columns, label=Column("line"), rows=games)
    for result in answer.results:
        if is_one or not result.verified:
            yield from _verified_game(result, "" if is_one else f"Line {result.line}: ")
    if answer.bad_lines:
        yield styled("".join(f" line {line.line} is not a game: {line.reason}\n" for line in answer.bad_lines))
    yield styled(fairness_verdict(answer.games, answer.verified, len(answer.bad_lines)), "bold")


def _verified_game(result: queries.CheckedGameAnswer, where: str) -> Iterator[Part]:
    parts = [f"{result.dice} {result.slots}", *([printable(result.id)] if result.id else [])]
    parts.append(f"{shown_number(result.score)} points" if result.finished else "not finished")
    title = where + ", ".join(parts)
    rows = [
        (part.round, number(part.roll), part.commitment or "", "verified" if part.verified else part.problem or "")
        for part in result.rounds
    ]
    columns = "round", "roll", Column("commitment", left=True), Column("", left=True)
    yield table(title, *columns, rows=rows) if rows else styled(f"{title}\n", "bold")
    if result.problems:
        yield styled("".join(f" {problem}\n" for problem in result.problems))


def _games_table(lines: Iterable[Line], measures: Mapping[int, queries.GameMeasures]) -> Grid:
    rows = []
    for line in lines:
        record, measured = line.record, measures.get(line.number, queries.UNKNOWN)
        board, opponent = record.board, record.opponent
        date, name, against = (str(record.tags.get(tag, "")) for tag in ("date", "name", "against"))
        rows.append(
            (
                *(line.number, date, name, str(board.game.dice), board.game.slots, board.rounds, record.finished),
                *(played_for(record), against, result_of(record), plain(board.score)),
                None if opponent is None else plain(opponent.score),
                *(measured.loss, measured.luck, measured.skill, measured.level, measured.measured_by),
                takebacks_of(record),
            )
        )
    return data_table("games", GAMES, rows)


def _summary_tables(kinds: "Iterable[MeasuredGames]") -> list[Grid]:
    sums = table("", *KIND, *SUMS, name="sums")
    classes = table("", *KIND, "class", "moves", "share", name="classes")
    parts = {name: table("", *KIND, *heads, name=name) for name, heads in PARTS.items()}
    for summary in map(queries.summary_answer, kinds):
        whole = to_builtins(summary)
        kind = itemgetter(*KIND)(whole)
        sums.add_row(*kind, *itemgetter(*SUMS)(whole))
        for name, count in summary["classes"].items():
            classes.add_row(*kind, name, count, count / summary["moves"] if summary["moves"] else None)
        for name, heads in PARTS.items():
            for part in whole[name]:
                parts[name].add_row(*kind, *itemgetter(*heads)(part))
    return [sums, classes, *parts.values()]


def no_game(name: str, bad: Sequence[BadLine], accepted: str) -> Ten18Error:
    """The error for a file without games: the first bad line, or what is accepted."""
    if not bad:
        return Ten18Error(f"{name}: no game in it; accepted: {accepted}")
    others = f"; and {counted(len(bad) - 1, 'more bad line')}" if len(bad) > 1 else ""
    return Ten18Error(f"{name}: no game in it; line {bad[0].number}: {bad[0].reason}{others}")


def read_chosen_games(
    file: Path | None, aim: str | None, *, last: bool, number: int | None, game: int | None
) -> GamesFile:
    """The games of a file, one of them, or one of the history: at least one, for the aim of a duel with two boards."""
    of_history = [option for option, is_given in (("last", last), ("number", number is not None)) if is_given]
    if len(of_history) > 1:
        raise Ten18Error("give --last or --number, not both")
    if file is None and not of_history:
        raise Ten18Error("give a FILE of played games, or --last or --number N for a game of your history")
    if file is not None and of_history:
        raise Ten18Error("is for your history; leave out FILE", field=of_history[0])
    if file is None:
        if game is not None:
            raise Ten18Error("is for a FILE; for your history use --number", field="game")
        games = _of_history(number, of_history[0])
    else:
        games = read_games(file)
        if game is not None:
            games.verify()
            games.lines = [games.game(game)]
    if aim is not None and is_of_duels(aim):
        games.require_opponents(aim)
    games.verify()
    return games


def _of_history(number: int | None, option: str) -> GamesFile:
    games = list(History().games())
    lines = [line for line in games if isinstance(line, Line)]
    source = GamesFile("your history", lines, [line for line in games if isinstance(line, BadLine)])
    if not lines:
        raise Ten18Error("your history has no game yet; `ten18 play` starts one", field=option)
    chosen = lines[-1] if number is None else source.game(number, option)
    source.lines = [chosen]
    source.bad = [] if number is not None else [line for line in source.bad if line.number > chosen.number]
    return source


def tell_bad_lines(bad: Sequence[BadLine]) -> None:
    for line in bad[:MAX_REPORTED]:
        tell(f"line {line.number}: {line.reason}")
    if len(bad) > MAX_REPORTED:
        tell(f"and {len(bad) - MAX_REPORTED:,} more bad lines")


def read_games(path: Path) -> GamesFile:
    gc.disable()  # it takes a fifth of the time, and games have no reference cycles
    try:
        return GamesFile(name_of(path), *read_lines(path, read_records, MAX_GAMES))
    finally:
        gc.enable()


def read_lines(
    path: Path, read: Callable[[TextIO], Iterable[Entry | BadLine]], most: int
) -> tuple[list[Entry], list[BadLine]]:
    """What a function reads in a file, at most so much of it, and the bad lines."""
    name, lines, bad = name_of(path), list[Entry](), list[BadLine]()
    with opened_text(path, name) as text, progress_bar("reading", late=True) as progress:
        size = os.fstat(text.fileno()).st_size
        for line in read(text):
            if not isinstance(line, BadLine):
                lines.append(line)
            else:
                bad.append(line)
            if not lines and len(bad) >= MAX_JUNK:
                break
            if len(lines) > most:
                raise TooLarge(f"{name}: more than {most:,} games; give them in several files")
            if progress and size and len(lines) % 1000 == 0:
                progress(os.lseek(text.fileno(), 0, os.SEEK_CUR), size)
    return lines, bad


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(WINDOWS, _as_windows)


@contextmanager
def opened_text(path: Path, name: str) -> Iterator[io.TextIOWrapper]:
    """The text of a file in UTF-8 or UTF-16; other bytes are read as Windows writes them (code page 1252)."""
    if str(path) == STANDARD_INPUT and sys.stdin is None:
        raise Ten18Error(f"{name} is closed")
    try:
        source = sys.stdin.buffer if str(path) == STANDARD_INPUT else path.open("rb")
        assert isinstance(source, io.BufferedReader)
        start = source.peek(LOOK)
    except (FileNotFoundError, NotADirectoryError):
        raise Ten18Error(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise Ten18Error(f"{name}: is a folder; give a file of played games") from None
    except (OSError, ValueError) as error:
        raise Ten18Error(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    with source:
        encoding = "utf-16" if start.startswith(UTF_16) else "utf-8"
        if encoding == "utf-8" and b"\0" in start:
            raise Ten18Error(f"{name}: is not text; give a file of played games")
        with io.TextIOWrapper(source, encoding=encoding, errors=WINDOWS) as text:
            yield text


def name_of(path: Path) -> str:
    return "standard input" if str(path) == STANDARD_INPUT else os.fsencode(path).decode(errors="replace")[:200]
