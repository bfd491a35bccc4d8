"""Duels: best responses, the Nash equilibrium, and strategies that beat each other in a circle.

Against a rule, like `optimal` or `nearest`, from any position; against the equilibrium, and in duels with own rolls and
a hidden opponent, from the start.
"""

from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tentimes18.coach.aims import EQUILIBRIUM
from tentimes18.duel import own_rolls as own
from tentimes18.duel.best_response import DuelChances, Response, best_response, fixed_chances
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows, check_duel_size, verify_position
from tentimes18.duel.play_out import EquilibriumPath, ResponsePath
from tentimes18.duel.pure_guarantee import exact_pure_guarantee, pure_guarantee
from tentimes18.duel.response_cycle import find_cycle
from tentimes18.duel.slot_choice import ANY
from tentimes18.errors import InvalidGame, Ten18Error, TooLarge, blame
from tentimes18.files import verify_place
from tentimes18.game import Board, Game, Number, mask_of, read_score
from tentimes18.gpu.device import CPU, on_gpu
from tentimes18.queries import Device, DiceText, Doc, Exact, SlotsText, Tell, query
from tentimes18.queries.distributions import KnownFinder
from tentimes18.queries.json_numbers import answer_from
from tentimes18.queries.moves import Mix, read_free_slots
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.rule_distributions import random_distribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import RULES, named, rule_named
from tentimes18.strategies.solved import equilibrium, hunter
from tentimes18.strategies.strategy import RuleStrategy, score_distribution
from tentimes18.tables import MissingTable, StoredTable, read_table, store_table, write_table

Free = Annotated[str | None, Doc("My free slots by number, like 1,4,7.", metavar="SLOTS", default="all")]
OpponentFree = Annotated[str | None, Doc("The opponent's free slots.", metavar="SLOTS", default="as mine")]
Lead = Annotated[str, Doc("My score minus the opponent's.", metavar="POINTS")]
Rolls = Annotated[
    Literal["same", "own"],
    Doc("Both players get the same rolls, or each rolls their own dice and cannot see the other board."),
]
Cache = Annotated[
    Path | None, Doc("The folder for solved tables.", metavar="FOLDER", default="TEN18_CACHE, or the user's")
]

GOOD_GAIN = 1e-9  # a table is kept if no response to it gains more


