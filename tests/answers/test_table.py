"""Tables as answers: simulated and exact beside each other, company, and the best response with those of a duel."""

import pytest

from tentimes18.answers.table import (
    TableAnswer,
    TableResponseAnswer,
    exact_table,
    play_table,
    response_at_table,
    table,
    table_run,
)
from tentimes18.duel.several_players import table_shares
from tentimes18.duel.several_players_response import table_response, table_response_plan
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.plan import Limits
from tentimes18.strategies.named import UnknownStrategy
from tentimes18.strategies.seats import seat_of
from tests.oracle.table import answered_shares, results
from tests.support.answers import assert_answer
from tests.support.tables import law_of_dice, own_rules

GAME = Game.parse("1d6", "1-4")


def test_exact_and_simulated() -> None:
    names = ("optimal", "bands", "greedy")
    run = table_run(GAME, names, 18)
    answer = table(play_table(run, 50_000), exact_table(run))
    assert_answer(answer, TableAnswer)
    exact = answer["exact"]
    assert exact is not None
    shares, sole, ranks = results(law_of_dice(GAME), GAME.multipliers, own_rules(GAME, names))
    assert exact["shares"] == pytest.approx([float(share) for share in shares])
    assert exact["sole"] == pytest.approx([float(share) for share in sole])
    assert exact["ranks"] == pytest.approx([float(rank) for rank in ranks])
    for seat in range(3):
        z = (answer["shares"][seat] - exact["shares"][seat]) / answer["stderr"][seat]
        assert exact["z"][seat] == pytest.approx(z)
        assert abs(z) < 4
        assert abs(answer["ranks"][seat] - exact["ranks"][seat]) < 4 * answer["rank_stderr"][seat]
    assert answer["rivals"] == [None] * 3


def test_company() -> None:
    """From fractions: the part of the wins that the other leaves, less the share without it; sums are nothing."""
    names = ("optimal", "bands", "greedy")
    run = table_run(GAME, names, 18)
    exact = exact_table(run)
    answer = table(play_table(run, 50_000), exact)
    simulated = table(play_table(run, 50_000))
    law, rules = law_of_dice(GAME), own_rules(GAME, names)
    shares, *_ = results(law, GAME.multipliers, rules)
    for left in range(3):
        there = [seat for seat in range(3) if seat != left]
        rest, *_ = results(law, GAME.multipliers, [rules[seat] for seat in there])
        for place, seat in enumerate(there):
            wanted = float(shares[seat] / (1 - shares[left]) - rest[place])
            found, seen = answer["company"][seat][left], simulated["company"][seat][left]
            error = simulated["company_stderr"][seat][left]
            assert found == pytest.approx(wanted, abs=1e-12)
            assert seen is not None
            assert error is not None
            assert abs(seen - wanted) < 4 * error
            assert answer["company_stderr"][seat][left] == 0
        assert answer["company"][left][left] is None
    assert simulated["exact"] is None


def test_two() -> None:
    run = table_run(GAME, ("optimal", "greedy"), 18)
    answer = table(play_table(run, 100), exact_table(run))
    assert_answer(answer, TableAnswer)
    assert (answer["company"], answer["without"], answer["company_stderr"]) == ([], [], [])


def test_players_of_a_duel() -> None:
    run = table_run(GAME, ("hunter", "optimal", "equilibrium"), 18)
    answer = table(play_table(run, 20_000), exact_table(run))
    assert_answer(answer, TableAnswer)
    assert answer["rivals"] == ["optimal", None, "optimal"]
    assert answer["exact"] is not None
    assert max(abs(z) for z in answer["exact"]["z"] if z is not None) < 4
    assert answer["without"][0][1] is not None


def test_where_one_has_nobody_left() -> None:
    run = table_run(GAME, ("hunter", "optimal", "hunter", "hunter"), 18)
    answer = table(play_table(run, 1000), exact_table(run))
    assert [row[1] for row in answer["without"]] == [None] * 4
    assert [row[1] for row in answer["company"]] == [None] * 4


def test_what_is_not_known_exactly() -> None:
    run = table_run(GAME, ("optimal", "hindsight"), 18)
    assert exact_table(run) is None
    with pytest.raises(Ten18Error, match=r"^strategies 'hindsight': looks at more than boards and rolls"):
        exact_table(run, insist=True)


