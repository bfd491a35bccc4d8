"""Claim: simulation plays tens of millions of games per second."""

from collections.abc import Iterable, Mapping
from functools import partial
from math import sqrt

from benchmarks.growth import draw_simulation
from benchmarks.harness import Claim, Section, Table, best_of, seconds
from benchmarks.plain_games import NumpyGames
from tentimes18.game import Board, Game
from tentimes18.simulate.games import BLOCK, count_games, do, simulate
from tentimes18.simulate.rollout import Rollout
from tentimes18.simulate.run import Run
from tentimes18.solve.parallel import thread_count
from tentimes18.solve.rule_distributions import rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule

SEED = 1987
SPEEDS = {"optimal": 40e6, "hindsight": 20e6, "random": 20e6, "target:700": 5e6}  # games per second, at least
FASTER = 8  # times as fast as NumPy in one thread, at least
NUMBERS = (10**5, 10**6, 10**7, 10**8)
OURS = NUMBERS[:3]
MOST = NUMBERS[-1]  # games of optimal
BY_NUMPY = NUMBERS[:3]
SLOTS = (4, 6, 8, 10, 12, 14, 16)
SLOTS_GAMES = 2 * 10**6
ROLLED_OUT = 10**6
ROLLOUT_SPEED = 30e6  # games per second, at least
LEAST_SHARP = 0.3
STEADY = 1.5  # the most that the time per game may grow with their number,
STEADY_SLOTS = 2.5  # and that a game and slot may grow with the slots
MAX_DISTANCE = 4.0

Times = dict[int, float]


def run() -> Section:
    game = Game.classic()
    for name in SPEEDS:
        _simulate(game, name, BLOCK)
    times = {f"ours, {name}": {n: _time(game, name, n) for n in OURS} for name in SPEEDS}
    times["ours, optimal"][MOST] = _time(game, "optimal", MOST)
    by_slots = {
        f"ours, {name}": {n: _time(_game(n), name, SLOTS_GAMES) / SLOTS_GAMES for n in SLOTS}
        for name in ("optimal", "hindsight", "random")
    }
    numpy_games = NumpyGames(game)
    by_numpy = {n: best_of(partial(numpy_games.histogram, n, SEED)) for n in BY_NUMPY}
    times["NumPy, one thread"] = {n: took for n, (took, _) in by_numpy.items()}
    threaded, _ = best_of(lambda: numpy_games.histogram_by_threads(BY_NUMPY[-1], SEED, thread_count()))
    draw_simulation(times, by_slots)

    low = int(game.dice.support[0] * sum(game.multipliers))
    counted = [
        count_games(Run(game, ("optimal",), SEED), 0, BY_NUMPY[-1]).distribution(game),
        _as_distribution({low + index: count for index, count in enumerate(by_numpy[BY_NUMPY[-1]][1].tolist())}),
    ]
    ours = times["ours, optimal"][MOST] / MOST
    rows = [[f"{n:,}", *(seconds(column[n]) if n in column else "" for column in times.values())] for n in NUMBERS]
    slots_rows = [[str(n), *(f"{column[n] * 1e9:.1f} ns per game" for column in by_slots.values())] for n in SLOTS]
    return Section(
        "Simulation",
        "Games of 3d6 with multipliers 1 to 10 from the seed to the histogram of their scores. NumPy: blocks of 65,536 "
        "games, a round at a time, with one table look-up for the points and one for the free set after the move; in "
        "one thread, as NumPy works, and in as many as ours.\n\n"
        "![Time against the number of games, and a game against the slots](../pictures/simulation-growth.svg)",
        [
            *_speed(times, threaded / BY_NUMPY[-1]),
            *_growth(times["ours, optimal"], by_slots["ours, optimal"]),
            *_rollout(ours),
            Claim(
                "largest distance of a mean to the exact one, in standard errors",
                MAX_DISTANCE,
                max(_distances(game, counted)),
                "about 1",
                "ours and NumPy",
                "{:.2f}".format,
            ),
        ],
        [
            Table(("games", *times), rows),
            Table(("slots", *by_slots), slots_rows),
        ],
    )


