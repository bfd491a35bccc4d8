"""`ten18 simulate`, `duel play` and `tournament`: many games on the same rolls."""

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption, StrategyOption, verify_output
from tentimes18.cli.output import console, plain, print_json, progress_bar, table
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.records.files import written_lines
from tentimes18.records.notation import Record

if TYPE_CHECKING:
    from tentimes18.simulate.fit import Fit
    from tentimes18.simulate.games import Counts, Runner
    from tentimes18.simulate.run import Run

__all__ = ["INTERRUPTED", "ClusterOption", "GamesOption", "SeedOption", "play_games", "register"]

MAX_SAVED: Final = 10_000_000
INTERRUPTED: Final = 130
QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")

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
    from tentimes18.simulate.run import Run
    from tentimes18.strategies.user_code import find

    run = Run(Game.parse(dice, slots), (strategy,), seed, find)
    if save is not None:
        _verify_save(run, games, save)
        _save(run, games, save)
    counts, seconds, finished = play_games(run, games, cluster)
    law = counts.law(run.game)
    fit = _fit(run, counts)
    error = law.sd / sqrt(counts.games)
    if as_json:
        result: dict[str, Any] = {
            "strategy": strategy,
            "games": counts.games,
            "seed": seed,
            "mean": float(law.mean),
            "sd": law.sd,
            "stderr": error,
            "median": plain(law.median),
            "quantiles": {q: plain(law.quantile(float(q))) for q in QUANTILES},
            "histogram": [[plain(score), count] for score, count in zip(law.scores, law.weights, strict=True)],
            "seconds": seconds,
            "fit": None,
        }
        if fit:
            names = ("z", "chi_square", "degrees", "p_value")
            result["fit"] = {name: getattr(fit, name) for name in names}
        print_json(result)
    else:
        grid = table(f"{counts.games:,} games of {strategy}, {run.game}, seed {seed}", "points", label="")
        for name, text in (
            ("mean", f"{float(law.mean):.5f}"),
            ("standard error", f"{error:.5f}"),
            ("standard deviation", f"{law.sd:.5f}"),
            ("least, most", f"{plain(law.scores[0])}, {plain(law.scores[-1])}"),
            *((f"{float(q):.0%} end at most at", str(plain(law.quantile(float(q))))) for q in QUANTILES),
        ):
            grid.add_row(name, text)
        screen = console()
        screen.print(grid)
        if fit:
            screen.print(
                f"Against the exact law: mean off by {fit.z:+.2f} standard errors; "
                f"chi-square {fit.chi_square:.1f} with {fit.degrees} degrees of freedom (p = {fit.p_value:.3f})."
            )
        sys.stderr.write(f"{counts.games / seconds / 1e6:,.1f} million games a second\n")
    if not finished:
        raise typer.Exit(INTERRUPTED)


def play_games(run: "Run", games: int, cluster: str | None) -> "tuple[Counts, float, bool]":
    """The counts, the seconds they took, and whether all games were played."""
    from tentimes18.simulate.games import simulate as play
    from tentimes18.simulate.games import verify_games

    verify_games(games)
    runner = _runner(cluster)
    if runner is None:
        list(play(run, 1))  # tables and compiled code are made before the clock starts
    began = perf_counter()
    counts: Counts | None = None
    try:
        with progress_bar("games") as progress:
            for counts in play(run, games, runner):
                if progress:
                    progress(counts.games, games)
    except KeyboardInterrupt:
        if counts is None:
            raise
        return counts, perf_counter() - began, False
    assert counts is not None
    return counts, perf_counter() - began, True


def _runner(cluster: str | None) -> "Runner | None":
    if cluster is None:
        return None
    if find_spec("distributed") is None:
        raise Ten18Error("a cluster needs dask.distributed: pip install 'tentimes18[cluster]'")
    from tentimes18.simulate.cluster import cluster_runner

    return cluster_runner(cluster)


