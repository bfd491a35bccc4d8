"""Every file of the app: its path, its bytes, what it is, and a digest; read once, for the service and for an export.

The files lie in `static/`; the colours are those of `style/`, shared with the pictures, and `starts.json` is made by
`starts`. Ours go without their comments (`lean`), libraries as they stand. All of them together have a version: an
address that has it in its path never changes what it gives.

Modules and style sheets as they are sent: without the comments that stand on lines of their own.

They are a fifth of what would go over the wire, and no browser needs them. Nothing else is touched, and every line
stays where it was: what a browser's tools show has the numbers of the file in the repository.

What the app knows without asking anybody: the named games, the law of their dice, and what solves them.

With the rows of thresholds a browser needs one dot product to tell what a slot is worth, with a network or without.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final, TypedDict

from tentimes18.game import Game
from tentimes18.pictures.colours import style_sheet
from tentimes18.queries.solutions import solve

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
SHARED_STYLES: Final = ("tokens", "dark")
VERSION_DIGITS: Final = 12


@dataclass(frozen=True)
class AppFile:
    """A file of the app; ``path`` is the one below `static`."""

    path: str
    data: bytes

    @property
    def content_type(self) -> str:
        """What it is, for a browser.

        >>> AppFile("app/main.js", b"").content_type
        'text/javascript; charset=utf-8'
        """
        return TYPES[self.path[self.path.rindex(".") :]]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of its bytes, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


@lru_cache(1)
def app_files() -> Mapping[str, AppFile]:
    """All files of the app by their paths, in order.

    >>> app_files()["app/main.js"].path, "style/tokens.css" in app_files()
    ('app/main.js', True)
    """
    found = dict(_below(files("tentimes18.app").joinpath("static"), ""))
    found |= {f"style/{name}.css": style_sheet(name).encode() for name in SHARED_STYLES}
    found["starts.json"] = starts_json()
    return MappingProxyType({path: AppFile(path, _sent(path, data)) for path, data in sorted(found.items())})


def _sent(path: str, data: bytes) -> bytes:
    is_ours = path.endswith((".js", ".css")) and not path.startswith("vendor/")
    return lean(data.decode()).encode() if is_ours else data


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif entry.name[0] != "." and not entry.name.endswith("~"):  # what editors leave
            yield prefix + entry.name, entry.read_bytes()


def version_of(found: Mapping[str, AppFile]) -> str:
    """The version of these files: another one as soon as a byte of them differs.

    >>> version_of({}), version_of({"a.js": AppFile("a.js", b"1")}) == version_of({"a.js": AppFile("a.js", b"2")})
    ('e3b0c44298fc', False)
    """
    told = "".join(f"{path} {found[path].digest}\n" for path in sorted(found))
    return hashlib.sha256(told.encode()).hexdigest()[:VERSION_DIGITS]


_COMMENT: Final = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)$", re.MULTILINE | re.DOTALL)


def lean(text: str) -> str:
    r"""The text without comments on lines of their own; those lines are empty.

    >>> lean("// What it is for.\nlet a = 1; // stays\n/** @type {number}\n *  of it */\nlet b;\n")
    '\nlet a = 1; // stays\n\n\nlet b;\n'
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game that players pick by its name."""

    name: str
    title: str
    about: str
    dice: str
    slots: str


NAMED_GAMES: Final = (
    NamedGame("classic", "Classic", "Three dice, ten slots.", "3d6", "1-10"),
    NamedGame("blitz", "Blitz", "Three dice, five slots: a minute.", "3d6", "1-5"),
    NamedGame(
        "loaded",
        "Loaded twelves",
        "The paper's variant: two dice of twelve sides, and the twelve comes twice as often.",
        "2d12:12=2",
        "1,3,5,7,9,11,13,15,17",
    ),
)


class LawOfRolls(TypedDict):
    """The law of one roll: so many ways, of all there are, to roll each number."""

    dice: str
    support: list[int]
    counts: list[int]


class StartAnswer(TypedDict):
    """A named game, ready to be played and measured: ``par`` is its value, ``thresholds`` are the rows E_1 to E_n."""

    name: str
    title: str
    about: str
    dice: str
    slots: str
    law: LawOfRolls
    par: float | str
    thresholds: list[list[float | str]]


def start_of(named: NamedGame) -> StartAnswer:
    """All that a browser needs for a game.

    >>> start = start_of(NAMED_GAMES[0])
    >>> round(float(start["par"]), 2), start["thresholds"][0], sum(start["law"]["counts"])
    (642.24, [10.5], 216)
    """
    game = Game.parse(named.dice, named.slots)
    solved = solve(named.dice, named.slots)
    return {
        "name": named.name,
        "title": named.title,
        "about": named.about,
        "dice": named.dice,
        "slots": named.slots,
        "law": {"dice": named.dice, "support": list(game.dice.support), "counts": list(game.dice.counts)},
        "par": solved.expected.optimal,
        "thresholds": solved.thresholds,
    }


def starts_json() -> bytes:
    """The named games as the app's file has them."""
    return json.dumps({"games": [start_of(named) for named in NAMED_GAMES]}, separators=(",", ":")).encode()
