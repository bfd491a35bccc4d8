"""The name of a kind of games, and what has to be said of it."""

import pytest

from tentimes18.coach.summary import measured_kinds
from tentimes18.records.formats import Line
from tentimes18.records.notation import parse_record
from tentimes18.wording import kind_name, kind_notes

DUEL = "1d6 1-3: 4@1; opponent=4@2"


@pytest.mark.parametrize(
    ("tags", "name", "notes"),
    [
        ("", "1d6, slots 1-3", []),
        ("; aim=mean", "1d6, slots 1-3", []),
        ("; aim=duel:nearest", "1d6, slots 1-3, for duel:nearest", []),
        ("; aim=fame", "1d6, slots 1-3, for fame", ["Played for fame, measured by the expected final score."]),
        ("; takebacks=1", "1d6, slots 1-3, practice", ["Moves were taken back"]),
        ("; takebacks=1; aim=x", "1d6, slots 1-3, for x, practice", ["Played for x", "Moves were taken back"]),
    ],
)
def test_kinds(tags: str, name: str, notes: list[str]) -> None:
    (games,), _ = measured_kinds([Line(1, parse_record(DUEL + tags))])
    assert kind_name(games) == name
    told = kind_notes(games)
    assert len(told) == len(notes)
    assert all(text.startswith(note) for text, note in zip(told, notes, strict=True))


def test_a_given_aim_needs_no_excuse() -> None:
    (games,), _ = measured_kinds([Line(1, parse_record(f"{DUEL}; aim=fame"))], "mean")
    assert kind_notes(games) == []
