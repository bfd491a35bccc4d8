"""The answers as pydantic takes them: the same keys and types, and what is really answered is one of them."""

import json
import pkgutil
from importlib import import_module
from typing import Any, Literal, NotRequired, TypedDict, is_typeddict

import pytest
from pydantic import TypeAdapter, ValidationError

import tentimes18.answers
from tentimes18.answers.advice import AdviceAnswer
from tentimes18.answers.distribution import DistributionAnswer
from tentimes18.answers.review import OneReviewAnswer
from tentimes18.answers.solution import SolutionAnswer
from tentimes18.answers.targets import TargetAnswer
from tentimes18.plan import Limits
from tentimes18.server.calculator.game_questions import review_game
from tentimes18.server.calculator.lab_questions import LAB_QUESTIONS
from tentimes18.server.calculator.process import answer_bytes
from tentimes18.server.models.answers import answer_model, documented_answers

ANSWERS = [
    answer
    for module in pkgutil.iter_modules(tentimes18.answers.__path__)
    for answer in vars(import_module(f"tentimes18.answers.{module.name}")).values()
    if is_typeddict(answer) and answer.__module__.endswith(module.name)
]
LIMITS = Limits(1e9, 10)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_every_answer_has_a_model_with_its_keys(answer: Any) -> None:
    model = answer_model(answer)
    schema = TypeAdapter(model).json_schema()
    properties = schema if "properties" in schema else schema["$defs"][answer.__name__]
    assert properties["properties"].keys() == answer.__annotations__.keys()
    assert set(properties.get("required", [])) == answer.__required_keys__
    assert model.__doc__ == answer.__doc__
    assert answer_model(answer) is model  # made once, so that the reference has it once


@pytest.mark.parametrize(
    ("answer", "question", "data"),
    [
        (SolutionAnswer, "solve", {"exact": True}),
        (AdviceAnswer, "advise", {"roll": 9, "moves": "8@5", "target": "700"}),
        (DistributionAnswer, "distribution", {"at_least": "700", "cumulative": True}),
        (TargetAnswer, "target", {"target": "30", "slots": "1-3"}),
    ],
)
def test_what_is_answered_is_one(answer: Any, question: str, data: dict[str, Any]) -> None:
    found = json.loads(answer_bytes(LAB_QUESTIONS[question](LIMITS, **data)))
    TypeAdapter(answer_model(answer)).validate_python(found)


def test_a_review_is_one() -> None:
    found = json.loads(answer_bytes(review_game(LIMITS, record={"dice": "1d6", "slots": "1,2", "moves": "5@1 4@2"})))
    TypeAdapter(answer_model(OneReviewAnswer)).validate_python(found)


def test_whatever_an_answer_may_be_made_of() -> None:
    class Inner(TypedDict):
        number: int

    class Outer(TypedDict):
        kind: Literal["a", "b"]
        pairs: list[tuple[Inner, float]]
        by_name: dict[str, Inner | None]
        many: NotRequired[tuple[Inner, ...]]
        anything: Any

    inner = {"number": 1}
    whole = {"kind": "a", "pairs": [(inner, 0.5)], "by_name": {"x": inner, "y": None}, "anything": [1]}
    adapter = TypeAdapter(answer_model(Outer))
    assert adapter.validate_python(whole) == whole
    wrong: tuple[dict[str, object], ...] = (
        {"kind": "c"},
        {"pairs": [({}, 0.5)]},
        {"by_name": {"x": {}}},
        {"many": [{"number": "x"}]},
    )
    for change in wrong:
        with pytest.raises(ValidationError):
            adapter.validate_python(whole | change)


def test_what_the_reference_is_told() -> None:
    told = documented_answers(SolutionAnswer, TargetAnswer)
    assert told.keys() == {200, 304}
    assert TypeAdapter(told[200]["model"]).json_schema().keys() >= {"anyOf", "$defs"}
