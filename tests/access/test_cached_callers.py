"""Methods that check their caller anew for each of their writes (`rpc/declared.py`).

Their caller comes from the cache, so another process can have ended its rights.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.options.v1 import options_pb2
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import token_hash
from server.wiring.services import OBJECTS
from tests.application import calls as applications
from tests.group import calls as groups
from tests.idp import calls as idps
from tests.idp import mail_domains, signins
from tests.idp import oidc_calls as oidc
from tests.moving import people
from tests.org import brand_calls as brands
from tests.org import calls as orgs
from tests.org import mail_text_calls as mail_texts
from tests.passkey import ceremonies, invites, links
from tests.passkey.ceremonies import Begun, begin
from tests.push import calls as pushes
from tests.session import sessions
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.user import attribute_calls as attributes
from tests.user import calls as users


@dataclass(frozen=True)
class Objects:
    """The objects that the methods change. None is the caller."""

    org_id: str
    empty_org_id: str
    idp_id: str
    user_id: str
    begun: Begun
    certificate: str
    group_id: str
    attribute_id: str
    mail_domain_id: str
    member_id: str
    application_id: str
    secret_id: str
    locked_id: str
    subscription_id: str
    rotated_id: str
    push_secret_id: str
    token_id: str
    passkey_id: str
    session_id: str


Write: TypeAlias = Callable[[Client, Objects], Awaitable[object]]

WRITES: dict[str, Write] = {
    "CreateIDP": lambda client, _objects: idps.add(client),
    "UpdateIDP": lambda client, objects: idps.update(client, objects.idp_id, name="Changed"),
    "PatchIDP": lambda client, objects: idps.patch(
        client, objects.idp_id, ["name"], name="Changed"
    ),
    "SetOIDCConfig": lambda client, objects: oidc.set_config(client, objects.idp_id),
    "AddSMTPConfig": lambda client, _objects: smtp.add(client),
    "UpdateSMTPConfig": lambda client, _objects: smtp.update(
        client,
        smtp_pb.UpdateSMTPConfigRequest(
            sender_address="changed@example.com",
            sender_name="Changed",
            tls=True,
            host="smtp.example.com:587",
            password="",
        ),
    ),
    "UpdateSMTPConfigPassword": lambda client, _objects: smtp.update_password(client, "changed"),
    "SetSMTPOAuth": lambda client, _objects: smtp.set_oauth(client),
    "RemoveSMTPOAuth": lambda client, _objects: smtp.remove_oauth(client),
    "RemoveSMTPConfig": lambda client, _objects: smtp.remove(client),
    "RemoveIDP": lambda client, objects: idps.remove(client, objects.idp_id),
    "RemoveOIDCConfig": lambda client, objects: oidc.remove(client, objects.idp_id),
    "CreateOrganization": lambda client, _objects: given.organization(client),
    "SetBrand": lambda client, objects: brands.set_brand(client, objects.org_id, name="Changed"),
    "SetInstanceBrand": lambda client, _objects: brands.set_instance_brand(client, name="Changed"),
    "SetMailText": lambda client, _objects: mail_texts.set_text(client, title="Changed"),
    "RemoveMailText": lambda client, _objects: mail_texts.remove(client),
    "RetryMail": lambda client, objects: client.call(
        client.mails.RetryMail, mail_pb.RetryMailRequest(mail_id=objects.user_id)
    ),
    "RetryDelivery": lambda client, objects: pushes.retry(client, objects.user_id),
    "PatchOrganization": lambda client, objects: orgs.patch(
        client, objects.org_id, allows_mail_recovery=True
    ),
    "RemoveOrganization": lambda client, objects: orgs.remove(client, objects.empty_org_id),
    "CreateGroup": lambda client, _objects: groups.add(client),
    "PatchGroup": lambda client, objects: groups.patch(
        client, objects.group_id, ["name"], name="changed"
    ),
    "RemoveGroup": lambda client, objects: groups.remove(client, objects.group_id),
    "ImportUsers": lambda client, _objects: people.send(client, people.user()),
    "CreateAttributeDefinition": lambda client, _objects: attributes.create(client),
    "PatchAttributeDefinition": lambda client, objects: attributes.patch(
        client, objects.attribute_id, ["display_name"], display_name="changed"
    ),
    "RemoveAttributeDefinition": lambda client, objects: attributes.remove(
        client, objects.attribute_id
    ),
    "CreateMailDomain": lambda client, _objects: mail_domains.create(client),
    "PatchMailDomain": lambda client, objects: mail_domains.patch(
        client, objects.mail_domain_id, idp_id=objects.idp_id
    ),
    "RemoveMailDomain": lambda client, objects: mail_domains.remove(client, objects.mail_domain_id),
    "AddGroupMember": lambda client, objects: groups.add_member(
        client, objects.group_id, client.user_id
    ),
    "RemoveGroupMember": lambda client, objects: groups.remove_member(
        client, objects.group_id, objects.member_id
    ),
    "CreateApplication": lambda client, _objects: applications.add(client),
    "PatchApplication": lambda client, objects: applications.patch(
        client, objects.application_id, name="Changed"
    ),
    "RemoveApplication": lambda client, objects: applications.remove(
        client, objects.application_id
    ),
    "CreateApplicationSecret": lambda client, objects: applications.create_secret(
        client, objects.application_id
    ),
    "RemoveApplicationSecret": lambda client, objects: applications.remove_secret(
        client, objects.application_id, objects.secret_id
    ),
    "CreateSubscription": lambda client, _objects: pushes.add(client),
    "PatchSubscription": lambda client, objects: pushes.patch(
        client, objects.subscription_id, name="Changed"
    ),
    "RemoveSubscription": lambda client, objects: pushes.remove(client, objects.subscription_id),
    "CreateSubscriptionSecret": lambda client, objects: pushes.create_secret(
        client, objects.subscription_id
    ),
    "RemoveSubscriptionSecret": lambda client, objects: pushes.remove_secret(
        client, objects.rotated_id, objects.push_secret_id
    ),
    "CreateUser": lambda client, _objects: users.create(client),
    "PatchUser": lambda client, objects: users.patch(
        client, objects.user_id, ["email"], email="changed@example.com"
    ),
    "CancelEmailChange": lambda client, objects: client.call(
        client.users.CancelEmailChange, user_pb.CancelEmailChangeRequest(user_id=objects.user_id)
    ),
    "RemoveUser": lambda client, objects: users.remove(client, objects.user_id),
    "LockUser": lambda client, objects: users.lock(client, objects.user_id),
    "UnlockUser": lambda client, objects: users.unlock(client, objects.locked_id),
    "GrantRole": lambda client, objects: users.grant(
        client, objects.user_id, user_pb.ROLE_ORG_OWNER
    ),
    "RevokeRole": lambda client, objects: users.revoke(
        client, objects.member_id, user_pb.ROLE_ORG_OWNER
    ),
    "RevokeToken": lambda client, objects: users.revoke_token(
        client, objects.user_id, objects.token_id
    ),
    "CreateToken": lambda client, objects: users.create_token(client, objects.user_id),
    "CreateCertificate": lambda client, objects: users.create_certificate(
        client, objects.user_id, objects.certificate
    ),
    "InviteUsers": lambda client, objects: invites.send(client, objects.user_id),
    "CreateWorkloadCredential": lambda client, objects: users.create_workload_credential(
        client, objects.user_id, users.workload(objects.user_id)
    ),
    "CreatePasskeyRegistrationLink": lambda client, objects: links.create(client, objects.user_id),
    "RegisterPasskey": lambda client, objects: begin(client, objects.user_id),
    "VerifyPasskeyRegistration": lambda client, objects: objects.begun.verify(by=client),
    "RenamePasskey": lambda client, objects: ceremonies.rename(
        client, objects.passkey_id, "Changed", objects.user_id
    ),
    "RemovePasskey": lambda client, objects: ceremonies.remove(
        client, objects.passkey_id, objects.user_id
    ),
    "UnlinkIDP": lambda client, objects: signins.unlink(client, objects.user_id, objects.user_id),
    "EndSession": lambda client, objects: sessions.end(client, objects.session_id, objects.user_id),
    "EndSessions": lambda client, objects: sessions.end_all(client, objects.user_id),
    "RevokeGrant": lambda client, objects: client.call(
        client.applications.RevokeGrant,
        application_pb.RevokeGrantRequest(
            user_id=objects.user_id, application_id=objects.application_id
        ),
    ),
}
# The ends of a caller's rights, as SQL of its user ID and the hash of its token.
UNAUTHENTICATED, DENIED = grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED
ENDS_OF_TOKENS = {
    "revoked": ("delete from tokens where user_id = $1 and hash = $2", UNAUTHENTICATED),
    "expired": (
        "update tokens set expires_at = now() where user_id = $1 and hash = $2",
        UNAUTHENTICATED,
    ),
    "role revoked": (
        "update users set roles = '{}' where id = $1 and $2::bytea is not null",
        DENIED,
    ),
}
ENDS_OF_SESSIONS = {
    "ended": ("delete from sessions where user_id = $1 and hash = $2", UNAUTHENTICATED),
    "expired": (
        "update sessions set expires_at = now() where user_id = $1 and hash = $2",
        UNAUTHENTICATED,
    ),
    "another token": (
        "update sessions set hash = '' where user_id = $1 and hash = $2",
        UNAUTHENTICATED,
    ),
    "role revoked": ENDS_OF_TOKENS["role revoked"],
}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority of the client certificates."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def admin(file_instance: Instance) -> Client:
    """The administrator of that server."""
    return file_instance.admin


@pytest.fixture
async def sql(file_instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection that changes the database of that server directly."""
    async with given.sql(file_instance.dsn) as connection:
        yield connection


