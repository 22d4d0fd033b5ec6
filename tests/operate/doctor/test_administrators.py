"""The users who can administer the instance."""

import pytest

from server.system.checks.findings import State
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, only


@pytest.mark.parametrize(
    ("statement", "advice"),
    [
        ("update users set roles = '{}'", "keystead user grant USER INSTANCE_OWNER"),
        ("update tokens set expires_at = now()", "keystead token create USER"),
    ],
)
async def test_a_missing_administrator_is_a_problem(
    installation: Installation, statement: str, advice: str
) -> None:
    await execute(installation, statement)

    found = await only(installation, "administrator")

    assert found.state is State.PROBLEM
    assert advice in found.message.replace("\n", " ")
