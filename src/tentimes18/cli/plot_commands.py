"""`ten18 plot`: pictures, as .png, .svg or .pdf."""

from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from tentimes18.queries.moves import read_board
from tentimes18.strategies.front import front_of
from tentimes18.strategies.named import named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_GAMES = 1_000_000_000


def register(app: typer.Typer) -> None:
    plot = add_group(app, "plot", "Draw a picture as .png, .svg or .pdf.")
    add_plain(plot, _plot_of("plot_moves.plot_thresholds", "Draw which free slot takes which roll."), "thresholds")
    add_plain(plot, _plot_of("plot_moves.plot_first_move", "Draw what every first move loses."), "first-move")
    slots = "Draw which roll ends up in which slot under optimal play."
    add_plain(plot, _plot_of("plot_moves.plot_slots", slots, "slots"), "slots")
    add_plain(plot, plot_scores, "scores")
    target = "Draw the best chance of every score, and the chance under optimal play."
    add_plain(plot, _plot_of("plot_aims.plot_target", target, "chances"), "target")
    add_plain(plot, plot_front, "front")
    add_plain(plot, plot_game, "game")
    add_plain(plot, plot_assign, "assign", context_settings=NEGATIVE)
    add_plain(plot, plot_review, "review")
    add_plain(plot, plot_dice, "dice", context_settings=NEGATIVE)


def _draw(name: str, *arguments: Any, **options: Any) -> "Figure":
    """Draw with a function of `pictures`, whose modules import matplotlib."""
    module, _, function = name.partition(".")
    figure: Figure = getattr(import_module(f"tentimes18.pictures.{module}"), function)(*arguments, **options)
    return figure


def _plot_of(name: str, doc: str, bar: str = "") -> Callable[..., None]:
    """The command for a picture of a game."""

    def plot(
        output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
    ) -> None:
        game = _game(output, dice, slots)
        with progress_bar(bar, late=bar == "slots") if bar else nullcontext() as progress:
            figure = _draw(name, game, *([progress] if bar else []))
        _save(figure, output, as_json)

    plot.__doc__ = doc
    return plot


def plot_scores(
    output: OutputOption,
    strategies: Annotated[str, Doc("Strategies by name, with commas between them.", metavar="NAMES")] = (
        "random,optimal,hindsight"
    ),
    games: Annotated[
        int, Doc("How many games to simulate; 0 for exact distributions only.", metavar="N", least=0, most=MAX_GAMES)
    ] = 1_000_000,
    seed: Seed = 1987,
    cumulative: Annotated[bool, Doc("Draw the chance of each score or less.")] = False,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    as_json: JsonOption = False,
) -> None:
    """Draw the exact distributions of final scores, and simulated games."""
    game = _game(output, dice, slots)
    names = [name.strip() for name in strategies.split(",")]
    with blame("strategies", "strategy"):
        for name in names:
            named(name)
        with progress_bar("games") as progress:
            figure = _draw("plot_scores.plot_scores", game, names, games, seed, progress, cumulative=cumulative)
    _save(figure, output, as_json)


def plot_front(
    output: OutputOption, dice: DiceText = "3d6", slots: SlotsText = "1-10", as_json: JsonOption = False
) -> None:
    """Draw what safety costs: the mean and standard deviation of strategies with other aims."""
    game = _game(output, dice, slots)
    with progress_bar("strategies") as progress:
        points = front_of(game, progress=progress)
    _save(_draw("plot_aims.plot_front", game, points), output, as_json)


def plot_game(
    output: OutputOption,
    moves: MovesText,
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    as_json: JsonOption = False,
) -> None:
    """Draw a game round by round, finished or not."""
    game = _game(output, dice, slots)
    _save(_draw("plot_games.plot_game", read_board(game, moves)), output, as_json)


def plot_dice(
    dice: Annotated[
        list[str], Doc("One or more kinds of dice, like 3d6 4d6kh3 2d6+1d8-3.", metavar="DICE...", is_argument=True)
    ],
    output: OutputOption,
    cumulative: Annotated[bool, Doc("Draw the chance of each roll or less.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Draw the distribution of one roll, for several kinds of dice in one picture."""
    verify_picture(output)
    _save(_draw("plot_scores.plot_dice", read_several_dice(dice), cumulative=cumulative), output, as_json)


def plot_review(
    output: OutputOption,
    file: FileArgument = None,
    aim: OwnAim = None,
    game: GameOption = None,
    last: LastOption = False,
    number: NumberOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the course of a game from a file or your history, or the progress over many games."""
    verify_picture(output)
    games = read_chosen_games(file, aim, last=last, number=number, game=game)
    if len(games.lines) == 1:
        figure = _draw("plot_games.plot_course", measure_game(games.lines[0], aim))
    else:
        figure = _draw("plot_games.plot_progress", measure_games(games, aim)[0].summary)
    tell_bad_lines(games.bad)
    _save(figure, output, as_json)


def _game(output: Path, dice: str, slots: str) -> Game:
    verify_picture(output)
    return Game.parse(dice, slots)


def _save(figure: "Figure", output: Path, as_json: bool) -> None:
    _draw("plot_style.save", figure, output)
    report_file(output, as_json)
