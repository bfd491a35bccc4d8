"""`ten18 duel ...`: two players on the same rolls, answered exactly."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from math import ceil, log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypedDict

import typer

from tentimes18.cli.commands.simulate import ClusterOption, GamesOption, SeedOption, exit_code, played, spread
from tentimes18.cli.options import Device, DeviceOption, DiceOption, MovesOption, SlotsOption
from tentimes18.cli.output import progress_bar, tell, trimmed_output, write
from tentimes18.cli.results import Part, Result, add_command
from tentimes18.cli.tables import Column, Grid, number, table
from tentimes18.cli.target_commands import moves_table
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Game, Number, read_score
from tentimes18.number_format import counted, shown_number
from tentimes18.queries.positions import read_free_slots, read_position
from tentimes18.strategies.named import RULES

if TYPE_CHECKING:
    from tentimes18.answers.cycle import CycleAnswer
    from tentimes18.answers.equilibrium import EquilibriumAnswer, OwnRollsAnswer
    from tentimes18.answers.response import ResponseAnswer
    from tentimes18.answers.simulation import DuelPlayAnswer
    from tentimes18.queries.targets import NextMove

__all__ = ["duel_play_page", "register"]

FreeOption: TypeAlias = Annotated[
    str | None, typer.Option("--free", metavar="SLOTS", help="My free slots, like 1,4,7.", show_default="all")
]
OpponentOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--opponent-free", metavar="SLOTS", help="The opponent's free slots.", show_default="as mine"),
]
LeadOption: TypeAlias = Annotated[str, typer.Option("--lead", metavar="POINTS", help="My score minus the opponent's.")]
CacheOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FOLDER", help="Where tables are kept.", show_default="TEN18_CACHE, or the user's"),
]


class Rolls(StrEnum):
    """Whose rolls they are."""

    same = "same"
    own = "own"


RollsOption: TypeAlias = Annotated[
    Rolls, typer.Option("--rolls", help="The same rolls for both, or own dice and the other board out of sight.")
]


class Where(TypedDict):
    """A position in a duel, as it is asked about."""

    free: tuple[int, ...] | None
    opponent_free: tuple[int, ...] | None
    lead: Number


def register(app: typer.Typer) -> None:
    """Add these commands."""
    duel = typer.Typer()
    add_command(duel, response, tables=["result", "moves"])
    add_command(duel, equilibrium, tables=["moves"])
    add_command(duel, play, tables=["result"])
    add_command(duel, cycle, tables=["results"])
    duel.callback(invoke_without_command=True)(duels)
    app.add_typer(duel, name="duel")


def duels(context: typer.Context) -> None:
    """Two players on the same rolls; the higher score wins."""
    if context.invoked_subcommand is None:
        with trimmed_output():
            write(context.get_help() + "\n")


def response(
    to: Annotated[
        str, typer.Option("--to", metavar="NAME", help=f"The opponent: {', '.join(RULES)} or equilibrium.")
    ] = "optimal",
    with_: Annotated[
        str | None,
        typer.Option("--with", metavar="NAME", help="My strategy (also random, hunter) instead of the best response."),
    ] = None,
    draw: Annotated[
        str | None, typer.Option("--draw", metavar="WORTH", help="What a draw is worth, 0 to 1.", show_default="0.5")
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="A table of N; all others play the same strategy.")
    ] = None,
    free: FreeOption = None,
    opponent_free: OpponentOption = None,
    lead: LeadOption = "0",
    rolls: RollsOption = Rolls.same,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cache: CacheOption = None,
    device: DeviceOption = Device.cpu,
) -> Result:
    """The best response to a strategy, exactly: how often it wins."""
    from tentimes18.answers import response as answers

    game = Game.parse(dice, slots)
    worth = _draw_worth(draw, players)
    who, against, moves = with_ or "the best response", to, list["NextMove"]()
    if rolls is Rolls.own:
        if with_ or (free, opponent_free, lead, worth) != (None, None, "0", 0.5):
            raise Ten18Error("--rolls own: from the start only, with a draw worth one half, and the best response")
        _verify_processor(device)
        against = f"{to}, each with own rolls"
        with progress_bar("response") as progress:
            answer = answers.own_rolls_response(game, to, progress=progress)
    elif to == "equilibrium":
        where = _where(game, free, opponent_free, lead)
        with progress_bar("response") as progress:
            answer = answers.response(
                game, to, with_=with_, draw=worth, **where, folder=cache, tell=tell, progress=progress, device=device
            )
    else:
        where = _where(game, free, opponent_free, lead)
        with progress_bar("response") as progress:
            solved = answers.solve_response(
                game, to, with_=with_, draw=worth, **where, folder=cache, progress=progress, device=device
            )
            answer, moves = solved.answer, solved.moves
    title = f"{who[0].upper()}{who[1:]} against {against}, {game}"
    heading = "The first move" if free is None else "The next move"
    shown = [moves_table(heading, "response", to, moves)] if moves else []
    return Result(answer, lambda: [*_response_page(title, to, answer, worth), *shown])


def _response_page(title: str, to: str, answer: "ResponseAnswer", worth: float) -> Iterator[Part]:
    grid = table(title, "chance", label=Column("", "outcome", left=True), name="result")
    for name, chance in (("win", answer["win"]), ("draw", answer["draw"]), ("loss", answer["loss"])):
        grid.add_row(name, number(chance, ".8f"))
    grid.add_row("equity", number(answer["equity"], ".8f"), style="bold")
    yield grid
    yield f"equity: win + draw × {worth:g}"
    if "mean" in answer:
        mine = f"{answer['mean']:.4f}, standard deviation {answer['sd']:.4f}"
        yield f"Mean score {mine}; {to}: {answer['opponent_mean']:.4f}, {answer['opponent_sd']:.4f}."
    if "largest_gain" in answer:
        # A power of ten, not below what rounding alone may make of it on another machine.
        bound = 10.0 ** max(-12, ceil(log10(max(answer["largest_gain"], 1e-300))))
        positions = f"{answer['positions']:,} open positions"
        yield f"At none of {positions}, from either side, does any response gain more than {bound:.0e}."


def _draw_worth(draw: str | None, players: int | None) -> float:
    if players is not None:
        if draw is not None:
            raise InvalidGame("at a table of N a draw is worth 1/N; leave --draw out", field="players")
        if players < 2:
            raise InvalidGame(f"{players} is too few; a table has at least 2", field="players")
        return 1 / players
    worth = float(read_score(draw, "draw")) if draw is not None else 0.5
    if not 0 <= worth <= 1:
        raise InvalidGame(f"{draw} is not what a draw can be worth; accepted: 0 to 1", field="draw")
    return worth


def _verify_processor(device: Device) -> None:
    if device is not Device.cpu:
        raise Ten18Error("own rolls are computed on the processor; leave it out", "device", device.value)


def _where(game: Game, free: str | None, opponent_free: str | None, lead: str) -> Where:
    mine = None if free is None else read_free_slots(game, free)
    theirs = None if opponent_free is None else read_free_slots(game, opponent_free, "opponent_free")
    return {"free": mine, "opponent_free": theirs, "lead": read_score(lead, "lead")}


def equilibrium(
    free: FreeOption = None,
    opponent_free: OpponentOption = None,
    lead: LeadOption = "0",
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    rolls: RollsOption = Rolls.same,
    cache: CacheOption = None,
    device: DeviceOption = Device.cpu,
) -> Result:
    """The Nash equilibrium: the value of a position, and a mixed move for every roll."""
    from tentimes18.answers import equilibrium as answers

    game = Game.parse(dice, slots)
    if rolls is Rolls.own:
        if (free, opponent_free, lead) != (None, None, "0"):
            raise Ten18Error("--rolls own: from the start only; leave out --free, --opponent-free and --lead")
        _verify_processor(device)
        with progress_bar("own rolls") as progress:
            mixture = answers.own_rolls(game, progress)
        return Result(mixture, lambda: [_own_rolls(game, mixture)])
    where = _where(game, free, opponent_free, lead)
    with progress_bar("equilibrium") as progress:
        answer = answers.equilibrium(game, **where, folder=cache, tell=tell, progress=progress, device=device)
    return Result(answer, lambda: _equilibrium_page(game, answer), lambda: [_mixes(answer)])


def _equilibrium_page(game: Game, answer: "EquilibriumAnswer") -> Iterator[Part]:
    yield f"Value: {answer['value']:.10f} (chance to win, a draw counting one half)"
    grid = table(f"Equilibrium of the duel, {game}", "move", label="roll")
    for roll, move in answer["moves"].items():
        grid.add_row(
            roll, " or ".join(f"#{slot}" if len(move) == 1 else f"#{slot} {share:.2%}" for slot, share in move)
        )
    yield grid


def _mixes(answer: "EquilibriumAnswer") -> Grid:
    """For programs: one line a roll and slot."""
    grid = table("", "roll", "slot", "probability", name="moves")
    for roll, move in answer["moves"].items():
        for slot, share in move:
            grid.add_row(roll, slot, number(share))
    return grid


def _own_rolls(game: Game, mixture: "OwnRollsAnswer") -> Grid:
    label = Column("", "fact", left=True)
    grid = table(f"Equilibrium with own rolls, {game}", Column("", "value"), label=label, name="moves")
    grid.add_row("value", number(mixture["value"], ".6f"))
    grid.add_row("the best response to it gains", number(mixture["exploitability"], ".2e"))
    grid.add_row("equity against optimal", number(mixture["against_optimal"], ".6f"))
    grid.add_row("mean score", number(mixture["mean"], ".6f"))
    grid.add_row("standard deviation", number(mixture["sd"], ".6f"))
    return grid


def play(
    first: Annotated[str, typer.Argument(metavar="A", help="A strategy by name.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The one it plays against.")],
    games: GamesOption = 1_000_000,
    seed: SeedOption = 1987,
    moves: MovesOption = "",
    opponent: Annotated[
        str | None, typer.Option("--opponent", metavar="MOVES", help="B's moves, where A's are given.")
    ] = None,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    cluster: ClusterOption = None,
) -> Result:
    """A against B on the same rolls: how often A wins.

    From the start, or on from a duel in play.
    """
    from tentimes18.answers.simulation import duel_play, duel_run
    from tentimes18.strategies.user_code import find

    game = Game.parse(dice, slots)
    position = read_position(game, moves, opponent, is_duel=True)
    boards = (position.board, position.theirs) if moves else ()
    try:
        run = duel_run(game, first, second, seed, find, boards)
    except Ten18Error as error:
        names = {"first": "A", "second": "B"}
        raise error.about(names.get(error.field or "", error.field or "strategy")) from None
    done = played(run, games, cluster)
    answer = duel_play(done)
    page = partial(duel_play_page, f"{first} against {second}", game, answer)
    return Result(answer, page, code=exit_code(done.finished))


def duel_play_page(title: str, game: Game, answer: "DuelPlayAnswer") -> Iterator[Part]:
    """Duels for people."""
    errors, label = answer["stderr"], Column("", "outcome", left=True)
    title = f"{title}, {counted(answer['games'], 'game')}, {game}"
    grid = table(title, "share", "standard error", label=label, name="result")
    for name, share, error in (
        ("win", answer["win"], errors["win"]),
        ("draw", answer["draw"], errors["draw"]),
        ("loss", answer["loss"], errors["loss"]),
    ):
        grid.add_row(name, number(share, ".6f"), spread(error, answer["games"], ".6f"))
    yield grid
    difference = number(answer["mean_difference"], "+.4f").text
    if answer["games"] == 1:
        yield f"Difference {difference} points."
        return
    yield (
        f"Mean difference {difference} ± {answer['mean_difference_stderr']:.4f} points; "
        f"largest win {shown_number(answer['largest_win'])}, largest loss {shown_number(answer['largest_loss'])}."
    )


def cycle(dice: DiceOption = "1d6", slots: SlotsOption = "1-4") -> Result:
    """Who beats whom in a circle: an exact proof in a small game, by best responses to best responses."""
    from tentimes18.answers.cycle import cycle as cycle_of

    game = Game.parse(dice, slots)
    with progress_bar("responses", late=True) as progress:
        answer = cycle_of(game, progress)
    return Result(answer, lambda: _cycle_page(game, answer), lambda: [_circle(game, answer)])


def _cycle_page(game: Game, answer: "CycleAnswer") -> Iterator[Part]:
    if not answer["names"]:
        yield f"No circle among the best responses in {game}."
        return
    yield _circle(game, answer)
    yield "hunter: the best response to optimal; response 2: the best response to hunter; and so on."


def _circle(game: Game, answer: "CycleAnswer") -> Grid:
    """Each strategy of the circle against the one that it beats; no line where there is no circle."""
    names, label = answer["names"], Column("", "strategy", left=True)
    grid = table(f"A circle in {game}, exactly", "against", "win", "draw", "loss", label=label, name="results")
    for name, other, result in zip(names, [*names[1:], *names[:1]], answer["results"], strict=True):
        grid.add_row(name, other, result["win"], result["draw"], result["loss"])
    return grid
