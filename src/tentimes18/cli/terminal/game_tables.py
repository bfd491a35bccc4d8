"""Played games as tables for programs: games, their moves, and each kind in sum, a row each at full precision."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from tentimes18.cli.tables import Grid, Value, number, table
from tentimes18.coach.aims import played_for, takebacks_of
from tentimes18.game import Number
from tentimes18.queries.games import UNKNOWN, GameMeasures, MoveRow, ReviewAnswer, SummaryAnswer
from tentimes18.records.formats import Line
from tentimes18.wording import result_of

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


def games_table(lines: Iterable[Line], measures: Mapping[int, GameMeasures]) -> Grid:
    """Games, a row each; the game by its line."""
    grid = table("", *GAMES, name="games")
    for line in lines:
        record, measured = line.record, measures.get(line.number, UNKNOWN)
        board, opponent = record.board, record.opponent
        _add(
            grid,
            line.number,
            *(str(record.tags.get(tag, "")) for tag in ("date", "name")),
            str(board.game.dice),
            board.game.slots,
            board.rounds,
            record.finished,
            played_for(record),
            str(record.tags.get("against", "")),
            result_of(record),
            _plain(board.score),
            None if opponent is None else _plain(opponent.score),
            measured.loss,
            measured.luck,
            measured.skill,
            measured.level,
            measured.measured_by,
            takebacks_of(record),
        )
    return grid


def moves_table(moves: Iterable[MoveRow]) -> Grid:
    """The moves of many games."""
    grid = table("", *MOVES, name="moves")
    for move in moves:
        _add(grid, *_cells(to_builtins(move), MOVES))
    return grid


def review_moves(answer: ReviewAnswer, game: int, theirs: Sequence[int | None]) -> Grid:
    """The moves of one game, which tell more: what the opponent's moves changed, and the worth after each move."""
    grid = table("", *MOVES, "gift", "expected", name="moves")
    for move, slot in zip(to_builtins(answer.moves), theirs, strict=True):
        told = {**move, "game": game, "theirs": slot, "best": " ".join(map(str, move["best"]))}
        _add(grid, *_cells(told, (*MOVES, "gift", "after")))
    return grid


def summary_tables(summaries: Sequence[SummaryAnswer]) -> list[Grid]:
    """The sums of each kind, and its moves by class and by round, and the costliest."""
    sums = table("", *KIND, *SUMS, name="sums")
    classes = table("", *KIND, "class", "moves", "share", name="classes")
    parts = {name: table("", *KIND, *heads, name=name) for name, heads in PARTS.items()}
    for summary in summaries:
        whole: Mapping[str, Any] = to_builtins(summary)
        kind = _cells(whole, KIND)
        _add(sums, *kind, *_cells(whole, SUMS))
        for name, count in summary.classes.items():
            _add(classes, *kind, name, count, count / summary.moves if summary.moves else None)
        for name, heads in PARTS.items():
            for part in whole[name]:
                _add(parts[name], *kind, *_cells(part, heads))
    return [sums, classes, *parts.values()]


def _add(grid: Grid, *values: Value) -> None:
    grid.add_row(*(value if isinstance(value, int | str) else number(value) for value in values))


def _cells(answer: Mapping[str, Any], names: Sequence[str]) -> list[Value]:
    return [answer[name] for name in names]


def _plain(score: Number) -> Value:
    return score if isinstance(score, int) else float(score)
