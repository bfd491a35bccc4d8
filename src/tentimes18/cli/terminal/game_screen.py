"""One game from its first roll to its last, in a dialogue: what is shown, what the coach says, what one may do."""

from tentimes18.cli.terminal.board import Note, View
from tentimes18.cli.terminal.review_page import class_style
from tentimes18.cli.terminal.screen import Dialogue, Place, Request
from tentimes18.coach.advice import Advice, reason
from tentimes18.coach.losses import classify
from tentimes18.errors import IllegalMove
from tentimes18.number_format import shown_number, shown_roll
from tentimes18.play.game_in_play import GameInPlay
from tentimes18.play.game_settings import Coach
from tentimes18.wording import class_name, shown_loss, shown_worth, told_mixes, words_of

RATED = "A move stands in a rated game; --practice or a coach lets you take it back."

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
    Note("  ← →       walk over the free slots; Enter places the roll, Escape does not", indent=KEY_WIDTH),
    Note("  h         a hint: what every free slot is worth with this roll", indent=KEY_WIDTH),
    Note("  u         take your last move back, while practising; Backspace, too", indent=KEY_WIDTH),
    Note("  r         with your own dice: type the roll again", indent=KEY_WIDTH),
    Note("  q         leave; the game is kept, with the roll that waits", indent=KEY_WIDTH),
    Note("With more than ten slots, type the number and Enter.", "dim"),
    Note(""),
    Note(
        "A game with a coach, with your own dice or begun with --practice is practice: a move may be taken back, and "
        "the record says so. Any other game is rated, and a move stands."
    ),
    Note(""),
    Note("The coach", "bold"),
    Note(
        "value is the final score that you can expect if you place the roll there and play on as well as can be; loss "
        "is what that gives up against the best slot: ?! is an inaccuracy, ? a mistake, ?? a blunder."
    ),
)


def play_on(game: GameInPlay, dialogue: Dialogue) -> None:
    """Play from where the game stands to its last roll."""
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
    """A game in play, before the eyes of the one who plays it."""

    def __init__(self, game: GameInPlay, dialogue: Dialogue) -> None:
        self.game = game
        self.dialogue = dialogue
        self._is_told = False

    def view(self, *, is_hinted: bool = False) -> View:
        """What there is to see now."""
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
        """Why the best slot is best; in a duel against the best play, how both mix their moves."""
        board = self.game.record.board
        if advice.mixes is not None:
            return told_mixes(advice.mixes)
        return reason(board.game, board.free_slots, advice.roll) if self.game.aim.name == "mean" else None

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
        """The player rolls real dice, and says what they show."""
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
        """The player chooses a slot for the roll that waits."""
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
        """Take the last move back; where that cannot be, the player is told why."""
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
        """Whether the roll may go there; if not, the player is told why."""
        try:
            self.game.record.board.verify(slot)
        except IllegalMove as error:
            self.dialogue.tell_error(error)
            return False
        return True

    def _is_meant(self, view: View, slot: int) -> bool:
        """Whether the player wants a bad move all the same, where the coach has to ask."""
        game = self.game
        if game.settings.coach is not Coach.warn:
            return True
        loss, unit = game.advice().move(slot).loss, game.aim.unit
        found = classify(loss, unit)
        if not found.mark:
            return True
        note = Note(f"Slot {slot} loses {shown_loss(loss, unit)}, {class_name(found)}", class_style(found))
        return self.dialogue.ask([note], "Place it anyway? y/n", {"n": False, "y": True}, view)

    def _tell_move(self, slot: int, advice: Advice | None) -> None:
        game, record = self.game, self.game.record
        roll = shown_roll(record.board.placements[-1].roll)
        if advice is not None and advice.is_choice:
            loss, unit = advice.move(slot).loss, game.aim.unit
            found = classify(loss, unit)
            text = f"{roll} in slot {slot}: best."
            if loss:
                best = ", ".join(map(str, advice.best_slots))
                text = f"{roll} in slot {slot} cost {shown_loss(loss, unit)}, {class_name(found)}; best was {best}."
            self.dialogue.tell(text, class_style(found))
        if record.opponent is not None:
            theirs = record.opponent.placements[-1].slot
            self.dialogue.tell(f"{game.settings.against} placed {roll} in slot {theirs}.", "magenta")

    def tell_trouble(self) -> None:
        """Say once that the game cannot be kept; it goes on."""
        if self.game.trouble is not None and not self._is_told:
            self._is_told = True
            self.dialogue.tell(
                f"The game cannot be kept ({self.game.trouble}); it goes on, but do not leave it.", "red"
            )
