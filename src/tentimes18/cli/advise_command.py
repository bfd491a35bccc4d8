"""`ten18 advise`: the coach on one roll."""

from collections.abc import Iterator

import typer

from tentimes18.cli.command import Arguments, Part, add_query
from tentimes18.cli.tables import Column, Entry, number, table
from tentimes18.coach.aims import Mixes, aim_named
from tentimes18.coach.losses import CLASSES
from tentimes18.game import Game
from tentimes18.number_format import shown_roll
from tentimes18.queries.moves import AdviceAnswer
from tentimes18.wording import meaning_of_worths, shown_value, told_mixes, words_of


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_query(app, "advise", _page, ["moves"], bar="advice")


def _page(advice: AdviceAnswer, asked: Arguments) -> Iterator[Part]:
    game = Game.parse(asked["dice"], asked["slots"])
    by = aim_named(game, asked["aim"])  # its tables are in memory
    marks = {kind.name: kind.mark for kind in CLASSES}
    columns: list[str | Column] = ["multiplier", Column(words_of(by.unit).value, "value"), "loss", Column("", "class")]
    target = asked["target"]
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
        yield told_mixes(Mixes(tuple(advice.mix), tuple(advice.opponent_mix)))
