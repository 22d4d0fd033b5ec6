"""ImportUsers refuses to take over what others have, and grants nothing that its caller lacks."""

import asyncio
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_import_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.group import calls as group_calls
from tests.idp.signins import Site
from tests.moving import people
from tests.moving.people import IMPORTED, REFUSED
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls


async def _elsewhere(admin: Client) -> Client:
    """An owner of another organization."""
    org_id = await given.organization(admin)
    return await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])


async def test_no_id_of_another_object_is_taken(admin: Client, owner: Client, org_id: str) -> None:
    group_id = await group_calls.group(owner)
    idp_id = await given.idp(owner)
    removed = (await calls.create(owner)).user_id
    await calls.remove(owner, removed)
    there = await _elsewhere(admin)
    for each in (owner.user_id, admin.user_id, org_id, group_id, idp_id, removed):
        assert await people.wrong(there, people.user(user_id=each)) == {"userId"}, each


async def test_an_existing_user_is_not_changed(owner: Client, sql: asyncpg.Connection) -> None:
    moved = people.user(email="ada@example.com")
    await people.send(owner, moved)
    before = await sql.fetchrow("select * from users where id = $1", moved.user_id)
    moved.passkeys.append(people.passkey().message)

    assert await people.wrong(owner, moved) == {"userId", "userName", "email"}

    assert await sql.fetchrow("select * from users where id = $1", moved.user_id) == before


