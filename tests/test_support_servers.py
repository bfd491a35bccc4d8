"""The servers that tests stand on: a PostgreSQL, and the service itself."""

import json
import os
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support.postgres import Postgres, programs, running_postgres
from tests.support.service import Server, free_port, health_of, serving


def rows(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(statement.encode())
        return found.fetchall() if found.description else []


def test_each_database_is_new(postgres: Postgres) -> None:
    with postgres.database() as one, postgres.database() as two:
        assert one != two
        rows(one, "CREATE TABLE games (id int)")
        assert rows(two, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == []
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        rows(one, "SELECT 1")


def test_a_database_is_dropped_under_its_connections(postgres: Postgres) -> None:
    with postgres.database() as url:
        connection = psycopg.connect(url, autocommit=True)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    connection.close()


def test_a_database_is_copied(postgres: Postgres) -> None:
    original = postgres.create()
    rows(postgres.url(original), "CREATE TABLE games AS SELECT 18 AS id")
    copy = postgres.create(original)
    assert rows(postgres.url(copy), "SELECT id FROM games") == [(18,)]
    postgres.drop(copy)
    postgres.drop(original)


def test_the_server_is_current_and_careless(postgres: Postgres) -> None:
    assert postgres.version().startswith("18.")
    assert rows(postgres.url(), "SHOW fsync") == [("off",)]


def test_a_server_ends_with_its_block_and_can_be_durable() -> None:
    with running_postgres(durable=True) as server:
        assert rows(server.url(), "SHOW synchronous_commit") == [("on",)]
        assert rows(server.url(), "SHOW fsync") == [("on",)]
        assert server.folder.is_dir()
    assert server.process.returncode == 0
    assert not server.folder.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs it as somebody else")
def test_programs_out_of_reach_are_copied(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    inside = programs(tmp_path, closed=True)
    assert inside == tmp_path / "programs" / "bin"
    assert (inside / "postgres").stat().st_mode & stat.S_IXOTH
    assert (inside.parent / "share").is_dir()
    assert programs(tmp_path, closed=False) != inside


def test_a_free_port_is_free_and_is_no_other() -> None:
    port = free_port()
    assert port < 32_768
    with socket.create_server(("127.0.0.1", port)):
        assert free_port() != port
    with pytest.raises(ConnectionRefusedError):
        health_of(port)


def test_a_port_in_use_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    first = free_port()
    with socket.create_server(("127.0.0.1", first)):
        monkeypatch.setattr("tests.support.service._PORTS", iter([first, first + 1]))
        assert free_port() == first + 1


@pytest.mark.parametrize("turn", ["first", "second"])
def test_both_kinds_of_databases_are_tested(database_url: str, turn: str) -> None:
    """Each test finds its own one empty."""
    if database_url.startswith("sqlite:///"):
        assert not Path(database_url.removeprefix("sqlite:///")).exists()
    else:
        rows(database_url, f"CREATE TABLE {turn} (id int)")
        assert rows(database_url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [(turn,)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEN18_DATABASE_URL", "nonsense")  # none of its business
        patch.setenv("TEN18_MOST_IN_A_COMMIT", "nonsense")
        with serving(tmp_path_factory.mktemp("service") / "data") as found:
            yield found


def test_a_service_is_ready_when_it_is_there(server: Server) -> None:
    status, body = health_of(server.port)
    assert (status, json.loads(body)["status"]) == (200, "ok")
    assert server.url in server.text()
    assert (server.data / "secret").is_file()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")
def test_all_processes_of_a_service_are_known(server: Server) -> None:
    assert len(server.processes()) >= 2
    assert server.process.pid in server.processes()
    assert server.memory() > 20e6
    assert server.processor_seconds() > 0


def test_a_service_that_does_not_start_says_why(tmp_path: Path, server: Server) -> None:
    with (
        pytest.raises(AssertionError, match=r"ended with 2: ten18: --port"),
        serving(tmp_path / "data", port=server.port),
    ):
        pass


def test_a_service_can_be_stopped_and_killed(tmp_path: Path) -> None:
    data, port = tmp_path / "data", free_port()
    with serving(data, port=port) as found:
        assert found.stop() == 0
    with serving(data, port=port) as again:
        assert again.text().count(again.url) == 2  # what both wrote
        again.kill()
        assert again.process.returncode == -signal.SIGKILL
        assert again.processes() == []
    with pytest.raises(ConnectionRefusedError):
        health_of(port)
