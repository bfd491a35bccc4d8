"""The bots of duels: a fixed list of strategies by name, what each tries to do, how it chooses, and how it fares.

A bot sees both boards as they were before this roll, and the roll. What it leaves to chance comes from the secret seed
of the game and the round: nobody can foresee it, and whoever asks again gets the same slot.

The chances of the bots against the perfect player are exact: `tools/bot_chances.py` computes them, which takes minutes
and large tables, and writes them to a file beside this module.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from secrets import token_hex

from tentimes18.duel.lead_windows import Outcome
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Position
from tentimes18.play.opponents import Seat, seat
from tentimes18.server.bot_tables import DuelTables

SEED_BYTES = 16
CHANCES_FILE = "bot_chances.json"


@dataclass(frozen=True, slots=True)
class Bot:
    """A strategy that plays duels: its name, and what it tries to do in words for a page."""

    name: str
    aim: str


BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", "Puts every roll into any free slot. Everybody beats it, nearly always."),
        Bot(
            "nearest",
            "Asks where the roll would stand if the free slots were filled by rolls in order, and puts it there. "
            "A rule of thumb that needs no table, and a hard one to beat.",
        ),
        Bot("optimal", "The perfect player: makes the most points on average, and does not look at your board."),
        Bot("target:700", "Goes for 700 points or more, and takes risks for it. Your board is nothing to it."),
        Bot(
            "hunter",
            "Made to beat the perfect player: it knows what that one would do with every roll, and plays for being "
            "just ahead at the end. It takes you for such a player, too.",
        ),
        Bot(
            "equilibrium",
            "Cannot be beaten in the long run, whatever you do: it looks at both boards and, where that is best, "
            "chooses by chance.",
        ),
    )
}
"""All of them, by name; no other strategy plays for the service."""


def verify_bot(name: str) -> Bot:
    """The bot of this name; raises ``Ten18Error`` where none has it."""
    if name not in BOTS:
        raise Ten18Error(f"not known; accepted: {', '.join(BOTS)}", "against", name)
    return BOTS[name]


def draw_seed() -> str:
    """The secret seed of a duel in hexadecimal digits, from the generator of the operating system."""
    return token_hex(SEED_BYTES)


class Bots:
    """The bots of one game, the classic one for the service, and the chance to win against the best of them.

    All methods may be called from any thread. They take microseconds, but `hunter` and `equilibrium` may wait for the
    disk where a page of their tables is not in memory.
    """

    def __init__(self, tables: DuelTables) -> None:
        self.tables = tables
        self._seats: dict[str, Seat] = {}

    def choose(self, name: str, seed: str, mine: Board, theirs: Board, roll: int) -> int:
        """The slot of a bot for a roll, from its own board and the player's, both without this roll.

        Raises ``NotReady`` where it plays by a table that is not there yet, and ``Ten18Error`` for another name.
        """
        choose = self._seats.get(name) or self._seat(name)
        return choose(int(seed, 16), mine, theirs, roll)

    def _seat(self, name: str) -> Seat:
        verify_bot(name)
        self.tables.verify_ready(name)
        return self._seats.setdefault(name, seat(name, self.tables.game, solver=self.tables))

    def verify_ready(self, name: str) -> None:
        """Raise what `choose` would raise, for a duel that is to begin."""
        verify_bot(name)
        self.tables.verify_ready(name)

    def chance_to_win(self, mine: Board, theirs: Board) -> float | None:
        """My chance to win, and half of that of a draw, when both play best from here on; None without the table.

        It is the value of the position in the equilibrium: what I am sure of at least on average, whoever the opponent
        is, if I play the equilibrium, and what a best-playing opponent leaves me. Against a bot that does not play
        best, as `optimal` does not, somebody who knows its rule has a higher chance. Of full boards it is 1, 1/2 or 0.

        The two boards hold the same rolls: those of the rounds that are open on both.
        """
        if not self.tables.state()["equilibrium"].ready:
            return None
        return self.tables.equilibrium(self.tables.game).value_on(Position(mine, theirs))

    def chances(self, mine: Board, theirs: Board) -> list[float] | None:
        """The chance to win before the first round and after each one that is open on both boards.

        The boards may differ in length: only what both have placed counts.
        """
        found = [
            self.chance_to_win(_after(mine, rounds), _after(theirs, rounds))
            for rounds in range(min(mine.rounds, theirs.rounds) + 1)
        ]
        known = [chance for chance in found if chance is not None]
        return known if len(known) == len(found) else None


def _after(board: Board, rounds: int) -> Board:
    return Board(board.game, board.placements[:rounds])


def _read() -> dict[str, dict[str, Outcome]]:
    found = json.loads(files(__package__).joinpath(CHANCES_FILE).read_text(encoding="utf-8"))
    return {
        game: {name: Outcome(one["win"] + one["draw"] / 2, **one) for name, one in bots.items()}
        for game, bots in found.items()
    }


CHANCES: Mapping[str, Mapping[str, Outcome]] = _read()
"""By game, as `str` writes it, and by the name of the bot."""