@pytest.fixture(scope="module")
async def org_id(file_instance: Instance) -> str:
    """The organization of the callers."""
    return await given.organization(file_instance.admin)


@pytest.fixture
async def owner(admin: Client, org_id: str) -> Client:
    """A user with the role of instance owner, and its token."""
    return await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_INSTANCE_OWNER])


@pytest.fixture(scope="module")
async def objects(file_instance: Instance, org_id: str, authority: Authority) -> Objects:
    """The objects of refused writes, which do not change them."""
    return await _new_objects(file_instance, org_id, authority)


# Writes that leave an object that no other write can change. The next test has new objects.
_ENDS = ("Remove", "Revoke", "Unlink", "End", "Verify")


@pytest.fixture(scope="module")
def kept() -> list[Objects]:
    """The objects that the next test may change."""
    return []


@pytest.fixture
async def own_objects(
    request: pytest.FixtureRequest,
    file_instance: Instance,
    org_id: str,
    authority: Authority,
    sql: asyncpg.Connection,
    kept: list[Objects],
) -> AsyncIterator[Objects]:
    """Objects that the test may change."""
    objects = kept.pop() if kept else await _new_objects(file_instance, org_id, authority)
    yield objects
    write = request.node.callspec.params["write"] if hasattr(request.node, "callspec") else _ENDS[0]
    if not write.startswith(_ENDS):
        kept.append(objects)
        return
    # An organization has at most 100, and at most 50.
    await sql.execute("delete from attribute_definitions where id = $1", objects.attribute_id)
    await sql.execute("delete from mail_domains where owner = $1", objects.org_id)
    await sql.execute(
        "delete from push_subscriptions where id = any($1)",
        [objects.subscription_id, objects.rotated_id],
    )


