"""An equilibrium followed against the best reply to it: the chances that this has, and those it leaves."""

import pytest

from tentimes18.duel.best_response import nobody
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.duel.play_out import Outcome, follow_rounds, outcome_of
from tentimes18.duel.slot_choice import BEST_REPLY, OpponentSlots
from tentimes18.game import Board, Game, Position, slots_of
from tentimes18.solve.rule_slots import same_everywhere
from tests.support.duels import wrong_values


def followed(table: Equilibrium) -> Outcome:
    """Win, draw and loss of the best reply."""
    windows = DuelWindows(table.game, half=False)
    opponent = OpponentSlots(same_everywhere(table.game, BEST_REPLY), nobody(windows))
    rounds = list(follow_rounds(table.windows.table(table.values), windows, opponent.slots, opponent))
    assert len(rounds) == table.game.size
    return outcome_of(rounds)


def plainly(table: Equilibrium, position: Position, roll: int | None = None) -> tuple[float, float, float]:
    """The same from a position on, for the player of the second board."""
    mine, theirs = position.board, position.theirs
    if roll is None:
        if not mine.free:
            return float(position.lead < 0), float(position.lead == 0), float(position.lead > 0)
        dice = table.game.dice
        found = [
            (count / dice.total, plainly(table, position, x))
            for x, count in zip(dice.support, dice.counts, strict=True)
        ]
    else:
        moves = table.moves_on(position, roll)

        def value(j: int) -> float:
            there = theirs.place(roll, j)
            return sum(p * table.value_on(Position(mine.place(roll, i), there)) for i, p in moves.items())

        slots = slots_of(theirs.free)
        best = min(map(value, slots))
        chosen = next(j for j in slots if value(j) <= best + 1e-12)
        after = theirs.place(roll, chosen)
        found = [(p, plainly(table, Position(mine.place(roll, i), after))) for i, p in moves.items()]
    win, draw, loss = (sum(p * chances[which] for p, chances in found) for which in range(3))
    return win, draw, loss


def test_against_an_equilibrium_nothing_is_gained() -> None:
    """Two players of the equilibrium keep the same board: the duel is drawn."""
    outcome = followed(Equilibrium(Game.parse("3d6", "1-4")))
    assert (outcome.win, outcome.draw, outcome.loss) == pytest.approx((0.0, 1.0, 0.0), rel=0, abs=1e-12)


@pytest.mark.parametrize(("dice", "slots", "noise"), [("1d4", "1-3", 0.2), ("1d3", "1-4", 0.2), ("1d4", "1-3", 0.0)])
def test_what_the_best_reply_comes_to(dice: str, slots: str, noise: float) -> None:
    """Position by position, also where values are wrong and make wrong moves; no more than is certified."""
    table = Equilibrium(Game.parse(dice, slots))
    table.values = wrong_values(table, noise)
    outcome = followed(table)
    empty = Board(table.game)
    wanted = plainly(table, Position(empty, empty))
    assert (outcome.win, outcome.draw, outcome.loss) == pytest.approx(wanted, rel=0, abs=1e-12)
    assert outcome.equity == outcome.win + outcome.draw / 2
    assert outcome.equity - 0.5 <= table.certify().start + 1e-12
    assert table.against() == table.certify().response == outcome
