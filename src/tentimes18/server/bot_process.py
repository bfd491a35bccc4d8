"""What bots compute in other processes: slots by solved tables, the chances in a duel, and the tables themselves.

Only here does the server load compiled code.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tentimes18.duel.best_response import Response
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE, cache_limit
from tentimes18.game import Board, Game, Placement, Position
from tentimes18.play.opponents import Seat, seat
from tentimes18.server.bot_tables import KINDS
from tentimes18.strategies import solved
from tentimes18.tables import State, list_cache, remove, table_path

Placements = Sequence[Sequence[int]]
"""Pairs of a roll and its slot, in the order of the rounds."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """The tables of duels in a folder; raises ``MissingTable`` where there is none."""

    folder: Path

    def hunter(self, game: Game) -> Response:
        return solved.load_hunter(game, self.folder)

    def equilibrium(self, game: Game) -> Equilibrium:
        return solved.load_equilibrium(game, self.folder)


@lru_cache(maxsize=8)
def _seat(bot: str, game: Game, folder: Path) -> Seat:
    return seat(bot, game, solver=_Stored(folder))


def _board(game: Game, placements: Placements) -> Board:
    return Board(game, tuple(Placement(roll, slot) for roll, slot in placements))


def bot_slot(
    bot: str, seed: str, dice: str, slots: str, folder: str, mine: Placements, theirs: Placements, roll: int
) -> int:
    """The slot of a bot for a roll, from its own board and the player's, both without this roll."""
    game = Game.parse(dice, slots)
    choose = _seat(bot, game, Path(folder))
    return choose(int(seed, 16), _board(game, mine), _board(game, theirs), roll)


def duel_chances(dice: str, slots: str, folder: str, mine: Placements, theirs: Placements) -> list[float]:
    """My chance to win, draws at one half, before the first round and after each, if both play the equilibrium.

    This is the least that the equilibrium secures against any opponent; a player who knows the rule of a bot such as
    `optimal` has a higher chance. With full boards it is 1, 1/2 or 0.
    """
    game = Game.parse(dice, slots)
    table = solved.load_equilibrium(game, Path(folder))
    boards = [(_board(game, mine[:rounds]), _board(game, theirs[:rounds])) for rounds in range(len(mine) + 1)]
    return [table.value_on(Position(*pair)) for pair in boards]


QUESTIONS: dict[str, Callable[..., object]] = {"bot_slot": bot_slot, "duel_chances": duel_chances}


def make_table(name: str, game: Game, folder: Path, progress: Callable[[int, int], None] | None = None) -> str | None:
    """Make a table and keep it, unless it exists; returns the problem in one line, if there is one."""
    lines: list[str] = []
    try:
        size = 8 * DuelWindows(game, half=name == "equilibrium").cells
        limit, free = cache_limit(), shutil.disk_usage(folder).free
        if limit is not None and size > limit:
            return f"the table takes {size / 1e6:,.1f} MB, more than all tables may ({LIMIT_VARIABLE})"
        if size > free:
            return f"the table takes {size / 1e6:,.1f} MB, and {free / 1e6:,.1f} MB are free on its disk"
        for entry in list_cache(folder).entries:
            if entry.state is State.unfinished:  # of a process that was killed
                remove(entry)
        start, roll = Position(Board(game), Board(game)), game.dice.support[0]
        if name == "hunter":  # with a move, so that its compiled code is kept as well
            solved.hunter(game, progress, folder, lines.append).choose_on(start, roll)
        else:
            solved.equilibrium(game, progress, folder, lines.append).moves_on(start, roll)
        if not table_path(KINDS[name], game, folder).is_file():
            return lines[-1].replace(str(folder.absolute()), "the cache folder") if lines else "it was not kept"
    except OSError as error:
        return f"the cache folder cannot be used: {error.strerror or error}"
    except Ten18Error as error:
        return str(error)
    except MemoryError:
        return "there is not enough memory"
    return None