# With the ID of the user $1, because of its other objects few tests need one: a link to the
# provider $2, a grant to the application $3, a mail, and a delivery in the organization $4.
_ADD_ROWS = """
with link as (
    insert into idp_links (user_id, link_id, idp_id, issuer, subject, sequence, creation_date,
        change_date)
    values ($1, $1, $2, 'https://idp.example', 'ada', 1, now(), now())),
grant_ as (
    insert into application_grants (user_id, application_id, scopes, sequence, creation_date,
        change_date)
    values ($1, $3, '{openid}', 1, now(), now())),
mail as (
    insert into mails (mail_id, kind, user_id, recipient_address, recipient_name, reference,
        parameters, has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at,
        created_at, ended_at)
    values ($1, 'passkey_added', $1, 'ada@example.com', '', '', '{}', false, 'example.com',
        'failed', now(), now(), now(), now(), now()))
insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
    position, payload, state, next_attempt_at, due_at, give_up_at, created_at, ended_at)
values ($1, $1, 'webhook', $4, $1, 'group.changed', 1, '{}', 'failed', now(), now(), now(), now(),
    now())"""


async def _new_objects(instance: Instance, org_id: str, authority: Authority) -> Objects:
    """New objects; all but the user are in the callers' organization."""
    admin = instance.admin
    user = await given.user(admin)
    session = await (await sessions.with_passkey(user)).sign_in()
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, owner.user_id)
    application_id = await applications.application(owner)
    locked = await given.user(admin, org_id=org_id)
    await users.lock(admin, locked.user_id)
    rotated_id = await pushes.subscription(owner, name="Rotated")
    idp = await admin.call(
        admin.idps.CreateIDP, idp_pb.CreateIDPRequest(name="Provider"), x_service_orgid=org_id
    )
    await oidc.set_config(owner, idp.idp_id)
    async with given.sql(instance.dsn) as sql:
        await sql.execute(_ADD_ROWS, user.user_id, idp.idp_id, application_id, org_id)
    return Objects(
        org_id=org_id,
        empty_org_id=await given.organization(admin),
        idp_id=idp.idp_id,
        user_id=user.user_id,
        begun=await begin(admin, user.user_id),
        certificate=authority.certificate().pem,
        group_id=group_id,
        attribute_id=(await attributes.create(owner)).attribute_id,
        mail_domain_id=(await mail_domains.create(owner)).mail_domain_id,
        member_id=owner.user_id,
        application_id=application_id,
        secret_id=(await applications.create_secret(owner, application_id)).secret_id,
        locked_id=locked.user_id,
        subscription_id=await pushes.subscription(owner),
        rotated_id=rotated_id,
        push_secret_id=(await pushes.create_secret(owner, rotated_id)).secret_id,
        token_id=(await users.create_token(admin, user.user_id)).token_id,
        passkey_id=session.person.passkey_id,
        session_id=session.session_id,
    )


