"""`ten18 plot` and `ten18 card`: pictures, and the whole strategy on one page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tentimes18.cli.commands.simulate import SeedOption
from tentimes18.cli.options import (
    DiceOption,
    JsonOption,
    MovesOption,
    OutputOption,
    SlotsOption,
    verify_output,
)
from tentimes18.cli.output import print_json, progress_bar, trimmed_output, write
from tentimes18.cli.results import report_file
from tentimes18.errors import blame
from tentimes18.files import write_whole
from tentimes18.game import Game
from tentimes18.queries.positions import read_board

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["register"]

MAX_GAMES: Final = 1_000_000_000
CARD_ENDINGS: Final = (".md", ".html", ".svg", ".pdf")

plot = typer.Typer()


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(plot, name="plot")
    app.command()(card)


@plot.callback(invoke_without_command=True)
def pictures(context: typer.Context) -> None:
    """Pictures, as .png, .svg or .pdf."""
    if context.invoked_subcommand is None:
        with trimmed_output():
            write(context.get_help() + "\n")


@plot.command("thresholds")
def plot_thresholds(
    output: OutputOption, dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False
) -> None:
    """Which free slot takes which roll, as the game goes on."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_moves import plot_thresholds as draw

    _save(draw(game), output, as_json)


@plot.command("first-move")
def plot_first_move(
    output: OutputOption, dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False
) -> None:
    """What every first move loses."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_moves import plot_first_move as draw

    _save(draw(game), output, as_json)


@plot.command("slots")
def plot_slots(
    output: OutputOption, dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False
) -> None:
    """Which roll ends up in which slot under the best play."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_moves import plot_slots as draw

    with progress_bar("slots", late=True) as progress:
        figure = draw(game, progress)
    _save(figure, output, as_json)


@plot.command("scores")
def plot_scores(
    output: OutputOption,
    strategies: Annotated[
        str, typer.Option("--strategies", metavar="NAMES", help="Strategies by name, with commas between them.")
    ] = "random,optimal,hindsight",
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=0, max=MAX_GAMES, help="Simulated games; 0 for exact laws alone.")
    ] = 1_000_000,
    seed: SeedOption = 1987,
    cumulative: Annotated[bool, typer.Option("--cumulative", help="The chance of each score or less.")] = False,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    as_json: JsonOption = False,
) -> None:
    """How games end: the exact laws of strategies, and simulated games."""
    from tentimes18.strategies.named import named

    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_scores import plot_scores as draw

    names = [name.strip() for name in strategies.split(",")]
    with blame("strategies", "strategy"):
        for name in names:
            named(name)
        with progress_bar("games") as progress:
            figure = draw(game, names, games, seed, progress, cumulative=cumulative)
    _save(figure, output, as_json)


@plot.command("target")
def plot_target(
    output: OutputOption, dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False
) -> None:
    """The best chance of every score, and the chance with optimal."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_aims import plot_target as draw

    with progress_bar("chances") as progress:
        figure = draw(game, progress)
    _save(figure, output, as_json)


@plot.command("front")
def plot_front(
    output: OutputOption, dice: DiceOption = "3d6", slots: SlotsOption = "1-10", as_json: JsonOption = False
) -> None:
    """What safety costs: mean and standard deviation of strategies with other aims."""
    from tentimes18.strategies.front import front_of

    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_aims import plot_front as draw

    with progress_bar("strategies") as progress:
        found = front_of(game, progress=progress)
    _save(draw(game, found), output, as_json)


@plot.command("game")
def plot_game(
    output: OutputOption,
    moves: MovesOption,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    as_json: JsonOption = False,
) -> None:
    """A game, finished or not, round by round."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_games import plot_game as draw

    _save(draw(read_board(game, moves)), output, as_json)


def _game(output: Path, dice: str, slots: str) -> Game:
    """The game, once it is clear that the file can be written."""
    from tentimes18.pictures import ENDINGS, require_matplotlib

    verify_output(output, ENDINGS)
    require_matplotlib()
    return Game.parse(dice, slots)


def _save(figure: "Figure", output: Path, as_json: bool) -> None:
    from tentimes18.pictures.plot_style import save

    save(figure, output)
    report_file(output, as_json)


def card(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write: .md, .html, .svg or .pdf."),
    ] = None,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    as_json: JsonOption = False,
) -> None:
    """The whole best play on one page, to play by without a computer."""
    from tentimes18.answers.card import card as answer_of

    if output is not None:
        verify_output(output, CARD_ENDINGS)
    game = Game.parse(dice, slots)
    if output is not None:
        write_whole(output, _card(game, output.suffix.lower()))
        report_file(output, as_json)
    elif as_json:
        print_json(answer_of(game))
    else:
        write(_card(game, ".md").decode())


def _card(game: Game, ending: str) -> bytes:
    """The card as a file with this ending holds it."""
    from tentimes18.pictures import strategy_card as sheet

    if ending == ".pdf":
        from tentimes18.pictures import require_matplotlib

        require_matplotlib()
        return sheet.card_pdf(game)
    text = {".md": sheet.card_markdown, ".html": sheet.card_html, ".svg": sheet.card_svg}[ending](game)
    return text.encode()


@plot.command("dice", context_settings={"ignore_unknown_options": True})
def plot_dice(
    dice: Annotated[list[str], typer.Argument(metavar="DICE...", help="One or more, like 3d6 4d6kh3 2d6+1d8-3.")],
    output: OutputOption,
    cumulative: Annotated[bool, typer.Option("--cumulative", help="The chance of each roll or less.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The law of one roll, of several dice in one picture."""
    from tentimes18.pictures import ENDINGS, require_matplotlib

    verify_output(output, ENDINGS)
    require_matplotlib()
    from tentimes18.pictures.plot_scores import plot_dice as draw
    from tentimes18.pictures.plot_style import save
    from tentimes18.queries.distributions import read_several_dice

    save(draw(read_several_dice(dice), cumulative=cumulative), output)
    report_file(output, as_json)
