"""What a game was played for, by its tags, whatever they hold; and what it can be measured by."""

from pathlib import Path

import pytest

from tentimes18.coach.played_for import is_quick, own_aim, played_for, takebacks_of
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record, parse_record
from tentimes18.solve import layers
from tentimes18.storage.table_paths import table_path

SMALL = Board(Game.parse("1d6", "1-3")).place(4, 1)


@pytest.mark.parametrize(
    ("tag", "name", "measured_by"),
    [
        ("mean", "mean", "mean"),
        ("target:30", "target:30", "target:30"),
        ("target:x", "target:x", None),
        ("fame", "fame", None),
        ("duel:nearest", "duel:nearest", "duel:nearest"),
        ("duel:nobody", "duel:nobody", None),
        ("duel:equilibrium", "duel", "duel"),
        (7, "unknown", None),
        (None, "unknown", None),
    ],
)
def test_the_aim_of_a_game(tag: object, name: str, measured_by: str | None) -> None:
    record = Record(SMALL, opponent=SMALL, tags={"aim": tag})
    assert played_for(record) == name
    found = own_aim(record)
    assert (None if found is None else found.name) == measured_by


def test_without_a_tag_it_is_the_mean() -> None:
    assert played_for(Record(SMALL)) == "mean"
    assert getattr(own_aim(Record(SMALL)), "name", None) == "mean"


def test_a_duel_takes_two_boards() -> None:
    assert own_aim(parse_record("1d6 1-3: 4@1; aim=duel")) is None


@pytest.mark.parametrize(("tag", "count"), [(2, 2), (0, 0), (-1, 0), (True, 0), ("2", 0), (1.5, 0), (None, 0)])
def test_moves_that_were_taken_back(tag: object, count: int) -> None:
    assert takebacks_of(Record(SMALL, tags={"takebacks": tag})) == count


def test_what_takes_long_is_not_done_unasked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path))
    monkeypatch.setattr(layers, "thread_count", lambda: 2)  # what takes long depends on it
    classic = Game.classic()
    assert is_quick(classic, "mean")
    assert is_quick(Game.parse("3d6", "1-200"), "mean")
    assert is_quick(classic, "target:700")
    assert not is_quick(Game.parse("3d6", "1-30"), "target:700")
    assert is_quick(Game.parse("3d6", "1-8"), "duel")
    assert not is_quick(Game.parse("3d6", "1-200"), "duel")
    assert not is_quick(classic, "duel")
    assert is_quick(classic, "duel:optimal")
    large = Game.parse("3d6", "1-12")
    assert not is_quick(large, "duel:optimal")
    table_path("equilibrium", classic).touch()
    assert is_quick(classic, "duel"), "the table is there"
    full = Record(Board(large), opponent=Board(large), tags={"aim": "duel:nearest"})
    assert own_aim(full) is None
