"""Strategies of a user's own, in a file."""

from pathlib import Path

import pytest

MINE = """
from tentimes18.game import slots_of

def highest(board, roll):
    return board.free.bit_length()

def third(board, roll):
    return 3

def none(board, roll):
    pass

def text(board, roll):
    return "5"

def breaks(board, roll):
    return [1, 2, 3][roll]

def long(board, roll):
    raise ValueError("line one\\nline two " + "x" * 10_000)

number = 5
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file
