"""`make proof`: the duel of the classic game, solved and certified; writes docs/duel.md and its pictures.

Takes some minutes. The numbers are those of this run; tests check the small ones again, and the page's text only
surrounds them.
"""

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from tentimes18.errors import InvalidGame
from tentimes18.game import Game
from tentimes18.plot_style import BLUE, INK, QUIET, canvas, save, styled
from tentimes18.simulate import Run, simulate
from tentimes18.solve.cycle import find_cycle
from tentimes18.solve.equilibrium import Equilibrium
from tentimes18.solve.own_rolls import best_reply, own_rolls_equilibrium
from tentimes18.solve.response import best_response, fixed_duel
from tentimes18.solve.rules import bands, greedy, nearest
from tentimes18.solve.scores import float_choice_law, optimal_choice

ROOT = Path(__file__).resolve().parent
GAMES = 10_000_000
PAGE = """# The duel

Two players get the same rolls. After each roll both choose a free slot of their own, at the same time, seeing both
boards; the higher score wins. The paper ends with questions about this game. Here are answers, made by `make proof`.

## Can the best mean be beaten?

Yes. The best response to `optimal`, which we call `hunter`, computed exactly for the classic game:

{response}

Simulated on {games:,} games it wins {simulated_win:.4%} (exact {exact_win:.4%}; {z:+.2f} standard errors).
Its mean is {mean_loss:.3f} points below that of `optimal`: it is enough to be a few points ahead in most games.
Its first moves are {first_moves}.

Even simple rules beat `optimal`. `nearest`, which needs no table, wins {nearest_win:.4%} and loses {nearest_loss:.4%}
(exact), {rest:.1%} of the games being drawn:

{rules}

## What cannot be beaten?

The Nash equilibrium: for every pair of boards, lead and roll the value of a small matrix game, {games_solved:,}
of them in {open:,} open positions. {mixed:.2%} have no saddle point: there the best move is a mixed one.

{layers}

![Share of mixed moves](pictures/mixed.png)

The widest bounds of any matrix game are {widest:.1e} apart. The certificate, computed by separate code from the mixed
moves themselves: the best reply to this equilibrium gains {exploitability:.1e} over one half.

What it makes of the others, exactly, from their side:

{against}

What a lead is worth when both play the equilibrium, with five slots free:

![The worth of a lead](pictures/lead.png)

## A beats B, B beats C, C beats A?

Yes, exactly, in a game small enough to do in fractions ({cycle_game}): `ten18 duel cycle`.

{cycle}

In the classic game, [strategies that aim at a score](theory/simulation.md) beat each other in a circle as well.

## Own rolls

If each player rolls own dice and does not see the other's board, only the law of the score matters. The equilibrium
was found in {own_rounds} rounds, with exploitability {own_gain:.1e}; its mean is {own_mean:.2f} and its standard
deviation {own_sd:.2f}. The best response to `optimal` has equity {own_response:.4%}: with own rolls, playing for the
best mean is almost right.

## How it grows

{growth}
"""


def main() -> None:
    """Compute, draw and write."""
    game = Game.classic()
    optimal = optimal_choice(game)
    say("best response")
    began = perf_counter()
    reply = best_response(game, optimal)
    response_seconds = perf_counter() - began
    outcome = reply.outcome
    start = game.all_free
    moved = [
        f"{x} in #{mine} (not #{theirs})"
        for x in game.dice.support
        if (mine := reply.choose(start, start, 0, x)) != (theirs := optimal(start, x))
    ]
    del reply
    say("simulation")
    *_, counts = simulate(Run(game, ("hunter", "optimal"), 1987), GAMES)
    simulated = int(counts.wins[0, 1]) / GAMES
    error = (outcome.win * (1 - outcome.win) / GAMES) ** 0.5
    say("rules")
    names = {"nearest": nearest, "bands": bands, "greedy": greedy}
    rules = {name: fixed_duel(game, rule(game), optimal) for name, rule in names.items()}
    say("equilibrium")
    began = perf_counter()
    table = Equilibrium(game)
    equilibrium_seconds = perf_counter() - began
    say("certificate")
    best = table.against()
    say("against others")
    against = {"optimal": table.against(optimal), "nearest": table.against(nearest(game))}
    against["random"] = table.against(at_random=True)
    say("small games")
    growth = [growth_row(n) for n in range(4, 10)]
    growth.append((10, table, response_seconds, equilibrium_seconds))
    own = own_rolls_equilibrium(game)
    cycle_game = Game.parse("1d6", "1-4")
    cycle = find_cycle(cycle_game)
    assert cycle is not None
    positions = sum(count.positions for count in table.counts)
    matrix_games = sum(count.matrix_games for count in table.counts)
    save(plot_mixed(table), ROOT / "pictures" / "mixed.png", dpi=110)
    save(plot_lead(table), ROOT / "pictures" / "lead.png", dpi=110)
    page = PAGE.format(
        response=markdown(("win", "draw", "loss", "equity"), [outcome_cells(outcome)]),
        games=GAMES,
        simulated_win=simulated,
        exact_win=outcome.win,
        z=(simulated - outcome.win) / error,
        mean_loss=-counts.difference / GAMES,
        first_moves="those of `optimal` but for " + ", ".join(moved) if moved else "those of `optimal`",
        nearest_win=rules["nearest"].win,
        nearest_loss=rules["nearest"].loss,
        rest=rules["nearest"].draw,
        rules=markdown(
            ("against `optimal`", "win", "draw", "loss", "equity"),
            [(f"`{name}`", *outcome_cells(result)) for name, result in rules.items()],
        ),
        games_solved=matrix_games,
        open=positions,
        mixed=sum(count.mixed for count in table.counts) / matrix_games,
        layers=markdown(
            ("free slots", "open positions", "matrix games", "mixed"),
            [
                (str(c.free_count), f"{c.positions:,}", f"{c.matrix_games:,}", f"{c.mixed / c.matrix_games:.2%}")
                for c in table.counts
            ],
        ),
        widest=table.widest,
        exploitability=max(0.0, best.equity - 0.5),
        against=markdown(
            ("against the equilibrium", "win", "draw", "loss", "equity"),
            [(f"`{name}`", *outcome_cells(result)) for name, result in against.items()],
        ),
        cycle_game=f"{cycle_game.dice}, slots {cycle_game.slots}",
        cycle=markdown(
            ("", "against", "win", "draw", "loss"),
            [
                (name, other, str(r.win), str(r.draw), str(r.loss))
                for name, other, r in zip(cycle.names, [*cycle.names[1:], cycle.names[0]], cycle.results, strict=True)
            ],
        ),
        own_rounds=len(own.laws),
        own_gain=own.exploitability,
        own_mean=float(own.law.mean),
        own_sd=own.law.sd,
        own_response=float(best_reply(game, float_choice_law(game, optimal)).value),
        growth=markdown(
            ("slots", "open positions", "matrix games", "mixed", "response", "equilibrium"),
            [growth_cells(*row) for row in growth],
        ),
    )
    (ROOT / "duel.md").write_text(page, encoding="utf-8")


