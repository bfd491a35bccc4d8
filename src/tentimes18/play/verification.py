"""Checks a finished game from public data alone: its rolls were fixed before it, and its score is what they make.

For each round: its roll is one that the dice can show, and the SHA-256 of ``NONCE:ROUND:ROLL`` is what was published
for it before the first move. For the game: all rounds are opened, in order, no commitment and no nonce appears twice,
the boards hold exactly the opened rolls, and each score is the sum of multiplier times roll.

A game is read from JSON that anybody may have written, in two forms: the object that the service sends, and a record
(docs/reference/notation.md) with the tags `commitments` and `nonces`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from sys import float_info
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from tentimes18.errors import IllegalMove, InvalidGame, quoted
from tentimes18.game import Board, Game, Number, Placement
from tentimes18.play.fairness import Deal, OpenedRound, commitment
from tentimes18.records.notation import VERSION, parse_moves

NAMED = 5  # rolls in one problem
ROUNDING = Fraction(1, 2**50)  # of a sum of products in float64, relative to the sum of their sizes
NO_DIGEST = "not 64 lower-case hexadecimal digits"

_DIGEST = re.compile(r"[0-9a-f]{64}")
MAX_NAME = 200  # letters
SIMPLE = 10**6  # denominators
GIVEN_UP = ("time", "leave", "resign")  # how a duel may have ended before its last move
MOVES = "is not text; accepted: rolls and slots like '8@5 4@1'"
WHOLE = "is not a whole number"

_Float = Annotated[float, Meta(ge=-float_info.max, le=float_info.max)]  # which is finite
_NUMBER: Any = int | _Float | Annotated[str, Meta(pattern=r"^[+-]?[0-9]{1,400}(?:/0{0,10}[1-9][0-9]{0,400})?\Z")]
_SLOT: Any = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,8}\Z")]

_parsed = lru_cache(maxsize=2)(Game.parse)  # few: a game of a million slots takes 40 MB

Source = Mapping[str, Any]


class PublicBoard(NamedTuple):
    """What is said to be on a board, and the score it is said to make; a record has none for the opponent."""

    placements: tuple[Placement, ...]
    score: int | float | Fraction | None

    @property
    def rolls(self) -> list[int]:
        return [placement.roll for placement in self.placements]


@dataclass(frozen=True, slots=True)
class PublicGame:
    """What a game claims.

    ``is_given_up``: a duel that ended before its last move; ``has_order``: the placements are in the order of play;
    ``is_rounded``: some multipliers were given as floats, which cannot hold a fraction such as 1/3.
    """

    id: str | None
    day: str | None
    game: Game
    is_rounded: bool
    finished: bool
    commitments: tuple[str, ...]
    opened: Sequence[OpenedRound]
    board: PublicBoard
    opponent: PublicBoard | None
    is_given_up: bool = False
    has_order: bool = False


class Starts(NamedTuple):
    """What was published before games began: starts of games by their ids, and commitments of daily games by day."""

    games: Mapping[str | None, PublicGame]
    days: Mapping[str, tuple[str, ...]]


def read_public_game(source: object) -> PublicGame:
    """A game from its JSON; raises ``InvalidGame`` with the field that is wrong."""
    if not isinstance(source, Mapping):
        raise InvalidGame(f"{quoted(source)} is not a game; accepted: an object as the server returns it", field="JSON")
    if "opened" in source:
        return _read_game(source)
    if "moves" in source:
        return _read_record(source)
    raise InvalidGame(
        "missing; a game that can be checked has opened rounds, or is a record with moves", field="opened"
    )


def read_starts(sources: Iterable[object]) -> Starts:
    """Starts from their JSON: games, or the public list of days; raises ``InvalidGame`` for anything else."""
    games: dict[str | None, PublicGame] = {}
    days: dict[str, tuple[str, ...]] = {}
    for source in sources:
        if not isinstance(source, Mapping) or "days" not in source:
            start = read_public_game(source)
            if start.id in games:
                raise InvalidGame("two games have the same", field="id")
            games[start.id] = start
            continue
        for part in _get(source, "days", list[Any], "is not a list; accepted: one object per day"):
            if not isinstance(part, dict) or not isinstance(part.get("day"), str):
                problem = "is not a day; accepted: objects with day and commitments"
                raise InvalidGame(f"{quoted(part)} {problem}", field="days")
            days[part["day"]] = _texts(part, "commitments")
    return Starts(games, days)


def _read_game(source: Source) -> PublicGame:
    facts = _facts(source)
    game = facts[2]
    rounds = _get(source, "opened", list[Any], "is not a list; accepted: one object per round")
    opponent = source.get("opponent")
    if opponent is not None:
        _get(source, "opponent", dict, "is not accepted; accepted: null, or an object with board and score")
        opponent = PublicBoard(_placements(game, opponent, "opponent"), _score(opponent, "opponent"))
    return PublicGame(
        *facts,
        finished=_get(source, "finished", bool, "is not accepted; accepted: true or false"),
        is_given_up=source.get("ended_by") in GIVEN_UP,
        commitments=_texts(source, "commitments"),
        opened=list(map(_opened, rounds)),
        board=PublicBoard(_placements(game, source, "board"), _score(source, "score")),
        opponent=opponent,
    )


def _read_record(source: Source) -> PublicGame:
    if "version" in source:
        _get(source, "version", Annotated[int, Meta(ge=VERSION, le=VERSION)], f"is not accepted; accepted: {VERSION}")
    facts = _facts({"dice": "3d6", "slots": "1-10"} | dict(source))
    game = facts[2]
    board = PublicBoard(_moves(game, source, "moves"), _score(source, "score") if "score" in source else None)
    rolls = board.rolls
    if source.get("roll") is not None:
        rolls.append(_get(source, "roll", int, WHOLE))
    nonces = _texts(source, "nonces") if "nonces" in source else ()
    if len(nonces) > len(rolls):
        raise InvalidGame(f"{len(nonces)} are given for {len(rolls)} rolls; accepted: one per roll", field="nonces")
    has_opponent = source.get("opponent") is not None
    return PublicGame(
        *facts,
        finished=len(board.placements) == game.size,
        commitments=_texts(source, "commitments") if "commitments" in source else (),
        opened=Deal(tuple(rolls), nonces).opened(len(nonces)),
        board=board,
        opponent=PublicBoard(_moves(game, source, "opponent"), None) if has_opponent else None,
        has_order=True,
    )


def _get(source: Source, name: str, kind: Any, problem: str, field: str = "") -> Any:
    """The value of a field, if it is of this kind."""
    if name not in source:
        raise InvalidGame("missing; a game that can be checked has it", field=field or name)
    try:
        return msgspec.convert(source[name], kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        raise InvalidGame(f"{quoted(source[name])} {problem}", field=field or name) from None


def _name(source: Source, field: str) -> str | None:
    """What the game is called by; what no encoding has a letter for is replaced."""
    if source.get(field) is None:
        return None
    kind = Annotated[str, Meta(max_length=MAX_NAME)]
    name: str = _get(source, field, kind, f"is not accepted; accepted: text of at most {MAX_NAME} letters")
    return name.encode(errors="replace").decode()


def _facts(source: Source) -> tuple[str | None, str | None, Game, bool]:
    """The id, the day, dice and multipliers, and whether some of these are floats."""
    names = _name(source, "id"), _name(source, "day")
    dice = _get(source, "dice", str, "is not accepted; accepted: text like '3d6'")
    problem = "is not accepted; accepted: a list of multipliers like [1, 2, 3], or text like '1-10'"
    slots = _get(source, "slots", str | Annotated[list[_NUMBER], Meta(min_length=1)], problem)
    if isinstance(slots, str):
        return *names, _parsed(dice, slots), False
    is_rounded = any(isinstance(part, float) for part in slots)
    return *names, _parsed(dice, ",".join(str(_multiplier(part)) for part in slots)), is_rounded


def _multiplier(value: int | float | str) -> Fraction:
    """The number that was meant: where a float is the nearest one to a fraction of few digits, that fraction."""
    exact = Fraction(value)
    if not isinstance(value, float):
        return exact
    simple = exact.limit_denominator(SIMPLE)
    return simple if float(simple) == value else exact


def _texts(source: Source, field: str) -> tuple[str, ...]:
    return tuple(_get(source, field, list[str], "is not accepted; accepted: a list of texts, one per round"))


def _opened(part: Any) -> OpenedRound:
    if not isinstance(part, dict) or not {"round", "roll", "nonce"} <= part.keys():
        raise InvalidGame(f"{quoted(part)} is not a round; accepted: objects with round, roll and nonce", "opened")
    if not isinstance(nonce := part["nonce"], str):
        raise InvalidGame(f"the nonce {quoted(nonce)} is not text", "opened")
    round_, roll = (_get(part, name, int, WHOLE, "opened") for name in ("round", "roll"))
    return OpenedRound(round=round_, roll=roll, nonce=nonce)


def _placements(game: Game, source: Source, field: str) -> tuple[Placement, ...]:
    problem = f'is not accepted; accepted: slots 1 to {game.size} and their rolls, like {{"5": 8}}'
    board: dict[str, Any] = _get(source, "board", dict[_SLOT, Any], problem, field)
    if any(int(slot) > game.size for slot in board):
        raise InvalidGame(f"{quoted(board)} {problem}", field=field)
    return tuple(Placement(_get(board, slot, int, WHOLE, field), int(slot)) for slot in board)


def _moves(game: Game, source: Source, field: str) -> tuple[Placement, ...]:
    text = _get(source, field, str, MOVES)
    try:
        placements = parse_moves(text)
    except InvalidGame as error:
        raise error.about(field) from None
    if placements:
        game.verify_free([placement.slot for placement in placements], field)
    return tuple(placements)


def _score(source: Source, field: str) -> int | float | Fraction:
    score: int | float | str = _get(
        source, "score", _NUMBER, "is not accepted; accepted: a number, or a fraction like '7/2'", field
    )
    return Fraction(score) if isinstance(score, str) else score


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round: its roll, None before it is opened, and its commitment, None where that is not a digest."""

    round: int
    roll: int | None
    commitment: str | None
    verified: bool
    problem: str | None


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """A game, the score that its board makes, its rounds, and what is wrong with it beside them."""

    id: str | None
    game: Game
    score: Number
    finished: bool
    rounds: tuple[CheckedRound, ...]
    problems: tuple[str, ...]

    @property
    def verified(self) -> bool:
        return not self.problems and all(round_.verified for round_ in self.rounds)


