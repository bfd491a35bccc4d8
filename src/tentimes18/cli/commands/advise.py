"""`ten18 advise`: the coach on one roll."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Annotated

import typer

from tentimes18.answers.advice import AdviceAnswer, advice
from tentimes18.answers.positions import read_free_slots, read_position
from tentimes18.cli.options import AimOption, DiceOption, SlotsOption
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, number, table
from tentimes18.coach.aims import Aim, Mixes, aim_named, is_of_duels
from tentimes18.coach.classes import CLASSES
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number, read_score
from tentimes18.show.figures import shown_roll
from tentimes18.show.mixes import told_mixes
from tentimes18.show.words import meaning_of_worths, shown_value, words_of

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, advise, tables=["moves"])


def advise(
    roll: Annotated[int, typer.Option("--roll", help="The roll to place.")],
    free: Annotated[
        str | None,
        typer.Option("--free", metavar="SLOTS", help="Free slots by number, like 1,4,7.", show_default="all"),
    ] = None,
    moves: Annotated[
        str | None, typer.Option("--moves", metavar="MOVES", help="Or the game so far, like '8@5 4@1'.")
    ] = None,
    opponent: Annotated[
        str | None, typer.Option("--opponent", metavar="MOVES", help="The opponent's moves, where the aim is a duel.")
    ] = None,
    aim: AimOption = "mean",
    target: Annotated[
        str | None, typer.Option("--target", metavar="SCORE", help="Show the chance of this score or more as well.")
    ] = None,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
) -> Result:
    """Where to place a roll, what every other slot gives up, and why.

    With --target every move also shows the spread of the final score under the best play after it, and the chance of
    the target.
    """
    game = Game.parse(dice, slots)
    _verify_together(free, moves, opponent, aim, target)
    wanted = None if target is None else read_score(target, "target")
    position = read_position(game, moves or "", opponent, is_duel=is_of_duels(aim))
    free_slots = None if free is None else read_free_slots(game, free)
    with nullcontext() if aim == "mean" else progress_bar("tables") as progress:
        by = aim_named(game, aim, progress)
    with progress_bar("thresholds" if wanted is None else "laws", late=wanted is None) as progress:
        found = advice(position, roll, by, free_slots, wanted, progress=progress)
    if "aim" in found:
        found["aim"] = aim  # as it was asked for
    return Result(found, lambda: _page(game, by, found, wanted))


def _verify_together(free: str | None, moves: str | None, opponent: str | None, aim: str, target: str | None) -> None:
    """Raise where one option makes another mean nothing."""
    if opponent is not None and not is_of_duels(aim):
        raise Ten18Error("an opponent counts where the aim is a duel: give --aim duel as well", field="opponent")
    if free is None:
        return
    if moves is not None:
        raise Ten18Error("which slots are free follows from --moves; give one of the two", field="free")
    for option, is_given in (("--target", target is not None), ("--aim", aim != "mean")):
        if is_given:
            raise Ten18Error(f"says nothing of the score, which {option} needs; give --moves instead", field="free")


def _page(game: Game, by: Aim, found: AdviceAnswer, target: Number | None) -> Iterator[Part]:
    marks = {kind.name: kind.mark for kind in CLASSES}
    columns: list[str | Column] = ["multiplier", Column(words_of(by.unit).value, "value"), "loss", Column("", "class")]
    if target is not None:
        columns += [Column("final score", "mean"), Column("± sd", "sd"), Column(f"P({target} or more)", "chance")]
    mix = dict(found.get("mix", ()))
    if mix:
        columns.append("mix")
    grid = table(f"A roll of {shown_roll(found['roll'])} in {game}", *columns, label="slot", name="moves")
    for move in found["moves"]:
        slot, loss = move["slot"], shown_value(move["loss"], by.unit) if move["loss"] else "best"
        cells: list[Entry | str] = [
            Entry(slot, f"#{slot}"),
            Entry(multiplier := str(game.multipliers[slot - 1]), multiplier.replace("-", "−")),
            Entry(move["value"], shown_value(move["value"], by.unit)),
            Entry(move["loss"], loss),
            Entry(move["class"], marks[move["class"]]),
        ]
        if target is not None:
            cells += [number(move["mean"], ".2f"), number(move["sd"], ".2f"), number(move["chance"], ".2%")]
        if mix:
            cells.append(number(mix.get(slot, 0.0), ".1%"))
        grid.add_row(*cells, style=None if move["loss"] else "bold")
    yield grid
    yield meaning_of_worths(by)
    if "reason" in found:
        yield found["reason"]
    if "mix" in found:
        yield told_mixes(Mixes(tuple(found["mix"]), tuple(found["opponent_mix"])))
