"""Headers that a change cannot honour, or that are malformed, are named."""

import grpc
import pytest

from tests.hostile.target import Target, Victim
from tests.preconditions.asking import ask
from tests.preconditions.conftest import CHANGES, CONDITIONAL, RETRIED, in_turns
from tests.support.transports import Transports

REFUSED = [
    *(
        (name, door, "if-match", "*")
        for name, door in in_turns(name for name in CHANGES if name not in CONDITIONAL)
    ),
    *(
        (name, door, "x-validate-only", "true")
        for name, door in in_turns(name for name in CHANGES if name not in RETRIED)
    ),
    *(
        ("RemoveIDP", "JSON", "if-match", value)
        for value in ('"1', "1", "", "*, *", '"1" "2"', '"1",,"2"')
    ),
    *(("CreateIDP", "JSON", "x-idempotency-key", value) for value in ("", "a b", "a" * 129)),
]


@pytest.mark.parametrize(("name", "door", "header", "value"), REFUSED)
async def test_a_header_that_cannot_be_honoured_is_named(
    target: Target,
    transports: Transports,
    untouched: Victim,
    name: str,
    door: str,
    header: str,
    value: str,
) -> None:
    refused = (await ask(transports, door, untouched, name, (header, value))).refusal

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {header}
