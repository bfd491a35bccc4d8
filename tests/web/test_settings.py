"""Settings of a service."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.server.settings import Service, read_secret


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as several:
        secrets = set(several.map(lambda _: read_secret(tmp_path / "data", {}), range(20)))
    assert len(secrets) == 1
    assert stat.S_IMODE((tmp_path / "data" / "secret").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret"]
    assert read_secret(tmp_path / "other", {}) not in secrets


def test_the_environment_comes_first(tmp_path: Path) -> None:
    assert read_secret(tmp_path, {"TEN18_SECRET": "s" * 40}) == b"s" * 40
    assert list(tmp_path.iterdir()) == []


def test_a_short_secret_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(Ten18Error, match="too short"):
        read_secret(tmp_path, {"TEN18_SECRET": "short"})
    (tmp_path / "secret").write_text("short")
    with pytest.raises(Ten18Error, match="too short"):
        read_secret(tmp_path, {})


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Ten18Error, match="cannot be stored"):
        read_secret(tmp_path / "file" / "data", {})


def test_another_process_has_the_same_settings(tmp_path: Path) -> None:
    secret = {"TEN18_SECRET": "s" * 40}
    service = Service(
        tmp_path,
        b"s" * 40,
        "postgresql://ada@host/games",
        has_rate_limits=False,
        is_behind_proxy=True,
        old_secret=b"t" * 40,
        hosts=("play.example.org", "10.0.0.7"),
        has_access_log=False,
        max_in_a_commit=7,
        makes_tables=True,
    )
    assert Service.from_environment(service.environment() | secret) == service
    plain = Service(tmp_path, b"s" * 40, makes_tables=True)
    assert Service.from_environment({"TEN18_DATA": str(tmp_path)} | secret) == plain
    assert "s" * 40 not in repr(service)
    assert "t" * 40 not in repr(service)
    assert "postgresql" not in repr(service)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("postgres://ada@host/games", "postgresql+psycopg://ada@host/games"),
        ("postgresql://ada@host/games", "postgresql+psycopg://ada@host/games"),
        ("sqlite:////tmp/games", "sqlite:////tmp/games"),
    ],
)
def test_addresses_of_databases(given: str, found: str) -> None:
    assert Service(Path("data"), b"", given).database_url == found


@pytest.mark.parametrize("given", ["mysql://host/games", "games", "postgresql+asyncpg://host/games"])
def test_other_databases_are_rejected(given: str) -> None:
    with pytest.raises(Ten18Error, match="accepted"):
        _ = Service(Path("data"), b"", given).database_url


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("TEN18_MOST_IN_A_COMMIT", "0"),
        ("TEN18_MOST_IN_A_COMMIT", "many"),
        ("TEN18_MOST_IN_A_COMMIT", "10000000"),
        ("TEN18_BEHIND_PROXY", "true"),
        ("TEN18_RATE_LIMIT", "0"),
        ("TEN18_ACCESS_LOG", "false"),
        ("TEN18_TABLES", "no"),
        ("TEN18_OLD_SECRET", "short"),
    ],
)
def test_a_bad_value(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(Ten18Error, match=name):
        Service.from_environment({"TEN18_DATA": str(tmp_path), name: text})