def check_game(source: object, start: object = None) -> CheckedGame:
    """Check a game from its JSON, and that of its start if it was kept; raises ``InvalidGame`` where it is no game."""
    return check_public_game(read_public_game(source), None if start is None else read_starts([start]))


def check_public_game(public: PublicGame, starts: Starts | None = None) -> CheckedGame:
    """Check a game, and that it is the one whose commitments were published before its first move."""
    score = Board(public.game, public.board.placements).score
    problems = chain(_problems(public), () if starts is None else _start_problems(public, starts))
    return CheckedGame(public.id, public.game, score, public.finished, tuple(_rounds(public)), tuple(problems))


def _rounds(public: PublicGame) -> Iterator[CheckedRound]:
    """Every round with a commitment; of a round that is opened twice, the first opening counts."""
    openings = {opening["round"]: opening for opening in reversed(public.opened)}
    digests: dict[str, int] = {}
    nonces: dict[str, int] = {}
    for number, digest in enumerate(public.commitments[: public.game.size], start=1):
        opening = openings.get(number)
        problems = [] if opening is None else list(_opening_problems(public.game, opening, digest))
        is_digest = _DIGEST.fullmatch(digest) is not None
        if not is_digest:
            problems.append(f"the commitment is {NO_DIGEST}")
        if (earlier := digests.setdefault(digest, number)) != number:
            problems.append(f"the commitment is that of round {earlier}")
        if opening is None:
            problems.append("not opened")
        elif (earlier := nonces.setdefault(opening["nonce"], number)) != number:
            problems.append(f"the nonce is that of round {earlier}")
        roll = None if opening is None else opening["roll"]
        problem = "; ".join(problems) or None
        yield CheckedRound(number, roll, digest if is_digest else None, problem is None, problem)


