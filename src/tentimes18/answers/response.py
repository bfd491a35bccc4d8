"""The best response in a duel, or a strategy of one's own, against a strategy: how often it wins, exactly.

Against a rule, like `optimal` or `nearest`, from any position; against the equilibrium, and with own rolls
and the other board out of sight, from the start.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NotRequired, TypedDict

from tentimes18.answers.distribution import KnownFinder
from tentimes18.coach.aims import EQUILIBRIUM
from tentimes18.duel import own_rolls
from tentimes18.duel.best_response import DuelChances, Response, best_response, fixed_chances
from tentimes18.duel.duel_paths import EquilibriumPath, ResponsePath
from tentimes18.duel.lead_windows import Kept, Solved, verify_position
from tentimes18.duel.plans import certificate_plan, followed_plan, response_path_plan, response_plan
from tentimes18.duel.play_out import Outcome
from tentimes18.errors import Ten18Error, TooLarge, blame
from tentimes18.game import Board, Game, Number
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.plan import Limits, Plan, admit_game, kept_together
from tentimes18.queries.positions import duel_position
from tentimes18.queries.targets import NextMove
from tentimes18.solve.layers import Progress, stages
from tentimes18.solve.objectives.plans import play_law_plan, utilities_plan
from tentimes18.solve.rules import Rule
from tentimes18.solve.scores.exact_laws import random_law
from tentimes18.solve.scores.float_laws import float_rule_law
from tentimes18.storage.tables import MissingTable, Tell, table_there
from tentimes18.strategies.named import RULES, named, rule_named
from tentimes18.strategies.plans import best_duel_plan, hunter_plan
from tentimes18.strategies.solved import equilibrium, hunter
from tentimes18.strategies.strategy import RuleStrategy, score_law

__all__ = [
    "ResponseAnswer",
    "SolvedResponse",
    "against_equilibrium",
    "own_rolls_response",
    "response",
    "solve_response",
]


class ResponseAnswer(TypedDict):
    """My chances; equity is win + draw times what a draw is worth.

    Of the best response to a rule, ``moves`` has for each roll the pairs (slot, probability) of its next move: one, as
    it mixes none. From the start, where their laws are not too large, mean and standard deviation of both scores. Of
    the best response to the equilibrium, what none gains more than over any of so many open positions.
    """

    equity: float
    win: float
    draw: float
    loss: float
    mean: NotRequired[float]
    sd: NotRequired[float]
    opponent_mean: NotRequired[float]
    opponent_sd: NotRequired[float]
    largest_gain: NotRequired[float]
    positions: NotRequired[int]
    moves: NotRequired[dict[str, list[tuple[int, float]]]]


@dataclass(frozen=True, slots=True)
class SolvedResponse:
    """My chances against a rule from every position, by the best response or by a rule of my own; none: at random."""

    chances: DuelChances
    mine: Rule | None
    theirs: Rule
    position: tuple[int, int, Number]
    progress: Progress | None = field(default=None, repr=False, compare=False)

    @property
    def is_start(self) -> bool:
        """Whether no slot is filled yet."""
        return self.position[0] == self.chances.windows.game.all_free

    @property
    def moves(self) -> list[NextMove]:
        """The next move of the best response for each roll, beside the rule's; nothing for other strategies."""
        if not isinstance(self.chances, Response):
            return []
        return [
            NextMove(roll, self.chances.choose(*self.position, roll), self.theirs(self.position[0], roll))
            for roll in self.chances.windows.game.dice.support
        ]

    @property
    def answer(self) -> ResponseAnswer:
        """What is asked for most."""
        answer = _answer(self.chances.at(*self.position))
        if self.is_start:
            self._add_laws(answer)
        if moves := self.moves:
            answer["moves"] = {str(move.roll): [(move.slot, 1.0)] for move in moves}
        return answer

    def _add_laws(self, answer: ResponseAnswer) -> None:
        """Mean and standard deviation of both scores from the start, where their laws are not too large."""
        game = self.chances.windows.game
        try:
            if isinstance(self.chances, Response):
                own = ResponsePath(self.chances, self.progress).law
            else:
                own = float_rule_law(game, self.mine) if self.mine else random_law(game)
            other = float_rule_law(game, self.theirs)
        except TooLarge:
            return
        answer["mean"], answer["sd"] = float(own.mean), own.sd
        answer["opponent_mean"], answer["opponent_sd"] = float(other.mean), other.sd


def response(
    game: Game,
    to: str = "optimal",
    *,
    with_: str | None = None,
    draw: float = 0.5,
    free: Sequence[int] | None = None,
    opponent_free: Sequence[int] | None = None,
    lead: Number = 0,
    folder: Path | None = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    device: str = CPU,
) -> ResponseAnswer:
    """My chances against a rule or the equilibrium: of the best response, or of a strategy of mine.

    ``draw`` is a draw's worth. Against the equilibrium they are known from the start, with a draw worth one half. With
    ``device="cuda"`` tables are made on a GPU.

    >>> response(Game.parse("1d6", "1-3"), "optimal", free=[1, 2], opponent_free=[1, 3], lead=5)["win"]
    0.5
    >>> response(Game.parse("1d6", "1-3"), "equilibrium", with_="random")["equity"] < 0.5
    True
    """
    if to == EQUILIBRIUM:
        if (free, opponent_free, lead, draw) != (None, None, 0, 0.5):
            raise Ten18Error(f"{to!r} is answered from the start only, with a draw worth one half", field="to")
        return against_equilibrium(
            game, with_, folder=folder, tell=tell, progress=progress, limits=limits, device=device
        )
    return solve_response(
        game,
        to,
        with_=with_,
        draw=draw,
        free=free,
        opponent_free=opponent_free,
        lead=lead,
        folder=folder,
        progress=progress,
        limits=limits,
        device=device,
    ).answer


