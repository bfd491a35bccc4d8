"""The secretary problem by going through all orders: of each arrival only its rank among those so far is seen.

A history is the tuple of relative ranks seen so far, 1 being the best. All n! orders are equally likely, and an order
is known exactly when all n relative ranks are. Each decision is made with the history and the earlier choices known.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache


def ranks_of(history: Sequence[int]) -> tuple[int, ...]:
    """The final ranks of the arrivals with these relative ranks, when nobody comes any more."""
    order: list[int] = []  # arrivals from best to worst
    for arrival, relative in enumerate(history):
        order.insert(relative - 1, arrival)
    return tuple(order.index(arrival) + 1 for arrival in range(len(history)))


class Secretary:
    """The best choice of up to, or of exactly, k of n arrivals; what is maximised depends on the ranks chosen.

    Of equally good decisions, rejecting is taken.
    """

    def __init__(
        self, n: int, choices: int, reward: Callable[[tuple[int, ...]], Fraction], *, all_choices: bool
    ) -> None:
        self.n = n
        self.choices = choices
        self.reward = reward
        self.all_choices = all_choices
        self.worth = cache(self._worth)

    @property
    def value(self) -> Fraction:
        """The best expected reward."""
        return self.worth((), ())

    def _worth(self, history: tuple[int, ...], taken: tuple[int, ...]) -> Fraction:
        """`taken` holds the arrivals chosen so far, counted from 0."""
        if len(history) == self.n:
            ranks = ranks_of(history)
            return self.reward(tuple(ranks[arrival] for arrival in taken))
        t = len(history) + 1
        nexts = [(*history, relative) for relative in range(1, t + 1)]
        return sum((max(self.decisions(then, taken).values()) for then in nexts), Fraction(0)) / t

    def decisions(self, history: tuple[int, ...], taken: tuple[int, ...]) -> dict[bool, Fraction]:
        """What taking (True) and rejecting (False) the last arrival of this history are worth."""
        left = self.n - len(history)
        worths: dict[bool, Fraction] = {}
        if not self.all_choices or left >= self.choices - len(taken):
            worths[False] = self.worth(history, taken)
        if len(taken) < self.choices:
            worths[True] = self.worth(history, (*taken, len(history) - 1))
        return worths

    def takes(self, history: tuple[int, ...], taken: tuple[int, ...]) -> bool:
        """Whether the last arrival of this history is taken."""
        worths = self.decisions(history, taken)
        return True in worths and (False not in worths or worths[True] > worths[False])

    def chosen(self) -> dict[tuple[int, int], Fraction]:
        """For (arrival from 1, final rank): the chance that it is chosen."""
        found: dict[tuple[int, int], Fraction] = {}

        def follow(history: tuple[int, ...], taken: tuple[int, ...], chance: Fraction) -> None:
            t = len(history) + 1
            if t > self.n:
                ranks = ranks_of(history)
                for arrival in taken:
                    key = (arrival + 1, ranks[arrival])
                    found[key] = found.get(key, Fraction(0)) + chance
                return
            for relative in range(1, t + 1):
                then = (*history, relative)
                follow(then, (*taken, t - 1) if self.takes(then, taken) else taken, chance / t)

        follow((), (), Fraction(1))
        return found


def choose_the_best(n: int, choices: int) -> Secretary:
    """The aim is that the best of all is among the chosen."""
    return Secretary(n, choices, lambda ranks: Fraction(1 in ranks), all_choices=False)


def choose_low_ranks(n: int, choices: int) -> Secretary:
    """Exactly k are chosen, and the sum of their ranks must be small: the value is minus that sum."""
    return Secretary(n, choices, lambda ranks: Fraction(-sum(ranks)), all_choices=True)


def choose_for(n: int, choices: int, rewards: Sequence[Fraction]) -> Secretary:
    """The one with final rank r is worth rewards[r - 1] if chosen."""
    return Secretary(n, choices, lambda ranks: sum((rewards[r - 1] for r in ranks), Fraction(0)), all_choices=False)
