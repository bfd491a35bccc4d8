"""What is asked before a picture is drawn."""

import sys

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.show.pictures import require_matplotlib


def test_without_matplotlib_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    require_matplotlib()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Ten18Error) as refusal:
        require_matplotlib()
    assert str(refusal.value) == "pictures need matplotlib: pip install 'tentimes18[plot]'"
