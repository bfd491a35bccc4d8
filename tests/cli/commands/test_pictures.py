"""`ten18 plot` and `card`: the files they write, what they say of them, and what they reject."""

import os
import re
import sys
from pathlib import Path
from typing import Final

import pytest

from tentimes18.game import Game
from tentimes18.pictures.strategy_card import card_markdown, card_svg
from tentimes18.solve.thresholds import exact_thresholds
from tests.support.command import Result, Run, problems, read_json
from tests.support.process import finished
from tools.pictures import ASSIGNMENTS, FOLDER, GAME, LAWS, PICTURES, REVIEWS, make_pictures

SMALL: Final = ("--dice", "1d6", "--slots", "1-3")
START: Final = {
    ".png": b"\x89PNG\r\n\x1a\n",
    ".svg": b"<?xml",
    ".pdf": b"%PDF-",
}
COMMANDS: Final = {
    "thresholds": (),
    "first-move": (),
    "slots": (),
    "scores": ("--games", "1000"),
    "target": (),
    "front": (),
    "game": ("--moves", "6@3 2@1"),
}
EACH: Final = pytest.mark.parametrize("picture", COMMANDS)


@EACH
def test_pictures(run_here: Run, picture: str, tmp_path: Path) -> None:
    """They say where they are, and are the same every time."""
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    result = run_here("plot", picture, "--output", str(one), *COMMANDS[picture], *SMALL, "--json")
    assert read_json(result) == {"output": str(one)}
    result = run_here("plot", picture, "-o", str(other), *COMMANDS[picture], *SMALL)
    assert (result.code, result.err, result.out) == (0, "", f"Wrote {other}\n")
    assert one.read_bytes().startswith(START[".svg"])
    assert one.read_bytes() == other.read_bytes()
    assert sorted(tmp_path.iterdir()) == [one, other]


def test_a_picture_follows_its_options(run_here: Run, tmp_path: Path) -> None:
    """Without them: the picture of the docs."""
    path = tmp_path / "scores.svg"
    assert run_here("plot", "scores", "-o", str(path)).code == 0
    usual = path.read_bytes()
    for options in (["--seed", "18"], ["--games", "5"], ["--games", "0"], ["--strategies", "optimal, random"], SMALL):
        assert run_here("plot", "scores", "-o", str(path), *options).code == 0
        assert path.read_bytes() != usual
    assert set(COMMANDS) <= set(PICTURES)


def test_names_that_are_no_text(run: Run, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.svg"
    for option in ([], ["--json"]):
        result = run("plot", "first-move", "-o", path, *option)
        assert (result.code, result.err) == (0, "")
        assert ".svg" in result.out
        assert Path(os.fsdecode(path)).stat().st_size > 10_000


@pytest.mark.parametrize("group", ["plot", "export"])
def test_a_group_alone_shows_its_commands(run_here: Run, group: str) -> None:
    result = run_here(group)
    assert (result.code, result.err) == (0, "")
    assert all(name in result.out for name in (COMMANDS if group == "plot" else ["prism"]))


@EACH
def test_files_are_checked_before_any_work(run_here: Run, picture: str, tmp_path: Path) -> None:
    """Here for a game that is rejected as well."""
    arguments = ("plot", picture, *COMMANDS[picture], "--slots", "nonsense")
    assert problems(run_here(*arguments, "--output", str(tmp_path / "x.jpg")), "--output", ".png, .svg, .pdf") == []
    assert problems(run_here(*arguments), "--output") == []
    assert not list(tmp_path.iterdir())


def test_without_matplotlib(tmp_path: Path) -> None:
    """One line, and what needs no pictures works."""
    script = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv[0] = 'ten18'; from tentimes18.cli import main; main()"
    )

    def run_without(*arguments: str) -> Result:
        done = finished((sys.executable, "-c", script, *arguments))
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    for picture, more in COMMANDS.items():
        result = run_without("plot", picture, "-o", str(tmp_path / "x.png"), *more)
        assert problems(result, "pip install 'tentimes18[plot]'") == []
    assert problems(run_without("card", "-o", str(tmp_path / "x.pdf")), "pip install 'tentimes18[plot]'") == []
    assert run_without("card", "-o", str(tmp_path / "x.html")).code == 0
    assert run_without("card").out == card_markdown(Game.classic())


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d3", "1-4"), ("2d12:12=2", "7/2,1,5"), ("3d6", "7")])
def test_card_for_programs(run_here: Run, dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    card = read_json(run_here("card", "--dice", dice, "--slots", slots, "--json"))
    assert set(card) == {"dice", "slots", "expected", "rows"}
    assert (card["dice"], card["slots"]) == (str(game.dice), [float(multiplier) for multiplier in game.multipliers])
    rows = exact_thresholds(game.dice, game.size)
    assert card["expected"] == {
        "random": pytest.approx(float(game.dice.mean * sum(game.multipliers))),
        "optimal": float(rows[-1].value(game.multipliers)),
    }
    assert [row["free"] for row in card["rows"]] == list(range(game.size, 1, -1))
    for row in card["rows"]:
        ranks = {roll: band["rank"] for band in row["bands"] for roll in band["rolls"]}
        assert ranks == {roll: rows[row["free"] - 2].rank(roll) for roll in game.dice.support}
        tied = {band["rolls"][-1] for band in row["bands"] if band["tied"]}
        assert tied == {roll for roll in game.dice.support if roll in rows[row["free"] - 2]}


@pytest.mark.parametrize("ending", [".md", ".html", ".svg", ".pdf"])
def test_card_in_a_file(run_here: Run, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"card{ending}"
    assert read_json(run_here("card", "--output", str(path), "--json")) == {"output": str(path)}
    assert list(tmp_path.iterdir()) == [path]
    content = path.read_bytes()
    if ending == ".svg":
        assert content.decode() == card_svg(Game.classic())
    assert len(content) > 1000
    assert run_here("card", "-o", str(path)).out == f"Wrote {path}\n"
    assert path.read_bytes() == content


@pytest.mark.slow
def test_pictures_of_the_docs(tmp_path: Path) -> None:
    """All that README and docs show is made, small enough to be read online; the moves are those of the picture."""
    make_pictures(tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    assert {Path(name).stem for name in made} == {*PICTURES, *LAWS, *ASSIGNMENTS, *REVIEWS, "card", "play"}
    assert "11 goes to slot 7" in (tmp_path / "play.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    assert all(path.stat().st_size < 200_000 for path in tmp_path.glob("*.png"))
    assert made <= {path.name for path in FOLDER.iterdir()}
    assert re.fullmatch(r"8@5 4@1( \d+@\d+){8}", GAME)