async def test_an_id_stays_with_its_organization_after_a_removal(
    admin: Client, owner: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    moved, there = people.user(), await _elsewhere(admin)
    await people.send(owner, moved)
    assert await people.wrong(there, moved) == {"userId"}
    await calls.remove(owner, moved.user_id)

    assert await people.wrong(there, moved) == {"userId"}
    manager = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
    assert await people.wrong(manager, moved) == {"userId"}
    assert (
        await sql.fetchval(
            "select count(*) from unique_claims where aggregate_id = $1", moved.user_id
        )
        == 1
    )


@pytest.mark.parametrize("is_imported", [True, False])
async def test_an_owner_of_the_instance_moves_a_removed_user(
    admin: Client, owner: Client, is_imported: bool
) -> None:
    """Such as one who was imported into the wrong organization."""
    moved, there = people.user(), await given.organization(admin)
    if is_imported:
        await people.send(owner, moved)
    else:
        moved.user_id = (await calls.create(owner)).user_id
    await calls.remove(owner, moved.user_id)

    [result] = (await people.send(admin, moved, headers={"x_service_orgid": there})).results

    assert result.state == IMPORTED
    assert (await calls.get(admin, moved.user_id)).details.resource_owner == there


async def test_an_id_whose_events_were_archived_stays_taken(
    owner: Client, sql: asyncpg.Connection
) -> None:
    moved = people.user()
    await sql.execute(
        "insert into unique_claims values ('application_audience', $1, $1)", moved.user_id
    )

    assert await people.wrong(owner, moved) == {"userId"}


_ARCHIVE = """
set session_replication_role = replica;
insert into event_archives values (1, null, (extract(epoch from now()) * 1e6)::bigint, 1,
    '{{[-9,-8)}}', '', 'a', now(), '');
create temp table archived as select * from events where aggregate_id in ({ids});
delete from events where aggregate_id in ({ids})"""
_RESTORE = """
insert into events select * from archived;
delete from event_archives;
drop table archived;
set session_replication_role = origin"""


async def test_no_id_of_the_server_is_taken_whose_events_were_archived(
    owner: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    """Objects of any kind, and users that were removed: nothing else knows their IDs."""
    group_id, removed = await group_calls.group(owner), (await calls.create(owner)).user_id
    await calls.remove(owner, removed)
    taken = [people.user(user_id=each) for each in (group_id, org_id, removed)]
    ids = (str(uuid4()), f"ffffffff-ffff-7000-8000-{uuid4().hex[:12]}")

    await sql.execute(_ARCHIVE.format(ids=", ".join(f"'{each.user_id}'" for each in taken)))
    try:
        wrong = [await people.wrong(owner, each) for each in taken]
        states = await people.states(owner, *(people.user(user_id=each) for each in ids))
    finally:
        await sql.execute(_RESTORE)

    assert wrong == [{"userId"}] * 3
    assert states == [IMPORTED] * 2
    assert [await people.wrong(owner, each) for each in taken[:2]] == [{"userId"}] * 2


async def test_the_removal_of_a_user_frees_its_own_values_only(
    owner: Client, sql: asyncpg.Connection
) -> None:
    moved = people.user(passkeys=[people.passkey().message])
    await people.send(owner, moved)
    await sql.execute(
        "insert into unique_claims values ('group_name', $1 || ':staff', $1)", moved.user_id
    )

    await calls.remove(owner, moved.user_id)

    kept = await sql.fetch(
        "select kind from unique_claims where aggregate_id = $1 order by kind", moved.user_id
    )
    assert [each["kind"] for each in kept] == ["application_audience", "group_name"]


async def test_a_call_that_loses_a_race_for_a_passkey_writes_nothing(
    instance: Instance, owner: Client, sql: asyncpg.Connection
) -> None:
    passkey = people.passkey()
    moved = people.user(passkeys=[passkey.message])
    claim = f"{people.RP_ID}:{passkey.credential_id.hex()}"
    async with given.sql(instance.dsn) as holder:
        transaction = holder.transaction()
        await transaction.start()
        await holder.execute(
            "insert into unique_claims values ('credential_id', $1, 'another')", claim
        )
        call = asyncio.ensure_future(given.outcome(people.send(owner, moved)))
        await given.waiting_for_a_lock(sql)
        await transaction.commit()

    assert await call == "CONCURRENT_CHANGE"
    assert await people.wrong(owner, moved) == {"passkeys.0.credentialId"}


async def test_a_user_and_an_application_have_no_id_in_common(owner: Client) -> None:
    moved, service = people.user(), people.user().user_id
    await people.send(owner, moved)

    refused = await given.refusal(applications.add(owner, application_id=moved.user_id))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    await applications.add(owner, application_id=service)
    assert await people.wrong(owner, people.user(user_id=service)) == {"userId"}


@pytest.mark.parametrize("name", ["ada", "ADA", "\u0430da"])
async def test_names_that_look_alike_are_refused(owner: Client, name: str) -> None:
    ada, other = people.user(user_name="ada"), people.user(user_name=name)

    assert await people.wrong(owner, ada, other) == {"userName"}
    assert await people.wrong(owner, other) == {"userName"}


async def test_an_address_has_one_user(owner: Client) -> None:
    await calls.create(owner, email="Ada@example.com")
    first, second = (people.user(email=each) for each in ("bob@example.com", "BOB@example.com"))

    assert await people.wrong(owner, people.user(email="ada@EXAMPLE.com")) == {"email"}
    assert await people.wrong(owner, first, second) == {"email"}


async def test_a_credential_of_another_organization_is_refused(
    admin: Client, owner: Client
) -> None:
    passkey = people.passkey()
    there = await _elsewhere(admin)
    await people.send(there, people.user(passkeys=[passkey.message]))
    taken = people.passkey(credential_id=passkey.credential_id)
    registered = await sessions.person(admin)
    other = people.passkey(credential_id=registered.credential_id)

    for each in (taken, other):
        moved = people.user(passkeys=[each.message])
        assert await people.wrong(owner, moved) == {"passkeys.0.credentialId"}
    twice = people.user(passkeys=[people.passkey().message] * 2)
    assert await people.wrong(owner, twice) == {"passkeys.1.credentialId"}


async def test_a_link_needs_a_provider_of_the_organization(site: Site, relying: Any) -> None:
    def moved(idp: str, subject: str = "s") -> pb.ImportedUser:
        return people.user(idp_links=[pb.ImportedIDPLink(idp=idp, subject=subject)])

    there = await _elsewhere(relying.admin)
    unset, twin = await given.idp(site.owner, name="Twin"), await given.idp(site.owner, name="Twin")
    assert unset != twin

    assert await people.wrong(there, moved(site.idp_id)) == {"idpLinks.0.idp"}
    assert await people.wrong(site.owner, moved(unset)) == {"idpLinks.0.idp"}
    assert await people.wrong(site.owner, moved("Twin")) == {"idpLinks.0.idp"}
    first = moved(site.idp_id)
    assert await people.wrong(site.owner, first, moved(site.idp_id)) == {"idpLinks.0.subject"}
    assert await people.wrong(site.owner, moved(site.idp_id)) == {"idpLinks.0.subject"}


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ({"passkeys": [people.passkey().message]}, "OK"),
        ({"groups": ["staff"]}, "PERMISSION_DENIED"),
        ({"email": "ada@example.com"}, "OK"),
        ({"email": "bob@example.com", "email_verified": True}, "PERMISSION_DENIED"),
        ({"idp_links": [pb.ImportedIDPLink(idp="x", subject="y")]}, "PERMISSION_DENIED"),
    ],
    ids=["passkeys", "groups", "address", "verified address", "links"],
)
async def test_a_manager_of_users_imports_what_it_may_add(
    admin: Client, org_id: str, part: dict[str, Any], code: str
) -> None:
    manager = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])

    assert await given.outcome(people.send(manager, people.user(**part))) == code


