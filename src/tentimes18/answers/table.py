"""Several strategies at one table, on the same rolls: whose the wins are, and who gains from whose company.

Simulated for all strategies, and exactly for those whose moves are known (`strategies.seats`) where that takes seconds;
the two are compared. The best response to all of them at their table is exact, or refused.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NotRequired, TypedDict

from tentimes18.duel.several_players import Seat, table_ranks, table_shares
from tentimes18.duel.several_players_response import (
    ResponseShares,
    TableResponse,
    response_shares,
    table_response,
    table_response_plan,
)
from tentimes18.duel.table_plans import gains_plan
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.plan import Limits, Plan, admit, admit_game, kept_together
from tentimes18.simulate.beside import rivals_of
from tentimes18.simulate.plans import admit_games
from tentimes18.simulate.run import Run
from tentimes18.simulate.table import TableCounts, TableGames, table_play_of, verify_table
from tentimes18.simulate.work import Runner, do, verify_games
from tentimes18.solve.layers import Progress, stages
from tentimes18.strategies.named import ACCEPTED, DUEL_STRATEGIES, Finder, UnknownStrategy, named
from tentimes18.strategies.seats import has_seat, seat_of, seat_plan

__all__ = [
    "ExactTable",
    "PlayedTable",
    "TableAnswer",
    "TableResponseAnswer",
    "exact_table",
    "play_table",
    "response_at_table",
    "table",
    "table_run",
]

EXACT_SECONDS: Final = 5.0  # that the exact shares may take where nobody insists on them
SMALL_SECONDS: Final = 0.2  # that the gains of a game take at most where its parts need no look before it
# How long one part takes beside another, for a bar: the best response, the shares it
# leaves to others, and two who play a duel in its seat.
RESPONSE_STAGES: Final = (Plan("response", 4.0), Plan("shares", 0.5), Plan("hunter", 1.0), Plan("equilibrium", 3.0))
SEAT_STAGES: Final = (Plan("table", 1.0), Plan("shares", 2.0))

Matrix = list[list[float | None]]


class ExactTable(TypedDict):
    """Exactly: shares, first places alone, mean ranks; ``without`` has the shares without another one.

    ``z`` says by how many standard errors each simulated share is off. ``positions`` came about at the whole table.
    """

    shares: list[float]
    sole: list[float]
    ranks: list[float]
    without: Matrix
    positions: int
    z: list[float | None]


class SeatShare(TypedDict):
    """The exact share of a strategy that sits down at the table, and whom it plays its duel with.

    ``shares`` are what it leaves to those who sit there, in their order.
    """

    strategy: str
    rival: str
    share: float
    shares: list[float]


class TableResponseAnswer(TypedDict):
    """One more player, who sees all boards: the share of the wins of the best play, and its first slot for each roll.

    ``shares`` are what it leaves to those who sit there, in their order, and ``without`` what they have without it;
    nothing where the positions that all of them come to do not fit. Beside it what the strategies of a duel make in the
    same seat, where their tables fit.
    """

    share: float
    shares: list[float] | None
    without: list[float] | None
    moves: dict[str, int]
    positions: int
    leads: int
    others: list[SeatShare]


class TableAnswer(TypedDict):
    """Of each strategy: its share of the wins (ties shared), first places alone, the mean rank (ties shared).

    ``rivals`` names whom a strategy of a duel plays it with. ``without`` is by strategy and by who is not there;
    ``company`` what the part of a strategy in the wins that the other one leaves is above its share without it: exact
    where there is ``exact``, else with standard errors. Both are empty at a table of two.
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
    exact: ExactTable | None
    response: NotRequired[TableResponseAnswer]


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """The games of a table as they were counted, the seconds they took, and whether all of them were played."""

    run: Run
    counts: TableCounts
    seconds: float
    finished: bool


def table_run(game: Game, names: Sequence[str], seed: int, find: Finder = named) -> Run:
    """Several strategies at one table, by name; those that play duels only are known as well.

    >>> table_run(Game.classic(), ["optimal", "hunter", "nearest"], seed=18).strategies
    ('optimal', 'hunter', 'nearest')
    """
    for name in names:
        try:
            if name not in DUEL_STRATEGIES:
                find(name)
        except UnknownStrategy:
            accepted = ", ".join((ACCEPTED, *DUEL_STRATEGIES))
            raise UnknownStrategy(f"not known; accepted: {accepted}", "strategies", name) from None
        except Ten18Error as error:
            raise error.about("strategies") from None
    run = Run(game, tuple(names), seed, find)
    verify_table(run)
    return run


