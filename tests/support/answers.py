"""Whether an answer is what its type says: every key, every number, and nothing that JSON has no word for."""

import json
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

__all__ = ["assert_answer", "mismatches"]


def assert_answer(answer: object, kind: Any) -> None:
    """It has the keys of this TypedDict in its order, values of these very types, and the JSON that one expects."""
    assert mismatches(answer, kind) == []
    assert json.loads(json.dumps(answer)) == _as_json(answer)


def mismatches(value: Any, kind: Any, where: str = "answer") -> list[str]:
    """Where a value is not of this type; whole numbers are no floats, and a subclass is not its base."""
    if kind is Any:
        return []
    if is_typeddict(kind):
        return _dict_mismatches(value, kind, where)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        found = [mismatches(value, one, where) for one in inner]
        return [] if [] in found else [f"{where}: {value!r} is none of {kind}"]
    if origin is Literal:
        return [] if value in inner else [f"{where}: {value!r} is none of {inner}"]
    if not _is_exactly(value, origin or (NoneType if kind is None else kind)):
        return [f"{where}: {value!r} is not of {kind}"]
    if origin is list:
        return _each(((f"{where}[{place}]", one, inner[0]) for place, one in enumerate(value)))
    if origin is tuple:
        kinds = inner[:1] * len(value) if inner[1:] == (...,) else inner
        if len(kinds) != len(value):
            return [f"{where}: {value!r} is not of {kind}"]
        return _each((f"{where}[{place}]", one, kinds[place]) for place, one in enumerate(value))
    if origin is dict:
        return _each(
            part
            for key, one in value.items()
            for part in ((f"key {key!r} of {where}", key, inner[0]), (f"{where}[{key!r}]", one, inner[1]))
        )
    return []


def _is_exactly(value: object, kind: object) -> bool:
    return type(value) is kind


def _each(parts: Any) -> list[str]:
    return [problem for where, value, kind in parts for problem in mismatches(value, kind, where)]


def _dict_mismatches(value: object, kind: Any, where: str) -> list[str]:
    if type(value) is not dict:
        return [f"{where}: {value!r} is not of {kind}"]
    kinds = get_type_hints(kind)
    found = [f"{where} has no {key!r}" for key in kinds if key in kind.__required_keys__ and key not in value]
    found += [f"{where} has {key!r}" for key in value if key not in kinds]
    if not found and list(value) != [key for key in kinds if key in value]:
        found.append(f"{where} has its keys in the order {list(value)}")
    return found + _each((f"{where}[{key!r}]", value[key], kinds[key]) for key in kinds if key in value)


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_json(one) for key, one in value.items()}
    return [_as_json(one) for one in value] if isinstance(value, list | tuple) else value
