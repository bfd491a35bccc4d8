"""`ten18 plot`: pictures, as .png, .svg or .pdf."""

from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from inspect import Parameter as Signed
from inspect import Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from tentimes18.cli import command, games_commands
from tentimes18.cli.assign_commands import NEGATIVE, plot_assign
from tentimes18.cli.output import progress_bar
from tentimes18.errors import blame
from tentimes18.game import Game
from tentimes18.queries import DiceText, Doc, MovesText, Seed, SlotsText
from tentimes18.queries.distributions import read_several_dice
from tentimes18.queries.moves import read_board
from tentimes18.strategies.front import front_of
from tentimes18.strategies.named import named

MAX_GAMES = 1_000_000_000


def register(app: typer.Typer) -> None:
    plot = command.add_group(app, "plot", "Draw a picture as .png, .svg or .pdf.")
    _add(plot, _plot_of("plot_moves.plot_thresholds", "Draw which free slot takes which roll."), "thresholds")
    _add(plot, _plot_of("plot_moves.plot_first_move", "Draw what every first move loses."), "first-move")
    slots = "Draw which roll ends up in which slot under optimal play."
    _add(plot, _plot_of("plot_moves.plot_slots", slots, "slots"), "slots")
    _add(plot, plot_scores, "scores")
    target = "Draw the best chance of every score, and the chance under optimal play."
    _add(plot, _plot_of("plot_aims.plot_target", target, "chances"), "target")
    _add(plot, plot_front, "front")
    _add(plot, plot_game, "game")
    command.add_plain(plot, plot_assign, "assign", context_settings=NEGATIVE)
    _add(plot, plot_review, "review")
    _add(plot, plot_dice, "dice", context_settings=NEGATIVE)


def _add(plot: typer.Typer, draw: Callable[..., Any], name: str, **settings: Any) -> None:
    """Add a command that writes what a function draws."""

    def run(output: Path, as_json: bool, **options: Any) -> None:
        command.verify_picture(output)
        _draw("plot_style.save", draw(**options), output)
        command.report_file(output, as_json)

    first = Signed("output", Signed.KEYWORD_ONLY, annotation=command.OutputOption)
    last = Signed("as_json", Signed.KEYWORD_ONLY, default=False, annotation=command.JsonOption)
    run.__signature__ = Signature([first, *command.options_of(draw, name), last])  # type: ignore[attr-defined]
    run.__doc__ = draw.__doc__
    command.add_plain(plot, run, name, **settings)


def _draw(name: str, *arguments: Any, **options: Any) -> Any:
    """Draw with a function of `pictures`, whose modules import matplotlib."""
    module, _, function = name.partition(".")
    return getattr(import_module(f"tentimes18.pictures.{module}"), function)(*arguments, **options)


def _plot_of(name: str, doc: str, bar: str = "") -> Callable[..., Any]:
    def plot(dice: DiceText = "3d6", slots: SlotsText = "1-10") -> Any:
        game = Game.parse(dice, slots)
        with progress_bar(bar, late=bar == "slots") if bar else nullcontext() as progress:
            return _draw(name, game, *([progress] if bar else []))

    plot.__doc__ = doc
    return plot


def plot_scores(
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
) -> Any:
    """Draw the exact distributions of final scores, and simulated games."""
    game = Game.parse(dice, slots)
    names = [name.strip() for name in strategies.split(",")]
    with blame("strategies", "strategy"):
        for name in names:
            named(name)
        with progress_bar("games") as progress:
            return _draw("plot_scores.plot_scores", game, names, games, seed, progress, cumulative=cumulative)


def plot_front(dice: DiceText = "3d6", slots: SlotsText = "1-10") -> Any:
    """Draw what safety costs: the mean and standard deviation of strategies with other aims."""
    game = Game.parse(dice, slots)
    with progress_bar("strategies") as progress:
        points = front_of(game, progress=progress)
    return _draw("plot_aims.plot_front", game, points)


def plot_game(moves: MovesText, dice: DiceText = "3d6", slots: SlotsText = "1-10") -> Any:
    """Draw a game round by round, finished or not."""
    return _draw("plot_games.plot_game", read_board(Game.parse(dice, slots), moves))


def plot_dice(
    dice: Annotated[
        list[str], Doc("One or more kinds of dice, like 3d6 4d6kh3 2d6+1d8-3.", metavar="DICE...", is_argument=True)
    ],
    cumulative: Annotated[bool, Doc("Draw the chance of each roll or less.")] = False,
) -> Any:
    """Draw the distribution of one roll, for several kinds of dice in one picture."""
    return _draw("plot_scores.plot_dice", read_several_dice(dice), cumulative=cumulative)


def plot_review(
    file: games_commands.FileArgument = None,
    aim: games_commands.OwnAim = None,
    game: games_commands.GameOption = None,
    last: games_commands.LastOption = False,
    number: games_commands.NumberOption = None,
) -> Any:
    """Draw the course of a game from a file or your history, or the progress over many games."""
    games = games_commands.read_chosen_games(file, aim, last=last, number=number, game=game)
    if len(games.lines) == 1:
        figure = _draw("plot_games.plot_course", games_commands.measure_game(games.lines[0], aim))
    else:
        figure = _draw("plot_games.plot_progress", games_commands.measure_games(games, aim)[0].summary)
    games_commands.tell_bad_lines(games.bad)
    return figure
