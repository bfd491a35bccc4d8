"""What was found, kept class by class: the table takes an hour, and one class of it can be run again alone."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tools.torture.yard import Row

__all__ = ["FOLDER", "keep", "kept_rows"]

FOLDER: Final = Path(__file__).resolve().parents[2] / ".torture"


def keep(name: str, rows: Sequence[Row], folder: Path = FOLDER) -> None:
    """Keep what a class has found, instead of what it found before."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")


def kept_rows(names: Iterable[str], folder: Path = FOLDER) -> list[Row]:
    """The rows of these classes in their order; of one that was not run yet a row that says so."""
    rows = []
    for name in names:
        path = folder / f"{name}.json"
        if not path.exists():
            rows.append(Row(name, "whole", "not run", ("not run on this machine",)))
            continue
        for found in json.loads(path.read_text(encoding="utf-8")):
            rows.append(Row(**found | {"wrong": tuple(found["wrong"])}))
    return rows
