"""The solved tables: made once, found while they are in use, and small enough to be counted."""

import weakref
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tentimes18 import Game, named
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.solve.utilities import Utility
from tentimes18.strategies import solved
from tentimes18.strategies.named import greedy, rule_named
from tentimes18.strategies.strategy import ObjectiveStrategy, RuleStrategy
from tentimes18.tables import MissingTable, table_cache

GAME = Game.parse("1d4", "1-3")
TABLES: dict[str, Callable[[Game], Any]] = {
    "chances": solved.chances,
    "shortfalls": solved.shortfalls,
    "utilities": lambda game: solved.utilities(game, "abs", lambda _: Utility(abs)),
    "hunter": solved.hunter,
    "equilibrium": solved.equilibrium,
    "response": lambda game: solved.response_to(RuleStrategy("greedy", greedy), game),
}


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    table_cache.clear()
    yield
    table_cache.clear()


@pytest.mark.parametrize("kind", TABLES)
def test_made_once(kind: str) -> None:
    first = TABLES[kind](GAME)
    assert TABLES[kind](GAME) is first
    assert TABLES[kind](Game.parse("1d4", "1-3")) is first
    assert TABLES[kind](Game.parse("1d4", "1-2")) is not first


@pytest.mark.parametrize("kind", TABLES)
def test_every_table_can_be_counted_and_forgotten(kind: str) -> None:
    """What the cache needs: a size, and that nothing but its users keeps it."""
    table = TABLES[kind](GAME)
    assert table.nbytes > 0
    assert table_cache.nbytes >= table.nbytes
    forgotten = weakref.ref(table)
    del table
    table_cache.clear()
    assert forgotten() is None


def test_the_response_to_optimal_is_the_hunter() -> None:
    optimal = rule_named("optimal")
    assert optimal is not None
    assert solved.response_to(optimal, GAME) is solved.hunter(GAME)
    assert solved.response_to(RuleStrategy("mine", optimal_rule), GAME) is solved.hunter(GAME)


def test_rules_of_the_same_name_are_not_the_same() -> None:
    """A name says what a rule is called, and not what it does."""
    impostor = RuleStrategy("optimal", greedy)
    assert solved.response_to(impostor, GAME) is not solved.hunter(GAME)
    assert solved.response_to(impostor, GAME) is solved.response_to(RuleStrategy("greedy", greedy), GAME)


def test_tables_of_duels_are_kept_in_a_folder(tmp_path: Path) -> None:
    for table, kind in ((solved.hunter, "response"), (solved.equilibrium, "equilibrium")):
        folder = tmp_path / kind
        values = table(GAME, folder=folder).values
        (file,) = folder.glob("*.npy")
        assert file.name.startswith(kind)
        table_cache.clear()
        file.write_bytes(b"junk")
        lines: list[str] = []
        assert table(GAME, folder=folder, warn=lines.append).values.tolist() == values.tolist()
        assert len(lines) == 1


@pytest.mark.parametrize("name", ["target:9", "quantile:0.5", "cvar:0.5", "utility:exp:0.1", "utility:power:0.5"])
def test_the_same_name_finds_the_same_table(name: str) -> None:
    def table(text: str) -> object:
        strategy = named(text)
        assert isinstance(strategy, ObjectiveStrategy)
        return strategy.solve(GAME).table

    assert table(name) is table(name)
    family, _, number = name.rpartition(":")
    assert table(name) is table(f"{family}:0{number}")
    if family.startswith("utility"):
        assert table(name) is not table(f"{family}:0.2")


@pytest.mark.parametrize("kind", ["hunter", "equilibrium"])
def test_a_stored_table_is_read_and_never_made_again(tmp_path: Path, kind: str) -> None:
    make = getattr(solved, kind)
    find = partial(make, is_stored=True)
    with pytest.raises(MissingTable):
        find(GAME, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []
    made = make(GAME, None, tmp_path)
    assert find(GAME, folder=tmp_path) is made, "one table in this process"
    table_cache.clear()
    found = find(GAME, folder=tmp_path)
    assert found is not made
    assert found.values.tolist() == made.values.tolist()
