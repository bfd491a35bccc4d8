"""`make proof`: the duel of the classic game, solved and certified; writes docs/duel.md and its pictures.

Takes some minutes. The numbers are those of this run; tests check the small ones again, and the page's text only
surrounds them.
"""

import sys
from collections.abc import Callable
from math import comb
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from tentimes18.duel.best_response import Response, best_response, fixed_duel
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import Equilibrium, solve_equilibrium
from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.own_rolls import own_rolls_equilibrium, response_to_distribution
from tentimes18.duel.play_out import EquilibriumPath, PathRound, ResponsePath
from tentimes18.duel.response_cycle import find_cycle
from tentimes18.game import Game
from tentimes18.pictures.plot_style import save
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule, optimal_rule
from tentimes18.strategies.named import bands, greedy, nearest
from tools.duel_facts import write_duel_facts
from tools.duel_pictures import plot_laws, plot_lead, plot_mixed
from tools.gpu_page import LEAD, read_facts, sizes_table
from tools.table_facts import table_section

ROOT = Path(__file__).resolve().parents[1] / "docs"
GAMES = 10_000_000
RULES: Final[dict[str, Callable[[Game], Rule]]] = {"nearest": nearest, "bands": bands, "greedy": greedy}
PAGE = """# The duel

Two players get the same rolls. After each roll both choose a free slot of their own, at the same time, seeing both
boards; the higher score wins. The paper ends with questions about this game. Here are answers, made by `make proof`.

## Can the best mean be beaten?

Yes. The best response to `optimal`, which we call `hunter`, computed exactly for the classic game:

{response}

Simulated on {games:,} games it wins {simulated_win:.4%} (exact {exact_win:.4%}; {z:+.2f} standard errors).

What the win costs, also exactly (between these two only {path_positions:,} open positions come about):

{scores}

![The laws of the two scores](pictures/hunter.png)

Its mean is {mean_loss:.3f} points lower: it is enough to be a few points ahead in most games, and a game that is lost
may be lost by many. Once a duel is decided, the hunter plays on for the mean.

Its first moves are {first_moves}.

Round by round, it departs from `optimal` in this share of the games that are still open:

{hunter_rounds}

Even simple rules beat `optimal`. `nearest`, which needs no table, wins {nearest_win:.4%} and loses {nearest_loss:.4%}
(exact), {rest:.1%} of the games being drawn:

{rules}

## What cannot be beaten?

The Nash equilibrium: for every pair of boards, lead and roll the value of a small matrix game, {games_solved:,}
of them in {open:,} open positions. {mixed:.2%} have no saddle point: there the best move is a mixed one.

{layers}

![Share of mixed moves](pictures/mixed.png)

The widest bounds of any matrix game are {widest:.1e} apart. [The certificate](theory/duel.md), computed by separate
code from the mixed moves themselves: no response to this equilibrium gains more than {start:.1e} over one half from
the start, nor more than {largest:.1e} over the stored value at any of the {compared:,} positions, from either side.
No value is off by more. The response that is best by the stored values, followed through all rounds, gains
{gained:.1e} from the start.

What it makes of the others, exactly, from their side; `hunter` is the best response to `optimal`, not to this:

{against}

So the hunter, whose equity against `optimal` is {hunter_equity:.2%}, is left with {hunted_equity:.2%} here.

The equilibrium's first moves are {equilibrium_first}.

Two players of the equilibrium keep the same board, take no mixed move in {rounds} rounds, and draw: mixed moves are for
those who leave that path. Against `optimal` it looks like this, in shares of the games still open in that round:

{equilibrium_rounds}

What a lead is worth when both play the equilibrium, with five slots free:

![The worth of a lead](pictures/lead.png)

## A beats B, B beats C, C beats A?

Yes, exactly, in a game small enough to do in fractions ({cycle_game}): `ten18 duel cycle`.

{cycle}

In the classic game, [strategies that aim at a score](theory/simulation.md) beat each other in a circle as well.

{more_than_two}
## Own rolls

If each player rolls own dice and does not see the other's board, only the law of the score matters. The equilibrium
was found in {own_rounds} rounds, with exploitability {own_gain:.1e}; its mean is {own_mean:.2f} and its standard
deviation {own_sd:.2f}. The best response to `optimal` has equity {own_response:.4%}: with own rolls, playing for the
best mean is almost right.

## How it grows

{growth}

On 4 to 14 slots, solved by `make gpu` on a [GPU](gpu.md): the open positions, of which the other half follows by
symmetry; their matrix games, and the share of these that need a mixed move; the chance to win with {lead} points
ahead, where only the first and the last slot are filled on both boards; and the equity of the best response to
`optimal`.

{sizes}
"""


