"""Duels whose time is over are ended, whoever looks at them.

Nothing depends on it: a game that is read is looked at as well. But whoever waits for an opponent who does not come
back is told when it happens.
"""

from tentimes18.server.state import WebState
from tentimes18.server.store.duels import EndByTime, end_by_time, overdue_games

__all__ = ["end_overdue_duels"]


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