class ResponseAnswer(Struct, frozen=True):
    """My probabilities; equity is win + draw times what a draw is worth.

    From the start, if the distributions are not too large, also mean and standard deviation of both scores. For the
    best response to the equilibrium, no response gains more than ``largest_gain`` over any of the open ``positions``;
    rounding is included.
    For the best response to a rule, ``moves`` has for each roll one pair (slot, probability).
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


@query(ResponseAnswer)
def duel_response(
    to: Annotated[str, Doc(f"The opponent: {', '.join(RULES)} or equilibrium.", metavar="NAME")] = "optimal",
    with_: Annotated[
        str | None, Doc("My strategy instead of the best response; also random or hunter.", metavar="NAME")
    ] = None,
    draw: Annotated[str | None, Doc("The worth of a draw, from 0 to 1.", metavar="WORTH", default="0.5")] = None,
    players: Annotated[
        int | None, Doc("The number of players; all others play the same strategy.", metavar="N")
    ] = None,
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
) -> ResponseAnswer:
    """Compute the best response to a strategy, and how often it wins."""
    game = Game.parse(dice, slots)
    worth = draw_worth(draw, players)
    if rolls == "own":
        if with_ or (free, opponent_free, lead, worth) != (None, None, "0", 0.5):
            raise Ten18Error("--rolls own computes best responses from the start only, with a draw worth one half")
        _verify_processor(device)
        with blame("to", "strategy"):
            scores = score_distribution(Board(game), find_known(to), exact=False, progress=progress)
        best = own.response_to_distribution(game, scores, progress).distribution(exact=False, progress=progress)
        return answer_from(ResponseAnswer, own.outcome(best, scores))
    on_gpu(device)  # before anything is computed, even if a stored table would do
    position = _read_position(game, free, opponent_free, lead)
    if to == EQUILIBRIUM:
        if (free, opponent_free, position[2], worth) != (None, None, 0, 0.5):
            raise Ten18Error(f"{to!r} has a best response from the start only, with a draw worth one half", field="to")
        return _against_equilibrium(game, with_, cache, tell, progress, device)
    opponent = _rule(to, "to")
    player = _rule(with_, "with") if with_ and with_ != "random" else None
    check_duel_size(game, values=2 if with_ else 1, power=1)
    verify_position(game, *position)
    making, following = split_progress(progress, 3, 1)
    theirs, mine = opponent.rule(game), player.rule(game) if player else None
    chances: DuelChances
    if with_:
        chances = fixed_chances(game, mine, theirs, draw=worth, progress=making, device=device)
    elif to == "optimal" and worth == 0.5 and device == CPU:
        try:
            chances = hunter(game, folder=cache, is_stored=True)
        except MissingTable:  # made, and not stored
            chances = best_response(game, theirs, progress=making)
    else:
        chances = best_response(game, theirs, draw=worth, progress=making, device=device)
    answer = answer_from(ResponseAnswer, chances.at(*position))
    if position[0] == game.all_free:
        with suppress(TooLarge):
            if isinstance(chances, Response):
                scores = ResponsePath(chances, following).distribution
            else:
                scores = float_rule_distribution(game, mine) if mine else random_distribution(game)
            others = float_rule_distribution(game, theirs)
            facts = {"mean": float(scores.mean), "sd": scores.sd}
            answer = replace(answer, **facts, opponent_mean=float(others.mean), opponent_sd=others.sd)
    if not isinstance(chances, Response):
        return answer
    moves = {str(roll): [(chances.choose(*position, roll), 1.0)] for roll in game.dice.support}
    return replace(answer, moves=moves)


def draw_worth(draw: str | None, players: int | None) -> float:
    """What a draw is worth: the number in the text, or an equal share for each of the players."""
    if players is not None:
        if draw is not None:
            raise InvalidGame("with N players a draw is worth 1/N; leave --draw out", field="players")
        if players < 2:
            raise InvalidGame(f"{players} is too few; at least 2", field="players")
        return 1 / players
    worth = float(read_score(draw, "draw")) if draw is not None else 0.5
    if not 0 <= worth <= 1:
        raise InvalidGame(f"{draw} is not the worth of a draw; accepted: 0 to 1", field="draw")
    return worth


def _verify_processor(device: str) -> None:
    if device != "cpu":
        raise Ten18Error("--rolls own needs the processor; leave --device out", "device", device)


def _read_position(game: Game, free: str | None, opponent_free: str | None, lead: str) -> tuple[int, int, Number]:
    """My free set, the opponent's and my lead; all slots are free if none are named, and the opponent's as mine."""
    mine = game.all_free if free is None else mask_of(read_free_slots(game, free))
    theirs = mine if opponent_free is None else mask_of(read_free_slots(game, opponent_free, "opponent_free"))
    return mine, theirs, read_score(lead, "lead")


def _against_equilibrium(
    game: Game, with_: str | None, cache: Path | None, tell: Tell | None, progress: Progress | None, device: str
) -> ResponseAnswer:
    """The best response, with the most that any response gains, or my strategy. A GPU computes only the equilibrium."""
    player = None if with_ in (None, "hunter", "random") else _rule(str(with_), "with")
    solved = equilibrium(game, progress, cache, tell, device)
    if with_:
        mine = hunter(game, None, cache, tell, device) if with_ == "hunter" else player.rule(game) if player else ANY
        return answer_from(ResponseAnswer, EquilibriumPath(solved, mine, progress).outcome)
    certificate = certify(solved, progress)
    answer = answer_from(ResponseAnswer, certificate.response)
    return replace(answer, largest_gain=certificate.largest + certificate.rounding, positions=certificate.positions)


def _rule(name: str, field: str) -> RuleStrategy:
    strategy = rule_named(name)
    if strategy is None:
        others = "equilibrium" if field == "to" else "random, and against equilibrium hunter"
        raise Ten18Error(
            f"{name!r} is unknown, or its best response cannot be computed; accepted: {', '.join(RULES)}, "
            f"which depend on their free slots and the roll only; {others}",
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
    """Compute the Nash equilibrium: the value of a position, and a mixed move for every roll."""
    game = Game.parse(dice, slots)
    if rolls == "own":
        if (free, opponent_free, lead) != (None, None, "0"):
            raise Ten18Error("--rolls own starts from empty boards; leave out --free, --opponent-free and --lead")
        _verify_processor(device)
        mixture = own.own_rolls_equilibrium(game, progress=progress)
        scores, shares = mixture.distribution, [share for share in mixture.shares if share > 0]
        against_optimal = own.equity(scores, float_rule_distribution(game, optimal_rule(game)))
        return OwnRollsAnswer(0.5, mixture.exploitability, against_optimal, float(scores.mean), scores.sd, shares)
    on_gpu(device)
    position = _read_position(game, free, opponent_free, lead)
    check_duel_size(game, values=0.5)
    verify_position(game, *position)
    table = equilibrium(game, progress, cache, tell, device)
    moves = {str(roll): list(table.moves(*position, roll).items()) for roll in game.dice.support}
    return EquilibriumAnswer(table.value(*position), moves)


class TableAnswer(Struct, frozen=True):
    """The table of an equilibrium in a file: its game, the number of values, and the SHA-256 of the file."""

    file: str
    dice: str
    slots: str
    values: int
    sha256: str


@query(TableAnswer)
def duel_export(
    file: Annotated[Path, Doc("The file to write.", metavar="FILE", is_argument=True)],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    cache: Cache = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> TableAnswer:
    """Write the table of our equilibrium to a file, for other programs and other machines."""
    verify_place(file, "file")
    game = Game.parse(dice, slots)
    check_duel_size(game, values=0.5)
    table = equilibrium(game, progress, cache, tell)
    write_table(file, EQUILIBRIUM, game, StoredTable(table.values, table.facts))
    return _table_answer(file, game, table.values.size)


class CheckAnswer(Struct, frozen=True):
    """A table that was checked: no response to its moves gains more than ``largest_gain``, rounding included.

    ``kept`` is the file in the cache that it was copied to.
    """

    table: TableAnswer
    largest_gain: float
    positions: int
    kept: str | None


@query(CheckAnswer)
def duel_check(
    file: Annotated[Path, Doc("The table, as `ten18 duel export` writes it.", metavar="FILE", is_argument=True)],
    keep: Annotated[bool, Doc("Copy a good table to the cache, where the commands and a server find it.")] = False,
    cache: Cache = None,
    progress: Progress | None = None,
) -> CheckAnswer:
    """Check the table of an equilibrium that somebody else may have computed: bound what any response to it gains."""

    def count(game: Game) -> int:
        check_duel_size(game, values=0.5, power=2)
        windows.append(DuelWindows(game, half=True))
        return windows[0].cells

    windows: list[DuelWindows] = []
    game, stored = read_table(file, EQUILIBRIUM, count)
    try:
        table = Equilibrium(windows[0], *stored)
    except (KeyError, TypeError, ValueError):
        raise Ten18Error("does not say what there was to solve", "file", str(file)) from None
    certificate = certify(table, progress)
    largest, kept = certificate.largest + certificate.rounding, None
    if keep:
        if largest > GOOD_GAIN:
            raise Ten18Error(f"a response gains up to {largest:.1e}: the table is not kept", "file", str(file))
        kept = str(store_table(EQUILIBRIUM, game, stored, cache))
    return CheckAnswer(_table_answer(file, game, stored.values.size), largest, certificate.positions, kept)


def _table_answer(file: Path, game: Game, values: int) -> TableAnswer:
    with file.open("rb") as content:
        sha256 = file_digest(content, "sha256").hexdigest()
    return TableAnswer(str(file), str(game.dice), game.slots, values, sha256)


class GuaranteeAnswer(Struct, frozen=True):
    """The equity from the start that the best pure strategy secures, and that mixed moves secure."""

    pure: float | str
    mixed: float | str


@query(GuaranteeAnswer)
def duel_guarantee(
    dice: DiceText = "3d6", slots: SlotsText = "1-10", exact: Exact = False, progress: Progress | None = None
) -> GuaranteeAnswer:
    """Compute what the best pure strategy secures against an opponent who knows it; mixed moves secure one half.

    If it is less than one half, a strategy that nothing beats must mix its moves.
    """
    game = Game.parse(dice, slots)
    if exact:
        return GuaranteeAnswer(str(exact_pure_guarantee(game, progress)), "1/2")
    return GuaranteeAnswer(pure_guarantee(game, progress), 0.5)


class ExactResult(Struct, frozen=True):
    win: str
    draw: str
    loss: str


class CycleAnswer(Struct, frozen=True):
    """Strategies by name, each of which beats the next one and the last the first, with their results; or none."""

    names: list[str]
    results: list[ExactResult]


@query(CycleAnswer)
def duel_cycle(dice: DiceText = "1d6", slots: SlotsText = "1-4", progress: Progress | None = None) -> CycleAnswer:
    """Find strategies that beat each other in a circle: an exact proof in a small game, by repeated best responses."""
    game = Game.parse(dice, slots)
    cycle = find_cycle(game, progress)
    if cycle is None:
        return CycleAnswer([], [])
    results = [ExactResult(str(result.win), str(result.draw), str(result.loss)) for result in cycle.results]
    return CycleAnswer(list(cycle.names), results)
