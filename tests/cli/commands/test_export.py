"""`ten18 export`: the models it writes, and what it rejects."""

from pathlib import Path
from typing import Final

from tentimes18.game import Game
from tentimes18.solve.prism_model import PROPERTY, prism_model
from tests.support.command import Run, read_json

SMALL: Final = ("--dice", "1d6", "--slots", "1-3")


def test_export_to_prism(run_here: Run, tmp_path: Path) -> None:
    model = prism_model(Game.classic()) + "\n"
    assert run_here("export", "prism").out == model
    assert read_json(run_here("export", "prism", "--json")) == {"model": model, "property": PROPERTY}
    for name in ("game.prism", "game.nm"):
        path = tmp_path / name
        assert read_json(run_here("export", "prism", "-o", str(path), "--json")) == {"output": str(path)}
        assert path.read_text() == model
    assert run_here("export", "prism", *SMALL).out == prism_model(Game.parse("1d6", "1-3")) + "\n"


def test_the_pages_are_written_as_plain_files(run_here: Run, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    told = read_json(run_here("export", "page", str(folder), "--json"))
    assert told["pages"] == ["play", "review", "drill", "lab", "about"]
    assert told["files"] == sum(path.is_file() for path in folder.rglob("*"))
    again = run_here("export", "page", str(folder))
    assert again.out.startswith(f"Wrote {folder}: {told['files']} files, ")


def test_a_folder_of_somebody_elses_is_rejected(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    done = run_here("export", "page", str(tmp_path))
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "is not empty; accepted: a new or empty folder, or one that was written so before" in done.err
