"""Several strategies in one game, on the same rolls: whose the wins are, and who gains from whose company.

Simulated for all strategies, and exactly for those whose moves are known if that takes seconds: the two are compared.
The best response to all of them is exact, or rejected.
"""

from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from tentimes18.duel.several_players import QUICK_STEPS, check_shares, table_ranks, table_shares
from tentimes18.duel.several_players_response import (
    check_response,
    response_shares,
    table_response,
)
from tentimes18.errors import Ten18Error, TooLarge, blame
from tentimes18.game import Game
from tentimes18.queries import DiceText, Doc, Progress, Seed, SlotsText, Stage, no_stage, query, split_progress
from tentimes18.queries.simulations import Cluster, Games, Played, runner_of, verify_name
from tentimes18.simulate.duel_players import has_seat, rivals_of, seat_of
from tentimes18.simulate.games import check_games
from tentimes18.simulate.group_games import TableCounts, TableGames, table_play_of, verify_table
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import Done, Runner, do, verify_games
from tentimes18.strategies.named import DUEL_STRATEGIES, Finder, named

Matrix = list[list[float | None]]


class ExactShares(Struct, frozen=True):
    """Exact shares, first places alone, and mean ranks; ``without`` has the shares without another one.

    ``z`` is by how many standard errors each simulated share is off. ``positions`` were reached at the whole table.
    """

    shares: list[float]
    sole: list[float]
    ranks: list[float]
    without: Matrix
    positions: int
    z: list[float | None] = []


class SeatShare(Struct, frozen=True):
    """The exact share of a strategy that joins the table, and whom it plays its duel with.

    ``shares`` are what it leaves to the others, in their order.
    """

    strategy: str
    rival: str
    share: float
    shares: list[float]


