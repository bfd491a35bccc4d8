"""Examples that the program makes itself, so that they are true."""

from hashlib import sha256
from typing import Any, Final

from tentimes18.game import Game
from tentimes18.play.fairness import Deal
from tentimes18.server.store.states import GameState
from tentimes18.server.views import game_view

__all__ = ["game_example"]

ROLLS: Final = (11, 7, 14, 9)
SLOTS: Final = (3, 1)


def game_example() -> dict[str, Any]:
    """A small game after two moves, as its player sees it.

    >>> example = game_example()
    >>> example["board"], example["roll"], len(example["opened"]), len(example["commitments"])
    ({'3': 11, '1': 7}, 14, 3, 4)
    """
    game = Game.parse("3d6", "1-4")
    nonces = tuple(sha256(b"%d" % number).hexdigest() for number in range(game.size))
    state = GameState(
        number=1,
        id="kVfmcJ2eTxWq0a7sNdRb1A",
        player=None,
        kind="solo",
        coach="off",
        game=game,
        deal=Deal(ROLLS, nonces),
        deal_number=1,
        day=None,
        created=0,
        slots=SLOTS,
        seen=(0,) * len(SLOTS),
    )
    return game_view(state)
