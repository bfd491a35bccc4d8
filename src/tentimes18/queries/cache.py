"""What the cache folder holds, and clearing it."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.files import cache_limit
from tentimes18.game import Game, Number
from tentimes18.queries import Doc, query
from tentimes18.tables import CACHE_KINDS, CacheEntry, State, list_cache, remove

DAY = 86_400.0
LAST_DAY = 253_370_764_800.0  # of the calendar, in seconds; a file may have any time

Folder = Annotated[
    Path | None,
    Doc("The folder of the cache.", metavar="FOLDER", default="TEN18_CACHE, or the user's", option="--cache"),
]


class EntryAnswer(Struct, frozen=True):
    """A table, or compiled code, which belongs to no game: its size in bytes, when it was made and used last."""

    file: str
    kind: str
    dice: str | None
    slots: str | None
    size: int
    made: str
    used: str
    state: str


class CacheAnswer(Struct, frozen=True):
    """What is cached, used last first; the limit for tables in bytes, if there is one; files that are not ours."""

    folder: str
    limit: int | None
    size: int
    entries: list[EntryAnswer]
    foreign: list[str]


class NotRemovedAnswer(Struct, frozen=True):
    file: str
    problem: str


class ClearedAnswer(Struct, frozen=True):
    """What was removed, with its size in sum, what could not be and why, and how many bytes of ours are left."""

    folder: str
    removed: list[EntryAnswer]
    size: int
    not_removed: list[NotRemovedAnswer]
    left: int


@query(CacheAnswer)
def cached(folder: Folder = None) -> CacheAnswer:
    """List the stored files, the last used first, and how much of the limit they take."""
    content = list_cache(folder)
    entries = [_entry(entry, content.folder) for entry in content.entries]
    return CacheAnswer(_text(content.folder), cache_limit(), content.size, entries, list(map(_text, content.foreign)))


@query(ClearedAnswer)
def clear_cache(
    kind: Annotated[
        str | None,
        Doc("Remove only files of this kind: equilibrium, response or compiled.", metavar="KIND", default="all"),
    ] = None,
    dice: Annotated[str | None, Doc("Take only games with these dice.", metavar="DICE", default="all")] = None,
    slots: Annotated[str | None, Doc("Take only games on these slots.", metavar="SLOTS", default="all")] = None,
    older_than: Annotated[
        float | None, Doc("Remove only files that were not used for this many days.", metavar="DAYS", default="all")
    ] = None,
    folder: Folder = None,
) -> ClearedAnswer:
    """Remove stored files, all or some; nothing else in the folder is touched, and no link is followed."""
    if kind is not None and kind not in CACHE_KINDS:
        raise Ten18Error(f"not a kind of stored file; accepted: {', '.join(CACHE_KINDS)}", "kind", kind)
    if older_than is not None and not older_than >= 0:
        raise Ten18Error("not a number of days; accepted: 0 or more", "older_than", older_than)
    only = Dice.parse(dice) if dice is not None else None
    multipliers = Game.parse("3d6", slots).multipliers if slots is not None else None
    content, now = list_cache(folder), datetime.now().timestamp()
    removed: list[EntryAnswer] = []
    not_removed: list[NotRemovedAnswer] = []
    for entry in content.entries:
        if (
            entry.state is State.being_written
            or (kind is not None and entry.kind != kind)
            or (older_than is not None and now - entry.used <= older_than * DAY)
            or not _is_of(entry, only, multipliers)
        ):
            continue
        answer = _entry(entry, content.folder)
        try:
            remove(entry)
        except OSError as error:
            not_removed.append(NotRemovedAnswer(answer.file, error.strerror or str(error)))
        else:
            removed.append(answer)
    size = sum(entry.size for entry in removed)
    return ClearedAnswer(_text(content.folder), removed, size, not_removed, list_cache(folder).size)


def _is_of(entry: CacheEntry, dice: Dice | None, multipliers: Iterable[Number] | None) -> bool:
    if dice is None and multipliers is None:
        return True
    if entry.dice_and_slots is None:
        return False
    try:
        game = Game.parse(*entry.dice_and_slots)
    except Ten18Error:  # a header that was changed
        return False
    return (dice is None or game.dice == dice) and (multipliers is None or game.multipliers == multipliers)


def _entry(entry: CacheEntry, folder: Path) -> EntryAnswer:
    dice, slots = entry.dice_and_slots or (None, None)
    file, state = _text(entry.path.relative_to(folder)), str(entry.state)
    return EntryAnswer(file, entry.kind, dice, slots, entry.size, _time(entry.made), _time(entry.used), state)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(min(max(seconds, DAY), LAST_DAY)).astimezone().isoformat(timespec="seconds")


def _text(path: Path | str) -> str:
    return str(path).encode(errors="replace").decode()  # a name may be no text
