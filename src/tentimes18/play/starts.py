"""What was published before games began: a game as it was given then, or what the daily games are committed to.

Without it a check only shows that a game agrees with itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tentimes18.errors import InvalidGame, quoted
from tentimes18.play.public_game import PublicGame, read_public_game, read_texts

__all__ = ["Starts"]


@dataclass(frozen=True, slots=True)
class Starts:
    """Starts of games by their ids, and the commitments of daily games by their days.

    >>> Starts.read([{"days": [{"day": "2026-11-16", "commitments": ["00"]}]}]).days
    {'2026-11-16': ('00',)}
    """

    games: Mapping[str | None, PublicGame]
    days: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, sources: Iterable[object]) -> "Starts":
        """Starts from their JSON: games, or the public list of days; raises ``InvalidGame`` for anything else."""
        games: dict[str | None, PublicGame] = {}
        days: dict[str, tuple[str, ...]] = {}
        for source in sources:
            if isinstance(source, Mapping) and "days" in source:
                days |= _read_days(source["days"])
                continue
            start = read_public_game(source)
            if start.id in games:
                raise InvalidGame("two games have the same", field="id")
            games[start.id] = start
        return cls(games, days)

    def problems(self, public: PublicGame) -> Iterator[str]:
        """Where a game is not the one that was begun."""
        start = next(iter(self.games.values())) if self._is_only(public) else self.games.get(public.id)
        published = None if public.day is None else self.days.get(public.day)
        if start is None and published is None:
            yield "what was published before this game is not given"
        if start is not None:
            yield from _differences(public, start)
        if published is not None and published != public.commitments:
            yield f"the commitments are not those that were published for {quoted(public.day)}"

    def _is_only(self, public: PublicGame) -> bool:
        """Whether no id is needed to know the start."""
        return len(self.games) == 1 and None in (public.id, *self.games)


def _differences(public: PublicGame, start: PublicGame) -> Iterator[str]:
    if start.board.placements or len(start.opened) > 1:
        yield "what is given as the start is no start: rolls are placed, or more than one is opened"
    if public.game != start.game:
        yield "the start has other dice or slots"
    if public.commitments != start.commitments:
        yield "the commitments are not those of the start"


def _read_days(found: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(found, list):
        raise InvalidGame(f"{quoted(found)} is not a list; accepted: one object a day", field="days")
    days = {}
    for part in found:
        if not isinstance(part, Mapping) or not isinstance(part.get("day"), str):
            raise InvalidGame(f"{quoted(part)} is no day; accepted: objects with day and commitments", field="days")
        days[part["day"]] = read_texts(part, "commitments")
    return days
