"""Every query: its result is of the type that it declares, and JSON holds all of it."""

import json
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import msgspec
import pytest

from tentimes18.queries import LAB, QUERIES, to_json
from tentimes18.queries.duels import duel_export

SMALL = {"dice": "1d6", "slots": "1-3"}
DUELS = {**SMALL, "games": 200}
ASKED: dict[str, list[dict[str, Any]]] = {
    "advise": [
        {"roll": 5, **SMALL},
        {"roll": 5, "aim": "duel", "moves": "", **SMALL},
        {"roll": 5, "target": "9", **SMALL},
    ],
    "solve": [SMALL, {"exact": True, **SMALL}, {"digits": 5, **SMALL}],
    "closest": [SMALL],
    "gap": [{"most": 30}, {"distribution": "uniform(0, 1)", "most": 30}],
    "rules": [{"numbers": 2, **SMALL}],
    "strategies": [{}],
    "distribution": [
        {"cumulative": True, "at_least": "9", **SMALL},
        {"strategy": "optimal,random", **SMALL},
        {"moments": True, **SMALL},
        {"moments": True, "strategy": "optimal,random", **SMALL},
        {"per_slot": True, **SMALL},
    ],
    "dice": [{"dice": ["2d6", "1d4"]}],
    "target": [{"target": "20", **SMALL}],
    "aim": [{"aim": "target:20", **SMALL}],
    "front": [SMALL],
    "drill": [{"count": 2, **SMALL}],
    "review": [{"record": {"dice": "1d6", "slots": "1,2", "moves": "5@1 4@2", "name": "Ada"}}],
    "duel_response": [
        SMALL,
        {"to": "equilibrium", **SMALL},
        {"rolls": "own", **SMALL},
        {"with_": "greedy", "free": "1,2", "opponent_free": "1,3", "lead": "5", **SMALL},
    ],
    "duel_equilibrium": [SMALL, {"rolls": "own", **SMALL}],
    "duel_guarantee": [SMALL, {"exact": True, **SMALL}],
    "duel_export": [{"file": Path("table.npy"), **SMALL}],
    "duel_check": [{"file": Path("table.npy")}],
    "duel_cycle": [SMALL],
    "simulate": [DUELS, {"dice": "1d6", "slots": "1/2,1", "games": 10}],
    "duel_play": [{"first": "optimal", "second": "random", **DUELS}],
    "tournament": [{"strategies": "optimal,hunter,random", **DUELS}],
    "rollout": [
        {"roll": 4, **DUELS},
        {"roll": 4, "target": "20", **DUELS},
        {"roll": 4, "against": "greedy", **DUELS},
        {"target": "20", **DUELS},
        {"against": "greedy", **DUELS},
    ],
    "table": [{"strategies": ["optimal,nearest", "greedy"], "response": True, **DUELS}],
    "assign": [
        {"distribution": "3d6", "slots": "1-3", "arrivals": "4", "prices": True, "filled": True},
        {"distribution": "uniform(0, 1)", "slots": "2", "arrivals": "4", "value": "0.5", "games": 100},
        {"secretary": "best", "arrivals": "10"},
        {"multisecretary": True, "distribution": "3d6", "arrivals": "5"},
    ],
    "paper": [],
    "card": [SMALL],
    "prism": [SMALL],
    "cached": [{}],
    "clear_cache": [{"dice": "1d99"}],
}


@pytest.mark.parametrize("name", QUERIES)
def test_results_are_of_the_declared_type(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = QUERIES[name]
    monkeypatch.chdir(tmp_path)
    if name == "duel_check":
        duel_export(Path("table.npy"), dice="1d6", slots="1-3")
    assert query.name == name
    assert query.doc
    results = get_args(query.result) if isinstance(query.result, UnionType) else (query.result,)
    for arguments in ASKED[name]:
        text = to_json(query(**arguments))
        read = []
        for result in results:
            try:
                read.append(msgspec.json.decode(text, type=result, dec_hook=lambda kind, value: kind(value)))
            except msgspec.ValidationError:
                continue
        assert any(json.loads(to_json(result)) == json.loads(text) for result in read), arguments


@pytest.mark.parametrize("name", QUERIES)
def test_parameters(name: str) -> None:
    """All are documented, but for those that the program fills in."""
    query = QUERIES[name]
    assert query.internal <= {"find", "find_known", "progress", "read_rate", "read_samples", "stage", "tell"}
    for parameter in query.parameters:
        assert parameter.doc.text.endswith("."), parameter


def test_the_lab_has_queries_without_side_effects() -> None:
    for name in LAB:
        assert {parameter.name for parameter in QUERIES[name].parameters}.isdisjoint(
            {"save", "cache", "cluster", "device", "file"}
        )
    assert [name for name in LAB if QUERIES[name].takes_record] == ["review"]