class TableResponseAnswer(Struct, frozen=True):
    """One more player, who sees all boards: the share of the wins of the best play, and its first slot for each roll.

    ``shares`` are what it leaves to the others, in their order, and ``without`` what they have without it; None if the
    positions that all of them reach are too many. ``others``: the strategies of a duel in the same seat, if they are
    not too large.
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

    ``rivals`` names whom a strategy of a duel plays it with. ``without`` is by strategy and by who is absent;
    ``company`` is by how much a strategy's part of the wins that the other one leaves is above its share without it:
    exact if there is ``exact``, else with standard errors. Both are empty for two strategies.
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
    without: Matrix
    company: Matrix
    company_stderr: Matrix
    exact: ExactShares | None
    response: TableResponseAnswer | UnsetType = UNSET


@query(TableAnswer)
def table(
    strategies: Annotated[
        list[str], Doc("Two to eight strategies by name, also twice the same.", metavar="NAMES...", is_argument=True)
    ],
    games: Games = 1_000_000,
    seed: Seed = 1987,
    exact: Annotated[bool, Doc("Insist on exact shares, however long they take.")] = False,
    response: Annotated[bool, Doc("The best play of one more, who sees all boards, exactly.")] = False,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cluster: Cluster = None,
    find: Finder = named,
    stage: Stage = no_stage,
) -> Played[TableAnswer]:
    """Several strategies at one table: whose the wins are, and who gains from whose company.

    All get the same rolls, and the highest score wins; equal ones share the win. Exact where that takes seconds, and
    simulated: the two are compared. The strategies hunter and equilibrium play their duel with one of the others.
    """
    names = [name.strip() for words in strategies for name in words.split(",") if name.strip()]
    run = table_run(Game.parse(dice, slots), names, seed, find)
    with blame("strategies", "strategy"):
        best = None
        if response:
            with stage("response") as progress:
                best = response_at_table(run, progress)
        with stage("exact") as progress:
            sure = exact_shares(run, insist=exact, progress=progress)
        runner = runner_of(cluster)
        with stage("games") as progress:
            done = play_table(run, games, runner, progress)
    return Played(run, table_answer(run, done, sure, best), done.counts.games, done.seconds, done.finished)


def table_run(game: Game, names: Sequence[str], seed: int, find: Finder = named) -> Run:
    """Several strategies on the same rolls, by name; those that play duels only are known as well."""
    for name in names:
        verify_name(name, "strategies", find)
    run = Run(game, tuple(names), seed, find)
    verify_table(run)
    return run


def play_table(
    run: Run, games: int, runner: Runner | None = None, progress: Progress | None = None
) -> Done[TableCounts]:
    """Play the games of several strategies; stopped by Ctrl-C, the result is that of the games played so far."""
    verify_games(games)
    if runner is None:
        check_games(run, games)
        table_play_of(run, progress)
    return do(TableGames(run), games, runner, progress)


def table_answer(
    run: Run, done: Done[TableCounts], exact: ExactShares | None = None, response: TableResponseAnswer | None = None
) -> TableAnswer:
    """What the games show, beside the exact shares."""
    counts, m = done.counts, len(run.strategies)
    rivals = rivals_of(run.strategies, range(m))
    shares, errors = counts.shares.tolist(), counts.share_errors.tolist()
    without = _without(run, [counts.without(left).tolist() for left in range(m)])
    company_errors = [
        [None if value is None else 0.0 if exact else counts.company_error(seat, left) for left, value in pairs]
        for seat, pairs in enumerate(map(enumerate, without))
    ]
    if exact:
        z = [
            (share - sure) / error if error else None
            for share, sure, error in zip(shares, exact.shares, errors, strict=True)
        ]
        exact = ExactShares(exact.shares, exact.sole, exact.ranks, exact.without, exact.positions, z)
    return TableAnswer(
        list(run.strategies),
        counts.games,
        run.seed,
        done.seconds,
        shares,
        errors,
        counts.sole.tolist(),
        counts.ranks.tolist(),
        counts.rank_errors.tolist(),
        [run.strategies[rivals[seat]] if rivals[seat] >= 0 else None for seat in range(m)],
        without,
        _company(exact.shares, exact.without) if exact else _company(shares, without),
        company_errors,
        exact,
        response or UNSET,
    )


def _without(run: Run, shares: Sequence[Sequence[float]]) -> Matrix:
    """By strategy and who is absent, from the shares without each; None if nobody could win or play."""
    m = len(run.strategies)
    if m == 2:
        return []
    return [
        [None if seat == left or sum(shares[left]) == 0 else shares[left][seat] for left in range(m)]
        for seat in range(m)
    ]


def _company(shares: Sequence[float], without: Matrix) -> Matrix:
    """What the company of each (column) is worth to each (row)."""
    return [
        [
            None if alone is None or shares[left] >= 1 else shares[seat] / (1 - shares[left]) - alone
            for left, alone in enumerate(row)
        ]
        for seat, row in enumerate(without)
    ]


def exact_shares(run: Run, *, insist: bool = False, progress: Progress | None = None) -> ExactShares | None:
    """The exact shares; None if they are not known, or take more than seconds: with ``insist`` that is an error."""
    strange = next((name for name in run.strategies if not has_seat(name, run.find)), None)
    if strange is not None:
        if insist:
            raise Ten18Error("looks at more than boards and rolls: not known exactly", "strategies", strange)
        return None
    try:
        return _exact_shares(run, inf if insist else QUICK_STEPS, progress)
    except TooLarge:
        if insist:
            raise
        return None


def _exact_shares(run: Run, max_steps: float, progress: Progress | None) -> ExactShares:
    names, m = run.strategies, len(run.strategies)
    check_shares(run.game, m, max_steps)
    by_name = {name: seat_of(name, run.game, run.find, progress) for name in dict.fromkeys(names)}
    seats = [by_name[name] for name in names]
    rivals = list(rivals_of(names, range(m)).values())
    whole = table_shares(run.game, seats, rivals, max_steps=max_steps, progress=progress)
    ranks = table_ranks(run.game, seats, rivals, max_steps)
    alone = []
    for left in range(m) if m > 2 else ():
        others = [seat for seat in range(m) if seat != left]
        shares = [0.0] * m
        try:
            rivals = [others.index(rival) if rival >= 0 else -1 for rival in rivals_of(names, others).values()]
        except Ten18Error:
            pass
        else:
            rest = table_shares(run.game, [seats[seat] for seat in others], rivals, max_steps=max_steps)
            for seat, share in zip(others, rest.shares, strict=True):
                shares[seat] = share
        alone.append(shares)
    return ExactShares(list(whole.shares), list(whole.sole), list(ranks), _without(run, alone), whole.positions)


def response_at_table(run: Run, progress: Progress | None = None) -> TableResponseAnswer:
    """The best play of one more player at the table of a run, who sees all boards."""
    names, game, m = run.strategies, run.game, len(run.strategies)
    strange = next((name for name in names if name in (*DUEL_STRATEGIES, "random") or not has_seat(name, run.find)), "")
    if strange:
        raise Ten18Error(
            "cannot be answered at a table: whoever can plays by their own board, without chance", "strategies", strange
        )
    check_response(game, m)
    seats = [seat_of(name, game, run.find) for name in names]
    making, sharing, *following = split_progress(progress, 4.0, 0.5, 1.0, 3.0)
    best = table_response(game, seats, making)
    shared, others = None, []
    with suppress(TooLarge):
        shared = response_shares(best, progress=sharing)
    for name, part in zip(DUEL_STRATEGIES, following, strict=True):
        rival = rivals_of((*names, name), range(m + 1))[m]
        with suppress(TooLarge):
            making, sharing = split_progress(part, 1, 2)
            together = [*seats, seat_of(name, game, progress=making)]
            *shares, share = table_shares(game, together, [-1] * m + [rival], progress=sharing).shares
            others.append(SeatShare(name, names[rival], share, shares))
    return TableResponseAnswer(
        best.share,
        list(shared.shares[:-1]) if shared else None,
        list(shared.without) if shared else None,
        {str(roll): slot for roll, slot in best.moves.items()},
        best.positions,
        best.leads,
        others,
    )
