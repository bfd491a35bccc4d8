"""How the bots fare against the perfect player, exactly: read from a file that `tools/bot_chances.py` computes.

Two of them play by tables of hundreds of megabytes, and the chances of one follow from all pairs of boards and scores
that it comes to with the perfect player: minutes of work for numbers that never change. So they are computed once and
lie beside this module; tests compute them anew in other ways.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from tentimes18.duel.lead_windows import Outcome

__all__ = ["CHANCES", "FILE"]

FILE: Final = "chances.json"


def _read() -> dict[str, dict[str, Outcome]]:
    found = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return {
        game: {name: Outcome(one["win"] + one["draw"] / 2, **one) for name, one in bots.items()}
        for game, bots in found.items()
    }


CHANCES: Final[Mapping[str, Mapping[str, Outcome]]] = _read()
"""By game, as `str` writes it, and by the name of the bot."""
