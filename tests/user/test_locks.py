"""LockUser and UnlockUser: the objects that end, the refusals of sign-ins, and races."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as pb
from tests.application import calls as applications
from tests.conftest import MakeInstance
from tests.idp import signins
from tests.oauth import devices, flow
from tests.oauth.flow import App
from tests.passkey import ceremonies, links
from tests.passkey.recovery import Recoveries, recovering
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider
from tests.user import calls

__all__ = ["recovering"]  # a fixture

_ROUNDS = 6
_REFUSED = (grpc.StatusCode.FAILED_PRECONDITION, "USER_LOCKED")


@dataclass(frozen=True)
class _Ada:
    """A person with a session, and an application of the same organization."""

    signed_in: SignedIn
    app: App
    device: App

    @property
    def user_id(self) -> str:
        return self.signed_in.person.user_id


@pytest.fixture
async def ada(admin: Client, org_id: str, owner: Client) -> _Ada:
    signed_in = await sessions.signed_in(admin, org_id=org_id)
    return _Ada(signed_in, await flow.app(owner), await devices.app(owner))


async def _refusal(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str]:
    refused = await given.refusal(call)
    return refused.code, refused.reason


async def test_a_lock_is_shown_with_its_reason_until_it_ends(
    admin: Client, owner: Client, ada: _Ada
) -> None:
    locked = await calls.lock(owner, ada.user_id, reason="The laptop was stolen.")
    shown = await calls.get(owner, ada.user_id)
    listed = await owner.call(owner.users.ListUsers, pb.ListUsersRequest())
    unlocked = await calls.unlock(owner, ada.user_id)
    later = await calls.get(owner, ada.user_id)

    assert shown in listed.users
    assert shown.lock_reason == "The laptop was stolen."
    assert shown.locked_at == locked.details.change_date
    assert shown.details == locked.details
    assert unlocked.details.sequence > shown.details.sequence
    assert (later.HasField("locked_at"), later.lock_reason) == (False, "")
    assert await ada.signed_in.person.sign_in()


async def test_a_second_lock_or_unlock_changes_nothing(admin: Client) -> None:
    user = await given.user(admin)

    first = await calls.lock(admin, user.user_id, reason="first")
    again = await calls.lock(admin, user.user_id, reason="again")
    reason = (await calls.get(admin, user.user_id)).lock_reason
    unlocked = await calls.unlock(admin, user.user_id)

    assert again.details == first.details
    assert reason == "first"
    assert await calls.unlock(admin, user.user_id) == unlocked


async def _code(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    approved = await flow.approved(ada.app, ada.signed_in.client)
    return lambda: ada.app.redeem(approved)


async def _refresh_token(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    tokens = await flow.tokens(ada.app, ada.signed_in.client, scope="openid offline_access")
    return lambda: ada.app.refresh(tokens.refresh_token)


async def _access_token(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    tokens = await flow.tokens(ada.app, ada.signed_in.client)
    return lambda: flow.user_info(ada.app.client, tokens.access_token)


async def _device(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    code = await devices.approved(ada.device, ada.signed_in.client)
    return lambda: devices.poll(ada.device, code)


async def _session(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    return lambda: calls.whoami(ada.signed_in.client)


async def _token(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    return lambda: calls.whoami(ada.signed_in.person.client)


async def _link(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    link = await links.link(admin, ada.signed_in.person.client)
    return link.begin


async def _ceremony(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    begun = await ceremonies.begin(admin, ada.user_id)
    return lambda: begun.verify(by=begun.token_holder)


async def _ceremony_for_another(admin: Client, ada: _Ada) -> Callable[[], Awaitable[Any]]:
    await calls.grant(admin, ada.user_id, pb.ROLE_ORG_USER_MANAGER)
    org_id = (await calls.get(admin, ada.user_id)).details.resource_owner
    other = await given.user(admin, org_id=org_id)
    begun = await ceremonies.begin(ada.signed_in.client, other.user_id)
    return lambda: begun.verify(by=begun.token_holder)


@pytest.mark.parametrize(
    ("given_of", "reason"),
    [
        (_session, "UNAUTHENTICATED"),
        (_token, "UNAUTHENTICATED"),
        (_code, "INVALID_GRANT"),
        (_refresh_token, "INVALID_GRANT"),
        (_access_token, "INVALID_TOKEN"),
        (_device, "INVALID_GRANT"),
        (_link, "UNAUTHENTICATED"),
        (_ceremony, "UNAUTHENTICATED"),
        (_ceremony_for_another, "UNAUTHENTICATED"),
    ],
)
async def test_everything_by_which_the_user_acts_ends_and_does_not_return(
    admin: Client,
    ada: _Ada,
    given_of: Callable[[Client, _Ada], Awaitable[Callable[[], Awaitable[Any]]]],
    reason: str,
) -> None:
    use = await given_of(admin, ada)

    await calls.lock(admin, ada.user_id)
    refused = await given.refusal(use())
    await calls.unlock(admin, ada.user_id)

    assert refused.reason == reason
    assert await given.outcome(use()) == reason


async def test_grants_and_certificates_end_and_identities_and_passkeys_stay(
    admin: Client, owner: Client, ada: _Ada, instance: Instance, sql: asyncpg.Connection
) -> None:
    await flow.approved(ada.app, ada.signed_in.client)
    pem = Authority(instance.data_dir).certificate().pem
    await calls.create_certificate(admin, ada.user_id, pem)

    await calls.lock(owner, ada.user_id)

    assert not await applications.grants(owner, ada.user_id)
    assert await calls.tokens(owner, ada.user_id) == []
    assert len(await ceremonies.passkeys(owner, ada.user_id)) == 1
    other = await given.user(admin)
    assert await calls.create_certificate(admin, other.user_id, pem)
    types = [event["event_type"] for event in await given.logged(sql, ada.user_id)]
    assert types[-2:] == ["user.application_revoked", "user.locked"]


# A locked user learns of the lock, and nobody else.


async def test_a_locked_user_learns_of_the_lock_after_the_signature_of_its_passkey(
    admin: Client, ada: _Ada
) -> None:
    person = ada.signed_in.person
    await calls.lock(admin, ada.user_id)
    options = await sessions.start(admin)
    right = person.assertion(options)
    wrong = {**right, "response": {**right["response"], "signature": "AAAA"}}

    refused = await _refusal(sessions.complete(admin, wrong))

    assert refused == (grpc.StatusCode.UNAUTHENTICATED, "SIGN_IN_FAILED")
    assert await _refusal(sessions.complete(admin, right)) == _REFUSED


async def test_a_locked_user_learns_of_the_lock_after_the_answer_of_its_provider(
    relying: Instance, provider: Provider
) -> None:
    site = await signins.site(relying, provider)
    user_id = (await site.sign_in()).answer.user_id

    await calls.lock(site.owner, user_id)

    assert await _refusal(site.sign_in()) == _REFUSED
    await calls.unlock(site.owner, user_id)
    assert (await site.sign_in()).answer.user_id == user_id


async def test_a_locked_user_learns_of_the_lock_by_a_mailed_recovery_link(
    recovering: Instance,
) -> None:
    async with given.sql(recovering.dsn) as rows:
        recoveries = Recoveries(recovering, rows)
        person = await recoveries.person()
        await calls.lock(recovering.admin, person.user_id)

        link = await recoveries.recovery(person)

        assert await _refusal(link.check()) == _REFUSED
        assert await _refusal(link.begin()) == _REFUSED


@pytest.mark.parametrize(
    "make",
    [
        lambda admin, user: calls.create_token(admin, user.user_id),
        links.create,
        lambda admin, user: ceremonies.begin(admin, user.user_id),
        lambda admin, user: admin.call(
            admin.passkeys.CheckPasskeyRegistration,
            passkey_pb.CheckPasskeyRegistrationRequest(user_id=user.user_id),
        ),
    ],
    ids=["token", "link", "ceremony", "preview of a ceremony"],
)
async def test_nobody_makes_credentials_for_a_locked_user(
    admin: Client, make: Callable[[Client, Client], Awaitable[Any]]
) -> None:
    user = await given.user(admin)
    await calls.lock(admin, user.user_id)

    assert await _refusal(make(admin, user)) == _REFUSED


async def test_nobody_locks_itself_or_a_user_with_more_permissions(
    admin: Client, owner: Client, org_id: str
) -> None:
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])

    itself = await given.refusal(calls.lock(manager, manager.user_id))
    above = await given.refusal(calls.lock(manager, owner.user_id))
    await calls.lock(owner, manager.user_id)
    unlock = await given.refusal(calls.unlock(manager, manager.user_id))

    assert itself.reason == "CANNOT_LOCK_YOURSELF"
    assert above.code is grpc.StatusCode.PERMISSION_DENIED
    assert unlock.code is grpc.StatusCode.UNAUTHENTICATED
    assert (await given.refusal(calls.lock(owner, "none"))).code is (
        grpc.StatusCode.PERMISSION_DENIED
    )


async def test_a_reason_has_no_control_characters(admin: Client) -> None:
    user = await given.user(admin)

    refused = await given.refusal(calls.lock(admin, user.user_id, reason="a\nb"))

    assert list(refused.violations) == ["reason"]


async def test_of_two_instance_owners_who_lock_each_other_one_remains(
    make_instance: MakeInstance,
) -> None:
    async with (
        make_instance() as here,
        make_instance(dsn=here.dsn, data_dir=here.data_dir) as there,
    ):
        one = here.admin
        for _ in range(_ROUNDS):
            other = await given.user(one, roles=[pb.ROLE_INSTANCE_OWNER])

            ended = await asyncio.gather(
                calls.lock(one, other.user_id),
                calls.lock(there.admin.with_token(other.token, other.user_id), one.user_id),
                return_exceptions=True,
            )

            done = [not isinstance(each, BaseException) for each in ended]
            assert sorted(done) == [False, True]
            remaining, locked = (one, other) if done[0] else (other, one)
            await calls.remove(remaining, locked.user_id)
            one = here.admin.with_token(remaining.token, remaining.user_id)


async def test_no_approval_outlives_a_lock_that_it_meets(
    elsewhere: Client, admin: Client, ada: _Ada, sql: asyncpg.Connection
) -> None:
    for _ in range(_ROUNDS):
        signed_in = await ada.signed_in.person.sign_in()
        requests = [await flow.sealed(ada.app) for _ in range(3)]

        *approved, locked = await asyncio.gather(
            *(flow.approve(signed_in.client, each) for each in requests),
            calls.lock(elsewhere, ada.user_id),
            return_exceptions=True,
        )

        assert isinstance(locked, pb.LockUserResponse)
        left = await sql.fetchval(
            "select count(*) from oauth_authorizations where user_id = $1", ada.user_id
        )
        grants = await sql.fetchval(
            "select count(*) from application_grants where user_id = $1", ada.user_id
        )
        assert (left, grants) == (0, 0), approved
        await calls.unlock(admin, ada.user_id)
