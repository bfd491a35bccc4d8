"""`ten18 play`: the game in the terminal, with a coach and an opponent."""

from contextlib import nullcontext, suppress
from enum import Enum, auto
from time import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tentimes18.cli.command import JsonOption, add_plain
from tentimes18.cli.output import drop_output, print_json
from tentimes18.cli.terminal.board import Note
from tentimes18.cli.terminal.game_screen import play_on
from tentimes18.cli.terminal.review_page import review_page
from tentimes18.cli.terminal.screen import Dialogue, Ending, dialogue_here
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.number_format import counted, shown_number
from tentimes18.play.game_in_play import GameInPlay, unfinished_games
from tentimes18.play.game_settings import Coach, Settings, any_seed
from tentimes18.queries import DiceText, Doc, SlotsText
from tentimes18.queries.games import play_answer
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record, format_record
from tentimes18.wording import result_of, standing

if TYPE_CHECKING:
    from tentimes18.strategies.strategy import Strategy

MAX_SLOTS = 100
MAX_OFFERED = 9
ENDS = {"won": "You win", "drawn": "A draw", "lost": "You lose"}
KEPT = "The game is kept: `ten18 play` goes on with it."


def register(app: typer.Typer) -> None:
    """Add this command."""
    add_plain(app, play)


def play(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    seed: Annotated[int | None, Doc("The same seed gives the same rolls.", default="any")] = None,
    number: Annotated[int, Doc("Which game of the seed, from 0.", metavar="N", option="--game")] = 0,
    coach: Annotated[
        Coach | None,
        Doc("Silent, asking before a bad move, or showing values.", default="off; own dice: full"),
    ] = None,
    aim: Annotated[
        str | None,
        Doc("What moves are measured by: mean, target:700, duel, duel:optimal.", metavar="AIM", default="mean"),
    ] = None,
    against: Annotated[
        str | None, Doc("optimal, random, hunter, equilibrium, nearest, target:700, ...", metavar="NAME")
    ] = None,
    own_dice: Annotated[bool, Doc("You roll real dice, and type what they show.")] = False,
    practice: Annotated[bool, Doc("Moves may be taken back, as with a coach or --own-dice.")] = False,
    name: Annotated[str | None, Doc("Who plays; kept with the game.", metavar="NAME")] = None,
    new: Annotated[bool, Doc("A new game, whatever is unfinished.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a game, with a coach and an opponent if you like.

    A game that you leave is kept, with the roll that waits, and offered again the next time. Finished games go into
    the history, with a review at the end. While practising, u takes a move back; in a rated game a move stands.
    """
    if own_dice and seed is not None:
        raise Ten18Error("with --own-dice the rolls are yours; leave one of the two out", field="seed")
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
    changes: dict[str, Any] = ({"coach": coach} if coach else {}) | ({"aim": aim} if aim else {})
    changes |= {"practice": True} if practice else {}
    dialogue, history = dialogue_here(stderr=as_json), History()
    game: GameInPlay | None = None
    with Ending() as ending:
        with dialogue:
            game = None if new else _offered(history, dialogue, changes)
            game = game or GameInPlay(settings, history, find=_find)
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


def _find(name: str) -> "Strategy":
    """Whoever types the command may name code of their own."""
    from tentimes18.strategies.user_code import find

    return find(name)


def _game(dice: str, slots: str) -> Game:
    game = Game.parse(dice, slots)
    if game.size > MAX_SLOTS:
        raise TooLarge(f"{game.size:,} slots do not fit on a screen; at most {MAX_SLOTS} can be played", field="slots")
    return game


class Offer(Enum):
    """What a player may want who has left games, but to go on with one."""

    new = auto()
    give_up = auto()


def _offered(history: History, dialogue: Dialogue, changes: dict[str, Any]) -> GameInPlay | None:
    """An unfinished game that the player goes on with; none for a new one."""
    remark: str | None = None
    while entries := unfinished_games(history)[:MAX_OFFERED]:
        wanted, remark = _choose_left(entries, dialogue, remark), None
        if wanted is Offer.new:
            return None
        is_given_up = wanted is Offer.give_up
        place = _choose_given_up(len(entries), dialogue) if wanted is Offer.give_up else wanted
        if place is None:
            continue
        kept, _ = entries[place]
        if not kept.lock():
            remark = "That game is being played in another window."
        elif is_given_up:
            kept.drop()
        else:
            try:  # anew: it may have gone on in between
                return GameInPlay.resumed(kept, history, _find, **changes)
            except (OSError, ValueError) as error:
                kept.unlock()
                remark = f"That game cannot be read: {error}"
    if remark is not None:  # it was the only one
        dialogue.ask([Note(remark), Note("")], "n new game · q quit:", {"n": Offer.new})
    return None


def _choose_left(entries: list[tuple[UnfinishedGame, Record]], dialogue: Dialogue, remark: str | None) -> int | Offer:
    """The place of the game to go on with, or what else to do."""
    count = len(entries)
    notes = [] if remark is None else [Note(remark)]
    notes += [Note("You have left " + ("a game:" if count == 1 else "games:"), "bold"), Note("")]
    notes += [Note(f"  {number}  {_described(*entry)}") for number, entry in enumerate(entries, start=1)]
    go_on, give_up = ("c go on", "it") if count == 1 else (f"1-{count} go on with one", "one")
    question = f"{go_on} · n new game · g give {give_up} up · q quit:"
    answers: dict[str, int | Offer] = {"c": 0, "n": Offer.new, "g": Offer.give_up, **_numbered(count)}
    return dialogue.ask([*notes, Note("")], question, answers)


def _choose_given_up(count: int, dialogue: Dialogue) -> int | None:
    """The place of the game to give up, if it is meant."""
    question = "Give it up for good? y/n" if count == 1 else f"Give up which one, for good? 1-{count} · n none:"
    answers: dict[str, int | None] = {"n": None, **({"y": 0} if count == 1 else _numbered(count))}
    return dialogue.ask([], question, answers)


def _numbered(count: int) -> dict[str, int]:
    """The places of games by the number that people see."""
    return {str(place + 1): place for place in range(count)}


def _described(kept: UnfinishedGame, record: Record) -> str:
    parts = [str(record.board.game)[:30], *standing(record)]
    with suppress(OSError):
        parts.append(_ago(time() - kept.kept_at))
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
    """The game goes into the history; who won, and the review."""
    game.finish()
    record, screen = game.record, dialogue.screen
    if record.opponent is not None and (result := result_of(record)) is not None:
        scores = f"{shown_number(record.board.score)} to {shown_number(record.opponent.score)}"
        screen.print(f" {ENDS[result]}, {scores} against {game.settings.against}.", style="bold")
    for part in review_page(game.review()):
        screen.print(part)
    screen.print()
    if game.trouble is None:
        screen.print(" The game is in your history; `ten18 history` shows how you get on.", style="dim")
    else:
        _show_record(game, dialogue, "The game is not in your history")


def _say_goodbye(game: GameInPlay, dialogue: Dialogue) -> None:
    try:
        if game.trouble is None:
            dialogue.screen.print(f" {KEPT}")
        else:
            _show_record(game, dialogue, "The game is not kept")
    except OSError:  # the terminal is gone
        drop_output(dialogue.screen.file)


def _show_record(game: GameInPlay, dialogue: Dialogue, what: str) -> None:
    """The record itself, so that nothing is lost where nothing can be written."""
    dialogue.screen.print(f" {what}: {game.trouble}. Here it is:", soft_wrap=True)
    dialogue.screen.print(format_record(game.record), soft_wrap=True)
