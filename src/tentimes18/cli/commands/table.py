"""`ten18 table`: several strategies in one game, on the same rolls."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from tentimes18.cli.commands.simulate import (
    ClusterOption,
    GamesOption,
    SeedOption,
    exit_code,
    runner_of,
    spread,
    tell_speed,
)
from tentimes18.cli.options import DiceOption, SlotsOption
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Form, Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, number, table
from tentimes18.errors import blame
from tentimes18.game import Game
from tentimes18.number_format import counted

if TYPE_CHECKING:
    from tentimes18.answers.table import TableAnswer, TableResponseAnswer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, several, tables=["shares", "without", "company", "response"], name="table")


def several(
    strategies: Annotated[
        list[str], typer.Argument(metavar="NAMES...", help="Two to eight strategies by name, also twice the same.")
    ],
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    exact: Annotated[bool, typer.Option("--exact", help="Insist on exact shares, however long they take.")] = False,
    response: Annotated[
        bool, typer.Option("--response", help="The best play of one more, who sees all boards, exactly.")
    ] = False,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cluster: ClusterOption = None,
    form: Form = Form.text,
) -> Result:
    """Several strategies at one table: whose the wins are, and who gains from whose company.

    All get the same rolls, and the highest score wins; equal ones share the win. Exact where that takes seconds, and
    simulated: the two are compared. The strategies hunter and equilibrium play their duel with one of the others.
    """
    from tentimes18.answers import table as answers
    from tentimes18.strategies.user_code import find

    names = [name.strip() for words in strategies for name in words.split(",") if name.strip()]
    run = answers.table_run(Game.parse(dice, slots), names, seed, find)
    with blame("strategies", "strategy"):
        best = None
        if response:
            with progress_bar("response", late=True) as progress:
                best = answers.response_at_table(run, progress=progress)
        with progress_bar("exact", late=True) as progress:
            sure = answers.exact_table(run, insist=exact, progress=progress)
        runner = runner_of(cluster)
        with progress_bar("games", late=True) as progress:
            done = answers.play_table(run, games, runner, progress)
    answer = answers.table(done, sure)
    if best:
        answer["response"] = best
    if form is Form.text:
        tell_speed(answer["games"], answer["seconds"])
    return Result(answer, partial(_page, run.game, answer), tuple, exit_code(done.finished))


def _page(game: Game, answer: "TableAnswer") -> Iterator[Part]:
    names, exact, games = answer["strategies"], answer["exact"], answer["games"]
    title = f"{counted(games, 'game')} at one table, {game}, seed {answer['seed']}"
    columns = ["share of wins", "standard error", "alone", "mean rank"]
    grid = table(title, *columns, *(["exact share", "off by"] if exact else []), label="strategy", name="shares")
    for seat, name in enumerate(names):
        cells = [
            number(answer["shares"][seat], ".4%"),
            spread(answer["stderr"][seat], games, ".4%"),
            number(answer["sole"][seat], ".4%"),
            number(answer["ranks"][seat], ".4f"),
        ]
        if exact:
            cells += [number(exact["shares"][seat], ".6%"), number(exact["z"][seat], "+.2f")]
        grid.add_row(name, *cells)
    yield grid
    if exact:
        yield f"Exact from {counted(exact['positions'], 'position')}; off by: in standard errors."
    for name, rival in zip(names, answer["rivals"], strict=True):
        if rival is not None:
            yield f"{name} plays its duel with {rival}."
    if answer["company"]:
        yield ""
        yield from _company(names, answer)
    if "response" in answer:
        yield from _response(names, answer["response"])


def _company(names: Sequence[str], answer: "TableAnswer") -> Iterator[Part]:
    """Who has which share without whom, and gains from whose company: by row and column."""
    columns = _seats(names)
    without = answer["exact"]["without"] if answer["exact"] else answer["without"]
    grid = table("The share of the row without the column, in percent", *columns, label="strategy", name="without")
    for name, row in zip(names, without, strict=True):
        grid.add_row(name, *(number(None if value is None else 100 * value, ".3f") for value in row))
    yield grid
    title = "What the row gains from the company of the column, in percent of the wins that the column leaves"
    grid = table(title, *columns, label="strategy", name="company")
    for name, row in zip(names, answer["company"], strict=True):
        grid.add_row(name, *map(_gain, row))
    yield grid
    errors = [error for row in answer["company_stderr"] for error in row if error]
    if errors:
        yield f"Standard errors are at most {100 * max(errors):.3f} percent."
    best = [
        (value, name, other)
        for name, row in zip(names, answer["company"], strict=True)
        for other, value in zip(names, row, strict=True)
        if value is not None
    ]
    if best:
        value, name, other = max(best)
        yield f"{name} gains most, from the company of {other}." if value > 0 else "Nobody gains from company."


def _gain(value: float | None) -> Entry:
    """A gain in percent; what rounding left of nothing has no sign of a loss."""
    if value is None:
        return number(None)
    return Entry(100 * value, number(round(100 * value, 9) + 0.0, "+.3f").text)


def _seats(names: Sequence[str]) -> list[Column]:
    """A column for each seat, by its strategy, and by its number where that is there twice."""
    return [Column(name, name if names.count(name) == 1 else f"{name} {seat}") for seat, name in enumerate(names, 1)]


def _response(names: Sequence[str], best: "TableResponseAnswer") -> Iterator[Part]:
    """What one more player would make of them, and what it would leave to each."""
    yield ""
    title = "One more at this table, exactly: its share of the wins, and what it leaves to the others"
    grid = table(title, "share of wins", *_seats(names), label="strategy", name="response")

    def row(name: str, share: float | None, left: Sequence[float] | None) -> None:
        cells = left if left is not None else [None] * len(names)
        grid.add_row(name, number(share, ".6%"), *(number(value, ".6%") for value in cells))

    if best["without"] is not None:
        row("nobody", None, best["without"])
    row("the best response", best["share"], best["shares"])
    for one in best["others"]:
        row(f"{one['strategy']}, by {one['rival']}", one["share"], one["shares"])
    yield grid
    if best["shares"] is None or best["without"] is None:
        yield "What it leaves to the others is not known: there are too many positions that all of them come to."
    else:
        taken = [before - after for before, after in zip(best["without"], best["shares"], strict=True)]
        shown = ", ".join(f"{100 * part:.3f} from {name}" for name, part in zip(names, taken, strict=True))
        yield f"The best response takes, in percent of all wins: {shown}."
    moves = ", ".join(f"{roll} in #{slot}" for roll, slot in best["moves"].items())
    yield f"Its first moves: {moves}."
