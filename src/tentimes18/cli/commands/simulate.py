"""`ten18 simulate`, `duel play` and `tournament`: many games on the same rolls."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from tentimes18.cli.options import (
    Device,
    DeviceOption,
    DiceOption,
    MovesOption,
    SlotsOption,
    StrategyOption,
    verify_output,
)
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Form, Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.errors import InvalidGame, Ten18Error, blame
from tentimes18.files import whole_file
from tentimes18.game import Game, read_score
from tentimes18.number_format import counted
from tentimes18.queries.positions import read_position
from tentimes18.records.files import written_lines
from tentimes18.records.notation import Record, format_moves

if TYPE_CHECKING:
    from tentimes18.answers.simulation import Played, SimulationAnswer
    from tentimes18.answers.tournament import TournamentAnswer
    from tentimes18.simulate.run import Run
    from tentimes18.simulate.work import Runner

__all__ = [
    "ClusterOption",
    "GamesOption",
    "SeedOption",
    "exit_code",
    "played",
    "register",
    "runner_of",
    "simulation_page",
    "spread",
    "tables_of",
    "tell_speed",
]

INTERRUPTED: Final = 130
FIELD: Final = (
    *("optimal", "nearest", "bands", "greedy", "utility:exp:-0.02", "utility:exp:0.02"),
    *("target:630", "quantile:0.5", "cvar:0.5", "random"),
)  # of a tournament where nobody names another
LINES_A_REPORT: Final = 1000  # between two reports of progress


def read_count(text: str) -> int:
    """A whole number, also as people write large ones.

    >>> read_count("1000"), read_count("1e6")
    (1000, 1000000)
    """
    with suppress(InvalidGame):
        count = read_score(str(text), "games")
        if isinstance(count, int):
            return count
    raise typer.BadParameter(f"{text!r} is not a whole number; accepted: numbers like 1000 or 1e6")


GamesOption: TypeAlias = Annotated[
    int, typer.Option("--games", metavar="N", parser=read_count, help="Number of games, like 1000 or 1e6.")
]
SeedOption: TypeAlias = Annotated[int, typer.Option("--seed", help="The same seed gives the same rolls.")]
ClusterOption: TypeAlias = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster: tcp://host:8786, or local.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_command(app, simulate, tables=["histogram", "facts"])
    add_command(app, tournament, tables=["equity", "ratings"])


def simulate(
    strategy: StrategyOption = "optimal",
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    moves: MovesOption = "",
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write every game: .ndjson or .csv.")
    ] = None,
    cluster: ClusterOption = None,
    device: DeviceOption = Device.cpu,
    form: Form = Form.text,
) -> Result:
    """Play many games, and compare them with the exact law.

    From the start, or on from a game in play. A strategy of your own is a Python function of the board and the roll
    that returns a slot, given as module:function or file.py:function.
    """
    from tentimes18.answers.simulation import played_records, simulation, verify_records
    from tentimes18.simulate.run import Run
    from tentimes18.strategies.user_code import find

    game = Game.parse(dice, slots)
    run = Run(game, (strategy,), seed, find, (read_position(game, moves).board,) if moves else ())
    with blame("strategy", "strategies"):
        if save is not None:
            verify_output(save, (".ndjson", ".csv"), option="save")
            verify_records(run, games)
            _save(played_records(run, games), games, save)
        done = played(run, games, cluster, device)
    answer = simulation(done)
    if form is Form.text:
        tell_speed(answer["games"], answer["seconds"])
    page = partial(simulation_page, run, answer, "facts")
    return Result(answer, page, lambda: [_histogram(answer)], exit_code(done.finished))


def played(run: "Run", games: int, cluster: str | None, device: Device = Device.cpu) -> "Played":
    """The games of a run, on this machine, its GPU, or a cluster."""
    from tentimes18.answers.simulation import play_games

    if cluster is not None and device is not Device.cpu:
        raise Ten18Error("a cluster computes on processors; leave out one of --cluster and --device", field="device")
    runner = runner_of(cluster)
    with tables_of(run, games, cluster, device=device), progress_bar("games", late=True) as progress:
        return play_games(run, games, runner, progress, device=device)


def runner_of(cluster: str | None) -> "Runner | None":
    """Who counts the games: a cluster, or nobody but this machine."""
    if cluster is None:
        return None
    if find_spec("distributed") is None:
        raise Ten18Error("a cluster needs dask.distributed: pip install 'tentimes18[cluster]'")
    from tentimes18.simulate.cluster import cluster_runner

    return cluster_runner(cluster)


@contextmanager
def tables_of(
    run: "Run", games: int, cluster: str | None, *, times: int = 1, device: Device = Device.cpu
) -> Iterator[None]:
    """Inside, the tables that strategies play by are there, made under a bar; on a cluster the workers make them.

    Each of the games will be played so many times.
    """
    from tentimes18.answers.simulation import make_tables
    from tentimes18.simulate.games import play_of

    held = None
    if cluster is None:
        with progress_bar("tables", late=True) as progress:
            make_tables(run, games, progress, times=times, device=device)
            held = play_of(run, progress) if device is Device.cpu else None
    yield
    del held


def exit_code(finished: bool) -> int:
    """That of a program that was stopped, where it was."""
    return 0 if finished else INTERRUPTED


def tell_speed(games: int, seconds: float) -> None:
    """How fast it was, for people, where it is in nobody's way."""
    rate = games / seconds
    text = f"{rate / 1e6:,.1f} million" if rate >= 1e6 else f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
    sys.stderr.write(f"{text} games a second\n")


