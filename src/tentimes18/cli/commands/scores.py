"""`ten18 target`, `aim` and `front`: best play for other objectives than the mean."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tentimes18.answers.numbers import plain
from tentimes18.answers.positions import read_board
from tentimes18.cli.laws import with_minus
from tentimes18.cli.options import DiceOption, MovesOption, SlotsOption
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.errors import blame
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.show.figures import shown_number
from tentimes18.show.words import objective_label

if TYPE_CHECKING:
    from tentimes18.answers.front import FrontAnswer
    from tentimes18.answers.objectives import NextMove, SolvedObjective
    from tentimes18.answers.targets import SolvedTarget

__all__ = ["moves_table", "register"]

ROUNDING: Final = 1e-9


def register(app: typer.Typer) -> None:
    """Add these commands."""
    negative: dict[str, Any] = {"ignore_unknown_options": True}  # so that a target may be negative
    add_command(app, target, tables=["moves", "facts"], context_settings=negative)
    add_command(app, aim, tables=["moves", "facts"])
    add_command(app, front, tables=["front"])


def target(
    score: Annotated[str, typer.Argument(metavar="T", help="The score to reach or beat.")],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    moves: MovesOption = "",
) -> Result:
    """The best chance of a score of T or more, and how to play for it."""
    from tentimes18.answers.targets import solve_target

    game = Game.parse(dice, slots)
    board = read_board(game, moves)
    wanted = read_score(score, "target")
    with progress_bar("chances") as progress:
        solved = solve_target(board, wanted, progress)
    return Result(solved.answer, lambda: _target_page(board, solved))


def _target_page(board: Board, solved: "SolvedTarget") -> Iterator[Part]:
    answer = solved.answer
    name = f"target:{answer['target']}"
    title = f"A score of {with_minus(str(answer['target']))} or more, {board.game}"
    facts = table(title, "chance", "mean", label="strategy", name="facts")
    facts.add_row(name, number(answer["probability"], ".6f"), number(answer["mean"], ".5f"))
    facts.add_row("optimal", number(answer["with_optimal"], ".6f"), number(answer["mean_with_optimal"], ".5f"))
    yield facts
    if board.free:
        title = "The next move" if board.rounds else "The first move"
        yield moves_table(title, name, "optimal", solved.moves)


def moves_table(title: str, name: str, other: str, moves: "Iterable[NextMove]") -> Grid:
    """Where each roll goes by a strategy, beside another one; where they differ, in bold."""
    grid = table(title, name, other, label="roll", name="moves")
    for move in moves:
        slots = (Entry(move.slot, f"#{move.slot}"), Entry(move.other, f"#{move.other}"))
        grid.add_row(number(move.roll), *slots, style="bold" if move.slot != move.other else None)
    return grid


def aim(
    strategy: Annotated[
        str, typer.Argument(metavar="AIM", help="target:700, utility:exp:0.01, quantile:0.1, cvar:0.1.")
    ],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
) -> Result:
    """Best play for an aim: what it reaches, and what it gives up in the mean."""
    from tentimes18.answers.objectives import solve_objective
    from tentimes18.strategies.user_code import find_known

    game = Game.parse(dice, slots)
    with blame("aim", "strategy"), progress_bar("best play") as progress:
        solved = solve_objective(game, strategy, find_known, progress)
    return Result(solved.answer, lambda: _objective_page(game, solved))


def _objective_page(game: Game, solved: "SolvedObjective") -> Iterator[Part]:
    laws = solved.law, solved.optimal_law
    columns = (solved.strategy, "optimal")
    facts = table(f"Aim {solved.strategy}, {game}", *columns, label=Column("", "fact", left=True), name="facts")
    reached = number(solved.reached, ".6f"), number(solved.with_optimal, ".6f")
    facts.add_row(objective_label(solved.strategy), *reached, style="bold")
    for name, texts in (
        ("mean", [number(float(law.mean), ".5f") for law in laws]),
        ("standard deviation", [number(law.sd, ".5f") for law in laws]),
        ("median", [_points(law.median) for law in laws]),
        ("worst 10% end at most at", [_points(law.quantile(Fraction(1, 10))) for law in laws]),
        ("best 10% end at least at", [_points(law.quantile(Fraction(9, 10))) for law in laws]),
    ):
        facts.add_row(name, *texts)
    yield facts
    bound = f"{solved.gap:.1e}" if solved.gap > ROUNDING else f"below {ROUNDING:.0e}"
    yield f"Optimality gap: {bound}\n"
    yield moves_table("The first move", solved.strategy, "optimal", solved.moves)


def _points(score: Number) -> Entry:
    return Entry(plain(score), shown_number(score))


def front(dice: DiceOption = "3d6", slots: SlotsOption = "1-10") -> Result:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    from tentimes18.answers.front import front as front_of

    game = Game.parse(dice, slots)
    with progress_bar("strategies") as progress:
        answer = front_of(game, progress)
    return Result(answer, lambda: [_front(game, answer)])


def _front(game: Game, answer: "FrontAnswer") -> Grid:
    points = answer["front"]
    optimal = next(point for point in points if point["strategy"] == "optimal")
    columns = ("mean", "sd", "mean given up", "sd saved", Column("", "efficient"))
    grid = table(f"Mean and standard deviation, {game}", *columns, label="strategy", name="front")
    for point in points:
        mean, sd = point["mean"], point["sd"]
        given, saved = optimal["mean"] - mean, optimal["sd"] - sd
        mark = Entry(point["efficient"], "on the front" if point["efficient"] else "")
        grid.add_row(point["strategy"], *(number(value, ".3f") for value in (mean, sd, given, saved)), mark)
    return grid
