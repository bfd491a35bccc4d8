"""Many games simulated: the scores of a strategy, duels, tournaments, and rollouts of a position.

The games are counted on this machine, its GPU or a cluster. Ctrl-C gives the result of the games played so far.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tentimes18.coach.aims import aim_named
from tentimes18.errors import Ten18Error, TooLarge, blame
from tentimes18.files import verify_ending, verify_place, whole_file
from tentimes18.game import Board, Game, Number, Position, read_score
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.limits import max_bytes
from tentimes18.queries import Device, DiceText, Doc, MovesText, Seed, SlotsText, Stage, StrategyName, no_stage, query
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.queries.moves import read_position
from tentimes18.records.formats import written_lines
from tentimes18.records.notation import Record
from tentimes18.simulate.games import (
    BLOCK,
    Counts,
    Done,
    Fit,
    RunGames,
    Runner,
    check_games,
    count_games,
    do,
    fit,
    play_of,
    verify_games,
)
from tentimes18.simulate.gpu_games import GpuGames, check_gpu_games, one_by_one
from tentimes18.simulate.players import has_table, played_boards, verify_players
from tentimes18.simulate.rollout import Rollout, RolloutCounts
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import Tournament, judge, meetings_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.rule_distributions import play_size
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule, value_of
from tentimes18.strategies.named import ACCEPTED, DUEL_STRATEGIES, Finder, UnknownStrategy, named
from tentimes18.strategies.solved import equilibrium, hunter, rule_table
from tentimes18.strategies.strategy import (
    KnownStrategy,
    ObjectiveStrategy,
    RuleStrategy,
    is_exact_sensible,
    score_distribution,
)

FIT_OPERATIONS = 1e10  # of the distribution that games are compared with
MAX_SAVED_ROLLS = 300_000_000  # an hour
QUANTILES = ("0.05", "0.25", "0.5", "0.75", "0.95")
SAVE_ENDINGS = (".ndjson", ".csv")
LINES_PER_REPORT = 1000  # of progress
FIELD = (
    *("optimal", "nearest", "bands", "greedy", "utility:exp:-0.02", "utility:exp:0.02"),
    *("target:630", "quantile:0.5", "cvar:0.5", "random"),
)  # of a tournament by default


Games = Annotated[int, Doc("The number of games, like 1000 or 1e6.", metavar="N")]
Cluster = Annotated[str | None, Doc("Play the games on a Dask cluster: tcp://host:8786, or local.", metavar="ADDRESS")]

Answer = TypeVar("Answer", covariant=True)


@dataclass(frozen=True, slots=True)
class Played(Generic[Answer]):
    """The games of a run and what they show, the seconds they took, and whether all of them were played."""

    run: Run
    answer: Answer
    games: int
    seconds: float
    finished: bool


def play_games(
    run: Run, games: int, cluster: str | None = None, device: str = CPU, stage: Stage = no_stage
) -> Played[Counts]:
    if cluster is not None and device != CPU:
        raise Ten18Error("a cluster computes on processors; leave out one of --cluster and --device", field="device")
    runner = runner_of(cluster)
    tables = None if runner else make_tables(run, games, stage, device=device)
    gpu = on_gpu(device)
    with stage("games") as progress:
        if gpu is None:
            done = do(RunGames(run), games, runner, progress)
        else:
            work = GpuGames(run, gpu)
            work.counter()(0, 1)  # tables and compiled code are made before the clock starts
            done = do(work, games, one_by_one, progress)
    del tables  # they stay in memory until here
    return Played(run, done.counts, done.counts.games, done.seconds, done.finished)


def runner_of(cluster: str | None) -> Runner | None:
    """Counts the games on a cluster; None: on this machine."""
    if cluster is None:
        return None
    if find_spec("distributed") is None:
        raise Ten18Error("a cluster needs dask.distributed: pip install 'tentimes18[cluster]'")
    from tentimes18.simulate.cluster import cluster_runner

    return cluster_runner(cluster)


def make_tables(run: Run, games: int, stage: Stage = no_stage, *, times: int = 1, device: str = CPU) -> object:
    """Make the tables that the strategies of a run play by, and return what keeps them in memory.

    ``times`` is how often each game will be played.
    """
    verify_games(games)
    verify_players(run)
    gpu = on_gpu(device)
    with stage("tables") as progress:
        if gpu is None:
            check_games(run, games, times=times)
        else:
            GpuGames(run, gpu)
            check_gpu_games(run, games)
        for name in run.strategies:
            if name in DUEL_STRATEGIES:
                (hunter if name == "hunter" else equilibrium)(run.game, progress)
                continue
            strategy = run.find(name)
            if isinstance(strategy, ObjectiveStrategy):
                strategy.solve(run.game, progress)
            elif isinstance(strategy, RuleStrategy) and has_table(run.game):
                rule_table(strategy, run.game, progress)
        return play_of(run, progress) if gpu is None else None


class ExactScore(Struct, frozen=True):
    mean: float
    sd: float
    chance: float | UnsetType = UNSET


class SimulationAnswer(Struct, frozen=True):
    """The scores of a strategy; ``histogram`` has a pair (score, games) for each score.

    ``fit`` compares them with the distribution, if that can be computed; with no degrees of freedom there was nothing
    to test. With a target, ``chance`` is the share of games that reached it.
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
    fit: Fit | None
    exact: ExactScore | None
    target: float | UnsetType = UNSET
    chance: float | UnsetType = UNSET
    chance_stderr: float | UnsetType = UNSET


