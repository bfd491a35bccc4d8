"""Pairs of a tournament in which somebody plays a duel: each by itself, exactly where that takes seconds.

At one table a player of a duel has one rival. In a tournament it meets everybody, so these pairs are not counted at the
table: two seats are followed exactly (`duel.several_players`), or played on the same rolls as all others.
"""

from dataclasses import replace
from math import sqrt

from tentimes18.duel.several_players import QUICK_STEPS, table_shares
from tentimes18.errors import TooLarge
from tentimes18.simulate.duel_players import rivals_of
from tentimes18.simulate.games import RunGames
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import Meeting
from tentimes18.simulate.work import Runner, do
from tentimes18.solve.parallel import Progress
from tentimes18.strategies.named import DUEL_STRATEGIES
from tentimes18.strategies.seats import has_seat, seat_of


def meetings_of(
    run: Run, games: int, runner: Runner | None = None, progress: Progress | None = None
) -> dict[tuple[int, int], Meeting]:
    """Every pair of a run in which somebody plays a duel, by their places."""
    names = run.strategies
    pairs = [
        (i, j)
        for j in range(len(names))
        for i in range(j)
        if names[i] in DUEL_STRATEGIES or names[j] in DUEL_STRATEGIES
    ]
    found = {}
    for done, (i, j) in enumerate(pairs, start=1):
        found[i, j] = meet(replace(run, strategies=(names[i], names[j])), games, runner)
        if progress:
            progress(done, len(pairs))
    return found


def meet(run: Run, games: int, runner: Runner | None = None) -> Meeting:
    """The two strategies of a run against each other."""
    exact = _exact(run)
    if exact is not None:
        return exact
    counts = do(RunGames(run), games, runner).counts
    win, draw = int(counts.wins[0, 1]) / counts.games, int(counts.draws[0, 1]) / counts.games
    equity = win + draw / 2
    return Meeting(equity, sqrt(max(0.0, win + draw / 4 - equity**2) / counts.games), is_exact=False)


def _exact(run: Run) -> Meeting | None:
    if not all(has_seat(name, run.find) for name in run.strategies):
        return None
    try:
        seats = [seat_of(name, run.game, run.find) for name in run.strategies]
        rivals = [*rivals_of(run.strategies, (0, 1)).values()]
        return Meeting(table_shares(run.game, seats, rivals, max_steps=QUICK_STEPS).shares[0], 0.0, is_exact=True)
    except TooLarge:
        return None
