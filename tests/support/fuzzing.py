"""Requests made from the OpenAPI document of a running service: valid ones, broken ones, and sequences of both.

Every answer must be one that the document describes, in the form it describes, and none a fault of the service.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.process import PATIENCE  # the first answer may have to compile its kernels

CHECKS: Final[Sequence[CheckFunction]] = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
STREAMS: Final = "/events"  # without an end


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: Any, value: Any) -> bytes:
    """The generated text, unchanged."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")


class Fuzz:
    """Requests to a service, from one player; ``known`` are values that path parameters take, every other time."""

    def __init__(self, url: str, examples: int) -> None:
        self.schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json").exclude(path_regex=f"{STREAMS}$")
        results: list[Any] = list(self.schema.get_all_operations())
        self.operations = {operation.label: operation for operation in (result.ok() for result in results)}
        self.session = requests.Session()
        self.statuses: Counter[int] = Counter()
        self.known: dict[str, str] = {}
        self._settings = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )

    def run(self, label: str) -> None:
        operation = self.operations[label]
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                self._settings(given(case=operation.as_strategy(generation_mode=mode))(self._check()))()
            except Unsatisfiable:  # nothing about this operation can be broken
                assert mode is GenerationMode.NEGATIVE

    def run_sequences(self) -> None:
        """Sequences of requests, each with what the answers before it gave."""
        fuzz = self

        class Sequences(self.schema.as_state_machine()):  # type: ignore[misc]
            def get_call_kwargs(self, _case: Any) -> dict[str, Any]:
                return {"session": fuzz.session, "timeout": PATIENCE}

            def validate_response(self, response: Any, case: Any, *_: Any, **__: Any) -> None:
                fuzz.verify(response, case)

        Sequences.run(settings=settings(self._settings, stateful_step_count=8))

    def verify(self, response: Any, case: Any) -> None:
        self.statuses[response.status_code] += 1
        case.validate_response(response, checks=list(CHECKS))

    def _check(self) -> Callable[..., None]:
        turn = Counter[str]()

        def check(case: Any) -> None:
            turn["requests"] += 1
            for name in set(case.path_parameters or {}) & self.known.keys():
                if turn["requests"] % 2:
                    case.path_parameters[name] = self.known[name]
            self.verify(case.call(session=self.session, timeout=PATIENCE), case)

        return check
