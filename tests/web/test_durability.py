"""Every acknowledged move is stored once: after kill -9, after a cut log, and when it is sent many times at once."""

import pytest

from tests.support.process import default_signals
from tools.torture.__main__ import CLASSES
from tools.torture.setup import set_up


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kills", "power", "races", "disk"])
def test_nothing_acknowledged_is_lost_or_doubled(name: str) -> None:
    default_signals()
    with set_up(is_short=True, seed=18) as setup:
        assert [row.wrong for row in CLASSES[name](setup) if row.wrong] == []
