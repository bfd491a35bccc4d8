"""`ten18 dice` and `ten18 plot dice`: the law of one roll."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from tentimes18.answers.numbers import plain
from tentimes18.answers.rolls import roll_law, roll_laws
from tentimes18.cli.commands.pictures import plot
from tentimes18.cli.laws import LawTable, law_grid, score_entry, value_entry, with_minus
from tentimes18.cli.options import JsonOption, OutputOption, verify_output
from tentimes18.cli.results import Part, Result, add_command, report_file
from tentimes18.cli.tables import Column, Entry, number, table
from tentimes18.dice import Dice
from tentimes18.show.bins import roll_bins, table_rows
from tentimes18.show.figures import listed

if TYPE_CHECKING:
    from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["register"]

MOST_LINES: Final = 120  # for single rolls
NEGATIVE: Final[dict[str, Any]] = {"ignore_unknown_options": True}  # so that dice may start with a minus

DiceArgument: TypeAlias = Annotated[
    list[str],
    typer.Argument(metavar="DICE...", help="One or more, like 3d6 4d6kh3 2d6+1d8-3."),
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_command(app, dice, tables=["law", "facts", "bins"], context_settings=NEGATIVE)


def dice(
    dice: DiceArgument,
    exact: Annotated[bool, typer.Option("--exact", help="Every number as a fraction p/q.")] = False,
) -> Result:
    """The law of one roll: the chance of each, of that much or less, and or more; several dice side by side.

    3d6 adds up, 4d6kh3 keeps the three highest, 2d20kl1 the lowest,
    1d6! explodes at most 3 times, 1d6!x9 at most 9, 2d6*2 doubles,
    d{1:3,2:1} has faces with weights, 2d12:12=2 a loaded face,
    and 2d6+4d6kh3-1 is a sum of them.
    """
    rolled = _read(dice)
    laws = {str(one): roll_law(one) for one in rolled}
    drawn = LawTable(
        "roll", laws, table_rows(roll_bins(rolled), list(laws.values()), MOST_LINES), exact, cumulative=True
    )
    return Result(
        roll_laws(rolled, exact=exact),
        lambda: _page(laws, drawn, exact),
        lambda: [law_grid(laws, "roll", exact=exact, cumulative=True), drawn.bins()],
    )


def _read(dice: Sequence[str]) -> list[Dice]:
    """The dice, each once, however they are written."""
    return list({str(one): one for one in map(Dice.parse, dice)}.values())


def _page(laws: "Mapping[str, ScoreLaw]", drawn: LawTable, exact: bool) -> Iterator[Part]:
    facts = table("One roll", *laws, label=Column("", "fact", left=True), name="facts")
    found = list(laws.values())
    facts.add_row("mean", *(value_entry(law.mean, exact) for law in found))
    if exact:
        facts.add_row("variance", *(value_entry(law.variance, exact) for law in found))
    facts.add_row("standard deviation", *(number(law.sd, ".5f") for law in found))
    facts.add_row("median", *(Entry(plain(law.median), with_minus(listed(law.medians))) for law in found))
    facts.add_row("least", *(score_entry(law.scores[0]) for law in found))
    facts.add_row("most", *(score_entry(law.scores[-1]) for law in found))
    yield facts
    yield drawn


@plot.command("dice", context_settings=NEGATIVE)
def plot_dice(
    dice: DiceArgument,
    output: OutputOption,
    cumulative: Annotated[bool, typer.Option("--cumulative", help="The chance of each roll or less.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The law of one roll, of several dice in one picture."""
    from tentimes18.show.pictures import ENDINGS, require_matplotlib

    verify_output(output, ENDINGS)
    require_matplotlib()
    rolled = _read(dice)
    from tentimes18.show.plots.dice import plot_dice as draw
    from tentimes18.show.plots.style import save

    save(draw(rolled, cumulative=cumulative), output)
    report_file(output, as_json)
