"""`ten18 distribution`, `target`, `aim` and `front`: the law of a score, and best play for other objectives."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tentimes18.answers.numbers import plain
from tentimes18.answers.positions import read_board
from tentimes18.cli.options import DiceOption, MovesOption, SlotsOption, StrategyOption
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Form, Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.show.figures import shown_number
from tentimes18.show.words import objective_label

if TYPE_CHECKING:
    from tentimes18.answers.distribution import DistributionAnswer, MomentsAnswer, SlotLawsAnswer
    from tentimes18.answers.front import FrontAnswer
    from tentimes18.answers.objectives import NextMove, SolvedObjective
    from tentimes18.answers.targets import SolvedTarget

__all__ = ["moves_table", "register"]

ROUNDING: Final = 1e-9
BAR: Final = 40
BINS: Final = 60


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_command(app, distribution, tables=["law", "facts"])
    negative: dict[str, Any] = {"ignore_unknown_options": True}  # so that a target may be negative
    add_command(app, target, tables=["moves", "facts"], context_settings=negative)
    add_command(app, aim, tables=["moves", "facts"])
    add_command(app, front, tables=["front"])


def distribution(
    strategy: StrategyOption = "optimal",
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    moves: MovesOption = "",
    at_least: Annotated[
        str | None, typer.Option("--at-least", metavar="SCORES", help="Chance of these scores or more, like 650,700.")
    ] = None,
    moments: Annotated[
        bool, typer.Option("--moments", help="Mean and variance alone, in polynomial time: for many slots.")
    ] = False,
    per_slot: Annotated[
        bool, typer.Option("--per-slot", help="The law of the roll in each slot, under optimal, instead.")
    ] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Every number as a fraction p/q.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Leave out the chances of the single scores.")] = False,
    form: Form = Form.text,
) -> Result:
    """The exact law of a strategy's final score, from the start or from a game in play."""
    from tentimes18.answers import distribution as answers
    from tentimes18.strategies.user_code import find_known

    game = Game.parse(dice, slots)
    if moments or per_slot:
        if at_least is not None:
            raise Ten18Error("needs the law; leave --moments and --per-slot out", field="at_least")
        if moments and per_slot:
            raise Ten18Error("give either --moments or --per-slot, not both")
        if moves:
            raise Ten18Error("--moments and --per-slot are for whole games; leave --moves out", field="moves")
    title = f"Final score of {strategy}, {game}"
    if moments:
        with progress_bar("moments", late=True) as progress:
            mean_and_variance = answers.moments(game, strategy, exact=exact and form is Form.json, progress=progress)
        return Result(mean_and_variance, lambda: [_moments(title, mean_and_variance)])
    if per_slot:
        with progress_bar("slots", late=True) as progress:
            laws = answers.per_slot(game, strategy, exact=exact and form is Form.json, progress=progress)
        return Result(laws, lambda: [_slots(game, laws)])
    wanted = [read_score(text.strip(), "at_least") for text in at_least.split(",")] if at_least is not None else []
    board = read_board(game, moves)
    with progress_bar(f"law of {strategy}") as progress:
        law = answers.distribution(
            board,
            strategy,
            at_least=wanted,
            exact=exact,
            summary=summary and form is Form.json,
            find=find_known,
            progress=progress,
        )
    title += f" after {moves}" if moves else ""
    return Result(law, lambda: _law_page(title, law, exact), lambda: [_law_table(law)])


def _law_table(law: "DistributionAnswer") -> Grid:
    """For programs: every score with its chance."""
    grid = table("", "score", "probability", name="law")
    for score, chance in law["pmf"]:
        grid.add_row(Entry(score, ""), Entry(chance, ""))
    return grid


def _law_page(title: str, law: "DistributionAnswer", exact: bool) -> Iterator[Part]:
    facts = table(title, "points", label=Column("", "fact", left=True), name="facts")
    pairs = [(_number(score), float(_number(chance))) for score, chance in law["pmf"]]
    for name, text in (
        ("mean", str(Fraction(law["mean"])) if exact else f"{law['mean']:.5f}"),
        ("standard deviation", f"{law['sd']:.5f}"),
        ("skewness", f"{law['skewness']:.5f}"),
        ("median", " and ".join(str(_number(score)) for score in law["medians"])),
        ("least, most", f"{pairs[0][0]}, {pairs[-1][0]}"),
    ):
        facts.add_row(name, text)
    for q, score in law["quantiles"].items():
        facts.add_row(f"{float(q):.0%} end at most at", str(_number(score)))
    for wanted, chance in law.get("at_least", {}).items():
        facts.add_row(f"P({_number(wanted)} or more)", f"{_number(chance):.6f}")
    yield facts
    bars = _bins(pairs)
    highest = max(bars.values())
    for low, share in bars.items():
        if share >= highest / BAR / 2:
            yield f"{low:>8g} {share:>7.2%} {'█' * max(1, round(BAR * share / highest))}"
    if not law["exact"]:
        yield "Computed in float64: exact numbers would take too long here."


def _number(written: int | float | str) -> int | float:
    """A number of an answer, also where it is written as p/q."""
    return plain(Fraction(written)) if isinstance(written, str) else written


def _bins(pairs: Sequence[tuple[float, float]]) -> dict[float, float]:
    """Shares by bins of ten, as in the paper, or wider where there are too many."""
    width = 10.0
    least, most = float(pairs[0][0]), float(pairs[-1][0])
    while (most - least) / width > 2 * BINS:
        width *= 2
    while (most - least) / width < BINS / 6 and width > 1:
        width /= 2
    bars: dict[float, float] = {}
    for score, share in pairs:
        low = float(score) // width * width
        bars[low] = bars.get(low, 0.0) + share
    return bars