def _save(records: Iterable[Record], games: int, path: Path) -> None:
    """Write games, each as one line."""
    with whole_file(path) as file, progress_bar("saving") as progress:
        for number, line in enumerate(written_lines(records, path.suffix.lower())):
            file.write(f"{line}\n".encode())
            if progress and number % LINES_A_REPORT == 0:
                progress(number, games)


def simulation_page(run: "Run", answer: "SimulationAnswer", name: str) -> Iterator[Part]:
    """The games of a run for people; ``name`` is that of the table."""
    histogram, exact = answer["histogram"], answer["exact"]
    after = f" after {format_moves(run.board().placements)}" if run.board().placements else ""
    title = f"{counted(answer['games'], 'game')} of {answer['strategy']}{after}, {run.game}, seed {answer['seed']}"
    columns = ["points", *(["exact"] if exact else [])]
    grid = table(title, *columns, label=Column("", "fact", left=True), name=name)
    rows: list[tuple[str, Entry | str, float | None]] = [
        ("mean", number(answer["mean"], ".5f"), exact and exact["mean"]),
        ("standard error", spread(answer["stderr"], answer["games"], ".5f"), None),
        ("standard deviation", spread(answer["sd"], answer["games"], ".5f"), exact and exact["sd"]),
        ("least, most", f"{_score(histogram[0][0]).text}, {_score(histogram[-1][0]).text}", None),
        *((f"{float(q):.0%} end at most at", _score(score), None) for q, score in answer["quantiles"].items()),
    ]
    for fact, cell, value in rows:
        grid.add_row(fact, cell, *([number(value, ".5f")] if exact else []))
    yield grid
    if "target" in answer:
        sure = f"; exact: {exact['chance']:.4%}" if exact and "chance" in exact else ""
        share = f"{answer['chance']:.4%} ± {answer['chance_stderr']:.4%} of the games"
        if answer["games"] == 1:
            share = "reached" if answer["chance"] else "not reached"
        yield f"{_score(answer['target']).text} or more: {share}{sure}."
    if tests := _tests(answer):
        yield f"Against the exact law: {'; '.join(tests)}."


def spread(value: float, games: int, form: str) -> Entry:
    """A standard deviation or error as so many games show it: one alone shows none."""
    return number(value if games > 1 else None, form)


def _tests(answer: "SimulationAnswer") -> list[str]:
    """What the comparison with the exact law says, where there is something to compare."""
    fit, exact, found = answer["fit"], answer["exact"], []
    if fit and exact and exact["sd"] > 0:
        found.append(f"mean off by {number(fit['z'], '+.2f').text} standard errors")
    if fit and (fit["degrees"] > 0 or isinf(fit["chi_square"])):
        degrees = counted(fit["degrees"], "degree")
        found.append(f"chi-square {fit['chi_square']:.1f} with {degrees} of freedom (p = {fit['p_value']:.3f})")
    return found


def _score(score: float) -> Entry:
    """A score of many games: a whole one as it is, another one with as many digits as the mean."""
    return number(score, ".0f" if score == int(score) else ".5f")