@pytest.fixture(params=WRITES)
async def write(request: pytest.FixtureRequest, admin: Client, sql: asyncpg.Connection) -> Write:
    """One of the writes. If it changes or needs the SMTP configuration, one is set."""
    if request.param in ("InviteUsers", "SetSMTPOAuth", "RemoveSMTPOAuth"):
        with contextlib.suppress(grpc.aio.AioRpcError):  # one is set
            await smtp.add(admin)
    if request.param == "RemoveSMTPOAuth":
        await smtp.set_oauth(admin)
    if request.param == "RemoveMailText":
        await mail_texts.set_text(admin, title="Welcome")
    if "SMTPConfig" in request.param:
        await sql.execute("delete from smtp_configs")
        if request.param != "AddSMTPConfig":
            await smtp.add(admin)
    return WRITES[request.param]


# Their results depend on the caller, so they look it up instead of repeating a call that failed.
_OF_MANY = {"LockUsers", "UnlockUsers", "RemoveUsers", "AddGroupMembers"}
# They need a session of the user itself, which no caller of these tests is.
_BY_OWN_SESSION = {"RequestEmailChange", "ConfirmEmailChange"}


def test_all_methods_that_check_their_caller_are_here() -> None:
    """They are all that write, but for those that send messages, of many users, or by the user."""
    assert OBJECTS  # has imported all services
    services = {
        service
        for name, module in sys.modules.items()
        if name.startswith("server.") and name.endswith("service")
        for service in vars(module).values()
        if isinstance(service, type)
    }
    marked = {
        name
        for service in services
        for name, method in vars(service).items()
        if getattr(method, "checks_caller", False)
    }

    assert marked == set(WRITES)
    assert marked == {
        method.name
        for method in given.METHODS
        for options in [method.GetOptions()]
        if options.Extensions[options_pb2.access].permission.endswith(".write")
        and options.idempotency_level != options.NO_SIDE_EFFECTS
        and not options.Extensions[options_pb2.acts_outside]
        and method.name not in _OF_MANY | _BY_OWN_SESSION
    }