def _speed(times: dict[str, Times], threaded: float) -> list[Claim]:
    ours = times["ours, optimal"][MOST] / MOST
    numpy = times["NumPy, one thread"][BY_NUMPY[-1]] / BY_NUMPY[-1]
    threads = f"{thread_count()} threads"
    peer = f"NumPy, one thread: {_rate(numpy)}, {numpy / ours:.1f} times ours; on {threads} {threaded / ours:.1f} times"
    each = {name: times[f"ours, {name}"] for name in SPEEDS}
    return [
        *(
            Claim(
                f"{name}, {max(took):,} games on {threads}",
                1 / SPEEDS[name],
                took[max(took)] / max(took),
                "",
                show=_rate,
            )
            for name, took in each.items()
        ),
        Claim(f"optimal, {FASTER} times faster than NumPy, one thread", numpy / FASTER, ours, "", peer, _rate),
    ]


def _growth(times: Times, by_slots: Times) -> list[Claim]:
    return [
        Claim(
            f"time per game of optimal, {MOST:,} games against {NUMBERS[1]:,}",
            STEADY,
            times[MOST] / MOST / (times[NUMBERS[1]] / NUMBERS[1]),
            "1: linear growth",
            show="{:.2f}".format,
        ),
        Claim(
            f"time per game and slot of optimal, {SLOTS[-1]} slots against {SLOTS[0]}",
            STEADY_SLOTS,
            by_slots[SLOTS[-1]] / SLOTS[-1] / (by_slots[SLOTS[0]] / SLOTS[0]),
            f"1: linear growth; the table of moves grows from 256 bytes to {(1 << SLOTS[-1]) * 16 >> 20} MB",
            show="{:.2f}".format,
        ),
    ]


def _rollout(alone: float) -> list[Claim]:
    """All moves for a roll after two rounds: eight slots, and eight rounds to play, the last seven of them drawn."""
    board = Board.replay(Game.classic(), [(8, 5), (4, 1)])
    rollout = Rollout(Run(board.game, ("optimal",), SEED, boards=(board,)), 9)
    do(rollout, BLOCK)
    took, done = best_of(partial(do, rollout, ROLLED_OUT))
    games = ROLLED_OUT * len(rollout.slots)
    places = range(1, len(rollout.slots))
    counts = done.counts.points
    sharper = min(counts.sd(i, ROLLED_OUT) / counts.difference_sd(i, 0, ROLLED_OUT) for i in places)
    return [
        Claim(
            f"rollout of optimal, {ROLLED_OUT:,} games after each of {len(rollout.slots)} moves",
            1 / ROLLOUT_SPEED,
            took / games,
            f"whole games one by one: {_rate(alone)}; a rollout also adds up the products of all pairs",
            show=_rate,
        ),
        Claim(
            "standard error of a difference of moves, against that of a mean",
            LEAST_SHARP,
            1 / sharper,
            "own rolls for every move: 1.41",
            show="{:.2f}".format,
        ),
    ]


def _distances(game: Game, counted: Iterable[ScoreDistribution]) -> list[float]:
    """How far the means of counted games are from the exact one, in standard errors."""
    exact = rule_distribution(game, optimal_rule(game))
    return [abs(float(found.mean - exact.mean)) / (exact.sd / sqrt(found.total)) for found in counted]


def _as_distribution(counts: Mapping[int, int]) -> ScoreDistribution:
    scores = sorted(score for score, count in counts.items() if count)
    return ScoreDistribution(tuple(scores), tuple(counts[score] for score in scores), sum(counts.values()))


def _time(game: Game, name: str, games: int) -> float:
    return best_of(partial(_simulate, game, name, games))[0]


def _simulate(game: Game, name: str, games: int) -> None:
    for _ in simulate(Run(game, (name,), SEED), games):
        pass


def _game(n: int) -> Game:
    return Game.parse("3d6", f"1-{n}")


def _rate(a_game: float) -> str:
    """Seconds per game, and games per second."""
    return f"{a_game * 1e9:.3g} ns per game, {1e-6 / a_game:.3g} million per second"
