"""`ten18 serve` as a command: its help, and what it rejects."""

import sys
from pathlib import Path

import pytest

from tentimes18.server.store.database import Database, bring_up_to_date
from tests.support.command import Run, problems, read_json
from tests.support.service import serving


def test_open_shows_what_runs_already(run_here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("tentimes18.cli.serve_commands.open_page", opened.append)
    with serving(tmp_path / "data") as server:
        done = run_here("serve", "--open", "--port", str(server.port))
    assert (done.code, done.out) == (0, f"Ten times eighteen is already running: {server.url}\n")
    assert opened == [server.url]


def test_without_its_packages_it_says_which(run_here: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "granian", None)
    done = run_here("serve", "--data", str(tmp_path))
    assert done.code == 2
    assert "the server needs granian: pip install 'tentimes18[web]'" in done.err


def test_backup_and_restore(run_here: Run, tmp_path: Path) -> None:
    folder, other, file = tmp_path / "data", tmp_path / "other", tmp_path / "games.backup"
    assert "there are no games in this folder" in run_here("backup", str(file), "--data", str(folder)).err
    database = Database(f"sqlite:///{folder}/service.sqlite")
    bring_up_to_date(database)
    database.close()
    done = run_here("backup", str(file), "--data", str(folder), "--json")
    assert read_json(done)["rows"]["games"] == 0
    done = run_here("restore", str(file), "--data", str(other))
    assert (done.code, "Restored from" in done.out) == (0, True)
    for arguments in (["backup", str(tmp_path / "no" / "file")], ["restore", str(tmp_path / "nothing")]):
        assert problems(run_here(*arguments, "--data", str(folder)), "file") == []
