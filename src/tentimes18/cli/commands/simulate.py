"""`ten18 simulate`, `duel play` and `tournament`: many games on the same rolls."""

import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption, StrategyOption, verify_output
from tentimes18.cli.output import console, print_json, progress_bar, table
from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Game
from tentimes18.records.files import written_lines
from tentimes18.records.notation import Record
from tentimes18.storage.atomic import whole_file

if TYPE_CHECKING:
    from tentimes18.answers.simulation import Played, SimulationAnswer
    from tentimes18.answers.tournament import TournamentAnswer
    from tentimes18.simulate.run import Run

__all__ = ["ClusterOption", "GamesOption", "SeedOption", "leave_if_stopped", "played", "register"]

INTERRUPTED: Final = 130
LINES_A_REPORT: Final = 1000  # between two reports of progress

GamesOption: TypeAlias = Annotated[int, typer.Option("--games", metavar="N", help="Number of games.")]
SeedOption: TypeAlias = Annotated[int, typer.Option("--seed", help="The same seed gives the same rolls.")]
ClusterOption: TypeAlias = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster: tcp://host:8786, or local.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(simulate)
    app.command()(tournament)


def simulate(
    strategy: StrategyOption = "optimal",
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write every game: .ndjson or .csv.")
    ] = None,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play many games, and compare them with the exact law.

    A strategy of your own is a Python function of the board and the roll that returns a slot, given as
    module:function or file.py:function.
    """
    from tentimes18.answers.simulation import played_records, simulation, verify_records
    from tentimes18.simulate.run import Run
    from tentimes18.strategies.user_code import find

    run = Run(Game.parse(dice, slots), (strategy,), seed, find)
    with blame("strategy", "strategies"):
        if save is not None:
            verify_output(save, (".ndjson", ".csv"), option="save")
            verify_records(run, games)
            _save(played_records(run, games), games, save)
        done = played(run, games, cluster)
    answer = simulation(done)
    print_json(answer) if as_json else _show_simulation(run.game, answer)
    leave_if_stopped(done)


def played(run: "Run", games: int, cluster: str | None) -> "Played":
    """The games of a run, on this machine or a cluster."""
    from tentimes18.answers.simulation import play_games

    runner = None
    if cluster is not None:
        if find_spec("distributed") is None:
            raise Ten18Error("a cluster needs dask.distributed: pip install 'tentimes18[cluster]'")
        from tentimes18.simulate.cluster import cluster_runner

        runner = cluster_runner(cluster)
    with progress_bar("games", late=True) as progress:
        return play_games(run, games, runner, progress)


def leave_if_stopped(done: "Played") -> None:
    """End as a program that was stopped, where it was."""
    if not done.finished:
        raise typer.Exit(INTERRUPTED)


def _save(records: Iterable[Record], games: int, path: Path) -> None:
    """Write games, each as one line."""
    with whole_file(path) as file, progress_bar("saving") as progress:
        for number, line in enumerate(written_lines(records, path.suffix.lower())):
            file.write(f"{line}\n".encode())
            if progress and number % LINES_A_REPORT == 0:
                progress(number, games)


def _show_simulation(game: Game, answer: "SimulationAnswer") -> None:
    screen = console()
    games, histogram, fit = answer["games"], answer["histogram"], answer["fit"]
    grid = table(f"{games:,} games of {answer['strategy']}, {game}, seed {answer['seed']}", "points", label="")
    for name, text in (
        ("mean", f"{answer['mean']:.5f}"),
        ("standard error", f"{answer['stderr']:.5f}"),
        ("standard deviation", f"{answer['sd']:.5f}"),
        ("least, most", f"{histogram[0][0]}, {histogram[-1][0]}"),
        *((f"{float(q):.0%} end at most at", str(score)) for q, score in answer["quantiles"].items()),
    ):
        grid.add_row(name, text)
    screen.print(grid)
    if fit:
        screen.print(
            f"Against the exact law: mean off by {fit['z']:+.2f} standard errors; "
            f"chi-square {fit['chi_square']:.1f} with {fit['degrees']} degrees of freedom (p = {fit['p_value']:.3f})."
        )
    sys.stderr.write(f"{games / answer['seconds'] / 1e6:,.1f} million games a second\n")


def tournament(
    strategies: Annotated[
        str, typer.Option("--strategies", metavar="NAMES", help="Strategies by name, with commas between them.")
    ] = "optimal,nearest,bands,greedy,utility:exp:-0.02,target:640,target:660,quantile:0.5,cvar:0.5,random",
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every pair of strategies on the same rolls, ratings, and who beats whom in a circle."""
    from tentimes18.answers.tournament import tournament as tournament_of
    from tentimes18.simulate.run import Run
    from tentimes18.strategies.user_code import find

    names = tuple(dict.fromkeys(name.strip() for name in strategies.split(",")))
    if len(names) < 2:
        raise Ten18Error(
            "a tournament takes at least two different strategies, like optimal,random", field="strategies"
        )
    run = Run(Game.parse(dice, slots), names, seed, find)
    with blame("strategies", "strategy"):
        done = played(run, games, cluster)
    answer = tournament_of(done)
    print_json(answer) if as_json else _show_tournament(run.game, answer)
    leave_if_stopped(done)


def _show_tournament(game: Game, answer: "TournamentAnswer") -> None:
    screen = console()
    names, ratings, shares, equity = answer["strategies"], answer["ratings"], answer["shares"], answer["equity"]
    order = sorted(range(len(names)), key=lambda i: -ratings[i])
    numbers = {i: str(place) for place, i in enumerate(order, start=1)}
    ranking = table(f"{answer['games']:,} games on the same rolls, {game}", "strategy", "rating", "all at one table")
    ranking.table.columns[0].justify = "left"
    for i in order:
        ranking.add_row(f"{numbers[i]} {names[i]}", f"{ratings[i]:+.0f}", f"{shares[i]:.2%}")
    screen.print(ranking)
    grid = table("Equity of the row against the column, in percent", *(numbers[j] for j in order), label="")
    for i in order:
        grid.add_row(numbers[i], *("" if i == j else f"{100 * equity[i][j]:.2f}" for j in order))
    screen.print(grid)
    largest = max((max(row) for row in answer["stderr"]), default=0.0)
    screen.print(f"Standard errors are at most {100 * largest:.2f} percent.")
    if answer["cycles"]:
        screen.print(
            f"\nIn a circle, each step above one half by {answer['least_z']:.2f} standard errors or more "
            f"(level {answer['level']:g} over all pairs together):"
        )
        for cycle in answer["cycles"]:
            screen.print("  " + _arrows(names, equity, cycle))
    else:
        screen.print("No significant cycle.")


def _arrows(names: Sequence[str], equity: Sequence[Sequence[float]], cycle: Sequence[str]) -> str:
    place = {name: i for i, name in enumerate(names)}
    steps = [
        f"{name} {100 * equity[place[name]][place[other]]:.2f} >"
        for name, other in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    ]
    return " ".join([*steps, cycle[0]])
