"""`ten18 distribution`, `target`, `aim` and `front`: the law of a score, and best play for other objectives."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.answers.numbers import plain
from tentimes18.answers.positions import read_board
from tentimes18.cli.options import DiceOption, JsonOption, MovesOption, SlotsOption, StrategyOption
from tentimes18.cli.output import console, print_json, progress_bar, table
from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Game, read_score
from tentimes18.show.words import objective_label

if TYPE_CHECKING:
    from tentimes18.answers.distribution import DistributionAnswer, MomentsAnswer, SlotLawsAnswer
    from tentimes18.answers.front import FrontAnswer
    from tentimes18.answers.objectives import NextMove, SolvedObjective

__all__ = ["register", "show_moves"]

ROUNDING: Final = 1e-9
BAR: Final = 40
BINS: Final = 60


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(distribution)
    app.command(context_settings={"ignore_unknown_options": True})(target)  # so that a target may be negative
    app.command()(aim)
    app.command()(front)


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
    as_json: JsonOption = False,
) -> None:
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
        mean_and_variance = answers.moments(game, strategy, exact=exact and as_json)
        print_json(mean_and_variance) if as_json else _show_moments(title, mean_and_variance)
        return
    if per_slot:
        laws = answers.per_slot(game, strategy, exact=exact and as_json)
        print_json(laws) if as_json else _show_slots(game, laws)
        return
    wanted = [read_score(text.strip(), "at_least") for text in at_least.split(",")] if at_least is not None else []
    board = read_board(game, moves)
    with progress_bar(f"law of {strategy}"):
        law = answers.distribution(
            board, strategy, at_least=wanted, exact=exact, summary=summary and as_json, find=find_known
        )
    print_json(law) if as_json else _show_law(title + (f" after {moves}" if moves else ""), law, exact)


def _show_law(title: str, law: "DistributionAnswer", exact: bool) -> None:
    screen = console()
    facts = table(title, "points", label="")
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
    screen.print(facts)
    bars = _bins(pairs)
    highest = max(bars.values())
    for low, share in bars.items():
        if share >= highest / BAR / 2:
            screen.print(f"{low:>8g} {share:>7.2%} {'█' * max(1, round(BAR * share / highest))}")
    if not law["exact"]:
        screen.print("Computed in float64: exact numbers would take too long here.")


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


def _show_moments(title: str, found: "MomentsAnswer") -> None:
    facts = table(title, "points", label="")
    facts.add_row("mean", f"{found['mean']:.5f}")
    facts.add_row("standard deviation", f"{found['sd']:.5f}")
    console().print(facts)


def _show_slots(game: Game, laws: "SlotLawsAnswer") -> None:
    grid = table(f"Where the rolls end up, {game}, in percent", *map(str, laws["rolls"]), label="slot")
    for slot, law in enumerate(laws["slots"], start=1):
        grid.add_row(f"#{slot}", *(f"{chance:.1%}".rstrip("%") for chance in law))
    console().print(grid)


def target(
    score: Annotated[str, typer.Argument(metavar="T", help="The score to reach or beat.")],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    moves: MovesOption = "",
    as_json: JsonOption = False,
) -> None:
    """The best chance of a score of T or more, and how to play for it."""
    from tentimes18.answers.targets import solve_target

    game = Game.parse(dice, slots)
    board = read_board(game, moves)
    wanted = read_score(score, "target")
    with progress_bar("chances") as progress:
        solved = solve_target(board, wanted, progress)
    answer = solved.answer
    if as_json:
        print_json(answer)
        return
    name = f"target:{answer['target']}"
    facts = table(f"A score of {answer['target']} or more, {game}", "chance", label="strategy")
    facts.add_row(name, f"{answer['probability']:.6f}")
    facts.add_row("optimal", f"{answer['with_optimal']:.6f}")
    console().print(facts)
    if board.free:
        show_moves("The next move" if board.rounds else "The first move", name, "optimal", solved.moves)


def show_moves(title: str, name: str, other: str, moves: "Iterable[NextMove]") -> None:
    """Where each roll goes by a strategy, beside another one; where they differ, in bold."""
    grid = table(title, name, other, label="roll")
    for move in moves:
        style = "bold" if move.slot != move.other else None
        grid.add_row(str(move.roll), f"#{move.slot}", f"#{move.other}", style=style)
    console().print(grid)


def aim(
    strategy: Annotated[
        str, typer.Argument(metavar="AIM", help="target:700, utility:exp:0.01, quantile:0.1, cvar:0.1.")
    ],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    as_json: JsonOption = False,
) -> None:
    """Best play for an aim: what it reaches, and what it gives up in the mean."""
    from tentimes18.answers.objectives import solve_objective
    from tentimes18.strategies.user_code import find_known

    game = Game.parse(dice, slots)
    with blame("aim", "strategy"), progress_bar("best play"):
        solved = solve_objective(game, strategy, find_known)
    print_json(solved.answer) if as_json else _show_objective(game, solved)


def _show_objective(game: Game, solved: "SolvedObjective") -> None:
    screen = console()
    laws = solved.law, solved.optimal_law
    facts = table(f"Aim {solved.strategy}, {game}", solved.strategy, "optimal", label="")
    label = objective_label(solved.strategy)
    facts.add_row(label, f"{solved.reached:.6f}", f"{solved.with_optimal:.6f}", style="bold")
    for name, texts in (
        ("mean", [f"{float(law.mean):.5f}" for law in laws]),
        ("standard deviation", [f"{law.sd:.5f}" for law in laws]),
        ("median", [str(plain(law.median)) for law in laws]),
        ("worst 10 % end at most at", [str(plain(law.quantile(Fraction(1, 10)))) for law in laws]),
        ("best 10 % end at least at", [str(plain(law.quantile(Fraction(9, 10)))) for law in laws]),
    ):
        facts.add_row(name, *texts)
    screen.print(facts)
    bound = f"{solved.gap:.1e}" if solved.gap > ROUNDING else f"below {ROUNDING:.0e}"
    screen.print(f"Optimality gap: {bound}\n")
    show_moves("The first move", solved.strategy, "optimal", solved.moves)


def front(dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False) -> None:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    from tentimes18.answers.front import front as front_of

    game = Game.parse(dice, slots)
    with progress_bar("strategies") as progress:
        answer = front_of(game, progress)
    print_json(answer) if as_json else _show_front(game, answer)


def _show_front(game: Game, answer: "FrontAnswer") -> None:
    points = answer["front"]
    optimal = next(point for point in points if point["strategy"] == "optimal")
    grid = table(
        f"Mean and standard deviation, {game}", "mean", "sd", "mean given up", "sd saved", "", label="strategy"
    )
    for point in points:
        mean, sd = point["mean"], point["sd"]
        given, saved = optimal["mean"] - mean, optimal["sd"] - sd
        mark = "on the front" if point["efficient"] else ""
        grid.add_row(point["strategy"], f"{mean:.3f}", f"{sd:.3f}", f"{given:.3f}", f"{saved:.3f}", mark)
    console().print(grid)
