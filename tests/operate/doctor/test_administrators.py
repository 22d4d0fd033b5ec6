"""The users who can administer the instance."""

import pytest

from server.operate.doctor import State
from tests.operate.doctor.installation import execute, only
from tests.support.given import Instance


class TestAdministrator:
    @pytest.mark.parametrize(
        ("statement", "advice"),
        [
            ("update users set roles = '{}'", "keystead user grant USER INSTANCE_OWNER"),
            ("update tokens set expires_at = now()", "keystead token create USER"),
        ],
    )
    async def test_that_is_missing_is_a_problem(
        self, own_instance: Instance, statement: str, advice: str
    ) -> None:
        await execute(own_instance, statement)

        found = await only(own_instance, "administrator")

        assert found.state is State.PROBLEM
        assert advice in found.message.replace("\n", " ")
