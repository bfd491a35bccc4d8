"""Duels: begun against a bot or with an invite, joined by one friend, ended by time or by resigning; rematches.

Both games of a duel share a deal. A transaction that changes a duel locks its row first, and then changes its games,
so that two players who join at once, or a move and a timeout, happen one after the other.
"""

from collections.abc import Sequence
from dataclasses import replace
from secrets import token_hex

from sqlalchemy import Connection, and_, case, delete, exists, func, insert, or_, select, update

from tentimes18.game import Game
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.store import games as store
from tentimes18.server.store.schema import deals, duels, games, players, rematches
from tentimes18.server.store.writer import Commit

MAX_AT_ONCE = 200  # duels that one look at the time ends
SEED_BYTES = 16  # for the random choices of a bot
NO_INVITE = "there is no such invite"


def start_duel(commit: Commit, player: str, game: Game, bot: str | None, now: int) -> store.GameState:
    """Begin a duel against a bot, or with an invite for a friend, and with new rolls."""
    connection = commit.connection
    store.keep_players(connection, {player: now})
    (deal,) = store.draw_deals(connection, [(game, now)])
    row = {"invite": new_id() if bot is None else None, "bot": bot, "seed": token_hex(SEED_BYTES)}
    new = insert(duels).values(**row, created=now, changed=now).returning(duels.c.number)
    duel = connection.execute(new).scalar_one()
    # No duel is rated: its best move is not the one with the best mean.
    seats = [store.game_row(new_id(), player, deal, now, kind="duel", duel=duel)]
    if bot is not None:
        seats.append(store.game_row(new_id(), None, deal, now, kind="duel", duel=duel, seat=1))
    connection.execute(insert(games), seats)
    return store.load_states(connection, [seats[0]["id"]])[seats[0]["id"]]


def _lock_invite(connection: Connection, invite: str) -> tuple[store.GameState, store.DuelState]:
    """The first player's game of the duel with this invite, which nobody else changes meanwhile."""
    duel = connection.execute(select(duels.c.number).where(duels.c.invite == invite).with_for_update()).scalar()
    if duel is None:
        raise NotFound(NO_INVITE)
    (state,) = store.select_states(connection, store.GAMES.where(games.c.duel == duel, games.c.seat == 0))
    assert state.duel is not None
    return state, state.duel


def join_duel(commit: Commit, invite: str, player: str, now: int) -> store.GameState:
    """Take the second seat; the player who has it gets the same game again. Raises a ``Problem``."""
    connection = commit.connection
    state, duel = _lock_invite(connection, invite)
    if state.opponent is not None and state.opponent.player == player:
        return store.load_states(connection, [state.opponent.id])[state.opponent.id]
    if state.player == player:
        raise Problem("conflict", "this is your own invite: give it to somebody else")
    if state.opponent is not None:
        raise Problem("conflict", "somebody else has taken this invite")
    if state.is_over or store.is_out_of_time(state, now):
        raise Problem("conflict", "this duel is over")
    connection.execute(update(duels).where(duels.c.number == duel.number).values(changed=now))
    joined = store.begin_game(connection, player, state.deal_number, now, kind="duel", duel=duel.number, seat=1)
    commit.changed += [state.id, joined.id]
    return joined


def find_invite(connection: Connection, code: str) -> tuple[store.GameState, str | None]:
    """The first player's game of the duel with this invite, and the name of that player."""
    of_invite = store.GAMES.join(duels, games.c.duel == duels.c.number).where(duels.c.invite == code, games.c.seat == 0)
    states = store.select_states(connection, of_invite)
    if not states:
        raise NotFound(NO_INVITE)
    name = connection.execute(select(players.c.name).where(players.c.id == states[0].player)).scalar()
    return states[0], name


def bot_results(connection: Connection, player: str) -> dict[str, tuple[int, int, int]]:
    """For each bot that the player has met, by name: how many duels the player won, drew and lost."""
    theirs = games.alias("theirs")
    loser = duels.c.loser
    lead = case((loser == games.c.seat, -1), (loser.is_not(None), 1), else_=games.c.score - theirs.c.score)
    results = (func.sum(case((result, 1), else_=0)) for result in (lead > 0, lead == 0, lead < 0))
    rows = (
        select(duels.c.bot, *results)
        .join_from(games, duels, games.c.duel == duels.c.number)
        .join(theirs, and_(theirs.c.duel == duels.c.number, theirs.c.seat == 1))
        .where(games.c.player == player, games.c.finished.is_not(None), duels.c.bot.is_not(None))
        .group_by(duels.c.bot)
    )
    return {bot: (won, drawn, lost) for bot, won, drawn, lost in connection.execute(rows)}


