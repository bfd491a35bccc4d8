"""`ten18 plot`: pictures, as .png, .svg or .pdf."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tentimes18.cli.assign_commands import NEGATIVE, plot_assign
from tentimes18.cli.command import JsonOption, OutputOption, add_group, add_plain, report_file, verify_picture
from tentimes18.cli.games_commands import OwnAim, measure_game, measure_games, read_chosen_games
from tentimes18.cli.games_file import FileArgument, GameOption, LastOption, NumberOption, tell_bad_lines
from tentimes18.cli.output import progress_bar
from tentimes18.errors import blame
from tentimes18.game import Game
from tentimes18.queries import DiceText, Doc, MovesText, Seed, SlotsText
from tentimes18.queries.distributions import read_several_dice
from tentimes18.queries.positions import read_board

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_GAMES = 1_000_000_000


def register(app: typer.Typer) -> None:
    """Add these commands."""
    plot = add_group(app, "plot", "Pictures, as .png, .svg or .pdf.")
    add_plain(plot, plot_thresholds, "thresholds")
    add_plain(plot, plot_first_move, "first-move")
    add_plain(plot, plot_slots, "slots")
    add_plain(plot, plot_scores, "scores")
    add_plain(plot, plot_target, "target")
    add_plain(plot, plot_front, "front")
    add_plain(plot, plot_game, "game")
    add_plain(plot, plot_assign, "assign", context_settings=NEGATIVE)
    add_plain(plot, plot_review, "review")
    add_plain(plot, plot_dice, "dice", context_settings=NEGATIVE)


def plot_thresholds(
    output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
) -> None:
    """Which free slot takes which roll, as the game goes on."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_moves import plot_thresholds as draw

    _save(draw(game), output, as_json)


def plot_first_move(
    output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
) -> None:
    """What every first move loses."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_moves import plot_first_move as draw

    _save(draw(game), output, as_json)


def plot_slots(
    output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
) -> None:
    """Which roll ends up in which slot under the best play."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_moves import plot_slots as draw

    with progress_bar("slots", late=True) as progress:
        figure = draw(game, progress)
    _save(figure, output, as_json)


def plot_scores(
    output: OutputOption,
    strategies: Annotated[str, Doc("Strategies by name, with commas between them.", metavar="NAMES")] = (
        "random,optimal,hindsight"
    ),
    games: Annotated[
        int, Doc("Simulated games; 0 for exact laws alone.", metavar="N", least=0, most=MAX_GAMES)
    ] = 1_000_000,
    seed: Seed = 1987,
    cumulative: Annotated[bool, Doc("The chance of each score or less.")] = False,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
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


def plot_target(
    output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
) -> None:
    """The best chance of every score, and the chance with optimal."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_aims import plot_target as draw

    with progress_bar("chances") as progress:
        figure = draw(game, progress)
    _save(figure, output, as_json)


def plot_front(
    output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
) -> None:
    """What safety costs: mean and standard deviation of strategies with other aims."""
    from tentimes18.strategies.front import front_of

    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_aims import plot_front as draw

    with progress_bar("strategies") as progress:
        points = front_of(game, progress=progress)
    _save(draw(game, points), output, as_json)


def plot_game(
    output: OutputOption,
    moves: MovesText,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    as_json: JsonOption = False,
) -> None:
    """A game, finished or not, round by round."""
    game = _game(output, dice, slots)
    from tentimes18.pictures.plot_games import plot_game as draw

    _save(draw(read_board(game, moves)), output, as_json)


def plot_dice(
    dice: Annotated[list[str], Doc("One or more, like 3d6 4d6kh3 2d6+1d8-3.", metavar="DICE...", is_argument=True)],
    output: OutputOption,
    cumulative: Annotated[bool, Doc("The chance of each roll or less.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The law of one roll, of several dice in one picture."""
    verify_picture(output)
    from tentimes18.pictures.plot_scores import plot_dice as draw

    _save(draw(read_several_dice(dice), cumulative=cumulative), output, as_json)


def plot_review(
    output: OutputOption,
    file: FileArgument = None,
    aim: OwnAim = None,
    game: GameOption = None,
    last: LastOption = False,
    number: NumberOption = None,
    as_json: JsonOption = False,
) -> None:
    """The course of a played game, of a file or of your history, or the progress over many."""
    verify_picture(output)
    from tentimes18.pictures.plot_games import plot_course, plot_progress

    games = read_chosen_games(file, aim, last=last, number=number, game=game)
    if len(games.lines) == 1:
        figure = plot_course(measure_game(games.lines[0], aim))
    else:
        figure = plot_progress(measure_games(games, aim)[0].summary)
    tell_bad_lines(games.bad)
    _save(figure, output, as_json)


def _game(output: Path, dice: str, slots: str) -> Game:
    """The game, once it is clear that the file can be written."""
    verify_picture(output)
    return Game.parse(dice, slots)


def _save(figure: "Figure", output: Path, as_json: bool) -> None:
    from tentimes18.pictures.plot_style import save

    save(figure, output)
    report_file(output, as_json)
