"""Numbers from files of a user: samples of a value, and rates that change with time.

A file of samples has numbers with blanks, commas or line ends between them; or it is CSV with a line of names, of which
`FILE:NAME` says the column, and a single column, or one that is called `value`, need not be named. A file of rates is
CSV with two columns, the time from which on a rate holds, and the rate.
"""

import csv
from math import isfinite
from pathlib import Path

from tentimes18.errors import Ten18Error

MAX_BYTES = 200_000_000
USUAL = "value"


def read_samples(name: str) -> list[float]:
    path, column = Path(name), ""
    if not path.exists() and ":" in name:
        file, _, column = name.rpartition(":")
        path = Path(file)
    rows = _rows(path, "distribution")
    if not rows:
        raise Ten18Error("is empty; accepted: a file of numbers", "distribution", str(path))
    if all(_number(cell) is not None for cell in rows[0]):
        if column:
            problem = f"its first line has no names, so there is no column {column!r}"
            raise Ten18Error(problem, "distribution", str(path))
        return [_float(cell, path, line, "distribution") for line, row in enumerate(rows, start=1) for cell in row]
    names, *lines = rows
    heading = column or (names[0] if len(names) == 1 else USUAL)
    if heading not in names:
        raise Ten18Error(f"there is no column {heading!r}; it has {', '.join(names)[:100]}", "distribution", str(path))
    place = names.index(heading)
    cells = [row[place] if place < len(row) else "" for row in lines]
    return [_float(cell, path, line, "distribution") for line, cell in enumerate(cells, start=2)]


def read_rate(text: str) -> float | list[tuple[float, float]]:
    """A rate: a number, or a file with times and rates."""
    value = _number(text)
    if value is not None:
        return value
    path = Path(text)
    rows = _rows(path, "poisson")
    if rows and any(_number(cell) is None for cell in rows[0]):
        rows = rows[1:]
    table = []
    for line, row in enumerate(rows, start=1):
        if len(row) != 2:
            raise Ten18Error(f"row {line} has {len(row)} columns; accepted: two, time and rate", "poisson", text)
        table.append((_float(row[0], path, line, "poisson"), _float(row[1], path, line, "poisson")))
    if not table:
        raise Ten18Error("is empty; accepted: lines of a time and a rate", "poisson", text)
    return table


def _rows(path: Path, field: str) -> list[list[str]]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise Ten18Error(f"is larger than {MAX_BYTES // 10**6} MB", field, str(path))
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Ten18Error(f"cannot read this file: {error.strerror or error}", field, str(path)) from None
    except ValueError:  # bytes that are not text, or a bad file name
        raise Ten18Error("cannot read this file: it is not text", field, str(path)) from None
    try:
        split = [next(csv.reader([line]), []) if "," in text else line.split() for line in text.splitlines()]
    except csv.Error as error:
        raise Ten18Error(f"cannot read this file: {error}", field, str(path)) from None
    rows = [[cell.strip() for cell in row] for row in split]
    return [row for row in rows if any(row)]


def _number(text: str) -> float | None:
    try:
        return float(text) if text.strip().isascii() and "_" not in text else None
    except ValueError:
        return None


def _float(text: str, path: Path, line: int, field: str) -> float:
    value = _number(text)
    if value is None or not isfinite(value):
        raise Ten18Error(f"line {line} has {text[:40]!r}, which is no finite number", field, str(path))
    return value
