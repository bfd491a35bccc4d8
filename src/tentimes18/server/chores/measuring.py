"""Finished games measured, where somebody wants to see them now, and by those who do it in the background."""

import asyncio
from contextlib import suppress
from typing import Final

from sqlalchemy import ColumnElement

from tentimes18.server.state import WebState
from tentimes18.server.store.database import StoreUnavailable
from tentimes18.server.store.losses import MeasuredGame, finished_games, keep_losses, measured
from tentimes18.server.store.writer import Busy

__all__ = ["measure_games"]

MOST_AT_ONCE: Final = 200  # that are read together
GAMES_IN_A_COMMIT: Final = 25  # so that moves do not wait long behind it


async def measure_games(
    shared: WebState, condition: ColumnElement[bool], most: int = MOST_AT_ONCE, *, must_keep: bool = False
) -> dict[int, MeasuredGame]:
    """Measure the finished games that meet a condition, the latest first, and keep what they lost.

    What cannot be written now is known all the same, and is measured again another time; unless it must be kept.
    """
    found = await shared.read(lambda connection: finished_games(connection, condition, most))
    costs: list[MeasuredGame] = []
    for start in range(0, len(found), GAMES_IN_A_COMMIT):
        part = await asyncio.to_thread(measured, found[start : start + GAMES_IN_A_COMMIT])
        with suppress(*(() if must_keep else (StoreUnavailable, Busy))):
            await shared.writer.do(keep_losses, part)
        costs += part
    return {game.number: game for game in costs}
