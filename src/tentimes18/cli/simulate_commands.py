"""`ten18 simulate`, `rollout`, `tournament`, `table` and `duel ...`: games on the same rolls, simulated or solved."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, isinf, log10
from typing import Any

import typer
from msgspec import UNSET
from msgspec.structs import astuple

from tentimes18.cli.command import Arguments, Part, add_group, add_query
from tentimes18.cli.grid import Column, Entry, Grid, data_table, number, table
from tentimes18.cli.solve_commands import moves_table
from tentimes18.game import Game, mask_of
from tentimes18.number_format import counted, percentile, shown_number
from tentimes18.queries import duels, several_players, simulations
from tentimes18.queries.moves import read_free_slots
from tentimes18.records.notation import format_moves
from tentimes18.simulate.run import Run
from tentimes18.simulate.tournament import Tournament

CERTAIN = 3  # standard errors by which two moves must differ to be distinguished


def register(app: typer.Typer) -> None:
    add_query(app, "simulate", _simulation_page, ["histogram", "facts"], csv=_histogram, aside=_tell_speed)
    add_query(app, "tournament", _tournament_page, ["equity", "ratings"], csv=_equities)
    add_query(app, "rollout", _rollout_page, ["result"], aside=_tell_speed)
    add_query(app, "table", _table_page, ["shares", "response"], aside=_tell_speed)
    duel = add_group(app, "duel", "Two players on the same rolls; the higher score wins.")
    add_query(duel, "duel_response", _response_page, ["result", "moves"], command="response", late=False)
    add_query(duel, "duel_equilibrium", _equilibrium_page, ["moves"], command="equilibrium", csv=_mixes, late=False)
    add_query(duel, "duel_export", _export_page, ["table"], command="export", late=False)
    add_query(duel, "duel_check", _check_page, ["table"], command="check", late=False)
    add_query(duel, "duel_guarantee", _guarantee_page, ["guarantee"], command="guarantee", bar="guarantee")
    page = lambda played, _: duel_play_page(" against ".join(played.run.strategies), played)  # noqa: E731
    add_query(duel, "duel_play", page, ["result"], command="play")
    add_query(duel, "duel_cycle", _cycle_page, ["results"], command="cycle", csv=_circle, bar="responses")


def _tell_speed(played: simulations.Played[object]) -> None:
    rate = played.games / played.seconds
    text = f"{rate / 1e6:,.1f} million" if rate >= 1e6 else f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
    sys.stderr.write(f"{text} games per second\n")


def _simulation_page(
    simulated: simulations.Played[simulations.SimulationAnswer], _: Arguments, name: str = "facts"
) -> Iterator[Part]:
    run, answer = simulated.run, simulated.answer
    histogram, exact = answer.histogram, answer.exact
    title = f"{counted(answer.games, 'game')} of {answer.strategy}{_after(run)}, {run.game}, seed {answer.seed}"
    columns = [Column("points", form=".5f"), *([Column("computed", form=".5f")] if exact else [])]
    rows = [
        ("mean", answer.mean, *([exact.mean] if exact else [])),
        ("standard error", answer.stderr if answer.games > 1 else None),
        ("standard deviation", answer.sd if answer.games > 1 else None, *([exact.sd] if exact else [])),
        ("least, most", f"{_score(histogram[0][0]).text}, {_score(histogram[-1][0]).text}"),
        *((percentile(q), _score(score)) for q, score in answer.quantiles.items()),
    ]
    yield table(title, *columns, key="fact", name=name, rows=rows)
    if answer.target is not UNSET:
        sure = f"; computed: {exact.chance:.4%}" if exact and exact.chance is not UNSET else ""
        share = f"{answer.chance:.4%} ± {answer.chance_stderr:.4%} of the games"
        if answer.games == 1:
            share = "reached" if answer.chance else "not reached"
        yield f"{_score(answer.target).text} or more: {share}{sure}."
    if tests := _tests(answer):
        yield f"Compared with the computed distribution: {'; '.join(tests)}."


def _tests(answer: simulations.SimulationAnswer) -> list[str]:
    fit, exact, facts = answer.fit, answer.exact, []
    if fit and exact and exact.sd > 0:
        facts.append(f"mean off by {number(fit.z, '+.2f').text} standard errors")
    if fit and (fit.degrees > 0 or isinf(fit.chi_square)):
        degrees = counted(fit.degrees, "degree")
        facts.append(f"chi-square {fit.chi_square:.1f} with {degrees} of freedom (p = {fit.p_value:.3f})")
    return facts


def _score(score: float) -> Entry:
    return number(score, ".0f" if score == int(score) else ".5f")


def _histogram(simulated: simulations.Played[simulations.SimulationAnswer], _: Arguments) -> Iterator[Grid]:
    yield data_table("histogram", ("score", "count"), simulated.answer.histogram)


def _tournament_page(played: simulations.Played[Tournament], _: Arguments) -> Iterator[Part]:
    answer = played.answer
    names, ratings, shares, equity = answer.strategies, answer.ratings, answer.shares, answer.equity
    order = sorted(range(len(names)), key=lambda i: -ratings[i])
    numbers = {i: str(place) for place, i in enumerate(order, start=1)}
    title = f"{counted(answer.games, 'game')} on the same rolls, {played.run.game}"
    ranking = table(title, "rating", "wins, all together", label="strategy", name="ratings")
    for i in order:
        name = Entry(names[i], f"{numbers[i]} {names[i]}")
        ranking.add_row(name, number(ratings[i], "+.0f"), number(shares[i], ".2%"))
    yield ranking
    grid = table("Equity of the row against the column, in percent", *(numbers[j] for j in order), label="")
    for i in order:
        shown = (f"{100 * equity[i][j]:.2f}{'*' if answer.exact[i][j] else ''}" if i != j else "" for j in order)
        grid.add_row(numbers[i], *shown)
    yield grid
    if any(map(any, answer.exact)):
        yield "* computed." if _all_exact(answer) else "* computed; the others are simulated."
    if answer.games > 1 and not _all_exact(answer):
        yield f"Standard errors are at most {100 * max(map(max, answer.stderr)):.2f} percent."
    if answer.cycles:
        yield (
            f"\nCycles, with each step above one half by {answer.least_z:.2f} standard errors or more "
            f"(level {answer.level:g} over all pairs together):"
        )
        for cycle in answer.cycles:
            yield "  " + _arrows(names, equity, cycle)
    else:
        yield "No significant cycle."


def _all_exact(answer: Tournament) -> bool:
    return all(exact or i == j for i, row in enumerate(answer.exact) for j, exact in enumerate(row))


def _equities(played: simulations.Played[Tournament], _: Arguments) -> Iterator[Grid]:
    names, equity = played.answer.strategies, played.answer.equity
    yield data_table("equity", ("strategy", *names), ((name, *row) for name, row in zip(names, equity, strict=True)))


def _arrows(names: Sequence[str], equity: Sequence[Sequence[float]], cycle: Sequence[str]) -> str:
    place = {name: i for i, name in enumerate(names)}
    steps = [
        f"{name} {100 * equity[place[name]][place[other]]:.2f} >"
        for name, other in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    ]
    return " ".join([*steps, cycle[0]])


def duel_play_page(title: str, played: simulations.Played[simulations.DuelPlayAnswer]) -> Iterator[Part]:
    answer = played.answer
    errors = answer.stderr
    title = f"{title}, {counted(answer.games, 'game')}, {played.run.game}"
    rows = (
        (name, getattr(answer, name), getattr(errors, name) if answer.games > 1 else None)
        for name in ("win", "draw", "loss")
    )
    columns = Column("share", form=".6f"), Column("standard error", form=".6f")
    yield table(title, *columns, key="outcome", name="result", rows=rows)
    difference = number(answer.mean_difference, "+.4f").text
    if answer.games == 1:
        yield f"Difference {difference} points."
        return
    yield (
        f"Mean difference {difference} ± {answer.mean_difference_stderr:.4f} points; "
        f"largest win {shown_number(answer.largest_win)}, largest loss {shown_number(answer.largest_loss)}."
    )


def _rollout_page(played: simulations.Played[Any], arguments: Arguments) -> Iterator[Part]:
    if isinstance(played.answer, simulations.SimulationAnswer):
        yield from _simulation_page(played, arguments, "result")
    elif isinstance(played.answer, simulations.DuelPlayAnswer):
        yield from duel_play_page(f"{' against '.join(played.run.strategies)}{_after(played.run)}", played)
    else:
        yield from _moves_page(played.run, played.answer)


def _moves_page(run: Run, answer: simulations.RolloutAnswer | simulations.DuelRolloutAnswer) -> Iterator[Part]:
    """Each slot for a roll: the scores or the duels after it, and how much less they are than after the best one."""
    moves, games, is_duel = answer.moves, answer.games, isinstance(answer, simulations.DuelRolloutAnswer)
    target = UNSET if isinstance(answer, simulations.DuelRolloutAnswer) else answer.target
    above = "" if target is UNSET else f"{number(target, '.10g').text} or more"
    fine, finer = ".3%", ".3%"
    if not is_duel:
        fine, finer = _form(move.stderr for move in moves), _form(move.difference_stderr for move in moves)
    computed = [Column("computed", form=finer)] if any(move.exact is not None for move in moves) else []
    columns = [Column("mean", form=fine)]
    if is_duel:
        columns = [*(Column(share, form=".2%") for share in ("win", "draw", "loss")), Column("equity", form=fine)]
    columns += [Column("±", "stderr", form=fine), Column("to the best", "difference", form=finer)]
    columns += [Column("±", "difference_stderr", form=finer), *computed]
    if target is not UNSET:
        columns += [Column(f"P({above})", "chance", form=".3%"), Column("±", "chance_stderr", form=".3%")]
        columns += [Column("computed", "computed_chance", form=".3%")] if computed else []

    def cell(move: Any, name: str) -> Entry | float | None:
        if name.startswith("difference") and move.difference == move.difference_stderr == 0:
            return Entry(0.0, "best" if name == "difference" else "")
        if name.endswith("stderr") and games == 1:
            return None
        value: float | None = getattr(move, name.replace("computed", "exact"))
        return value

    played = f"{counted(games, 'game')} of {' against '.join(run.strategies)} per slot, seed {run.seed}"
    title = f"A roll of {answer.roll}{_after(run)}, {run.game}: {played}"
    grid = table(title, *columns, label="slot", name="result")
    for move in moves:
        cells = (cell(move, column.key or column.head) for column in columns)
        grid.add_row(Entry(move.slot, f"#{move.slot}"), *cells, style="bold" if move.slot == answer.best else None)
    yield grid
    if is_duel:
        yield "equity: win + draw × 0.5"
    gaps = [(move.slot, -move.difference, move.difference_stderr) for move in moves]
    yield _verdict(gaps, games, finer, "" if is_duel else " points")
    if isinstance(answer, simulations.RolloutAnswer) and target is not UNSET and games > 1:
        best = max(answer.moves, key=lambda move: move.chance or 0.0)
        yield f"{above} comes most often after #{best.slot}: in {best.chance:.3%} of the games."


def _after(run: Run) -> str:
    placements = run.board().placements
    return f" after {format_moves(placements)}" if placements else ""


def _verdict(gaps: Sequence[tuple[int, float, float]], games: int, form: str, unit: str) -> str:
    """Whether the best move is significantly better than the next; gaps are slot, difference and its standard error."""
    (best, _, _), *others = gaps
    if not others:
        return f"#{best} is the only free slot."
    if games == 1:
        return "One game cannot distinguish moves; simulate more."
    slot, gap, error = min(others, key=lambda other: other[1])
    if gap == error == 0:
        return f"#{best} and #{slot} had the same result in every game."
    distance = f"{gap:{form}} ± {error:{form}}{unit}"
    if gap > CERTAIN * error:
        return f"#{best} is best: #{slot}, the next one, is behind by {distance}."
    return f"#{best} and #{slot} cannot be distinguished: they differ by {distance}. More games may decide."


def _form(errors: Iterable[float]) -> str:
    """As many decimals as the smallest standard error needs for two digits; at least two, at most six."""
    least = min((error for error in errors if error > 0), default=1.0)
    return f".{min(6, max(2, 1 - floor(log10(least))))}f"


def _table_page(played: simulations.Played[several_players.TableAnswer], _: Arguments) -> Iterator[Part]:
    answer = played.answer
    names, exact, games = answer.strategies, answer.exact, answer.games
    title = f"{counted(games, 'game')} at one table, {played.run.game}, seed {answer.seed}"
    forms = {"share of wins": ".4%", "standard error": ".4%", "alone": ".4%", "mean rank": ".4f"}
    forms |= {"computed": ".6%", "off by": "+.2f"} if exact else {}
    errors = answer.stderr if games > 1 else [None] * len(names)
    cells = [names, answer.shares, errors, answer.sole, answer.ranks, *([exact.shares, exact.z] if exact else [])]
    columns = [Column(head, form=form) for head, form in forms.items()]
    yield table(title, *columns, label="strategy", name="shares", rows=zip(*cells, strict=True))
    if exact:
        yield f"Computed from {counted(exact.positions, 'position')}; off by: in standard errors."
    for name, rival in zip(names, answer.rivals, strict=True):
        if rival is not None:
            yield f"{name} plays its duel with {rival}."
    if answer.response is not UNSET:
        yield from _response(names, answer.response)


def _response(names: Sequence[str], best: several_players.TableResponseAnswer) -> Iterator[Part]:
    yield ""
    title = "One more player: its share of the wins, and the shares of the others"
    seats = [
        Column(name, name if names.count(name) == 1 else f"{name} {seat}", form=".6%")
        for seat, name in enumerate(names, start=1)
    ]
    rows = [
        *([("nobody", None, *best.without)] if best.without is not None else []),
        ("the best response", best.share, *(best.shares or ())),
        *((f"{one.strategy}, by {one.rival}", one.share, *one.shares) for one in best.others),
    ]
    yield table(title, Column("share of wins", form=".6%"), *seats, label="strategy", name="response", rows=rows)
    if best.shares is None or best.without is None:
        yield "The shares of the others are not computed: they can reach too many positions together."
    else:
        taken = [before - after for before, after in zip(best.without, best.shares, strict=True)]
        shown = ", ".join(f"{100 * part:.3f} from {name}" for name, part in zip(names, taken, strict=True))
        yield f"The best response takes, in percent of all wins: {shown}."
    moves = ", ".join(f"{roll} in #{slot}" for roll, slot in best.moves.items())
    yield f"Its first moves: {moves}."


def _response_page(answer: duels.ResponseAnswer, arguments: Arguments) -> Iterator[Part]:
    to, game = arguments["to"], Game.parse(arguments["dice"], arguments["slots"])
    who = arguments["with_"] or "the best response"
    against = f"{to}, each with own rolls" if arguments["rolls"] == "own" else to
    title = f"{who[0].upper()}{who[1:]} against {against}, {game}"
    rows = ("win", answer.win), ("draw", answer.draw), ("loss", answer.loss)
    grid = table(title, Column("chance", form=".8f"), key="outcome", name="result", rows=rows)
    grid.add_row("equity", answer.equity, style="bold")
    yield grid
    yield f"equity: win + draw × {duels.draw_worth(arguments['draw'], arguments['players']):g}"
    if answer.mean is not UNSET:
        mine = f"{answer.mean:.4f}, standard deviation {answer.sd:.4f}"
        yield f"Mean score {mine}; {to}: {answer.opponent_mean:.4f}, {answer.opponent_sd:.4f}."
    if isinstance(answer.positions, int) and isinstance(answer.largest_gain, float):
        yield gain_line(answer.positions, answer.largest_gain)
    if answer.moves is not UNSET:
        named_free, moves = arguments["free"], {roll: slot for roll, [(slot, _)] in answer.moves.items()}
        heading = "The first move" if named_free is None else "The next move"
        free = game.all_free if named_free is None else mask_of(read_free_slots(game, named_free))
        yield moves_table(heading, "response", to, moves, game, free)


def _equilibrium_page(answer: duels.EquilibriumAnswer | duels.OwnRollsAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    if isinstance(answer, duels.OwnRollsAnswer):
        rows = (
            ("value", answer.value),
            ("the best response to it gains", number(answer.exploitability, ".2e")),
            ("equity against optimal", answer.against_optimal),
            ("mean score", answer.mean),
            ("standard deviation", answer.sd),
        )
        title, column = f"Equilibrium with own rolls, {game}", Column("", "value", form=".6f")
        yield table(title, column, key="fact", name="moves", rows=rows)
        return
    yield f"Value: {answer.value:.10f} (chance to win, a draw counting one half)"
    moves = (
        (roll, " or ".join(f"#{slot}" if len(move) == 1 else f"#{slot} {share:.2%}" for slot, share in move))
        for roll, move in answer.moves.items()
    )
    yield table(f"Equilibrium of the duel, {game}", "move", label="roll", rows=moves)


def _mixes(answer: duels.EquilibriumAnswer | duels.OwnRollsAnswer, _: Arguments) -> Iterator[Grid]:
    if isinstance(answer, duels.EquilibriumAnswer):
        rows = ((roll, slot, share) for roll, move in answer.moves.items() for slot, share in move)
        yield data_table("moves", ("roll", "slot", "probability"), rows)


def _export_page(answer: duels.TableAnswer, _: Arguments) -> Iterator[Part]:
    title = f"The equilibrium of the duel, {answer.dice} {answer.slots}"
    columns = Column("values", form=","), Column("SHA-256", "sha256", left=True)
    yield table(title, *columns, label="file", name="table", rows=[(answer.file, answer.values, answer.sha256)])


def _check_page(answer: duels.CheckAnswer, arguments: Arguments) -> Iterator[Part]:
    yield from _export_page(answer.table, arguments)
    yield gain_line(answer.positions, answer.largest_gain)
    if answer.kept:
        yield f"Copied to {answer.kept}."


def gain_line(positions: int, gain: float) -> str:
    # A power of ten, not below what rounding alone may make of it on another machine.
    bound = 10.0 ** max(-12, ceil(log10(max(gain, 1e-300))))
    return f"No response gains more than {bound:.0e} at any of {positions:,} open positions, from either side."


def _guarantee_page(answer: duels.GuaranteeAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    title = f"Equity secured against an opponent who knows the strategy, {game}"
    rows = ("pure", answer.pure), ("mixed", answer.mixed)
    yield table(title, Column("equity", form=".8f"), key="moves", name="guarantee", rows=rows)


def _cycle_page(answer: duels.CycleAnswer, arguments: Arguments) -> Iterator[Part]:
    if not answer.names:
        yield f"No cycle among the best responses in {Game.parse(arguments['dice'], arguments['slots'])}."
        return
    yield from _circle(answer, arguments)
    yield "hunter: the best response to optimal; response 2: the best response to hunter; and so on."


def _circle(answer: duels.CycleAnswer, arguments: Arguments) -> Iterator[Grid]:
    names = answer.names
    title = f"A cycle in {Game.parse(arguments['dice'], arguments['slots'])}, exactly"
    pairs = zip(names, [*names[1:], *names[:1]], answer.results, strict=True)
    rows = ((name, other, *astuple(result)) for name, other, result in pairs)
    yield table(title, "against", "win", "draw", "loss", key="strategy", name="results", rows=rows)
