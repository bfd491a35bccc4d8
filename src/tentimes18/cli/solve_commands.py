"""`ten18 solve`, `advise`, `closest`, `gap`, `rules`, `strategies`, `target`, `aim`, `front`: one player."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import typer
from msgspec.structs import asdict, astuple

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.grid import Column, Entry, Grid, data_table, number, table
from tentimes18.cli.output import Verbatim
from tentimes18.coach.aims import Mixes, aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.game import Game, Number
from tentimes18.number_format import counted, ordinal, shown_number, shown_roll, with_minus
from tentimes18.queries import solutions
from tentimes18.queries.json_numbers import plain
from tentimes18.queries.moves import AdviceAnswer, read_board
from tentimes18.strategies.named import RULES
from tentimes18.wording import meaning_of_worths, mixes_text, objective_label, shown_value, words_of

MAX_SHOWN_SLOTS = 12
MAX_SHOWN_TIES = 20


def register(app: typer.Typer) -> None:
    add_query(app, "advise", _advice_page, ["moves"], bar="advice")
    add_query(app, "solve", _solution_page, ["thresholds", "expected"], csv=_solution_tables, bar="thresholds")
    add_query(app, "closest", _closest_page, ["calls", "ties"], csv=_ties, bar="closest calls")
    add_query(app, "gap", _gap_page, ["gap"])
    add_query(app, "rules", _rules_page, ["rules"])
    add_query(app, "strategies", _strategies_page, ["strategies"])
    negative = {"ignore_unknown_options": True}  # a target may be negative
    tables = ["moves", "facts"]
    add_query(app, "target", _target_page, tables, bar="chances", late=False, context_settings=negative)
    add_query(app, "aim", _aim_page, tables, bar="best play", late=False)
    add_query(app, "front", _front_page, ["front"], bar="strategies", late=False)


def _solution_page(solution: solutions.SolutionAnswer, arguments: Arguments) -> Iterator[Part]:
    if arguments["exact"] or arguments["digits"] is not None:
        yield Verbatim("\n".join(_numbers(solution)))
        return
    game, rows = Game.parse(arguments["dice"], arguments["slots"]), solution.thresholds
    n = game.size
    points = ((name, float(value)) for name, value in asdict(solution.expected).items())
    head = Column("points", form=".10f")
    yield table(f"Expected score, {game}", head, label="strategy", name="expected", rows=points)
    if n > MAX_SHOWN_SLOTS or len(rows) < n:
        ends = [number(float(threshold), ".3f").text for threshold in rows[-1]]
        shown = ends if n <= MAX_SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        yield f"E_{n}: {'  '.join(shown)}\nAll numbers: --json or --csv\n"
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    heads = (Column(str(i), form=".3f") for i in range(1, n + 1))
    yield table(title, *heads, label="j", rows=((len(row), *map(float, row)) for row in reversed(rows)))
    if n > 1:
        yield f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n"


def _numbers(solution: solutions.SolutionAnswer) -> Iterator[str]:
    yield from (f"{name} = {points}" for name, points in asdict(solution.expected).items())
    for row in solution.thresholds:
        yield from (f"E_{len(row)}[{i}] = {threshold}" for i, threshold in enumerate(row, start=1))


def _solution_tables(solution: solutions.SolutionAnswer, _: Arguments) -> Iterator[Grid]:
    cells = ((len(row), i, cell) for row in solution.thresholds for i, cell in enumerate(row, start=1))
    yield data_table("thresholds", ("j", "i", "threshold"), cells)
    yield data_table("expected", ("strategy", "points"), asdict(solution.expected).items())


def _closest_page(closest: solutions.ClosestAnswer, arguments: Arguments) -> Iterator[Part]:
    columns = ("free slots", "roll", "best", "runner-up", Column("loss", form=".5f"), Column("free sets", form=","))
    title = f"Closest calls, {Game.parse(arguments['dice'], arguments['slots'])}"
    grid = table(title, *columns, label="where", name="calls")
    for where, calls in (("first move", closest.first_move), ("game", closest.game)):
        for call in calls:
            ranks = (Entry(rank, ordinal(rank)) for rank in (call.best, call.runner_up))
            grid.add_row(where, call.free_count, number(call.roll), *ranks, plain(call.loss), call.free_sets)
    yield grid
    yield "best, runner-up: which of the free slots, counted from the smallest multiplier"
    if not closest.ties:
        yield "No exact ties between slots with different multipliers."
        return
    yield f"\nExact ties, {len(closest.ties)} in all:"
    for tie in closest.ties[:MAX_SHOWN_TIES]:
        both = f"{ordinal(tie.rank)} and {ordinal(tie.rank + 1)}"
        yield f"  {counted(tie.free_count, 'free slot')}, roll {tie.roll}: {both} are equally good"


def _ties(closest: solutions.ClosestAnswer, _: Arguments) -> Iterator[Grid]:
    rows = ((tie.free_count, tie.roll, tie.rank, tie.rank + 1) for tie in closest.ties)
    yield data_table("ties", ("free slots", "roll", "rank", "next rank"), rows)


def _gap_page(answer: solutions.GapAnswer, _: Arguments) -> Iterator[Part]:
    title = f"Hindsight minus the best play on the slots 1 to n, {answer.distribution}"
    columns = Column("gap", form=".6g"), Column("gap / n", form=".4f"), Column("per ln n", form=".4f")
    yield table(title, *columns, label="n", name="gap", rows=map(astuple, answer.sizes))
    yield f"per ln n: the growth of gap / n since the row above; E|X − X'| / 4 = {answer.quarter:.5f}."


def _rules_page(answer: solutions.RulesAnswer, arguments: Arguments) -> Iterator[Part]:
    title = f"The best rules with few numbers, {Game.parse(arguments['dice'], arguments['slots'])}"
    forms = {"mean": ".4f", "loss": ".4f", "part of the way": ".2%", "least loss": ".4f"}
    columns = [Column(head, form=form) for head, form in forms.items()]
    rows = ((len(cuts), *values, ", ".join(map(str, cuts))) for cuts, *values in map(astuple, answer.rules))
    yield table(title, *columns, Column("groups begin at", "cuts", left=True), label="numbers", name="rules", rows=rows)
    yield (
        f"Part of the way from random ({with_minus(f'{answer.random:.2f}')}) to the best play "
        f"({with_minus(f'{answer.optimal:.2f}')}). "
        "Least loss: no rule that sees only these groups loses less, wherever the cuts are."
    )


def _advice_page(advice: AdviceAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    by = aim_named(game, arguments["aim"])  # its tables are in memory
    marks = {kind.name: kind.mark for kind in CLASSES}
    columns: list[str | Column] = ["multiplier", Column(words_of(by.unit).value, "value"), "loss", Column("", "class")]
    target = arguments["target"]
    if target is not None:
        columns += [Column("final score", "mean"), Column("± sd", "sd"), Column(f"P({target} or more)", "chance")]
    mix = dict(advice.mix or ())
    if mix:
        columns.append("mix")
    grid = table(f"A roll of {shown_roll(advice.roll)} in {game}", *columns, label="slot", name="moves")
    for move in advice.moves:
        slot, loss = move.slot, shown_value(move.loss, by.unit) if move.loss else "best"
        cells: list[Entry | str] = [
            Entry(slot, f"#{slot}"),
            Entry(multiplier := str(game.multipliers[slot - 1]), multiplier.replace("-", "−")),
            Entry(move.value, shown_value(move.value, by.unit)),
            Entry(move.loss, loss),
            Entry(move.class_, marks[move.class_]),
        ]
        if isinstance(move.mean, float) and isinstance(move.sd, float) and isinstance(move.chance, float):
            cells += [number(move.mean, ".2f"), number(move.sd, ".2f"), number(move.chance, ".2%")]
        if mix:
            cells.append(number(mix.get(slot, 0.0), ".1%"))
        grid.add_row(*cells, style=None if move.loss else "bold")
    yield grid
    yield meaning_of_worths(by)
    if advice.reason:
        yield advice.reason
    if advice.mix and advice.opponent_mix:
        yield mixes_text(Mixes(tuple(advice.mix), tuple(advice.opponent_mix)))


def _strategies_page(answer: solutions.StrategiesAnswer, _: Arguments) -> Iterator[Part]:
    rows = ((one.name, one.does + " Duels only." * one.duels_only) for one in answer.strategies)
    yield table("Strategies", Column("what it does", left=True), key="name", name="strategies", rows=rows)


ROUNDING = 1e-9


def _target_page(answer: solutions.TargetAnswer, arguments: Arguments) -> Iterator[Part]:
    board = read_board(Game.parse(arguments["dice"], arguments["slots"]), arguments["moves"])
    name = f"target:{answer.target}"
    title = f"A score of {with_minus(str(answer.target))} or more, {board.game}"
    rows = (name, answer.probability, answer.mean), ("optimal", answer.with_optimal, answer.mean_with_optimal)
    columns = Column("chance", form=".6f"), Column("mean", form=".5f")
    yield table(title, *columns, label="strategy", name="facts", rows=rows)
    if board.free:
        heading = "The next move" if board.rounds else "The first move"
        yield moves_table(heading, name, "optimal", answer.next_move, board.game, board.free)


def moves_table(title: str, name: str, other: str, moves: Mapping[str, int], game: Game, free: int) -> Grid:
    """The slot of each roll beside that of another rule with these free slots."""
    grid, rule = table(title, name, other, label="roll", name="moves"), RULES[other](game)
    for roll, slot in moves.items():
        theirs = rule(free, int(roll))
        slots = Entry(slot, f"#{slot}"), Entry(theirs, f"#{theirs}")
        grid.add_row(number(int(roll)), *slots, style="bold" if slot != theirs else None)
    return grid


def _aim_page(solved: solutions.SolvedAim, arguments: Arguments) -> Iterator[Part]:
    distributions, answer = (solved.distribution, solved.optimal_distribution), solved.answer
    game = Game.parse(arguments["dice"], arguments["slots"])
    title = f"Aim {answer.strategy}, {game}"
    heads = (Column(name, form=".5f") for name in (answer.strategy, "optimal"))
    facts = table(title, *heads, key="fact", name="facts")
    reached = number(solved.reached, ".6f"), number(answer.with_optimal, ".6f")
    facts.add_row(objective_label(answer.strategy), *reached, style="bold")
    facts.add_row("mean", *(float(one.mean) for one in distributions))
    facts.add_row("standard deviation", *(one.sd for one in distributions))
    facts.add_row("median", *(_points(one.median) for one in distributions))
    for name, share in (("10th percentile", Fraction(1, 10)), ("90th percentile", Fraction(9, 10))):
        facts.add_row(name, *(_points(one.quantile(share)) for one in distributions))
    yield facts
    bound = f"{answer.gap:.1e}" if answer.gap > ROUNDING else f"below {ROUNDING:.0e}"
    yield f"Optimality gap: {bound}\n"
    yield moves_table("The first move", answer.strategy, "optimal", answer.first_move, game, game.all_free)


def _points(score: Number) -> Entry:
    return Entry(plain(score), shown_number(score))


def _front_page(answer: solutions.FrontAnswer, arguments: Arguments) -> Iterator[Part]:
    optimal = next(point for point in answer.front if point.strategy == "optimal")
    least = arguments["least"]
    heads = ("mean", "sd", *(("least sd",) if least else ()), "mean lost", "sd saved")
    columns = (*(Column(head, form=".3f") for head in heads), Column("", "efficient"))
    title = f"Mean and standard deviation, {Game.parse(arguments['dice'], arguments['slots'])}"
    grid = table(title, *columns, label="strategy", name="front")
    for point in answer.front:
        bound = (point.least_sd,) if isinstance(point.least_sd, float) else ()
        differences = optimal.mean - point.mean, optimal.sd - point.sd
        mark = Entry(point.efficient, "on the front" if point.efficient else "")
        grid.add_row(point.strategy, point.mean, point.sd, *bound, *differences, mark)
    yield grid
    if least:
        yield (
            "least sd: no strategy with the same mean or more has a smaller one. The least variance is larger than its "
            "square by at most 0.03% of the variance of optimal."
        )