@query(SimulationAnswer)
def simulate(
    strategy: StrategyName = "optimal",
    games: Games = 1_000_000,
    seed: Seed = 1987,
    moves: MovesText = "",
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    save: Annotated[Path | None, Doc("Write every game to a file: .ndjson or .csv.", metavar="FILE")] = None,
    cluster: Cluster = None,
    device: Device = "cpu",
    find: Finder = named,
    stage: Stage = no_stage,
) -> Played[SimulationAnswer]:
    """Play many games, and compare them with the computed distribution.

    Games run from the start, or from a game in progress. A strategy of your own is a Python function of the board and
    the roll that returns a slot, given as module:function or file.py:function.
    """
    game = Game.parse(dice, slots)
    run = Run(game, (strategy,), seed, find, (read_position(game, moves).board,) if moves else ())
    with blame("strategy", "strategies"):
        if save is not None:
            _save(run, games, save, stage)
        return simulated(play_games(run, games, cluster, device, stage))


def _save(run: Run, games: int, path: Path, stage: Stage) -> None:
    verify_ending(path, SAVE_ENDINGS, "save")
    verify_place(path, "save")
    verify_games(games)
    if games * run.rounds > MAX_SAVED_ROLLS:
        most = f"at most {MAX_SAVED_ROLLS // run.rounds:,} of {run.rounds} rounds"
        raise TooLarge(f"{games:,} games are too many for a file; {most}", field="games")
    count_games(run, 0, 1)
    with whole_file(path) as file, stage("saving") as progress:
        for number, line in enumerate(written_lines(played_records(run, games), path.suffix.lower())):
            file.write(f"{line}\n".encode())
            if progress and number % LINES_PER_REPORT == 0:
                progress(number, games)


def played_records(run: Run, games: int) -> Iterator[Record]:
    for first in range(0, games, BLOCK):
        for number, board in enumerate(played_boards(run, first, min(BLOCK, games - first)), start=first):
            yield Record(board, tags={"name": run.strategies[0], "seed": run.seed, "game": number})


def simulated(played: Played[Counts], target: Number | None = None) -> Played[SimulationAnswer]:
    """The result of games of one strategy, and how many reached a target."""
    run, games, seconds = played.run, played.games, played.seconds
    counted, distribution = played.answer.distribution(run.game), _exact_distribution(run)
    compared, exact = None, None
    if distribution is not None:
        sure = UNSET if target is None else float(distribution.at_least(target))
        compared, exact = fit(counted, distribution), ExactScore(float(distribution.mean), distribution.sd, sure)
    points = float(counted.mean), counted.sd, counted.sd / sqrt(games), plain(counted.median)
    quantiles = {q: plain(counted.quantile(float(q))) for q in QUANTILES}
    histogram = [(plain(score), int(count)) for score, count in zip(counted.scores, counted.weights, strict=True)]
    answer = SimulationAnswer(
        *(run.strategies[0], games, run.seed, *points, quantiles, histogram, seconds, compared, exact)
    )
    if target is not None:
        chance = float(counted.at_least(target))
        answer = replace(answer, target=float(target), chance=chance, chance_stderr=_share_error(chance, games))
    return Played(run, answer, games, seconds, played.finished)


