"""`x-validate-only: true` makes all checks of a change and writes nothing."""

from typing import Any, NoReturn

import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from keystead.user.v1 import user_service_pb2 as user_pb
from server.store.database import connected
from server.store.statement import statement, surviving_failure
from server.user import commands
from server.values.errors import Failure, Kind
from tests.hostile.target import Target
from tests.support import given
from tests.support.databases import MakeDatabase, in_call
from tests.support.given import Client
from tests.support.statements import statements
from tests.user import calls as users


async def test_a_change_that_fails_after_a_write_of_its_own_leaves_nothing(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch = commands.patch

    async def patch_and_fail(*args: Any, **named: Any) -> NoReturn:
        await patch(*args, **named)
        raise Failure(Kind.FAILED_PRECONDITION, "FAILED_LATER", "The second step failed.")

    user = await given.user(admin, name="before")
    monkeypatch.setattr(commands, "patch", patch_and_fail)

    refused = await given.refusal(
        admin.call(
            admin.users.PatchUser,
            user_pb.PatchUserRequest(
                user=user_pb.User(user_id=user.user_id, display_name="After"),
                update_mask=FieldMask(paths=["display_name"]),
            ),
            x_validate_only="true",
        )
    )

    assert refused.reason == "FAILED_LATER"
    assert (await users.get(admin, user.user_id)).display_name == "before"


async def test_a_statement_that_survives_a_failure_stays_alone(make_database: MakeDatabase) -> None:
    insert = statement("insert into rows values (:id::int)")
    async with connected(await make_database(empty=True), pool_size=1) as database:
        await database.fetch(statement("create table rows (id int)"))
        with in_call():
            async with database.whole() as transaction:
                await database.fetch(insert, id=1)
                await transaction.begin_trial()
                await database.fetch(insert, id=2)
                await database.fetch(surviving_failure(insert), id=3)
                await database.fetch(insert, id=4)
                await database.fetch(surviving_failure(insert), id=5)
                await database.fetch(insert, id=6)
                await transaction.undo_trial()

        rows = await database.fetch(statement("select id from rows order by id"))

    assert [row["id"] for row in rows] == [1, 3, 5]


def test_only_these_statements_survive_a_failure() -> None:
    surviving = {name for name, each in statements().items() if each.survives_failure}

    assert surviving == {
        "oauth.device.store._TAKE_TURN",
        "passkey.ceremony_store._COUNT_ATTEMPT",
        "passkey.signin.store._SUSPECT",
    }


async def test_a_name_that_is_taken_is_refused_as_a_real_call_would_be(target: Target) -> None:
    admin = target.admin
    await admin.call(admin.users.CreateUser, user_pb.CreateUserRequest(user_name="taken twice"))

    refused = await given.refusal(
        admin.call(
            admin.users.CreateUser,
            user_pb.CreateUserRequest(user_name="Taken Twice"),
            x_validate_only="true",
        )
    )

    assert refused.reason == "USER_ALREADY_EXISTS"
