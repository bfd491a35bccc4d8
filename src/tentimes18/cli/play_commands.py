"""`ten18 play` and `drill`: the game in the terminal, with a coach and an opponent, and positions to answer."""

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from random import Random
from time import time
from typing import Annotated, Any

import typer

from tentimes18.cli.command import JsonOption, add_plain
from tentimes18.cli.output import drop_output, print_json
from tentimes18.cli.terminal.board_screen import Note, View
from tentimes18.cli.terminal.games_pages import class_style, counted_classes, review_page
from tentimes18.cli.terminal.screen import Dialogue, Ending, Request, dialogue_here
from tentimes18.coach.advice import Advice, reason
from tentimes18.coach.drill import Answer, Drill, Question, Source
from tentimes18.coach.losses import CLASSES, Unit, classify
from tentimes18.errors import IllegalMove, Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.number_format import counted, listed, shown_number, shown_roll
from tentimes18.play.faces import faces_of
from tentimes18.play.game_in_play import Coach, GameInPlay, Settings, any_seed, unfinished_games
from tentimes18.queries import DiceText, Doc, SlotsText
from tentimes18.queries.games import drill_answer, play_answer
from tentimes18.records.formats import Line
from tentimes18.records.history import History, UnfinishedGame
from tentimes18.records.notation import Record, format_record
from tentimes18.strategies.user_code import find
from tentimes18.wording import class_name, mixes_text, result_of, shown_loss, shown_worth, standing, words_of

MAX_SLOTS = 100
MAX_OFFERED = 9
MAX_QUESTIONS = 1000
ENDS = {"won": "You win", "drawn": "A draw", "lost": "You lose"}
SAVED = "The game is saved: `ten18 play` continues it."


