"""The answers as the reference describes them: their TypedDicts, rebuilt so that pydantic takes them.

Below Python 3.12 pydantic reads the TypedDict of `typing_extensions` alone, as that of `typing` does not tell which
keys may be missing. The answers keep to `typing`, which a short command has loaded anyway.
"""

import types
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import typing_extensions

__all__ = ["answer_model", "documented_answers"]


def answer_model(hint: Any) -> Any:
    """The same type with every TypedDict in it rebuilt: for an answer, or whatever it is made of.

    >>> from tentimes18.answers.solution import Expected
    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(answer_model(list[Expected])).json_schema()["$defs"]["Expected"]["required"]
    ['random', 'optimal', 'hindsight']
    """
    if is_typeddict(hint):
        return _rebuilt(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return Union[tuple(answer_model(argument) for argument in arguments)]  # noqa: UP007 (made of a tuple)
    if origin is Annotated:
        return Annotated[(answer_model(arguments[0]), *arguments[1:])]
    if origin in (list, dict, tuple):
        return origin[tuple(argument if argument is ... else answer_model(argument) for argument in arguments)]
    return hint  # a Literal, or what holds no answers


def documented_answers(*answers: Any) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of answers with an ETag: one of these, or that whoever asks has it."""
    model: Any = Union[tuple(map(answer_model, answers))]  # noqa: UP007
    return {200: {"model": model, "description": "The answer"}, 304: {"description": "The same as you have"}}


@cache
def _rebuilt(answer: Any) -> Any:
    hints = get_type_hints(answer, include_extras=False)  # without NotRequired: the keys tell
    fields = {name: answer_model(hint) for name, hint in hints.items()}
    optional = {name: typing_extensions.NotRequired[fields[name]] for name in answer.__optional_keys__}
    model = typing_extensions.TypedDict(answer.__name__, fields | optional)  # type: ignore[misc]
    model.__doc__ = answer.__doc__
    return model
