"""Every operation against its description, with all that `schemathesis` makes of it."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Instance

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
REPOSITORY = Path(__file__).parents[2]


@pytest.mark.timeout(300)
async def test_the_server_does_what_its_description_says(
    own_instance: Instance, tmp_path: Path
) -> None:
    owner = await given.user(own_instance.admin, roles=[user_pb.ROLE_INSTANCE_OWNER])

    run = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run"),
        f"http://127.0.0.1:{own_instance.web_port}/openapi.json",
        env={
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "KEYSTEAD_TEST_TOKEN": owner.token,
            "KEYSTEAD_TEST_USER_ID": owner.user_id,
        },
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await run.communicate()

    assert run.returncode == 0, output.decode()
    # Or else it was tested that strangers are refused.
    await owner.call(owner.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
    operations = len(given.METHODS)
    assert f"{operations} selected / {operations} total" in output.decode()
