"""`ten18 admin ...`: what an operator does to the players of a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from msgspec.structs import astuple

from tentimes18.cli.command import Result, add_command, add_group
from tentimes18.cli.grid import Column, data_table, table
from tentimes18.cli.serve_commands import DataOption, require_web, server_database
from tentimes18.files import data_folder

if TYPE_CHECKING:
    from tentimes18.server.store.admin import Admin, AdminAnswer

PlayerArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="PLAYER", help="The id of a player, from ten18 admin players.", show_default=False)
]


def register(app: typer.Typer) -> None:
    admin = add_group(
        app,
        "admin",
        "Look after the players of a server, while it runs or not.\n\n"
        "The commands change the database that ten18 serve uses: the one in the data folder, or TEN18_DATABASE_URL. "
        "Every change adds a line to admin.log in the data folder.",
    )
    add_command(admin, players, tables=["players"])
    add_command(admin, sizes, tables=["tables"])
    for change in (rename, clear_name, hide, show, sign_out, delete_player, delete_group, end_duel):
        add_command(admin, change, tables=["result"], name=change.__name__.replace("_", "-"))


def players(
    search: Annotated[str | None, typer.Option(metavar="TEXT", help="A part of the name, or the whole id.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="The largest number of players to list.")] = 50,
    data: DataOption = None,
) -> Result:
    """List players, the newest first, or search them by name."""
    with _admin(data) as admin:
        answer = admin.players(search, limit)
    heads = ("name", "created", "games", "finished", "last game", "hidden")
    columns = (Column(head, left=True) for head in heads)
    rows = (
        (
            *(row.id, row.name or "", row.created[:10], row.games, row.finished, (row.last_game or "")[:10]),
            "yes" if row.hidden else "",
        )
        for row in answer.players
    )
    grid = table("Players", *columns, label=Column("", "id", left=True), name="players", rows=rows)
    return Result(answer, lambda: [grid if answer.players else "No players."], lambda: [grid])


def sizes(data: DataOption = None) -> Result:
    """Show the rows of each table and the size of the database."""
    with _admin(data) as admin:
        answer = admin.sizes()
    title, columns = f"Database: {answer.bytes / 1e6:,.1f} MB", [Column("rows", form=",")]
    grid = table(title, *columns, label="table", name="tables", rows=map(astuple, answer.tables))
    return Result(answer, lambda: [grid])


def rename(
    player: PlayerArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.", show_default=False)],
    data: DataOption = None,
) -> Result:
    """Give a player another name."""
    with _admin(data) as admin:
        return _done("Renamed", admin.rename(player, name))


def clear_name(player: PlayerArgument, data: DataOption = None) -> Result:
    """Remove the name of a player; others then see a guest."""
    with _admin(data) as admin:
        return _done("Removed the name of", admin.rename(player, None))


def hide(player: PlayerArgument, data: DataOption = None) -> Result:
    """Take a player out of the lists that others see."""
    with _admin(data) as admin:
        return _done("Hid", admin.hide(player, hidden=True))


def show(player: PlayerArgument, data: DataOption = None) -> Result:
    """Put a hidden player back into the lists."""
    with _admin(data) as admin:
        return _done("No longer hidden:", admin.hide(player, hidden=False))


def sign_out(player: PlayerArgument, data: DataOption = None) -> Result:
    """Sign out all devices of a player, for example after a cookie was stolen.

    The player gets a new id. The command prints a code: the address of the server with /history# and the code makes one
    browser this player again. It works once, within a day.
    """
    with _admin(data) as admin:
        return _done("Signed out", admin.sign_out(player))


def delete_player(player: PlayerArgument, data: DataOption = None) -> Result:
    """Delete a player with all of their games. This cannot be undone."""
    with _admin(data) as admin:
        return _done("Deleted", admin.delete_player(player))


def delete_group(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of a group.", show_default=False)],
    data: DataOption = None,
) -> Result:
    """Delete a group with all of its games. This cannot be undone."""
    with _admin(data) as admin:
        return _done("Deleted the group", admin.delete_group(code))


def end_duel(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The id of a game of the duel; its player loses.", show_default=False)
    ],
    data: DataOption = None,
) -> Result:
    """End an unfinished duel."""
    with _admin(data) as admin:
        return _done("Ended the duel of", admin.end_duel(game))


def _done(what: str, answer: "AdminAnswer") -> Result:
    fields = answer.__struct_fields__
    line = f"{what} {answer.subject}" + (f": {answer.detail}" if answer.detail else "")
    return Result(answer, lambda: [line], lambda: [data_table("result", fields, [astuple(answer)])])


@contextmanager
def _admin(data: Path | None) -> "Iterator[Admin]":
    require_web()
    from tentimes18.server.store.admin import Admin

    with server_database(data, must_exist=True) as database:
        yield Admin(database, data_folder(), lambda: int(time() * 1000))
