"""How the mixed moves of a duel are told: for this roll, so often to this slot and so often to that."""

from tentimes18.coach.aims import Mix, Mixes
from tentimes18.show.figures import percent

__all__ = ["told_mix", "told_mixes"]


def told_mix(mix: Mix) -> str:
    """A mixed move, slot by slot; one slot alone needs no chance.

    >>> told_mix(((4, 0.623), (5, 0.377))), told_mix(((5, 1.0),))
    ('slot 4 62.3%, slot 5 37.7%', 'slot 5')
    """
    return ", ".join(f"slot {slot}" if len(mix) == 1 else f"slot {slot} {percent(share)}" for slot, share in mix)


def told_mixes(mixes: Mixes) -> str:
    """Both players' mixed moves, in one sentence.

    >>> told_mixes(Mixes(mine=((4, 0.623), (5, 0.377)), theirs=((5, 1.0),)))
    "Best play: slot 4 62.3%, slot 5 37.7%; the opponent's: slot 5."
    """
    return f"Best play: {told_mix(mixes.mine)}; the opponent's: {told_mix(mixes.theirs)}."
