"""One game from its first roll to its last, in a dialogue: what is shown, what the coach says, what one may do."""

from tentimes18.cli.terminal.board_screen import Note, View
from tentimes18.cli.terminal.games_pages import class_style
from tentimes18.cli.terminal.screen import Dialogue, Place, Request
from tentimes18.coach.advice import Advice, reason
from tentimes18.coach.losses import classify
from tentimes18.errors import IllegalMove
from tentimes18.number_format import shown_number, shown_roll
from tentimes18.play.game_in_play import GameInPlay
from tentimes18.play.game_settings import Coach
from tentimes18.wording import class_name, mixes_text, shown_loss, shown_worth, words_of

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
                case Place(slot):
                    if self._is_legal(slot) and self._is_meant(view, slot):
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

    def _is_legal(self, slot: int) -> bool:
        try:
            self.game.record.board.verify(slot)
        except IllegalMove as error:
            self.dialogue.tell_error(error)
            return False
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
