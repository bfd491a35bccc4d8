"""`ten18 assign` and `ten18 plot assign`: the problem behind the game, for any law, any slots and any arrivals."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from tentimes18.cli.command import (
    JsonOption,
    OutputOption,
    Result,
    add_command,
    report_file,
    verify_output,
)
from tentimes18.cli.commands.assign_pages import (
    assignment_page,
    assignment_tables,
    regret_page,
    regret_tables,
    secretary_page,
)
from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.cli.output import progress_bar
from tentimes18.errors import Ten18Error, blame
from tentimes18.queries import Seed

if TYPE_CHECKING:
    from tentimes18.assignment import Problem, ValueLaw

__all__ = ["register"]

MAX_GAMES: Final = 1_000_000_000
NEGATIVE: Final[dict[str, Any]] = {"ignore_unknown_options": True}  # so that a law may start with a minus

LawArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="LAW",
        help="The values: gamma(2, 50), uniform(0, 1), 3d6, samples:FILE, ...; or one law each, with ; between them.",
        show_default=False,
    ),
]
SlotsOption: TypeAlias = Annotated[
    str,
    typer.Option("--slots", metavar="SLOTS", help="So many of multiplier 1, like 20; or multipliers: 1-10, 15x1,5x2."),
]
ArrivalsOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--arrivals", metavar="N", help="How many arrive: 40, endless, or chances like 1:0.1,2:0.9."),
]
PoissonOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--poisson", metavar="RATE", help="They arrive at this rate, or at those of a file: time, rate."),
]
UntilOption: TypeAlias = Annotated[
    float | None, typer.Option("--until", metavar="TIME", help="The deadline of these, from time 0 on.")
]
ChanceOption: TypeAlias = Annotated[
    str, typer.Option("--chance", metavar="Q", help="The chance that somebody comes in a round.")
]
DiscountOption: TypeAlias = Annotated[
    str, typer.Option("--discount", metavar="B", help="What a value counts an arrival, or a unit of time, later.")
]
MustFillOption: TypeAlias = Annotated[
    bool, typer.Option("--must-fill", help="No slot may stay empty, if need be for a value below 0.")
]

RevenueOption: TypeAlias = Annotated[
    bool, typer.Option("--revenue", help="What counts is what posted prices make, not what slots are worth to buyers.")
]


RegimesOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--regimes",
        metavar="CHANCES",
        help="The law depends on a regime, one law each: chances to go from each to each, like 0.9,0.1;0.5,0.5.",
    ),
]
StartOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--start", metavar="REGIME", help="The first regime, from 0 on, or its chances: 0.5,0.5.", show_default="0"
    ),
]
BatchesOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--batches", metavar="SIZES", help="Values are seen in batches of this size, or of sizes like 3,2,1."),
]
AheadOption: TypeAlias = Annotated[
    int, typer.Option("--ahead", metavar="K", help="So many values are seen before they are to be placed.")
]


class Ranked(StrEnum):
    """What counts where only ranks are seen."""

    best = "best"
    rank = "rank"


class Picture(StrEnum):
    """What a picture shows."""

    thresholds = "thresholds"
    value = "value"
    regret = "regret"
    prices = "prices"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    add_command(
        app,
        assign,
        tables=["rows", "expected", "choices", "placed", "prices", "filled", "chosen"],
        context_settings=NEGATIVE,
    )


def assign(
    law: LawArgument = None,
    slots: SlotsOption = "1",
    arrivals: ArrivalsOption = None,
    poisson: PoissonOption = None,
    until: UntilOption = None,
    chance: ChanceOption = "1",
    discount: DiscountOption = "1",
    must_fill: MustFillOption = False,
    revenue: RevenueOption = False,
    regimes: RegimesOption = None,
    start: StartOption = None,
    batches: BatchesOption = None,
    ahead: AheadOption = 0,
    value: Annotated[
        str | None,
        typer.Option(
            "--value", metavar="X", help="One decision: where this value goes, and what else costs; of a batch, 3,1,4."
        ),
    ] = None,
    free: Annotated[
        str | None,
        typer.Option("--free", metavar="SLOTS", help="Free slots by number, like 1,3-4.", show_default="all"),
    ] = None,
    left: Annotated[
        float | None,
        typer.Option("--left", metavar="N", help="How many, or how long, are still to come after it."),
    ] = None,
    known: Annotated[
        str | None,
        typer.Option("--known", metavar="SEEN", help="Its regime, from 0 on; or the values seen ahead, like 3,5."),
    ] = None,
    prices: Annotated[
        bool, typer.Option("--prices", help="Posted prices that make buyers choose as the best play does.")
    ] = False,
    filled: Annotated[
        bool, typer.Option("--filled", help="Who goes where: the chance that each arrival fills each slot.")
    ] = False,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", min=1, max=MAX_GAMES, help="Simulate it so many times.")
    ] = None,
    seed: Seed = 1987,
    secretary: Annotated[
        Ranked | None,
        typer.Option(
            "--secretary", help="Only ranks are seen, --slots says how many are chosen: for the best, or for low ranks."
        ),
    ] = None,
    multisecretary: Annotated[
        bool, typer.Option("--multisecretary", help="What hindsight has more, for every number of slots.")
    ] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Every number as a fraction p/q, where laws are exact.")
    ] = False,
) -> Result:
    """Sequential assignment: values arrive one by one, and each goes at once to a free slot or is refused.

    A value x in a slot of multiplier m is worth m times x. Slots may stay empty, unless --must-fill says otherwise.
    Laws: uniform(a, b), exponential(mean), normal(mean, sd), lognormal(s, scale), gamma(shape, scale),
    beta(a, b), weibull(shape, scale), pareto(shape, scale), poisson(rate), binomial(n, p), dice, numbers,
    samples:FILE or samples:FILE:COLUMN, and mixtures like 0.3*3d6 + 0.7*gamma(2, 5).
    """
    if secretary is not None or multisecretary:
        _refuse(poisson=poisson, until=until, must_fill=must_fill, value=value, free=free, left=left, prices=prices)
        _refuse(chance=chance != "1", discount=discount != "1", revenue=revenue, filled=filled, games=games)
        _refuse(regimes=regimes, start=start, batches=batches, ahead=ahead != 0, known=known)
    if secretary is not None:
        _refuse(law=law, multisecretary=multisecretary)
        return _by_ranks(secretary, slots, arrivals, exact=exact)
    if multisecretary:
        _refuse(slots=slots != "1")
        return _for_every_number(law, arrivals, exact=exact)
    from tentimes18.answers.assignment import assignment
    from tentimes18.answers.assignment_question import read_free, read_numbers

    problem = _problem(
        law, slots, arrivals, poisson, until, chance, discount, must_fill, revenue, regimes, start, batches, ahead
    )
    alone = [name for name, given in {"free": free, "left": left, "known": known}.items() if given is not None]
    if alone and value is None and not prices:
        raise Ten18Error("belongs to a decision or to prices; give --value or --prices", alone[0])
    numbers = None if value is None else [x if exact else float(x) for x in read_numbers(value, "value")]
    answer = assignment(
        problem,
        exact=exact,
        value=numbers[0] if numbers is not None and len(numbers) == 1 and batches is None else numbers,
        free=None if free is None else read_free(free, len(problem.multipliers)),
        left=left,
        known=None if known is None else read_numbers(known, "known"),
        prices=prices,
        filled=filled,
        games=games,
        seed=seed,
        named=" ".join(_law(law).split()),
    )
    return Result(answer, lambda: assignment_page(answer), lambda: assignment_tables(answer))


def _refuse(**given: object) -> None:
    """What is given of these."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise Ten18Error("does not go with this form of the problem", name)


