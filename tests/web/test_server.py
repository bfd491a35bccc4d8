"""The server as a process: it starts, stops, and says what is wrong before it starts; its workers and its clock."""

import os
import signal
import socket
import sqlite3
import sys
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.server.server import MAX_OF_ADDRESS, free_port_from, serve, verify_store
from tentimes18.server.settings import DATABASE_FILE, Service
from tentimes18.server.state import JUMP_SECONDS, MAX_JUMP, SteadyClock
from tentimes18.server.store.database import BUSY_SECONDS
from tentimes18.server.store.writer import MAX_SECONDS
from tests.support.command import clean_environment
from tests.support.postgres import Postgres
from tests.support.process import PATIENCE, children_of, finished, running, started, until
from tests.support.service import free_port, health_of, serving
from tests.support.web import API


def test_a_signal_before_it_serves_leaves_no_process(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "tentimes18", "serve", "--port", str(free_port()), "--data", str(tmp_path))
    with started(command, env=clean_environment({}), stdout=-3, stderr=-3) as process:
        until(lambda: children_of(process.pid), "it has started a process")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in (0, 128 + signal.SIGINT)
        until(lambda: process.pid not in {group for _, _, group in running()}, "nothing of it runs")


def test_a_worker_does_not_outlive_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "data", workers=2) as server:
        workers = [number for number in server.processes() if number != server.process.pid]
        assert len(workers) == 2
        server.process.kill()
        until(lambda: not set(workers) & set(server.processes()), "no worker goes on")
        assert list(server.log.with_name(f"{server.log.name}.tmp").iterdir()) == [], "its temporary folder is gone"


def test_a_server_that_is_killed_before_its_workers_are_ready_leaves_none(tmp_path: Path) -> None:
    with serving(tmp_path / "data", workers=2, is_awaited=False) as server:
        until(lambda: len(server.processes()) == 3, "two workers are there")
        server.process.kill()
        until(lambda: set(server.processes()) <= {server.process.pid}, "no worker goes on")


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        (worker,) = (number for number in server.processes() if number != server.process.pid)
        os.kill(worker, signal.SIGKILL)
        until(lambda: is_well(server.port), "another one answers")
        assert worker not in server.processes()


def refuse(data: Path, host: str, port: int, database: str | None = None) -> str:
    with pytest.raises(Ten18Error) as caught:
        serve(Service(data, b"x" * 32, database), host, port, 1, lambda _: pytest.fail("it started"))
    return str(caught.value)


def test_bad_settings_are_reported_before_it_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "cannot listen there" in refuse(tmp_path, "127.0.0.1", taken.getsockname()[1])
    assert "not an address of this machine" in refuse(tmp_path, "no such host", free_port())
    assert "host '192.0.2.1'" in refuse(tmp_path, "192.0.2.1", free_port())
    (tmp_path / "file").touch()
    assert "the database cannot be used" in refuse(tmp_path / "file" / "x", "127.0.0.1", free_port())
    told = refuse(tmp_path, "127.0.0.1", free_port(), f"postgresql://ada:password@/games?host={tmp_path}")
    assert "the database cannot be used" in told
    assert "password" not in told


def test_the_next_free_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert port < free_port_from("127.0.0.1", port) < port + 20
    assert free_port_from("127.0.0.1", port) == port
    with pytest.raises(Ten18Error, match="not an address of this machine"):
        free_port_from("no such host", port)


def test_connections_of_one_address_are_limited_and_a_locked_database_stops_no_answer(tmp_path: Path) -> None:
    with serving(tmp_path / "data", rate_limit=True) as server, ExitStack() as stack:
        idle = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(MAX_OF_ADDRESS + 100)
        ]
        until(lambda: sum(map(is_closed, idle)) >= 100, "those beyond the limit are closed")
        assert health_of(server.port)[0] == 200
        with closing(sqlite3.connect(server.data / DATABASE_FILE, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            status, body = health_of(server.port, timeout=BUSY_SECONDS)  # less than the database's own patience
            assert (status, b"unavailable" in body) == (503, True)
        until(lambda: health_of(server.port)[0] == 200, "it is well again")


def test_a_postgresql_that_hangs_has_deadlines(postgres: Postgres, tmp_path: Path) -> None:
    with (
        postgres.database() as database,
        serving(tmp_path / "data", database=database) as server,
        httpx.Client(base_url=server.url + API, timeout=MAX_SECONDS + 5) as client,
    ):
        game = client.post("/games").json()
        move = {"round": 1, "slot": 5}
        with postgres.frozen():
            for _ in range(2):
                started = time.monotonic()
                assert health_of(server.port)[0] == 503
                assert time.monotonic() - started < 2
            assert client.get(f"/games/{game['id']}").status_code == 503
            assert client.post(f"/games/{game['id']}/moves", json=move).status_code == 503
            assert httpx.get(server.url + "/metrics").status_code == 200
        until(lambda: health_of(server.port)[0] == 200, "it is well again")
        assert client.post(f"/games/{game['id']}/moves", json=move).json()["round"] == 2
        assert client.get(f"/games/{game['id']}").json()["round"] == 2


def is_well(port: int) -> bool:
    with suppress(OSError):
        return health_of(port)[0] == 200
    return False


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_a_database_that_lacks_a_column_is_rejected_by_name(tmp_path: Path) -> None:
    service = Service(tmp_path, b"x" * 32)
    verify_store(service)
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as connection:
        connection.execute("DROP TABLE skills")
    assert "it lacks skills" in refuse(tmp_path, "127.0.0.1", free_port())


ASK = """
import asyncio, gc, sys
from tentimes18.server.server import worker_app
app = worker_app()
async def live():
    async with app.litestar.lifespan():
        print(sys.getswitchinterval(), gc.get_freeze_count() > 10_000, gc.get_threshold()[2])
        print(sys.get_int_max_str_digits())
        print(*sorted({"llvmlite", "matplotlib", "numba", "scipy"}.intersection(sys.modules)))
asyncio.run(live())
"""


def test_it_is_set_up_for_short_answers() -> None:
    done = finished((sys.executable, "-c", ASK), env=clean_environment({"TEN18_TABLES": "off"}))
    settings, digits, libraries = done.stdout.decode().split("\n")[:3]
    assert (settings.split(), digits) == (["0.0005", "True", "1000"], "4300"), done.stderr.decode()
    assert not libraries, "a web process loads no compiled code"


def test_a_jump_is_followed_only_when_it_lasts() -> None:
    wall, steady = 1_000_000.0, 50.0
    clock = SteadyClock(lambda: wall, lambda: steady)
    for step, shown in (
        ((10.0, 10.0), 1_000_010.0),
        ((MAX_JUMP, 0.0), 1_000_010.0 + MAX_JUMP),  # set by a little
        ((80 * 3600.0 + 60, 60.0), 1_000_070.0 + MAX_JUMP),  # far ahead, for a minute
        ((-80 * 3600.0, 0.0), 1_000_070.0 + MAX_JUMP),
        ((-400 * 86_400.0, 1.0), 1_000_071.0 + MAX_JUMP),  # far back
        ((JUMP_SECONDS, JUMP_SECONDS), 1_000_069.0 + MAX_JUMP + JUMP_SECONDS - 400 * 86_400.0 + 1),
    ):
        wall, steady = wall + step[0], steady + step[1]
        assert clock() == shown, step
