"""`ten18 distribution`: the law of a strategy's score, or the laws of several side by side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.answers.numbers import plain
from tentimes18.answers.positions import read_board
from tentimes18.cli.laws import LawTable, law_grid, score_entry, value_entry, with_minus
from tentimes18.cli.options import DiceOption, MovesOption, SlotsOption
from tentimes18.cli.output import progress_bar
from tentimes18.cli.results import Form, Part, Result, add_command
from tentimes18.cli.tables import Column, Entry, Grid, number, table
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number, read_score
from tentimes18.show.bins import choose_bins, table_rows
from tentimes18.show.figures import listed, score_name

if TYPE_CHECKING:
    from tentimes18.answers.distribution import Asked, Laws, MomentsAnswer, SeveralMomentsAnswer, SlotLawsAnswer
    from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["register"]

SHARES: Final = ("0.01", "0.05", "0.1", "0.25", "0.75", "0.9", "0.95", "0.99")


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_command(app, distribution, tables=["law", "facts", "bins"])


def distribution(
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy", metavar="NAMES", help="optimal, random, target:700, cvar:0.1, ...; several with commas."
        ),
    ] = "optimal",
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    moves: MovesOption = "",
    at_least: Annotated[
        str | None, typer.Option("--at-least", metavar="SCORES", help="Chance of these scores or more, like 650,700.")
    ] = None,
    at_most: Annotated[
        str | None, typer.Option("--at-most", metavar="SCORES", help="Chance of these scores or less, like 600,620.")
    ] = None,
    cumulative: Annotated[
        bool, typer.Option("--cumulative", help="Also the chances of each score or less, and or more.")
    ] = False,
    moments: Annotated[
        bool, typer.Option("--moments", help="Mean and variance alone, in polynomial time: for many slots.")
    ] = False,
    per_slot: Annotated[
        bool, typer.Option("--per-slot", help="The law of the roll in each slot, under optimal, instead.")
    ] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Every number as a fraction p/q.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Leave out the chances of the single scores.")] = False,
    form: Form = Form.text,
) -> Result:
    """The exact law of a strategy's final score, from the start or from a game in play.

    A law of few scores shows each, one of many shows ranges of them; rare scores at the ends are one line.
    """
    from tentimes18.answers import distribution as answers
    from tentimes18.strategies.user_code import find_known

    game = Game.parse(dice, slots)
    names = list(dict.fromkeys(name.strip() for name in strategy.split(",")))
    if moments or per_slot:
        _verify_alone(moments, per_slot, moves, {"at_least": at_least, "at_most": at_most, "cumulative": cumulative})
    if moments:
        with progress_bar("moments", late=True) as progress:
            return _moments(game, [answers.moments(game, name, exact=exact, progress=progress) for name in names])
    if per_slot:
        with progress_bar("slots", late=True) as progress:
            laws_of_slots = answers.per_slot(game, strategy, exact=exact, progress=progress)
        return Result(laws_of_slots, lambda: [_slots(game, laws_of_slots)], lambda: [_slots_table(laws_of_slots)])
    if cumulative and summary:
        raise Ten18Error("is about the single scores, which --summary leaves out", field="cumulative")
    asked = answers.Asked(
        at_least=_scores(at_least, "at_least"),
        at_most=_scores(at_most, "at_most"),
        exact=exact,
        summary=summary,
        cumulative=cumulative and form is Form.json,
    )
    board = read_board(game, moves)
    with progress_bar(f"law of {strategy}") as progress:
        laws = answers.find_laws(board, names, exact=exact, find=find_known, progress=progress)
    return Result(
        answers.described(laws, asked) if form is Form.json else {},
        lambda: _page(game, moves, laws, asked, cumulative),
        lambda: _tables(game, laws, exact, cumulative),
    )


def _verify_alone(moments: bool, per_slot: bool, moves: str, others: Mapping[str, object]) -> None:
    """Raise where something is asked of a law that is not made."""
    for field, given in others.items():
        if given not in (None, False):
            raise Ten18Error("needs the law; leave --moments and --per-slot out", field=field)
    if moments and per_slot:
        raise Ten18Error("give either --moments or --per-slot, not both")
    if moves:
        raise Ten18Error("--moments and --per-slot are for whole games; leave --moves out", field="moves")


def _scores(text: str | None, field: str) -> list[Number]:
    return [] if text is None else [read_score(part.strip(), field) for part in text.split(",")]


def _table(game: Game, laws: "Laws", exact: bool, cumulative: bool) -> LawTable:
    found = list(laws.values())
    return LawTable("score", laws, table_rows(choose_bins(game, found), found), exact, cumulative)


def _tables(game: Game, laws: "Laws", exact: bool, cumulative: bool) -> Iterator[Grid]:
    """For programs: every score, and the bins that people see."""
    yield law_grid(laws, "score", exact=exact, cumulative=cumulative)
    yield _table(game, laws, exact, cumulative).bins()


def _page(game: Game, moves: str, laws: "Laws", asked: "Asked", cumulative: bool) -> Iterator[Part]:
    names = list(laws)
    after = f" after {moves}" if moves else ""
    title = f"Final score of {names[0]}, {game}{after}" if len(names) == 1 else f"Final scores, {game}{after}"
    heads = ["points"] if len(names) == 1 else names
    facts = table(title, *heads, label=Column("", "fact", left=True), name="facts")
    for name, entries in _facts(laws.values(), asked):
        facts.add_row(name, *entries)
    yield facts
    if not asked.summary:
        yield _table(game, laws, asked.exact, cumulative)
    rounded = [name for name, law in laws.items() if not law.is_exact]
    if rounded:
        yield f"Computed in float64: exact numbers would take too long here ({', '.join(rounded)})."


def _facts(laws: Collection["ScoreLaw"], asked: "Asked") -> Iterator[tuple[str, list[Entry]]]:
    """What is told of each law, by name."""
    yield "mean", [value_entry(law.mean, asked.exact) for law in laws]
    if asked.exact:
        yield "variance", [value_entry(law.variance, exact=True) for law in laws]
    yield "standard deviation", [number(law.sd, ".5f") for law in laws]
    yield "skewness", [number(law.skewness, "z.5f") for law in laws]
    yield "median", [_medians(law) for law in laws]
    yield "least", [score_entry(law.scores[0]) for law in laws]
    yield "most", [score_entry(law.scores[-1]) for law in laws]
    for share in SHARES:
        yield f"{float(share):.0%} end at most at", [score_entry(law.quantile(Fraction(share))) for law in laws]
    for wanted in asked.at_most:
        yield (
            f"P({with_minus(score_name(wanted))} or less)",
            [value_entry(law.at_most(wanted), asked.exact, 6) for law in laws],
        )
    for wanted in asked.at_least:
        yield (
            f"P({with_minus(score_name(wanted))} or more)",
            [value_entry(law.at_least(wanted), asked.exact, 6) for law in laws],
        )


def _medians(law: "ScoreLaw") -> Entry:
    return Entry(plain(law.median), with_minus(listed([score_name(median) for median in law.medians])))


def _moments(game: Game, found: "Sequence[MomentsAnswer]") -> Result:
    names = [law["strategy"] for law in found]
    title = f"Final score of {names[0]}, {game}" if len(names) == 1 else f"Final scores, {game}"
    heads = ["points"] if len(names) == 1 else names
    facts = table(title, *heads, label=Column("", "fact", left=True), name="law")
    for name, key in (("mean", "mean"), ("variance", "variance"), ("standard deviation", "sd")):
        facts.add_row(name, *(_moment(law[key]) for law in found))  # type: ignore[literal-required]
    several: SeveralMomentsAnswer = {"laws": list(found)}
    return Result(found[0] if len(found) == 1 else several, lambda: [facts])


def _moment(written: float | str) -> Entry:
    """A number of an answer, or the fraction that it holds instead."""
    return (
        number(written, ".5f") if isinstance(written, float) else Entry(written, with_minus(written.removesuffix("/1")))
    )


def _slots(game: Game, laws: "SlotLawsAnswer") -> Grid:
    """Slots beside each other, or below each other where there are fewer rolls."""
    rolls, chances = laws["rolls"], laws["slots"]
    is_exact = isinstance(chances[0][0], str)
    title = f"Where the rolls end up, {game}" + ("" if is_exact else ", in percent")
    slots = [f"#{slot}" for slot in range(1, len(chances) + 1)]
    names = [with_minus(str(roll)) for roll in rolls]
    if len(slots) <= len(rolls):
        grid = table(title, *slots, label=Column("roll"))
        rows = zip(names, zip(*chances, strict=True), strict=True)
    else:
        grid = table(title, *names, label="slot")
        rows = zip(slots, map(tuple, chances), strict=True)
    for name, law in rows:
        grid.add_row(name, *(chance if isinstance(chance, str) else f"{100 * chance:.1f}" for chance in law))
    return grid


def _slots_table(laws: "SlotLawsAnswer") -> Grid:
    """For programs: a line for each slot and roll."""
    grid = table("", "roll", "probability", label="slot", name="law")
    for slot, law in enumerate(laws["slots"], start=1):
        for roll, chance in zip(laws["rolls"], law, strict=True):
            grid.add_row(slot, roll, Entry(chance, ""))
    return grid
