"""Checking a finished game from public data alone: its rolls were fixed before it, and its score is what they make.

Of each round: its roll is one that the dice can show, and the SHA-256 of ``NONCE:ROUND:ROLL`` is what was published for
it before the first move. Of the game: all rounds are opened, in order, no commitment and no nonce stands twice, the
boards hold exactly the opened rolls, and each score is the sum of multiplier times roll.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from tentimes18.errors import IllegalMove, quoted
from tentimes18.game import Board, Game, Number
from tentimes18.play.fairness import OpenedRound, commitment
from tentimes18.play.public_game import PublicBoard, PublicGame, Starts, read_public_game, read_starts

NAMED = 5  # rolls in one problem
ROUNDING = Fraction(1, 2**50)  # of a sum of products in float64, relative to the sum of their sizes
NO_DIGEST = "not 64 lower-case hexadecimal digits"

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round, its roll where it is opened, what was committed to where that is a digest, and what is wrong with it."""

    round: int
    roll: int | None
    commitment: str | None
    problem: str | None

    @property
    def verified(self) -> bool:
        """Whether the roll is the one that was committed to."""
        return self.problem is None


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
        """Whether all of it could be checked, and was right."""
        return not self.problems and all(round_.verified for round_ in self.rounds)


def check_game(source: object, start: object = None) -> CheckedGame:
    """Check a game from its JSON, with that of its start where it was kept; raises ``InvalidGame`` where that is none.

    >>> deal = {"commitments": [commitment("00" * 32, 1, 5)], "nonces": ["00" * 32]}
    >>> check_game({"dice": "1d6", "slots": "2", "moves": "5@1", "score": 10} | deal).verified
    True
    >>> check_game({"dice": "1d6", "slots": "2", "moves": "6@1", "score": 12} | deal).rounds[0].problem
    'the nonce and the roll do not make the commitment'
    """
    return check_public_game(read_public_game(source), None if start is None else read_starts([start]))


def check_public_game(public: PublicGame, starts: Starts | None = None) -> CheckedGame:
    """Check a game that was read; by what was published before its first move, that nothing was exchanged since."""
    game = public.game
    return CheckedGame(
        public.id,
        game,
        Board(game, public.board.placements).score,
        public.finished,
        tuple(_rounds(public)),
        tuple(chain(_problems(public), () if starts is None else _start_problems(public, starts))),
    )


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
        yield CheckedRound(number, roll, digest if is_digest else None, "; ".join(problems) or None)


def _opening_problems(game: Game, opened: OpenedRound, committed: str) -> Iterator[str]:
    """What is wrong with the nonce and the roll of a round."""
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
    """What is wrong beside single rounds."""
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
    """Where a game is not the one that was begun. Without its start a check only shows that it agrees with itself."""
    start = starts.game(public)
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
        told = f" where {_listed(missing)} was opened" if missing else ", which was not opened"
        yield f"{name} holds {_listed(foreign)}{told}"
    elif public.has_order and board.rolls != rolls:
        yield f"{name} has the rolls in another order than they were opened in"
    if public.finished and not public.is_given_up and placed < public.game.size:
        yield f"the game is said to be finished, and {name} has free slots"
    if board.score is not None and not _is_score(public, board, board.score):
        told = _told(Board(public.game, board.placements).score)
        yield f"the score of {name} is said to be {_told(board.score)}, and it makes {told}"


def _is_score(public: PublicGame, board: PublicBoard, score: int | float | Fraction) -> bool:
    """Whether this is what the board makes: exactly, or, where floats were given, but for their rounding."""
    products = [Fraction(public.game.multipliers[slot - 1] * roll) for roll, slot in board.placements]
    difference = abs(Fraction(score) - sum(products))
    if public.is_rounded or isinstance(score, float):
        return difference <= ROUNDING * sum(abs(product) for product in products)
    return difference == 0


def _listed(rolls: list[int]) -> str:
    return ", ".join(map(_told, rolls[:NAMED])) + (f" and {len(rolls) - NAMED} more" if len(rolls) > NAMED else "")


def _told(number: int | float | Fraction) -> str:
    is_short = isinstance(number, float) or max(abs(number.numerator), number.denominator) < 10**20
    return str(number) if is_short else "a number of many digits"
