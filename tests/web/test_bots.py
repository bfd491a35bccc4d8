"""The bots: legal slots, the same for the same seed, and chances to win that two other computations know."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, slots_of
from tentimes18.play.opponents import opponent
from tentimes18.queries.duels import duel_equilibrium
from tentimes18.queries.simulations import duel_play
from tentimes18.server.bot_tables import DuelTables, NotReady
from tentimes18.server.bots import BOTS, CHANCES, Bots, draw_seed, verify_bot
from tentimes18.strategies import solved
from tests.oracle.duel import equilibrium, equity_at_end
from tests.support.games import law_of
from tests.support.waiting import until

GAME: Final = Game.parse("1d6", "1-4")
PAGE: Final = Path(__file__).parents[2] / "docs" / "duel.md"
CLASSIC: Final = CHANCES[str(Game.classic())]
SHARES: Final = r"([0-9.]+) % \| ([0-9.]+) % \| ([0-9.]+) % \|"
SEED: Final = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Bots:
    return with_tables(GAME, tmp_path_factory.mktemp("tables"))


def with_tables(game: Game, folder: Path | None) -> Bots:
    solved.hunter(game, None, folder)
    solved.equilibrium(game, None, folder)
    tables = DuelTables(game, folder, makes=False)
    tables.start()
    until(lambda: tables.is_ready, "the tables are there")
    tables.stop()
    return Bots(tables)


def pairs(game: Game, rounds: int) -> list[tuple[Board, Board]]:
    """All pairs of boards after so many rounds of the least and the greatest roll."""
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
    assert set(BOTS) == {"random", "nearest", "optimal", "hunter", "equilibrium", "target:700"}
    for name, bot in BOTS.items():
        assert verify_bot(name) is bot
        assert re.fullmatch(r"[A-Z][^;`]+\.", bot.aim)
    assert len({bot.aim for bot in BOTS.values()}) == len(BOTS)


@pytest.mark.parametrize("name", ["", "bands", "hindsight", "target:701", "Optimal", "optimal ", "os:system", "friend"])
def test_nobody_else_plays(bots: Bots, name: str) -> None:
    board = Board(GAME)
    for ask in (
        lambda: verify_bot(name),
        lambda: bots.verify_ready(name),
        lambda: bots.choose(name, SEED, board, board, 6),
    ):
        with pytest.raises(Ten18Error, match="not known; accepted: random, nearest, optimal") as refused:
            ask()
        assert refused.value.field == "against"


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_the_opponent_of_that_name_and_asked_again_says_the_same(bots: Bots, name: str) -> None:
    for seed in (SEED, "0" * 32, "f" * 32):
        other = opponent(name, GAME, int(seed, 16))
        for (mine, theirs), roll in product(pairs(GAME, 1), GAME.dice.support):
            slot = bots.choose(name, seed, mine, theirs, roll)
            assert slot in mine.free_slots
            assert slot == bots.choose(name, seed, mine, theirs, roll) == other(mine, theirs, roll)


def test_random_slots_come_from_the_seed(bots: Bots) -> None:
    board = Board(GAME)
    slots = [bots.choose("random", draw_seed(), board, board, 3) for _ in range(200)]
    assert set(slots) == set(slots_of(GAME.all_free))


def test_many_threads_at_once_get_the_same_slots(bots: Bots) -> None:
    moves = [(name, *boards, roll) for name in BOTS for boards in pairs(GAME, 1)[:8] for roll in (1, 6)]
    fresh = Bots(bots.tables)
    wanted = [bots.choose(name, SEED, mine, theirs, roll) for name, mine, theirs, roll in moves]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            assert list(threads.map(lambda move: fresh.choose(move[0], SEED, *move[1:]), moves)) == wanted


def test_what_is_not_ready_says_so_and_the_others_play(tmp_path: Path) -> None:
    bots, board = Bots(DuelTables(GAME, tmp_path)), Board(GAME)
    for name in BOTS:
        if name in ("hunter", "equilibrium", "target:700"):
            with pytest.raises(NotReady, match=f"against '{name}': the table that it plays by is not made yet"):
                bots.choose(name, SEED, board, board, 6)
            with pytest.raises(NotReady):
                bots.verify_ready(name)
        else:
            bots.verify_ready(name)
            assert bots.choose(name, SEED, board, board, 6) in board.free_slots
    assert bots.chance_to_win(board, board) is None
    assert bots.chances(board, board) is None
    assert list(tmp_path.iterdir()) == []


# The chance to win.


@pytest.mark.parametrize(("faces", "slots"), [("1d4", "1-3"), ("d{1,4,16}", "1,2,5"), ("2d2", "0.1,0.2,0.3")])
def test_the_chance_to_win_is_exact(tmp_path: Path, faces: str, slots: str) -> None:
    """Against fractions by the reference computation, and against what the command answers."""
    game = Game.parse(faces, slots)
    bots, exact = with_tables(game, tmp_path), equilibrium(law_of(game.dice), game.multipliers)
    for rounds in range(game.size + 1):
        for mine, theirs in pairs(game, rounds):
            lead, free, their_free = mine.score - theirs.score, mine.free_slots, theirs.free_slots
            chance = bots.chance_to_win(mine, theirs)
            wanted = exact(frozenset(free), frozenset(their_free), lead) if free else equity_at_end(lead)
            assert chance == pytest.approx(float(wanted), rel=0, abs=1e-12)
            assert chance + bots.chance_to_win(theirs, mine) == pytest.approx(1, rel=0, abs=1e-14)  # type: ignore[operator]
            if free:
                mine_free, other_free = (",".join(map(str, part)) for part in (free, their_free))
                told = duel_equilibrium(mine_free, other_free, str(lead), str(game.dice), game.slots, cache=tmp_path)
                assert chance == told.value


def test_chances_come_one_a_round_that_is_open_on_both_boards(bots: Bots) -> None:
    rolls = [6, 1, 5, 2]
    mine, theirs = (Board.replay(GAME, zip(rolls, slots, strict=True)) for slots in ((4, 1, 3, 2), (3, 1, 4, 2)))
    chances = bots.chances(mine, theirs)
    assert chances is not None
    assert len(chances) == 5
    assert chances[0] == pytest.approx(0.5, abs=1e-12)
    assert chances[-1] == 1.0
    for rounds in range(5):
        cut = Board(GAME, mine.placements[:rounds])
        assert bots.chances(cut, theirs) == chances[: rounds + 1]
        assert bots.chances(theirs, cut) == pytest.approx([1 - chance for chance in chances[: rounds + 1]], abs=1e-14)


# The chances against the perfect player.


def test_every_bot_has_chances_that_add_up() -> None:
    assert CHANCES.keys() == {str(Game.classic())}
    assert list(CLASSIC) == list(BOTS)
    for found in CLASSIC.values():
        assert found.win + found.draw + found.loss == pytest.approx(1, abs=1e-9)
        assert found.equity == found.win + found.draw / 2


@pytest.mark.parametrize(
    ("name", "part", "row"),
    [
        ("hunter", 0, r"\n\| "),
        ("nearest", 0, r"`nearest` \| "),
        ("random", 0, r"`random` \| "),
        ("equilibrium", 1, r"`optimal` \| "),  # from the other side
    ],
)
def test_they_are_those_of_the_proof(name: str, part: int, row: str) -> None:
    text = PAGE.read_text(encoding="utf-8").split("## What cannot be beaten?")[part]
    found = re.search(row + SHARES, text)
    assert found is not None
    ours = CLASSIC[name]
    shares = [ours.win, ours.draw, ours.loss]
    proved = [float(share) / 100 for share in found.groups()]
    assert (shares[::-1] if part else shares) == pytest.approx(proved, abs=6e-9)


def test_the_one_that_goes_for_a_score_as_duels_go() -> None:
    answer = duel_play("target:700", "optimal", games=100_000, seed=18).answer
    exact = CLASSIC["target:700"]
    assert abs(answer.win - exact.win) < 4 * answer.stderr.win
    assert abs(answer.draw - exact.draw) < 4 * answer.stderr.draw
    assert abs(answer.loss - exact.loss) < 4 * answer.stderr.loss
