"""`make proof`: the duel of the classic game, solved and certified; writes docs/research/duel.md and its pictures.

It takes some minutes. Tests check the small numbers again.
"""

import sys
from collections.abc import Callable, Sequence
from math import ceil, comb, floor, log10
from pathlib import Path
from typing import Any

import numpy as np

from tentimes18.duel.best_response import Response, best_response, fixed_duel
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import Equilibrium, solve_equilibrium
from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.own_rolls import own_rolls_equilibrium, response_to_distribution
from tentimes18.duel.play_out import EquilibriumPath, PathRound, ResponsePath
from tentimes18.duel.pure_guarantee import exact_pure_guarantee, pure_guarantee
from tentimes18.duel.response_cycle import find_cycle
from tentimes18.duel.slot_choice import ANY
from tentimes18.game import Game
from tentimes18.pictures.plot_style import save
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.float_distributions import float_rule_distribution
from tentimes18.solve.move_arrays import rule_slots
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule, optimal_rule
from tentimes18.strategies.named import bands, greedy, nearest
from tools.duel_facts import write_duel_facts
from tools.duel_pictures import plot_distributions, plot_lead, plot_mixed
from tools.gpu_page import LEAD, read_facts, sizes_table
from tools.mirror_positions import section
from tools.table_facts import table_section

ROOT = Path(__file__).resolve().parents[1] / "docs"
GAMES = 10_000_000
RULES: dict[str, Callable[[Game], Rule]] = {"nearest": nearest, "bands": bands, "greedy": greedy}
PAGE = """# Duel results

Two players get the same rolls. After each roll both choose a free slot at the same time, seeing both boards. The higher
score wins. The paper's conclusion says that the best average does not win the most duels, that strategies may beat each
other in a circle, and that several players make things more complicated. This page has the numbers; [how duels are
solved](../theory/duel.md) has the methods, and [the story](../learn/duel-story.md) a short version without them.

`make proof` writes this page. Fractions are exact. All other numbers are computed in float64, with rounding errors far
below the last digit shown, unless they are called simulated.

## The best response to perfect play

The best response to `optimal` is called `hunter`. Against `optimal` it wins far more often than it loses:

{response}

In {games:,} simulated games it wins {simulated_win:.4%} (computed: {exact_win:.4%}; the difference is {z:+.2f} standard
errors).

This is what the wins cost (only {path_positions:,} open positions can occur between these two):

{scores}

![The distributions of the two scores](../pictures/hunter.png)

The mean of `hunter` is {mean_loss:.3f} points lower. It is enough to be a few points ahead in most games, and a game
that is lost may be lost by many. Once a duel is decided, `hunter` plays for the mean.

The first moves of `hunter` are {first_moves}.

In each round it departs from `optimal` in this share of the games that are still open:

{hunter_rounds}

The simple rule [`nearest`](../play/play-well.md) beats `optimal` as well: it wins {nearest_win:.4%}, loses
{nearest_loss:.4%} and draws {rest:.1%}.

{rules}

## Our equilibrium

For every pair of boards, lead and roll, the two choices form a small matrix game: {games_solved:,} of them in {open:,}
open positions. {mixed:.2%} have no saddle point; there the best move is mixed.

{layers}

![Share of mixed moves](../pictures/mixed.png)

The solution is one of several equilibria. All of them secure one half from the start, but what other strategies make
against an equilibrium depends on which one it is. The numbers below are for ours.

**The certificate.** The bounds of each matrix game are at most {widest} apart. [Separate
code](../theory/duel.md#the-certificate) bounds from the mixed moves what any response can gain: at most {start}
from the start, and at most {largest} over the stored value at any of the {compared:,} positions, from either side.
It leaves out two things: what the moves that are played may give up by rounding, 1e-12 per round, and the rounding of
its own sums. Together they are below {left_out} over {rounds} rounds. **So no response gains more than
{total}.** The response that is best by the stored values gains {gained} from the start.

What other strategies make against our equilibrium (`hunter` is the best response to `optimal`, not to this):

{against}

The equity of `hunter` falls from {hunter_equity:.2%} against `optimal` to {hunted_equity:.2%}.

The first moves of our equilibrium are {equilibrium_first}.

Two players of our equilibrium fill the same slots, never meet a mixed move in {rounds} rounds, and draw. Mixed moves
matter for those who leave that path. Against `optimal`, in shares of the games that are still open in each round:

{equilibrium_rounds}

The value of a lead if both play our equilibrium, with five slots free:

![The value of a lead](../pictures/lead.png)

## Is chance necessary?

A pure strategy names one slot for every position and roll. This table shows what the best pure strategy secures against
an opponent who knows it (`ten18 duel guarantee`). Less than one half means that a strategy which nothing beats must
mix:

{guarantee}

So in the classic game an unbeatable strategy must mix. With one die and four slots it need not.

{mirrors}## Three strategies in a circle

In a game small enough for fractions ({cycle_game}), `ten18 duel cycle` finds three strategies that beat each other in a
circle:

{cycle}

In the classic game, [strategies that aim at a score](../theory/simulation.md#who-beats-whom) do so as well.

{more_than_two}
## Separate rolls

If all players roll their own dice and cannot see the other board, only the distribution of the score matters. The
equilibrium needed {own_rounds} rounds; its exploitability is {own_gain:.1e}, its mean {own_mean:.2f} and its standard
deviation {own_sd:.2f}. The best response to `optimal` has equity {own_response:.4%}: with separate rolls, playing for
the best mean is almost right.

## From 4 to 14 slots

`make gpu` solved these duels on a [GPU](gpu.md). The other half of the positions follows by symmetry. "{lead} points
ahead" is the probability to win with that lead if only the first and the last slot are filled on both boards. The
tables up to 13 slots are certified; the one with 14 slots is not.

{sizes}
"""


