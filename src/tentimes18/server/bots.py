"""The bots of duels: a fixed list of strategies by name, what each tries to do, how it chooses, and how it fares.

A bot sees both boards as they were before this roll, and the roll. What it leaves to chance comes from the secret seed
of the game and the round: nobody can foresee it, and asking again gives the same slot. Bots that need solved tables or
compiled code choose in another process (`bot_process`).

The chances of the bots against the perfect player are exact: `tools/bot_chances.py` computes them, which takes minutes
and large tables, and writes them to a file beside this module.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Struct

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.play.opponents import Seat, seat
from tentimes18.server.bot_tables import DuelTables
from tentimes18.server.calculator import Calculator, NotAnswered
from tentimes18.server.store.games import GameState, SlotNeeded, board_of
from tentimes18.tables import MissingTable

HEAVY = frozenset({"hunter", "equilibrium", "target:700"})
"""The bots that choose in another process."""
SEED_BYTES = 16
CHANCES_FILE = "bot_chances.json"


@dataclass(frozen=True, slots=True)
class Bot:
    """A strategy that plays duels: its name, what it tries to do in words for a page, and its level on the ladder."""

    name: str
    aim: str
    level: int | None = None


BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", "Puts each roll into any free slot, at random.", 1),
        Bot("greedy", "Puts a roll above the average into the highest free slot, any other into the lowest.", 2),
        Bot("bands", "Has a fixed slot for every roll. If it is taken, the next free slot gets the roll.", 3),
        Bot(
            "nearest",
            "Compares the roll with all possible rolls and puts it into the free slot of the same rank. A simple rule "
            "that is hard to beat.",
            4,
        ),
        Bot("optimal", "The perfect player: makes the most points on average, and never looks at your board.", 5),
        Bot(
            "hunter",
            "Made to beat the perfect player: watches your board and plays to finish just ahead. It expects you to "
            "play perfectly.",
            6,
        ),
        Bot(
            "equilibrium",
            "Looks at both boards and sometimes chooses at random. Nobody beats it in the long run.",
        ),
        Bot("target:700", "Plays for 700 points or more and takes risks to get there. Never looks at your board."),
    )
}
"""All of them, by name; no other strategy plays for the service."""


def verify_bot(name: str) -> str:
    if name not in BOTS:
        raise Ten18Error(f"not known; accepted: {', '.join(BOTS)}", "against", name)
    return name


def draw_seed() -> str:
    return token_hex(SEED_BYTES)


class Bots:
    """The bots of one game: ``coach`` chooses for those that need a process, ``lab`` computes the chances to win."""

    def __init__(self, tables: DuelTables, lab: Calculator, coach: Calculator) -> None:
        self.tables = tables
        self._lab = lab
        self._coach = coach

    def verify_ready(self, name: str) -> None:
        """Raise ``Ten18Error`` for a name that no bot has, and for a bot whose table is missing."""
        verify_bot(name)
        self.tables.verify_ready(name)

    def choose_in(self, state: GameState) -> int:
        """The slot that a duel's bot chooses for the current roll, from both boards before this round.

        Raises ``SlotNeeded`` for a bot that `choose` has to be asked for.
        """
        bot, seed, mine, roll = _turn(state)
        if bot in HEAVY:
            raise SlotNeeded(state)
        return _light(bot, state.game)(int(seed, 16), mine, state.board, roll)

    async def choose(self, state: GameState) -> int:
        """The same, in another process if need be; raises ``NotReady`` and ``NotAnswered``."""
        bot, seed, mine, roll = _turn(state)
        if bot not in HEAVY:
            return self.choose_in(state)
        self.tables.verify_ready(bot)
        question = self._boards(mine, state.board) | {"bot": bot, "seed": seed, "roll": roll}
        try:
            return int(await self._coach.ask_anew("bot_slot", question))
        except MissingTable:
            self.tables.reject(bot)
            self.tables.verify_ready(bot)
            raise

    async def chances(self, mine: Board, theirs: Board) -> list[float] | None:
        """The chance to win before the first round and after each one that both have placed.

        None if the table of the equilibrium is missing, or nobody can answer now.
        """
        if mine.game != self.tables.game or not self.tables.is_ready("equilibrium"):
            return None
        rounds = min(mine.rounds, theirs.rounds)
        question = self._boards(
            Board(mine.game, mine.placements[:rounds]), Board(mine.game, theirs.placements[:rounds])
        )
        try:
            answer = await self._lab.ask("duel_chances", question)
        except MissingTable:
            self.tables.reject("equilibrium")
            return None
        except NotAnswered:
            return None
        values: list[float] = json.loads(answer.body)
        return values

    def _boards(self, mine: Board, theirs: Board) -> dict[str, Any]:
        game = {"dice": str(mine.game.dice), "slots": mine.game.slots, "folder": str(self.tables.folder)}
        return game | {"mine": mine.placements, "theirs": theirs.placements}


def _turn(state: GameState) -> tuple[str, str, Board, int]:
    """The bot of a duel, its seed, its board, and the roll that waits."""
    duel, opponent = state.duel, state.opponent
    assert duel is not None
    assert duel.bot is not None
    assert opponent is not None
    mine = board_of(state.game, state.deal, opponent.slots)
    return duel.bot, duel.seed, mine, state.deal.rolls[len(state.slots)]


@lru_cache(maxsize=32)
def _light(bot: str, game: Game) -> Seat:
    return seat(verify_bot(bot), game)


class Chances(Struct):
    """How a duel ends, exactly."""

    win: float
    draw: float
    loss: float


CHANCES = msgspec.json.decode(
    files(__package__).joinpath(CHANCES_FILE).read_bytes(), type=dict[str, dict[str, Chances]]
)
"""By game, as `str` writes it, and by the name of the bot."""