def _problem(
    law: str | None,
    slots: str,
    arrivals: str | None,
    poisson: str | None,
    until: float | None,
    chance: str,
    discount: str,
    must_fill: bool,
    revenue: bool,
    regimes: str | None = None,
    start: str | None = None,
    batches: str | None = None,
    ahead: int = 0,
) -> "Problem":
    from tentimes18.answers.assignment_question import read_problem

    with blame("poisson", "rate"):
        return read_problem(
            _law(law),
            slots,
            arrivals,
            rate=None if poisson is None else read_rate(poisson),
            until=until,
            chance=chance,
            discount=discount,
            must_fill=must_fill,
            revenue=revenue,
            regimes=regimes,
            start=start,
            batches=batches,
            ahead=ahead,
            samples=read_samples,
        )


def _law(law: str | None) -> str:
    if law is None:
        raise Ten18Error("which values arrive? accepted: gamma(2, 50), uniform(0, 1), 3d6, samples:FILE", "law")
    return law


def _by_ranks(reward: Ranked, slots: str, arrivals: str | None, *, exact: bool) -> Result:
    from tentimes18.answers.ranks import secretary_answer

    with blame("arrivals", "n"), blame("slots", "choices"):
        answer = secretary_answer(_count(arrivals, "arrivals"), reward.value, _count(slots, "slots"), exact=exact)
    return Result(answer, lambda: secretary_page(answer))