def main() -> None:
    """Compute, draw and write."""
    game = Game.classic()
    say("best response")
    response = best_response(game, optimal_rule(game))
    say("equilibrium")
    table = solve_equilibrium(game)
    page = PAGE.format(
        **hunter_facts(game, response),
        **equilibrium_facts(game, response, table),
        **other_facts(game),
        lead=LEAD,
        sizes=sizes_table(read_facts()),
        more_than_two=table_section(),
        mirrors=section(),
    )
    (ROOT / "research" / "duel.md").write_text(page, encoding="utf-8")
    write_duel_facts()


def hunter_facts(game: Game, response: Response) -> dict[str, Any]:
    """How the best response to `optimal` does, and how it plays."""
    optimal = optimal_rule(game)
    start, outcome = game.all_free, response.outcome
    say("simulation")
    *_, counts = simulate(Run(game, ("hunter", "optimal"), 1987), GAMES)
    simulated = int(counts.wins[0, 1]) / GAMES
    say("scores of the hunter, rules")
    path = ResponsePath(response)
    scores = {"hunter": path.distribution, "optimal": float_rule_distribution(game, optimal)}
    save(plot_distributions(game, scores["hunter"], scores["optimal"]), ROOT / "pictures" / "hunter.png", dpi=110)
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
            ("score", "mean", "standard deviation", "5% quantile", "median", "95% quantile"),
            [(f"`{name}`", *score_cells(distribution)) for name, distribution in scores.items()],
        ),
        "mean_loss": float(scores["optimal"].mean) - float(scores["hunter"].mean),
        "first_moves": first_moves(game, {x: {response.choose(start, start, 0, x): 1.0} for x in game.dice.support}),
        "hunter_rounds": rounds_table(game, response_rounds(path, optimal)),
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
    paths |= {"random": EquilibriumPath(table, ANY), "hunter": EquilibriumPath(table, response)}
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
        "widest": upper(table.widest),
        "start": upper(certificate.start),
        "gained": f"{max(0.0, certificate.response.equity - 0.5):.2g}",
        "largest": upper(certificate.largest),
        "left_out": upper(certificate.rounding),
        "total": upper(certificate.start + certificate.rounding),
        "compared": certificate.positions,
        "against": outcomes("against our equilibrium", against),
        "hunter_equity": response.outcome.equity,
        "hunted_equity": against["hunter"].equity,
        "equilibrium_first": first_moves(game, {x: table.moves(start, start, 0, x) for x in game.dice.support}),
        "rounds": game.size,
        "equilibrium_rounds": rounds_table(game, paths["optimal"].rounds, among_themselves),
    }


