"""Many games simulated: the scores of a strategy against its exact law, and how often one strategy beats another."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final, NotRequired, TypedDict

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Number
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.plan import Limits, Plan, admit, kept_together, ratio
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.records.notation import Record
from tentimes18.simulate.beside import verify_players
from tentimes18.simulate.fit import fit
from tentimes18.simulate.games import BLOCK, Counts, RunGames, count_games
from tentimes18.simulate.gpu_games import GpuGames, admit_gpu_games, one_by_one
from tentimes18.simulate.plans import admit_games, fitting_games, games_plan, has_table
from tentimes18.simulate.players import played_boards
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import Runner, do, verify_games
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.named import ACCEPTED, DUEL_STRATEGIES, Finder, UnknownStrategy, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import (
    KnownStrategy,
    ObjectiveStrategy,
    RuleStrategy,
    is_exact_sensible,
    score_law,
)

__all__ = [
    "DuelPlayAnswer",
    "ExactAnswer",
    "FitAnswer",
    "Played",
    "SimulationAnswer",
    "StandardErrors",
    "duel_play",
    "duel_run",
    "make_tables",
    "play_games",
    "played_records",
    "simulation",
    "verify_records",
]

FIT_SECONDS: Final = 10.0  # that the law may take which games are compared with
RECORDS_SECONDS: Final = 3600.0  # that games may be written for, unless the environment says less
SECONDS_A_RECORD: Final = 1.1e-5  # for each round, played and written
QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")


class FitAnswer(TypedDict):
    """z: how many standard errors the mean is off; chi-square with its degrees of freedom and p-value."""

    z: float
    chi_square: float
    degrees: int
    p_value: float


class ExactAnswer(TypedDict):
    """Mean and standard deviation of the exact law; with a target, its chance."""

    mean: float
    sd: float
    chance: NotRequired[float]


class SimulationAnswer(TypedDict):
    """The scores of a strategy; ``histogram`` has a pair (score, games) for each score.

    ``fit`` compares them with the exact law, where the strategy has one that can be computed; with no degrees of
    freedom there was nothing to test. With a target, ``chance`` is the share of games that reached it.
    """

    strategy: str
    games: int
    seed: int
    mean: float
    sd: float
    stderr: float
    median: Plain
    quantiles: dict[str, Plain]
    histogram: list[tuple[Plain, int]]
    seconds: float
    fit: FitAnswer | None
    exact: ExactAnswer | None
    target: NotRequired[float]
    chance: NotRequired[float]
    chance_stderr: NotRequired[float]


class StandardErrors(TypedDict):
    """One for each of the three ends of a duel."""

    win: float
    draw: float
    loss: float


class DuelPlayAnswer(TypedDict):
    """The shares of duels that the first strategy won, drew and lost, and by how much it was ahead."""

    games: int
    win: float
    draw: float
    loss: float
    stderr: StandardErrors
    mean_difference: float
    mean_difference_stderr: float
    largest_win: float
    largest_loss: float


@dataclass(frozen=True, slots=True)
class Played:
    """The games of a run as they were counted, the seconds they took, and whether all of them were played."""

    run: Run
    counts: Counts
    seconds: float
    finished: bool


def make_tables(
    run: Run,
    games: int,
    progress: Progress | None = None,
    limits: Limits | None = None,
    *,
    times: int = 1,
    device: str = CPU,
) -> None:
    """Make the tables that the strategies of a run play by; nothing that does not fit is begun.

    Each of the games will be played so many times; with ``device="cuda"`` on a GPU.

    >>> make_tables(Run(Game.parse("1d6", "1-3"), ("optimal", "hunter"), seed=18), 1000)
    """
    verify_games(games)
    verify_players(run)
    gpu = on_gpu(device)
    if gpu is None:
        admit_games(run, games, limits, times=times)
    else:
        GpuGames(run, gpu)
        admit_gpu_games(run, gpu, games, limits)
    for name in run.strategies:
        if name in DUEL_STRATEGIES:
            (hunter if name == "hunter" else equilibrium)(run.game, progress)
            continue
        strategy = run.find(name)
        if isinstance(strategy, ObjectiveStrategy):
            strategy.solve(run.game, progress)
        elif isinstance(strategy, RuleStrategy) and has_table(run.game):
            rule_table(strategy, run.game, progress)


def play_games(
    run: Run,
    games: int,
    runner: Runner | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    device: str = CPU,
) -> Played:
    """Play so many games of a run; stopped by Ctrl-C, those that were played so far.

    With ``device="cuda"`` a GPU counts them, and the counts are the same.

    >>> play_games(Run(Game.parse("1d6", "1-3"), ("optimal",), seed=18), 1000).counts.games
    1000
    """
    gpu = on_gpu(device)
    if gpu is not None:
        verify_games(games)
        admit_gpu_games(run, gpu, games, limits)
        work = GpuGames(run, gpu)
        work.counter()(0, 1)  # as `do` has it: tables and compiled code before the clock starts
        done = do(work, games, one_by_one, progress)
    else:
        if runner is None:
            admit_games(run, games, limits)
        done = do(RunGames(run), games, runner, progress)
    return Played(run, done.counts, done.seconds, done.finished)


def simulation(played: Played, target: Number | None = None) -> SimulationAnswer:
    """What the games say of the first strategy of their run, and how many reached a target.

    >>> run = Run(Game.parse("1d6", "1-3"), ("optimal",), seed=18)
    >>> answer = simulation(play_games(run, 1000))
    >>> answer["strategy"], answer["games"], abs(answer["fit"]["z"]) < 4
    ('optimal', 1000, True)
    """
    run, counts = played.run, played.counts
    law, exact = counts.law(run.game), _exact_law(run)
    answer: SimulationAnswer = {
        "strategy": run.strategies[0],
        "games": counts.games,
        "seed": run.seed,
        "mean": float(law.mean),
        "sd": law.sd,
        "stderr": law.sd / sqrt(counts.games),
        "median": plain(law.median),
        "quantiles": {q: plain(law.quantile(float(q))) for q in QUANTILES},
        "histogram": [(plain(score), int(count)) for score, count in zip(law.scores, law.weights, strict=True)],
        "seconds": played.seconds,
        "fit": None if exact is None else _fit(law, exact),
        "exact": None if exact is None else {"mean": float(exact.mean), "sd": exact.sd},
    }
    if target is not None:
        chance = float(law.at_least(target))
        answer |= {"target": float(target), "chance": chance, "chance_stderr": _share_error(chance, counts.games)}
        if exact is not None and answer["exact"] is not None:
            answer["exact"]["chance"] = float(exact.at_least(target))
    return answer


def _exact_law(run: Run) -> ScoreLaw | None:
    strategy = run.find(run.strategies[0])
    if not isinstance(strategy, KnownStrategy):
        return None
    board = run.board()
    if not is_exact_sensible(board, strategy) and strategy.plan(board, exact=False).seconds > FIT_SECONDS:
        return None
    try:
        return score_law(board, strategy)
    except Ten18Error:
        return None


def _fit(counted: ScoreLaw, law: ScoreLaw) -> FitAnswer:
    found = fit(counted, law)
    return {"z": found.z, "chi_square": found.chi_square, "degrees": found.degrees, "p_value": found.p_value}


def _share_error(share: float, games: int) -> float:
    """The standard error of a share of so many games."""
    return sqrt(share * (1 - share) / games)


def duel_run(
    game: Game, first: str, second: str, seed: int, find: Finder = named, boards: tuple[Board, ...] = ()
) -> Run:
    """Two strategies against each other on the same rolls, by name; those that play duels only are known as well.

    They go on from two boards, or start from empty ones.

    >>> duel_run(Game.classic(), "optimal", "hunter", seed=18).strategies
    ('optimal', 'hunter')
    """
    for field, name in (("first", first), ("second", second)):
        try:
            if name not in DUEL_STRATEGIES:
                find(name)
        except UnknownStrategy:
            accepted = ", ".join((ACCEPTED, *DUEL_STRATEGIES))
            raise UnknownStrategy(f"not known; accepted: {accepted}", field, name) from None
        except Ten18Error as error:
            raise error.about(field) from None
    return Run(game, (first, second), seed, find, boards)


def duel_play(played: Played) -> DuelPlayAnswer:
    """What the games say of the first strategy of their run against the second one.

    >>> run = Run(Game.parse("1d6", "1-3"), ("optimal", "random"), seed=18)
    >>> answer = duel_play(play_games(run, 1000))
    >>> answer["win"] > answer["loss"], answer["win"] + answer["draw"] + answer["loss"]
    (True, 1.0)
    """
    counts, games = played.counts, played.counts.games
    unit = float(lattice_of(played.run.game).unit)
    win, draw, loss = (int(count) / games for count in (counts.wins[0, 1], counts.draws[0, 1], counts.wins[1, 0]))
    mean = unit * counts.difference / games
    low, high = (unit * gap for gap in counts.largest)
    return {
        "games": games,
        "win": win,
        "draw": draw,
        "loss": loss,
        "stderr": {
            "win": _share_error(win, games),
            "draw": _share_error(draw, games),
            "loss": _share_error(loss, games),
        },
        "mean_difference": mean,
        "mean_difference_stderr": sqrt(max(0.0, unit**2 * counts.squared_difference / games - mean**2) / games),
        "largest_win": max(0.0, high),
        "largest_loss": max(0.0, -low),
    }


def verify_records(run: Run, games: int, limits: Limits | None = None) -> None:
    """Raise before anything is written where these games cannot be played, or are too many to be written down.

    >>> verify_records(Run(Game.classic(), ("optimal",), seed=18), 10**8, Limits(8e9, 600))
    Traceback (most recent call last):
    tentimes18.errors.TooLarge: games: a file of 100,000,000 games would take about ...; at most 10 minutes here: ...
    """
    verify_games(games)
    admit(
        _records_plan(run, games),
        limits or Limits.here(seconds=RECORDS_SECONDS),
        instead=lambda most: fitting_games(games, lambda fewer: _records_plan(run, fewer).fits(most)),
        field="games",
    )
    count_games(run, 0, 1)


def _records_plan(run: Run, games: int) -> Plan:
    written = Plan("the lines", SECONDS_A_RECORD * ratio(games) * run.game.size)
    return kept_together(f"a file of {games:,} games", games_plan(run, games), written)


def played_records(run: Run, games: int) -> Iterator[Record]:
    """The games of a run as they are counted, one by one.

    >>> next(played_records(Run(Game.parse("1d6", "1-3"), ("optimal",), seed=18), 5)).tags
    {'name': 'optimal', 'seed': 18, 'game': 0}
    """
    for first in range(0, games, BLOCK):
        for number, board in enumerate(played_boards(run, first, min(BLOCK, games - first)), start=first):
            yield Record(board, tags={"name": run.strategies[0], "seed": run.seed, "game": number})
