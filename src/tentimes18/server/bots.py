"""The bots of duels: a fixed list of strategies by name, what each tries to do, how it chooses, and how it fares.

A bot sees both boards as they were before this roll, and the roll. What it leaves to chance comes from the secret seed
of the game and the round: nobody can foresee it, and asking again gives the same slot. Bots that need solved tables or
compiled code choose in another process (`query_process`).

The tables of `hunter` and `equilibrium` are files. A process that answers requests loads none of them; it looks whether
the files exist. If one is missing when such a duel is first asked for, a process with the lowest priority makes it: one
at a time among all that share the folder, because the thread that starts it holds a lock. The others read from a note
beside it how far it is.

The chances of the bots against the perfect player are exact: `tools/bot_chances.py` computes them, which takes minutes
and large tables, and writes them to a file beside this module.
"""

import json
import logging
import multiprocessing
import signal
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic, time
from typing import Any, NamedTuple

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from tentimes18.errors import Ten18Error
from tentimes18.files import cache_folder
from tentimes18.game import Board, Game
from tentimes18.server.calculator import Calculator, NotAnswered
from tentimes18.server.problems import Problem
from tentimes18.server.query_process import GRACE, TABLES, bot_slot, serve_maker
from tentimes18.server.store.games import GameState, SlotNeeded, board_of
from tentimes18.tables import MissingTable, table_path

HEAVY = frozenset({"hunter", "equilibrium", "target:700"})
"""The bots that choose in another process."""
CHANCES_FILE = "bot_chances.json"
NOTE_SECONDS = 0.25  # between two notes of the progress
FRESH_SECONDS = 5.0  # an older note is of a process that has ended
RETRY_SECONDS = 120.0  # after a failure
SOON = 5  # seconds after which to ask again

_LOG = logging.getLogger(__name__)


class Bot(NamedTuple):
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
        Bot("equilibrium", "Looks at both boards and sometimes chooses at random. Nobody beats it in the long run."),
        Bot("target:700", "Plays for 700 points or more and takes risks to get there. Never looks at your board."),
    )
}
"""All of them, by name; no other strategy plays for the service."""


class Table(Struct):
    """Whether a solved table exists; else how much of it is made, from 0 to 1, or why it cannot be made."""

    ready: bool
    progress: float | None
    problem: str | None


