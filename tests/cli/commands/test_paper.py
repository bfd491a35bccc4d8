"""`ten18 paper`: the JSON that programs read, and a text with every section of the paper."""

import json

import pytest

from tentimes18.paper.sections import check_paper
from tests.support.command import Run

SECTIONS = [
    *["1 Introduction", "Fig. 1", "Table 1", "2 Preliminaries", "3 Why is this complicated?", "4 Dynamic Programming"],
    *["Table 2", "5 Playing the game", "Table 3", "6 Polynomial time and space", "Table 4", "7 Knowing the future"],
    *["Table 5", "8 Implementations and simulations", "9 Variants", "Table 6", "Table 7"],
]


def test_json(run_here: Run) -> None:
    result = run_here("paper", "--json")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("\n") == 1
    found = json.loads(result.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert list(found) == ["checks", "agree", "explained", "differ"]
    rows = found["checks"]
    for row in rows:
        assert list(row) == ["where", "printed", "computed", "agrees", "note"]
        assert [type(row[name]) for name in ("where", "printed", "agrees", "note")] == [str, str, bool, str]
        assert type(row["computed"]) in (int, float, str)
    assert found["agree"] == sum(row["agrees"] for row in rows)
    assert found["explained"] == sum(not row["agrees"] and bool(row["note"]) for row in rows)
    assert found["differ"] == 0
    assert found["agree"] + found["explained"] == len(rows)
    wanted = [(f"{check.where}: {check.item}", check.printed, check.computed) for check in check_paper()]
    assert [(row["where"], row["printed"], row["computed"]) for row in rows] == wanted


def test_text(run_here: Run) -> None:
    result = run_here("paper")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    for section in SECTIONS:
        assert section in lines
    positions = [lines.index(section) for section in SECTIONS]
    assert positions[0] < positions[3] < positions[-1]
    checks = check_paper()
    agree = sum(check.agrees for check in checks)
    assert lines[-1].startswith(f"{agree} agree, {len(checks) - agree} are misprints")
    assert lines[-1].endswith("0 differ.")
    assert not any(line.startswith(" !") for line in lines)
    text = " ".join(result.out.split())
    assert "…" not in text
    words = set(text.split())
    for check in checks:  # a note may be wrapped; nothing is cut
        assert set(check.printed.split()) <= words
        assert set(check.note.split()) <= words
