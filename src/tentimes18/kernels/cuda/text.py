"""The text of a CUDA program: a file of this folder, with those that it includes in their places."""

import re
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["FOLDER", "program_text"]

FOLDER: Final = Path(__file__).parent
_INCLUDE = re.compile(r'^#include "([a-z_]+)\.cuh"\n', re.MULTILINE)


@cache
def program_text(name: str) -> str:
    """The text of a program by name, each file of it once: a compiler needs no folder, and its cache sees all of it.

    >>> "KERNEL(solve_pairs" in program_text("equilibrium"), '#include "' in program_text("equilibrium")
    (True, False)
    """
    found: set[str] = set()

    def whole(part: str) -> str:
        if part in found:
            return ""
        found.add(part)
        text = (FOLDER / f"{part}.cuh").read_text(encoding="utf-8").replace("#pragma once\n", "")
        return _INCLUDE.sub(lambda match: whole(match[1]), text)

    return whole(name)
