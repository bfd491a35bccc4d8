"""The results in README."""

from collections.abc import Sequence

import pytest

from tests.support.command import run_here
from tools import results


def run_quickly(arguments: Sequence[str], words: str, variables: dict[str, str]) -> tuple[int, str, str]:
    result = run_here(*arguments, stdin=words, **variables)
    return result.code, result.out, result.err


@pytest.mark.slow
def test_the_results_in_the_text_are_those_of_the_program() -> None:
    text = results.PAGE.read_text(encoding="utf-8")
    assert results.rendered(text, run_quickly) == text, "run `make docs`"
    assert "<!-- results -->\n|" in text
