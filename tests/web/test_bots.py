"""The bots: legal slots, the same for the same seed, and chances to win that two other computations know."""

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tentimes18.game import Board, Game
from tentimes18.play.opponents import opponent
from tentimes18.queries.duels import duel_equilibrium
from tentimes18.queries.simulations import duel_play
from tentimes18.server.bots import BOTS, CHANCES
from tentimes18.server.query_process import bot_slot, duel_chances
from tentimes18.strategies import solved
from tests.oracle.duel import equilibrium, equity_at_end
from tests.support.games import law_of

GAME: Final = Game.parse("1d6", "1-4")
PAGE: Final = Path(__file__).parents[2] / "docs" / "research" / "duel.md"
CLASSIC: Final = CHANCES[str(Game.classic())]
SHARES: Final = r"([0-9.]+)% \| ([0-9.]+)% \| ([0-9.]+)% \|"
SEED: Final = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of the game."""
    found = tmp_path_factory.mktemp("tables")
    solved.hunter(GAME, None, found)
    solved.equilibrium(GAME, None, found)
    return found


def chosen(name: str, seed: str, mine: Board, theirs: Board, roll: int, folder: Path) -> int:
    return bot_slot(name, seed, folder, mine, theirs, roll)


def pairs(game: Game, rounds: int) -> list[tuple[Board, Board]]:
    """All pairs of boards after these many rounds of the least and the greatest roll."""
    found = [(Board(game), Board(game))]
    for _ in range(rounds):
        found = [
            (mine.place(roll, slot), theirs.place(roll, other))
            for mine, theirs in found
            for roll in (game.dice.support[0], game.dice.support[-1])
            for slot, other in product(mine.free_slots, theirs.free_slots)
        ]
    return found


def test_they_are_those_of_the_contract_and_say_what_they_try() -> None:
    ladder = ["random", "greedy", "bands", "nearest", "optimal", "hunter"]
    assert list(BOTS) == [*ladder, "equilibrium", "target:700"]
    assert [bot.level for bot in BOTS.values()] == [1, 2, 3, 4, 5, 6, None, None]
    for name, bot in BOTS.items():
        assert name == bot.name
        assert re.fullmatch(r"[A-Z][^;`]+\.", bot.aim)
    assert len({bot.aim for bot in BOTS.values()}) == len(BOTS)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_the_opponent_of_that_name_and_repeats_its_answer(folder: Path, name: str) -> None:
    for seed in (SEED, "0" * 32, "f" * 32):
        other = opponent(name, GAME, int(seed, 16))
        for (mine, theirs), roll in product(pairs(GAME, 1), GAME.dice.support):
            slot = chosen(name, seed, mine, theirs, roll, folder)
            assert slot in mine.free_slots
            assert slot == chosen(name, seed, mine, theirs, roll, folder) == other(mine, theirs, roll)


@pytest.mark.parametrize(("faces", "slots"), [("1d4", "1-3"), ("d{1,4,16}", "1,2,5"), ("2d2", "0.1,0.2,0.3")])
def test_the_chance_to_win_is_exact(tmp_path: Path, faces: str, slots: str) -> None:
    """Against fractions by the reference computation, and against what the command answers."""
    game = Game.parse(faces, slots)
    exact = equilibrium(law_of(game.dice), game.multipliers)
    solved.equilibrium(game, None, tmp_path)
    for rounds in range(game.size + 1):
        for mine, theirs in pairs(game, rounds):
            lead, free, their_free = mine.score - theirs.score, mine.free_slots, theirs.free_slots
            chances = duel_chances(tmp_path, mine, theirs)
            assert len(chances) == rounds + 1
            wanted = exact(frozenset(free), frozenset(their_free), lead) if free else equity_at_end(lead)
            assert chances[-1] == pytest.approx(float(wanted), rel=0, abs=1e-12)
            others = duel_chances(tmp_path, theirs, mine)
            assert [sum(pair) for pair in zip(chances, others, strict=True)] == pytest.approx([1] * (rounds + 1))
            if free:
                mine_free, other_free = (",".join(map(str, part)) for part in (free, their_free))
                answer = duel_equilibrium(mine_free, other_free, str(lead), str(game.dice), game.slots, cache=tmp_path)
                assert chances[-1] == answer.value


# The chances against the perfect player.


@pytest.mark.parametrize(
    ("name", "heading", "row"),
    [
        ("hunter", "The best response", r"\n\| "),
        ("nearest", "The best response", r"`nearest` \| "),
        ("bands", "The best response", r"`bands` \| "),
        ("greedy", "The best response", r"`greedy` \| "),
        ("random", "The best response", r"`random` \| "),
        ("equilibrium", "Our equilibrium", r"`optimal` \| "),  # seen from the other player
    ],
)
def test_they_are_those_of_the_proof(name: str, heading: str, row: str) -> None:
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}")[2].partition("\n## ")[0]
    found = re.search(row + SHARES, section)
    assert found is not None
    ours = CLASSIC[name]
    shares = [ours.win, ours.draw, ours.loss]
    proved = [float(share) / 100 for share in found.groups()]
    assert (shares[::-1] if name == "equilibrium" else shares) == pytest.approx(proved, abs=6e-9)


def test_the_one_that_goes_for_a_score_as_duels_go() -> None:
    answer = duel_play("target:700", "optimal", games=100_000, seed=18).answer
    exact = CLASSIC["target:700"]
    assert abs(answer.win - exact.win) < 4 * answer.stderr.win
    assert abs(answer.draw - exact.draw) < 4 * answer.stderr.draw
    assert abs(answer.loss - exact.loss) < 4 * answer.stderr.loss
