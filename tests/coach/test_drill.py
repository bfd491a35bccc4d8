"""The drill: which positions are asked, how they are graded, and when they come back."""

import json
import sys
from datetime import date, timedelta
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Board, Game, IllegalMove
from tentimes18.coach.drill import (
    REPEAT_AFTER,
    RESTS,
    Answer,
    Drill,
    Question,
    Schedule,
    Source,
    close_calls,
    key_of,
    past_errors,
)
from tentimes18.coach.losses import CLASSES
from tentimes18.coach.review import review
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.records.notation import Record, parse_record
from tests.oracle.play import best_slots, move_values
from tests.support.command import clean_environment
from tests.support.games import games, law_of
from tests.support.played import played
from tests.support.process import finished

TODAY = date(2026, 11, 15)
CLASSIC = Game.classic()


def wrong_slot(question: Question) -> int:
    return question.advice.moves[-1].slot


def drilled(folder: Path, rights: str, day: int = 0, **options: Any) -> Drill:
    """A drill answered so: r right, w wrong, h right with a hint."""
    drill = Drill(CLASSIC, len(rights), folder=folder, today=TODAY + timedelta(days=day), **options)
    for letter in rights:
        question = drill.question()
        assert question is not None
        slot = wrong_slot(question) if letter == "w" else question.advice.best
        drill.answer(question, slot, is_hinted=letter == "h")
    assert drill.question() is None
    return drill


def losses(question: Question) -> list[Fraction]:
    """What every slot that is not best gives up, by the oracle, the least first."""
    board, roll = question.record.board, question.record.roll
    assert roll is not None
    values = move_values(law_of(board.game.dice), board.game.multipliers, frozenset(board.free_slots), roll)
    return sorted(max(values.values()) - value for value in values.values() if value != max(values.values()))


def asked(drill: Drill) -> list[tuple[Game, int, int]]:
    return [answer.question.key for answer in drill.answers]


def test_close_calls_are_close_and_no_ties() -> None:
    found = list(islice(close_calls(CLASSIC, Random(1)), 80))
    assert len({question.key for question in found}) == 80
    for question in found:
        assert question.source is Source.close
        assert Fraction("0.05") < losses(question)[0] < 3
    sizes = {question.record.board.free.bit_count() for question in found}
    assert sizes >= set(range(2, 11)), "early and late in the game"
    assert [question.key for question in islice(close_calls(CLASSIC, Random(1)), 5)] == [
        question.key for question in found[:5]
    ]
    assert [question.key for question in islice(close_calls(CLASSIC, Random(2)), 5)] != [
        question.key for question in found[:5]
    ]


@settings(max_examples=10)
@given(games(max_slots=3, max_rolls=3))
def test_small_games_are_asked_to_the_end(game: Game) -> None:
    """No question comes twice, and every question has a choice; every choice is a question."""
    found = list(close_calls(game, Random(3)))
    assert len({question.key for question in found}) == len(found)
    assert all(losses(question) for question in found)
    is_choice = any(
        len(best_slots(law_of(game.dice), game.multipliers, frozenset(range(1, game.size + 1)), roll)) < game.size
        for roll in game.dice.support
    )
    assert bool(found) or not is_choice


def test_answers_are_graded(tmp_path: Path) -> None:
    drill = Drill(CLASSIC, 2, seed=1, folder=tmp_path, today=TODAY)
    first = drill.question()
    assert first is not None
    with pytest.raises(IllegalMove):
        drill.answer(first, first.record.board.placements[0].slot)
    answer = drill.answer(first, wrong_slot(first))
    assert (answer.loss, answer.is_right) == (losses(first)[-1], False)
    second = drill.question()
    assert second is not None
    assert drill.answer(second, second.advice.best).is_right
    assert drill.question() is None
    assert (drill.right, drill.mean_loss) == (1, answer.loss / 2)
    assert Drill(CLASSIC, 2, folder=tmp_path, today=TODAY).mean_loss is None


def test_what_is_wrong_comes_back_soon_and_the_next_time(tmp_path: Path) -> None:
    first = drilled(tmp_path, "wrrrrrrr", seed=1)
    keys = asked(first)
    assert keys.index(keys[0], 1) == REPEAT_AFTER
    assert len(set(keys)) == len(keys) - 1
    assert [answer.question.is_back for answer in first.answers] == [False] * 4 + [True] + [False] * 3
    assert [position.box for position in first.coming_back()] == [1], "to answer it at once is not to know it"
    second = drilled(tmp_path, "rr", seed=2)
    assert asked(second)[0] == keys[0]
    assert second.answers[0].question.is_back
    assert [(position.box, position.due) for position in second.coming_back()] == [(2, TODAY + timedelta(days=1))]
    assert keys[0] not in asked(drilled(tmp_path, "r", seed=3)), "it rests until tomorrow"
    assert asked(drilled(tmp_path, "r", day=1, seed=3)) == [keys[0]]