def say(what: str) -> None:
    """Which part is under way."""
    sys.stderr.write(f"{what} ...\n")


def growth_row(n: int) -> tuple[int, Equilibrium, float, float]:
    """The duel on 3d6 with n slots, timed."""
    game = Game.parse("3d6", f"1-{n}")
    began = perf_counter()
    best_response(game, optimal_choice(game))
    between = perf_counter()
    table = Equilibrium(game)
    return n, table, between - began, perf_counter() - between


def growth_cells(n: int, table: Equilibrium, response: float, equilibrium: float) -> tuple[str, ...]:
    """A row of the table of growth."""
    positions = sum(count.positions for count in table.counts)
    matrix_games = sum(count.matrix_games for count in table.counts)
    mixed = sum(count.mixed for count in table.counts) / matrix_games
    return str(n), f"{positions:,}", f"{matrix_games:,}", f"{mixed:.2%}", f"{response:.3f} s", f"{equilibrium:.3f} s"


def outcome_cells(outcome: Any) -> tuple[str, ...]:
    """Chances in percent."""
    return tuple(f"{100 * getattr(outcome, name):.6f} %" for name in ("win", "draw", "loss", "equity"))


def markdown(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@styled
def plot_mixed(table: Equilibrium) -> Any:
    """Bars: the share of matrix games without a saddle point by number of free slots."""
    shares = {count.free_count: count.mixed / count.matrix_games for count in table.counts}
    most = max(shares, key=lambda k: shares[k])
    title = f"One move in {round(1 / shares[most])} must be mixed with {most} slots free"
    figure, axes = canvas(
        title, f"{table.game.dice}, slots {table.game.slots}: share of moves without a saddle point", height=4.2
    )
    axes.bar(list(shares), [100 * share for share in shares.values()], color=BLUE, width=0.7)
    for k, share in shares.items():
        axes.annotate(f"{share:.1%}", (k, 100 * share), (0, 4), textcoords="offset points", ha="center", color=INK)
    axes.set_xticks(list(shares))
    axes.set_xlabel("free slots")
    axes.set_yticks([])
    return figure


@styled
def plot_lead(table: Equilibrium) -> Any:
    """The value of a lead for three pairs of boards with five free slots."""
    game = table.game
    half = game.size // 2
    low, middle = game.verify_free(range(1, half + 1)), game.verify_free(range(1, game.size + 1, 2))
    figure, axes = canvas(
        "A lead of ten points decides most games with five slots to go, but not every board",
        f"{game.dice}, slots {game.slots}: chance to win against the lead, both playing the equilibrium",
        height=4.8,
    )
    even = game.verify_free(range(2, game.size + 1, 2))
    for mine, theirs, name, line, place in (
        (low, low, "both have the\nlowest slots free", ":", (-9, 72)),
        (middle, middle, "both have the\nodd slots free", "-", (13, 84)),
        (middle, even, "I have the odd slots free,\nthe opponent the even ones", "--", (54, 28)),
    ):
        leads, values = [], []
        for lead in range(-40, 91):
            try:
                values.append(100 * table.value(mine, theirs, lead))
            except InvalidGame:
                continue
            leads.append(lead)
        axes.plot(leads, values, line, color=INK, linewidth=1.6)
        axes.annotate(name, place, color=QUIET, ha="right" if place[0] < 0 else "left", va="center")
    axes.axhline(50, color=QUIET, linewidth=0.6)
    axes.set_xlabel("my lead in points")
    axes.set_ylabel("chance to win, percent")
    return figure


if __name__ == "__main__":
    main()