async def test_a_cached_caller_whose_rights_have_ended_writes_nothing(
    write: Write, owner: Client, objects: Objects, sql: asyncpg.Connection
) -> None:
    session = (await (await sessions.with_passkey(owner)).sign_in()).client
    second = owner.with_token(await given.token(owner, owner.user_id), owner.user_id)

    await _refuses(write, *ENDS_OF_SESSIONS["ended"], session, objects, sql)
    await _refuses(write, *ENDS_OF_TOKENS["revoked"], second, objects, sql)
    await _refuses(write, *ENDS_OF_TOKENS["role revoked"], owner, objects, sql)


# A write for each way to check the caller: IS_ADMITTED, IS_ADMITTED_LOCKED, `check_admitted`,
# `admission.check_caller` and `admission.lock_user`.
_CHECKS = ["PatchGroup", "UpdateIDP", "EndSession", "CreateUser", "CreateToken"]


@pytest.mark.parametrize("write", _CHECKS, indirect=True)
async def test_a_cached_caller_whose_token_has_expired_writes_nothing(
    write: Write, owner: Client, objects: Objects, sql: asyncpg.Connection
) -> None:
    await _refuses(write, *ENDS_OF_TOKENS["expired"], owner, objects, sql)


@pytest.mark.parametrize("write", _CHECKS, indirect=True)
@pytest.mark.parametrize("end", ENDS_OF_SESSIONS)
async def test_a_cached_caller_whose_session_has_no_rights_any_more_writes_nothing(
    write: Write, end: str, owner: Client, objects: Objects, sql: asyncpg.Connection
) -> None:
    signed_in = await (await sessions.with_passkey(owner)).sign_in()

    await _refuses(write, *ENDS_OF_SESSIONS[end], signed_in.client, objects, sql)


# Those that lock their object before they check their caller. Others make an object, check by
# their only statement, or lock the caller first, so that its end waits for them.
_AFTER_THEIR_OBJECT = [
    *("UpdateIDP", "PatchIDP", "SetOIDCConfig", "PatchOrganization", "PatchGroup"),
    *("AddGroupMember", "PatchApplication", "RemoveApplication", "CreateApplicationSecret"),
    *("RemoveApplicationSecret", "CreateSubscription", "PatchSubscription", "RemoveSubscription"),
    *("CreateSubscriptionSecret", "RemoveSubscriptionSecret", "SetBrand", "SetInstanceBrand"),
    *("RemoveUser", "LockUser", "RevokeRole", "RevokeToken", "RenamePasskey", "RemovePasskey"),
    *("EndSession", "EndSessions", "UnlinkIDP", "RevokeGrant", "RemoveIDP", "RemoveOIDCConfig"),
    *("PatchMailDomain", "RemoveMailDomain", "SetMailText"),
]
_OBJECTS = (
    "organizations",
    "idps",
    "mail_domains",
    "applications",
    "push_subscriptions",
    "users",
    "groups",
)


@pytest.mark.parametrize("name", _AFTER_THEIR_OBJECT)
@pytest.mark.parametrize("end", ["revoked", "role revoked"])
async def test_a_write_that_waits_for_its_object_notices_the_end_of_its_caller(
    name: str,
    end: str,
    file_instance: Instance,
    owner: Client,
    objects: Objects,
    sql: asyncpg.Connection,
) -> None:
    change, code = ENDS_OF_TOKENS[end]
    member = await given.user(file_instance.admin, org_id=objects.org_id)
    await users.whoami(owner)
    async with given.sql(file_instance.dsn) as holder, holder.transaction():
        # AddGroupMember locks the group by an earlier statement, and waits for the user.
        for table in _OBJECTS[:-1] if name == "AddGroupMember" else _OBJECTS:
            locked = f"select from {table} where id <> $1 for no key update"
            await holder.execute(locked, owner.user_id)
        write = (
            groups.add_member(owner, objects.group_id, member.user_id)
            if name == "AddGroupMember"  # not the caller itself, whose row its end needs
            else WRITES[name](owner, objects)
        )
        made = asyncio.ensure_future(given.refusal(write))
        await given.waiting_for_a_lock(sql)
        async with sql.transaction():
            await sql.execute("select from users where id = $1 for update", owner.user_id)
            await sql.execute(change, owner.user_id, token_hash(owner.token))

    assert (await made).code is code
    assert await _events(sql, owner) == 0