def main() -> None:
    """Compute, draw and write."""
    game, small = Game.classic(), Game.parse("3d6", "1-3")
    optimal = optimal_rule(game)
    best_response(small, optimal_rule(small))  # what is compiled is compiled before the clock starts
    solve_equilibrium(small)
    say("best response")
    began = perf_counter()
    response = best_response(game, optimal)
    response_seconds = perf_counter() - began
    say("equilibrium")
    began = perf_counter()
    table = solve_equilibrium(game)
    equilibrium_seconds = perf_counter() - began
    page = PAGE.format(
        **hunter_facts(game, response),
        **equilibrium_facts(game, response, table),
        **other_facts(game, (10, table, response_seconds, equilibrium_seconds)),
        lead=LEAD,
        sizes=sizes_table(read_facts()),
        more_than_two=table_section(),
    )
    (ROOT / "duel.md").write_text(page, encoding="utf-8")
    write_duel_facts()


def hunter_facts(game: Game, response: Response) -> dict[str, Any]:
    """How the best response to `optimal` does, and how it plays."""
    optimal = optimal_rule(game)
    start, outcome = game.all_free, response.outcome
    say("simulation")
    *_, counts = simulate(Run(game, ("hunter", "optimal"), 1987), GAMES)
    simulated = int(counts.wins[0, 1]) / GAMES
    say("law of the hunter, rules")
    path = ResponsePath(response)
    laws = {"hunter": path.distribution, "optimal": float_rule_distribution(game, optimal)}
    save(plot_laws(game, laws["hunter"], laws["optimal"]), ROOT / "pictures" / "hunter.png", dpi=110)
    rules = {name: fixed_duel(game, rule(game), optimal) for name, rule in RULES.items()}
    rules["random"] = fixed_duel(game, None, optimal)
    return {
        "response": markdown(("win", "draw", "loss", "equity"), [outcome_cells(outcome)]),
        "games": GAMES,
        "simulated_win": simulated,
        "exact_win": outcome.win,
        "z": (simulated - outcome.win) / (outcome.win * (1 - outcome.win) / GAMES) ** 0.5,
        "path_positions": path.positions,
        "scores": markdown(
            ("score", "mean", "standard deviation", "5 % quantile", "median", "95 % quantile"),
            [(f"`{name}`", *score_cells(law)) for name, law in laws.items()],
        ),
        "mean_loss": float(laws["optimal"].mean) - float(laws["hunter"].mean),
        "first_moves": first_moves(game, {x: {response.choose(start, start, 0, x): 1.0} for x in game.dice.support}),
        "hunter_rounds": rounds_table(game, path.rounds(optimal)),
        "nearest_win": rules["nearest"].win,
        "nearest_loss": rules["nearest"].loss,
        "rest": rules["nearest"].draw,
        "rules": outcomes("against `optimal`", rules),
    }


def equilibrium_facts(game: Game, response: Response, table: Equilibrium) -> dict[str, Any]:
    """The equilibrium, certified, and what the others make of it."""
    optimal, start = optimal_rule(game), game.all_free
    matrix_games = sum(count.matrix_games for count in table.counts)
    save(plot_mixed(table), ROOT / "pictures" / "mixed.png", dpi=110)
    save(plot_lead(table), ROOT / "pictures" / "lead.png", dpi=110)
    say("certificate")
    certificate = certify(table)
    say("the others against the equilibrium")
    paths = {"optimal": EquilibriumPath(table, optimal)}
    paths |= {name: EquilibriumPath(table, rule(game)) for name, rule in RULES.items()}
    paths |= {"random": EquilibriumPath(table, at_random=True), "hunter": EquilibriumPath(table, response)}
    against = {name: path.outcome for name, path in paths.items()}
    among_themselves = EquilibriumPath(table).rounds
    # One position a board, and a pure move at each: both boards are the same, and so are both scores.
    assert all(one.positions <= comb(game.size, done) for done, one in enumerate(among_themselves))
    assert not any(one.mixed for one in among_themselves)
    return {
        "games_solved": matrix_games,
        "open": sum(count.positions for count in table.counts),
        "mixed": sum(count.mixed for count in table.counts) / matrix_games,
        "layers": markdown(
            ("free slots", "open positions", "matrix games", "mixed"),
            [
                (str(c.free_count), f"{c.positions:,}", f"{c.matrix_games:,}", f"{c.mixed / c.matrix_games:.2%}")
                for c in table.counts
            ],
        ),
        "widest": table.widest,
        "start": certificate.start,
        "gained": max(0.0, certificate.response.equity - 0.5),
        "largest": certificate.largest,
        "compared": certificate.positions,
        "against": outcomes("against the equilibrium", against),
        "hunter_equity": response.outcome.equity,
        "hunted_equity": against["hunter"].equity,
        "equilibrium_first": first_moves(game, {x: table.moves(start, start, 0, x) for x in game.dice.support}),
        "rounds": game.size,
        "equilibrium_rounds": rounds_table(game, paths["optimal"].rounds, among_themselves),
    }