def play_table(
    run: Run,
    games: int,
    runner: Runner | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> PlayedTable:
    """Play so many games at a table; stopped by Ctrl-C, those that were played so far.

    >>> play_table(table_run(Game.parse("1d6", "1-3"), ["optimal", "greedy"], 18), 1000).counts.games
    1000
    """
    verify_games(games)
    if runner is None:
        admit_games(run, games, limits)
        table_play_of(run, progress)
    done = do(TableGames(run), games, runner, progress)
    return PlayedTable(run, done.counts, done.seconds, done.finished)


def table(played: PlayedTable, exact: ExactTable | None = None) -> TableAnswer:
    """What the games say, beside what is known exactly.

    >>> run = table_run(Game.parse("1d6", "1-4"), ["optimal", "nearest", "greedy"], 18)
    >>> answer = table(play_table(run, 1000), exact_table(run))
    >>> [round(share, 6) for share in answer["exact"]["shares"]], max(map(abs, answer["exact"]["z"])) < 4
    ([0.341178, 0.367798, 0.291024], True)
    """
    run, counts = played.run, played.counts
    m = len(run.strategies)
    rivals = rivals_of(run.strategies, range(m))
    shares, errors = counts.shares.tolist(), counts.share_errors.tolist()
    simulated = _without(run, [counts.without(left).tolist() for left in range(m)])
    answer: TableAnswer = {
        "strategies": list(run.strategies),
        "games": counts.games,
        "seed": run.seed,
        "seconds": played.seconds,
        "shares": shares,
        "stderr": errors,
        "sole": counts.sole.tolist(),
        "ranks": counts.ranks.tolist(),
        "rank_stderr": counts.rank_errors.tolist(),
        "rivals": [run.strategies[rivals[seat]] if rivals[seat] >= 0 else None for seat in range(m)],
        "without": simulated,
        "company": _company(exact["shares"], exact["without"]) if exact else _company(shares, simulated),
        "company_stderr": [
            [None if value is None else 0.0 if exact else counts.company_error(seat, left) for left, value in pairs]
            for seat, pairs in enumerate(map(enumerate, simulated))
        ],
        "exact": exact,
    }
    if exact:
        exact["z"] = [
            (share - sure) / error if error else None
            for share, sure, error in zip(shares, exact["shares"], errors, strict=True)
        ]
    return answer


def _without(run: Run, shares: Sequence[Sequence[float]]) -> Matrix:
    """By strategy and who is not there, from the shares without each; nothing where nobody could win or play."""
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


def exact_table(
    run: Run, *, insist: bool = False, limits: Limits | None = None, progress: Progress | None = None
) -> ExactTable | None:
    """The same exactly; nothing where it is not known how, or takes more than seconds.

    With ``insist`` that is an error, and it may take as long as anything else.

    >>> exact_table(table_run(Game.classic(), ["optimal", "hindsight"], 18)) is None
    True
    """
    names = run.strategies
    strange = next((name for name in names if not has_seat(name, run.find)), None)
    if strange is not None:
        if insist:
            raise Ten18Error("looks at more than boards and rolls: not known exactly", "strategies", strange)
        return None
    most = limits or Limits.here()
    if not insist:
        most = Limits(most.memory, min(EXACT_SECONDS, most.seconds))
    try:
        return _exact(run, most, progress, partial(_fewer_followed, run) if insist else "")
    except TooLarge:
        if insist:
            raise
        return None


def _exact(run: Run, limits: Limits, progress: Progress | None, instead: Callable[[Limits], str] | str) -> ExactTable:
    names, m = run.strategies, len(run.strategies)
    admit_game(run.game, partial(_seats_plan, run), limits)
    seats = {name: seat_of(name, run.game, run.find, progress) for name in dict.fromkeys(names)}
    whole = rivals_of(names, range(m))
    found = table_shares(
        run.game,
        [seats[name] for name in names],
        list(whole.values()),
        limits=limits,
        progress=progress,
        instead=instead,
    )
    ranks = table_ranks(run.game, [seats[name] for name in names], list(whole.values()), limits)
    alone = []
    for left in range(m) if m > 2 else ():
        there = [seat for seat in range(m) if seat != left]
        shares = [0.0] * m
        try:
            rivals = [there.index(rival) if rival >= 0 else -1 for rival in rivals_of(names, there).values()]
        except Ten18Error:
            pass
        else:
            rest = table_shares(run.game, [seats[names[seat]] for seat in there], rivals, limits=limits)
            for seat, share in zip(there, rest.shares, strict=True):
                shares[seat] = share
        alone.append(shares)
    return {
        "shares": list(found.shares),
        "sole": list(found.sole),
        "ranks": list(ranks),
        "without": _without(run, alone),
        "positions": found.positions,
        "z": [],
    }


def _fewer_followed(run: Run, limits: Limits) -> str:
    """The largest part of the slots on which these are followed in seconds: more is known only by doing it."""
    quick = Limits(limits.memory, min(EXACT_SECONDS, limits.seconds))
    rivals = list(rivals_of(run.strategies, range(len(run.strategies))).values())
    fits = ""
    with suppress(TooLarge):
        for size in range(1, run.game.size):
            part = Game(run.game.dice, run.game.multipliers[:size])
            admit(_seats_plan(run, part), quick)
            table_shares(part, [seat_of(name, part, run.find) for name in run.strategies], rivals, limits=quick)
            fits = f"slots {part.slots} fit"
    return fits


def _seats_plan(run: Run, game: Game) -> Plan:
    plans = [seat_plan(name, game, run.find) for name in dict.fromkeys(run.strategies)]
    return kept_together(f"a table on {game.size:,} slots", gains_plan(game), *plans)


def response_at_table(run: Run, limits: Limits | None = None, progress: Progress | None = None) -> TableResponseAnswer:
    """The best play of one more player at the table of a run, who sees all boards.

    >>> answer = response_at_table(table_run(Game.parse("1d6", "1-4"), ["optimal", "greedy"], 18))
    >>> round(answer["share"], 6), [(one["strategy"], round(one["share"], 6)) for one in answer["others"]]
    (0.413837, [('hunter', 0.396862), ('equilibrium', 0.390413)])
    """
    names, game, m = run.strategies, run.game, len(run.strategies)
    strange = next((name for name in names if name in (*DUEL_STRATEGIES, "random") or not has_seat(name, run.find)), "")
    if strange:
        raise Ten18Error(
            "cannot be answered at a table: whoever can plays by their own board, without chance", "strategies", strange
        )
    _admit_parts(run, limits)
    admit_game(game, partial(_seats_plan, run), limits)
    seats = [seat_of(name, game, run.find) for name in names]
    making, sharing, *following = stages(progress, *RESPONSE_STAGES)
    found = table_response(game, seats, limits, making, instead=partial(_fewer_slots, run))
    shared = _shares_beside(found, limits, sharing)
    others: list[SeatShare] = []
    for name, stage in zip(DUEL_STRATEGIES, following, strict=True):
        rival = rivals_of((*names, name), range(m + 1))[m]
        shares = _shares_with(game, name, seats, rival, limits, stage)
        if shares is not None:
            others.append({"strategy": name, "rival": names[rival], "share": shares[-1], "shares": shares[:-1]})
    return {
        "share": found.share,
        "shares": list(shared.shares[:-1]) if shared else None,
        "without": list(shared.without) if shared else None,
        "moves": {str(roll): slot for roll, slot in found.moves.items()},
        "positions": found.positions,
        "leads": found.leads,
        "others": others,
    }


def _fewer_slots(run: Run, limits: Limits) -> str:
    """The largest part of the slots on which the best response to these fits; a larger part takes more."""
    fits = ""
    with suppress(TooLarge):
        for size in range(1, run.game.size):
            part = Game(run.game.dice, run.game.multipliers[:size])
            admit(_response_plan(run, part, limits), limits)
            fits = f"slots {part.slots} fit"
    return fits


def _response_plan(run: Run, part: Game, limits: Limits | None) -> Plan:
    """What the best response takes on a part of the slots of a run, found by listing what the others come to."""
    admit(_seats_plan(run, part), limits)
    return table_response_plan(part, [seat_of(name, part, run.find) for name in run.strategies], limits)


def _admit_parts(run: Run, limits: Limits | None) -> None:
    """Raise where the best response does not even fit on a part of the slots, before much is done for all of them."""
    fits = ""
    for size in range(1, run.game.size if gains_plan(run.game).seconds > SMALL_SECONDS else 1):
        part = Game(run.game.dice, run.game.multipliers[:size])
        if gains_plan(part).seconds > EXACT_SECONDS:
            break
        admit(_response_plan(run, part, limits), limits, instead=fits)
        fits = f"slots {part.slots} fit"


def _shares_beside(response: TableResponse, limits: Limits | None, progress: Progress | None) -> ResponseShares | None:
    """What the best response leaves to the others; nothing where that does not fit."""
    try:
        return response_shares(response, limits, progress)
    except TooLarge:
        return None


def _shares_with(
    game: Game, name: str, seats: Sequence[Seat], rival: int, limits: Limits | None, progress: Progress | None
) -> list[float] | None:
    """The shares of all with a strategy of a duel as one more player, its own last; nothing where that does not fit."""
    try:
        admit_game(game, partial(seat_plan, name), limits)
        making, following = stages(progress, *SEAT_STAGES)
        seat = seat_of(name, game, progress=making)
        rivals = [-1] * len(seats) + [rival]
        return list(table_shares(game, [*seats, seat], rivals, limits=limits, progress=following).shares)
    except TooLarge:
        return None
