"""`/openapi.json` has these headers at each change that accepts them."""

from server.rpc.preconditions.changes import IF_MATCH
from tests.hostile.target import Target
from tests.preconditions.conftest import CHANGES

_BOTH = {"x-validate-only", "x-idempotency-key"}


async def test_each_change_lists_the_headers_that_it_takes(target: Target) -> None:
    for operation in target.operations:
        references = [each.get("$ref", "") for each in operation.described["parameters"]]
        listed = {each.rpartition("/")[2] for each in references} & {*_BOTH, IF_MATCH}
        _, change = CHANGES.get(operation.name, (None, None))
        if change is None or change.refuses:
            assert listed == set(), operation.name
        else:
            assert listed == ({*_BOTH, IF_MATCH} if change.lock else _BOTH), operation.name
