"""A position rolled out: the rest of the game played many times after each move, on the same rolls for all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import NotRequired, TypedDict

from tentimes18.answers.simulation import FIT_SECONDS, duel_run
from tentimes18.coach.aims import Duel, Hunt
from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Board, Number, Position
from tentimes18.plan import Limits, Plan
from tentimes18.simulate.plans import admit_games
from tentimes18.simulate.rollout import Rollout, RolloutCounts
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import Done, Runner, do
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.values import value_of
from tentimes18.strategies.named import Finder, named
from tentimes18.strategies.strategy import KnownStrategy, RuleStrategy, score_law

__all__ = [
    "DuelRolloutAnswer",
    "DuelRolloutMove",
    "RolledOut",
    "RolloutAnswer",
    "RolloutMove",
    "duel_rollout",
    "position_run",
    "roll_out",
    "rollout",
]


class RolloutMove(TypedDict):
    """What the games after a move came to, and how much less than after the best one; the best of all has zeros.

    ``exact`` is the mean that they should have, where it can be computed. With a target, the share of games that
    reached it, and what that should be.
    """

    slot: int
    mean: float
    stderr: float
    sd: float
    difference: float
    difference_stderr: float
    exact: float | None
    chance: NotRequired[float]
    chance_stderr: NotRequired[float]
    exact_chance: NotRequired[float | None]


class RolloutAnswer(TypedDict):
    """A roll in every free slot, best first: the one with the highest mean."""

    strategy: str
    games: int
    seed: int
    roll: int
    best: int
    moves: list[RolloutMove]
    seconds: float
    target: NotRequired[float]


class DuelRolloutMove(TypedDict):
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


class DuelRolloutAnswer(TypedDict):
    """A roll in every free slot, best first: the one with the highest equity against the opponent."""

    strategy: str
    against: str
    games: int
    seed: int
    roll: int
    best: int
    moves: list[DuelRolloutMove]
    seconds: float


@dataclass(frozen=True, slots=True)
class RolledOut:
    """The games of a rollout as they were counted, the seconds they took, and whether all of them were played."""

    rollout: Rollout
    done: Done[RolloutCounts]

    @property
    def finished(self) -> bool:
        """Whether all games were played."""
        return self.done.finished

    @property
    def games(self) -> int:
        """How many were played, after all moves together."""
        return self.done.counts.games * len(self.rollout.slots)

    @property
    def seconds(self) -> float:
        """How long that took."""
        return self.done.seconds


def position_run(position: Position, strategy: str, seed: int, against: str | None = None, find: Finder = named) -> Run:
    """A run that goes on from a position: of a strategy alone, or against another from the opponent's board.

    >>> from tentimes18.game import Game
    >>> position_run(Position(Board(Game.classic()).place(8, 5)), "optimal", seed=18).rounds
    9
    """
    board = position.board
    if against is None:
        find(strategy)  # where nobody has that name, it is said before anything is made
        return Run(board.game, (strategy,), seed, find, (board,))
    with blame("strategy", "first"), blame("against", "second"):
        return duel_run(board.game, strategy, against, seed, find, (board, position.theirs))


def roll_out(
    run: Run,
    roll: int,
    games: int,
    *,
    target: Number | None = None,
    runner: Runner | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> RolledOut:
    """Play so many games of a run after each place for a roll; stopped by Ctrl-C, those that were played so far.

    >>> from tentimes18.game import Game
    >>> roll_out(Run(Game.parse("1d6", "1-3"), ("optimal",), seed=18), 4, 1000).done.counts.games
    1000
    """
    rollout = Rollout(run, roll, target)
    if runner is None:
        admit_games(run, games, limits, times=len(rollout.slots))
    return RolledOut(rollout, do(rollout, games, runner, progress))


def rollout(played: RolledOut) -> RolloutAnswer:
    """What the games say of each place for the roll.

    >>> from tentimes18.game import Game
    >>> answer = rollout(roll_out(Run(Game.parse("1d6", "1-3"), ("optimal",), seed=18), 4, 10_000))
    >>> answer["best"], [move["slot"] for move in answer["moves"]], answer["moves"][0]["difference"]
    (2, [2, 3, 1], 0.0)
    """
    what, counts = played.rollout, played.done.counts
    run, games = what.run, counts.games
    lattice, root = lattice_of(run.game), sqrt(games)
    unit, low = lattice.unit, lattice.low(run.game.all_free)
    points = counts.points
    means = [low + unit * points.mean(place, games) for place in range(len(what.slots))]
    order = sorted(range(len(means)), key=lambda place: (-means[place], place))
    exact = _exact_score(run, what.target)
    moves: list[RolloutMove] = []
    for place in order:
        sd = float(unit) * points.sd(place, games)
        value, chance = exact(run.board().place(what.roll, what.slots[place]))
        move: RolloutMove = {
            "slot": what.slots[place],
            "mean": float(means[place]),
            "stderr": sd / root,
            "sd": sd,
            "difference": float(means[place] - means[order[0]]),
            "difference_stderr": float(unit) * points.difference_sd(place, order[0], games) / root,
            "exact": value,
        }
        if what.target is not None:
            reached = int(counts.reached[place]) / games
            move["chance"] = reached
            move["chance_stderr"] = sqrt(reached * (1 - reached) / games)
            move["exact_chance"] = chance
        moves.append(move)
    answer: RolloutAnswer = {
        "strategy": run.strategies[0],
        "games": games,
        "seed": run.seed,
        "roll": what.roll,
        "best": moves[0]["slot"],
        "moves": moves,
        "seconds": played.done.seconds,
    }
    if what.target is not None:
        answer["target"] = float(what.target)
    return answer


def duel_rollout(played: RolledOut) -> DuelRolloutAnswer:
    """What the duels say of each place for the roll.

    >>> from tentimes18.game import Game
    >>> run = Run(Game.parse("1d6", "1-3"), ("optimal", "greedy"), seed=18)
    >>> answer = duel_rollout(roll_out(run, 4, 10_000))
    >>> answer["best"], answer["moves"][0]["equity"] > answer["moves"][1]["equity"]
    (2, True)
    """
    what, counts = played.rollout, played.done.counts
    run, games = what.run, counts.games
    lattice, root = lattice_of(run.game), sqrt(games)
    equity = counts.equity  # twice as large
    order = sorted(range(len(what.slots)), key=lambda place: (-equity.sums[place], place))
    exact = _exact_equities(run, what.roll)
    moves: list[DuelRolloutMove] = []
    for place in order:
        win, draw = int(counts.wins[place]) / games, int(counts.draws[place]) / games
        mean = lattice.low(run.game.all_free) + lattice.unit * counts.points.mean(place, games)
        moves.append(
            {
                "slot": what.slots[place],
                "equity": float(equity.mean(place, games) / 2),
                "stderr": equity.sd(place, games) / 2 / root,
                "win": win,
                "draw": draw,
                "loss": (games - int(counts.wins[place]) - int(counts.draws[place])) / games,
                "difference": float(equity.difference(place, order[0], games) / 2),
                "difference_stderr": equity.difference_sd(place, order[0], games) / 2 / root,
                "exact": exact.get(what.slots[place]),
                "mean": float(mean),
            }
        )
    strategy, against = run.strategies
    return {
        "strategy": strategy,
        "against": against,
        "games": games,
        "seed": run.seed,
        "roll": what.roll,
        "best": moves[0]["slot"],
        "moves": moves,
        "seconds": played.done.seconds,
    }


def _exact_score(run: Run, target: Number | None) -> Callable[[Board], tuple[float | None, float | None]]:
    """The exact mean from a board on, and the chance of the target; nothing where they take too long or have no law."""
    strategy = run.find(run.strategies[0])
    is_optimal = isinstance(strategy, RuleStrategy) and strategy.rule is optimal_rule
    has_law = isinstance(strategy, KnownStrategy) and _laws_plan(run.board(), strategy).fits(_limits_of_laws())

    def exact(board: Board) -> tuple[float | None, float | None]:
        mean = float(board.score + value_of(board.game, board.free)) if is_optimal else None
        if not board.free:
            return float(board.score), None if target is None else float(board.score >= target)
        if not isinstance(strategy, KnownStrategy) or not has_law or (is_optimal and target is None):
            return mean, None
        try:
            law = score_law(board, strategy, exact=False)
        except Ten18Error:
            return mean, None
        chance = None if target is None else float(law.at_least(target))
        return (float(law.mean) if mean is None else mean), chance

    return exact


def _laws_plan(board: Board, strategy: KnownStrategy) -> Plan:
    """What the laws after all moves take, about: each has a slot less than the board, and takes half as long."""
    law = strategy.plan(board, exact=False)
    return Plan("the laws after all moves", law.seconds * len(board.free_slots) / 2, law.memory)


def _limits_of_laws() -> Limits:
    """Few seconds: they are there to compare with."""
    here = Limits.here()
    return Limits(here.memory, min(here.seconds, FIT_SECONDS))


def _exact_equities(run: Run, roll: int) -> dict[int, float]:
    """What each move wins in the long run, where a table that has been made for the players says so."""
    position, game = Position(run.board(0), run.board(1)), run.game
    if run.strategies == ("hunter", "optimal"):
        moves = Hunt(game, "optimal").moves(position, roll)
    elif run.strategies == ("equilibrium", "equilibrium"):
        moves = Duel(game).moves(position, roll)
    else:
        return {}
    return {slot: float(worth) for slot, worth in moves.items()}
