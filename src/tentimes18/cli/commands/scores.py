"""`ten18 distribution`, `target`, `aim` and `front`: the law of a score, and best play for other aims."""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tentimes18.cli.options import DiceOption, JsonOption, MovesOption, SlotsOption, StrategyOption, read_board
from tentimes18.cli.output import console, plain, print_json, progress_bar, table
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number, read_score

if TYPE_CHECKING:
    from tentimes18.solve.scores.law import ScoreLaw
    from tentimes18.strategies.strategy import KnownStrategy

__all__ = ["register"]

QUANTILES: Final = ("0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99")
MEANING: Final = {
    "target": "chance of the target",
    "utility": "certainty equivalent",
    "expected": "expected utility",
    "quantile": "the quantile",
    "cvar": "mean of the worst share",
}
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
    game = Game.parse(dice, slots)
    if moments or per_slot:
        if at_least is not None:
            raise Ten18Error("needs the law; leave --moments and --per-slot out", field="at_least")
        if moments and per_slot:
            raise Ten18Error("give either --moments or --per-slot, not both")
        if moves:
            raise Ten18Error("--moments and --per-slot are for whole games; leave --moves out", field="moves")
        show = _show_moments if moments else _show_slots
        show(game, strategy, _number_writer(exact), as_json)
        return
    from tentimes18.strategies.user_code import find_known

    known = find_known(strategy)
    board = read_board(game, moves)
    wanted = [read_score(text.strip(), "at_least") for text in at_least.split(",")] if at_least is not None else []
    law = _law(board, known, exact=True if exact else None)
    write = _number_writer(exact)
    if as_json:
        result: dict[str, Any] = {
            "strategy": strategy,
            "mean": write(law.mean),
            "variance": write(law.variance),
            "sd": law.sd,
            "skewness": law.skewness,
            "median": write(law.median, whole=True),
            "medians": [write(score, whole=True) for score in law.medians],
            "quantiles": {q: write(law.quantile(Fraction(q)), whole=True) for q in QUANTILES},
            "exact": law.is_exact,
        }
        if not summary:
            pairs = zip(law.scores, law.weights, strict=True)
            result["pmf"] = [[write(score, whole=True), write(_share(law, weight))] for score, weight in pairs]
        if wanted:
            result["at_least"] = {str(score): write(law.at_least(score)) for score in wanted}
        print_json(result)
        return
    _show_law(f"Final score of {strategy}, {game}" + (f" after {moves}" if moves else ""), law, wanted, exact)


def _law(board: Board, strategy: "KnownStrategy", *, exact: bool | None = None) -> "ScoreLaw":
    from tentimes18.strategies.strategy import score_law

    with progress_bar(f"law of {strategy.name}"):
        return score_law(board, strategy, exact=exact)


def _share(law: "ScoreLaw", weight: int | float) -> Fraction | float:
    return Fraction(weight, law.total) if isinstance(weight, int) and isinstance(law.total, int) else float(weight)


def _number_writer(exact: bool) -> Callable[..., Any]:
    def write(value: Number | float, *, whole: bool = False) -> Any:
        if exact:
            return f"{Fraction(value).numerator}/{Fraction(value).denominator}"
        return plain(value) if whole else float(value)

    return write


def _show_law(title: str, law: "ScoreLaw", wanted: list[Number], exact: bool) -> None:
    screen = console()
    facts = table(title, "points", label="")
    medians = " and ".join(str(plain(score)) for score in law.medians)
    for name, text in (
        ("mean", str(law.mean) if exact else f"{float(law.mean):.5f}"),
        ("standard deviation", f"{law.sd:.5f}"),
        ("skewness", f"{law.skewness:.5f}"),
        ("median", medians),
        ("least, most", f"{plain(law.scores[0])}, {plain(law.scores[-1])}"),
    ):
        facts.add_row(name, text)
    for q in QUANTILES:
        facts.add_row(f"{float(q):.0%} end at most at", str(plain(law.quantile(Fraction(q)))))
    for score in wanted:
        facts.add_row(f"P({plain(score)} or more)", f"{float(law.at_least(score)):.6f}")
    screen.print(facts)
    bars = _bins(law)
    highest = max(bars.values())
    for low, share in bars.items():
        if share >= highest / BAR / 2:
            screen.print(f"{low:>8g} {share:>7.2%} {'█' * max(1, round(BAR * share / highest))}")
    if not law.is_exact:
        screen.print("Computed in float64: exact numbers would take too long here.")