async def test_an_old_sign_in_imports_nothing(
    admin: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    session = await sessions.signed_in(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    await sessions.set_sign_in(sql, session, minutes=11)

    refused = await given.refusal(people.send(session.client, people.user()))

    assert refused.reason == "REAUTHENTICATION_REQUIRED"


async def test_no_role_is_granted_while_the_importer_has_the_passkey(
    admin: Client, owner: Client
) -> None:
    passkey = people.passkey()
    moved = people.user(passkeys=[passkey.message])
    await people.send(owner, moved)
    assert [*(await calls.get(owner, moved.user_id)).roles] == []

    refused = await given.refusal(calls.grant(admin, moved.user_id, user_pb.ROLE_INSTANCE_OWNER))
    assert (refused.reason, refused.metadata["makers"]) == ("MADE_BY_OTHERS", owner.user_id)

    await calls.grant(admin, moved.user_id, user_pb.ROLE_INSTANCE_OWNER, end_foreign=True)
    assert (await given.refusal(passkey.sign_in(owner))).reason == "PASSKEY_UNKNOWN"


async def test_a_group_takes_no_more_than_its_maximum(
    owner: Client, sql: asyncpg.Connection
) -> None:
    group_id = await group_calls.group(owner, "staff")
    members = [people.user(user_id=f"{n}.{owner.user_id}") for n in range(3)]
    await people.send(owner, *members)
    await sql.execute(
        """insert into users select ('m' || n || id) as id, owner, user_name, display_name, email,
            roles, user_handle, passkey_count, sequence, creation_date, change_date
        from users, generate_series(1, 9999) as n where id = $1""",
        owner.user_id,
    )
    await sql.execute(
        """insert into group_members
        select id, $1, sequence, creation_date, change_date from users
        where id like 'm%' and id like '%' || $2""",
        group_id,
        owner.user_id,
    )
    last, full = (people.user(groups=["staff"]) for _ in range(2))

    results = (await people.send(owner, last, full)).results

    assert [each.state for each in results] == [IMPORTED, REFUSED]
    await sql.execute("delete from users where id like 'm%' and id like '%' || $1", owner.user_id)


async def test_500_of_the_largest_users_are_refused_before_they_are_read(owner: Client) -> None:
    """A message has at most 4 MiB."""
    users = [_largest(n) for n in range(500)]

    assert await people.send(owner, *users).code() is grpc.StatusCode.RESOURCE_EXHAUSTED

    assert await people.states(owner, *users[:80]) == [IMPORTED] * 80


def _largest(number: int) -> pb.ImportedUser:
    text = "\u6f22" * 200
    passkeys = [
        people.passkey(
            user_handle=b"h" * 64, credential_id=bytes([n]) + uuid4().bytes * 63, name=text
        )
        for n in range(20)
    ]
    return people.user(
        user_name=f"{number} {text[:190]}",
        display_name=text,
        lock_reason=text,
        passkeys=[each.message for each in passkeys],
    )
