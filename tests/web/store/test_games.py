"""Games in the store: how deals are kept, and moves of many games in one commit."""

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import IllegalMove
from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.store.database import Database
from tentimes18.server.store.games import (
    DuelState,
    GameState,
    MoveToMake,
    NewGame,
    OpponentState,
    load_states,
    make_moves,
    pack_deal,
    start_games,
    unpack_deal,
)
from tentimes18.server.store.writer import Commit

GAME = Game.parse("1d6", "1-3")


@given(st.sampled_from(["3d6", "1d20", "1d6-3", "d{1,1,2,3,5,8}"]), st.integers(1, 12))
def test_deals_are_kept_as_they_are(dice: str, slots: int) -> None:
    game = Game.parse(dice, f"1-{slots}" if slots > 1 else "1")
    deal = draw_deal(game)
    columns = pack_deal(game, deal)
    assert unpack_deal(columns["rolls"], columns["nonces"]) == deal
    assert Game.parse(columns["dice"], columns["slots"]) == game


def test_nothing_secret_is_printed() -> None:
    row = (1, "game", "ada", "duel", "off", 1, 7, 0, False, None, None, None)
    duel, opponent = DuelState(1, "invite", None, "seed"), OpponentState(2, "other", "bob", None, (1, 2))
    state = GameState(*row, GAME, draw_deal(GAME), slots=(1,), seen=(0,), duel=duel, opponent=opponent)  # type: ignore[arg-type]
    text = repr(state)
    assert not any(nonce in text for nonce in state.deal.nonces)
    assert "seed" not in text.replace("seed=", "")
    assert "(1, 2)" not in text


def new(player: str) -> NewGame:
    return NewGame(player, GAME, "off", True, 7)


def started(database: Database, *players: str) -> list[GameState]:
    with database.writing() as connection:
        return list(start_games(Commit(connection), [new(player) for player in players]))


def moved(database: Database, *moves: MoveToMake) -> list[GameState | Exception]:
    with database.writing() as connection:
        return list(make_moves(Commit(connection), moves))


def test_moves_of_one_commit_see_each_other(database: Database) -> None:
    ada, bob = new_id(), new_id()
    one, two = started(database, ada, bob)
    answers = moved(
        database,
        MoveToMake(one.id, ada, 1, 3, 10),
        MoveToMake(two.id, bob, 1, 1, 10),
        MoveToMake(one.id, ada, 1, 3, 11),  # again
        MoveToMake(one.id, ada, 1, 2, 11),  # another slot
        MoveToMake(one.id, ada, 2, 3, 11),  # taken
        MoveToMake(one.id, ada, 2, 1, 11),
        MoveToMake(one.id, bob, 3, 2, 12),  # not his
        MoveToMake(new_id(), ada, 1, 1, 12),
        MoveToMake(one.id, ada, 3, 2, 12),
        MoveToMake(one.id, ada, 4, 2, 12),  # over
    )
    kinds = [GameState, GameState, GameState, Problem, IllegalMove, GameState, NotFound, NotFound, GameState, Problem]
    assert [type(answer) for answer in answers] == kinds
    with database.reading() as connection:
        kept = load_states(connection, [one.id, two.id])
    assert (kept[one.id].slots, kept[one.id].finished) == ((3, 1, 2), 12)
    assert (kept[two.id].slots, kept[two.id].finished) == ((1,), None)
    assert answers[8] == kept[one.id]
