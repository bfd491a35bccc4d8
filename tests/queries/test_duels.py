"""Duels: responses, equilibria and circles against the solvers that they come from."""

import json
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import asdict as fields_of

from tentimes18.duel import own_rolls
from tentimes18.duel.own_rolls import equity, own_rolls_equilibrium
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game
from tentimes18.queries.duels import (
    OwnRollsAnswer,
    ResponseAnswer,
    duel_check,
    duel_cycle,
    duel_equilibrium,
    duel_export,
    duel_response,
)
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.solved import equilibrium
from tentimes18.strategies.strategy import score_distribution
from tentimes18.tables import StoredTable, write_table

SMALL = Game.parse("1d6", "1-3")


def respond(to: str = "optimal", **more: Any) -> ResponseAnswer:
    return duel_response(to, dice="1d6", slots="1-3", **more)


def facts(answer: ResponseAnswer) -> dict[str, Any]:
    return {name: value for name, value in fields_of(answer).items() if value is not UNSET}


def test_own_rolls() -> None:
    theirs = score_distribution(Board(SMALL), named("cvar:0.5"), exact=False)
    best = own_rolls.response_to_distribution(SMALL, theirs)
    assert facts(respond("cvar:0.5", rolls="own")) == asdict(own_rolls.outcome(best.distribution(exact=False), theirs))
    with pytest.raises(UnknownStrategy) as error:
        respond("lucky", rolls="own")
    assert (error.value.field, error.value.value) == ("to", "lucky")


def test_a_damaged_table_is_reported_and_made_again(tmp_path: Path) -> None:
    lines: list[str] = []
    expected = duel_equilibrium(dice="1d4", slots="1-3", cache=tmp_path, tell=lines.append)
    assert lines == []
    (file,) = tmp_path.glob("*.npy")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / file.name).write_bytes(file.read_bytes()[:-8])
    assert duel_equilibrium(dice="1d4", slots="1-3", cache=elsewhere, tell=lines.append) == expected
    assert len(lines) == 1


def test_a_table_goes_to_another_machine(tmp_path: Path) -> None:
    """A file that another program can read; a table that is wrong is found out, and not kept."""
    game, file, there = Game.parse("1d4", "1-3"), tmp_path / "table.npy", tmp_path / "there"
    told = duel_export(file, dice="1d4", slots="1-3", cache=tmp_path / "here")
    again = duel_export(tmp_path / "again", dice="1d4", slots="1-3", cache=tmp_path / "elsewhere")
    assert again.sha256 == told.sha256
    assert told.sha256 == sha256(file.read_bytes()).hexdigest()
    checked = duel_check(file, keep=True, cache=there)
    assert checked.table == told
    assert checked.largest_gain < 1e-11
    assert [str(path) for path in there.glob("*.npy")] == [checked.kept]
    assert equilibrium(game, folder=there, is_stored=True).values.size == told.values
    values = np.load(file)
    assert values.size == told.values
    assert values[-1] == 0.5
    whole = file.read_bytes()
    line = json.loads(whole[whole.index(b'{"version"') :])
    values[3] += 0.01
    wrong = tmp_path / "wrong.npy"
    write_table(wrong, "equilibrium", game, StoredTable(values, line["facts"]))
    assert duel_check(wrong).largest_gain > 0.005
    with pytest.raises(Ten18Error, match=r"a response gains up to .*: the table is not kept"):
        duel_check(wrong, keep=True, cache=there)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "damaged"),
        (b"x" * 500, "damaged"),
        (None, "incomplete"),
        (b'{"version": 1, "kind": "equilibrium", "game": "1d4 1-2", "facts": {}}', "of another format"),
        (b'{"version": 1, "kind": "equilibrium", "game": "__import__(os) 1-2"}', "cannot read"),
        (b'{"version": 1, "kind": "equilibrium", "game": "3d6 1-30"}', "needs .* memory"),
        (b'{"version": 1, "kind": "equilibrium", "game": 7}', "cannot read"),
        (b'{"version": 2, "kind": "equilibrium", "game": "1d4 1-3"}', "of another format"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "table.npy"
    duel_export(file, dice="1d4", slots="1-3", cache=tmp_path)
    whole = file.read_bytes()
    values = whole[: whole.index(b'{"version"')]
    file.write_bytes(values if content is None else values + content if content.startswith(b"{") else content)
    with pytest.raises(Ten18Error, match=message):
        duel_check(file)


def test_equilibrium_with_own_rolls() -> None:
    mixture = own_rolls_equilibrium(SMALL)
    against_optimal = equity(mixture.distribution, float_rule_distribution(SMALL, optimal_rule(SMALL)))
    shares = [share for share in mixture.shares if share > 0]
    assert duel_equilibrium(dice="1d6", slots="1-3", rolls="own") == OwnRollsAnswer(
        0.5, mixture.exploitability, against_optimal, float(mixture.distribution.mean), mixture.distribution.sd, shares
    )
    assert sum(shares) == pytest.approx(1)


def test_circle() -> None:
    answer = duel_cycle()
    assert len(answer.names) == len(answer.results) > 2
    assert fields_of(answer.results[0]) == {"win": "13/216", "draw": "1157/1296", "loss": "61/1296"}
    assert duel_cycle("1d2", "1,2").names == []