def test_a_right_answer_rests_longer_and_longer(tmp_path: Path) -> None:
    [key] = asked(drilled(tmp_path, "w", seed=1))
    day, days = 0, []
    for _ in range(8):
        drill = drilled(tmp_path, "r", day=day, seed=1)
        assert asked(drill) == [key]
        [position] = drill.coming_back()
        days.append((position.due - drill.today).days)
        day += days[-1]
        if days[-1]:
            assert key not in asked(drilled(tmp_path, "r", day=day - 1, seed=1))
    assert days == [1, 3, 7, 21, 60, 60, 60, 60] == [*RESTS[1:], 60, 60, 60]
    drilled(tmp_path, "w", day=day, seed=1)
    assert [position.box for position in Schedule(tmp_path).positions()] == [1]


def test_errors_that_are_known_rest(tmp_path: Path) -> None:
    past = list(past_errors(CLASSIC, played(CLASSIC, 3, seed=6)))
    errors = {question.key for question in past}
    first = drilled(tmp_path, "rrrr", seed=1, source=Source.history, errors=past)
    assert set(asked(first)) <= errors
    assert {position.box for position in first.coming_back()} == {2}
    assert not set(asked(drilled(tmp_path, "rr", seed=1, source=Source.history, errors=past))) & set(asked(first))


def test_sources(tmp_path: Path) -> None:
    past = list(past_errors(CLASSIC, played(CLASSIC, 5, seed=7)))
    for source in (Source.close, Source.history):
        drill = drilled(tmp_path, "wr", seed=1, source=source, errors=past)
        assert {answer.question.source for answer in drill.answers} == {source}
    for source in (Source.close, Source.history):  # what comes back is of the source that is asked for
        drill = drilled(tmp_path, "r", seed=1, source=source, errors=past)
        assert [(answer.question.source, answer.question.is_back) for answer in drill.answers] == [(source, True)]
    mixed = drilled(tmp_path, "rrrrrr", seed=2, errors=past)
    assert [answer.question.source for answer in mixed.answers].count(Source.history) == 3


def test_only_positions_of_this_game_come_back(tmp_path: Path) -> None:
    drilled(tmp_path, "ww", seed=1)
    other = Drill(Game.parse("1d6", "1-4"), 1, folder=tmp_path, today=TODAY)
    question = other.question()
    assert question is not None
    assert not question.is_back
    assert other.coming_back() == []
    other.answer(question, wrong_slot(question))
    assert len(other.coming_back()) == 1
    assert len(Schedule(tmp_path).positions()) == 3


def test_a_game_with_few_positions(tmp_path: Path) -> None:
    """When nothing else is left, what was wrong comes at once."""
    drill = Drill(Game.parse("d{0,1}", "0,1"), 10, folder=tmp_path, today=TODAY)
    asked_keys = []
    while question := drill.question():
        asked_keys.append(question.key)
        drill.answer(question, wrong_slot(question) if len(asked_keys) < 5 else question.advice.best)
    assert len(set(asked_keys)) == 2
    assert 5 < len(asked_keys) < 10


def test_two_windows_at_once(tmp_path: Path) -> None:
    """Each answer is added to what the file contains at that moment."""
    one, other = (Drill(CLASSIC, 3, seed=seed, folder=tmp_path, today=TODAY) for seed in (1, 2))
    questions = [(drill, drill.question()) for drill in (one, other, one, other)]
    for drill, question in questions:
        assert question is not None
        drill.answer(question, wrong_slot(question))
    assert {key_of(position.record) for position in Schedule(tmp_path).positions()} == {*asked(one), *asked(other)}
    assert len(Schedule(tmp_path).positions()) == 4


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    drill = Drill(CLASSIC, 3, seed=1, folder=tmp_path, today=TODAY)
    question = drill.question()
    assert question is not None
    monkeypatch.setattr("tentimes18.coach.drill.write_whole", fail)
    answer: Answer = drill.answer(question, wrong_slot(question))
    assert answer.scheduled is None
    assert drill.trouble == f"No space left on device: {drill.schedule.path}"
    monkeypatch.undo()
    question = drill.question()
    assert question is not None
    drill.answer(question, wrong_slot(question))
    assert drill.trouble is None
    assert len(drill.answers) == 2


LIGHT = """
import sys
from pathlib import Path
from tentimes18.coach.drill import LOOK_AHEAD, REPEAT_AFTER, Answer, Drill, Question, close_calls
from tentimes18.game import Game
drill = Drill(Game.classic(), 3, seed=1, folder=Path(sys.argv[1]))
while question := drill.question():
    drill.answer(question, question.advice.moves[-1].slot)
print(len(drill.answers), sorted({name.split(".")[0] for name in sys.modules} & {"numpy", "numba"}))
"""


def test_close_calls_need_nothing_heavy(tmp_path: Path) -> None:
    done = finished((sys.executable, "-c", LIGHT, str(tmp_path)), env=clean_environment({}))
    assert (done.returncode, done.stdout) == (0, b"3 []\n")