def _moments(title: str, found: "MomentsAnswer") -> Grid:
    facts = table(title, "points", label=Column("", "fact", left=True), name="law")
    facts.add_row("mean", number(float(found["mean"]), ".5f"))
    facts.add_row("standard deviation", number(float(found["sd"]), ".5f"))
    return facts


def _slots(game: Game, laws: "SlotLawsAnswer") -> Grid:
    title = f"Where the rolls end up, {game}, in percent"
    grid = table(title, *map(str, laws["rolls"]), label="slot", name="law")
    for slot, law in enumerate(laws["slots"], start=1):
        grid.add_row(Entry(slot, f"#{slot}"), *(Entry(chance, f"{float(chance):.1%}".rstrip("%")) for chance in law))
    return grid


def target(
    score: Annotated[str, typer.Argument(metavar="T", help="The score to reach or beat.")],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    moves: MovesOption = "",
) -> Result:
    """The best chance of a score of T or more, and how to play for it."""
    from tentimes18.answers.targets import solve_target

    game = Game.parse(dice, slots)
    board = read_board(game, moves)
    wanted = read_score(score, "target")
    with progress_bar("chances") as progress:
        solved = solve_target(board, wanted, progress)
    return Result(solved.answer, lambda: _target_page(board, solved))


def _target_page(board: Board, solved: "SolvedTarget") -> Iterator[Part]:
    answer = solved.answer
    name = f"target:{answer['target']}"
    title = f"A score of {answer['target']} or more, {board.game}"
    facts = table(title, "chance", "mean", label="strategy", name="facts")
    facts.add_row(name, number(answer["probability"], ".6f"), number(answer["mean"], ".5f"))
    facts.add_row("optimal", number(answer["with_optimal"], ".6f"), number(answer["mean_with_optimal"], ".5f"))
    yield facts
    if board.free:
        title = "The next move" if board.rounds else "The first move"
        yield moves_table(title, name, "optimal", solved.moves)


def moves_table(title: str, name: str, other: str, moves: "Iterable[NextMove]") -> Grid:
    """Where each roll goes by a strategy, beside another one; where they differ, in bold."""
    grid = table(title, name, other, label="roll", name="moves")
    for move in moves:
        slots = (Entry(move.slot, f"#{move.slot}"), Entry(move.other, f"#{move.other}"))
        grid.add_row(number(move.roll), *slots, style="bold" if move.slot != move.other else None)
    return grid


def aim(
    strategy: Annotated[
        str, typer.Argument(metavar="AIM", help="target:700, utility:exp:0.01, quantile:0.1, cvar:0.1.")
    ],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
) -> Result:
    """Best play for an aim: what it reaches, and what it gives up in the mean."""
    from tentimes18.answers.objectives import solve_objective
    from tentimes18.strategies.user_code import find_known

    game = Game.parse(dice, slots)
    with blame("aim", "strategy"), progress_bar("best play") as progress:
        solved = solve_objective(game, strategy, find_known, progress)
    return Result(solved.answer, lambda: _objective_page(game, solved))


def _objective_page(game: Game, solved: "SolvedObjective") -> Iterator[Part]:
    laws = solved.law, solved.optimal_law
    columns = (solved.strategy, "optimal")
    facts = table(f"Aim {solved.strategy}, {game}", *columns, label=Column("", "fact", left=True), name="facts")
    reached = number(solved.reached, ".6f"), number(solved.with_optimal, ".6f")
    facts.add_row(objective_label(solved.strategy), *reached, style="bold")
    for name, texts in (
        ("mean", [number(float(law.mean), ".5f") for law in laws]),
        ("standard deviation", [number(law.sd, ".5f") for law in laws]),
        ("median", [_points(law.median) for law in laws]),
        ("worst 10 % end at most at", [_points(law.quantile(Fraction(1, 10))) for law in laws]),
        ("best 10 % end at least at", [_points(law.quantile(Fraction(9, 10))) for law in laws]),
    ):
        facts.add_row(name, *texts)
    yield facts
    bound = f"{solved.gap:.1e}" if solved.gap > ROUNDING else f"below {ROUNDING:.0e}"
    yield f"Optimality gap: {bound}\n"
    yield moves_table("The first move", solved.strategy, "optimal", solved.moves)


def _points(score: Number) -> Entry:
    return Entry(plain(score), shown_number(score))


def front(dice: DiceOption = "3d6", slots: SlotsOption = "1-10") -> Result:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    from tentimes18.answers.front import front as front_of

    game = Game.parse(dice, slots)
    with progress_bar("strategies") as progress:
        answer = front_of(game, progress)
    return Result(answer, lambda: [_front(game, answer)])


def _front(game: Game, answer: "FrontAnswer") -> Grid:
    points = answer["front"]
    optimal = next(point for point in points if point["strategy"] == "optimal")
    columns = ("mean", "sd", "mean given up", "sd saved", Column("", "efficient"))
    grid = table(f"Mean and standard deviation, {game}", *columns, label="strategy", name="front")
    for point in points:
        mean, sd = point["mean"], point["sd"]
        given, saved = optimal["mean"] - mean, optimal["sd"] - sd
        mark = Entry(point["efficient"], "on the front" if point["efficient"] else "")
        grid.add_row(point["strategy"], *(number(value, ".3f") for value in (mean, sd, given, saved)), mark)
    return grid