def end_duel(commit: Commit, state: store.GameState, by: store.Ending, loser: int | None, now: int) -> None:
    """End the duel of a game that is loaded to be changed: by time, or because somebody leaves."""
    assert state.duel is not None
    connection = commit.connection
    connection.execute(update(duels).where(duels.c.number == state.duel.number).values(ended_by=by, loser=loser))
    ended = replace(state, duel=replace(state.duel, ended_by=by, loser=loser))  # both boards are open then
    connection.execute(store.FINISH, store.finished_rows(ended, now))
    commit.changed.append(state.id)
    if state.opponent is not None:
        commit.changed.append(state.opponent.id)


def _own_duel(commit: Commit, id_: str, player: str) -> tuple[store.GameState, store.DuelState]:
    """A player's game of a duel, which nobody else changes meanwhile; raises a ``Problem``."""
    state = store.load_states(commit.connection, [id_], to_change=True).get(id_)
    if state is None or state.player != player:
        raise NotFound
    if state.duel is None:
        raise Problem("conflict", "this game is not a duel")
    return state, state.duel


def resign_duel(commit: Commit, id_: str, player: str, now: int) -> store.GameState:
    """Give up a duel, which the opponent wins; the same again changes nothing."""
    state, duel = _own_duel(commit, id_, player)
    if duel.ended_by != "resign" or duel.loser != state.seat:
        if state.is_over or store.is_out_of_time(state, now):
            raise Problem("conflict", "the duel is over")
        if state.opponent is None:
            raise Problem("conflict", "nobody has joined: withdraw the invite instead")
        end_duel(commit, state, "resign", state.seat, now)
    return store.load_states(commit.connection, [id_])[id_]


def withdraw_invite(commit: Commit, invite: str, player: str) -> None:
    """Remove a duel that nobody has joined, with the game of its first player."""
    connection = commit.connection
    state, duel = _lock_invite(connection, invite)
    if state.player is None:
        raise NotFound(NO_INVITE)
    if state.player != player:
        raise Problem("forbidden", "only the player who made an invite can withdraw it")
    if state.opponent is not None:
        raise Problem("conflict", "somebody has taken this invite: resign the duel instead")
    connection.execute(delete(games).where(games.c.number == state.number))
    connection.execute(delete(duels).where(duels.c.number == duel.number))
    connection.execute(delete(deals).where(deals.c.number == state.deal_number))
    commit.changed.append(state.id)


def rematch_duel(commit: Commit, id_: str, player: str, now: int) -> tuple[store.GameState, bool]:
    """The player's game in the duel that follows another one, and whether it is new.

    The first of both players to ask begins it, the other one joins it. Against a bot it begins at once.
    """
    state, duel = _own_duel(commit, id_, player)
    opponent, following = state.opponent, duel.rematch
    if not state.is_over:
        raise Problem("conflict", "the duel is not over")
    if following is not None and (own := following.games.get(player)) is not None:
        return store.load_states(commit.connection, [own])[own], False
    if opponent is None or (opponent.player is None and duel.bot is None):
        raise Problem("conflict", "nobody is left to play against")
    commit.changed += [state.id, opponent.id]
    if following is not None and not following.is_over and following.invite is not None:
        return join_duel(commit, following.invite, player, now), True
    commit.connection.execute(delete(rematches).where(rematches.c.duel == duel.number))
    begun = start_duel(commit, player, state.game, duel.bot, now)
    assert begun.duel is not None
    commit.connection.execute(insert(rematches).values(duel=duel.number, next=begun.duel.number))
    return begun, True


def end_by_time(commit: Commit, ids: Sequence[str], now: int) -> int:
    """End those duels whose time is over, each with the id of one of its games; returns how many."""
    states = store.load_states(commit.connection, ids, to_change=True).values()
    overdue = [state for state in states if store.is_out_of_time(state, now)]
    for state in overdue:
        end_duel(commit, state, "time", store.loser_by_time(state), now)
    return len(overdue)


def overdue_games(connection: Connection, now: int) -> Sequence[str]:
    """The first game of each duel whose time may be over, the oldest first."""
    second = games.alias("second")
    has_come = exists().where(second.c.duel == duels.c.number, second.c.seat == 1)
    overdue = or_(
        and_(duels.c.changed <= now - store.MOVING_MS, has_come),
        and_(duels.c.created <= now - store.COMING_MS, ~has_come),
    )
    first = select(games.c.id).join_from(duels, games, and_(games.c.duel == duels.c.number, games.c.seat == 0))
    rows = first.where(duels.c.ended_by.is_(None), overdue).order_by(duels.c.changed)
    return connection.execute(rows.limit(MAX_AT_ONCE)).scalars().all()


def end_overdue(commit: Commit, now: int) -> int:
    """End duels whose time is over, so that players who watch them see it; returns how many."""
    return end_by_time(commit, overdue_games(commit.connection, now), now)
