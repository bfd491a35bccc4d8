"""`ten18 solve`, `advise`, `closest`, `gap`, `rules`, `strategies`: the game solved, advice, results about it."""

from collections.abc import Iterator

import typer

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.distribution_commands import with_minus
from tentimes18.cli.grid import Column, Entry, Grid, data_table, number, table
from tentimes18.cli.output import Verbatim
from tentimes18.coach.aims import Mixes, aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.game import Game
from tentimes18.number_format import counted, ordinal, shown_roll
from tentimes18.queries.json_numbers import plain
from tentimes18.queries.moves import AdviceAnswer
from tentimes18.queries.results import GapAnswer, RulesAnswer, StrategiesAnswer
from tentimes18.queries.solutions import ClosestAnswer, SolutionAnswer
from tentimes18.wording import meaning_of_worths, mixes_text, shown_value, words_of

MAX_SHOWN_SLOTS = 12
MAX_SHOWN_TIES = 20


def register(app: typer.Typer) -> None:
    add_query(app, "advise", _advice_page, ["moves"], bar="advice")
    add_query(app, "solve", _solution_page, ["thresholds", "expected"], csv=_solution_tables, bar="thresholds")
    add_query(app, "closest", _closest_page, ["calls", "ties"], csv=_ties, bar="closest calls")
    add_query(app, "gap", _gap_page, ["gap"])
    add_query(app, "rules", _rules_page, ["rules"])
    add_query(app, "strategies", _strategies_page, ["strategies"])


def _solution_page(solution: SolutionAnswer, arguments: Arguments) -> Iterator[Part]:
    if arguments["exact"] or arguments["digits"] is not None:
        yield Verbatim("\n".join(_numbers(solution)))
        return
    game, rows = Game.parse(arguments["dice"], arguments["slots"]), solution.thresholds
    n = game.size
    scores = table(f"Expected score, {game}", "points", label="strategy", name="expected")
    for name, points in _expected(solution):
        scores.add_row(name, number(float(points), ".10f"))
    yield scores
    if n > MAX_SHOWN_SLOTS or len(rows) < n:
        ends = [number(float(threshold), ".3f").text for threshold in rows[-1]]
        shown = ends if n <= MAX_SHOWN_SLOTS else [*ends[:4], "...", *ends[-4:]]
        yield f"E_{n}: {'  '.join(shown)}\nAll numbers: --json or --csv\n"
        return
    title = "Thresholds E_j[i]: the expected roll in the i-th of j free slots"
    grid = table(title, *map(str, range(1, n + 1)), label="j")
    for row in reversed(rows):
        grid.add_row(len(row), *(number(float(threshold), ".3f") for threshold in row))
    yield grid
    if n > 1:
        yield f"With {n} free slots use row {n - 1}; row {n} only gives the expected score.\n"


def _numbers(solution: SolutionAnswer) -> Iterator[str]:
    yield from (f"{name} = {points}" for name, points in _expected(solution))
    for row in solution.thresholds:
        yield from (f"E_{len(row)}[{i}] = {threshold}" for i, threshold in enumerate(row, start=1))


def _solution_tables(solution: SolutionAnswer, _: Arguments) -> Iterator[Grid]:
    cells = ((len(row), i, cell) for row in solution.thresholds for i, cell in enumerate(row, start=1))
    yield data_table("thresholds", ("j", "i", "threshold"), cells)
    yield data_table("expected", ("strategy", "points"), _expected(solution))


def _expected(solution: SolutionAnswer) -> list[tuple[str, float | str]]:
    scores = solution.expected
    return [("random", scores.random), ("optimal", scores.optimal), ("hindsight", scores.hindsight)]


def _closest_page(closest: ClosestAnswer, arguments: Arguments) -> Iterator[Part]:
    columns = ("free slots", "roll", "best", "runner-up", "loss", "free sets")
    title = f"Closest calls, {Game.parse(arguments['dice'], arguments['slots'])}"
    grid = table(title, *columns, label="where", name="calls")
    for where, calls in (("first move", closest.first_move), ("game", closest.game)):
        for call in calls:
            grid.add_row(
                where,
                call.free_count,
                number(call.roll),
                Entry(call.best, ordinal(call.best)),
                Entry(call.runner_up, ordinal(call.runner_up)),
                number(plain(call.loss), ".5f"),
                number(call.free_sets, ","),
            )
    yield grid
    yield "best, runner-up: which of the free slots, counted from the smallest multiplier"
    if not closest.ties:
        yield "No exact ties between slots with different multipliers."
        return
    yield f"\nExact ties, {len(closest.ties)} in all:"
    for tie in closest.ties[:MAX_SHOWN_TIES]:
        both = f"{ordinal(tie.rank)} and {ordinal(tie.rank + 1)}"
        yield f"  {counted(tie.free_count, 'free slot')}, roll {tie.roll}: {both} are equally good"


def _ties(closest: ClosestAnswer, _: Arguments) -> Iterator[Grid]:
    grid = table("", "free slots", "roll", "rank", Column("next rank"), name="ties")
    for tie in closest.ties:
        grid.add_row(tie.free_count, tie.roll, tie.rank, tie.rank + 1)
    yield grid


def _gap_page(answer: GapAnswer, _: Arguments) -> Iterator[Part]:
    title = f"Hindsight minus the best play on the slots 1 to n, {answer.distribution}"
    grid = table(title, "gap", "gap / n", "per ln n", label="n", name="gap")
    for size in answer.sizes:
        grid.add_row(size.slots, number(size.gap, ".6g"), number(size.per_slot, ".4f"), number(size.growth, ".4f"))
    yield grid
    yield f"per ln n: the growth of gap / n since the row above; E|X − X'| / 4 = {answer.quarter:.5f}."


def _rules_page(answer: RulesAnswer, arguments: Arguments) -> Iterator[Part]:
    title = f"The best rules with few numbers, {Game.parse(arguments['dice'], arguments['slots'])}"
    columns = ("mean", "loss", "part of the way", "least loss", Column("groups begin at", "cuts", left=True))
    grid = table(title, *columns, label="numbers", name="rules")
    for rule in answer.rules:
        values = number(rule.mean, ".4f"), number(rule.loss, ".4f"), number(rule.part, ".2%")
        grid.add_row(len(rule.cuts), *values, number(rule.least_loss, ".4f"), ", ".join(map(str, rule.cuts)))
    yield grid
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


def _strategies_page(answer: StrategiesAnswer, _: Arguments) -> Iterator[Part]:
    grid = table(
        "Strategies", Column("what it does", left=True), label=Column("", "name", left=True), name="strategies"
    )
    for strategy in answer.strategies:
        grid.add_row(strategy.name, strategy.does + " Duels only." * strategy.duels_only)
    yield grid