async def test_a_cached_instance_owner_takes_no_certificate_of_a_service_after_the_role(
    owner: Client, objects: Objects, sql: asyncpg.Connection
) -> None:
    """To itself, it may add only one whose key it has."""

    def write(client: Client, objects: Objects) -> Awaitable[object]:
        return users.create_certificate(client, client.user_id, objects.certificate)

    end, _ = ENDS_OF_TOKENS["role revoked"]
    await _refuses(write, end, grpc.StatusCode.FAILED_PRECONDITION, owner, objects, sql)


async def test_a_cached_caller_uses_a_role_at_once_that_another_process_granted(
    write: Write,
    admin: Client,
    owner: Client,
    own_objects: Objects,
    sql: asyncpg.Connection,
) -> None:
    await users.revoke(admin, owner.user_id, user_pb.ROLE_INSTANCE_OWNER)
    await users.whoami(owner)  # it is cached without the role
    await sql.execute("update users set roles = '{INSTANCE_OWNER}' where id = $1", owner.user_id)

    await write(owner, replace(own_objects, empty_org_id=await given.organization(admin)))


async def test_a_repeated_call_of_a_token_that_was_revoked_gets_no_answer(
    owner: Client, own_objects: Objects, sql: asyncpg.Connection
) -> None:
    key = str(uuid4())

    def write(client: Client, objects: Objects) -> Awaitable[object]:
        request = idp_pb.UpdateIDPRequest(idp_id=objects.idp_id, name="Changed")
        return client.call(client.idps.UpdateIDP, request, x_idempotency_key=key)

    await write(owner, own_objects)

    await _refuses(write, *ENDS_OF_TOKENS["revoked"], owner, own_objects, sql)


async def test_a_failed_attempt_of_a_token_that_was_revoked_is_not_counted(
    owner: Client, own_objects: Objects, sql: asyncpg.Connection
) -> None:
    def attempt(client: Client, objects: Objects) -> Awaitable[object]:
        return objects.begun.verify(objects.begun.credential(up=False), by=client)

    await _refuses(attempt, *ENDS_OF_TOKENS["revoked"], owner, own_objects, sql)

    counted = "select attempts from passkey_ceremonies where passkey_id = $1"
    assert await sql.fetchval(counted, own_objects.begun.passkey_id) == 0


async def test_a_failed_attempt_is_counted_once(
    owner: Client, own_objects: Objects, sql: asyncpg.Connection
) -> None:
    await users.whoami(owner)  # it is cached

    await given.refusal(own_objects.begun.verify(own_objects.begun.credential(up=False), by=owner))

    counted = "select attempts from passkey_ceremonies where passkey_id = $1"
    assert await sql.fetchval(counted, own_objects.begun.passkey_id) == 1


async def _refuses(
    write: Write,
    end: str,
    code: grpc.StatusCode,
    caller: Client,
    objects: Objects,
    sql: asyncpg.Connection,
) -> None:
    """Ends the rights of a cached caller in the database, and makes sure that it writes nothing."""
    await users.whoami(caller)
    written = await _events(sql, caller)
    assert await sql.execute(end, caller.user_id, token_hash(caller.token)) in {
        "DELETE 1",
        "UPDATE 1",
    }

    refused = await given.refusal(write(caller, objects))

    assert refused.code is code
    assert await _events(sql, caller) == written


async def _events(sql: asyncpg.Connection, caller: Client) -> int:
    return await sql.fetchval("select count(*) from events where creator = $1", caller.user_id)
