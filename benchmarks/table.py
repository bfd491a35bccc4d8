"""Claim: several strategies at one table are played at millions of games a second, and followed exactly in seconds."""

from functools import partial
from math import sqrt
from typing import Final

from benchmarks.harness import Claim, Section, Table, best_of, seconds
from benchmarks.plain_games import NumpyTable
from tentimes18.duel.several_players import Shares, table_shares
from tentimes18.duel.several_players_response import table_response
from tentimes18.game import Game
from tentimes18.simulate.duel_players import seat_of
from tentimes18.simulate.group_games import TableCounts, TableGames
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import do
from tentimes18.solve.parallel import thread_count
from tentimes18.strategies.named import RULES

__all__ = ["run"]

SEED: Final = 1987
NAMES: Final = ("optimal", "nearest", "bands", "greedy")
GAMES: Final = 10**7
BY_NUMPY: Final = 10**6
SPEED: Final = 10e6  # games a second, at least
FASTER: Final = 5  # times, at least
THREE: Final = NAMES[:3]
THREE_SECONDS: Final = 8.0
RESPONSE_SLOTS: Final = "1-8"
RESPONSE_SECONDS: Final = 6.0
MAX_DISTANCE: Final = 4.0


def run() -> Section:
    """Four strategies at one table, played and followed."""
    game = Game.classic()
    took, counts = best_of(partial(_played, game, GAMES))
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
        f"{', '.join(NAMES)} at one table of the classic game, on the same rolls: shares of the wins, ranks, and the "
        "same without each of them. NumPy: a round at a time for 65,536 games, one look-up for the points and one for "
        "the free set, a player after the other; shares and ranks only, in one thread.",
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
                f"{', '.join(THREE)}, exactly, {exact.positions:,} positions",
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
                "largest distance of a share without greedy to the exact one, in standard errors",
                MAX_DISTANCE,
                _distance(counts, exact),
                "about 1",
                show="{:.2f}".format,
            ),
        ],
        [Table(("strategy", "share of wins", "standard error", "NumPy"), rows)],
    )


def _played(game: Game, games: int) -> TableCounts:
    return do(TableGames(Run(game, NAMES, SEED)), games).counts


def _exact(game: Game) -> Shares:
    return table_shares(game, [seat_of(name, game) for name in THREE])


def _distance(counts: TableCounts, exact: Shares) -> float:
    """Of the shares at the table without the last one."""
    found = counts.without(len(NAMES) - 1)[: len(THREE)]
    shares: list[float] = found.tolist()
    return max(
        abs(share - sure) / sqrt(share * (1 - share) / counts.games)
        for share, sure in zip(shares, exact.shares, strict=True)
    )


def _rate(a_game: float) -> str:
    """Seconds a game, as they are and as games a second."""
    return f"{a_game * 1e9:.3g} ns a game, {1e-6 / a_game:.3g} million a second"
