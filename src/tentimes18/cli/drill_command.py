"""`ten18 drill`: positions to answer, graded at once; wrong answers are asked again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Annotated

import typer

from tentimes18.cli.command import JsonOption, add_plain
from tentimes18.cli.output import print_json
from tentimes18.cli.terminal.board_screen import Note, View
from tentimes18.cli.terminal.review_page import class_style, counted_classes
from tentimes18.cli.terminal.screen import Dialogue, Ending, Place, Request, dialogue_here
from tentimes18.coach.advice import reason
from tentimes18.coach.drill import Answer, Drill, Question, Source
from tentimes18.coach.losses import CLASSES, Unit
from tentimes18.errors import IllegalMove
from tentimes18.game import Game
from tentimes18.number_format import counted, listed, shown_number, shown_roll
from tentimes18.play.faces import faces_of
from tentimes18.play.game_in_play import any_seed
from tentimes18.queries import DiceText, Doc, SlotsText
from tentimes18.queries.games import drill_answer
from tentimes18.records.formats import Line
from tentimes18.records.history import History
from tentimes18.wording import class_name, shown_loss

MAX_COUNT = 1000
HELP = (
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


def register(app: typer.Typer) -> None:
    add_plain(app, drill)


def drill(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    count: Annotated[int, Doc("The number of questions.", metavar="N", least=1, most=MAX_COUNT)] = 10,
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
                dialogue.read_out(HELP)
            case Request.hint:
                is_hinted = True
                runner_up = next(move.slot for move in question.advice.moves if move.loss)
                first, second = sorted((question.advice.best, runner_up))
                dialogue.tell(f"Slot {first} or {second}?", "cyan")
            case Request.take_back:
                dialogue.tell("Answers are final; wrong ones are asked again.", "yellow")
            case Place(slot):
                try:
                    answer = questions.answer(question, slot, is_hinted=is_hinted)
                except IllegalMove as error:
                    dialogue.tell_error(error)
    board, advice = question.record.board, answer.advice
    dialogue.show(
        replace(view, advice=advice, reason=reason(board.game, advice)),
        _grade(questions, answer),
    )


def _view(questions: Drill, question: Question) -> View:
    record, game = question.record, questions.game
    assert record.roll is not None
    number = len(questions.answers) + 1
    origin = "you erred here" if question.source is Source.history else "a close call"
    heading = [
        str(game),
        f"question {number} of {questions.total}",
        "it will be asked again" if question.is_back else origin,
    ]
    return View(
        record=record,
        heading=" · ".join(heading),
        status=[
            ("question", f"{number} of {questions.total}"),
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