def register(app: typer.Typer) -> None:
    add_plain(app, play)
    add_plain(app, drill)


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
    rules = Game.parse(dice, slots)
    if rules.size > MAX_SLOTS:
        raise TooLarge(f"{rules.size:,} slots do not fit on a screen; accepted: at most {MAX_SLOTS}", field="slots")
    settings = Settings(
        game=rules,
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


def _offered(history: History, dialogue: Dialogue, changes: dict[str, Any], *, is_asked: bool) -> GameInPlay | None:
    """The unfinished game that the player continues; None for a new one, and if the player has asked for one."""
    remark: str | None = None
    while (entries := unfinished_games(history)[:MAX_OFFERED]) and not is_asked:
        choice, remark = _choose_left(entries, dialogue, remark), None
        if choice == "new":
            return None
        is_given_up = choice == "give up"
        place = _choose_given_up(len(entries), dialogue) if is_given_up else choice
        if not isinstance(place, int):
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
        dialogue.ask([Note(remark), Note("")], "n new game · q quit:", {"n": None})
    return None


def _choose_left(entries: list[tuple[UnfinishedGame, Record]], dialogue: Dialogue, remark: str | None) -> int | str:
    count = len(entries)
    numbered = {str(place + 1): place for place in range(count)}
    notes = [] if remark is None else [Note(remark)]
    notes += [Note("You have " + ("an unfinished game:" if count == 1 else "unfinished games:"), "bold"), Note("")]
    notes += [Note(f"  {number}  {_described(*entry)}") for number, entry in enumerate(entries, start=1)]
    go_on, give_up = ("c continue", "it") if count == 1 else (f"1-{count} continue one", "one")
    question = f"{go_on} · n new game · g give {give_up} up · q quit:"
    answers: dict[str, int | str] = {"c": 0, "n": "new", "g": "give up", **numbered}
    return dialogue.ask([*notes, Note("")], question, answers)


def _choose_given_up(count: int, dialogue: Dialogue) -> int | None:
    question = "Give it up for good? y/n" if count == 1 else f"Give up which one, for good? 1-{count} · n none:"
    places = {"y": 0} if count == 1 else {str(place + 1): place for place in range(count)}
    return dialogue.ask([], question, {"n": None, **places})


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


DRILL_HELP = (
    Note("The drill", "bold"),
    Note(
        "Each question is a board with a roll to place. Name the slot that makes the most points on average with the "
        "best play after it. Positions that you get wrong are asked again after a few others, and the next time."
    ),
    Note(""),
    Note("Keys", "bold"),
    Note("  1-9, 0    that slot; 0 is slot 10"),
    Note("  ← →       move over the free slots; Enter chooses, Escape does not"),
    Note("  h         a hint: the two slots in question; the position is then asked again"),
    Note("  q         stop; your answers are saved"),
    Note(""),
)


def drill(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    count: Annotated[int, Doc("The number of questions.", metavar="N", least=1, most=MAX_QUESTIONS)] = 10,
    source: Annotated[Source, Doc("Ask close calls, errors from your history, or both.", option="--from")] = Source.all,
    seed: Annotated[
        int | None, Doc("The seed of the close calls: the same seed gives the same ones.", default="any")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Practise on close calls, and on the moves that you got wrong before.

    A position that you got wrong comes back after a few questions and in the next drill; one that you got right, after
    days, then weeks.
    """
    game = Game.parse(dice, slots)
    questions = Drill(game, count, seed=any_seed() if seed is None else seed, source=source, errors=_past_errors(game))
    dialogue = dialogue_here(stderr=as_json)
    with Ending() as ending, dialogue:
        if (question := questions.question()) is None:
            dialogue.screen.print(f" {_nothing(questions, source)}")
        while question:
            _ask(questions, question, dialogue)
            question = questions.question()
    if questions.answers:
        with suppress(OSError):  # of a terminal that is gone
            _show_result(questions, dialogue)
    if as_json:
        print_json(drill_answer(questions))
    raise typer.Exit(ending.code)


def _past_errors(game: Game) -> Iterator[Question]:
    """The errors in the player's history, which is read when the first is needed."""
    lines = (line for line in History().games() if isinstance(line, Line))
    if records := [line.record for line in lines if line.record.board.game == game]:
        from tentimes18.coach.drill import past_errors

        yield from past_errors(game, records)


def _ask(questions: Drill, question: Question, dialogue: Dialogue) -> None:
    view, is_hinted = _view(questions, question), False
    answer: Answer | None = None
    while answer is None:
        match dialogue.choose(view):
            case Request.help:
                dialogue.read_out(DRILL_HELP)
            case Request.hint:
                is_hinted = True
                runner_up = next(move.slot for move in question.advice.moves if move.loss)
                first, second = sorted((question.advice.best, runner_up))
                dialogue.tell(f"Slot {first} or {second}?", "cyan")
            case Request.take_back:
                dialogue.tell("Answers are final; wrong ones are asked again.", "yellow")
            case int(slot):
                try:
                    answer = questions.answer(question, slot, is_hinted=is_hinted)
                except IllegalMove as error:
                    dialogue.tell_error(error)
    board, advice = question.record.board, answer.advice
    dialogue.show(replace(view, advice=advice, reason=reason(board.game, advice)), _grade(questions, answer))


def _view(questions: Drill, question: Question) -> View:
    record, game = question.record, questions.game
    assert record.roll is not None
    place = f"{len(questions.answers) + 1} of {questions.total}"
    origin = "you erred here" if question.source is Source.history else "a close call"
    return View(
        record=record,
        heading=f"{game} · question {place} · {'it will be asked again' if question.is_back else origin}",
        status=[
            ("question", place),
            ("round", f"{record.board.rounds + 1} of {game.size}"),
            ("score", shown_number(record.board.score)),
        ],
        faces=faces_of(game.dice, record.roll, Random(f"faces {record.board.placements} {record.roll}")),
    )


def _grade(questions: Drill, answer: Answer) -> list[Note]:
    roll, best = shown_roll(answer.advice.roll), answer.advice.best_slots
    if answer.is_right:
        others = [slot for slot in best if slot != answer.slot]
        as_good = f"; so is slot {', '.join(map(str, others))}" if others else ""
        text = f"{roll} in slot {answer.slot}: best{as_good}."
    else:
        cost = shown_loss(answer.loss, Unit.points, digits=2)
        slots = f"{'slot' if len(best) == 1 else 'slots'} {listed(best)}"
        text = f"{roll} in slot {answer.slot} loses {cost}, {class_name(answer.move_class)}; best is {slots}."
    notes = [Note(text, class_style(answer.move_class))]
    if answer.scheduled is not None:
        days = (answer.scheduled.due - questions.today).days
        notes.append(
            Note("You will see it again." if not days else f"You will see it again in {counted(days, 'day')}.", "dim")
        )
    if questions.trouble is not None:
        notes.append(Note(f"It cannot be saved ({questions.trouble}).", "red"))
    return notes


def _show_result(questions: Drill, dialogue: Dialogue) -> None:
    answers, mean_loss, screen = questions.answers, questions.mean_loss, dialogue.screen
    assert mean_loss is not None
    screen.print()
    share = f"{questions.right} of {len(answers)} right ({questions.right / len(answers):.0%})"
    screen.print(f" {share} · mean loss {shown_loss(mean_loss, Unit.points, digits=2)}", style="bold")
    names = [answer.move_class.name for answer in answers]
    screen.print(
        " ", counted_classes({move_class.name: names.count(move_class.name) for move_class in CLASSES}), sep=""
    )
    if len(answers) == questions.total < questions.count:
        screen.print(f" There are no more positions to drill in {questions.game}.", style="dim")
    back = Counter((position.due - questions.today).days for position in questions.coming_back())
    if back:
        now = sum(count for days, count in back.items() if days <= 0)
        later = [f"{count} in {counted(days, 'day')}" for days, count in sorted(back.items()) if days > 0]
        screen.print(f" To repeat: {', '.join(([f'{now} the next time'] if now else []) + later)}.", style="dim")


def _nothing(questions: Drill, source: Source) -> str:
    if source is Source.history:
        return (
            f"No move of {questions.game} in your history lost a point or more: `ten18 drill --from close` asks others."
        )
    return f"There is nothing to drill in {questions.game}: no move is a choice."


RATED = "Moves are final in rated games. To take them back, use --practice."

KEY_WIDTH = 12
HELP = (
    Note("The game", "bold"),
    Note(
        "Each round brings one roll, which you place in a free slot. It counts as often as the slot's multiplier says: "
        "a 12 under ×7 makes 84 points. When all slots are filled, the points are your score."
    ),
    Note(""),
    Note("Keys", "bold"),
    Note("  1-9, 0    place the roll in that slot; 0 is slot 10", indent=KEY_WIDTH),
    Note("  ← →       move over the free slots; Enter places the roll, Escape does not", indent=KEY_WIDTH),
    Note("  h         a hint: what every free slot is worth with this roll", indent=KEY_WIDTH),
    Note("  u         take your last move back, in practice; so does Backspace", indent=KEY_WIDTH),
    Note("  r         with your own dice: type the roll again", indent=KEY_WIDTH),
    Note("  q         leave; the game is saved, with the roll to place", indent=KEY_WIDTH),
    Note("With more than ten slots, type the number and Enter.", "dim"),
    Note(""),
    Note(
        "A game with a coach, with your own dice or started with --practice is practice: you can take moves back, and "
        "the record says so. In any other game, which is rated, moves are final."
    ),
    Note(""),
    Note("The coach", "bold"),
    Note(
        "value is the final score that you can expect if you place the roll there and play on optimally; loss "
        "is how much less that is than with the best slot: ?! is an inaccuracy, ? a mistake, ?? a blunder."
    ),
)


def play_on(game: GameInPlay, dialogue: Dialogue) -> None:
    shown = ShownGame(game, dialogue)
    game.begin()
    shown.tell_trouble()
    while not game.record.finished:
        if game.needs_roll:
            shown.ask_roll()
        else:
            shown.place_roll()
        shown.tell_trouble()
    dialogue.close(shown.view())


class ShownGame:
    def __init__(self, game: GameInPlay, dialogue: Dialogue) -> None:
        self.game = game
        self.dialogue = dialogue
        self._is_told = False

    def view(self, *, is_hinted: bool = False) -> View:
        game, record, settings = self.game, self.game.record, self.game.settings
        board, is_full, unit = record.board, settings.coach is Coach.full, game.aim.unit
        advice = game.advice() if record.roll is not None and (is_full or is_hinted) else None
        status = [] if record.finished else [("round", f"{board.rounds + 1} of {board.game.size}")]
        status.append(("score", shown_number(board.score)))
        if record.opponent is not None:
            status.append(("theirs", shown_number(record.opponent.score)))
        if is_full and not record.finished:
            worth = advice.moves[0].worth if advice else game.aim.worth(game.position)
            status.append((words_of(unit).expected, shown_worth(worth, unit)))
        return View(
            record=record,
            heading=self._heading(),
            status=status,
            faces=game.faces,
            advice=advice,
            unit=unit,
            reason=self._reason(advice) if advice else None,
            is_own_roll=settings.own_dice,
            can_take_back=settings.is_practice and board.rounds > 0,
        )

    def _reason(self, advice: Advice) -> str | None:
        board = self.game.record.board
        if advice.mixes is not None:
            return mixes_text(advice.mixes)
        return reason(board.game, advice) if self.game.aim.name == "mean" else None

    def _heading(self) -> str:
        settings = self.game.settings
        rolls = "own dice" if settings.own_dice else f"seed {settings.seed}"
        if settings.number and not settings.own_dice:
            rolls += f", game {settings.number}"
        against = [f"against {settings.against}"] if settings.against else []
        aim = [f"aim {settings.aim}"] if settings.aim != "mean" else []
        practice = ["practice"] if settings.practice else []
        taken_back = [f"{self.game.takebacks} taken back"] if self.game.takebacks else []
        return " · ".join([str(settings.game), rolls, *against, *aim, *practice, *taken_back])

    def ask_roll(self) -> None:
        dice = self.game.settings.game.dice
        question = f"What do your dice ({dice}) show?" if len(str(dice)) <= 30 else "What do your dice show?"
        typed = self.dialogue.type_in(self.view(), question)
        if typed is Request.take_back:
            self._take_back()
            return
        if isinstance(typed, Request):
            self.dialogue.read_out(HELP)
            return
        try:
            self.game.roll(int(typed))
        except IllegalMove as error:
            self.dialogue.tell(error.problem, "yellow")
        except ValueError:
            self.dialogue.tell(f"{typed[:20]!r} is not a roll; type the number that the dice show, or q.", "yellow")

    def place_roll(self) -> None:
        game, is_hinted = self.game, False
        while True:
            view = self.view(is_hinted=is_hinted)
            match self.dialogue.choose(view):
                case Request.help:
                    self.dialogue.read_out(HELP)
                case Request.other_roll:
                    game.take_roll_back()
                    return
                case Request.take_back:
                    if self._take_back():
                        return
                case Request.hint:
                    if not is_hinted and game.settings.coach is not Coach.full:
                        game.note_hint()
                    is_hinted = True
                case int(slot):
                    try:
                        game.record.board.verify(slot)
                    except IllegalMove as error:
                        self.dialogue.tell_error(error)
                    else:
                        if self._is_meant(view, slot):
                            break
        advice = game.advice() if game.settings.coach is not Coach.off else None
        game.place(slot)
        self._tell_move(slot, advice)

    def _take_back(self) -> bool:
        if not self.game.settings.is_practice:
            self.dialogue.tell(RATED, "yellow")
            return False
        try:
            self.game.take_back()
        except IllegalMove as error:
            self.dialogue.tell_error(error)
            return False
        self.dialogue.tell(f"Taken back: {shown_roll(self.game.record.roll)} waits again.", "cyan")
        return True

    def _is_meant(self, view: View, slot: int) -> bool:
        game = self.game
        if game.settings.coach is not Coach.warn:
            return True
        loss, unit = game.advice().move(slot).loss, game.aim.unit
        move_class = classify(loss, unit)
        if not move_class.mark:
            return True
        note = Note(f"Slot {slot} loses {shown_loss(loss, unit)}, {class_name(move_class)}", class_style(move_class))
        return self.dialogue.ask([note], "Place it anyway? y/n", {"n": False, "y": True}, view)

    def _tell_move(self, slot: int, advice: Advice | None) -> None:
        game, record = self.game, self.game.record
        roll = shown_roll(record.board.placements[-1].roll)
        if advice is not None and advice.is_choice:
            loss, unit = advice.move(slot).loss, game.aim.unit
            move_class = classify(loss, unit)
            text = f"{roll} in slot {slot}: best."
            if loss:
                best = ", ".join(map(str, advice.best_slots))
                text = (
                    f"{roll} in slot {slot} cost {shown_loss(loss, unit)}, {class_name(move_class)}; best was {best}."
                )
            self.dialogue.tell(text, class_style(move_class))
        if record.opponent is not None:
            theirs = record.opponent.placements[-1].slot
            self.dialogue.tell(f"{game.settings.against} placed {roll} in slot {theirs}.", "magenta")

    def tell_trouble(self) -> None:
        if self.game.trouble is not None and not self._is_told:
            self._is_told = True
            self.dialogue.tell(
                f"The game cannot be saved ({self.game.trouble}); you can finish it, but do not leave it.", "red"
            )
