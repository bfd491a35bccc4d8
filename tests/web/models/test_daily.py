"""What the daily game takes and answers."""

import pytest
from pydantic import ValidationError

from tentimes18.server.models.daily import ArchiveRequest, plain_score


def test_a_request_is_taken_strictly() -> None:
    assert ArchiveRequest.model_validate({}).coach == "off"
    for wrong in ({"coach": "loud"}, {"coach": None}, {"day": "2026-11-16"}):
        with pytest.raises(ValidationError):
            ArchiveRequest.model_validate(wrong)


def test_a_score_is_written_as_an_integer_where_it_is_one() -> None:
    assert [repr(plain_score(score)) for score in (640.0, -3.0, 7.25)] == ["640", "-3", "7.25"]
