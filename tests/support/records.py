"""Random played games for hypothesis: finished or not, alone or in a duel, with any tags; and how one is rejected."""

from typing import Any, Final

from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.records.notation import OWN_FIELDS, Record
from tests.support.games import games

WRITTEN_DICE: Final = ("3d6", "2d12:12=2", "1d6-3", "d{1,1,2,3,5,8}", "d{-7,0,4}:0=3,-7=2", "7", "2d6+1d8+3", "-d4:2=5")

AWKWARD_TEXTS: Final = (
    *("", " ", "a b", " a", "a ", ";", "#", "=", '"', "'", ",", ":", "@", "?"),
    *("\\", "\n", "\r\n", "\t", "\0", "\u2028"),
    *("null", "true", "false", "NaN", "Infinity", "-Infinity", "7", "-7.5e3", "1e400", "[1]", "[1", "{", '{"a": 1}'),
    *('"Ada"', '"Ada', "moves", "a,moves,b", "9@?", "8@5 4@1", "3d6 1-10:", "# no", "; x=1", "=1", "\ufeff", "é", "🎲"),
    *("\x85", "\x1c", "\xa0", "a\u3000", "x" * 5000, "٨@٥"),
)

texts = st.sampled_from(AWKWARD_TEXTS) | st.text(max_size=12) | st.text(alphabet='";#=,: \n\\an1', max_size=8)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
keys = st.sampled_from(("name", "date", "comment", "true", "Name2", "a-b")) | texts
all_tags = st.dictionaries(keys.filter(lambda key: key not in OWN_FIELDS), json_values, max_size=4)


def written_games(max_slots: int = 4) -> st.SearchStrategy[Game]:
    """Games from small distributions, and from dice in every form that they are written in."""
    written = st.builds(
        Game, st.sampled_from(WRITTEN_DICE).map(Dice.parse), games(max_slots).map(lambda game: game.multipliers)
    )
    return written | games(max_slots)


@st.composite
def boards(draw: st.DrawFn, game: Game, rounds: int | None = None) -> Board:
    if rounds is None:
        rounds = draw(st.integers(0, game.size))
    slots = draw(st.permutations(range(1, game.size + 1)))
    rolls = draw(st.lists(st.sampled_from(game.dice.support), min_size=rounds, max_size=rounds))
    return Board.replay(game, zip(rolls, slots, strict=False))


@st.composite
def records(draw: st.DrawFn, max_slots: int = 4, tags: st.SearchStrategy[dict[str, Any]] = all_tags) -> Record:
    board = draw(boards(draw(written_games(max_slots))))
    roll = draw(st.none() | st.sampled_from(board.game.dice.support)) if board.free else None
    opponent = None
    if draw(st.booleans()):
        slots = draw(st.permutations(range(1, board.game.size + 1)))
        opponent = Board.replay(board.game, zip([move.roll for move in board.placements], slots, strict=False))
    return Record(board, roll, opponent, draw(tags))


def assert_one_line(error: BaseException) -> None:
    """A rejection that fits on a line of a terminal."""
    assert isinstance(error, Ten18Error)
    assert len(str(error).splitlines()) == 1
    assert str(error).isprintable()
    assert len(str(error)) < 400
