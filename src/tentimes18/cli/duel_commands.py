"""`ten18 duel ...`: two players on the same rolls."""

from collections.abc import Iterator
from math import ceil, log10

import typer
from msgspec import UNSET

from tentimes18.cli.command import Arguments, Part, add_group, add_query
from tentimes18.cli.grid import Column, Grid, number, table
from tentimes18.cli.simulate_commands import duel_play_page
from tentimes18.cli.target_commands import moves_table
from tentimes18.game import Game
from tentimes18.queries.duels import (
    CheckAnswer,
    CycleAnswer,
    EquilibriumAnswer,
    GuaranteeAnswer,
    OwnRollsAnswer,
    SolvedResponse,
    TableAnswer,
)
from tentimes18.queries.simulations import DuelPlayAnswer, Played


def register(app: typer.Typer) -> None:
    duel = add_group(app, "duel", "Two players on the same rolls; the higher score wins.")
    add_query(duel, "duel_response", _response_page, ["result", "moves"], command="response", late=False)
    add_query(duel, "duel_equilibrium", _equilibrium_page, ["moves"], command="equilibrium", csv=_mixes, late=False)
    add_query(duel, "duel_export", _export_page, ["table"], command="export", late=False)
    add_query(duel, "duel_check", _check_page, ["table"], command="check", late=False)
    add_query(duel, "duel_guarantee", _guarantee_page, ["guarantee"], command="guarantee", bar="guarantee")
    add_query(duel, "duel_play", _play_page, ["result"], command="play")
    add_query(duel, "duel_cycle", _cycle_page, ["results"], command="cycle", csv=_circle, bar="responses")


def _response_page(solved: SolvedResponse, arguments: Arguments) -> Iterator[Part]:
    answer, to, game = solved.answer, arguments["to"], Game.parse(arguments["dice"], arguments["slots"])
    who = arguments["with_"] or "the best response"
    against = f"{to}, each with own rolls" if arguments["rolls"] == "own" else to
    title = f"{who[0].upper()}{who[1:]} against {against}, {game}"
    grid = table(title, "chance", label=Column("", "outcome", left=True), name="result")
    for name, chance in (("win", answer.win), ("draw", answer.draw), ("loss", answer.loss)):
        grid.add_row(name, number(chance, ".8f"))
    grid.add_row("equity", number(answer.equity, ".8f"), style="bold")
    yield grid
    yield f"equity: win + draw × {solved.draw_worth:g}"
    if answer.mean is not UNSET:
        mine = f"{answer.mean:.4f}, standard deviation {answer.sd:.4f}"
        yield f"Mean score {mine}; {to}: {answer.opponent_mean:.4f}, {answer.opponent_sd:.4f}."
    if isinstance(answer.positions, int) and isinstance(answer.largest_gain, float):
        yield gain_line(answer.positions, answer.largest_gain)
    if solved.moves:
        heading = "The first move" if arguments["free"] is None else "The next move"
        yield moves_table(heading, "response", to, solved.moves)


def _equilibrium_page(answer: EquilibriumAnswer | OwnRollsAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    if isinstance(answer, OwnRollsAnswer):
        yield _own_rolls(game, answer)
        return
    yield f"Value: {answer.value:.10f} (chance to win, a draw counting one half)"
    grid = table(f"Equilibrium of the duel, {game}", "move", label="roll")
    for roll, move in answer.moves.items():
        grid.add_row(
            roll, " or ".join(f"#{slot}" if len(move) == 1 else f"#{slot} {share:.2%}" for slot, share in move)
        )
    yield grid


def _mixes(answer: EquilibriumAnswer | OwnRollsAnswer, _: Arguments) -> Iterator[Grid]:
    if isinstance(answer, EquilibriumAnswer):
        grid = table("", "roll", "slot", "probability", name="moves")
        for roll, move in answer.moves.items():
            for slot, share in move:
                grid.add_row(roll, slot, number(share))
        yield grid


def _own_rolls(game: Game, mixture: OwnRollsAnswer) -> Grid:
    label = Column("", "fact", left=True)
    grid = table(f"Equilibrium with own rolls, {game}", Column("", "value"), label=label, name="moves")
    grid.add_row("value", number(mixture.value, ".6f"))
    grid.add_row("the best response to it gains", number(mixture.exploitability, ".2e"))
    grid.add_row("equity against optimal", number(mixture.against_optimal, ".6f"))
    grid.add_row("mean score", number(mixture.mean, ".6f"))
    grid.add_row("standard deviation", number(mixture.sd, ".6f"))
    return grid


def _export_page(answer: TableAnswer, _: Arguments) -> Iterator[Part]:
    grid = table(
        f"The equilibrium of the duel, {answer.dice} {answer.slots}", Column("values"), label="file", name="table"
    )
    grid.columns.append(Column("SHA-256", "sha256", left=True))
    grid.add_row(answer.file, number(answer.values, ","), answer.sha256)
    yield grid


def _check_page(answer: CheckAnswer, arguments: Arguments) -> Iterator[Part]:
    yield from _export_page(answer.table, arguments)
    yield gain_line(answer.positions, answer.largest_gain)
    if answer.kept:
        yield f"Copied to {answer.kept}."


def gain_line(positions: int, gain: float) -> str:
    # A power of ten, not below what rounding alone may make of it on another machine.
    bound = 10.0 ** max(-12, ceil(log10(max(gain, 1e-300))))
    return f"No response gains more than {bound:.0e} at any of {positions:,} open positions, from either side."


def _guarantee_page(answer: GuaranteeAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    title = f"Equity secured against an opponent who knows the strategy, {game}"
    grid = table(title, "equity", label=Column("", "moves", left=True), name="guarantee")
    for moves, equity in (("pure", answer.pure), ("mixed", answer.mixed)):
        grid.add_row(moves, equity if isinstance(equity, str) else number(equity, ".8f"))
    yield grid


def _play_page(played: Played[DuelPlayAnswer], arguments: Arguments) -> Iterator[Part]:
    return duel_play_page(f"{arguments['first']} against {arguments['second']}", played)


def _cycle_page(answer: CycleAnswer, arguments: Arguments) -> Iterator[Part]:
    if not answer.names:
        yield f"No cycle among the best responses in {Game.parse(arguments['dice'], arguments['slots'])}."
        return
    yield from _circle(answer, arguments)
    yield "hunter: the best response to optimal; response 2: the best response to hunter; and so on."


def _circle(answer: CycleAnswer, arguments: Arguments) -> Iterator[Grid]:
    names, label = answer.names, Column("", "strategy", left=True)
    title = f"A cycle in {Game.parse(arguments['dice'], arguments['slots'])}, exactly"
    grid = table(title, "against", "win", "draw", "loss", label=label, name="results")
    for name, other, result in zip(names, [*names[1:], *names[:1]], answer.results, strict=True):
        grid.add_row(name, other, result.win, result.draw, result.loss)
    yield grid
