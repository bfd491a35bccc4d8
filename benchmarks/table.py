"""Claim: several strategies at one table play millions of games per second, and are computed in seconds."""

from functools import partial

from benchmarks.harness import Claim, Section, Table, best_of, seconds
from benchmarks.plain_games import NumpyTable
from tentimes18.duel.several_players import Shares, table_shares
from tentimes18.duel.several_players_response import table_response
from tentimes18.game import Game
from tentimes18.simulate.games import TableCounts, TableGames, do
from tentimes18.simulate.players import seat_of
from tentimes18.simulate.run import Run
from tentimes18.solve.parallel import thread_count
from tentimes18.strategies.named import RULES

SEED = 1987
NAMES = ("optimal", "nearest", "bands", "greedy")
GAMES = 10**7
BY_NUMPY = 10**6
SPEED = 10e6  # games per second, at least
FASTER = 5  # times, at least
THREE = NAMES[:3]
THREE_SECONDS = 8.0
RESPONSE_SLOTS = "1-8"
RESPONSE_SECONDS = 6.0
MAX_DISTANCE = 4.0


def run() -> Section:
    """Four strategies at one table, played and followed."""
    game = Game.classic()
    took, counts = best_of(partial(_played, game, NAMES, GAMES))
    numpy_table = NumpyTable(game, [RULES[name](game) for name in NAMES])
    numpy_took, plain = best_of(partial(numpy_table.shares, BY_NUMPY, SEED))
    ours, theirs = took / GAMES, numpy_took / BY_NUMPY
    three, exact = best_of(partial(_exact, game))
    small = Game.parse("3d6", RESPONSE_SLOTS)
    others = [seat_of(name, small) for name in NAMES[:2]]
    answered, response = best_of(partial(table_response, small, others))
    rows = [
        [name, f"{share:.4%}", f"{error:.4%}", f"{other:.4%}"]
        for name, share, error, other in zip(
            NAMES, counts.shares.tolist(), counts.share_errors.tolist(), plain, strict=True
        )
    ]
    threads = f"{thread_count()} threads"
    return Section(
        "Tables",
        f"{', '.join(NAMES)} at one table of the classic game, on the same rolls: shares of the wins, and ranks. "
        "NumPy: a round at a time for 65,536 games, one look-up for the points and one for the free set, one player "
        "after another, in one thread.",
        [
            Claim(f"four rules, {GAMES:,} games on {threads}", 1 / SPEED, ours, "", show=_rate),
            Claim(
                f"four rules, {FASTER} times faster than NumPy, one thread",
                theirs / FASTER,
                ours,
                "",
                f"NumPy: {_rate(theirs)}, {theirs / ours:.1f} times ours",
                _rate,
            ),
            Claim(
                f"{', '.join(THREE)}, computed, {exact.positions:,} positions",
                THREE_SECONDS,
                three,
                "one look-up for each of them and a roll",
                show=seconds,
            ),
            Claim(
                f"best response to {' and '.join(NAMES[:2])}, slots {RESPONSE_SLOTS}, {response.leads:,} leads",
                RESPONSE_SECONDS,
                answered,
                "",
                show=seconds,
            ),
            Claim(
                f"largest distance of a share of {', '.join(THREE)} to the computed one, in standard errors",
                MAX_DISTANCE,
                _distance(_played(game, THREE, BY_NUMPY), exact),
                "about 1",
                show="{:.2f}".format,
            ),
        ],
        [Table(("strategy", "share of wins", "standard error", "NumPy"), rows)],
    )


def _played(game: Game, names: tuple[str, ...], games: int) -> TableCounts:
    return do(TableGames(Run(game, names, SEED)), games).counts


def _exact(game: Game) -> Shares:
    return table_shares(game, [seat_of(name, game) for name in THREE])


def _distance(counts: TableCounts, exact: Shares) -> float:
    return float(max(abs(counts.shares - exact.shares) / counts.share_errors))


def _rate(a_game: float) -> str:
    """Seconds per game, and games per second."""
    return f"{a_game * 1e9:.3g} ns per game, {1e-6 / a_game:.3g} million per second"
