"""Claim: games are simulated at tens of millions a second, close to what their random words and look-ups cost."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import sqrt
from typing import Final

import numpy as np

from benchmarks.growth import draw_simulation
from benchmarks.harness import Claim, Section, Table, best_of, seconds
from benchmarks.plain_games import NumpyGames, python_games
from tentimes18.game import Board, Game
from tentimes18.random_words import fill_words
from tentimes18.simulate.drawing import draw as draw_rolls_of
from tentimes18.simulate.games import BLOCK, add_histogram, count_games, simulate
from tentimes18.simulate.players import players_of
from tentimes18.simulate.rollout import Rollout
from tentimes18.simulate.run import WORD_PRODUCT, Run
from tentimes18.simulate.work import do
from tentimes18.solve.parallel import thread_count
from tentimes18.solve.rule_distributions import rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule

__all__ = ["run"]

SEED: Final = 1987
SPEEDS: Final = {"optimal": 40e6, "hindsight": 20e6, "random": 20e6, "target:700": 5e6}  # games a second, at least
FASTER: Final = {"NumPy, one thread": 8, "plain Python": 500}  # at least so many times
NUMBERS: Final = (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)
OURS: Final = NUMBERS[2:5]
MOST: Final = NUMBERS[-1]  # games of optimal
BY_NUMPY: Final = NUMBERS[2:5]
BY_PYTHON: Final = NUMBERS[:3]
SLOTS: Final = (4, 6, 8, 10, 12, 14, 16)
SLOTS_GAMES: Final = 2 * 10**6
BLOCKS: Final = 512  # a thread, for the parts
ROLLED_OUT: Final = 10**6
ROLLOUT_SPEED: Final = 30e6  # games a second, at least
LEAST_SHARP: Final = 0.3
STEADY: Final = 1.5  # the most that the time a game may grow with their number,
STEADY_SLOTS: Final = 2.5  # and that a game and slot may grow with the slots
MAX_DISTANCE: Final = 4.0

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
    by_python = {n: best_of(partial(python_games, game, n, SEED)) for n in BY_PYTHON}
    times["NumPy, one thread"] = {n: took for n, (took, _) in by_numpy.items()}
    times["plain Python"] = {n: took for n, (took, _) in by_python.items()}
    threaded, _ = best_of(lambda: numpy_games.histogram_by_threads(BY_NUMPY[-1], SEED, thread_count()))
    draw_simulation(times, by_slots)

    parts = _parts(Run(game, ("optimal",), SEED))
    low = int(game.dice.support[0] * sum(game.multipliers))
    laws = [
        count_games(Run(game, ("optimal",), SEED), 0, BY_NUMPY[-1]).distribution(game),
        _as_law({low + index: count for index, count in enumerate(by_numpy[BY_NUMPY[-1]][1].tolist())}),
        _as_law(by_python[BY_PYTHON[-1]][1]),
    ]
    ours = times["ours, optimal"][MOST] / MOST
    rows = [[f"{n:,}", *(seconds(column[n]) if n in column else "" for column in times.values())] for n in NUMBERS]
    slots_rows = [[str(n), *(f"{column[n] * 1e9:.1f} ns a game" for column in by_slots.values())] for n in SLOTS]
    return Section(
        "Simulation",
        "Games of 3d6 with multipliers 1 to 10 from the seed to the histogram of their scores. NumPy: blocks of 65,536 "
        "games, a round at a time, with one table look-up for the points and one for the free set after the move; in "
        "one thread, as NumPy works, and in as many as ours. Plain Python: a list of free slots, thresholds and "
        "`bisect`, in one thread. The parts are measured each alone, on as many threads as the whole.\n\n"
        "![Time against the number of games, and a game against the slots](pictures/simulation-growth.svg)",
        [
            *_speed(times, parts, threaded / BY_NUMPY[-1]),
            *_growth(times["ours, optimal"], by_slots["ours, optimal"]),
            *_rollout(ours),
            Claim(
                "largest distance of a mean to the exact one, in standard errors",
                MAX_DISTANCE,
                max(_distances(game, laws)),
                "about 1",
                "ours, NumPy and plain Python",
                "{:.2f}".format,
            ),
        ],
        [
            Table(("part of a game of optimal", "a game", "each"), _part_rows(game, parts, ours)),
            Table(("games", *times), rows),
            Table(("slots", *by_slots), slots_rows),
        ],
    )


def _speed(times: dict[str, Times], parts: dict[str, float], threaded: float) -> list[Claim]:
    ours = times["ours, optimal"][MOST] / MOST
    bound = parts["drawing the rolls"] + parts["playing prepared rolls"]
    drawing = parts["drawing the rolls"]
    limit = f"drawing and playing alone: {_rate(bound)}; ours is {ours / bound:.2f} times that"
    threads = f"{thread_count()} threads"
    claims = [Claim(f"optimal, {MOST:,} games on {threads}", 1 / SPEEDS["optimal"], ours, limit, show=_rate)]
    for peer, factor in FASTER.items():
        largest = max(times[peer])
        theirs = times[peer][largest] / largest
        text = f"{peer}: {_rate(theirs)}, {theirs / ours:,.1f} times ours"
        if peer.startswith("NumPy"):
            text += f"; on {threads} {threaded / ours:.1f} times"
        claims.append(Claim(f"optimal, {factor} times faster than {peer}", theirs / factor, ours, limit, text, _rate))
    for name, speed in SPEEDS.items():
        if name != "optimal":
            claims.append(
                Claim(
                    f"{name}, {OURS[-1]:,} games on {threads}",
                    1 / speed,
                    times[f"ours, {name}"][OURS[-1]] / OURS[-1],
                    f"drawing the rolls alone: {_rate(drawing)}",
                    show=_rate,
                )
            )
    return claims


def _growth(times: Times, by_slots: Times) -> list[Claim]:
    return [
        Claim(
            f"time a game of optimal, {MOST:,} games against {NUMBERS[3]:,}",
            STEADY,
            times[MOST] / MOST / (times[NUMBERS[3]] / NUMBERS[3]),
            "1: linear growth",
            show="{:.2f}".format,
        ),
        Claim(
            f"time a game and slot of optimal, {SLOTS[-1]} slots against {SLOTS[0]}",
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


def _parts(run: Run) -> dict[str, float]:
    """Seconds a game of the parts of a run, each alone, on as many threads as a run."""
    (player,) = players_of(run)
    rolls, scores = draw_rolls_of(run, 0, BLOCK), np.empty(BLOCK, dtype=np.int32)
    player(0, rolls, scores)
    words = _words_a_game(run.game)
    product = np.uint64(run.game.dice.total ** _rolls_a_word(run.game))

    def fill(first: int) -> None:
        buffer = np.empty(BLOCK, dtype=np.uint64)
        for which in range(words):
            fill_words(np.uint64(SEED), words, which, first, product, buffer)

    def draw(first: int) -> None:
        draw_rolls_of(run, first, BLOCK)

    def play(first: int) -> None:
        player(first, rolls, np.empty(BLOCK, dtype=np.int32))

    def count(_: int) -> None:
        add_histogram(scores, np.zeros(scores.max() + 1, dtype=np.int64))

    return {
        "random words": _alone(fill),
        "drawing the rolls": _alone(draw),
        "playing prepared rolls": _alone(play),
        "histogram": _alone(count),
    }


def _alone(part: Callable[[int], None]) -> float:
    """Seconds a game for one part of the work, done for blocks of games in all threads."""

    def many(thread: int) -> None:
        for block in range(thread * BLOCKS, (thread + 1) * BLOCKS):
            part(block * BLOCK)

    part(0)
    with ThreadPoolExecutor(thread_count()) as pool:
        took, _ = best_of(lambda: list(pool.map(many, range(thread_count()))))
    return took / (thread_count() * BLOCKS * BLOCK)


def _part_rows(game: Game, parts: dict[str, float], ours: float) -> list[list[str]]:
    n, words = game.size, _words_a_game(game)
    numbers = parts["drawing the rolls"] - parts["random words"]
    each = {
        "random words": f"{words} words, {parts['random words'] / words * 1e9:.2f} ns each",
        "drawing the rolls": f"the words, and {n} numbers and look-ups, {numbers / n * 1e9:.2f} ns each",
        "playing prepared rolls": f"{2 * n} look-ups, {parts['playing prepared rolls'] / (2 * n) * 1e9:.2f} ns each",
        "histogram": "one addition",
    }
    rows = [[name, f"{parts[name] * 1e9:.1f} ns", text] for name, text in each.items()]
    rest = ours + parts["random words"] - sum(parts.values())
    rows.append(["what remains", f"{rest * 1e9:.1f} ns", "Python between the blocks"])
    return [*rows, ["all of it", f"{ours * 1e9:.1f} ns", ""]]


def _rolls_a_word(game: Game) -> int:
    return max(m for m in range(1, game.size + 1) if game.dice.total**m <= WORD_PRODUCT)


def _words_a_game(game: Game) -> int:
    return -(-game.size // _rolls_a_word(game))


def _distances(game: Game, laws: Iterable[ScoreDistribution]) -> list[float]:
    """How far the means of counted games are from the exact one, in standard errors."""
    exact = rule_distribution(game, optimal_rule(game))
    return [abs(float(law.mean - exact.mean)) / (exact.sd / sqrt(law.total)) for law in laws]


def _as_law(counts: Mapping[int, int]) -> ScoreDistribution:
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
    """Seconds a game, as they are and as games a second."""
    if a_game >= 1e-6:
        return f"{a_game * 1e6:.3g} µs a game"
    return f"{a_game * 1e9:.3g} ns a game, {1e-6 / a_game:.3g} million a second"
