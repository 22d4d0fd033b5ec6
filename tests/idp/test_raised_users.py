"""The owners of an organization control its identity providers, but no user above them."""

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.idp import signins
from tests.idp.signins import Site
from tests.passkey import ceremonies
from tests.session import sessions
from tests.support import given
from tests.support.given import Instance
from tests.user import calls

_RAISE = "update users set roles = array['INSTANCE_OWNER'] where id = $1"


async def test_a_provider_keeps_no_access_to_a_user_who_rises_above_its_owners(
    site: Site, relying: Instance
) -> None:
    session = await site.sign_in()
    user_id = session.answer.user_id
    [link] = await signins.links(session.client)
    token = session.client.with_token(await given.token(session.client, user_id))
    begun = await ceremonies.register(session.client)

    refused = await given.refusal(calls.grant(relying.admin, user_id, user_pb.ROLE_INSTANCE_OWNER))
    await calls.grant(relying.admin, user_id, user_pb.ROLE_INSTANCE_OWNER, end_foreign=True)

    assert refused.reason == "MADE_BY_OTHERS"
    assert refused.metadata["makers"] == site.org_id
    assert refused.metadata["idpLinks"] == link.link_id
    assert refused.metadata["passkeys"] == begun.passkey_id
    assert not await session.is_live()
    assert (await given.refusal(calls.whoami(token))).code is grpc.StatusCode.UNAUTHENTICATED
    assert await calls.tokens(relying.admin, user_id) == []
    assert await ceremonies.passkeys(relying.admin, user_id) == []
    assert await signins.links(relying.admin, user_id) == []
    again = await given.refusal(site.complete(await site.callback()))
    assert again.reason == "USER_EXISTS_LINK_FIRST"


@pytest.mark.parametrize("role", [user_pb.ROLE_ORG_USER_MANAGER, user_pb.ROLE_ORG_OWNER])
async def test_a_provider_goes_on_signing_in_a_user_who_becomes_an_owner(
    site: Site, role: user_pb.Role.ValueType, relying: Instance
) -> None:
    session = await site.sign_in()
    await ceremonies.register(session.client)

    await calls.grant(relying.admin, session.answer.user_id, role)

    assert await session.is_live()
    assert (await site.sign_in()).answer.user_id == session.answer.user_id


async def test_a_link_of_an_earlier_release_signs_in_nobody_above_the_owners(
    site: Site, relying: Instance
) -> None:
    session = await site.sign_in()
    connection = await asyncpg.connect(relying.dsn)
    await connection.execute(_RAISE, session.answer.user_id)
    await connection.close()

    refused = await given.refusal(site.complete(await site.callback()))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "ROLES_EXCEED_PROVIDER"
    await calls.remove(relying.admin, session.answer.user_id)  # the log lacks its role


async def test_nobody_above_the_owners_can_link_an_identity(site: Site, relying: Instance) -> None:
    person = await sessions.person(
        relying.admin, org_id=site.org_id, roles=[user_pb.ROLE_INSTANCE_OWNER]
    )
    client = (await person.sign_in()).client

    refused = await given.refusal(signins.link(client, await site.callback()))

    assert refused.reason == "ROLES_EXCEED_PROVIDER"
    assert await signins.links(client) == []


async def test_a_link_has_the_makers_of_the_session_that_made_it(
    site: Site, relying: Instance
) -> None:
    manager = await given.user(
        relying.admin, org_id=site.org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER]
    )
    created = await calls.create(relying.admin, org_id=site.org_id)
    user = manager.with_token(await given.token(manager, created.user_id), created.user_id)
    person = await sessions.with_passkey(user)
    client = (await person.sign_in()).client
    link_id = (await signins.link(client, await site.callback())).link_id
    session = await site.sign_in()
    await ceremonies.remove(session.client, person.passkey_id)
    begun = await ceremonies.register(session.client)

    refused = await given.refusal(calls.grant(relying.admin, user.user_id, user_pb.ROLE_ORG_OWNER))

    assert refused.metadata["makers"] == manager.user_id
    assert refused.metadata["idpLinks"] == link_id
    assert refused.metadata["passkeys"] == begun.passkey_id