def other_facts(game: Game) -> dict[str, Any]:
    """What pure strategies secure, a circle in a small game, and separate rolls."""
    say("pure strategies, small games, separate rolls")
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
        "guarantee": guarantee_table(game),
    }


def first_moves(game: Game, moves: dict[int, dict[int, float]]) -> str:
    """The rolls whose first move is not that of `optimal`."""
    optimal = optimal_rule(game)
    others = [
        f"{x} in {' or '.join(f'#{slot}' for slot in move)} (not #{usual})"
        for x, move in moves.items()
        if set(move) != {usual := optimal(game.all_free, x)}
    ]
    return "those of `optimal` except " + ", ".join(others) if others else "those of `optimal`"


def response_rounds(path: ResponsePath, rule: Rule) -> list[PathRound]:
    """Round by round, how often a best response departs from a rule."""
    usual = rule_slots(path.windows.game, rule)
    rounds = []
    chances = np.ones(1)
    for positions, slots, after, _ in path.followed:
        is_open, sets = positions[:, 0] >= 0, positions[:, 1]
        moves = chances[:, np.newaxis] * path.windows.P
        departs = is_open[:, np.newaxis] & (slots != usual[sets])
        open_chance, departed = float(chances[is_open].sum()), float(moves[departs].sum())
        rounds.append(PathRound(int(is_open.sum()), open_chance, departed, 0.0))
        chances = np.bincount(after.ravel(), moves.ravel()).astype(np.float64)
    return rounds


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


def score_cells(scores: ScoreDistribution) -> tuple[str, ...]:
    """Mean, standard deviation and quantiles."""
    low, median, high = (str(scores.quantile(q)) for q in (0.05, 0.5, 0.95))
    return f"{float(scores.mean):.4f}", f"{scores.sd:.4f}", low, median, high


def outcomes(title: str, results: dict[str, Outcome]) -> str:
    """A row for each strategy."""
    return markdown(
        (title, "win", "draw", "loss", "equity"),
        [(f"`{name}`", *outcome_cells(result)) for name, result in results.items()],
    )


def say(what: str) -> None:
    """Say which part is in progress."""
    sys.stderr.write(f"{what} ...\n")


def guarantee_table(game: Game) -> str:
    """What the best pure strategy secures in small games, as a fraction, and with these dice on 4 slots or more."""
    rows = [("1d6, slots 1-4", str(exact_pure_guarantee(Game.parse("1d6", "1-4"))))]
    exact = exact_pure_guarantee(Game.parse("2d6", "1-4"))
    rows.append(("2d6, slots 1-4", f"{exact} = {float(exact):.4%}"))
    for n in range(4, game.size + 1):
        secured = pure_guarantee(Game.parse(str(game.dice), f"1-{n}"))
        rows.append((f"{game.dice}, slots 1-{n}", f"{secured:.4%}"))
    return markdown(("game", "the best pure strategy secures"), rows)


def upper(bound: float) -> str:
    """A bound with two digits, rounded up.

    >>> upper(2.2453e-13)
    '2.3e-13'
    """
    unit = 10.0 ** (floor(log10(bound)) - 1)
    return f"{ceil(bound / unit) * unit:.1e}"


def outcome_cells(outcome: Outcome) -> tuple[str, ...]:
    """Chances in percent."""
    return tuple(f"{100 * getattr(outcome, name):.6f}%" for name in ("win", "draw", "loss", "equity"))


def markdown(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    main()
