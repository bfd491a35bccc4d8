"""Circles of three at one table: each is one by the oracle's count, and where there is none, none is found."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tests.oracle.table import results
from tests.support.tables import law_of_dice
from tools.table_circles import (
    CircleRule,
    TableCircle,
    find_company_circle,
    find_result_circle,
    rule_count,
)

GAME = Game.parse("1d3", "1-3")
Own = Callable[[frozenset[int], Any, int], int]


def own(game: Game, rule: CircleRule) -> Own:
    def choose(free: frozenset[int], _: object, roll: int) -> int:
        slots = tuple(sorted(free))
        return rule[slots][game.dice.support.index(roll)] if len(slots) > 1 else slots[0]

    return choose


def oracle_shares(game: Game, rules: list[Own]) -> list[Fraction]:
    return results(law_of_dice(game), game.multipliers, rules)[0]


def assert_facts(game: Game, circle: TableCircle) -> None:
    """Shares at the table, and equities in duels, are those of the oracle."""
    players = [own(game, rule) for rule in circle.rules]
    assert list(circle.shares) == oracle_shares(game, players)
    for place, equity in enumerate(circle.equities):
        assert equity == oracle_shares(game, [players[place], players[(place + 1) % 3]])[0]


def test_results() -> None:
    circle = find_result_circle(GAME)
    assert circle is not None
    assert_facts(GAME, circle)
    for place in range(3):
        players = [own(GAME, circle.rules[place]), own(GAME, circle.rules[(place + 1) % 3])]
        _, (won, lost), _ = results(law_of_dice(GAME), GAME.multipliers, players)
        assert circle.edges[place] == won - lost > 0


@pytest.mark.parametrize("orderly", [True, False])
def test_company(orderly: bool) -> None:
    game = Game.parse("1d2", "1-3")
    circle = find_company_circle(game, orderly=orderly)
    assert circle is not None
    assert_facts(game, circle)
    players = [own(game, rule) for rule in circle.rules]
    shares = oracle_shares(game, players)
    for place in range(3):
        third = (place + 2) % 3
        alone = oracle_shares(game, [players[place], players[third]])[0]
        gain = shares[place] / (shares[place] + shares[third]) - alone
        assert circle.edges[place] == gain > 0


@pytest.mark.parametrize("orderly", [True, False])
def test_rules_are_orderly(orderly: bool) -> None:
    circle = find_company_circle(Game.parse("1d2", "1-3"), orderly=orderly)
    assert circle is not None
    steps = [slots for rule in circle.rules for slots in rule.values()]
    assert all(low <= high for low, high in steps) == orderly


def test_where_there_is_none() -> None:
    """Two slots, whatever the rules; and of results with two faces on three slots."""
    for dice in ("1d2", "1d4"):
        assert find_result_circle(Game.parse(dice, "1-2"), orderly=False) is None
        assert find_company_circle(Game.parse(dice, "1-2"), orderly=False) is None
    assert find_result_circle(Game.parse("1d2", "1-3"), orderly=False) is None


def test_how_many_rules() -> None:
    assert rule_count(Game.parse("1d6", "1-2"), orderly=False) == 64
    assert rule_count(Game.parse("1d6", "1-2")) == 7
    assert rule_count(GAME, orderly=False) == 3**3 * 2**9


def test_too_many_rules() -> None:
    with pytest.raises(TooLarge, match="the search for a circle of three rules on 10 slots"):
        find_company_circle(Game.classic())


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    find_result_circle(Game.parse("1d2", "1-2"), progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