def _bins(law: "ScoreLaw") -> dict[float, float]:
    """Shares by bins of ten, as in the paper, or wider where there are too many."""
    width = 10.0
    while (float(law.scores[-1]) - float(law.scores[0])) / width > 2 * BINS:
        width *= 2
    while (float(law.scores[-1]) - float(law.scores[0])) / width < BINS / 6 and width > 1:
        width /= 2
    bars: dict[float, float] = {}
    for score, weight in zip(law.scores, law.weights, strict=True):
        low = float(score) // width * width
        bars[low] = bars.get(low, 0.0) + float(_share(law, weight))
    return bars


def _show_moments(game: Game, strategy: str, write: Callable[..., Any], as_json: bool) -> None:
    from tentimes18.solve.scores import moments

    known = {
        "optimal": moments.optimal_moments,
        "hindsight": moments.hindsight_moments,
        "random": moments.random_moments,
    }
    if strategy not in known:
        raise Ten18Error(f"has no polynomial moments; accepted: {', '.join(known)}", "strategy", strategy)
    found = known[strategy](game)
    if as_json:
        print_json({"strategy": strategy, "mean": write(found.mean), "variance": write(found.variance), "sd": found.sd})
        return
    facts = table(f"Final score of {strategy}, {game}", "points", label="")
    facts.add_row("mean", f"{float(found.mean):.5f}")
    facts.add_row("standard deviation", f"{found.sd:.5f}")
    console().print(facts)


def _show_slots(game: Game, strategy: str, write: Callable[..., Any], as_json: bool) -> None:
    from tentimes18.solve.scores.moments import slot_laws

    if strategy != "optimal":
        raise Ten18Error("--per-slot is for optimal only", field="strategy", given=strategy)
    if len(set(game.multipliers)) < game.size:
        raise InvalidGame("--per-slot needs multipliers that all differ", field="slots")
    laws = slot_laws(game.dice, game.size)
    rolls = game.dice.support
    if as_json:
        print_json({"strategy": strategy, "rolls": rolls, "slots": [[write(share) for share in law] for law in laws]})
        return
    grid = table(f"Where the rolls end up, {game}, in percent", *map(str, rolls), label="slot")
    for slot, law in enumerate(laws, start=1):
        grid.add_row(f"#{slot}", *(f"{float(share):.1%}".rstrip("%") for share in law))
    console().print(grid)


def target(
    score: Annotated[str, typer.Argument(metavar="T", help="The score to reach or beat.")],
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    moves: MovesOption = "",
    as_json: JsonOption = False,
) -> None:
    """The best chance of a score of T or more, and how to play for it."""
    from tentimes18.solve.objectives.chances import chance_table
    from tentimes18.strategies.named import named

    game = Game.parse(dice, slots)
    board = read_board(game, moves)
    wanted = read_score(score, "target")
    with progress_bar("chances") as progress:
        chances = chance_table(game, progress)
    best = chances.chance(wanted, board.free, board.score)
    usual = _law(board, named("optimal")).at_least(wanted)
    if as_json:
        print_json({"target": plain(wanted), "probability": float(best), "with_optimal": float(usual)})
        return
    screen = console()
    facts = table(f"A score of {plain(wanted)} or more, {game}", "chance", label="strategy")
    facts.add_row(f"target:{plain(wanted)}", f"{float(best):.6f}")
    facts.add_row("optimal", f"{float(usual):.6f}")
    screen.print(facts)
    if board.free:
        _show_first_moves(board, chances.best_play(wanted).choose, f"target:{plain(wanted)}")