def _histogram(answer: "SimulationAnswer") -> Grid:
    """For programs: how often each score came."""
    grid = table("", "score", "count", name="histogram")
    for score, count in answer["histogram"]:
        grid.add_row(number(score), number(count))
    return grid


def tournament(
    strategies: Annotated[
        str, typer.Option("--strategies", metavar="NAMES", help="Strategies by name, with commas between them.")
    ] = ", ".join(FIELD),
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cluster: ClusterOption = None,
    device: DeviceOption = Device.cpu,
) -> Result:
    """Every pair of strategies on the same rolls, ratings, and who beats whom in a circle.

    The strategies hunter and equilibrium meet every other one by itself, exactly where that takes seconds.
    """
    from tentimes18.answers.tournament import tournament as tournament_of
    from tentimes18.simulate.pairs import meetings_of
    from tentimes18.simulate.run import Run
    from tentimes18.strategies.user_code import find

    names = tuple(dict.fromkeys(name.strip() for name in strategies.split(",")))
    if len(names) < 2:
        raise Ten18Error(
            "a tournament takes at least two different strategies, like optimal,random", field="strategies"
        )
    run = Run(Game.parse(dice, slots), names, seed, find)
    with blame("strategies", "strategy"):
        done = played(run, games, cluster, device)
        with progress_bar("pairs", late=True) as progress:
            meetings = meetings_of(run, done.counts.games, runner_of(cluster), progress)
    answer = tournament_of(done, meetings)
    page = partial(_tournament_page, run.game, answer)
    return Result(answer, page, lambda: [_equities(answer)], exit_code(done.finished))


def _tournament_page(game: Game, answer: "TournamentAnswer") -> Iterator[Part]:
    names, ratings, shares, equity = answer["strategies"], answer["ratings"], answer["shares"], answer["equity"]
    order = sorted(range(len(names)), key=lambda i: -ratings[i])
    numbers = {i: str(place) for place, i in enumerate(order, start=1)}
    title = f"{counted(answer['games'], 'game')} on the same rolls, {game}"
    ranking = table(title, "rating", "all at one table", label="strategy", name="ratings")
    for i in order:
        name = Entry(names[i], f"{numbers[i]} {names[i]}")
        ranking.add_row(name, number(ratings[i], "+.0f"), number(shares[i], ".2%"))
    yield ranking
    grid = table("Equity of the row against the column, in percent", *(numbers[j] for j in order), label="")
    for i in order:
        grid.add_row(numbers[i], *("" if i == j else _equity(answer, i, j) for j in order))
    yield grid
    if any(map(any, answer["exact"])):
        yield "* exact." if _all_exact(answer) else "* exact; the others are simulated."
    if answer["games"] > 1 and not _all_exact(answer):
        yield f"Standard errors are at most {100 * max(map(max, answer['stderr'])):.2f} percent."
    if answer["cycles"]:
        yield (
            f"\nIn a circle, each step above one half by {answer['least_z']:.2f} standard errors or more "
            f"(level {answer['level']:g} over all pairs together):"
        )
        for cycle in answer["cycles"]:
            yield "  " + _arrows(names, equity, cycle)
    else:
        yield "No significant cycle."


def _all_exact(answer: "TournamentAnswer") -> bool:
    """Whether no pair was simulated."""
    return all(exact or i == j for i, row in enumerate(answer["exact"]) for j, exact in enumerate(row))


def _equity(answer: "TournamentAnswer", i: int, j: int) -> Entry:
    """An equity in percent, with a mark where it is exact."""
    shown = number(100 * answer["equity"][i][j], ".2f")
    return Entry(shown.value, f"{shown.text}*") if answer["exact"][i][j] else shown


def _equities(answer: "TournamentAnswer") -> Grid:
    """For programs: the equity of each row against each column."""
    names = answer["strategies"]
    grid = table("", *names, label="strategy", name="equity")
    for name, row in zip(names, answer["equity"], strict=True):
        grid.add_row(name, *map(number, row))
    return grid


def _arrows(names: Sequence[str], equity: Sequence[Sequence[float]], cycle: Sequence[str]) -> str:
    place = {name: i for i, name in enumerate(names)}
    steps = [
        f"{name} {100 * equity[place[name]][place[other]]:.2f} >"
        for name, other in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    ]
    return " ".join([*steps, cycle[0]])
