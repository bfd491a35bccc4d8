"""Files of samples and of rates: what is read, and what is rejected."""

from pathlib import Path

import pytest

from tentimes18.cli.number_files import read_rate, read_samples
from tentimes18.errors import Ten18Error


@pytest.mark.parametrize(
    ("text", "column", "numbers"),
    [
        ("1\n2.5\n\n-3e2\n", "", [1.0, 2.5, -300.0]),
        ("1 2 3", "", [1.0, 2.0, 3.0]),
        ("1, 2\n3,4\n", "", [1.0, 2.0, 3.0, 4.0]),
        ("severity\n1\n2\n", "", [1.0, 2.0]),
        ("time,value\n0,7\n1,8\n", "", [7.0, 8.0]),
        ("time,value\n0,7\n1,8\n", ":time", [0.0, 1.0]),
        ('\ufeff"a b",c\n1,2\n', ":a b", [1.0]),
    ],
)
def test_samples(tmp_path: Path, text: str, column: str, numbers: list[float]) -> None:
    file = tmp_path / "samples.csv"
    file.write_text(text, encoding="utf-8")
    assert read_samples(f"{file}{column}") == numbers


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", "", "empty"),
        ("1\nx\n", "", "line 2 has 'x'"),
        ("1\nnan\n", "", "finite"),
        ("a,b\n1,2\n", "", "no column 'value'; it has a, b"),
        ("a,b\n1\n", ":b", "line 2"),
        ("1,2\n", ":a", "no names"),
    ],
)
def test_bad_samples(tmp_path: Path, text: str, column: str, problem: str) -> None:
    file = tmp_path / "samples.csv"
    file.write_text(text)
    with pytest.raises(Ten18Error, match=problem) as found:
        read_samples(f"{file}{column}")
    assert found.value.field == "distribution"


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    for name in ("x", "none", "."):
        with pytest.raises(Ten18Error, match="cannot read this file"):
            read_samples(str(tmp_path / name))


def test_rates(tmp_path: Path) -> None:
    assert read_rate("3.5") == 3.5
    file = tmp_path / "rates.csv"
    file.write_text("hour,rate\n0,2\n8,10\n")
    assert read_rate(str(file)) == [(0.0, 2.0), (8.0, 10.0)]
    file.write_text("0 2\n8 10\n")
    assert read_rate(str(file)) == [(0.0, 2.0), (8.0, 10.0)]
    for text, problem in (("", "empty"), ("0,1,2\n", "3 columns"), ("0,1\n1,x\n", "line 2")):
        file.write_text(text)
        with pytest.raises(Ten18Error, match=problem) as found:
            read_rate(str(file))
        assert found.value.field == "poisson"