class DuelTables:
    """The tables of a game in a folder. With ``makes``, a missing one is made when somebody asks for it."""

    def __init__(
        self, game: Game | None = None, folder: Path | None = None, *, makes: bool = True, retry: float = RETRY_SECONDS
    ) -> None:
        self.game = game or Game.classic()
        self.folder = (folder or cache_folder()).absolute()
        self.makes = makes
        self.retry = retry
        self.maker: int | None = None
        """The id of the process that makes a table for this one."""
        self._paths = {name: table_path(kind, self.game, self.folder) for name, kind in TABLES.items()}
        self._unusable: dict[str, float] = {}  # when a file was written that could not be read
        self._problems: dict[str, str | None] = {}
        self._not_before = 0.0
        beside = table_path("duels", self.game, self.folder)
        self._lock = FileLock(beside.with_suffix(".lock"), timeout=0)
        self._note = beside.with_suffix(".making")
        self._stopped = Event()
        self._starting = Lock()
        self._thread: Thread | None = None

    def stop(self) -> None:
        with self._starting:
            self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def is_ready(self, name: str) -> bool:
        """Whether the strategy of this name needs no table, or its table exists."""
        if name not in self._paths:
            return True
        try:
            return self._paths[name].stat().st_mtime != self._unusable.get(name)
        except OSError:
            return False

    def state(self) -> dict[str, Table]:
        note, tables = self._read_note(), {}
        for name in TABLES:
            ready = self.is_ready(name)
            tables[name] = Table(ready, None if ready else note.get(name), None if ready else self._problems.get(name))
        return tables

    def verify_ready(self, name: str) -> None:
        """Raise a ``Problem`` if the strategy of this name needs a table that is missing, and start to make it."""
        if self.is_ready(name):
            return
        with self._starting:
            is_busy = self._thread is not None and self._thread.is_alive()
            if self.makes and not is_busy and not self._stopped.is_set() and monotonic() >= self._not_before:
                self._thread = Thread(target=self._make, args=(name,), name="tables of duels", daemon=True)
                self._thread.start()
        table = self.state()[name]
        if table.progress is not None:
            how = f"is being made ({table.progress:.0%} so far)"
        elif table.problem is not None:
            how = f"could not be made yet ({table.problem})"
        else:
            how = "is being made" if self.makes else "is missing, and this server makes none"
        error = Ten18Error(f"its table {how}; ask again soon", "against", name)
        raise Problem("unavailable", str(error), "against", {"Retry-After": str(SOON)})

    def reject(self, name: str) -> None:
        """Do not use this file any more: it is damaged."""
        with suppress(OSError):
            self._unusable[name] = self._paths[name].stat().st_mtime
            _LOG.warning("the table of %s cannot be read", name)

    def _make(self, name: str) -> None:
        """Start the process that makes a table, unless there is one, and wait until it ends, or this is stopped."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._lock:
                problem = self._run_maker(name)
        except Timeout:
            return
        except OSError as error:
            problem = f"the cache folder cannot be used: {error.strerror or error}"
        self._problems[name] = problem
        if problem is not None:
            self._not_before = monotonic() + self.retry
            where = (name, self.folder, problem, self.retry)
            _LOG.warning("could not make the table of %s in %s: %s; next attempt in %.0f s", *where)

    def _run_maker(self, name: str) -> str | None:
        context = multiprocessing.get_context("spawn")
        share = context.Value("d", 0.0)
        ours, theirs = context.Pipe(duplex=False)
        maker = context.Process(target=serve_maker, args=(name, self.game, self.folder, share, theirs))
        _LOG.info("making the table of %s", name)
        maker.start()
        theirs.close()
        self.maker = maker.pid
        while not self._stopped.is_set() and maker.is_alive():
            self._note.write_text(f"{name} {share.value}", encoding="ascii")
            maker.join(NOTE_SECONDS)
        self.maker = None
        self._note.unlink(missing_ok=True)
        if self._stopped.is_set():
            maker.terminate()
            maker.join(GRACE)
            maker.kill()  # if it is still there
        maker.join()
        with suppress(EOFError):
            problem: str | None = None if self._stopped.is_set() else ours.recv()
            return problem
        code = maker.exitcode or 0
        how = f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"code {code}"
        return f"its process ended with {how}"

    def _read_note(self) -> dict[str, float]:
        with suppress(OSError, ValueError):
            if time() - self._note.stat().st_mtime < FRESH_SECONDS:
                name, share = self._note.read_text(encoding="ascii").split()
                return {name: float(share)}
        return {}


class Bots:
    """The bots of one game: ``coach`` chooses for those that need a process, ``lab`` computes the chances to win."""

    def __init__(self, tables: DuelTables, lab: Calculator, coach: Calculator) -> None:
        self.tables = tables
        self._lab = lab
        self._coach = coach

    def choose_in(self, state: GameState) -> int:
        """The slot that a duel's bot chooses for the current roll, from both boards before this round.

        Raises ``SlotNeeded`` for a bot that `choose` has to be asked for.
        """
        question = self._question(state)
        if question["bot"] in HEAVY:
            raise SlotNeeded(state)
        return bot_slot(**question)

    async def choose(self, state: GameState) -> int:
        """The same in another process; raises a ``Problem`` and ``NotAnswered``."""
        question = self._question(state)
        bot: str = question["bot"]
        self.tables.verify_ready(bot)
        try:
            return int(await self._coach.ask_anew("bot_slot", question))
        except MissingTable:
            self.tables.reject(bot)
            self.tables.verify_ready(bot)
            raise

    def _question(self, state: GameState) -> dict[str, Any]:
        """What `bot_slot` takes: the bot of a duel, its seed, both boards, and the roll that waits."""
        duel, opponent = state.duel, state.opponent
        assert duel is not None
        assert opponent is not None
        mine, roll = board_of(state.game, state.deal, opponent.slots), state.deal.rolls[len(state.slots)]
        of_bot = {"bot": duel.bot, "seed": duel.seed, "folder": self.tables.folder}
        return of_bot | {"mine": mine, "theirs": state.board, "roll": roll}

    async def chances(self, mine: Board, theirs: Board) -> list[float] | None:
        """The chance to win before the first round and after each one that both have placed.

        None if the table of the equilibrium is missing, or nobody can answer now.
        """
        if mine.game != self.tables.game or not self.tables.is_ready("equilibrium"):
            return None
        rounds = min(mine.rounds, theirs.rounds)
        boards = [Board(mine.game, board.placements[:rounds]) for board in (mine, theirs)]
        question = {"folder": self.tables.folder, "mine": boards[0], "theirs": boards[1]}
        try:
            answer = await self._lab.ask("duel_chances", question)
        except MissingTable:
            self.tables.reject("equilibrium")
            return None
        except NotAnswered:
            return None
        values: list[float] = json.loads(answer.body)
        return values


class Chances(Struct):
    """How a duel ends, exactly."""

    win: float
    draw: float
    loss: float


CHANCES = msgspec.json.decode(
    files(__package__).joinpath(CHANCES_FILE).read_bytes(), type=dict[str, dict[str, Chances]]
)
"""By game, as `str` writes it, and by the name of the bot."""