def other_facts(game: Game, largest: "tuple[int, Equilibrium, float, float]") -> dict[str, Any]:
    """A circle in a small game, own rolls, and how the work grows."""
    say("small games, own rolls")
    growth = [*(growth_row(n) for n in range(4, game.size)), largest]
    own = own_rolls_equilibrium(game)
    cycle_game = Game.parse("1d6", "1-4")
    cycle = find_cycle(cycle_game)
    assert cycle is not None
    return {
        "cycle_game": f"{cycle_game.dice}, slots {cycle_game.slots}",
        "cycle": markdown(
            ("", "against", "win", "draw", "loss"),
            [
                (name, other, str(r.win), str(r.draw), str(r.loss))
                for name, other, r in zip(cycle.names, [*cycle.names[1:], cycle.names[0]], cycle.results, strict=True)
            ],
        ),
        "own_rounds": len(own.distributions),
        "own_gain": own.exploitability,
        "own_mean": float(own.distribution.mean),
        "own_sd": own.distribution.sd,
        "own_response": float(response_to_distribution(game, float_rule_distribution(game, optimal_rule(game))).value),
        "growth": markdown(
            ("slots", "open positions", "matrix games", "mixed", "response", "equilibrium"),
            [growth_cells(*row) for row in growth],
        ),
    }


def first_moves(game: Game, moves: dict[int, dict[int, float]]) -> str:
    """The rolls whose first move is not that of `optimal`."""
    optimal = optimal_rule(game)
    others = [
        f"{x} in {' or '.join(f'#{slot}' for slot in move)} (not #{usual})"
        for x, move in moves.items()
        if set(move) != {usual := optimal(game.all_free, x)}
    ]
    return "those of `optimal` but for " + ", ".join(others) if others else "those of `optimal`"


def rounds_table(game: Game, rounds: list[PathRound], themselves: list[PathRound] | None = None) -> str:
    """By round: games still open, moves off `optimal`, and for an equilibrium mixed moves and those against itself."""
    header = ["free slots", "still open", "not the move of `optimal`"]
    rows = [[str(game.size - done), f"{one.is_open:.4%}", share(one.departs, one)] for done, one in enumerate(rounds)]
    if themselves:
        header += ["mixed", "not the move of `optimal`, both playing the equilibrium"]
        for row, one, same in zip(rows, rounds, themselves, strict=True):
            row += [share(one.mixed, one), share(same.departs, same)]
    return markdown(tuple(header), [tuple(row) for row in rows])


def share(part: float, one: PathRound) -> str:
    """A part of the games that are still open."""
    return f"{part / one.is_open:.2%}"


def score_cells(law: ScoreDistribution) -> tuple[str, ...]:
    """Mean, standard deviation and quantiles."""
    low, median, high = (str(law.quantile(q)) for q in (0.05, 0.5, 0.95))
    return f"{float(law.mean):.4f}", f"{law.sd:.4f}", low, median, high


def outcomes(title: str, results: dict[str, Outcome]) -> str:
    """A row for each strategy."""
    return markdown(
        (title, "win", "draw", "loss", "equity"),
        [(f"`{name}`", *outcome_cells(result)) for name, result in results.items()],
    )


def say(what: str) -> None:
    """Which part is under way."""
    sys.stderr.write(f"{what} ...\n")


def growth_row(n: int) -> tuple[int, Equilibrium, float, float]:
    """The duel on 3d6 with n slots, timed."""
    game = Game.parse("3d6", f"1-{n}")
    began = perf_counter()
    best_response(game, optimal_rule(game))
    between = perf_counter()
    table = solve_equilibrium(game)
    return n, table, between - began, perf_counter() - between


def growth_cells(n: int, table: Equilibrium, response: float, equilibrium: float) -> tuple[str, ...]:
    """A row of the table of growth."""
    positions = sum(count.positions for count in table.counts)
    matrix_games = sum(count.matrix_games for count in table.counts)
    mixed = sum(count.mixed for count in table.counts) / matrix_games
    return str(n), f"{positions:,}", f"{matrix_games:,}", f"{mixed:.2%}", f"{response:.3f} s", f"{equilibrium:.3f} s"


def outcome_cells(outcome: Outcome) -> tuple[str, ...]:
    """Chances in percent."""
    return tuple(f"{100 * getattr(outcome, name):.6f} %" for name in ("win", "draw", "loss", "equity"))


def markdown(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    main()