def _for_every_number(law: str | None, arrivals: str | None, *, exact: bool) -> Result:
    from tentimes18.answers.ranks import regret_answer

    read, number = _one_law(law), _count(arrivals, "arrivals")
    with progress_bar("arrivals", late=True) as progress:
        named = " ".join(_law(law).split())
        answer = regret_answer(read, number, exact=exact, named=named, progress=progress)
    return Result(answer, lambda: regret_page(answer), lambda: regret_tables(answer))


def _one_law(law: str | None) -> "ValueLaw":
    from tentimes18.answers.assignment_question import read_laws

    laws = read_laws(_law(law), read_samples)
    if len(laws) > 1:
        raise Ten18Error("one law for all arrivals is accepted here", "law", law)
    return laws[0]


def _count(text: str | None, field: str) -> int:
    if text is None or not text.strip().isdecimal() or len(text.strip()) > 12:
        raise Ten18Error("must be a whole number here", field, text)
    return int(text)


def plot_assign(
    output: OutputOption,
    law: LawArgument = None,
    kind: Annotated[Picture, typer.Option("--kind", help="What to show.")] = Picture.thresholds,
    slots: SlotsOption = "1",
    arrivals: ArrivalsOption = None,
    poisson: PoissonOption = None,
    until: UntilOption = None,
    chance: ChanceOption = "1",
    discount: DiscountOption = "1",
    must_fill: MustFillOption = False,
    revenue: RevenueOption = False,
    as_json: JsonOption = False,
) -> None:
    """Sequential assignment: thresholds, value or prices against what is still to come; regret against slots."""
    from tentimes18.pictures import ENDINGS, require_matplotlib

    verify_output(output, ENDINGS)
    require_matplotlib()
    if kind is Picture.regret:
        read, number = _one_law(law), _count(arrivals, "arrivals")
        from tentimes18.pictures.plot_assignment import plot_regret

        with progress_bar("arrivals", late=True) as progress:
            figure = plot_regret(read, number, " ".join(_law(law).split()), progress)
    else:
        problem = _problem(law, slots, arrivals, poisson, until, chance, discount, must_fill, revenue)
        from tentimes18.pictures import plot_assignment as pictures

        draw = {
            Picture.thresholds: pictures.plot_bounds,
            Picture.value: pictures.plot_worth,
            Picture.prices: pictures.plot_prices,
        }[kind]
        figure = draw(problem, " ".join(_law(law).split()))
    from tentimes18.pictures.plot_style import save

    save(figure, output)
    report_file(output, as_json)
