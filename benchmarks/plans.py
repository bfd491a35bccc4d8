"""How far the plans of jobs are from what these take: seconds and memory, each job in a process of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Final

from benchmarks.harness import Claim, Section, Table, in_new_process, memory, resident, seconds
from tentimes18.answers.closest import closest
from tentimes18.answers.solution import solution, solution_plan
from tentimes18.game import Board, Game
from tentimes18.plan import GamePlan, Plan
from tentimes18.simulate.games import simulate
from tentimes18.simulate.plans import games_plan
from tentimes18.simulate.run import Run
from tentimes18.solve.closest import closest_plan
from tentimes18.solve.duel.cycle import find_cycle
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.solve.duel.own_rolls import own_rolls_equilibrium
from tentimes18.solve.duel.plans import cycle_plan, equilibrium_plan, own_rolls_plan, response_plan
from tentimes18.solve.duel.response import best_response
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.objectives.plans import chances_plan
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import rule_law
from tentimes18.solve.scores.float_laws import float_rule_law
from tentimes18.solve.scores.moments import optimal_moments, optimal_moments_plan
from tentimes18.solve.scores.plans import float_law_plan, rule_plan
from tentimes18.solve.subsets import subset_plan
from tentimes18.solve.table.response import table_response, table_response_plan
from tentimes18.solve.table.seats import Seat
from tentimes18.strategies.front import front_of, front_plan
from tentimes18.strategies.named import named
from tentimes18.strategies.seats import seat_of
from tentimes18.strategies.strategy import score_law

__all__ = ["run"]

FACTOR: Final = 3.0
HALF: Final = 2.0
LEAST_MEMORY: Final = 30e6  # below it, a measurement is of the libraries


@dataclass(frozen=True)
class Job:
    """What is done in a game, and what is planned for it."""

    name: str
    dice: str
    slots: str
    do: Callable[[Game], object]
    plan_of: GamePlan

    @property
    def game(self) -> Game:
        """The game of the job."""
        return Game.parse(self.dice, self.slots)


def _cvar_law(game: Game) -> object:
    return score_law(Board(game), named("cvar:0.1"), exact=False)


def _cvar_plan(game: Game) -> Plan:
    return named("cvar:0.1").plan(Board(game), exact=False)


def _games(game: Game) -> object:
    return list(simulate(Run(game, ("optimal", "hindsight"), seed=18), 100_000_000))


def _games_plan(game: Game) -> Plan:
    return games_plan(Run(game, ("optimal", "hindsight"), seed=18), 100_000_000)


def _others(game: Game) -> list[Seat]:
    return [seat_of(name, game) for name in ("optimal", "nearest")]


JOBS: Final = (
    Job("solution, exact", "3d6", "1-400", partial(solution, exact=True), partial(solution_plan, exact=True)),
    Job("closest calls", "1d1000", "1-80", closest, closest_plan),
    Job("subsets", "3d6", "1-25", subset_values, subset_plan),
    Job("exact moments", "3d6", "1-250", optimal_moments, lambda game: optimal_moments_plan(game.dice, game.size)),
    Job("exact law", "3d6", "1-14", lambda g: rule_law(g, optimal_rule(g)), lambda g: rule_plan(g, g.all_free)),
    Job(
        "law in float64",
        "1d100",
        "1-13",
        lambda g: float_rule_law(g, optimal_rule(g)),
        lambda g: float_law_plan(g, g.all_free),
    ),
    Job("best chances", "3d6", "1-14", lambda g: chance_table(g).means(), chances_plan),
    Job("law of cvar:0.1", "3d6", "1-12", _cvar_law, _cvar_plan),
    Job("front", "3d6", "1-10", front_of, front_plan),
    Job("best response", "3d6", "1-9", lambda g: best_response(g, optimal_rule(g)), response_plan),
    Job("equilibrium", "3d6", "1-9", Equilibrium, equilibrium_plan),
    Job("equilibrium, many rolls", "1d300", "1-5", Equilibrium, equilibrium_plan),
    Job(
        "best response at a table",
        "3d6",
        "1-9",
        lambda g: table_response(g, _others(g)),
        lambda g: table_response_plan(g, _others(g)),
    ),
    Job("own rolls", "3d6", "1-11", own_rolls_equilibrium, own_rolls_plan),
    Job("circle", "1d40", "1-4", find_cycle, cycle_plan),
    Job("games", "3d6", "1-10", _games, _games_plan),
)
SMALL: Final = Game.parse("1d6", "1-3")


def _measured(number: int) -> tuple[float, float]:
    """Seconds and bytes of a job; compiled code and libraries are there before."""
    job = JOBS[number]
    job.do(SMALL)
    game, before, began = job.game, resident(), perf_counter()
    job.do(game)
    return perf_counter() - began, float(resident() - before)


def run() -> Section:
    """Every job planned and done."""
    rows, worst, short = [], 1.0, 0.0
    for number, job in enumerate(JOBS):
        plan = job.plan_of(job.game)
        took, used = in_new_process(partial(_measured, number))
        worst = max(worst, took / plan.seconds, plan.seconds / took)
        if used > LEAST_MEMORY:
            short = max(short, used / plan.memory)
        rows.append(
            (
                job.name,
                str(job.game),
                seconds(plan.seconds),
                seconds(took),
                f"{plan.seconds / took:.2f}",
                memory(plan.memory),
                memory(used),
            )
        )
    return Section(
        "Plans",
        "What jobs are planned to take, before they start, and what they take. Memory is what a job takes beyond the\n"
        "program itself; below 30 MB it is not compared.",
        [
            Claim("a plan of time is off by a factor of", FACTOR, worst, "of either side", show=lambda x: f"{x:.2f}"),
            Claim("a job takes more memory than planned, times", HALF, short, "0: none", show=lambda x: f"{x:.2f}"),
        ],
        [Table(("job", "game", "planned", "taken", "planned / taken", "memory planned", "memory taken"), rows)],
    )
