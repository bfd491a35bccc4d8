"""What the pages say about the duel is what docs/duel.md says."""

import json

import pytest

from tools import duel_facts
from tools.duel_facts import SOURCE, WRITTEN


def test_the_file_of_the_app_is_made_from_the_document() -> None:
    facts = duel_facts.duel_facts(SOURCE.read_text(encoding="utf-8"))
    assert json.loads(WRITTEN.read_text(encoding="utf-8")) == facts
    assert [fact["name"] for fact in facts["against_optimal"]] == ["hunter", "nearest", "bands", "greedy", "random"]
    assert "optimal" in [fact["name"] for fact in facts["against_equilibrium"]]
    for fact in facts["against_optimal"] + facts["against_equilibrium"]:
        assert fact["win"] + fact["draw"] + fact["loss"] == pytest.approx(1, abs=1e-7)


def test_a_document_without_the_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="how many games"):
        duel_facts.duel_facts("nothing\n## What cannot be beaten?\nnothing")
