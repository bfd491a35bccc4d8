"""What is asked before a picture is drawn."""

import sys
from pathlib import Path

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.pictures import require_matplotlib
from tests.support.command import clean_environment
from tests.support.process import finished


def test_without_matplotlib_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    require_matplotlib()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Ten18Error) as refusal:
        require_matplotlib()
    assert str(refusal.value) == "pictures need matplotlib: pip install 'tentimes18[plot]'"


@pytest.mark.parametrize("is_asked", [True, False])
def test_what_matplotlib_says_of_its_folder_reaches_nobody(tmp_path: Path, is_asked: bool) -> None:
    """It would, unless it is asked first: the second case is the proof that there is something to hear."""
    (tmp_path / "file").write_text("in the way")
    program = "from tentimes18.pictures import require_matplotlib\n" + "require_matplotlib()\n" * is_asked
    environment = clean_environment({"MPLCONFIGDIR": str(tmp_path / "file" / "matplotlib")})
    done = finished((sys.executable, "-c", f"{program}import matplotlib.font_manager"), env=environment)
    assert (done.returncode, done.stderr == b"") == (0, is_asked)
