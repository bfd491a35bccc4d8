"""Games that were played: by chance, by a strategy, and by the command, with the rolls that it draws."""

from pathlib import Path
from random import Random
from typing import Final

from tentimes18.coach.aims import aim_named
from tentimes18.coach.summary import MeasuredGames, Summary, measured_kinds, summarise
from tentimes18.game import Board, Game
from tentimes18.records.formats import Line
from tentimes18.records.history import History
from tentimes18.records.notation import Record
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.players import played_boards
from tentimes18.simulate.run import Run

PROMPT: Final = "q quit"  # what `ten18 play` ends its screen with
SMALL: Final = ("--dice", "1d6", "--slots", "1-4")


def played(game: Game, count: int, seed: int, share: float = 0.7) -> list[Record]:
    """Games played half with sense: the slot of the right rank, or any; some of them are not finished."""
    generator = Random(seed)
    found = []
    for _ in range(count):
        board = Board(game)
        for _ in range(game.size if generator.random() < 0.8 else generator.randrange(game.size + 1)):
            [roll] = generator.choices(game.dice.support, game.dice.counts)
            slots = [slot for slot in range(1, game.size + 1) if board[slot] is None]
            place = game.dice.support.index(roll) * len(slots) // len(game.dice.support)
            board = board.place(roll, slots[place] if generator.random() < share else generator.choice(slots))
        found.append(Record(board))
    return found


def summary_of(strategy: str, games: int, game: Game | None = None, aim: str = "mean") -> Summary:
    game = game or Game.classic()
    boards = played_boards(Run(game, (strategy,), 18), 0, games)
    return summarise([Record(board) for board in boards], aim_named(game, aim))


def games_of(strategy: str, games: int, game: Game | None = None, aim: str | None = None) -> MeasuredGames:
    """Games that a strategy played, measured, as written in a file from line 1 on."""
    boards = played_boards(Run(game or Game.classic(), (strategy,), 18), 0, games)
    (found,), _ = measured_kinds([Line(number, Record(board)) for number, board in enumerate(boards, start=1)], aim)
    return found


def rolls_of(dice: str, slots: str, seed: int) -> list[int]:
    return drawn_rolls(Run(Game.parse(dice, slots), ("optimal",), seed), 0, 1)[0]


def kept_games(folder: Path) -> list[Record]:
    return [line.record for line in History(folder).games() if isinstance(line, Line)]
