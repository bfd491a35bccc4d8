"""`ten18 duel ...`: two players on the same rolls."""

from collections.abc import Iterator
from math import ceil, log10

import typer
from msgspec import UNSET

from tentimes18.cli.command import Arguments, Part, add_group, add_query
from tentimes18.cli.simulate_commands import duel_play_page
from tentimes18.cli.tables import Column, Grid, number, table
from tentimes18.cli.target_commands import moves_table
from tentimes18.game import Game
from tentimes18.queries.duels import CycleAnswer, EquilibriumAnswer, OwnRollsAnswer, SolvedResponse
from tentimes18.queries.simulations import DuelPlayAnswer, Played


def register(app: typer.Typer) -> None:
    """Add these commands."""
    duel = add_group(app, "duel", "Two players on the same rolls; the higher score wins.")
    add_query(duel, "duel_response", _response_page, ["result", "moves"], command="response", late=False)
    add_query(duel, "duel_equilibrium", _equilibrium_page, ["moves"], command="equilibrium", csv=_mixes, late=False)
    add_query(duel, "duel_play", _play_page, ["result"], command="play")
    add_query(duel, "duel_cycle", _cycle_page, ["results"], command="cycle", csv=_circle, bar="responses")


def _response_page(solved: SolvedResponse, asked: Arguments) -> Iterator[Part]:
    answer, to, game = solved.answer, asked["to"], Game.parse(asked["dice"], asked["slots"])
    who = asked["with_"] or "the best response"
    against = f"{to}, each with own rolls" if asked["rolls"] == "own" else to
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
    if answer.largest_gain is not UNSET:
        # A power of ten, not below what rounding alone may make of it on another machine.
        bound = 10.0 ** max(-12, ceil(log10(max(answer.largest_gain, 1e-300))))
        positions = f"{answer.positions:,} open positions"
        yield f"At none of {positions}, from either side, does any response gain more than {bound:.0e}."
    if solved.moves:
        heading = "The first move" if asked["free"] is None else "The next move"
        yield moves_table(heading, "response", to, solved.moves)


def _equilibrium_page(answer: EquilibriumAnswer | OwnRollsAnswer, asked: Arguments) -> Iterator[Part]:
    game = Game.parse(asked["dice"], asked["slots"])
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
    """For programs: one line a roll and slot."""
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


def _play_page(played: Played[DuelPlayAnswer], asked: Arguments) -> Iterator[Part]:
    return duel_play_page(f"{asked['first']} against {asked['second']}", played)


def _cycle_page(answer: CycleAnswer, asked: Arguments) -> Iterator[Part]:
    if not answer.names:
        yield f"No circle among the best responses in {Game.parse(asked['dice'], asked['slots'])}."
        return
    yield from _circle(answer, asked)
    yield "hunter: the best response to optimal; response 2: the best response to hunter; and so on."


def _circle(answer: CycleAnswer, asked: Arguments) -> Iterator[Grid]:
    """Each strategy of the circle against the one that it beats; no line where there is no circle."""
    names, label = answer.names, Column("", "strategy", left=True)
    title = f"A circle in {Game.parse(asked['dice'], asked['slots'])}, exactly"
    grid = table(title, "against", "win", "draw", "loss", label=label, name="results")
    for name, other, result in zip(names, [*names[1:], *names[:1]], answer.results, strict=True):
        grid.add_row(name, other, result.win, result.draw, result.loss)
    yield grid
