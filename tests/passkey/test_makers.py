"""Nobody keeps access to a user who is granted a role beyond their own, by any detour.

A manager registers a passkey for a user, signs in with it, and makes further credentials as the
user. These have the manager as a maker.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.access.admission import MAX_MAKERS
from server.access.caller import OPERATOR
from server.access.roles import Role
from server.access.tokens import token_hash
from server.operate.rebuild.run import rebuild
from server.session import store as session_store
from server.store.database import Database
from server.user import roles, tokens
from server.validation.fields import read
from server.wiring.dependencies import OTHER_FEATURES
from tests.passkey import ceremonies
from tests.passkey.ceremonies import begin, passkeys
from tests.passkey.conftest import bare_user
from tests.passkey.links import link
from tests.passkey.transactions import OUTBOX, OpenFirst
from tests.session.sessions import Person, registered
from tests.support import given
from tests.support.certificates import Authority, Certificate
from tests.support.given import Client, outcome
from tests.user import calls

MANAGER, ORG_OWNER, OWNER = (
    pb.ROLE_ORG_USER_MANAGER,
    pb.ROLE_ORG_OWNER,
    pb.ROLE_INSTANCE_OWNER,
)

user = bare_user


@pytest.fixture
async def owner(admin: Client, org_id: str) -> Client:
    """An owner of the organization."""
    return await given.user(admin, org_id=org_id, roles=[ORG_OWNER])


async def test_a_chain_of_credentials_ends(
    owner: Client, user: Client, sql: asyncpg.Connection
) -> None:
    """Otherwise each user of a chain would make the tokens and events of the next one longer."""
    made = "update tokens set makers = array(select n::text from generate_series(1, $2) as n)"
    of_owner = f"{made} where hash = $1"
    await sql.execute(of_owner, token_hash(owner.token), MAX_MAKERS - 1)
    await calls.create_token(owner, user.user_id)
    await sql.execute(of_owner, token_hash(owner.token), MAX_MAKERS)

    for call in (calls.create_token(owner, user.user_id), calls.create(owner)):
        assert (await given.refusal(call)).reason == "TOO_MANY_MAKERS"
    await calls.lock(owner, user.user_id)
    await calls.unlock(owner, user.user_id)
    await calls.remove(owner, user.user_id)


async def by_ceremony(maker: Client, user: Client) -> Person:
    return await registered(await begin(maker, user.user_id), user)


async def by_link(maker: Client, user: Client) -> Person:
    begun = await (await link(maker, user)).begin()
    return await registered(begun, user, by=begun.token_holder)


async def by_token(maker: Client, user: Client) -> Person:
    token = await given.token(maker, user.user_id)
    return await registered(await begin(maker.with_token(token, user.user_id)), user)


async def by_passkey(maker: Client, user: Client) -> Person:
    """A second passkey; the first, whose maker is known, is removed."""
    first = await by_ceremony(maker, user)
    session = (await first.sign_in()).client
    second = await registered(await begin(session), user)
    await ceremonies.remove(session, first.passkey_id)
    return second


WAYS: Mapping[str, Callable[[Client, Client], Awaitable[Person]]] = {
    "ceremony": by_ceremony,
    "link": by_link,
    "token": by_token,
    "passkey": by_passkey,
}


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def _create_certificate(
    database: Database, session: Client, certificate: Certificate
) -> None:
    """Adds a certificate as in a call on a connection that has it."""
    caller = await session_store.find_caller(
        database, token_hash(session.token), idle_timeout=timedelta(hours=1)
    )
    assert caller is not None
    fields = {"user_id": session.user_id, "name": "", "certificate": certificate.pem}
    command = read(tokens.CreateCertificate, fields)
    presented = command.certificate.thumbprint
    await tokens.create_certificate(
        database, command, actor=caller, presented=presented, limit=10, outbox=OUTBOX
    )


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
async def test_a_manager_keeps_no_access_to_a_user_who_rises(
    way: Callable[[Client, Client], Awaitable[Person]],
    admin: Client,
    manager: Client,
    user: Client,
    authority: Authority,
    database: Database,
) -> None:
    person = await way(manager, user)
    session = (await person.sign_in()).client
    token = session.with_token(await given.token(session, user.user_id), user.user_id)
    renewed = session.with_token(await given.token(token, user.user_id), user.user_id)
    second = await registered(await begin(session), user)
    begun = await begin(session)
    await _create_certificate(database, session, authority.certificate())

    refused = await given.refusal(calls.grant(admin, user.user_id, OWNER))
    listed = await passkeys(admin, user.user_id)
    await calls.grant(admin, user.user_id, OWNER, end_foreign=True)

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "MADE_BY_OTHERS"
    assert manager.user_id in refused.metadata["makers"].split(",")
    assert {manager.user_id, user.user_id} <= set(listed[-1].makers)
    assert set(refused.metadata["passkeys"].split(",")) == {each.passkey_id for each in listed}
    assert [await calls.is_good(each) for each in (session, token, renewed)] == [False] * 3
    assert await outcome(person.sign_in()) == "PASSKEY_UNKNOWN"
    assert await outcome(second.sign_in()) == "PASSKEY_UNKNOWN"
    assert await outcome(begun.verify(by=begun.token_holder)) == "UNAUTHENTICATED"
    assert await calls.tokens(admin, user.user_id) == []
    assert await passkeys(admin, user.user_id) == []


async def test_a_refused_role_changes_nothing(admin: Client, manager: Client, user: Client) -> None:
    person = await by_ceremony(manager, user)
    session, open_link = (await person.sign_in()).client, await link(manager, user)
    before = (await calls.get(admin, user.user_id)).details

    await given.refusal(calls.grant(admin, user.user_id, ORG_OWNER))

    assert (await calls.get(admin, user.user_id)).details == before
    assert await calls.is_good(session)
    await open_link.begin()


async def test_a_maker_who_completes_a_ceremony_counts(
    admin: Client, manager: Client, user: Client
) -> None:
    own = await by_ceremony(admin, user)
    begun = await begin((await own.sign_in()).client)
    await registered(begun, user, by=manager)

    refused = await given.refusal(calls.grant(admin, user.user_id, OWNER))

    assert refused.metadata["passkeys"] == begun.passkey_id


async def test_a_manager_keeps_no_access_by_another_manager(
    admin: Client, manager: Client, org_id: str, user: Client
) -> None:
    middle = await calls.create(admin, org_id=org_id)
    between = admin.with_token("", middle.user_id)
    await calls.grant(admin, between.user_id, MANAGER)
    as_middle = (await (await by_ceremony(manager, between)).sign_in()).client
    person = await by_ceremony(as_middle, user)
    # The one in the middle rises, and then covers the role; who acted as it does not.
    await calls.grant(admin, between.user_id, ORG_OWNER, end_foreign=True)

    refused = await given.refusal(calls.grant(admin, user.user_id, ORG_OWNER))

    assert refused.metadata["makers"] == manager.user_id
    assert refused.metadata["passkeys"] == person.passkey_id


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
async def test_credentials_of_an_administrator_and_those_made_with_them_stay(
    way: Callable[[Client, Client], Awaitable[Person]], admin: Client, user: Client
) -> None:
    person = await way(admin, user)
    session = (await person.sign_in()).client
    token = session.with_token(await given.token(session, user.user_id))
    second = await registered(await begin(session), user)

    await calls.grant(admin, user.user_id, OWNER)

    assert [await calls.is_good(each) for each in (session, token)] == [True] * 2
    await second.sign_in()


async def test_of_several_passkeys_those_with_trusted_makers_stay(
    admin: Client, owner: Client, manager: Client, user: Client
) -> None:
    first = await by_link(manager, user)
    first_session = (await first.sign_in()).client
    second = await by_link(owner, user)
    second_session = (await second.sign_in()).client

    await calls.grant(admin, user.user_id, ORG_OWNER, end_foreign=True)

    [passkey] = await passkeys(admin, user.user_id)
    assert (passkey.passkey_id, owner.user_id in passkey.makers) == (second.passkey_id, True)
    assert [await calls.is_good(each) for each in (first_session, second_session)] == [False, True]


async def test_the_operator_is_trusted_with_every_role(
    admin: Client, user: Client, database: Database
) -> None:
    wanted = tokens.CreateToken(user_id=user.user_id, name="", expires_at=None)
    made = await tokens.create_token(database, wanted, actor=OPERATOR, limit=10, outbox=None)
    person = await registered(await begin(admin.with_token(made.token, user.user_id)), user)
    role = roles.GrantRole(
        user_id=user.user_id,
        role=Role.INSTANCE_OWNER,
        end_foreign_credentials=False,
        expires_at=None,
    )

    await roles.grant_role(database, role, actor=OPERATOR, others=OTHER_FEATURES)

    assert await calls.is_good((await person.sign_in()).client)


async def test_a_maker_who_was_removed_has_no_permissions(
    admin: Client, owner: Client, user: Client
) -> None:
    await by_link(owner, user)
    await calls.remove(admin, owner.user_id)

    assert await outcome(calls.grant(admin, user.user_id, MANAGER)) == "MADE_BY_OTHERS"


async def test_a_passkey_of_an_earlier_release_was_made_by_who_began_it(
    admin: Client, manager: Client, user: Client, rows: asyncpg.Connection
) -> None:
    person = await by_ceremony(manager, user)
    await rows.execute("update passkeys set makers = null where user_id = $1", user.user_id)
    session = (await person.sign_in()).client
    await given.token(session, user.user_id)

    [passkey] = await passkeys(admin, user.user_id)
    refused = await given.refusal(calls.grant(admin, user.user_id, OWNER))

    assert list(passkey.makers) == [manager.user_id]
    assert refused.metadata.keys() >= {"passkeys", "tokens"}
    await calls.remove(admin, user.user_id)  # the log has the makers


async def test_a_rebuild_restores_the_makers(
    manager: Client, user: Client, database: Database
) -> None:
    before = await _differing_passkeys(database)  # other tests of this database change rows
    await by_passkey(manager, user)

    assert await _differing_passkeys(database) == before


async def _differing_passkeys(database: Database) -> list[object]:
    differences = (await rebuild(database, repair=False)).differences
    return [each for each in differences if each.table == "passkeys"]


# Races


async def test_a_sign_in_while_the_role_is_granted_finds_no_passkey(
    manager: Client, user: Client, opened: OpenFirst
) -> None:
    person = await by_ceremony(manager, user)

    async with opened() as first:
        await first.grant_role(user, Role.INSTANCE_OWNER)
        signing_in = await first.blocks(outcome(person.sign_in()))

    assert await signing_in == "PASSKEY_UNKNOWN"


@pytest.mark.parametrize("for_itself", [True, False], ids=["itself", "another"])
async def test_a_token_that_a_session_creates_while_the_role_is_granted_is_refused(
    for_itself: bool,
    admin: Client,
    manager: Client,
    user: Client,
    other_user: Client,
    opened: OpenFirst,
) -> None:
    await calls.grant(admin, user.user_id, MANAGER)
    session = (await (await by_ceremony(manager, user)).sign_in()).client
    target = user if for_itself else other_user

    async with opened() as first:
        await first.grant_role(user, Role.INSTANCE_OWNER)
        creating = await first.blocks(outcome(calls.create_token(session, target.user_id)))

    assert await creating == "UNAUTHENTICATED"
