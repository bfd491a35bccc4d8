"""Every pair of strategies on the same rolls: equities, ratings, and who beats whom in a circle."""

from collections.abc import Mapping
from typing import TypedDict

from tentimes18.answers.simulation import Played
from tentimes18.simulate.tournament import LEVEL, Meeting, judge

__all__ = ["TournamentAnswer", "tournament"]


class TournamentAnswer(TypedDict):
    """Matrices by strategy and opponent, ratings with mean 0, and shares of first places at one table.

    In each of the ``cycles`` every strategy beats the next one, and the last one the first, by ``least_z`` standard
    errors or more, which chance explains with probability ``level`` over all pairs together. What is ``exact`` is known
    without games, and has no standard error.
    """

    strategies: list[str]
    games: int
    equity: list[list[float]]
    stderr: list[list[float]]
    exact: list[list[bool]]
    ratings: list[float]
    shares: list[float]
    cycles: list[list[str]]
    level: float
    least_z: float


def tournament(played: Played, meetings: Mapping[tuple[int, int], Meeting] | None = None) -> TournamentAnswer:
    """What the games say of the strategies of their run, and of some pairs their meetings (`simulate.pairs`).

    >>> from tentimes18.answers.simulation import play_games
    >>> from tentimes18.game import Game
    >>> from tentimes18.simulate.run import Run
    >>> run = Run(Game.parse("1d6", "1-3"), ("optimal", "greedy", "random"), seed=18)
    >>> answer = tournament(play_games(run, 1000))
    >>> answer["ratings"][0] > answer["ratings"][2], answer["cycles"]
    (True, [])
    """
    found = judge(played.run.strategies, played.counts, meetings)
    return {
        "strategies": list(found.strategies),
        "games": found.games,
        "equity": found.equity,
        "stderr": found.stderr,
        "exact": found.exact,
        "ratings": found.ratings,
        "shares": found.shares,
        "cycles": [list(cycle) for cycle in found.cycles],
        "level": LEVEL,
        "least_z": found.least_z,
    }
