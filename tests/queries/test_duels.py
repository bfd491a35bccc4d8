"""Duels: responses, equilibria and circles against the solvers that they come from."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import asdict as fields_of

from tentimes18.duel import own_rolls
from tentimes18.duel.best_response import best_response, fixed_chances, fixed_duel
from tentimes18.duel.duel_paths import ResponsePath
from tentimes18.duel.own_rolls import equity, own_rolls_equilibrium
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, mask_of
from tentimes18.queries.duels import (
    EquilibriumAnswer,
    OwnRollsAnswer,
    SolvedResponse,
    duel_cycle,
    duel_equilibrium,
    duel_response,
)
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import random_law
from tentimes18.solve.scores.float_laws import float_rule_law
from tentimes18.strategies.named import RULES, UnknownStrategy, named
from tentimes18.strategies.rules import greedy, nearest
from tentimes18.strategies.solved import equilibrium

SMALL = Game.parse("1d6", "1-3")


def respond(to: str = "optimal", **more: Any) -> SolvedResponse:
    return duel_response(to, dice="1d6", slots="1-3", **more)


def facts(solved: SolvedResponse) -> dict[str, Any]:
    return {name: value for name, value in fields_of(solved.answer).items() if value is not UNSET}


def test_best_response() -> None:
    best = best_response(SMALL, greedy(SMALL), draw=0.25)
    mine, theirs = ResponsePath(best).law, float_rule_law(SMALL, greedy(SMALL))
    solved = respond("greedy", draw="0.25")
    assert facts(solved) == asdict(best.outcome) | {
        "mean": float(mine.mean),
        "sd": mine.sd,
        "opponent_mean": float(theirs.mean),
        "opponent_sd": theirs.sd,
        "moves": {str(roll): [(best.choose(7, 7, 0, roll), 1.0)] for roll in range(1, 7)},
    }
    assert solved.draw_worth == 0.25
    assert solved.moves == [(roll, best.choose(7, 7, 0, roll), greedy(SMALL)(7, roll)) for roll in range(1, 7)]


@pytest.mark.parametrize("mine", ["nearest", "random"])
def test_a_strategy_of_my_own(mine: str) -> None:
    rule = None if mine == "random" else nearest(SMALL)
    law = random_law(SMALL) if rule is None else float_rule_law(SMALL, rule)
    solved = respond(with_=mine)
    expected = asdict(fixed_duel(SMALL, rule, optimal_rule(SMALL)))
    assert {name: facts(solved)[name] for name in expected} == expected
    assert (solved.answer.mean, solved.answer.sd) == (float(law.mean), law.sd)
    assert solved.moves == ()


def test_from_a_position() -> None:
    where = mask_of([1, 2]), mask_of([1, 3]), 5
    texts = {"free": "1,2", "opponent_free": "1,3", "lead": "5"}
    best = best_response(SMALL, optimal_rule(SMALL))
    moves = {str(roll): [(best.choose(*where, roll), 1.0)] for roll in range(1, 7)}
    assert facts(respond(**texts)) == asdict(best.at(*where)) | {"moves": moves}
    fixed = fixed_chances(SMALL, greedy(SMALL), optimal_rule(SMALL)).at(*where)
    assert facts(respond(with_="greedy", **texts)) == asdict(fixed)


@pytest.mark.parametrize("more", [{"free": "1,2"}, {"opponent_free": "1-3"}, {"lead": "1"}, {"draw": "0.25"}])
def test_the_equilibrium_is_answered_from_the_start(more: Any) -> None:
    with pytest.raises(Ten18Error, match="from the start only") as error:
        respond("equilibrium", **more)
    assert error.value.field == "to"


def test_against_the_equilibrium(tmp_path: Path) -> None:
    table = equilibrium(SMALL, folder=tmp_path)
    certificate = table.certify()
    answer = respond("equilibrium").answer
    assert answer.positions == certificate.positions
    assert answer.equity == pytest.approx(certificate.response.equity, abs=1e-14)
    assert answer.largest_gain == pytest.approx(certificate.largest, abs=1e-14)
    for mine in ("random", "greedy", "hunter"):
        rules: dict[str, Any] = {"greedy": greedy(SMALL), "hunter": best_response(SMALL, optimal_rule(SMALL))}
        rule = rules.get(mine)
        expected = table.against(rule, at_random=mine == "random")
        assert facts(respond("equilibrium", with_=mine)) == pytest.approx(asdict(expected), abs=1e-14)


def test_own_rolls() -> None:
    theirs = named("cvar:0.5").law(Board(SMALL), exact=False)
    best = own_rolls.response_to_law(SMALL, theirs)
    assert facts(respond("cvar:0.5", rolls="own")) == asdict(own_rolls.outcome(best.law(exact=False), theirs))
    with pytest.raises(UnknownStrategy) as error:
        respond("lucky", rolls="own")
    assert (error.value.field, error.value.given) == ("to", "lucky")


@pytest.mark.parametrize(
    ("to", "mine", "field", "fact"),
    [
        ("hindsight", None, "to", "'hindsight' cannot be answered exactly"),
        ("lucky", None, "to", f"accepted: {', '.join(RULES)}, which"),
        ("hunter", None, "to", "; equilibrium"),
        ("optimal", "hunter", "with", "against equilibrium hunter"),
        ("equilibrium", "target:9", "with", "cannot be answered exactly"),
    ],
)
def test_strategies_without_an_exact_answer(to: str, mine: str | None, field: str, fact: str) -> None:
    with pytest.raises(Ten18Error) as error:
        respond(to, with_=mine)
    assert error.value.field == field
    assert fact in error.value.problem


@pytest.mark.parametrize("to", ["optimal", "equilibrium"])
def test_progress_ends_at_its_end(to: str) -> None:
    calls: list[tuple[int, int]] = []
    duel_response(to, dice="1d5", slots="1-3", progress=lambda *at: calls.append(at))
    assert calls[-1][0] == calls[-1][1]


@pytest.mark.parametrize(
    ("free", "opponent_free", "lead"), [(None, None, 0), ("1,3", None, 0), ("1,2", "1,3", 5), ("2", "1", -4)]
)
def test_equilibrium(free: str | None, opponent_free: str | None, lead: int) -> None:
    table = equilibrium(SMALL)
    mine = mask_of(map(int, (free or "1,2,3").split(",")))
    position = mine, mask_of(map(int, opponent_free.split(","))) if opponent_free else mine, lead
    answer = duel_equilibrium(free, opponent_free, str(lead), "1d6", "1-3")
    assert isinstance(answer, EquilibriumAnswer)
    assert answer.value == table.value(*position)
    assert answer.moves == {str(roll): list(table.moves(*position, roll).items()) for roll in range(1, 7)}


def test_a_damaged_table_is_reported_and_made_again(tmp_path: Path) -> None:
    lines: list[str] = []
    expected = duel_equilibrium(dice="1d4", slots="1-3", cache=tmp_path, tell=lines.append)
    assert lines == []
    (file,) = tmp_path.iterdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / file.name).write_bytes(file.read_bytes()[:-8])
    assert duel_equilibrium(dice="1d4", slots="1-3", cache=elsewhere, tell=lines.append) == expected
    assert len(lines) == 1


def test_equilibrium_with_own_rolls() -> None:
    mixture = own_rolls_equilibrium(SMALL)
    against_optimal = equity(mixture.law, float_rule_law(SMALL, optimal_rule(SMALL)))
    shares = [share for share in mixture.shares if share > 0]
    assert duel_equilibrium(dice="1d6", slots="1-3", rolls="own") == OwnRollsAnswer(
        0.5, mixture.exploitability, against_optimal, float(mixture.law.mean), mixture.law.sd, shares
    )
    assert sum(shares) == pytest.approx(1)


def test_circle() -> None:
    answer = duel_cycle()
    assert len(answer.names) == len(answer.results) > 2
    assert fields_of(answer.results[0]) == {"win": "13/216", "draw": "1157/1296", "loss": "61/1296"}
    assert duel_cycle("1d2", "1,2").names == []