def _exact_distribution(run: Run) -> ScoreDistribution | None:
    strategy, board = run.find(run.strategies[0]), run.board()
    if not isinstance(strategy, KnownStrategy):
        return None
    operations = play_size(board.game, board.free, exact=False).operations
    if operations > FIT_OPERATIONS and not is_exact_sensible(board, strategy):
        return None
    with suppress(Ten18Error):
        return score_distribution(board, strategy)
    return None


def _share_error(share: float, games: int) -> float:
    return sqrt(share * (1 - share) / games)


class StandardErrors(Struct, frozen=True):
    win: float
    draw: float
    loss: float


class DuelPlayAnswer(Struct, frozen=True):
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


@query(DuelPlayAnswer)
def duel_play(
    first: Annotated[str, Doc("The first strategy by name.", metavar="A", is_argument=True)],
    second: Annotated[str, Doc("The strategy that it plays against.", metavar="B", is_argument=True)],
    games: Games = 1_000_000,
    seed: Seed = 1987,
    moves: MovesText = "",
    opponent: Annotated[str | None, Doc("B's moves, if you give A's.", metavar="MOVES")] = None,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cluster: Cluster = None,
    find: Finder = named,
    stage: Stage = no_stage,
) -> Played[DuelPlayAnswer]:
    """Play A against B on the same rolls: how often A wins.

    Games run from the start, or from a duel in progress.
    """
    game = Game.parse(dice, slots)
    position = read_position(game, moves, opponent, is_duel=True)
    boards = (position.board, position.theirs) if moves else ()
    with blame("A", "first"), blame("B", "second"):
        run = duel_run(game, first, second, seed, find, boards)
    return played_duels(play_games(run, games, cluster, stage=stage))


def duel_run(
    game: Game, first: str, second: str, seed: int, find: Finder = named, boards: tuple[Board, ...] = ()
) -> Run:
    """Two strategies against each other on the same rolls, by name; those that play duels only are known as well."""
    verify_name(first, "first", find)
    verify_name(second, "second", find)
    return Run(game, (first, second), seed, find, boards)


def verify_name(name: str, field: str, find: Finder) -> None:
    """Raise unless a strategy has this name, be it one that plays duels only."""
    try:
        if name not in DUEL_STRATEGIES:
            find(name)
    except UnknownStrategy:
        accepted = ", ".join((ACCEPTED, *DUEL_STRATEGIES))
        raise UnknownStrategy(f"not known; accepted: {accepted}", field, name) from None
    except Ten18Error as error:
        raise error.about(field) from None


def played_duels(played: Played[Counts]) -> Played[DuelPlayAnswer]:
    """The result of the games of the first strategy of a run against the second one."""
    counts, games, unit = played.answer, played.games, float(lattice_of(played.run.game).unit)
    win, draw, loss = (int(count) / games for count in (counts.wins[0, 1], counts.draws[0, 1], counts.wins[1, 0]))
    errors = StandardErrors(*(_share_error(share, games) for share in (win, draw, loss)))
    mean = unit * counts.difference / games
    mean_error = sqrt(max(0.0, unit**2 * counts.squared_difference / games - mean**2) / games)
    low, high = (unit * gap for gap in counts.largest)
    answer = DuelPlayAnswer(games, win, draw, loss, errors, mean, mean_error, max(0.0, high), max(0.0, -low))
    return Played(played.run, answer, games, played.seconds, played.finished)


@query(Tournament)
def tournament(
    strategies: Annotated[str, Doc("Strategies by name, with commas between them.", metavar="NAMES")] = ", ".join(
        FIELD
    ),
    games: Games = 1_000_000,
    seed: Seed = 1987,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cluster: Cluster = None,
    device: Device = "cpu",
    find: Finder = named,
    stage: Stage = no_stage,
) -> Played[Tournament]:
    """Every pair of strategies on the same rolls, ratings, and who beats whom in a circle.

    The strategies hunter and equilibrium meet every other one in duels, computed if that takes seconds.
    """
    names = tuple(dict.fromkeys(name.strip() for name in strategies.split(",")))
    if len(names) < 2:
        raise Ten18Error("a tournament takes at least two different strategies, like optimal,random", "strategies")
    for name in names:
        verify_name(name, "strategies", find)
    run = Run(Game.parse(dice, slots), names, seed, find)
    with blame("strategies", "strategy"):
        played = play_games(run, games, cluster, device, stage)
        with stage("pairs") as progress:
            meetings = meetings_of(run, played.games, runner_of(cluster), progress)
    answer = judge(names, played.answer, meetings)
    return Played(run, answer, played.games, played.seconds, played.finished)