@settings(max_examples=10)
@given(games(max_slots=3, max_rolls=3), st.integers(1, 12))
def test_the_total_is_known_from_the_first_question(game: Game, count: int) -> None:
    """Where all is answered rightly, as many questions are asked as were announced at every one of them."""
    with TemporaryDirectory() as folder:
        drill = Drill(game, count, seed=3, folder=Path(folder), today=TODAY)
        totals = [drill.total]
        while (question := drill.question()) is not None:
            totals.append(drill.total)
            drill.answer(question, question.advice.best)
    assert set(totals) == {len(drill.answers)} == {min(count, len(list(close_calls(game, Random("drill 3")))))}


def test_the_total_grows_with_what_comes_back(tmp_path: Path) -> None:
    drill = Drill(Game.parse("1d3", "1,2"), 3, folder=tmp_path, today=TODAY)
    question = drill.question()
    assert question is not None
    assert drill.total == 2
    drill.answer(question, wrong_slot(question))
    assert drill.total == 3
    while (question := drill.question()) is not None:
        drill.answer(question, wrong_slot(question))
    assert len(drill.answers) == drill.total == 3, "no more than are wanted"


def test_errors_are_those_of_the_reviews() -> None:
    records = played(CLASSIC, 30, seed=5)
    others = [parse_record("1d6 1-3: 6@1 1@3 1@2"), parse_record("18@1 3@10; aim=target:700")]
    expected = []
    for record in reversed(records):
        for place, move in enumerate(review(record).moves):
            key = key_of(Record(Board(CLASSIC, record.board.placements[:place]), move.roll))
            if move.move_class in CLASSES[3:] and key not in expected:
                expected.append(key)
    found = list(past_errors(CLASSIC, [*records, *others]))
    assert [question.key for question in found] == expected
    assert len(expected) > 20
    assert all(question.source is Source.history and losses(question)[-1] >= 1 for question in found)
    small = Game.parse("1d6", "1-3")
    assert [question.key[1:] for question in past_errors(small, [*records, *others])] == [(7, 6), (6, 1)]
    assert list(past_errors(Game.parse("1d8", "1-3"), records)) == []


def test_the_file_keeps_its_form(tmp_path: Path) -> None:
    """Files of earlier versions are read, and what is written is read by them."""
    content = (
        '{"version": 1, "cards": [\n'
        '{"position": "3d6 1-10: 8@5 9@?", "source": "close", "box": 1, "due": "2026-11-15"},\n'
        '{"position": "1d6 1-3: 6@?", "source": "history", "box": 2, "due": "2026-11-16"}\n'
        "]}\n"
    )
    schedule = Schedule(tmp_path)
    schedule.move(parse_record("3d6 1-10: 8@5 9@?"), Source.close, False, TODAY)
    schedule.move(parse_record("1d6 1-3: 6@?"), Source.history, True, TODAY)
    assert (tmp_path / "drill.json").read_text(encoding="utf-8") == content
    schedule.move(parse_record("1d6-3 -2,1/3,5: -2@1 3@?"), Source.close, False, TODAY - timedelta(days=2))
    assert [position.record.board.rounds for position in Schedule(tmp_path).positions()] == [1, 1, 0]
    assert [position.box for position in Schedule(tmp_path).positions()] == [1, 1, 2], "the first to come back first"
    with pytest.raises(InvalidGame, match="roll"):
        schedule.move(parse_record("8@5"), Source.close, True, TODAY)


def test_the_docs_say_how_long_a_position_rests() -> None:
    *days, longest = RESTS[1:]
    text = " ".join((Path(__file__).parents[2] / "docs" / "play" / "terminal.md").read_text(encoding="utf-8").split())
    assert f"rests for {', '.join(map(str, days))} and then {longest} days" in text


def file_text(**changes: Any) -> str:
    row = {"position": "3d6 1-10: 8@5 9@?", "source": "close", "box": 1, "due": "2026-11-15"} | changes
    return json.dumps({"version": 1, "cards": [row]})


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "7", "null", '{"version": 1}', '{"version": 2, "cards": []}', '{"cards": []}', "\ud800"),
        *('{"version": 1, "cards": [7]}', '{"version": 1, "cards": 7}', '{"version": 1, "cards": [{}]}', "[" * 100_000),
        *(file_text(box=0), file_text(box=7), file_text(box="1"), file_text(box=True), file_text(due="soon")),
        *(file_text(due=7), file_text(source="dreams"), file_text(position="8@5"), file_text(position="x"), "\0" * 9),
        *(file_text(position=7), file_text(position=None)),
    ],
    ids=lambda content: ascii(content)[:24],
)
def test_a_damaged_file_is_left_alone(tmp_path: Path, content: str) -> None:
    path = Schedule(tmp_path).path
    written = content.encode("utf-8", "surrogatepass")
    path.write_bytes(written)
    with pytest.raises(Ten18Error, match=r"drill\.json cannot be read") as refused:
        Schedule(tmp_path).positions()
    assert len(str(refused.value).splitlines()) == 1
    assert not any(
        word in str(refused.value) for word in ("NoneType", "indices", "subscript", "isoformat", "('cards')")
    )
    assert path.read_bytes() == written