def _opening_problems(game: Game, opened: OpenedRound, committed: str) -> Iterator[str]:
    try:
        game.verify_roll(opened["roll"])
    except IllegalMove as error:
        yield error.problem
        return
    if not _DIGEST.fullmatch(opened["nonce"]):
        yield f"the nonce is {NO_DIGEST}"
    elif commitment(opened["nonce"], opened["round"], opened["roll"]) != committed:
        yield "the nonce and the roll do not make the commitment"


def _problems(public: PublicGame) -> Iterator[str]:
    size, committed = public.game.size, len(public.commitments)
    if not committed and not public.opened:
        yield "nothing was committed to, so that nothing can be checked"
        return
    if committed != size:
        yield f"commitments are given for {committed} rounds, and the game has {size}"
    opened = [part["round"] for part in public.opened]
    for place, number in enumerate(opened, start=1):
        if number != place:
            yield f"round {quoted(number)} is opened in place {place}; rounds are opened in order, each once"
            break
    if len(opened) > size:
        yield f"{len(opened)} rounds are opened, and the game has {size}"
    if not public.finished:
        yield f"the game is not finished: {len(public.board.placements)} of {size} rolls are placed"
    yield from _board_problems(public, public.board, "the board")
    if public.opponent is not None:
        yield from _board_problems(public, public.opponent, "the opponent's board")


