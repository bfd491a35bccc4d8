"""Days and players of a service in a test: a clock set by hand, and games played in known ways."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import httpx

from tentimes18.coach.review import Review
from tentimes18.game import Game
from tentimes18.records.notation import Record, parse_json
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game
from tests.support.web import free_slots, play_on

NOON: Final = 1_794_830_400.0  # 2026-11-16T12:00:00Z
DAY: Final = 24 * 3600.0


class Watch:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


async def play_by_looks(client: httpx.AsyncClient, game: Mapping[str, Any], off: int = 0) -> dict[str, Any]:
    """A classic game played to its end, each roll in the slot that it looks like, or this many further on."""

    def looks_like(found: Mapping[str, Any]) -> int:
        free = free_slots(found)
        place = 1 + (found["roll"] - 3) * 9 / 15
        return free[(free.index(min(free, key=lambda slot: abs(slot - place))) + off) % len(free)]

    return await play_on(client, game, choose=looks_like)


async def played_records(client: httpx.AsyncClient) -> dict[str, Record]:
    text = (await client.get("/me/games")).text
    return {record.tags["id"]: record for record in map(parse_json, text.splitlines()) if "id" in record.tags}


def verify_results(
    seen: Mapping[str, Any], done: Mapping[str, Mapping[str, Any]], reviews: Mapping[str, Review]
) -> None:
    """The results of a day or of a group against the finished games by name, and their reviews."""
    scores = {name: game["score"] for name, game in done.items()}
    rolls = [part["roll"] for part in next(iter(done.values()))["opened"]]
    assert seen["optimal"] == play_game(Game.classic(), named("optimal"), rolls).score
    assert seen["best"] == sum(slot * roll for slot, roll in enumerate(sorted(rolls), start=1))
    rows = {row["name"]: (row["score"], row["loss"]) for row in seen["scores"]}
    assert rows == {name: (scores[name], float(found.loss)) for name, found in reviews.items()}
    assert [row["score"] for row in seen["scores"]] == sorted(scores.values(), reverse=True)
    for row in seen["scores"]:
        assert row["rank"] == 1 + sum(score > row["score"] for score in scores.values())
    assert seen["histogram"] == [list(pair) for pair in sorted(Counter(scores.values()).items())]
    assert [entry["roll"] for entry in seen["rounds"]] == rolls
    assert sum(entry["optimal"] * entry["roll"] for entry in seen["rounds"]) == seen["optimal"]
    for number, entry in enumerate(seen["rounds"]):
        assert entry["placed"] == Counter(str(found.moves[number].slot) for found in reviews.values())
