"""Duels, exactly: best responses, the Nash equilibrium, and strategies that beat each other in a circle.

Against a rule, like `optimal` or `nearest`, from any position; against the equilibrium, and with own rolls and the
other board out of sight, from the start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tentimes18.coach.aims import EQUILIBRIUM
from tentimes18.duel import own_rolls as own
from tentimes18.duel.best_response import DuelChances, Response, best_response, fixed_chances
from tentimes18.duel.certificate import certify
from tentimes18.duel.lead_windows import Outcome, check_duel_size, verify_position
from tentimes18.duel.play_out import EquilibriumPath, ResponsePath
from tentimes18.duel.response_cycle import find_cycle
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge, blame
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.queries import Device, DiceText, Doc, Progress, SlotsText, Tell, query, split_progress
from tentimes18.queries.distributions import KnownFinder
from tentimes18.queries.moves import Mix
from tentimes18.queries.positions import duel_position, read_free_slots
from tentimes18.queries.targets import NextMove
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.rule_distributions import random_distribution
from tentimes18.solve.thresholds import Rule, optimal_rule
from tentimes18.strategies.named import RULES, named, rule_named
from tentimes18.strategies.solved import equilibrium, hunter, load_hunter
from tentimes18.strategies.strategy import RuleStrategy, score_distribution
from tentimes18.tables import MissingTable

Free = Annotated[str | None, Doc("My free slots, like 1,4,7.", metavar="SLOTS", default="all")]
OpponentFree = Annotated[str | None, Doc("The opponent's free slots.", metavar="SLOTS", default="as mine")]
Lead = Annotated[str, Doc("My score minus the opponent's.", metavar="POINTS")]
Rolls = Annotated[Literal["same", "own"], Doc("The same rolls for both, or own dice and the other board out of sight.")]
Cache = Annotated[Path | None, Doc("Where tables are kept.", metavar="FOLDER", default="TEN18_CACHE, or the user's")]


class ResponseAnswer(Struct, frozen=True):
    """My probabilities; equity is win + draw times what a draw is worth.

    From the start, if the distributions are not too large, also mean and standard deviation of both scores. For the
    best response to the equilibrium, no response gains more than ``largest_gain`` over any of so many open positions.
    For the best response to a rule, ``moves`` has for each roll the pairs (slot, probability) of its next move: one,
    as it never mixes.
    """

    equity: float
    win: float
    draw: float
    loss: float
    mean: float | UnsetType = UNSET
    sd: float | UnsetType = UNSET
    opponent_mean: float | UnsetType = UNSET
    opponent_sd: float | UnsetType = UNSET
    largest_gain: float | UnsetType = UNSET
    positions: int | UnsetType = UNSET
    moves: dict[str, Mix] | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class SolvedResponse:
    """A response, what a draw is worth in it, and for a rule the next move for each roll beside the opponent's."""

    answer: ResponseAnswer
    draw_worth: float = 0.5
    moves: Sequence[NextMove] = ()


