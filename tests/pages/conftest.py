"""Page tests ask a service whose days are the real ones."""

import time

import pytest

DAY = 86_400
LONGEST_TEST = 90.0  # seconds


@pytest.fixture(autouse=True)
def same_day() -> None:
    """No test begins so late that a new day (UTC) would begin before it ends."""
    left = DAY - time.time() % DAY
    if left < LONGEST_TEST:
        time.sleep(left)
