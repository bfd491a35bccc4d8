"""The example games of docs/play/fairness.md, as the service would give them: `python -m tools.fair_games` writes them.

So that they are the same each time, their nonces are digests of a known text; real ones are drawn.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tentimes18.game import Board, Game
from tentimes18.play.fairness import Deal
from tentimes18.records.notation import Record, format_json, parse_moves

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "games"
MOVES = "8@5 4@1 16@10 13@9 8@2 12@6 8@4 11@7 18@8 12@3"  # of docs/games/paper.txt
OPPONENT = "8@4 4@1 16@10 13@8 8@3 12@7 8@2 11@6 18@9 12@5"
ID = "ten-times-eighteen"


def contents() -> dict[str, str]:
    """What the files hold, by their names.

    >>> list(contents())
    ['fair.json', 'fair-start.json', 'altered.json', 'fair.ndjson']
    """
    game = Game.classic()
    board, opponent = (Board.replay(game, parse_moves(moves)) for moves in (MOVES, OPPONENT))
    deal = _deal([placement.roll for placement in board.placements])
    end = public_game(deal, board)
    altered = json.loads(json.dumps(end))
    altered["opened"][2]["roll"] = altered["board"]["10"] = 18  # a better third roll, and the score that it makes
    altered["score"] += 20
    tags = {"id": ID, "commitments": deal.commitments, "nonces": list(deal.nonces)}
    records = [Record(board, tags=tags), Record(board, opponent=opponent, tags=tags)]
    return {
        "fair.json": _text(end),
        "fair-start.json": _text(public_game(deal, Board(game))),
        "altered.json": _text(altered),
        "fair.ndjson": "".join(f"{format_json(record)}\n" for record in records),
    }


def public_game(deal: Deal, board: Board) -> dict[str, Any]:
    """A game alone, as its player sees it with this board.

    >>> public_game(_deal([8, 4]), Board(Game.parse("3d6", "1-2")))["roll"]
    8
    """
    game, placed = board.game, board.rounds
    finished = placed == game.size
    return {
        "id": ID,
        "kind": "solo",
        "dice": str(game.dice),
        "slots": [int(multiplier) for multiplier in game.multipliers],
        "coach": "off",
        "round": placed + 1,
        "roll": None if finished else deal.rolls[placed],
        "board": {str(slot): roll for roll, slot in board.placements},
        "score": int(board.score),
        "finished": finished,
        "commitments": deal.commitments,
        "opened": deal.opened(min(placed + 1, game.size)),
        "opponent": None,
    }


def _deal(rolls: list[int]) -> Deal:
    nonces = (sha256(f"an example, round {number}".encode()).hexdigest() for number in range(1, len(rolls) + 1))
    return Deal(tuple(rolls), tuple(nonces))


def _text(game: dict[str, Any]) -> str:
    return json.dumps(game, indent=2) + "\n"


def main() -> None:
    """Write all of them."""
    for name, content in contents().items():
        (FOLDER / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
