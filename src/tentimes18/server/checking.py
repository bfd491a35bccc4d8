"""Finished games that anybody wants checked, from a form: read within limits, checked, and not kept."""

from collections.abc import Iterator, Mapping
from io import StringIO
from itertools import islice
from typing import Final
from urllib.parse import parse_qsl

from tentimes18.answers.fairness import VerificationAnswer, verification
from tentimes18.errors import Ten18Error, TooLarge, quoted
from tentimes18.play.verification import PublicGame, Starts, check_public_game, read_public_game, read_starts
from tentimes18.records.formats import BadLine, JsonValue, read_values
from tentimes18.server.game_limits import verify_game_of

__all__ = ["MOST_GAMES", "MOST_LINES", "check_texts", "read_form"]

MOST_GAMES: Final = 100
MOST_LINES: Final = 200  # with those that are no games
FIELDS: Final = ("games", "start")


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a form as a browser sends it; raises ``Ten18Error`` where it has others, or one twice.

    >>> read_form(b"games=%7B%7D&start=")
    {'games': '{}', 'start': ''}
    """
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=10)
    except ValueError:
        raise Ten18Error(f"not a form in UTF-8; accepted: the fields {' and '.join(FIELDS)}") from None
    form = dict(pairs)
    for name in form:
        if name not in FIELDS:
            raise Ten18Error(f"{quoted(name)} is not a field that is known here; accepted: {' and '.join(FIELDS)}")
    if len(form) < len(pairs):
        raise Ten18Error("a field is given twice")
    return form


def check_texts(games: str, start: str = "") -> VerificationAnswer:
    """Check the games of a text, by what was published before them if that is given.

    Both hold a JSON object, an array of them, or one a line. Raises ``Ten18Error`` where there is no game, or where
    they are too many or too large; a line that is no game spoils no other.

    >>> check_texts('{"dice": "1d6", "slots": "2", "moves": "5@1"}')["verified"]
    0
    """
    starts = _read_starts(start) if start.strip() else None
    found: list[tuple[int, PublicGame]] = []
    bad: list[BadLine] = []
    for line in _lines(games, "games"):
        if isinstance(line, BadLine):
            bad.append(line)
            continue
        try:
            found.append((line.number, read_public_game(_verified(line.value))))
        except Ten18Error as error:
            bad.append(BadLine(line.number, str(error)))
        if len(found) > MOST_GAMES:
            raise TooLarge(f"more than {MOST_GAMES} games; check them in several parts", "games")
    if not found and bad:
        raise Ten18Error(f"no game in it; line {bad[0].number}: {bad[0].reason}", "games")
    if not found:
        raise Ten18Error("none given; accepted: a game as the service gives it, or records, one a line", "games")
    return verification(((number, check_public_game(public, starts)) for number, public in found), bad)


def _lines(text: str, field: str) -> Iterator[JsonValue | BadLine]:
    found = list(islice(read_values(StringIO(text)), MOST_LINES + 1))
    if len(found) > MOST_LINES:
        raise TooLarge(f"more than {MOST_LINES} lines; check them in several parts", field)
    yield from found


def _read_starts(text: str) -> Starts:
    sources = []
    for line in _lines(text, "start"):
        if isinstance(line, BadLine):
            raise Ten18Error(f"line {line.number}: {line.reason}", "start")
        sources.append(line.value)
    try:
        return read_starts(map(_verified, sources))
    except Ten18Error as error:
        raise Ten18Error(str(error), "start") from None


def _verified(source: object) -> object:
    if isinstance(source, Mapping) and "days" not in source:
        verify_game_of(source)
    return source
