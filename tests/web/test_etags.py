"""If-None-Match."""

import pytest

from tentimes18.server.etags import is_known


@pytest.mark.parametrize("given", [['"a"'], ['W/"a"'], ['"b", "a"'], ['"b"', ' "a" '], ["*"]])
def test_what_is_known(given: list[str]) -> None:
    assert is_known(given, '"a"')


@pytest.mark.parametrize("given", [[], [""], ["a"], ['"aa"'], ['"b", "c"']])
def test_what_is_not(given: list[str]) -> None:
    assert not is_known(given, '"a"')
