"""What players are called: a name is data, checked once, and one who has none gets a neutral one.

A name is text that can be shown anywhere: nothing in it is invisible, turns the direction of what follows, or climbs
over the line above.
"""

import hmac
from hashlib import sha256
from unicodedata import category, normalize

from tentimes18.errors import Ten18Error

LONGEST_NAME = 30
MOST_MARKS = 4  # on one letter
GUESTS = 9000
STYLES = "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"  # of an emoji, which phones write behind it
# Letters and marks by their category, and nothing to the eye.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)


def read_name(text: str) -> str:
    """A name as it is kept: composed, without blanks around it; raises ``Ten18Error`` where it cannot be shown."""
    name = " ".join(part for part in normalize("NFC", text).strip().split(" ") if part)
    name = "".join(letter for letter in name if letter not in STYLES)
    problem = None
    if not 1 <= len(name) <= LONGEST_NAME:
        problem = f"{len(name)} characters"
    elif not name.isprintable() or not INVISIBLE.isdisjoint(name):
        problem = "it has a character that cannot be seen"
    elif not any(category(letter)[0] in "LNPS" for letter in name):
        problem = "it has no letter"
    elif _marks_in_a_row(name) > MOST_MARKS:
        problem = "it has too many marks on one letter"
    if problem:
        raise Ten18Error(f"{problem}; accepted: 1 to {LONGEST_NAME} printable characters", "name")
    return name


def _marks_in_a_row(name: str) -> int:
    most = count = 0
    for letter in name:
        count = count + 1 if category(letter)[0] == "M" else 0
        most = max(most, count)
    return most


class Names:
    """Names of those who have given none: always the same for a player, and nothing can be told from it."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"ten18 guest names", sha256)

    def shown(self, player: str, name: str | None) -> str:
        """What others see of a player."""
        if name is not None:
            return name
        mark = hmac.digest(self._key, player.encode(), sha256)
        return f"Guest {1000 + int.from_bytes(mark[:8], 'big') % GUESTS}"
