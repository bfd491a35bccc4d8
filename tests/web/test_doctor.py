"""`ten18 doctor` finds what is wrong with a server's environment, and changes nothing."""

import json
import sqlite3
from pathlib import Path
from time import time

import pytest

from tentimes18.server.doctor import Check, examine
from tentimes18.server.settings import DATABASE_FILE, SECRET_FILE, Service
from tentimes18.server.store.database import Database, bring_up_to_date
from tests.support.command import Run

SECRET = "0123456789abcdef" * 4


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server that has run once."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / SECRET_FILE).write_text(SECRET)
    (folder / SECRET_FILE).chmod(0o600)
    database = Database(Service(folder, b"").database_url)
    bring_up_to_date(database)
    database.close()
    return folder


def problems(data: Path, **variables: str) -> dict[str, Check]:
    answer = examine({"TEN18_DATA": str(data), **variables})
    found = {check.name: check for check in answer.checks if check.status == "problem"}
    assert len(found) == answer.problems
    return found


def test_a_server_that_has_run_is_well(data: Path) -> None:
    def files() -> dict[str, int]:
        return {path.name: path.stat().st_mode for path in data.iterdir() if not path.name.endswith(("-wal", "-shm"))}

    before = files()
    assert problems(data) == {}
    assert files() == before


def test_nothing_is_made_where_no_server_has_run(tmp_path: Path) -> None:
    assert problems(tmp_path / "none") == {}
    assert not (tmp_path / "none").exists()


def test_a_folder_that_cannot_be_made_is_a_problem(data: Path) -> None:
    below_a_file = data / SECRET_FILE / "data"
    assert problems(below_a_file)["data"].detail == f"{below_a_file} cannot be made"


def test_each_problem_has_its_line(data: Path) -> None:
    assert "TEN18_SECERT" in problems(data, TEN18_SECERT="x")["variables"].detail
    (data / SECRET_FILE).chmod(0o644)
    assert problems(data)["mode"].advice == f"chmod 600 {data / SECRET_FILE}"
    (data / SECRET_FILE).chmod(0o600)
    (data / SECRET_FILE).write_text("short")
    assert any("too short" in check.detail for check in problems(data).values())
    (data / SECRET_FILE).write_text(SECRET)
    assert "TEN18_BEHIND_PROXY" in problems(data, TEN18_BEHIND_PROXY="true")["variables"].detail
    nowhere = problems(data, TEN18_DATABASE_URL="postgresql://nobody:secret@127.0.0.1:1/none")
    assert nowhere
    assert not any("secret" in check.detail for check in nowhere.values())


def test_a_clock_that_is_behind_the_newest_move_is_a_problem(data: Path) -> None:
    with sqlite3.connect(data / DATABASE_FILE) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        move = {"game": 1, "round": 1, "slot": 1, "seen": 0, "made": int((time() + 86_400) * 1000)}
        columns, marks = ", ".join(move), ", ".join("?" * len(move))
        connection.execute(f"INSERT INTO moves ({columns}) VALUES ({marks})", list(move.values()))
    connection.close()
    assert "seconds from now" in problems(data)["clock"].detail


def test_a_damaged_database_is_a_problem(data: Path) -> None:
    file = data / DATABASE_FILE
    content = bytearray(file.read_bytes())
    content[4096:8192] = bytes(4096)
    file.write_bytes(content)
    assert problems(data)


def test_the_command_lists_the_checks_and_exits_with_1_after_a_problem(data: Path, run_here: Run) -> None:
    good = run_here("doctor", "--data", data, "--json")
    assert good.code == 0
    assert json.loads(good.out)["problems"] == 0
    (data / DATABASE_FILE).chmod(0o666)
    bad = run_here("doctor", "--data", data)
    assert bad.code == 1
    assert "chmod 600" in bad.out
    assert "Problems: 1" in bad.out
