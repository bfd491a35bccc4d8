"""What may be sent."""

import pytest
from pydantic import ValidationError

from tentimes18.server.models.games import MoveRequest, NewGameRequest


def test_what_is_accepted() -> None:
    assert NewGameRequest().model_dump() == {"dice": "3d6", "slots": "1-10", "coach": "off"}
    assert MoveRequest.model_validate_json('{"round": 1, "slot": 5}').slot == 5


@pytest.mark.parametrize(
    "text",
    ['{"round": 1}', '{"round": 1, "slot": 5, "points": 3}', '{"round": 1.5, "slot": 5}', '{"round": 1, "slot": "5"}'],
)
def test_what_is_not(text: str) -> None:
    with pytest.raises(ValidationError):
        MoveRequest.model_validate_json(text)
