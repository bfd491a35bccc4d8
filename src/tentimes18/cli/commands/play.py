"""`ten18 play`: the game in the terminal, with a coach and an opponent."""

from contextlib import nullcontext, suppress
from dataclasses import replace
from secrets import randbelow
from time import time
from typing import Annotated, Any, Final, TypeAlias

import typer

from tentimes18.answers.review import review_json
from tentimes18.cli.commands.simulate import INTERRUPTED
from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption
from tentimes18.cli.output import drop_output, print_json
from tentimes18.cli.terminal.board import Note
from tentimes18.cli.terminal.dialogue import Left, Seat, seat_for
from tentimes18.cli.terminal.game import play_on, trouble_of
from tentimes18.cli.terminal.keys import Ended
from tentimes18.cli.terminal.review import show_review
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.play.game import Coach, GameInPlay, Settings, unfinished_games
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record, format_record, record_to_json
from tentimes18.show.words import shown_number
from tentimes18.strategies.user_code import find

__all__ = ["register"]

MAX_SLOTS: Final = 100
MAX_SEED: Final = 10**6  # of those that are drawn: short enough to tell a friend
MAX_OFFERED: Final = 9
KEPT: Final = "The game is kept: `ten18 play` goes on with it."

AgainstOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--against", metavar="NAME", help="optimal, random, hunter, equilibrium, nearest, target:700, ..."),
]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(play)