def test_what_takes_too_long() -> None:
    run = table_run(Game.classic(), ("optimal", "nearest", "bands"), 18)
    assert exact_table(run, limits=Limits(8e9, 0.01)) is None
    with pytest.raises(TooLarge):
        exact_table(run, insist=True, limits=Limits(8e9, 0.01))
    with pytest.raises(TooLarge, match="games fit"):
        play_table(run, 10**12, limits=Limits(8e9, 1.0))


def test_response() -> None:
    names = ("optimal", "bands")
    run = table_run(GAME, names, 18)
    answer = response_at_table(run)
    assert_answer(answer, TableResponseAnswer)
    best = table_response(GAME, [seat_of(name, GAME) for name in names])
    assert answer["share"] == best.share
    assert answer["moves"] == {str(roll): slot for roll, slot in best.moves.items()}
    assert [(one["strategy"], one["rival"]) for one in answer["others"]] == [
        ("hunter", "optimal"),
        ("equilibrium", "optimal"),
    ]
    assert all(one["share"] < best.share for one in answer["others"])
    shares = answered_shares(law_of_dice(GAME), GAME.multipliers, own_rules(GAME, names))
    assert answer["shares"] == pytest.approx([float(share) for share in shares[:-1]], abs=1e-12)
    assert answer["without"] == pytest.approx(exact_table(run)["shares"], abs=1e-12)  # type: ignore[index]
    for one in answer["others"]:
        assert sum(one["shares"]) + one["share"] == pytest.approx(1, abs=1e-12)
        seats = [seat_of(name, GAME) for name in (*names, one["strategy"])]
        assert one["shares"] == list(table_shares(GAME, seats, [-1, -1, 0]).shares[:-1])


def test_response_where_what_it_leaves_does_not_fit() -> None:
    """Its own share is known all the same."""
    run = table_run(Game.parse("1d6", "1-4"), ("optimal", "bands"), 18)
    least = table_response_plan(GAME, [seat_of(name, GAME) for name in run.strategies]).memory
    answer = response_at_table(run, Limits(1.2 * least, 60.0))
    assert_answer(answer, TableResponseAnswer)
    assert answer["share"] == response_at_table(run)["share"]
    assert (answer["shares"], answer["without"]) == (None, None)


def test_response_where_the_tables_of_a_duel_do_not_fit() -> None:
    """The best response is there all the same: its list is shorter than theirs."""
    run = table_run(Game.parse("1d2", "1-11"), ("greedy", "bands"), 18)
    answer = response_at_table(run, Limits(3e7, 60.0))
    assert_answer(answer, TableResponseAnswer)
    assert answer["share"] >= 1 / 3
    assert answer["others"] == []


@pytest.mark.parametrize("name", ["random", "hunter", "hindsight"])
def test_who_cannot_be_answered(name: str) -> None:
    with pytest.raises(Ten18Error, match=rf"^strategies '{name}': cannot be answered at a table"):
        response_at_table(table_run(GAME, ("optimal", name), 18))


def test_names() -> None:
    with pytest.raises(UnknownStrategy, match=r"^strategies 'lucky': not known; accepted: .*hunter, equilibrium"):
        table_run(GAME, ("optimal", "lucky"), 18)
    with pytest.raises(Ten18Error, match=r"^strategies 'cvar:2'"):
        table_run(GAME, ("optimal", "cvar:2"), 18)
    with pytest.raises(Ten18Error, match=r"^strategies: hunter and equilibrium play their duel with somebody else"):
        table_run(GAME, ("hunter", "hunter", "equilibrium"), 18)


def test_progress_of_a_response() -> None:
    """It goes on and on, through the best response and those who play a duel in its seat."""
    told: list[tuple[int, int]] = []
    run = table_run(Game.parse("1d4", "1-3"), ("optimal", "greedy"), 18)
    response_at_table(run, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (1000, 1000)


def test_a_table_that_is_too_large_is_told_a_size_that_fits() -> None:
    """Only where it is asked for at all costs; and what is told to fit does."""
    names, limits = ["optimal", "nearest", "greedy"], Limits(2e5, 600)
    run = table_run(Game.parse("1d6", "1-6"), names, 18)
    with pytest.raises(TooLarge, match=r"these players come to would need .*: slots 1-5 fit") as refusal:
        exact_table(run, insist=True, limits=limits)
    assert refusal.value.field == "slots"
    assert exact_table(run, limits=limits) is None
    assert exact_table(table_run(Game.parse("1d6", "1-5"), names, 18), insist=True, limits=limits) is not None
