"""The secretary problem, and regret for every number of slots (multisecretary)."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypedDict

from tentimes18.assignment import Reward, multisecretary, secretary
from tentimes18.queries.json_numbers import writer

__all__ = ["RegretAnswer", "RuleAnswer", "SecretaryAnswer", "regret_answer", "secretary_answer", "slots_shown"]

RANKS: Final = 10  # relative and final ranks that an answer tells of
MOST_CHOICES: Final = 20  # for which the rule is told
MOST_NUMBERS: Final = 20_000  # of slots in an answer: beyond, only some
SHOWN: Final = 11  # both ends and nine between them


class RuleAnswer(TypedDict):
    """With so many choices left: from which arrival on the relative ranks 1, 2, ... are taken."""

    choices_left: int
    first_arrivals: list[int]


class SecretaryAnswer(TypedDict):
    """The best choice by ranks alone; ``chosen`` are the chances that final ranks 1, 2, ... are chosen."""

    arrivals: int
    reward: str | list[float]
    choices: int
    value: float | str
    rule: list[RuleAnswer]
    chosen: list[float]


class RegretAnswer(TypedDict):
    """The best play and hindsight for some numbers of slots, all of them where they are not too many."""

    law: str
    arrivals: int
    slots: list[int]
    value: list[float | str]
    hindsight: list[float | str]
    regret: list[float | str]
    largest: "Largest"
    error: float


class Largest(TypedDict):
    """The number of slots with the largest regret."""

    slots: int
    regret: float | str


def secretary_answer(n: int, reward: Reward = "best", choices: int = 1, *, exact: bool = False) -> SecretaryAnswer:
    """The best choice of so many of n arrivals of which only ranks are seen.

    >>> answer = secretary_answer(10, "rank", exact=True)
    >>> answer["value"], answer["rule"][0]["first_arrivals"][:4]
    ('3223/1260', [4, 6, 8, 9])
    """
    found = secretary(n, reward, choices, exact=exact)
    return {
        "arrivals": n,
        "reward": found.reward if isinstance(found.reward, str) else [float(worth) for worth in found.reward],
        "choices": choices,
        "value": writer(exact)(found.value),
        "rule": [
            {"choices_left": left, "first_arrivals": [arrival for _, arrival in found.rule(left, RANKS)]}
            for left in range(choices, max(0, choices - MOST_CHOICES), -1)
        ],
        "chosen": found.ranks(RANKS).tolist(),
    }


def regret_answer(
    law: Any,
    arrivals: int,
    most: int | None = None,
    *,
    exact: bool = False,
    named: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RegretAnswer:
    """What hindsight has more than the best play, for every number of slots; ``named`` is what the law is called.

    >>> from tentimes18.assignment import UniformLaw
    >>> answer = regret_answer(UniformLaw(0, 1), 3, exact=True)
    >>> answer["slots"], answer["regret"], answer["largest"]["slots"]
    ([0, 1, 2, 3], ['0/1', '7/128', '7/128', '0/1'], 1)
    """
    found = multisecretary(law, arrivals, most, exact=exact, progress=progress)
    write = writer(exact)
    count = len(found.regret)
    slots = list(range(count)) if count <= MOST_NUMBERS else slots_shown(range(count), 1000)
    worst = int(found.regret.argmax())
    return {
        "law": named or str(law),
        "arrivals": arrivals,
        "slots": slots,
        "value": [write(found.value[k]) for k in slots],
        "hindsight": [write(found.hindsight[k]) for k in slots],
        "regret": [write(found.regret[k]) for k in slots],
        "largest": {"slots": worst, "regret": write(found.regret[worst])},
        "error": found.error,
    }


def slots_shown(slots: Sequence[int], most: int = SHOWN) -> list[int]:
    """Of these numbers of slots so many, both ends with them.

    >>> slots_shown(range(101), 5)
    [0, 25, 50, 75, 100]
    """
    if len(slots) <= most:
        return list(slots)
    return sorted({slots[round(step * (len(slots) - 1) / (most - 1))] for step in range(most)})