def _show_first_moves(board: Board, choose: Callable[[int, Number, int], int], name: str) -> None:
    from tentimes18.strategies.named import named

    optimal = named("optimal")
    rolls = board.game.dice.support
    grid = table("The next move" if board.rounds else "The first move", name, "optimal", label="roll")
    for roll in rolls:
        chosen, usual = choose(board.free, board.score, roll), optimal.choose(board, roll)
        grid.add_row(str(roll), f"#{chosen}", f"#{usual}", style="bold" if chosen != usual else None)
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
    from tentimes18.strategies.named import named
    from tentimes18.strategies.strategy import ObjectiveStrategy
    from tentimes18.strategies.user_code import find_known

    game = Game.parse(dice, slots)
    try:
        known = find_known(strategy)
    except Ten18Error as error:
        raise error.about("aim") from None
    if not isinstance(known, ObjectiveStrategy):
        raise Ten18Error(
            f"{strategy!r} is not an aim; accepted: target:700, utility:exp:0.01, quantile:0.1, cvar:0.1", field="aim"
        )
    board = Board(game)
    try:
        with progress_bar("best play"):
            solved = known.solve(game)
    except InvalidGame as error:
        raise error.about("aim") from None
    law, usual = _law(board, known), _law(board, named("optimal"))
    reached, without = known.measure(game, law), known.measure(game, usual)
    gap = abs(float(solved.value) - reached)
    if as_json:
        print_json(
            {
                "strategy": strategy,
                "value": float(solved.value),
                "with_optimal": without,
                "gap": gap,
                "mean": float(law.mean),
                "sd": law.sd,
                "first_move": {str(roll): known.choose(board, roll) for roll in game.dice.support},
            }
        )
        return
    screen = console()
    facts = table(f"Aim {strategy}, {game}", strategy, "optimal", label="")
    facts.add_row(MEANING[_kind(strategy)], f"{reached:.6f}", f"{without:.6f}", style="bold")
    for name, texts in (
        ("mean", [f"{float(law.mean):.5f}" for law in (law, usual)]),
        ("standard deviation", [f"{law.sd:.5f}" for law in (law, usual)]),
        ("median", [str(plain(law.median)) for law in (law, usual)]),
        ("worst 10 % end at most at", [str(plain(law.quantile(Fraction(1, 10)))) for law in (law, usual)]),
        ("best 10 % end at least at", [str(plain(law.quantile(Fraction(9, 10)))) for law in (law, usual)]),
    ):
        facts.add_row(name, *texts)
    screen.print(facts)
    screen.print("Optimality gap: " + (f"{gap:.1e}" if gap > ROUNDING else f"below {ROUNDING:.0e}") + "\n")
    _show_first_moves(board, solved.choose, strategy)


def _kind(strategy: str) -> str:
    """A utility that is a Python function has no inverse, so no certainty equivalent."""
    kind, name, *_ = strategy.split(":")
    return "expected" if kind == "utility" and name not in ("exp", "power") else kind


def front(dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False) -> None:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    from tentimes18.solve.objectives.front import front as front_of
    from tentimes18.solve.objectives.front import front_names
    from tentimes18.strategies.named import named
    from tentimes18.strategies.strategy import score_law

    game = Game.parse(dice, slots)
    laws = []
    names = front_names(game)
    with progress_bar("strategies") as progress:
        for done, name in enumerate(names, start=1):
            laws.append((name, score_law(Board(game), named(name), exact=False)))
            if progress:
                progress(done, len(names))
    points = front_of(laws)
    if as_json:
        fields = ("strategy", "mean", "sd", "efficient")
        print_json({"front": [{name: getattr(point, name) for name in fields} for point in points]})
        return
    optimal = next(point for point in points if point.strategy == "optimal")
    grid = table(
        f"Mean and standard deviation, {game}", "mean", "sd", "mean given up", "sd saved", "", label="strategy"
    )
    for point in points:
        given, saved = optimal.mean - point.mean, optimal.sd - point.sd
        mark = "on the front" if point.efficient else ""
        grid.add_row(point.strategy, f"{point.mean:.3f}", f"{point.sd:.3f}", f"{given:.3f}", f"{saved:.3f}", mark)
    console().print(grid)
