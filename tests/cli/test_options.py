"""Options that several commands share: whether the file that one names can be written."""

from pathlib import Path

import pytest
from tentimes18.cli.options import verify_output

from tentimes18.errors import Ten18Error


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("x.png", None),
        ("X.PNG", None),
        ("x.jpg", "cannot write 'x.jpg'; accepted endings: .png, .svg"),
        ("nowhere/x.png", "there is no folder"),
        ("folder.png", "is a folder; give a file"),
    ],
)
def test_output(tmp_path: Path, name: str, problem: str | None) -> None:
    (tmp_path / "folder.png").mkdir()
    if problem is None:
        verify_output(tmp_path / name, (".png", ".svg"), "save")
        return
    with pytest.raises(Ten18Error) as refused:
        verify_output(tmp_path / name, (".png", ".svg"), "save")
    assert refused.value.field == "save"
    assert problem in refused.value.problem
