"""What a player may send."""

import pytest
from pydantic import BaseModel, ValidationError

from tentimes18.server.models.players import LinkRequest, NameRequest


@pytest.mark.parametrize(
    ("model", "wrong"),
    [
        (NameRequest, {}),
        (NameRequest, {"name": 7}),
        (NameRequest, {"name": "x" * 201}),
        (NameRequest, {"name": "Ada", "id": "me"}),
        (LinkRequest, {}),
        (LinkRequest, {"code": None}),
        (LinkRequest, {"code": ["a"]}),
    ],
)
def test_a_request_is_taken_strictly(model: type[BaseModel], wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(wrong)
    assert NameRequest.model_validate({"name": None}).name is None
