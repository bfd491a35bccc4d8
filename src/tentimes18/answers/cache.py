"""What is kept in the cache folder, and what of it was cleared."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final, TypedDict

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.files import cache_limit
from tentimes18.game import Game, Number
from tentimes18.storage.inventory import KINDS, Kept, State, inventory, remove

__all__ = ["CacheAnswer", "ClearedAnswer", "EntryAnswer", "NotRemovedAnswer", "cached", "clear_cache"]

DAY: Final = 86_400.0
LAST_DAY: Final = 253_370_764_800.0  # of the calendar, in seconds; a file may have any time


class EntryAnswer(TypedDict):
    """A table, or compiled code, which belongs to no game: its size in bytes, when it was made and used last."""

    file: str
    kind: str
    dice: str | None
    slots: str | None
    size: int
    made: str
    used: str
    state: str


class CacheAnswer(TypedDict):
    """What is kept, used last first; the limit for tables in bytes, none where there is none; what is not ours."""

    folder: str
    limit: int | None
    size: int
    entries: list[EntryAnswer]
    foreign: list[str]


class NotRemovedAnswer(TypedDict):
    """What could not be removed, and why."""

    file: str
    problem: str


class ClearedAnswer(TypedDict):
    """What was removed, with its size in sum, what could not be, and how many bytes of ours are left."""

    folder: str
    removed: list[EntryAnswer]
    size: int
    not_removed: list[NotRemovedAnswer]
    left: int


def cached(folder: Path | None = None) -> CacheAnswer:
    """What lies in the cache folder.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "notes.txt").write_text("mine")
    ...     answer = cached(Path(folder))
    >>> answer["size"], answer["entries"], answer["foreign"]
    (0, [], ['notes.txt'])
    """
    found = inventory(folder)
    return {
        "folder": _text(found.folder),
        "limit": cache_limit(),
        "size": found.size,
        "entries": [_entry(entry, found.folder) for entry in found.entries],
        "foreign": [_text(name) for name in found.foreign],
    }


def clear_cache(
    *,
    kind: str | None = None,
    dice: str | None = None,
    slots: str | None = None,
    older_than: float | None = None,
    folder: Path | None = None,
) -> ClearedAnswer:
    """Remove what is ours: all, or what is of this kind, of these dice and slots, unused for more than so many days.

    >>> clear_cache(kind="hunter")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: kind 'hunter': nothing of this kind is kept; accepted: equilibrium, response, compiled
    """
    if kind is not None and kind not in KINDS:
        raise Ten18Error(f"nothing of this kind is kept; accepted: {', '.join(KINDS)}", "kind", kind)
    if older_than is not None and not older_than >= 0:
        raise Ten18Error("not a number of days; accepted: 0 or more", "older_than", older_than)
    wanted = Dice.parse(dice) if dice is not None else None
    multipliers = Game.parse("3d6", slots).multipliers if slots is not None else None
    found = inventory(folder)
    now = datetime.now().timestamp()
    removed: list[EntryAnswer] = []
    not_removed: list[NotRemovedAnswer] = []
    for entry in found.entries:
        if (
            entry.state is State.being_written
            or (kind is not None and entry.kind != kind)
            or (older_than is not None and now - entry.used <= older_than * DAY)
            or not _is_of(entry, wanted, multipliers)
        ):
            continue
        answer = _entry(entry, found.folder)
        try:
            remove(entry)
        except OSError as error:
            not_removed.append({"file": answer["file"], "problem": error.strerror or str(error)})
        else:
            removed.append(answer)
    return {
        "folder": _text(found.folder),
        "removed": removed,
        "size": sum(entry["size"] for entry in removed),
        "not_removed": not_removed,
        "left": inventory(folder).size,
    }


def _is_of(entry: Kept, dice: Dice | None, multipliers: Iterable[Number] | None) -> bool:
    if dice is None and multipliers is None:
        return True
    if entry.dice_and_slots is None:
        return False
    try:
        game = Game.parse(*entry.dice_and_slots)
    except Ten18Error:  # a header that was changed
        return False
    return (dice is None or game.dice == dice) and (multipliers is None or game.multipliers == multipliers)


def _entry(entry: Kept, folder: Path) -> EntryAnswer:
    dice, slots = entry.dice_and_slots or (None, None)
    return {
        "file": _text(entry.path.relative_to(folder)),
        "kind": entry.kind,
        "dice": dice,
        "slots": slots,
        "size": entry.size,
        "made": _time(entry.made),
        "used": _time(entry.used),
        "state": entry.state,
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(min(max(seconds, DAY), LAST_DAY)).astimezone().isoformat(timespec="seconds")


def _text(path: Path | str) -> str:
    return str(path).encode(errors="replace").decode()  # a name that is no text
