"""The best response in a duel: every chance is the solver's."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tentimes18.answers.response import (
    ResponseAnswer,
    against_equilibrium,
    own_rolls_response,
    response,
    solve_response,
)
from tentimes18.duel import own_rolls
from tentimes18.duel.best_response import best_response, fixed_chances, fixed_duel
from tentimes18.duel.duel_paths import ResponsePath
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, mask_of
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import random_law
from tentimes18.solve.scores.float_laws import float_rule_law
from tentimes18.storage.tables import kept_table
from tentimes18.strategies.named import RULES, UnknownStrategy, named
from tentimes18.strategies.rules import greedy, nearest
from tests.support.answers import assert_answer

SMALL = Game.parse("1d6", "1-3")


def test_best_response() -> None:
    best = best_response(SMALL, greedy(SMALL), draw=0.25)
    own, other = ResponsePath(best).law, float_rule_law(SMALL, greedy(SMALL))
    answer = response(SMALL, "greedy", draw=0.25)
    assert_answer(answer, ResponseAnswer)
    assert answer == asdict(best.outcome) | {
        "mean": float(own.mean),
        "sd": own.sd,
        "opponent_mean": float(other.mean),
        "opponent_sd": other.sd,
        "moves": {str(roll): [(best.choose(7, 7, 0, roll), 1.0)] for roll in range(1, 7)},
    }


@pytest.mark.parametrize("mine", ["nearest", "random"])
def test_a_strategy_of_my_own(mine: str) -> None:
    rule = None if mine == "random" else nearest(SMALL)
    own = random_law(SMALL) if rule is None else float_rule_law(SMALL, rule)
    answer = response(SMALL, "optimal", with_=mine)
    assert_answer(answer, ResponseAnswer)
    wanted = fixed_duel(SMALL, rule, optimal_rule(SMALL))
    assert {name: answer[name] for name in ("equity", "win", "draw", "loss")} == asdict(wanted)
    assert (answer["mean"], answer["sd"]) == (float(own.mean), own.sd)
    assert solve_response(SMALL, "optimal", with_=mine).moves == []


def test_from_a_position() -> None:
    """The chances, and the next moves of the response."""
    where = mask_of([1, 2]), mask_of([1, 3]), 5
    answer = response(SMALL, free=[1, 2], opponent_free=[1, 3], lead=5)
    assert_answer(answer, ResponseAnswer)
    best = best_response(SMALL, optimal_rule(SMALL))
    moves = {str(roll): [(best.choose(*where, roll), 1.0)] for roll in range(1, 7)}
    assert answer == asdict(best.at(*where)) | {"moves": moves}
    fixed = response(SMALL, with_="greedy", free=[1, 2], opponent_free=[1, 3], lead=5)
    assert fixed == asdict(fixed_chances(SMALL, greedy(SMALL), optimal_rule(SMALL)).at(*where))


def test_the_hunter_comes_from_disk_where_it_is_kept(tmp_path: Path) -> None:
    """A table of other values shows it; another draw's worth, and another folder, have no table there."""
    wanted = response(SMALL, folder=tmp_path)
    assert not list(tmp_path.iterdir())
    cells = len(best_response(SMALL, optimal_rule(SMALL)).values)
    kept_table("response", SMALL, cells, lambda: (np.full(cells, 0.125), {}), tmp_path)
    assert response(SMALL, folder=tmp_path)["equity"] == 0.125
    assert response(SMALL, folder=tmp_path, draw=0.25)["equity"] != 0.125
    assert response(SMALL, folder=tmp_path / "other") == wanted


def test_first_moves() -> None:
    game = Game.parse("1d6", "1-4")
    solved, best, rule = solve_response(game, "greedy"), best_response(game, greedy(game)), greedy(game)
    start = game.all_free, game.all_free, 0
    assert solved.moves == [(roll, best.choose(*start, roll), rule(game.all_free, roll)) for roll in range(1, 7)]
    assert any(move.slot != move.other for move in solved.moves)
    where = mask_of([1, 2, 3]), mask_of([1, 2, 3]), 0
    later = solve_response(game, "greedy", free=[1, 2, 3]).moves
    assert later == [(roll, best.choose(*where, roll), rule(where[0], roll)) for roll in range(1, 7)]


def test_the_equilibrium_is_answered_by_name() -> None:
    assert response(SMALL, "equilibrium") == against_equilibrium(SMALL)
    assert response(SMALL, "equilibrium", with_="random") == against_equilibrium(SMALL, "random")


@pytest.mark.parametrize("more", [{"free": [1, 2]}, {"opponent_free": [1, 2, 3]}, {"lead": 1}, {"draw": 0.25}])
def test_the_equilibrium_is_answered_from_the_start(more: Any) -> None:
    with pytest.raises(Ten18Error, match="from the start only") as refused:
        response(SMALL, "equilibrium", **more)
    assert refused.value.field == "to"


def test_against_the_equilibrium() -> None:
    table = Equilibrium(SMALL)
    certificate = table.certify()
    answer = against_equilibrium(SMALL)
    assert_answer(answer, ResponseAnswer)
    assert answer["positions"] == certificate.positions
    assert answer["equity"] == pytest.approx(certificate.response.equity, abs=1e-14)
    assert answer["largest_gain"] == pytest.approx(certificate.largest, abs=1e-14)


@pytest.mark.parametrize("mine", ["random", "greedy", "hunter"])
def test_a_strategy_against_the_equilibrium(mine: str) -> None:
    table = Equilibrium(SMALL)
    rule = greedy(SMALL) if mine == "greedy" else None
    hunter = best_response(SMALL, optimal_rule(SMALL)) if mine == "hunter" else None
    wanted = table.against(hunter or rule, at_random=mine == "random")
    answer = against_equilibrium(SMALL, mine)
    assert_answer(answer, ResponseAnswer)
    assert answer == pytest.approx(asdict(wanted), abs=1e-14)


def test_own_rolls() -> None:
    theirs = named("cvar:0.5").law(Board(SMALL), exact=False)
    best = own_rolls.response_to_law(SMALL, theirs)
    answer = own_rolls_response(SMALL, "cvar:0.5")
    assert_answer(answer, ResponseAnswer)
    assert answer == asdict(own_rolls.outcome(best.law(exact=False), theirs))
    with pytest.raises(UnknownStrategy) as refused:
        own_rolls_response(SMALL, "lucky")
    assert (refused.value.field, refused.value.given) == ("to", "lucky")


@pytest.mark.parametrize(
    ("to", "mine", "field", "fact"),
    [
        ("hindsight", None, "to", "'hindsight' cannot be answered exactly"),
        ("lucky", None, "to", f"accepted: {', '.join(RULES)}, which"),
        ("hunter", None, "to", "; equilibrium"),
        ("optimal", "hunter", "with", "against equilibrium hunter"),
    ],
)
def test_strategies_without_an_exact_answer(to: str, mine: str | None, field: str, fact: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        response(SMALL, to, with_=mine)
    assert refused.value.field == field
    assert fact in refused.value.problem
    with pytest.raises(Ten18Error):
        against_equilibrium(SMALL, "target:9")


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    response(SMALL, progress=lambda *at: told.append(at))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]
