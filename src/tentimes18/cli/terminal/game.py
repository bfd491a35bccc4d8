"""One game from its first roll to its last, at a seat: what is shown, what the coach says, what the player may do."""

from random import Random
from typing import TYPE_CHECKING, Final

from tentimes18.cli.terminal.board import Note, View, faces_of
from tentimes18.cli.terminal.review import class_style
from tentimes18.coach.advice import reason
from tentimes18.coach.classes import classify
from tentimes18.errors import IllegalMove
from tentimes18.play.game import Coach, GameInPlay
from tentimes18.show.words import class_name, shown_loss, shown_number, shown_worth, words_of

if TYPE_CHECKING:
    from tentimes18.cli.terminal.dialogue import Seat
    from tentimes18.coach.advice import Advice

__all__ = ["play_on", "trouble_of"]

HELP: Final = (
    Note("The game", "bold"),
    Note(
        "Each round brings one roll, which you place in a free slot. It counts as often as the slot's multiplier says: "
        "a 12 under ×7 makes 84 points. When all slots are filled, the points are your score."
    ),
    Note(""),
    Note("Keys", "bold"),
    Note("  1-9, 0    place the roll in that slot; 0 is slot 10"),
    Note("  ← →       walk over the free slots; Enter places the roll, Escape does not"),
    Note("  h         a hint: what every free slot is worth with this roll"),
    Note("  r         with your own dice: type the roll again"),
    Note("  q         leave; the game is kept, with the roll that waits"),
    Note("With more than ten slots, type the number and Enter.", "dim"),
    Note(""),
    Note("The coach", "bold"),
    Note(
        "value is the final score that you can expect if you place the roll there and play on as well as can be; loss "
        "is what that gives up against the best slot: ?! is an inaccuracy, ? a mistake, ?? a blunder."
    ),
    Note(""),
)


def play_on(game: GameInPlay, seat: "Seat") -> None:
    """Play from where the game stands to its last roll."""
    table = Table(game, seat)
    game.begin()
    table.tell_trouble()
    while not game.record.finished:
        if game.needs_roll:
            table.ask_roll()
        else:
            table.place_roll()
        table.tell_trouble()
    seat.close(table.view())


def trouble_of(game: GameInPlay) -> str:
    """Why a game could not be kept."""
    error = game.trouble
    return f"{(error and error.strerror) or error}: {game.history.folder}"


class Table:
    """A game in play and the one who plays it."""

    def __init__(self, game: GameInPlay, seat: "Seat") -> None:
        self.game = game
        self.seat = seat
        self.is_told = False

    def view(self, *, is_hinted: bool = False) -> View:
        """What there is to see now."""
        game, record, settings = self.game, self.game.record, self.game.settings
        board, is_full = record.board, settings.coach is Coach.full
        advice = game.advice() if record.roll is not None and (is_full or is_hinted) else None
        status = [] if record.finished else [("round", f"{board.rounds + 1} of {board.game.size}")]
        status.append(("score", shown_number(board.score)))
        if record.opponent is not None:
            status.append(("theirs", shown_number(record.opponent.score)))
        if is_full and not record.finished:
            worth = advice.moves[0].worth if advice else game.aim.worth(game.position)
            status.append((words_of(game.aim.unit).expected, shown_worth(worth, game.aim.unit)))
        return View(
            record=record,
            heading=self._heading(),
            status=status,
            faces=self._faces(),
            advice=advice,
            unit=game.aim.unit,
            reason=reason(board.game, board.free_slots, advice.roll) if advice and game.aim.name == "mean" else None,
            is_own_roll=settings.own_dice,
        )

    def _heading(self) -> str:
        settings = self.game.settings
        rolls = "own dice" if settings.own_dice else f"seed {settings.seed}"
        if settings.number and not settings.own_dice:
            rolls += f", game {settings.number}"
        against = [f"against {settings.against}"] if settings.against else []
        aim = [f"aim {settings.aim}"] if settings.aim != "mean" else []
        return " · ".join([str(settings.game), rolls, *against, *aim])

    def _faces(self) -> tuple[int, ...]:
        settings, record = self.game.settings, self.game.record
        if settings.own_dice or record.roll is None:
            return ()
        generator = Random(f"faces {settings.seed} {settings.number} {record.board.rounds}")
        return faces_of(settings.game.dice, record.roll, generator)

    def ask_roll(self) -> None:
        """The player rolls real dice, and says what they show."""
        dice = self.game.settings.game.dice
        question = f"What do your dice ({dice}) show?" if len(str(dice)) <= 30 else "What do your dice show?"
        typed = self.seat.type_in(self.view(), question)
        if typed == "?":
            self.seat.read_out(HELP)
            return
        try:
            self.game.roll(int(typed))
        except IllegalMove as error:
            self.seat.tell(error.problem, "yellow")
        except ValueError:
            self.seat.tell(f"{typed[:20]!r} is not a roll; type the number that the dice show, or q.", "yellow")

    def place_roll(self) -> None:
        """The player chooses a slot for the roll that waits."""
        game, seat, is_hinted = self.game, self.seat, False
        while True:
            view = self.view(is_hinted=is_hinted)
            typed = seat.choose(view)
            if typed == "?":
                seat.read_out(HELP)
            elif typed == "r":
                game.take_roll_back()
                return
            elif typed == "h":
                if not is_hinted and game.settings.coach is not Coach.full:
                    game.note_hint()
                is_hinted = True
            else:
                slot = int(typed)
                try:
                    game.record.board.verify(slot)
                except IllegalMove as error:
                    seat.tell(f"{error.problem[:1].upper()}{error.problem[1:]}.", "yellow")
                    continue
                if self._is_meant(view, slot):
                    break
        advice = game.advice() if game.settings.coach is not Coach.off else None
        game.place(slot)
        self._tell_move(slot, advice)

    def _is_meant(self, view: View, slot: int) -> bool:
        """Whether the player wants a bad move all the same, where the coach has to ask."""
        game = self.game
        if game.settings.coach is not Coach.warn:
            return True
        loss = game.advice().move(slot).loss
        found = classify(loss, game.aim.unit)
        if not found.mark:
            return True
        text = f"Slot {slot} loses {shown_loss(loss, game.aim.unit)}, {class_name(found)}"
        return self.seat.ask([Note(text, class_style(found))], "Place it anyway? y/n", ("n", "y"), view) == "y"

    def _tell_move(self, slot: int, advice: "Advice | None") -> None:
        game, record = self.game, self.game.record
        roll = record.board.placements[-1].roll
        if advice is not None and advice.is_choice:
            loss = advice.move(slot).loss
            found = classify(loss, game.aim.unit)
            text = f"{roll} in slot {slot}: best."
            if loss:
                best = ", ".join(map(str, advice.best_slots))
                cost = shown_loss(loss, game.aim.unit)
                text = f"{roll} in slot {slot} cost {cost}, {class_name(found)}; best was {best}."
            self.seat.tell(text, class_style(found))
        if record.opponent is not None:
            theirs = record.opponent.placements[-1].slot
            self.seat.tell(f"{game.settings.against} placed {roll} in slot {theirs}.", "magenta")

    def tell_trouble(self) -> None:
        """Say once that the game cannot be kept; it goes on."""
        if self.game.trouble is not None and not self.is_told:
            self.is_told = True
            self.seat.tell(
                f"The game cannot be kept ({trouble_of(self.game)}); it goes on, but do not leave it.", "red"
            )
