"""Duels: responses, equilibria and circles against the solvers that they come from."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import asdict as fields_of

from tentimes18.duel import own_rolls
from tentimes18.duel.own_rolls import equity, own_rolls_equilibrium
from tentimes18.game import Board, Game
from tentimes18.queries.duels import (
    OwnRollsAnswer,
    SolvedResponse,
    duel_cycle,
    duel_equilibrium,
    duel_response,
)
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.strategy import score_distribution

SMALL = Game.parse("1d6", "1-3")


def respond(to: str = "optimal", **more: Any) -> SolvedResponse:
    return duel_response(to, dice="1d6", slots="1-3", **more)


def facts(solved: SolvedResponse) -> dict[str, Any]:
    return {name: value for name, value in fields_of(solved.answer).items() if value is not UNSET}


def test_own_rolls() -> None:
    theirs = score_distribution(Board(SMALL), named("cvar:0.5"), exact=False)
    best = own_rolls.response_to_distribution(SMALL, theirs)
    assert facts(respond("cvar:0.5", rolls="own")) == asdict(own_rolls.outcome(best.distribution(exact=False), theirs))
    with pytest.raises(UnknownStrategy) as error:
        respond("lucky", rolls="own")
    assert (error.value.field, error.value.given) == ("to", "lucky")


@pytest.mark.parametrize("to", ["optimal", "equilibrium"])
def test_progress_ends_at_its_end(to: str) -> None:
    calls: list[tuple[int, int]] = []
    duel_response(to, dice="1d5", slots="1-3", progress=lambda *at: calls.append(at))
    assert calls[-1][0] == calls[-1][1]


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
