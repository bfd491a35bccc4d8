"""Strategies of a user's own, in a file."""

from pathlib import Path

import pytest

from tests.support.user_code import MINE


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file
