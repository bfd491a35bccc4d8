"""The server as a process: it starts, stops, and says what is wrong before it starts."""

import os
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.server.server import free_port_from, serve
from tentimes18.server.settings import Service
from tests.support.process import PATIENCE
from tests.support.service import free_port, health_of, serving
from tests.support.waiting import until


def test_it_serves_and_stops_when_it_is_told(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        with httpx.Client(base_url=server.url) as ada:
            game = ada.post("/api/v1/games").json()
            assert ada.get(f"/api/v1/games/{game['id']}").json() == game
        assert server.url in server.text()
        assert server.stop() == 0


def test_a_worker_does_not_outlive_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "data", workers=2) as server:
        workers = [number for number in server.processes() if number != server.process.pid]
        assert len(workers) == 2
        server.process.kill()
        deadline = time.monotonic() + PATIENCE
        while set(workers) & set(server.processes()):
            assert time.monotonic() < deadline, "a worker goes on"
            time.sleep(0.05)


def test_a_server_that_is_killed_before_its_workers_are_ready_leaves_none(tmp_path: Path) -> None:
    with serving(tmp_path / "data", workers=2, is_awaited=False) as server:
        until(lambda: len(server.processes()) == 3, "two workers are there")
        server.process.kill()
        until(lambda: set(server.processes()) <= {server.process.pid}, "no worker goes on")


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        (worker,) = (number for number in server.processes() if number != server.process.pid)
        os.kill(worker, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError):
                if health_of(server.port)[0] == 200:
                    break
            assert time.monotonic() < deadline, server.text()
            time.sleep(0.05)
        assert worker not in server.processes()


def refuse(data: Path, host: str, port: int, database: str | None = None) -> str:
    with pytest.raises(Ten18Error) as caught:
        serve(Service(data, b"x" * 32, database), host, port, 1, lambda _: pytest.fail("it started"))
    return str(caught.value)


def test_what_is_wrong_is_told_before_it_starts(tmp_path: Path) -> None:
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
