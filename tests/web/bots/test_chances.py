"""The chances of the bots against `optimal`: those that `make proof` has proved, and what simulated duels show."""

import re
from pathlib import Path

import pytest

from tentimes18.game import Game
from tentimes18.queries.simulations import duel_play
from tentimes18.server.bots.bots import BOTS
from tentimes18.server.bots.chances import CHANCES

PAGE = Path(__file__).parents[3] / "docs" / "duel.md"
CLASSIC = CHANCES[str(Game.classic())]
SHARES = r"([0-9.]+) % \| ([0-9.]+) % \| ([0-9.]+) % \|"


def test_every_bot_has_chances_that_add_up() -> None:
    assert CHANCES.keys() == {str(Game.classic())}
    assert list(CLASSIC) == list(BOTS)
    for found in CLASSIC.values():
        assert found.win + found.draw + found.loss == pytest.approx(1, abs=1e-9)
        assert found.equity == found.win + found.draw / 2


@pytest.mark.parametrize(
    ("name", "part", "row"),
    [
        ("hunter", 0, r"\n\| "),
        ("nearest", 0, r"`nearest` \| "),
        ("random", 0, r"`random` \| "),
        ("equilibrium", 1, r"`optimal` \| "),  # from the other side
    ],
)
def test_they_are_those_of_the_proof(name: str, part: int, row: str) -> None:
    text = PAGE.read_text(encoding="utf-8").split("## What cannot be beaten?")[part]
    found = re.search(row + SHARES, text)
    assert found is not None
    ours = CLASSIC[name]
    shares = [ours.win, ours.draw, ours.loss]
    proved = [float(share) / 100 for share in found.groups()]
    assert (shares[::-1] if part else shares) == pytest.approx(proved, abs=6e-9)


def test_the_one_that_goes_for_a_score_as_duels_go() -> None:
    answer = duel_play("target:700", "optimal", games=100_000, seed=18).answer
    exact = CLASSIC["target:700"]
    assert abs(answer.win - exact.win) < 4 * answer.stderr.win
    assert abs(answer.draw - exact.draw) < 4 * answer.stderr.draw
    assert abs(answer.loss - exact.loss) < 4 * answer.stderr.loss
