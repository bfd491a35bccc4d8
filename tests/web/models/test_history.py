"""Questions about own games: strict, and small."""

import pytest
from pydantic import ValidationError

from tentimes18.server.models.history import ExportQuery, HistoryQuery, ScoreBinModel, ScoresQuery


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        (HistoryQuery, {"limit": 0}),
        (HistoryQuery, {"limit": 201}),
        (HistoryQuery, {"kind": "blitz"}),
        (HistoryQuery, {"before": "7"}),
        (HistoryQuery, {"after": "x"}),
        (ExportQuery, {"source": "theirs"}),
        (ExportQuery, {"limit": 0}),
        (ScoresQuery, {"width": 4}),
        (ScoresQuery, {"width": 101}),
    ],
)
def test_what_is_refused(model: type[HistoryQuery | ExportQuery | ScoresQuery], asked: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(asked)


def test_a_bin_says_from_and_to() -> None:
    found = ScoreBinModel(first=600, end=620, count=2, law=0.25)
    assert found.model_dump_json() == '{"from":600,"to":620,"count":2,"law":0.25}'
