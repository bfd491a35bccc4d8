"""The questions of the lab, and the process that answers them.

A question takes what the command of its name takes, by the names of its options, and gives the same JSON. Games are
read within the limits for strangers, names of strategies are data, and a job that does not fit into the limits of the
process is refused before it starts.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from tentimes18.answers.advice import AdviceAnswer, advice
from tentimes18.answers.distribution import (
    Asked,
    DistributionAnswer,
    DistributionsAnswer,
    MomentsAnswer,
    SeveralMomentsAnswer,
    SlotLawsAnswer,
    described,
    find_laws,
)
from tentimes18.answers.distribution import moments as moments_of
from tentimes18.answers.distribution import per_slot as laws_per_slot
from tentimes18.answers.drill import CloseCallsAnswer, close_calls_answer
from tentimes18.answers.review import OneReviewAnswer, one_review
from tentimes18.answers.rolls import RollLawsAnswer, roll_laws
from tentimes18.answers.solution import SolutionAnswer, solution
from tentimes18.answers.targets import TargetAnswer
from tentimes18.answers.targets import target as target_answer
from tentimes18.coach.aims import Mean, aim_named, is_of_duels, own_aim
from tentimes18.coach.review import review as measure
from tentimes18.errors import Ten18Error
from tentimes18.game import Number, read_score
from tentimes18.plan import Limits
from tentimes18.queries.positions import read_board, read_free_slots, read_position
from tentimes18.records.notation import record_from_json
from tentimes18.server.calculator.process import Question, answer_questions
from tentimes18.server.game_limits import read_dice, read_game

__all__ = ["LAB_QUESTIONS", "advise", "dice_laws", "distribution", "drill", "review", "solve", "target"]

MOST_SCORES: Final = 50  # whose chances are asked for
MOST_STRATEGIES: Final = 8  # side by side

Slots: TypeAlias = str | Sequence[int | float | str] | None


def solve(
    limits: Limits,
    *,
    dice: str | None = None,
    slots: Slots = None,
    exact: bool = False,
    digits: int | None = None,
    last_row: bool = False,
    method: Literal["thresholds", "subsets"] = "thresholds",
) -> SolutionAnswer:
    """Expected scores, and the thresholds that play the game.

    >>> solve(Limits(1e9, 10), dice="1d6", slots="1,2", exact=True)["expected"]["optimal"]
    '45/4'
    """
    game = read_game(dice, slots)
    if exact and digits is not None:
        raise Ten18Error("fractions have no digits; give one of exact and digits", field="digits")
    by_subsets = method == "subsets"
    return solution(game, exact=exact, digits=digits, last_row=last_row, by_subsets=by_subsets, limits=limits)


def advise(
    limits: Limits,
    *,
    roll: int,
    free: str | None = None,
    moves: str | None = None,
    opponent: str | None = None,
    aim: str = "mean",
    target: str | None = None,
    dice: str | None = None,
    slots: Slots = None,
) -> AdviceAnswer:
    """Where to place a roll, and what every other slot gives up.

    >>> advise(Limits(1e9, 10), roll=9, free="1,4,7")["best"]
    1
    """
    game = read_game(dice, slots)
    if opponent is not None and not is_of_duels(aim):
        raise Ten18Error("an opponent counts where the aim is a duel", field="opponent")
    if free is not None and moves is not None:
        raise Ten18Error("which slots are free follows from the moves; give one of the two", field="free")
    if free is not None and (target is not None or aim != "mean"):
        raise Ten18Error("says nothing of the score, which counts here; give the moves instead", field="free")
    wanted = None if target is None else read_score(target, "target")
    position = read_position(game, moves or "", opponent, is_duel=is_of_duels(aim))
    free_slots = None if free is None else read_free_slots(game, free)
    game.verify_roll(roll)
    found = advice(position, roll, aim_named(game, aim), free_slots, wanted, limits=limits)
    if "aim" in found:
        found["aim"] = aim  # as it was asked for
    return found


def distribution(
    limits: Limits,
    *,
    strategy: str = "optimal",
    dice: str | None = None,
    slots: Slots = None,
    moves: str = "",
    at_least: str | None = None,
    at_most: str | None = None,
    cumulative: bool = False,
    moments: bool = False,
    per_slot: bool = False,
    exact: bool = False,
    summary: bool = False,
) -> DistributionAnswer | DistributionsAnswer | MomentsAnswer | SeveralMomentsAnswer | SlotLawsAnswer:
    """The law of a strategy's final score, of several, their moments alone, or the law of the roll in each slot.

    >>> distribution(Limits(1e9, 10), dice="1d2", slots="1", at_least="2")["at_least"]
    {'2': 0.5}
    """
    game = read_game(dice, slots)
    names = list(dict.fromkeys(name.strip() for name in strategy.split(",")))
    if len(names) > MOST_STRATEGIES:
        raise Ten18Error(f"{len(names)} strategies, at most {MOST_STRATEGIES} are accepted", field="strategy")
    if moments or per_slot:
        _verify_no_law_is_needed(moments and per_slot, moves, at_least, at_most, cumulative)
    if moments:
        found = [moments_of(game, name, exact=exact, limits=limits) for name in names]
        return found[0] if len(found) == 1 else {"laws": found}
    if per_slot:
        return laws_per_slot(game, strategy, exact=exact, limits=limits)
    if cumulative and summary:
        raise Ten18Error("is about the single scores, which the summary leaves out", field="cumulative")
    asked = Asked(_scores(at_least, "at_least"), _scores(at_most, "at_most"), exact, summary, cumulative)
    return described(find_laws(read_board(game, moves), names, exact=exact, limits=limits), asked)


def _verify_no_law_is_needed(
    both: bool, moves: str, at_least: str | None, at_most: str | None, cumulative: bool
) -> None:
    if both:
        raise Ten18Error("give one of moments and per_slot", field="moments")
    for field, given in (("at_least", at_least), ("at_most", at_most), ("cumulative", cumulative or None)):
        if given is not None:
            raise Ten18Error("needs the law, of which moments and per_slot are parts", field=field)
    if moves:
        raise Ten18Error("moments and per_slot are of whole games", field="moves")


def _scores(text: str | None, field: str) -> list[Number]:
    parts = [] if text is None else text.split(",")
    if len(parts) > MOST_SCORES:
        raise Ten18Error(f"{len(parts)} scores, at most {MOST_SCORES} are accepted", field=field)
    return [read_score(part.strip(), field) for part in parts]


def target(
    limits: Limits, *, target: str, dice: str | None = None, slots: Slots = None, moves: str = ""
) -> TargetAnswer:
    """The best chance of a score of ``target`` or more, and how to play for it.

    >>> target(Limits(1e9, 10), target="14", dice="1d6", slots="1,2")["probability"]
    0.3333333333333333
    """
    game = read_game(dice, slots)
    return target_answer(read_board(game, moves), read_score(target, "target"), limits=limits)


def dice_laws(_: Limits, *, dice: Sequence[str] = ("3d6",), exact: bool = False) -> RollLawsAnswer:
    """The law of one roll of dice, of several side by side.

    >>> dice_laws(Limits(1e9, 10), dice=["1d6"], exact=True)["laws"][0]["mean"]
    '7/2'
    """
    return roll_laws(list({str(one): one for one in map(read_dice, dice)}.values()), exact=exact)


def drill(
    _: Limits, *, dice: str | None = None, slots: Slots = None, count: int = 10, seed: int = 0
) -> CloseCallsAnswer:
    """Close calls in a game, each with what every free slot is worth.

    >>> len(drill(Limits(1e9, 10), dice="1d6", slots="1-3", count=2)["questions"])
    2
    """
    return close_calls_answer(read_game(dice, slots), count, seed)


def review(_: Limits, *, record: Mapping[str, Any]) -> OneReviewAnswer:
    """What each move of a record gave up, and what was luck, by the aim that it names, where that is quick.

    >>> review(Limits(1e9, 10), record={"dice": "1d6", "slots": "1,2", "moves": "5@1 4@2"})["loss"]
    1.5
    """
    played = record_from_json(record)
    return one_review(measure(played, own_aim(played) or Mean()), [])


LAB_QUESTIONS: Final[Mapping[str, Question]] = {
    "solve": solve,
    "advise": advise,
    "distribution": distribution,
    "target": target,
    "dice": dice_laws,
    "drill": drill,
    "review": review,
}

if __name__ == "__main__":
    answer_questions(LAB_QUESTIONS)
