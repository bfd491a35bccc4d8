"""`ten18 advise`: the coach on one roll."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tentimes18.cli.options import AimOption, DiceOption, JsonOption, SlotsOption, read_board, read_free
from tentimes18.cli.output import console, print_json, progress_bar, table
from tentimes18.coach.units import Unit
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Number, read_score, slots_of

if TYPE_CHECKING:
    from tentimes18.coach.advice import Advice, Move
    from tentimes18.coach.aims import Aim
    from tentimes18.game import Position
    from tentimes18.solve.scores.law import ScoreLaw

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(advise)


def advise(
    roll: Annotated[int, typer.Option("--roll", help="The roll to place.")],
    free: Annotated[
        str | None,
        typer.Option("--free", metavar="SLOTS", help="Free slots by number, like 1,4,7.", show_default="all"),
    ] = None,
    moves: Annotated[
        str | None, typer.Option("--moves", metavar="MOVES", help="Or the game so far, like '8@5 4@1'.")
    ] = None,
    opponent: Annotated[
        str | None, typer.Option("--opponent", metavar="MOVES", help="The opponent's moves, where the aim is a duel.")
    ] = None,
    aim: AimOption = "mean",
    target: Annotated[
        str | None, typer.Option("--target", metavar="SCORE", help="Show the chance of this score or more as well.")
    ] = None,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    as_json: JsonOption = False,
) -> None:
    """Where to place a roll, what every other slot gives up, and why.

    With --target every move also shows the spread of the final score under the best play after it, and the chance of
    the target.
    """
    from tentimes18.coach import advice as coach

    game = Game.parse(dice, slots)
    if free is not None and (moves is not None or target is not None or aim != "mean"):
        raise Ten18Error(
            "alone it says nothing of the score; --aim and --target take the game from --moves", field="free"
        )
    wanted = None if target is None else _score(target)
    if opponent is None and not moves and aim.startswith("duel"):
        opponent = ""
    position = _position(game, moves or "", opponent)
    free_set = position.board.free if free is None else read_free(game, free)
    if not free_set:
        raise Ten18Error("the board is full, there is nothing left to place", field="moves")
    by = _aim(game, aim)
    if by.unit is Unit.chance:
        advice = coach.advise(position, roll, by)
        why = None
    else:
        advice = coach.advise_slots(game, slots_of(free_set), roll)
        why = coach.reason(game, slots_of(free_set), roll)
    laws = _laws(position.board, advice) if wanted is not None else {}
    facts = [_facts(move, by, laws.get(move.slot), wanted) for move in advice.moves]
    if as_json:
        result = {"roll": roll, "best": advice.best, "best_slots": advice.best_slots, "moves": facts}
        print_json(result | ({"aim": aim} if by.unit is Unit.chance else {"reason": why}))
    else:
        _show(game, advice, by, facts, wanted)
        if why:
            console().print(why)


def _score(target: str) -> Number:
    return read_score(target, "target")


def _position(game: Game, moves: str, opponent: str | None) -> "Position":
    from tentimes18.game import Position
    from tentimes18.records.notation import Record

    board = read_board(game, moves)
    theirs = None if opponent is None else read_board(game, opponent, "opponent")
    Record(board, opponent=theirs)  # a duel has the same rolls on both boards
    return Position(board, theirs)


def _aim(game: Game, aim: str) -> "Aim":
    from tentimes18.coach.aims import aim_named

    if aim == "mean":
        return aim_named(game, aim)
    with progress_bar("tables"):
        return aim_named(game, aim)


def _laws(board: Board, advice: "Advice") -> "dict[int, ScoreLaw]":
    """The law of the final score after each move."""
    from tentimes18.coach.review import outlook

    with progress_bar("laws"):
        return {move.slot: outlook(board.place(advice.roll, move.slot)) for move in advice.moves}


def _facts(move: "Move", by: "Aim", law: "ScoreLaw | None", target: Number | None) -> dict[str, Any]:
    from tentimes18.coach.classes import classify

    found = classify(move.loss, by.unit)
    facts = {"slot": move.slot, "value": float(move.worth), "loss": float(move.loss), "class": found.name}
    if law is not None and target is not None:
        facts |= {"mean": float(law.mean), "sd": law.sd, "chance": float(law.at_least(target))}
    return facts


def _show(game: Game, advice: "Advice", by: "Aim", facts: list[dict[str, Any]], target: Number | None) -> None:
    from tentimes18.coach.classes import CLASSES

    marks = {found.name: found.mark for found in CLASSES}
    more = () if target is None else ("final score", "± sd", f"P({target} or more)")
    what = "chance" if by.unit is Unit.chance else "value"
    grid = table(f"A roll of {advice.roll} in {game}", "multiplier", what, "loss", "", *more, label="slot")
    for move in facts:
        worth, loss = (
            (f"{move[name]:.3%}" if by.unit is Unit.chance else f"{move[name]:.5f}") for name in ("value", "loss")
        )
        spread = () if target is None else (f"{move['mean']:.2f}", f"{move['sd']:.2f}", f"{move['chance']:.2%}")
        cells = (str(game.multipliers[move["slot"] - 1]), worth, loss if move["loss"] else "best", marks[move["class"]])
        grid.add_row(f"#{move['slot']}", *cells, *spread, style=None if move["loss"] else "bold")
    screen = console()
    screen.print(grid)
    meaning = {
        "mean": "points of this move and of the best play after it",
        "target": f"of {by.name.removeprefix('target:')} points or more, under the best play for that",
        "duel": "to win the duel, a draw counting one half",
    }
    screen.print(f"{what}: {meaning[by.name.partition(':')[0]]}")