class RolloutMove(Struct, frozen=True):
    """The scores of the games after a move, and how much less they are than after the best one, which has zeros.

    ``exact`` is the mean that they should have, if it can be computed. With a target, the share of games that reached
    it, and what that should be.
    """

    slot: int
    mean: float
    stderr: float
    sd: float
    difference: float
    difference_stderr: float
    exact: float | None
    chance: float | UnsetType = UNSET
    chance_stderr: float | UnsetType = UNSET
    exact_chance: float | UnsetType | None = UNSET


class RolloutAnswer(Struct, frozen=True):
    """A roll in every free slot, best first: the one with the highest mean."""

    strategy: str
    games: int
    seed: int
    roll: int
    best: int
    moves: list[RolloutMove]
    seconds: float
    target: float | UnsetType = UNSET


class DuelRolloutMove(Struct, frozen=True):
    """How many duels were won after a move; equity counts a draw one half. ``mean`` is that of my score."""

    slot: int
    equity: float
    stderr: float
    win: float
    draw: float
    loss: float
    difference: float
    difference_stderr: float
    exact: float | None
    mean: float


class DuelRolloutAnswer(Struct, frozen=True):
    """A roll in every free slot, best first: the one with the highest equity against the opponent."""

    strategy: str
    against: str
    games: int
    seed: int
    roll: int
    best: int
    moves: list[DuelRolloutMove]
    seconds: float


@query(RolloutAnswer | DuelRolloutAnswer | SimulationAnswer | DuelPlayAnswer)
def rollout(
    moves: MovesText = "",
    roll: Annotated[int | None, Doc("The roll to place; without one the position itself is rolled out.")] = None,
    strategy: StrategyName = "optimal",
    target: Annotated[str | None, Doc("Show the chance of this score or more as well.", metavar="SCORE")] = None,
    against: Annotated[
        str | None, Doc("Count duels won against this strategy, on the same rolls.", metavar="NAME")
    ] = None,
    opponent: Annotated[str | None, Doc("The opponent's moves so far, in a duel.", metavar="MOVES")] = None,
    games: Games = 1_000_000,
    seed: Seed = 1987,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cluster: Cluster = None,
    find: Finder = named,
    stage: Stage = no_stage,
) -> Played[RolloutAnswer | DuelRolloutAnswer | SimulationAnswer | DuelPlayAnswer]:
    """Try every slot for a roll by simulating the rest of the game with any strategy.

    All moves get the same rolls, so their differences are more accurate than their means. A strategy may be a function
    of your own, as in simulate; in a duel hunter and equilibrium play as well.
    """
    if opponent is not None and against is None:
        raise Ten18Error("needs a strategy for the rest of the game; name one with --against", field="opponent")
    if target is not None and against is not None:
        raise Ten18Error("in a duel the higher score wins; leave --target or --against out", field="target")
    game = Game.parse(dice, slots)
    score = None if target is None else read_score(target, "target")
    position = read_position(game, moves, opponent, is_duel=against is not None)
    if against is None:
        find(strategy)  # an unknown name is reported before anything is made
        run = Run(game, (strategy,), seed, find, (position.board,))
    else:
        with blame("strategy", "first"), blame("against", "second"):
            run = duel_run(game, strategy, against, seed, find, (position.board, position.theirs))
    if roll is None:
        played = play_games(run, games, cluster, stage=stage)
        return played_duels(played) if against is not None else simulated(played, score)
    what = Rollout(run, roll, score)
    runner = runner_of(cluster)
    tables = None if runner else make_tables(run, games, stage, times=len(what.slots))
    with stage("games") as progress:
        done = do(what, games, runner, progress)
    del tables  # they stay in memory until here
    with stage("exact values"):
        answer = _duel_rollout(what, done) if against is not None else _rollout(what, done)
    return Played(run, answer, done.counts.games * len(what.slots), done.seconds, done.finished)


