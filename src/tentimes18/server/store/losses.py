"""What finished games lost, kept beside them: measured once, after the game and out of its way.

A game that counts waits in an index of its own until it is measured, so that nothing is forgotten, whatever ends the
process that was to do it. Two processes that measure the same game find the same.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from tentimes18.coach.losses import board_losses
from tentimes18.game import Board, Placement
from tentimes18.server.store.players import lock_players
from tentimes18.server.store.schema import IS_TO_MEASURE, deals, games, moves
from tentimes18.server.store.skill import refresh_skills
from tentimes18.server.store.states import read_kept_game
from tentimes18.server.store.writer import Commit

__all__ = [
    "FinishedGame",
    "MeasuredGame",
    "finished_games",
    "keep_losses",
    "measured",
    "numbered",
    "of_player",
    "those_that_wait",
]


class FinishedGame(NamedTuple):
    """A game that is to be measured."""

    number: int
    player: str | None
    is_rated: bool
    board: Board


class MeasuredGame(NamedTuple):
    """What a game lost, and how many of its moves were a choice; ``player`` where it counts for one."""

    number: int
    player: str | None
    loss: float
    choices: int


def those_that_wait() -> ColumnElement[bool]:
    """The games that are still to be measured."""
    return IS_TO_MEASURE


def of_player(player: str) -> ColumnElement[bool]:
    """Those of one player."""
    return IS_TO_MEASURE & (games.c.player == player)


def numbered(numbers: Sequence[int]) -> ColumnElement[bool]:
    """Those with these numbers, which are finished."""
    return games.c.number.in_(numbers)


def finished_games(connection: Connection, condition: ColumnElement[bool], most: int) -> list[FinishedGame]:
    """Games with their boards, those that were finished last first; the condition lets finished ones through only."""
    found = connection.execute(
        select(
            games.c.number,
            games.c.player,
            games.c.is_rated,
            deals.c.dice,
            deals.c.slots,
            deals.c.rolls,
        )
        .join_from(games, deals)
        .where(condition)
        .order_by(games.c.finished.desc())
        .limit(most)
    ).all()
    if not found:
        return []
    slots: dict[int, list[int]] = defaultdict(list)
    numbers = [row.number for row in found]
    made = select(moves.c.game, moves.c.slot).where(moves.c.game.in_(numbers)).order_by(moves.c.game, moves.c.round)
    for number, slot in connection.execute(made):
        slots[number].append(slot)
    return [
        FinishedGame(
            row.number,
            row.player,
            row.is_rated,
            Board(
                read_kept_game(row.dice, row.slots),
                tuple(map(Placement, map(int, row.rolls.split(",")), slots[row.number])),
            ),
        )
        for row in found
    ]


def measured(found: Sequence[FinishedGame]) -> list[MeasuredGame]:
    """What these games lost, exactly but for the last rounding."""
    result = []
    for game in found:
        costs = board_losses(game.board)
        player = game.player if game.is_rated else None
        loss = float(sum(cost.loss for cost in costs))
        result.append(MeasuredGame(game.number, player, loss, sum(cost.is_choice for cost in costs)))
    return result


_KEEP: Final = (
    update(games)
    .where(games.c.number == bindparam("of_game"), games.c.loss.is_(None))
    .values(loss=bindparam("lost"), choices=bindparam("chosen"))
)


def keep_losses(commit: Commit, requests: Sequence[Sequence[MeasuredGame]]) -> Sequence[None]:
    """Put down what games lost, and what that makes of the skill of their players."""
    by_number = {game.number: game for request in requests for game in request}
    of_players = {game.player for game in by_number.values() if game.player is not None}
    if of_players:
        lock_players(commit.connection, of_players)
    rows = [
        {"of_game": number, "lost": game.loss, "chosen": game.choices} for number, game in sorted(by_number.items())
    ]
    if rows:
        commit.connection.execute(_KEEP, rows)
    refresh_skills(commit.connection, of_players)
    return [None] * len(requests)
