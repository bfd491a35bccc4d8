"""Several strategies in one game, on the same rolls: their shares of the wins.

All are simulated. Shares are also computed in float64 if the moves of all are known and it takes seconds, and the two
are compared. The best response to all of them is computed, or rejected.
"""

from contextlib import suppress
from math import inf
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tentimes18.duel.several_players import QUICK_STEPS, check_shares, table_ranks, table_shares
from tentimes18.duel.several_players_response import check_response, response_shares, table_response
from tentimes18.errors import Ten18Error, TooLarge, blame
from tentimes18.game import Game
from tentimes18.queries import DiceText, Doc, Seed, SlotsText, Stage, no_stage, query
from tentimes18.queries.simulations import Cluster, Games, Played, runner_of, verify_name
from tentimes18.simulate.games import TableGames, check_games, do, play_of, verify_games
from tentimes18.simulate.players import has_seat, rivals_of, seat_of, verify_table
from tentimes18.simulate.run import Run
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named


class ExactShares(Struct, frozen=True):
    """Computed numbers as in `TableAnswer`; ``z``: the error of each simulated share, in standard errors."""

    shares: list[float]
    sole: list[float]
    ranks: list[float]
    positions: int
    z: list[float | None] = []


class SeatShare(Struct, frozen=True):
    """The computed share of a strategy that joins, its rival in its duel, and what it leaves to the others."""

    strategy: str
    rival: str
    share: float
    shares: list[float]


class TableResponseAnswer(Struct, frozen=True):
    """One more player, who sees all boards: the share of the wins of the best play, and its first slot for each roll.

    ``shares`` are those of the others then, and ``without`` those without it; None if there are too many positions.
    ``others``: the strategies of a duel in the same seat, if they are not too large.
    """

    share: float
    shares: list[float] | None
    without: list[float] | None
    moves: dict[str, int]
    positions: int
    leads: int
    others: list[SeatShare]


class TableAnswer(Struct, frozen=True):
    """For each strategy: its share of the wins (ties shared), first places alone, the mean rank (ties shared).

    ``rivals`` names whom a strategy of a duel plays it with.
    """

    strategies: list[str]
    games: int
    seed: int
    seconds: float
    shares: list[float]
    stderr: list[float]
    sole: list[float]
    ranks: list[float]
    rank_stderr: list[float]
    rivals: list[str | None]
    exact: ExactShares | None
    response: TableResponseAnswer | UnsetType = UNSET


@query(TableAnswer)
def table(
    strategies: Annotated[
        list[str], Doc("Two to eight strategies by name; names may repeat.", metavar="NAMES...", is_argument=True)
    ],
    games: Games = 1_000_000,
    seed: Seed = 1987,
    exact: Annotated[bool, Doc("Compute the shares, however long that takes.")] = False,
    response: Annotated[bool, Doc("Add the best response of one more player, who sees all boards.")] = False,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cluster: Cluster = None,
    find: Finder = named,
    stage: Stage = no_stage,
) -> Played[TableAnswer]:
    """Compare several strategies in one game: who wins.

    All get the same rolls, and the highest score wins; equal scores share the win. The shares are simulated
    and, if that takes only seconds, also computed in float64. The strategies hunter and equilibrium play their duel
    with one of the others.
    """
    names = [name.strip() for words in strategies for name in words.split(",") if name.strip()]
    for name in names:
        verify_name(name, "strategies", find)
    run = Run(Game.parse(dice, slots), tuple(names), seed, find)
    verify_table(run)
    with blame("strategies", "strategy"):
        best = None
        if response:
            with stage("response") as progress:
                best = response_at_table(run, progress)
        with stage("exact") as progress:
            sure = exact_shares(run, insist=exact, progress=progress)
        runner = runner_of(cluster)
        with stage("games") as progress:
            verify_games(games)
            if runner is None:
                check_games(run, games)
                play_of(run, progress)
            done = do(TableGames(run), games, runner, progress)
    counts = done.counts
    errors = counts.share_errors.tolist()
    if sure:
        offs = zip(counts.shares.tolist(), sure.shares, errors, strict=True)
        sure = replace(sure, z=[(share - known) / error if error else None for share, known, error in offs])
    answer = TableAnswer(
        strategies=names,
        games=counts.games,
        seed=seed,
        seconds=done.seconds,
        shares=counts.shares.tolist(),
        stderr=errors,
        sole=counts.sole.tolist(),
        ranks=counts.ranks.tolist(),
        rank_stderr=counts.rank_errors.tolist(),
        rivals=[names[rival] if rival >= 0 else None for rival in rivals_of(run.strategies)],
        exact=sure,
        response=best or UNSET,
    )
    return Played(run, answer, counts.games, done.seconds, done.finished)


def exact_shares(run: Run, *, insist: bool = False, progress: Progress | None = None) -> ExactShares | None:
    """The computed shares; None if they are not known, or take more than seconds: with ``insist`` that is an error."""
    names, rivals, steps = run.strategies, rivals_of(run.strategies), inf if insist else QUICK_STEPS
    for name in names:
        if not has_seat(name, run.find):
            if insist:
                problem = "depends on more than boards and rolls, so its shares can only be simulated"
                raise Ten18Error(problem, "strategies", name)
            return None
    try:
        check_shares(run.game, len(names), steps)
        by_name = {name: seat_of(name, run.game, run.find, progress) for name in dict.fromkeys(names)}
        seats = [by_name[name] for name in names]
        whole = table_shares(run.game, seats, rivals, max_steps=steps, progress=progress)
        ranks = table_ranks(run.game, seats, rivals, steps)
    except TooLarge:
        if insist:
            raise
        return None
    return ExactShares(list(whole.shares), list(whole.sole), list(ranks), whole.positions)


def response_at_table(run: Run, progress: Progress | None = None) -> TableResponseAnswer:
    """The best play of one more player at the table of a run, who sees all boards."""
    names, game, m = run.strategies, run.game, len(run.strategies)
    for name in names:
        if name in (*DUEL_STRATEGIES, "random") or not has_seat(name, run.find):
            problem = (
                "has no computable best response; accepted: strategies that see their own board only, without chance"
            )
            raise Ten18Error(problem, "strategies", name)
    check_response(game, m)
    seats = [seat_of(name, game, run.find) for name in names]
    making, sharing, *following = split_progress(progress, 4.0, 0.5, 1.0, 3.0)
    best = table_response(game, seats, making)
    shared, others = None, []
    with suppress(TooLarge):
        shared = response_shares(best, progress=sharing)
    for name, part in zip(DUEL_STRATEGIES, following, strict=True):
        rival = rivals_of((*names, name))[m]
        with suppress(TooLarge):
            making, sharing = split_progress(part, 1, 2)
            together = [*seats, seat_of(name, game, progress=making)]
            *shares, share = table_shares(game, together, [-1] * m + [rival], progress=sharing).shares
            others.append(SeatShare(name, names[rival], share, shares))
    rest, without = (list(shared.shares[:-1]), list(shared.without)) if shared else (None, None)
    moves = {str(roll): slot for roll, slot in best.moves.items()}
    return TableResponseAnswer(best.share, rest, without, moves, best.positions, best.leads, others)
