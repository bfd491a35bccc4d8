"""What a player wants are values, and every way to end a dialogue has its exit code."""

import signal

import pytest

from tentimes18.cli.terminal.keys import Ended
from tentimes18.cli.terminal.screen import REQUESTS, Ending, Left, Place, Request
from tentimes18.errors import Ten18Error


def test_requests_by_what_is_typed() -> None:
    expected = {"h": Request.hint, "?": Request.help, "r": Request.other_roll, "u": Request.take_back}
    assert expected == REQUESTS
    assert Place(5) == Place(5) != Place(4)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Left(), 0),
        (KeyboardInterrupt(), 130),
        (Ended(signal.SIGTERM), 128 + signal.SIGTERM),
        (Ended(signal.SIGHUP), 128 + signal.SIGHUP),
    ],
)
def test_leaving_ends_with_a_code(error: BaseException, code: int) -> None:
    with Ending() as ending:
        raise error
    assert ending.code == code


def test_what_is_no_leaving_goes_on() -> None:
    with Ending() as ending:
        pass
    assert ending.code == 0
    with pytest.raises(Ten18Error, match="wrong"), Ending():
        raise Ten18Error("wrong")
