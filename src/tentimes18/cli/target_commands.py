"""`ten18 target`, `aim` and `front`: best play for other aims than the mean."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import typer

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.grid import Column, Entry, Grid, number, table
from tentimes18.game import Game, Number
from tentimes18.number_format import shown_number, with_minus
from tentimes18.queries.json_numbers import plain
from tentimes18.queries.moves import read_board
from tentimes18.queries.targets import FrontAnswer, SolvedAim, TargetAnswer
from tentimes18.strategies.named import RULES
from tentimes18.wording import objective_label

ROUNDING = 1e-9


def register(app: typer.Typer) -> None:
    negative = {"ignore_unknown_options": True}  # a target may be negative
    tables = ["moves", "facts"]
    add_query(app, "target", _target_page, tables, bar="chances", late=False, context_settings=negative)
    add_query(app, "aim", _aim_page, tables, bar="best play", late=False)
    add_query(app, "front", _front_page, ["front"], bar="strategies", late=False)


def _target_page(answer: TargetAnswer, arguments: Arguments) -> Iterator[Part]:
    board = read_board(Game.parse(arguments["dice"], arguments["slots"]), arguments["moves"])
    name = f"target:{answer.target}"
    title = f"A score of {with_minus(str(answer.target))} or more, {board.game}"
    rows = (name, answer.probability, answer.mean), ("optimal", answer.with_optimal, answer.mean_with_optimal)
    columns = Column("chance", form=".6f"), Column("mean", form=".5f")
    yield table(title, *columns, label="strategy", name="facts", rows=rows)
    if board.free:
        heading = "The next move" if board.rounds else "The first move"
        yield moves_table(heading, name, "optimal", answer.next_move, board.game, board.free)


def moves_table(title: str, name: str, other: str, moves: Mapping[str, int], game: Game, free: int) -> Grid:
    """The slot of each roll beside that of another rule with these free slots."""
    grid, rule = table(title, name, other, label="roll", name="moves"), RULES[other](game)
    for roll, slot in moves.items():
        theirs = rule(free, int(roll))
        slots = Entry(slot, f"#{slot}"), Entry(theirs, f"#{theirs}")
        grid.add_row(number(int(roll)), *slots, style="bold" if slot != theirs else None)
    return grid


def _aim_page(solved: SolvedAim, arguments: Arguments) -> Iterator[Part]:
    distributions, answer = (solved.distribution, solved.optimal_distribution), solved.answer
    game = Game.parse(arguments["dice"], arguments["slots"])
    title = f"Aim {answer.strategy}, {game}"
    heads = (Column(name, form=".5f") for name in (answer.strategy, "optimal"))
    facts = table(title, *heads, label=Column("", "fact", left=True), name="facts")
    reached = number(solved.reached, ".6f"), number(answer.with_optimal, ".6f")
    facts.add_row(objective_label(answer.strategy), *reached, style="bold")
    facts.add_row("mean", *(float(one.mean) for one in distributions))
    facts.add_row("standard deviation", *(one.sd for one in distributions))
    facts.add_row("median", *(_points(one.median) for one in distributions))
    for name, share in (("10th percentile", Fraction(1, 10)), ("90th percentile", Fraction(9, 10))):
        facts.add_row(name, *(_points(one.quantile(share)) for one in distributions))
    yield facts
    bound = f"{answer.gap:.1e}" if answer.gap > ROUNDING else f"below {ROUNDING:.0e}"
    yield f"Optimality gap: {bound}\n"
    yield moves_table("The first move", answer.strategy, "optimal", answer.first_move, game, game.all_free)


def _points(score: Number) -> Entry:
    return Entry(plain(score), shown_number(score))


def _front_page(answer: FrontAnswer, arguments: Arguments) -> Iterator[Part]:
    optimal = next(point for point in answer.front if point.strategy == "optimal")
    least = arguments["least"]
    heads = ("mean", "sd", *(("least sd",) if least else ()), "mean lost", "sd saved")
    columns = (*(Column(head, form=".3f") for head in heads), Column("", "efficient"))
    title = f"Mean and standard deviation, {Game.parse(arguments['dice'], arguments['slots'])}"
    grid = table(title, *columns, label="strategy", name="front")
    for point in answer.front:
        bound = (point.least_sd,) if isinstance(point.least_sd, float) else ()
        differences = optimal.mean - point.mean, optimal.sd - point.sd
        mark = Entry(point.efficient, "on the front" if point.efficient else "")
        grid.add_row(point.strategy, point.mean, point.sd, *bound, *differences, mark)
    yield grid
    if least:
        yield (
            "least sd: no strategy with the same mean or more has a smaller one. The least variance is larger than its "
            "square by at most 0.03% of the variance of optimal."
        )