@query(ResponseAnswer)
def duel_response(
    to: Annotated[str, Doc(f"The opponent: {', '.join(RULES)} or equilibrium.", metavar="NAME")] = "optimal",
    with_: Annotated[
        str | None, Doc("My strategy (also random, hunter) instead of the best response.", metavar="NAME")
    ] = None,
    draw: Annotated[str | None, Doc("What a draw is worth, 0 to 1.", metavar="WORTH", default="0.5")] = None,
    players: Annotated[int | None, Doc("A table of N; all others play the same strategy.", metavar="N")] = None,
    free: Free = None,
    opponent_free: OpponentFree = None,
    lead: Lead = "0",
    rolls: Rolls = "same",
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cache: Cache = None,
    device: Device = "cpu",
    find_known: KnownFinder = named,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> SolvedResponse:
    """The best response to a strategy, exactly: how often it wins."""
    game = Game.parse(dice, slots)
    worth = _draw_worth(draw, players)
    if rolls == "own":
        if with_ or (free, opponent_free, lead, worth) != (None, None, "0", 0.5):
            raise Ten18Error("--rolls own: from the start only, with a draw worth one half, and the best response")
        _verify_processor(device)
        return SolvedResponse(_own_rolls_response(game, to, find_known, progress))
    on_gpu(device)  # before anything is made, and also where a table is there already
    position = _read_position(game, free, opponent_free, lead)
    if to == EQUILIBRIUM:
        if (free, opponent_free, position[2], worth) != (None, None, 0, 0.5):
            raise Ten18Error(f"{to!r} is answered from the start only, with a draw worth one half", field="to")
        return SolvedResponse(_against_equilibrium(game, with_, cache, tell, progress, device))
    return _against_rule(game, to, with_, worth, position, cache, progress, device)


def _draw_worth(draw: str | None, players: int | None) -> float:
    if players is not None:
        if draw is not None:
            raise InvalidGame("at a table of N a draw is worth 1/N; leave --draw out", field="players")
        if players < 2:
            raise InvalidGame(f"{players} is too few; a table has at least 2", field="players")
        return 1 / players
    worth = float(read_score(draw, "draw")) if draw is not None else 0.5
    if not 0 <= worth <= 1:
        raise InvalidGame(f"{draw} is not what a draw can be worth; accepted: 0 to 1", field="draw")
    return worth


def _verify_processor(device: str) -> None:
    if device != "cpu":
        raise Ten18Error("own rolls are computed on the processor; leave it out", "device", device)


def _read_position(game: Game, free: str | None, opponent_free: str | None, lead: str) -> tuple[int, int, Number]:
    """My free set, the opponent's, and my lead."""
    mine = None if free is None else read_free_slots(game, free)
    theirs = None if opponent_free is None else read_free_slots(game, opponent_free, "opponent_free")
    return duel_position(game, mine, theirs, read_score(lead, "lead"))


def _against_rule(
    game: Game,
    to: str,
    with_: str | None,
    draw: float,
    position: tuple[int, int, Number],
    cache: Path | None,
    progress: Progress | None,
    device: str,
) -> SolvedResponse:
    """The best response, or my strategy, against a rule; the best response to `optimal` from disk if it is there."""
    opponent = _rule(to, "to")
    player = _rule(with_, "with") if with_ and with_ != "random" else None
    check_duel_size(game, values=2 if with_ else 1, power=1)
    verify_position(game, *position)
    making, following = split_progress(progress, 3, 1)
    theirs, mine = opponent.rule(game), player.rule(game) if player else None
    chances: DuelChances
    if with_:
        chances = fixed_chances(game, mine, theirs, draw=draw, progress=making, device=device)
    elif to == "optimal" and draw == 0.5 and device == CPU:
        try:
            chances = load_hunter(game, cache)
        except MissingTable:  # made, and not stored
            chances = best_response(game, theirs, progress=making)
    else:
        chances = best_response(game, theirs, draw=draw, progress=making, device=device)
    answer = _answer(chances.at(*position))
    if position[0] == game.all_free:
        best = chances if isinstance(chances, Response) else None
        answer = _add_scores(answer, game, best, mine, theirs, following)
    if not isinstance(chances, Response):
        return SolvedResponse(answer, draw)
    support = game.dice.support
    moves = [NextMove(roll, chances.choose(*position, roll), theirs(position[0], roll)) for roll in support]
    answer = replace(answer, moves={str(move.roll): [(move.slot, 1.0)] for move in moves})
    return SolvedResponse(answer, draw, moves)


def _add_scores(
    answer: ResponseAnswer,
    game: Game,
    best: Response | None,
    mine: Rule | None,
    theirs: Rule,
    progress: Progress | None,
) -> ResponseAnswer:
    """With mean and standard deviation of both scores, if their distributions are not too large."""
    try:
        if best is not None:
            own_scores = ResponsePath(best, progress).distribution
        else:
            own_scores = float_rule_distribution(game, mine) if mine else random_distribution(game)
        others = float_rule_distribution(game, theirs)
    except TooLarge:
        return answer
    return replace(
        answer,
        mean=float(own_scores.mean),
        sd=own_scores.sd,
        opponent_mean=float(others.mean),
        opponent_sd=others.sd,
    )


def _against_equilibrium(
    game: Game, with_: str | None, cache: Path | None, tell: Tell | None, progress: Progress | None, device: str
) -> ResponseAnswer:
    """The best response, with the most that any response gains, or my strategy. A GPU makes the equilibrium alone."""
    player = None if with_ in (None, "hunter", "random") else _rule(str(with_), "with")
    solved = equilibrium(game, progress, cache, tell, device)
    if with_:
        mine = hunter(game, None, cache, tell, device) if with_ == "hunter" else player.rule(game) if player else None
        return _answer(EquilibriumPath(solved, mine, at_random=with_ == "random", progress=progress).outcome)
    certificate = certify(solved, progress)
    answer = _answer(certificate.response)
    return replace(answer, largest_gain=certificate.largest, positions=certificate.positions)


def _own_rolls_response(game: Game, to: str, find: KnownFinder, progress: Progress | None) -> ResponseAnswer:
    """The best response if each player has own rolls, and the other board is out of sight."""
    with blame("to", "strategy"):
        opponent = find(to)
        theirs = score_distribution(Board(game), opponent, exact=False, progress=progress)
    mine = own.response_to_distribution(game, theirs, progress).distribution(exact=False, progress=progress)
    return _answer(own.outcome(mine, theirs))


def _answer(outcome: Outcome) -> ResponseAnswer:
    return ResponseAnswer(outcome.equity, outcome.win, outcome.draw, outcome.loss)


def _rule(name: str, field: str) -> RuleStrategy:
    strategy = rule_named(name)
    if strategy is None:
        others = "equilibrium" if field == "to" else "random, and against equilibrium hunter"
        raise Ten18Error(
            f"{name!r} cannot be answered exactly; accepted: {', '.join(RULES)}, "
            f"which look at their own free slots and the roll only; {others}",
            field=field,
        )
    return strategy


class EquilibriumAnswer(Struct, frozen=True):
    """My probability to win, a draw counting one half; for each roll a mixed move of pairs (slot, probability)."""

    value: float
    moves: dict[str, Mix]


class OwnRollsAnswer(Struct, frozen=True):
    """A mixture of strategies by their shares, mean and sd of its score, and what the best response to it gains."""

    value: float
    exploitability: float
    against_optimal: float
    mean: float
    sd: float
    shares: list[float]


@query(EquilibriumAnswer | OwnRollsAnswer)
def duel_equilibrium(
    free: Free = None,
    opponent_free: OpponentFree = None,
    lead: Lead = "0",
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    rolls: Rolls = "same",
    cache: Cache = None,
    device: Device = "cpu",
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> EquilibriumAnswer | OwnRollsAnswer:
    """The Nash equilibrium: the value of a position, and a mixed move for every roll."""
    game = Game.parse(dice, slots)
    if rolls == "own":
        if (free, opponent_free, lead) != (None, None, "0"):
            raise Ten18Error("--rolls own: from the start only; leave out --free, --opponent-free and --lead")
        _verify_processor(device)
        return _own_rolls_equilibrium(game, progress)
    on_gpu(device)
    position = _read_position(game, free, opponent_free, lead)
    check_duel_size(game, values=0.5)
    verify_position(game, *position)
    table = equilibrium(game, progress, cache, tell, device)
    moves = {str(roll): list(table.moves(*position, roll).items()) for roll in game.dice.support}
    return EquilibriumAnswer(table.value(*position), moves)


def _own_rolls_equilibrium(game: Game, progress: Progress | None) -> OwnRollsAnswer:
    """The equilibrium if each player has own rolls, and the other board is out of sight."""
    mixture = own.own_rolls_equilibrium(game, progress=progress)
    law = mixture.distribution
    against_optimal = own.equity(law, float_rule_distribution(game, optimal_rule(game)))
    shares = [share for share in mixture.shares if share > 0]
    return OwnRollsAnswer(0.5, mixture.exploitability, against_optimal, float(law.mean), law.sd, shares)


class ExactResult(Struct, frozen=True):
    """Exact probabilities, as fractions."""

    win: str
    draw: str
    loss: str


class CycleAnswer(Struct, frozen=True):
    """Strategies by name, each of which beats the next one and the last the first, with their results; or none."""

    names: list[str]
    results: list[ExactResult]


@query(CycleAnswer)
def duel_cycle(dice: DiceText = "1d6", slots: SlotsText = "1-4", progress: Progress | None = None) -> CycleAnswer:
    """Who beats whom in a circle: an exact proof in a small game, by best responses to best responses."""
    game = Game.parse(dice, slots)
    cycle = find_cycle(game, progress)
    if cycle is None:
        return CycleAnswer([], [])
    results = [ExactResult(str(result.win), str(result.draw), str(result.loss)) for result in cycle.results]
    return CycleAnswer(list(cycle.names), results)