def _fit(run: "Run", counts: "Counts") -> "Fit | None":
    """The fit to the exact law, where the strategy has one that can be computed."""
    from tentimes18.game import Board
    from tentimes18.simulate.fit import fit
    from tentimes18.strategies.strategy import score_law
    from tentimes18.strategies.user_code import find_known

    try:
        law = score_law(Board(run.game), find_known(run.strategies[0]))
    except Ten18Error:
        return None
    return fit(counts.law(run.game), law)


def _verify_save(run: "Run", games: int, path: Path) -> None:
    """Raise before anything is written where these games cannot be played or saved."""
    from tentimes18.simulate.games import simulate as play

    verify_output(path, (".ndjson", ".csv"), option="save")
    if games > MAX_SAVED:
        raise TooLarge(f"{games:,} games to save; at most {MAX_SAVED:,}", field="games")
    next(play(run, min(games, 1)))


def _save(run: "Run", games: int, path: Path) -> None:
    """Write the games of a run, each as one line."""
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("w", encoding="utf-8", newline="") as file, progress_bar("saving") as progress:
            for number, line in enumerate(written_lines(_records(run, games), path.suffix.lower())):
                file.write(f"{line}\n")
                if progress and number % 1000 == 0:
                    progress(number, games)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _records(run: "Run", games: int) -> Iterator[Record]:
    from tentimes18.simulate.games import BLOCK
    from tentimes18.simulate.players import played_boards

    for first in range(0, games, BLOCK):
        for number, board in enumerate(played_boards(run, first, min(BLOCK, games - first)), start=first):
            yield Record(board, tags={"name": run.strategies[0], "seed": run.seed, "game": number})


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
    from tentimes18.simulate.run import Run
    from tentimes18.simulate.tournament import LEVEL, judge
    from tentimes18.strategies.user_code import find

    names = tuple(dict.fromkeys(name.strip() for name in strategies.split(",")))
    if len(names) < 2:
        raise Ten18Error(
            "a tournament takes at least two different strategies, like optimal,random", field="strategies"
        )
    run = Run(Game.parse(dice, slots), names, seed, find)
    counts, _, finished = play_games(run, games, cluster)
    result = judge(names, counts)
    if as_json:
        print_json(
            {
                "strategies": list(names),
                "games": counts.games,
                "equity": result.equity,
                "stderr": result.stderr,
                "ratings": result.ratings,
                "shares": result.shares,
                "cycles": result.cycles,
                "level": LEVEL,
                "least_z": result.least_z,
            }
        )
    else:
        _show_tournament(run, result, LEVEL)
    if not finished:
        raise typer.Exit(INTERRUPTED)


def _show_tournament(run: "Run", result: Any, level: float) -> None:
    screen = console()
    order = sorted(range(len(result.strategies)), key=lambda i: -result.ratings[i])
    numbers = {i: str(place) for place, i in enumerate(order, start=1)}
    ranking = table(f"{result.games:,} games on the same rolls, {run.game}", "strategy", "rating", "all at one table")
    ranking.table.columns[0].justify = "left"
    for i in order:
        ranking.add_row(f"{numbers[i]} {result.strategies[i]}", f"{result.ratings[i]:+.0f}", f"{result.shares[i]:.2%}")
    screen.print(ranking)
    grid = table("Equity of the row against the column, in percent", *(numbers[j] for j in order), label="")
    for i in order:
        grid.add_row(numbers[i], *("" if i == j else f"{100 * result.equity[i][j]:.2f}" for j in order))
    screen.print(grid)
    largest = max((max(row) for row in result.stderr), default=0.0)
    screen.print(f"Standard errors are at most {100 * largest:.2f} percent.")
    if result.cycles:
        screen.print(
            f"\nIn a circle, each step above one half by {result.least_z:.2f} standard errors or more "
            f"(level {level:g} over all pairs together):"
        )
        for cycle in result.cycles:
            screen.print("  " + _arrows(result, cycle))
    else:
        screen.print("No significant cycle.")


def _arrows(result: Any, cycle: Sequence[str]) -> str:
    place = {name: i for i, name in enumerate(result.strategies)}
    steps = [
        f"{name} {100 * result.equity[place[name]][place[other]]:.2f} >"
        for name, other in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    ]
    return " ".join([*steps, cycle[0]])