def _start_problems(public: PublicGame, starts: Starts) -> Iterator[str]:
    """Differences from the game that was begun. Without its start a check only shows that it agrees with itself."""
    start = starts.games.get(public.id)
    if len(starts.games) == 1 and None in (public.id, *starts.games):  # no id is needed to find the only start
        [start] = starts.games.values()
    published = None if public.day is None else starts.days.get(public.day)
    if start is None and published is None:
        yield "what was published before this game is not given"
    if start is not None:
        if start.board.placements or len(start.opened) > 1:
            yield "what is given as the start is no start: rolls are placed, or more than one is opened"
        if public.game != start.game:
            yield "the start has other dice or slots"
        if public.commitments != start.commitments:
            yield "the commitments are not those of the start"
    if published is not None and published != public.commitments:
        yield f"the commitments are not those that were published for {quoted(public.day)}"


def _board_problems(public: PublicGame, board: PublicBoard, name: str) -> Iterator[str]:
    placed = len(board.placements)
    rolls = [part["roll"] for part in public.opened][:placed]  # a roll is placed before the next one is shown
    standing, opened = Counter(board.rolls), Counter(rolls)
    if standing != opened:
        foreign, missing = sorted((standing - opened).elements()), sorted((opened - standing).elements())
        instead = f" where {_listed(missing)} was opened" if missing else ", which was not opened"
        yield f"{name} holds {_listed(foreign)}{instead}"
    elif public.has_order and board.rolls != rolls:
        yield f"{name} has the rolls in another order than they were opened in"
    if public.finished and not public.is_given_up and placed < public.game.size:
        yield f"the game is said to be finished, and {name} has free slots"
    if board.score is not None and not _is_score(public, board, board.score):
        makes = _short(Board(public.game, board.placements).score)
        yield f"the score of {name} is said to be {_short(board.score)}, and it makes {makes}"


def _is_score(public: PublicGame, board: PublicBoard, score: int | float | Fraction) -> bool:
    """Whether this is what the board makes: exactly, or, where floats were given, but for their rounding."""
    products = [Fraction(public.game.multipliers[slot - 1] * roll) for roll, slot in board.placements]
    difference = abs(Fraction(score) - sum(products))
    if public.is_rounded or isinstance(score, float):
        return difference <= ROUNDING * sum(abs(product) for product in products)
    return difference == 0


def _listed(rolls: list[int]) -> str:
    return ", ".join(map(_short, rolls[:NAMED])) + (f" and {len(rolls) - NAMED} more" if len(rolls) > NAMED else "")


def _short(number: int | float | Fraction) -> str:
    is_short = isinstance(number, float) or max(abs(number.numerator), number.denominator) < 10**20
    return str(number) if is_short else "a number of many digits"