def _rollout(what: Rollout, done: Done[RolloutCounts]) -> RolloutAnswer:
    run, counts, games = what.run, done.counts, done.counts.games
    lattice, root = lattice_of(run.game), sqrt(games)
    unit, low = lattice.unit, lattice.low(run.game.all_free)
    points = counts.points
    means: list[Fraction] = [low + unit * points.mean(place, games) for place in range(len(what.slots))]
    best, *_ = order = sorted(range(len(means)), key=lambda place: (-means[place], place))
    exact = _exact_score(run, what.target)
    moves = []
    for place in order:
        slot, sd = what.slots[place], float(unit) * points.sd(place, games)
        behind = float(means[place] - means[best]), float(unit) * points.difference_sd(place, best, games) / root
        value, exact_chance = exact(run.board().place(what.roll, slot))
        move = RolloutMove(slot, float(means[place]), sd / root, sd, *behind, value)
        if what.target is not None:
            chance = int(counts.reached[place]) / games
            move = replace(move, chance=chance, chance_stderr=_share_error(chance, games), exact_chance=exact_chance)
        moves.append(move)
    target = UNSET if what.target is None else float(what.target)
    return RolloutAnswer(run.strategies[0], games, run.seed, what.roll, moves[0].slot, moves, done.seconds, target)


def _duel_rollout(what: Rollout, done: Done[RolloutCounts]) -> DuelRolloutAnswer:
    run, counts, games = what.run, done.counts, done.counts.games
    lattice, root = lattice_of(run.game), sqrt(games)
    equity = counts.equity  # twice as large
    best, *_ = order = sorted(range(len(what.slots)), key=lambda place: (-equity.sums[place], place))
    exact = _exact_equities(run, what.roll)
    moves = []
    for place in order:
        slot, wins, draws = what.slots[place], int(counts.wins[place]), int(counts.draws[place])
        half = float(equity.mean(place, games) / 2), equity.sd(place, games) / 2 / root
        shares = wins / games, draws / games, (games - wins - draws) / games
        gap, gap_sd = equity.difference(place, best, games) / 2, equity.difference_sd(place, best, games) / 2
        mean = float(lattice.low(run.game.all_free) + lattice.unit * counts.points.mean(place, games))
        moves.append(DuelRolloutMove(slot, *half, *shares, float(gap), gap_sd / root, exact.get(slot), mean))
    strategy, against = run.strategies
    return DuelRolloutAnswer(strategy, against, games, run.seed, what.roll, moves[0].slot, moves, done.seconds)


def _exact_score(run: Run, target: Number | None) -> Callable[[Board], tuple[float | None, float | None]]:
    """The mean from a board on, in float64, and the probability of the target; None where they take too long."""
    strategy = run.find(run.strategies[0])
    is_optimal = isinstance(strategy, RuleStrategy) and strategy.rule is optimal_rule
    start = run.board()
    size = play_size(start.game, start.free, exact=False)
    # After each move the distribution has a slot less, and takes half as long.
    is_quick = size.bytes <= max_bytes() and size.operations * len(start.free_slots) / 2 <= FIT_OPERATIONS

    def exact(board: Board) -> tuple[float | None, float | None]:
        mean = float(board.score + value_of(board.game, board.free)) if is_optimal else None
        if not board.free:
            return float(board.score), None if target is None else float(board.score >= target)
        if isinstance(strategy, KnownStrategy) and is_quick and not (is_optimal and target is None):
            with suppress(Ten18Error):
                distribution = score_distribution(board, strategy, exact=False)
                mean = float(distribution.mean) if mean is None else mean
                return mean, None if target is None else float(distribution.at_least(target))
        return mean, None

    return exact


def _exact_equities(run: Run, roll: int) -> dict[int, float]:
    """The equity of each move, in float64, if a table that was made for the players has it."""
    aims = {("hunter", "optimal"): "duel:optimal", ("equilibrium", "equilibrium"): "duel"}
    if run.strategies not in aims:
        return {}
    moves = aim_named(run.game, aims[run.strategies]).moves(Position(run.board(0), run.board(1)), roll)
    return {slot: float(worth) for slot, worth in moves.items()}