def solve_response(
    game: Game,
    to: str = "optimal",
    *,
    with_: str | None = None,
    draw: float = 0.5,
    free: Sequence[int] | None = None,
    opponent_free: Sequence[int] | None = None,
    lead: Number = 0,
    folder: Path | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    device: str = CPU,
) -> SolvedResponse:
    """The same against a rule, with the next moves; the best response to `optimal` from disk where it is kept there.

    >>> solve_response(Game.parse("1d6", "1-3"), "greedy").moves[0]
    NextMove(roll=1, slot=1, other=1)
    """
    opponent = _rule(to, "to")
    player = _rule(with_, "with") if with_ and with_ != "random" else None
    position = duel_position(game, free, opponent_free, lead)
    is_optimal = to == "optimal" and with_ in (None, "optimal", "random")
    is_on_gpu = on_gpu(device) is not None
    of_hunter = to == "optimal" and with_ is None and draw == 0.5 and not is_on_gpu
    with_draws = with_ is not None or is_on_gpu
    ruled = partial(response_plan, is_optimal=is_optimal, is_kept=is_on_gpu, with_draws=with_draws)
    plan = partial(hunter_plan, folder=folder) if of_hunter else ruled
    admit_game(game, plan, limits)
    verify_position(game, *position)
    making, law = stages(progress, plan(game), response_path_plan(game))
    theirs, mine = opponent.rule(game), player.rule(game) if player else None
    chances = (
        fixed_chances(game, mine, theirs, draw=draw, progress=making, device=device)
        if with_
        else best_response(
            game,
            theirs,
            draw=draw,
            progress=making,
            kept=_from_disk(game, folder) if of_hunter else None,
            device=device,
        )
    )
    return SolvedResponse(chances, mine, theirs, position, law)


def _from_disk(game: Game, folder: Path | None) -> Kept:
    """The table of the hunter where it is kept; else it is made, and not kept: the answer is all that was asked for."""

    def find(cells: int, make: Callable[[], Solved]) -> Solved:
        try:
            return table_there("response", game, cells, folder)
        except MissingTable:
            return make()

    return find


def against_equilibrium(
    game: Game,
    with_: str | None = None,
    *,
    folder: Path | None = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    device: str = CPU,
) -> ResponseAnswer:
    """My chances against the equilibrium: of the best response, with what none gains more than, or of a strategy.

    With ``device="cuda"`` the equilibrium comes from a GPU; what is made of it, from the processor.

    >>> answer = against_equilibrium(Game.parse("1d6", "1-3"))
    >>> round(answer["equity"], 9), answer["largest_gain"] < 1e-12
    (0.5, True)
    """
    player = None if with_ in (None, "hunter", "random") else _rule(str(with_), "with")

    is_on_gpu = on_gpu(device) is not None

    def plan(part: Game) -> Plan:
        against = followed_plan(part) if with_ else certificate_plan(part)
        hunters = [hunter_plan(part, folder, on_gpu=is_on_gpu)] if with_ == "hunter" else []
        return kept_together(against.what, best_duel_plan(part, folder, on_gpu=is_on_gpu), against, *hunters)

    admit_game(game, plan, limits)
    solved = equilibrium(game, progress, folder, tell, device)
    if with_:
        mine = hunter(game, None, folder, tell, device) if with_ == "hunter" else player.rule(game) if player else None
        return _answer(EquilibriumPath(solved, mine, at_random=with_ == "random", progress=progress).outcome)
    certificate = solved.certify(progress)
    return _answer(certificate.response) | {"largest_gain": certificate.largest, "positions": certificate.positions}


def own_rolls_response(
    game: Game,
    to: str = "optimal",
    find: KnownFinder = named,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> ResponseAnswer:
    """The chances of the best response where each player has own rolls, and the other board is out of sight.

    >>> round(own_rolls_response(Game.parse("1d6", "1-3"))["equity"], 6)
    0.5006
    """
    with blame("to", "strategy"):
        opponent = find(to)

        def plan(part: Game) -> Plan:
            laws = opponent.plan(Board(part), exact=False), play_law_plan(part, part.all_free, exact=False)
            return kept_together(f"the duel with own rolls on {part.size:,} slots", utilities_plan(part), *laws)

        admit_game(game, plan, limits)
        theirs = score_law(Board(game), opponent, exact=False, progress=progress)
    mine = own_rolls.response_to_law(game, theirs, progress).law(exact=False, progress=progress)
    return _answer(own_rolls.outcome(mine, theirs))


def _answer(outcome: Outcome) -> ResponseAnswer:
    return {"equity": outcome.equity, "win": outcome.win, "draw": outcome.draw, "loss": outcome.loss}


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
