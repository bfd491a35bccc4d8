"""What is done now and then in the background, by any process: duels whose time is over are ended.

Nothing depends on it: a game that is read is looked at as well. Whoever waits for an opponent who does not come back is
told when it happens.
"""

import asyncio
import logging
from random import uniform
from typing import Final

from tentimes18.web.state import WebState
from tentimes18.web.store.database import StoreUnavailable
from tentimes18.web.store.duels import EndByTime, end_by_time, overdue_games
from tentimes18.web.store.writer import Busy

__all__ = ["end_overdue_duels", "keep_up"]

EVERY: Final = 60.0  # seconds

_LOG: Final = logging.getLogger("tentimes18.web")


async def end_overdue_duels(shared: WebState) -> int:
    """End the duels whose time is over; says how many there were."""
    ended = 0
    now = shared.now
    while overdue := await shared.read(lambda connection: overdue_games(connection, now)):
        some = await shared.writer.do(end_by_time, EndByTime(overdue, now))
        if not some:  # another process was first
            break
        ended += some
    return ended


async def keep_up(shared: WebState) -> None:
    """Do it every minute, until cancelled."""
    while True:
        await asyncio.sleep(EVERY * uniform(0.5, 1.0))  # not all processes at once
        try:
            await end_overdue_duels(shared)
        except (Busy, StoreUnavailable) as error:
            _LOG.warning("duels cannot be ended now: %s", type(error).__name__)
        except Exception:  # nobody else looks after this task
            _LOG.exception("duels cannot be ended")
