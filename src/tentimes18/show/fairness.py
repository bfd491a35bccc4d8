"""How the check of games is told."""

from tentimes18.show.figures import counted

__all__ = ["fairness_verdict"]


def fairness_verdict(games: int, verified: int, bad_lines: int) -> str:
    """What the check of so many games comes to, in a line.

    >>> fairness_verdict(3, 2, 1)
    '3 games, 2 verified, 1 not. 1 line could not be read.'
    """
    others = f" {counted(bad_lines, 'line')} could not be read." if bad_lines else ""
    if games == 1:
        right = "Verified: the rolls are those that were committed to, and they make the score."
        return (right if verified else "Not verified.") + others
    told = "all verified" if games == verified else f"{verified:,} verified, {games - verified:,} not"
    return f"{counted(games, 'game')}, {told}.{others}"
