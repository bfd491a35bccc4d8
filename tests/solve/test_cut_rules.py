"""Rules with few numbers: their means by their distributions, and the best of all rules that see only the groups."""

from fractions import Fraction
from functools import cache
from itertools import combinations

from hypothesis import given, settings

from tentimes18.game import Game
from tentimes18.solve.cut_rules import best_cuts, cut_mean, cut_rule
from tentimes18.solve.rule_distributions import rule_distribution
from tests.support.games import games, law_of


def best_by_groups(game: Game, cuts: tuple[int, ...]) -> Fraction:
    """The best mean of all plays that learn the group of a roll alone, over all sets of free slots."""
    groups = [
        [(x, chance) for x, chance in law_of(game.dice).items() if sum(x >= cut for cut in cuts) == group]
        for group in range(len(cuts) + 1)
    ]

    @cache
    def value(free: frozenset[int]) -> Fraction:
        if not free:
            return Fraction(0)
        return sum(
            (
                max(
                    sum(
                        (chance * (game.multipliers[slot - 1] * x + value(free - {slot})) for x, chance in group),
                        Fraction(0),
                    )
                    for slot in free
                )
                for group in groups
            ),
            Fraction(0),
        )

    return value(frozenset(range(1, game.size + 1)))


@settings(max_examples=40)
@given(game=games(max_slots=4, max_rolls=5))
def test_all_cuts(game: Game) -> None:
    for k in range(1, len(game.dice.support)):
        every = list(combinations(game.dice.support[1:], k))
        means = {cuts: rule_distribution(game, cut_rule(game, cuts)).mean for cuts in every}
        assert all(cut_mean(game, cuts) == mean for cuts, mean in means.items())
        best = best_cuts(game, k)
        assert best.mean == means[best.cuts] == max(means.values())
        assert best.most == max(best_by_groups(game, cuts) for cuts in every) >= best.mean
        if k == 1 and game.multipliers[0] >= 0:
            assert best.most == best.mean


def test_the_classic_game() -> None:
    """One number is 84% of the way, three are 98%; seeing every roll from 7 to 15 loses nothing."""
    game = Game.classic()
    found = [best_cuts(game, k) for k in (1, 2, 3)]
    assert [best.cuts for best in found] == [(11,), (10, 13), (9, 11, 13)]
    assert [round(float(best.mean), 4) for best in found] == [631.875, 638.5309, 640.8549]
    assert found[2].mean == found[2].most
    assert best_by_groups(game, (11,)) == found[0].most
    assert best_by_groups(game, (9, 11, 13)) == found[2].most
