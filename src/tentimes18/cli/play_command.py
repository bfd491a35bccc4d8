"""`ten18 play`: the game in the terminal, with a coach and an opponent."""

from contextlib import nullcontext, suppress
from enum import Enum, auto
from time import time
from typing import Annotated, Any

import typer

from tentimes18.cli.command import JsonOption, add_plain
from tentimes18.cli.output import drop_output, print_json
from tentimes18.cli.terminal.board_screen import Note
from tentimes18.cli.terminal.game_screen import play_on
from tentimes18.cli.terminal.review_page import review_page
from tentimes18.cli.terminal.screen import Dialogue, Ending, dialogue_here
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.number_format import counted, shown_number
from tentimes18.play.game_in_play import Coach, GameInPlay, Settings, any_seed, unfinished_games
from tentimes18.queries import DiceText, Doc, SlotsText
from tentimes18.queries.games import play_answer
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record, format_record
from tentimes18.strategies.user_code import find
from tentimes18.wording import result_of, standing

MAX_SLOTS = 100
MAX_OFFERED = 9
ENDS = {"won": "You win", "drawn": "A draw", "lost": "You lose"}
SAVED = "The game is saved: `ten18 play` continues it."


def register(app: typer.Typer) -> None:
    add_plain(app, play)


def play(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    seed: Annotated[
        int | None, Doc("The seed of the rolls: the same seed gives the same rolls.", default="any")
    ] = None,
    number: Annotated[int, Doc("The number of the game with this seed, from 0.", metavar="N", option="--game")] = 0,
    coach: Annotated[
        Coach | None,
        Doc(
            "Choose no coach, a question before each bad move, or the values of all slots.",
            default="off; own dice: full",
        ),
    ] = None,
    aim: Annotated[
        str | None,
        Doc("The aim that moves are measured by: mean, target:700, duel, duel:optimal.", metavar="AIM", default="mean"),
    ] = None,
    against: Annotated[
        str | None, Doc("Your opponent: optimal, random, hunter, equilibrium, nearest, target:700, ...", metavar="NAME")
    ] = None,
    own_dice: Annotated[bool, Doc("Roll real dice, and type what they show.")] = False,
    practice: Annotated[bool, Doc("Allow taking moves back, as with a coach or --own-dice.")] = False,
    name: Annotated[str | None, Doc("Your name, which is stored with the game.", metavar="NAME")] = None,
    new: Annotated[bool, Doc("Start a new game, even if others are unfinished.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a game, with a coach and an opponent if you like.

    If you leave a game, it is saved with its open roll. The command offers it again the next time, unless you ask for
    another game: with dice, slots, a seed or an opponent. A finished game ends with a review and goes into your
    history. In practice games, u takes a move back; in rated games moves are final.
    """
    if own_dice and seed is not None:
        raise Ten18Error("cannot be combined with --own-dice, where you roll the dice", field="seed")
    settings = Settings(
        game=_game(dice, slots),
        seed=any_seed() if seed is None else seed,
        number=number,
        coach=coach or (Coach.full if own_dice else Coach.off),
        aim=aim or "mean",
        against=against,
        own_dice=own_dice,
        name=name,
        practice=practice,
    )
    is_asked = (dice, slots, number) != ("3d6", "1-10", 0) or seed is not None or against is not None or own_dice
    changes: dict[str, Any] = ({"coach": coach} if coach else {}) | ({"aim": aim} if aim else {})
    changes |= {"practice": True} if practice else {}
    dialogue, history = dialogue_here(stderr=as_json), History()
    game: GameInPlay | None = None
    with Ending() as ending:
        with dialogue:
            game = None if new else _offered(history, dialogue, changes, is_asked=is_asked)
            game = game or GameInPlay(settings, history, find=find)
            needs_tables = game.settings.against is not None or game.settings.aim != "mean"
            with dialogue.busy(" Preparing the game") if needs_tables else nullcontext():
                game.prepare()
            play_on(game, dialogue)
        _end(game, dialogue)
    if game is not None and game.is_begun and not game.record.finished:
        game.leave()
        _say_goodbye(game, dialogue)
    if as_json:
        print_json(play_answer(game))
    raise typer.Exit(ending.code)


def _game(dice: str, slots: str) -> Game:
    game = Game.parse(dice, slots)
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size:,} slots do not fit on a screen; accepted: at most {MAX_SLOTS}", field="slots")
    return game


class Offer(Enum):
    new = auto()
    give_up = auto()


def _offered(history: History, dialogue: Dialogue, changes: dict[str, Any], *, is_asked: bool) -> GameInPlay | None:
    """The unfinished game that the player continues; None for a new one, and if the player has asked for one."""
    remark: str | None = None
    while (entries := unfinished_games(history)[:MAX_OFFERED]) and not is_asked:
        choice, remark = _choose_left(entries, dialogue, remark), None
        if choice is Offer.new:
            return None
        is_given_up = choice is Offer.give_up
        place = _choose_given_up(len(entries), dialogue) if choice is Offer.give_up else choice
        if place is None:
            continue
        unfinished, _ = entries[place]
        if not unfinished.lock():
            remark = "That game is being played in another window."
        elif is_given_up:
            unfinished.drop()
        else:
            try:  # read it again: it may have changed since
                return GameInPlay.resumed(unfinished, history, find, **changes)
            except (OSError, ValueError) as error:
                unfinished.unlock()
                remark = f"Cannot read that game: {error}"
    if remark is not None:  # it was the only one
        dialogue.ask([Note(remark), Note("")], "n new game · q quit:", {"n": Offer.new})
    return None


def _choose_left(entries: list[tuple[UnfinishedGame, Record]], dialogue: Dialogue, remark: str | None) -> int | Offer:
    count = len(entries)
    numbered = {str(place + 1): place for place in range(count)}
    notes = [] if remark is None else [Note(remark)]
    notes += [Note("You have " + ("an unfinished game:" if count == 1 else "unfinished games:"), "bold"), Note("")]
    notes += [Note(f"  {number}  {_described(*entry)}") for number, entry in enumerate(entries, start=1)]
    go_on, give_up = ("c continue", "it") if count == 1 else (f"1-{count} continue one", "one")
    question = f"{go_on} · n new game · g give {give_up} up · q quit:"
    answers: dict[str, int | Offer] = {"c": 0, "n": Offer.new, "g": Offer.give_up, **numbered}
    return dialogue.ask([*notes, Note("")], question, answers)


def _choose_given_up(count: int, dialogue: Dialogue) -> int | None:
    question = "Give it up for good? y/n" if count == 1 else f"Give up which one, for good? 1-{count} · n none:"
    places = {"y": 0} if count == 1 else {str(place + 1): place for place in range(count)}
    answers: dict[str, int | None] = {"n": None, **places}
    return dialogue.ask([], question, answers)


def _described(unfinished: UnfinishedGame, record: Record) -> str:
    parts = [str(record.board.game)[:30], *standing(record)]
    with suppress(OSError):
        parts.append(_ago(time() - unfinished.kept_at))
    return " · ".join(parts)


def _ago(seconds: float) -> str:
    """How long ago it was, roughly.

    >>> _ago(30), _ago(3700), _ago(200000)
    ('just now', '1 hour ago', '2 days ago')
    """
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if count := int(seconds // length):
            return f"{counted(count, unit)} ago"
    return "just now"


def _end(game: GameInPlay, dialogue: Dialogue) -> None:
    game.finish()
    record, screen = game.record, dialogue.screen
    if record.opponent is not None and (result := result_of(record)) is not None:
        scores = f"{shown_number(record.board.score)} to {shown_number(record.opponent.score)}"
        screen.print(f" {ENDS[result]}, {scores} against {game.settings.against}.", style="bold")
    for part in review_page(game.review()):
        screen.print(part)
    screen.print()
    if game.trouble is None:
        screen.print(" The game is in your history; `ten18 history` shows your progress.", style="dim")
    else:
        _show_record(game, dialogue, "The game is not in your history")


def _say_goodbye(game: GameInPlay, dialogue: Dialogue) -> None:
    try:
        if game.trouble is None:
            dialogue.screen.print(f" {SAVED}")
        else:
            _show_record(game, dialogue, "The game is not saved")
    except OSError:  # the terminal is gone
        drop_output(dialogue.screen.file)


def _show_record(game: GameInPlay, dialogue: Dialogue, what: str) -> None:
    dialogue.screen.print(f" {what}: {game.trouble}. Here it is:", soft_wrap=True)
    dialogue.screen.print(format_record(game.record), soft_wrap=True)