def play(
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    seed: Annotated[
        int | None, typer.Option("--seed", help="The same seed gives the same rolls.", show_default="any")
    ] = None,
    number: Annotated[int, typer.Option("--game", metavar="N", help="Which game of the seed, from 0.")] = 0,
    coach: Annotated[
        Coach | None,
        typer.Option(
            "--coach", help="Silent, asking before a bad move, or showing values.", show_default="off; own dice: full"
        ),
    ] = None,
    aim: Annotated[
        str | None,
        typer.Option(
            "--aim",
            metavar="AIM",
            help="What moves are measured by: mean, target:700, duel, duel:optimal.",
            show_default="mean",
        ),
    ] = None,
    against: AgainstOption = None,
    own_dice: Annotated[bool, typer.Option("--own-dice", help="You roll real dice, and type what they show.")] = False,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Who plays; kept with the game.")] = None,
    new: Annotated[bool, typer.Option("--new", help="A new game, whatever is unfinished.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a game, with a coach and an opponent if you like.

    A game that you leave is kept, with the roll that waits, and offered again the next time. Finished games go into
    the history, with a review at the end.
    """
    if own_dice and seed is not None:
        raise Ten18Error("with --own-dice the rolls are yours; leave one of the two out", field="seed")
    settings = Settings(
        game=_game(dice, slots),
        seed=randbelow(MAX_SEED) if seed is None else seed,
        number=number,
        coach=coach or (Coach.full if own_dice else Coach.off),
        aim=aim or "mean",
        against=against,
        own_dice=own_dice,
        name=name,
    )
    changes: dict[str, Any] = ({"coach": coach} if coach else {}) | ({"aim": aim} if aim else {})
    seat, history = seat_for(stderr=as_json), History()
    game: GameInPlay | None = None
    try:
        with seat:
            game = (None if new else _offered(history, seat, changes)) or GameInPlay(settings, history, find=find)
            needs_tables = game.settings.against is not None or game.settings.aim != "mean"
            with seat.busy(" Preparing the game") if needs_tables else nullcontext():
                game.prepare()
            play_on(game, seat)
        _end(game, seat)
        code = 0
    except Left:
        code = 0
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Ended as ended:
        code = 128 + ended.signal_number
    if game is not None and game.is_begun and not game.record.finished:
        game.leave()
        _say_goodbye(game, seat)
    if as_json:
        print_json(
            {
                "record": record_to_json(game.record) if game else None,
                "review": review_json(game.review()) if game else None,
            }
        )
    raise typer.Exit(code)


def _game(dice: str, slots: str) -> Game:
    game = Game.parse(dice, slots)
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size:,} slots do not fit on a screen; at most {MAX_SLOTS} can be played", field="slots")
    return game


def _offered(history: History, seat: Seat, changes: dict[str, Any]) -> GameInPlay | None:
    """An unfinished game that the player goes on with; none for a new one."""
    remarks: list[Note] = []
    while entries := unfinished_games(history)[:MAX_OFFERED]:
        notes = [*remarks, Note("You have left " + ("a game:" if len(entries) == 1 else "games:"), "bold"), Note("")]
        notes += [Note(f"  {place}  {_described(*entry)}") for place, entry in enumerate(entries, start=1)]
        is_one = len(entries) == 1
        places = tuple(map(str, range(1, len(entries) + 1)))
        go_on, give_up = ("c go on", "it") if is_one else (f"1-{len(entries)} go on with one", "one")
        question = f"{go_on} · n new game · g give {give_up} up · q quit:"
        answer = seat.ask([*notes, Note("")], question, ("c", "n", "g", *places))
        remarks = []
        if answer == "n":
            return None
        if is_given_up := answer == "g":
            which = "Give it up for good? y/n" if is_one else f"Give up which one, for good? 1-{len(entries)} · n none:"
            answer = seat.ask([], which, ("n", "y") if is_one else ("n", *places))
            if answer == "n":
                continue
        kept, _ = entries[int(answer) - 1 if answer.isdecimal() else 0]
        if not kept.lock():
            remarks = [Note("That game is being played in another window.")]
            continue
        if is_given_up:
            kept.drop()
            continue
        try:
            record = kept.read()  # it may have gone on in between
            settings = replace(Settings.of(record), **changes)
        except (OSError, ValueError) as error:
            kept.unlock()
            remarks = [Note(f"That game cannot be read: {error}")]
            continue
        return GameInPlay(settings, history, replace(record, tags={**record.tags, **settings.tags()}), kept, find)
    if remarks:  # it was the only one
        seat.ask([*remarks, Note("")], "n new game · q quit:", ("n",))
    return None


def _described(kept: UnfinishedGame, record: Record) -> str:
    board = record.board
    parts = [str(board.game)[:30], f"{board.rounds} of {board.game.size} rounds", f"score {shown_number(board.score)}"]
    if "against" in record.tags:
        parts.append(f"against {record.tags['against']}")
    with suppress(OSError):
        parts.append(_ago(time() - kept.path.stat().st_mtime))
    return " · ".join(parts)


def _ago(seconds: float) -> str:
    """How long ago it was, roughly.

    >>> _ago(30), _ago(3700), _ago(200000)
    ('just now', '1 hour ago', '2 days ago')
    """
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if count := int(seconds // length):
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _end(game: GameInPlay, seat: Seat) -> None:
    """The game goes into the history; who won, and the review."""
    game.finish()
    record, screen = game.record, seat.screen
    if record.opponent is not None:
        mine, theirs = record.board.score, record.opponent.score
        result = "You win" if mine > theirs else "You lose" if mine < theirs else "A draw"
        scores = f"{shown_number(mine)} to {shown_number(theirs)}"
        screen.print(f" {result}, {scores} against {game.settings.against}.", style="bold")
    show_review(game.review(), screen)
    screen.print()
    if game.trouble is None:
        screen.print(" The game is in your history; `ten18 history` shows how you get on.", style="dim")
    else:
        _show_record(game, seat, "The game is not in your history")


def _say_goodbye(game: GameInPlay, seat: Seat) -> None:
    try:
        if game.trouble is None:
            seat.screen.print(f" {KEPT}")
        else:
            _show_record(game, seat, "The game is not kept")
    except OSError:  # the terminal is gone
        drop_output(seat.screen.file)


def _show_record(game: GameInPlay, seat: Seat, what: str) -> None:
    """The record itself, so that nothing is lost where nothing can be written."""
    seat.screen.print(f" {what}: {trouble_of(game)}. Here it is:", soft_wrap=True)
    seat.screen.print(format_record(game.record), soft_wrap=True)
