"""`ten18 duel ...`: two players on the same rolls."""

from collections.abc import Iterator
from math import ceil, log10

import typer
from msgspec import UNSET
from msgspec.structs import astuple

from tentimes18.cli.command import Arguments, Part, add_group, add_query
from tentimes18.cli.grid import Column, Grid, data_table, number, table
from tentimes18.cli.simulate_commands import duel_play_page
from tentimes18.cli.target_commands import moves_table
from tentimes18.game import Game, mask_of
from tentimes18.queries.duels import (
    CheckAnswer,
    CycleAnswer,
    EquilibriumAnswer,
    GuaranteeAnswer,
    OwnRollsAnswer,
    ResponseAnswer,
    TableAnswer,
    draw_worth,
)
from tentimes18.queries.moves import read_free_slots


def register(app: typer.Typer) -> None:
    duel = add_group(app, "duel", "Two players on the same rolls; the higher score wins.")
    add_query(duel, "duel_response", _response_page, ["result", "moves"], command="response", late=False)
    add_query(duel, "duel_equilibrium", _equilibrium_page, ["moves"], command="equilibrium", csv=_mixes, late=False)
    add_query(duel, "duel_export", _export_page, ["table"], command="export", late=False)
    add_query(duel, "duel_check", _check_page, ["table"], command="check", late=False)
    add_query(duel, "duel_guarantee", _guarantee_page, ["guarantee"], command="guarantee", bar="guarantee")
    page = lambda played, _: duel_play_page(" against ".join(played.run.strategies), played)  # noqa: E731
    add_query(duel, "duel_play", page, ["result"], command="play")
    add_query(duel, "duel_cycle", _cycle_page, ["results"], command="cycle", csv=_circle, bar="responses")


def _response_page(answer: ResponseAnswer, arguments: Arguments) -> Iterator[Part]:
    to, game = arguments["to"], Game.parse(arguments["dice"], arguments["slots"])
    who = arguments["with_"] or "the best response"
    against = f"{to}, each with own rolls" if arguments["rolls"] == "own" else to
    title = f"{who[0].upper()}{who[1:]} against {against}, {game}"
    rows = ("win", answer.win), ("draw", answer.draw), ("loss", answer.loss)
    label = Column("", "outcome", left=True)
    grid = table(title, Column("chance", form=".8f"), label=label, name="result", rows=rows)
    grid.add_row("equity", answer.equity, style="bold")
    yield grid
    yield f"equity: win + draw × {draw_worth(arguments['draw'], arguments['players']):g}"
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


def _equilibrium_page(answer: EquilibriumAnswer | OwnRollsAnswer, arguments: Arguments) -> Iterator[Part]:
    game = Game.parse(arguments["dice"], arguments["slots"])
    if isinstance(answer, OwnRollsAnswer):
        rows = (
            ("value", answer.value),
            ("the best response to it gains", number(answer.exploitability, ".2e")),
            ("equity against optimal", answer.against_optimal),
            ("mean score", answer.mean),
            ("standard deviation", answer.sd),
        )
        columns = Column("", "fact", left=True), Column("", "value", form=".6f")
        yield table(f"Equilibrium with own rolls, {game}", columns[1], label=columns[0], name="moves", rows=rows)
        return
    yield f"Value: {answer.value:.10f} (chance to win, a draw counting one half)"
    moves = (
        (roll, " or ".join(f"#{slot}" if len(move) == 1 else f"#{slot} {share:.2%}" for slot, share in move))
        for roll, move in answer.moves.items()
    )
    yield table(f"Equilibrium of the duel, {game}", "move", label="roll", rows=moves)


def _mixes(answer: EquilibriumAnswer | OwnRollsAnswer, _: Arguments) -> Iterator[Grid]:
    if isinstance(answer, EquilibriumAnswer):
        rows = ((roll, slot, share) for roll, move in answer.moves.items() for slot, share in move)
        yield data_table("moves", ("roll", "slot", "probability"), rows)


def _export_page(answer: TableAnswer, _: Arguments) -> Iterator[Part]:
    title = f"The equilibrium of the duel, {answer.dice} {answer.slots}"
    columns = Column("values", form=","), Column("SHA-256", "sha256", left=True)
    yield table(title, *columns, label="file", name="table", rows=[(answer.file, answer.values, answer.sha256)])


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
    rows = ("pure", answer.pure), ("mixed", answer.mixed)
    yield table(title, Column("equity", form=".8f"), label=Column("", "moves", left=True), name="guarantee", rows=rows)


def _cycle_page(answer: CycleAnswer, arguments: Arguments) -> Iterator[Part]:
    if not answer.names:
        yield f"No cycle among the best responses in {Game.parse(arguments['dice'], arguments['slots'])}."
        return
    yield from _circle(answer, arguments)
    yield "hunter: the best response to optimal; response 2: the best response to hunter; and so on."


def _circle(answer: CycleAnswer, arguments: Arguments) -> Iterator[Grid]:
    names, label = answer.names, Column("", "strategy", left=True)
    title = f"A cycle in {Game.parse(arguments['dice'], arguments['slots'])}, exactly"
    pairs = zip(names, [*names[1:], *names[:1]], answer.results, strict=True)
    rows = ((name, other, *astuple(result)) for name, other, result in pairs)
    yield table(title, "against", "win", "draw", "loss", label=label, name="results", rows=rows)
