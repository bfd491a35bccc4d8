"""The equilibrium of the duel: values and mixed moves are the table's."""

from pathlib import Path

import pytest

from tentimes18.answers.equilibrium import EquilibriumAnswer, OwnRollsAnswer, equilibrium, own_rolls
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.own_rolls import equity, own_rolls_equilibrium
from tentimes18.errors import InvalidGame
from tentimes18.game import Game, mask_of
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.float_laws import float_rule_law
from tests.support.answers import assert_answer

SMALL = Game.parse("1d6", "1-3")


@pytest.mark.parametrize(
    ("free", "opponent_free", "lead"),
    [(None, None, 0), ([1, 3], None, 0), ([1, 2], [1, 3], 5), ([2], [1], -4)],
)
def test_equilibrium(free: list[int] | None, opponent_free: list[int] | None, lead: int) -> None:
    table = Equilibrium(SMALL)
    mine = mask_of(free or [1, 2, 3])
    position = mine, mask_of(opponent_free) if opponent_free else mine, lead
    answer = equilibrium(SMALL, free=free, opponent_free=opponent_free, lead=lead)
    assert_answer(answer, EquilibriumAnswer)
    assert answer == {
        "value": table.value(*position),
        "moves": {str(roll): list(table.moves(*position, roll).items()) for roll in range(1, 7)},
    }


def test_tables_are_kept_in_a_folder(tmp_path: Path) -> None:
    """What is wrong with a kept one is told in a line, and the answer is the same."""
    said: list[str] = []
    game = Game.parse("1d4", "1-3")
    wanted = equilibrium(game, folder=tmp_path, tell=said.append)
    (file,) = tmp_path.iterdir()
    assert said == []
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / file.name).write_bytes(file.read_bytes()[:-8])
    assert equilibrium(game, folder=elsewhere, tell=said.append) == wanted
    assert [line.endswith("not whole: it is made anew") for line in said] == [True]


@pytest.mark.parametrize(
    ("free", "opponent_free", "lead", "field"),
    [([1, 2], [1], 0, "free"), ([1, 2], [1, 3], 100, "lead"), ([9], None, 0, "free")],
)
def test_positions_that_cannot_come_about(
    free: list[int], opponent_free: list[int] | None, lead: int, field: str
) -> None:
    with pytest.raises(InvalidGame) as refused:
        equilibrium(SMALL, free=free, opponent_free=opponent_free, lead=lead)
    assert refused.value.field == field


def test_own_rolls() -> None:
    found = own_rolls_equilibrium(SMALL)
    told: list[tuple[int, int]] = []
    answer = own_rolls(SMALL, lambda *at: told.append(at))
    assert_answer(answer, OwnRollsAnswer)
    assert answer == {
        "value": 0.5,
        "exploitability": found.exploitability,
        "against_optimal": equity(found.law, float_rule_law(SMALL, optimal_rule(SMALL))),
        "mean": float(found.law.mean),
        "sd": found.law.sd,
        "shares": [share for share in found.shares if share > 0],
    }
    assert sum(answer["shares"]) == pytest.approx(1)
    assert told[0][0] > 0
    assert told[-1][0] == told[-1][1]
