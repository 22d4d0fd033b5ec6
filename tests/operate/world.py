"""Every command that writes an event, with valid values that a seed chooses."""

import contextlib
import inspect
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import grpc

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.push.v1 import push_service_pb2 as push_pb
from keystead.user.v1 import user_import_pb2 as import_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.group import calls as groups
from tests.idp import calls as idps
from tests.idp import signins
from tests.idp.oidc_calls import LOGO
from tests.moving import people
from tests.oauth import flow
from tests.org import calls as orgs
from tests.org.brand_calls import FIELDS, set_brand, set_instance_brand
from tests.org.mail_text_calls import remove, set_text
from tests.passkey import ceremonies, invites, links
from tests.push import calls as pushes
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider
from tests.user import attribute_calls as attributes
from tests.user import calls as users

MAX_SESSIONS = 3
# Of people: a user with only a role of services may do nothing else.
_OF_SERVICES = {user_pb.ROLE_SESSION_VERIFIER, user_pb.ROLE_GATE}
_AUDITOR, _HELP_DESK = user_pb.ROLE_ORG_AUDITOR, user_pb.ROLE_ORG_HELP_DESK
_ROLES = [role for role in user_pb.Role.values()[1:] if role not in _OF_SERVICES]


def settings_of_world(authority: Authority) -> dict[str, Any]:
    """The settings of the server, whose users sign in with a provider of this authority."""
    return {
        "max_passkeys_per_user": 1000,
        "max_sessions_per_user": MAX_SESSIONS,
        **signins.settings_for(authority),
    }


def chooser(seed: int) -> random.Random:
    """The same choices for the same seed."""
    return random.Random(seed)  # noqa: S311 -- not for cryptography


@dataclass
class World:
    """The objects that commands have created, from which further commands choose."""

    instance: Instance
    choose: random.Random
    # The provider of sign-ins; None: no sign-in by a provider.
    provider: Provider | None = None
    org_ids: list[str] = field(default_factory=list)
    users: list[Client] = field(default_factory=list)
    idp_ids: list[str] = field(default_factory=list)
    group_ids: list[str] = field(default_factory=list)
    attribute_id: str = ""
    application_ids: list[str] = field(default_factory=list)
    subscription_ids: list[str] = field(default_factory=list)
    passkeys: list[tuple[Client, str]] = field(default_factory=list)
    sessions: list[SignedIn] = field(default_factory=list)

    @property
    def admin(self) -> Client:
        return self.instance.admin

    def a(self, things: list[Any]) -> Any:
        return self.choose.choice(things)

    async def add_organization(self) -> None:
        self.org_ids.append(await given.organization(self.admin))

    async def set_brand(self) -> None:
        await set_instance_brand(self.admin, **FIELDS)
        if self.org_ids:
            name = f"Brand {self.choose.random()}"
            await set_brand(self.admin, self.a(self.org_ids), **{**FIELDS, "name": name})

    async def set_mail_texts(self) -> None:
        """Sets a text of the instance and those of an organization, and removes one of these."""
        kinds = ("passkey_invitation", "passkey_added")
        texts = [f"{kind}.{language}" for kind in kinds for language in ("en", "de")]
        await set_text(self.admin, self.a(texts), title=f"Title {self.choose.random()}")
        if self.org_ids:
            org_id = self.a(self.org_ids)
            for each in texts:
                await set_text(self.admin, each, org_id=org_id, subject="Own")
            await remove(self.admin, self.a(texts), org_id=org_id)

    async def add_user(self) -> None:
        if self.org_ids:
            self.users.append(await given.user(self.admin, org_id=self.a(self.org_ids)))

    async def add_user_of_a_name_used_before(self) -> None:
        """Removes a user and creates one with the same name in the same organization."""
        if self.org_ids:
            org_id, name = self.a(self.org_ids), f"name-{self.choose.random()}"
            first = await given.user(self.admin, org_id=org_id, name=name)
            await users.remove(self.admin, first.user_id)
            self.users.append(await given.user(self.admin, org_id=org_id, name=name.upper()))

    async def patch_user(self) -> None:
        if self.users:
            user, mask = self.a(self.users), self.a([["display_name"], ["email"], ["*"]])
            address = f"{self.choose.random()}@example.com"
            await users.patch(self.admin, user.user_id, mask, display_name="Ada", email=address)

    async def grant_role(self) -> None:
        if self.users:
            role = self.a(_ROLES)
            await users.grant(self.admin, self.a(self.users).user_id, role, end_foreign=True)

    async def grant_roles_that_end(self) -> None:
        """The end of one role was changed."""
        if self.users:
            user_id = self.a(self.users).user_id
            for role, days in ((_AUDITOR, 1), (_HELP_DESK, 1), (_HELP_DESK, 2)):
                ends = datetime.now(UTC) + timedelta(days=days)
                await users.grant(self.admin, user_id, role, end_foreign=True, expires_at=ends)

    async def remove_organization(self) -> None:
        """One whose objects were removed with it."""
        org_id = await given.organization(self.admin)
        owner = await given.user(self.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
        await groups.group(owner)
        await given.idp(owner)
        await applications.application(owner)
        await pushes.subscription(owner)
        await attributes.create(owner)
        await set_brand(self.admin, org_id, **FIELDS)
        await set_text(self.admin, org_id=org_id, subject="Own")
        await users.remove(self.admin, owner.user_id)
        await orgs.remove(self.admin, org_id)

    async def rename_organization(self) -> None:
        if self.org_ids:
            await orgs.patch(self.admin, self.a(self.org_ids), name=f"Org {uuid4()}")

    async def lock_and_unlock_users(self) -> None:
        """Locks a user with a grant, a certificate and a session, and one who is unlocked."""
        audience = application_pb.APPLICATION_AUDIENCE_ALL
        app = await flow.app(self.admin, audience=audience)
        for unlocks in (False, True):
            person = await sessions.person(self.admin)
            await flow.approved(app, (await person.sign_in()).client)
            await users.create_certificate(self.admin, person.user_id, self._certificate())
            await users.lock(self.admin, person.user_id, reason="The laptop was stolen.")
            if unlocks:
                await users.unlock(self.admin, person.user_id)
                await person.sign_in()

    async def grant_session_verifier(self) -> None:
        if self.org_ids:
            user = await given.user(self.admin, org_id=self.a(self.org_ids))
            await users.grant(self.admin, user.user_id, user_pb.ROLE_SESSION_VERIFIER)

    async def grant_role_above_makers(self) -> None:
        """Ends the objects that a manager made for the user."""
        if self.org_ids:
            org_id, role = self.a(self.org_ids), user_pb.ROLE_ORG_USER_MANAGER
            manager = await given.user(self.admin, org_id=org_id, roles=[role])
            user = await given.user(manager, org_id=org_id)
            await users.create_token(user, user.user_id)
            await users.grant(self.admin, user.user_id, user_pb.ROLE_ORG_OWNER, end_foreign=True)

    async def revoke_role(self) -> None:
        if self.users:
            role = self.a(_ROLES)
            await users.revoke(self.admin, self.a(self.users).user_id, role)

    async def add_token(self) -> None:
        if self.users:
            await users.create_token(self.admin, self.a(self.users).user_id, name="another")

    async def revoke_token(self) -> None:
        if self.users:
            user_id = self.a(self.users).user_id
            created = await users.create_token(self.admin, user_id)
            await users.revoke_token(self.admin, user_id, created.token_id)

    async def create_certificate(self) -> None:
        if self.users:
            await users.create_certificate(
                self.admin, self.a(self.users).user_id, self._certificate()
            )

    async def create_workload_credential(self) -> None:
        if self.users:
            user_id = self.a(self.users).user_id
            await users.create_workload_credential(self.admin, user_id, users.workload(user_id))

    async def pass_on_a_certificate(self) -> None:
        """A revoked certificate becomes one of another user."""
        if self.users:
            pem, user_id = self._certificate(), self.a(self.users).user_id
            added = await users.create_certificate(self.admin, user_id, pem)
            await users.revoke_token(self.admin, user_id, added.token_id)
            await users.create_certificate(self.admin, self.a(self.users).user_id, pem)

    def _certificate(self) -> str:
        return Authority(self.instance.data_dir).certificate().pem

    async def add_passkey(self) -> None:
        if self.users:
            user = self.a(self.users)
            self.passkeys.append((user, (await ceremonies.register(user)).passkey_id))

    async def rename_passkey(self) -> None:
        if self.passkeys:
            user, passkey_id = self.a(self.passkeys)
            await ceremonies.rename(user, passkey_id, f"Renamed {self.choose.random()}")

    async def add_passkey_by_link(self) -> None:
        if self.users:
            user = self.a(self.users)
            await links.link(self.admin, user)
            begun = await (await links.link(self.admin, user)).register()
            self.passkeys.append((user, begun.passkey_id))

    async def remove_passkey(self) -> None:
        if self.passkeys:
            user, passkey_id = self.passkeys.pop()
            await ceremonies.remove(user, passkey_id, lost_or_stolen=True)

    async def sign_in(self) -> None:
        """Registers a further passkey and signs in; the removal of the passkey ends the session."""
        if self.users:
            person = await sessions.with_passkey(self.a(self.users), be=self.a([True, False]))
            self.passkeys.append((person.client, person.passkey_id))
            self.sessions.append(await person.sign_in(be=True, sign_count=self.a([0, 7])))

    async def sign_in_beyond_the_limit(self) -> None:
        if self.users:
            person = await sessions.with_passkey(self.a(self.users))
            self.passkeys.append((person.client, person.passkey_id))
            for _ in range(MAX_SESSIONS + 1):
                await person.sign_in()

    async def suspect_a_clone(self) -> None:
        if self.users:
            person = await sessions.with_passkey(self.a(self.users), sign_count=5)
            self.passkeys.append((person.client, person.passkey_id))
            await given.refusal(person.sign_in(sign_count=5))

    async def reauthenticate(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, IndexError):  # the session may have ended
            signed_in = self.a(self.sessions)
            options = await sessions.start_reauthentication(signed_in.client)
            credential = signed_in.person.assertion(options, sign_count=self.a([0, 9]))
            await sessions.reauthenticate(signed_in.client, credential)

    async def sign_out(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, IndexError):
            await sessions.sign_out(self.a(self.sessions).client)

    async def sign_out_everywhere(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, IndexError):
            keep_current = self.a([True, False])
            await sessions.end_all(self.a(self.sessions).client, keep_current=keep_current)

    async def _signed_in_with_a_provider(self) -> tuple[signins.Site, signins.Session] | None:
        """A new user by a new provider."""
        if self.provider is None:
            return None
        site = await signins.site(self.instance, self.provider)
        self.provider.speak_of(f"subject-{self.choose.random()}", auth_time=self.a([None, 1]))
        # Another writer may have changed the provider's answer meanwhile.
        with contextlib.suppress(grpc.aio.AioRpcError):
            return site, await site.sign_in()
        return None

    async def sign_in_with_a_provider(self) -> None:
        await self._signed_in_with_a_provider()

    async def import_users(self) -> None:
        """One of two users is removed; its ID moves in again, without anything else."""
        if self.provider is None:
            return
        site = await signins.site(self.instance, self.provider)
        group_id = await groups.group(site.owner)
        link = import_pb.ImportedIDPLink(idp=site.idp_id, subject="ada")
        moved = [
            people.user(passkeys=[people.passkey().message], groups=[group_id], idp_links=[link]),
            people.user(is_locked=True, lock_reason="left"),
        ]
        await people.send(site.owner, *moved)
        await users.remove(site.owner, moved[1].user_id)
        await people.send(site.owner, moved[1])

    async def unlink_a_provider(self) -> None:
        if signed_in := await self._signed_in_with_a_provider():
            site, session = signed_in
            [link] = await signins.links(site.owner, session.answer.user_id)
            await signins.unlink(site.owner, link.link_id, session.answer.user_id)

    async def map_claims_of_a_provider(self) -> None:
        """Groups that the provider gives and takes, and an attribute that nobody declared."""
        if self.provider is None or not (signed_in := await self._signed_in_with_a_provider()):
            return
        site, session = signed_in
        name = f"group-{self.choose.random()}"
        await groups.group(site.owner, name)
        rows = [
            idp_pb.IDPMapping(
                claim="groups", attribute=each, when=idp_pb.IDP_MAPPING_TIME_EVERY_SIGN_IN
            )
            for each in ("groups", "undeclared")
        ]
        await idps.patch(site.owner, site.idp_id, ["mappings"], mappings=rows)
        subject = (await signins.links(site.owner, session.answer.user_id))[0].subject
        for given_groups in ([name], []):
            self.provider.speak_of(subject, groups=given_groups)
            with contextlib.suppress(grpc.aio.AioRpcError):
                await site.sign_in()

    async def remove_a_provider_of_sessions(self) -> None:
        if signed_in := await self._signed_in_with_a_provider():
            site, _ = signed_in
            await idps.remove(site.owner, site.idp_id)

    async def remove_user(self) -> None:
        if self.users:
            user = self.a(self.users)
            await users.remove(self.admin, user.user_id)
            self.users.remove(user)
            self.passkeys = [(owner, key) for owner, key in self.passkeys if owner is not user]

    async def add_idp(self) -> None:
        styling_type = self.a([0, 1])
        self.idp_ids.append(await given.idp(self.admin, name="Added", styling_type=styling_type))

    async def update_idp(self) -> None:
        if self.idp_ids:
            name = f"Updated {self.choose.random()}"
            await idps.update(self.admin, self.a(self.idp_ids), name=name)

    async def patch_idp(self) -> None:
        if self.idp_ids:
            await idps.patch(
                self.admin, self.a(self.idp_ids), ["auto_register"], auto_register=True
            )

    async def remove_idp(self) -> None:
        if self.idp_ids:
            await idps.remove(self.admin, self.idp_ids.pop())

    async def add_group(self) -> None:
        self.group_ids.append(await groups.group(self.admin))

    async def patch_group(self) -> None:
        if self.group_ids:
            name = f"patched-{uuid4().hex}"
            await groups.patch(self.admin, self.a(self.group_ids), ["name"], name=name)

    async def add_group_of_a_name_used_before(self) -> None:
        """Renames a group and removes another one, and adds groups with their first names."""
        names = [uuid4().hex for _ in range(2)]
        renamed, removed = [await groups.group(self.admin, name) for name in names]
        await groups.patch(self.admin, renamed, ["name"], name=f"next-{names[0]}")
        await groups.remove(self.admin, removed)
        self.group_ids += [renamed, *[await groups.group(self.admin, name) for name in names]]

    async def declare_attribute(self) -> None:
        """Declares an attribute, which a user has, and removes the one before."""
        name = f"attribute-{uuid4().hex}"
        added = await attributes.create(self.admin, name)
        await attributes.patch(
            self.admin, added.attribute_id, ["display_name"], display_name="Attribute"
        )
        await users.patch(
            self.admin,
            self.admin.user_id,
            ["attributes", "email_verification", "given_name"],
            attributes=given.struct({name: "value"}),
            email_verification=user_pb.EMAIL_VERIFICATION_ADMINISTRATOR,
            given_name=name,
        )
        if self.attribute_id:
            await attributes.remove(self.admin, self.attribute_id)
        self.attribute_id = added.attribute_id

    async def _user_of_groups(self) -> str:
        """A new user in the organization of the groups."""
        mine = await groups.get(self.admin, self.a(self.group_ids))
        org_id = mine.details.resource_owner
        return (await given.user(self.admin, org_id=org_id)).user_id

    async def join_and_leave_groups(self) -> None:
        if self.group_ids:
            user_id, group_id = await self._user_of_groups(), self.a(self.group_ids)
            await groups.add_member(self.admin, group_id, user_id)
            await groups.remove_member(self.admin, group_id, user_id)
            await groups.add_member(self.admin, self.a(self.group_ids), user_id)

    async def remove_a_member(self) -> None:
        if self.group_ids:
            user_id = await self._user_of_groups()
            await groups.add_member(self.admin, self.a(self.group_ids), user_id)
            await users.remove(self.admin, user_id)

    async def remove_group(self) -> None:
        if self.group_ids:
            group_id = self.group_ids.pop()
            await groups.add_member(self.admin, group_id, self.admin.user_id)
            await groups.remove(self.admin, group_id)

    async def add_application(self) -> None:
        group_ids = self.group_ids[-1:]
        added = await applications.add(self.admin, allowed_groups=group_ids, logo=LOGO)
        self.application_ids.append(added.application_id)
        await applications.create_secret(self.admin, added.application_id)

    async def add_an_application_with_its_id(self) -> None:
        """The ID stays used after the removal."""
        application_id, secret = f"moved.in-{uuid4().hex}", f"{uuid4()}"
        await applications.add(self.admin, application_id=application_id, secret=secret)
        if self.choose.random() < 0.5:
            await applications.remove(self.admin, application_id)

    async def pass_on_an_origin(self) -> None:
        """An origin that one application gives up becomes one of another."""
        origins = [f"https://{uuid4().hex}.example" for _ in range(3)]
        kind = application_pb.APPLICATION_KIND_GATE
        first = await applications.application(
            self.admin, kind=kind, origins=origins[:2], gate_identity_headers=True
        )
        await applications.patch(self.admin, first, origins=origins[1:])
        self.application_ids.append(
            await applications.application(self.admin, kind=kind, origins=origins[:1])
        )

    async def patch_application(self) -> None:
        if self.application_ids:
            name, seconds = f"Patched {self.choose.random()}", self.a([60, 600])
            await applications.patch(
                self.admin,
                self.a(self.application_ids),
                name=name,
                access_token_lifetime_seconds=seconds,
                scopes=["openid", "groups"],
            )

    async def replace_a_secret(self) -> None:
        application_id = await applications.application(self.admin)
        created = await applications.create_secret(self.admin, application_id)
        await applications.create_secret(self.admin, application_id)
        await applications.remove_secret(self.admin, application_id, created.secret_id)

    async def replace_secrets_by_a_key(self) -> None:
        application_id = await applications.application(self.admin)
        await applications.create_secret(self.admin, application_id)
        method = application_pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT
        await applications.patch(
            self.admin,
            application_id,
            token_endpoint_auth_method=method,
            jwks=applications.JWKS,
        )

    async def trust_workloads(self) -> None:
        kind = application_pb.APPLICATION_KIND_SERVICE
        application_id = await applications.application(
            self.admin, kind=kind, workload_issuers=[applications.WORKLOADS]
        )
        subject = {**applications.WORKLOADS, "subject": "*", "claims": {"owner": "example"}}
        await applications.patch(self.admin, application_id, workload_issuers=[subject])
        self.application_ids.append(application_id)

    async def remove_application(self) -> None:
        if self.application_ids:
            await applications.remove(self.admin, self.application_ids.pop())

    async def grant_and_revoke_access(self) -> None:
        """Two applications get access to a new user, and one loses it, the other a part of it."""
        audience = application_pb.APPLICATION_AUDIENCE_ALL
        user = await sessions.signed_in(self.admin)
        apps = [await flow.app(self.admin, audience=audience) for _ in range(2)]
        for each in apps:
            await flow.approved(each, user.client)
        await applications.revoke_grant(user.client, apps[0].client_id)
        await applications.revoke_grant(user.client, apps[1].client_id, scopes=["profile"])

    async def add_subscription(self) -> None:
        types = self.a([[], ["user.added", "group.added"]])
        self.subscription_ids.append(await pushes.subscription(self.admin, event_types=types))

    async def patch_subscription(self) -> None:
        if self.subscription_ids:
            name = f"Patched {self.choose.random()}"
            subscription_id = self.a(self.subscription_ids)
            await pushes.patch(self.admin, subscription_id, ["name", "event_types"], name=name)

    async def replace_a_signing_secret(self) -> None:
        added = await pushes.add(self.admin)
        kind = self.a(push_pb.SecretKind.values())
        await pushes.create_secret(self.admin, added.subscription_id, kind)
        await pushes.remove_secret(self.admin, added.subscription_id, added.secret_id)
        self.subscription_ids.append(added.subscription_id)

    async def remove_subscription(self) -> None:
        if self.subscription_ids:
            await pushes.remove(self.admin, self.subscription_ids.pop())

    async def set_smtp(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError):  # one is set
            await smtp.add(self.admin)

    async def invite_users(self) -> None:
        await self.set_smtp()
        org_id = await given.organization(self.admin)
        moved = [people.user(email=f"{n}@example.com") for n in range(2)]
        await people.send(self.admin, *moved, headers={"x_service_orgid": org_id})
        ids = [each.user_id for each in moved]
        await invites.send(self.admin, *ids, x_service_orgid=org_id)

    async def set_smtp_without_password(self) -> None:
        await self.remove_smtp()
        await smtp.add(self.admin, given.smtp_config(user="", password=""))

    async def change_smtp(self) -> None:
        await self.set_smtp()
        with contextlib.suppress(grpc.aio.AioRpcError):  # none are set
            await smtp.remove_oauth(self.admin)
        name = f"Sender {self.choose.random()}"
        update = given.smtp_update(sender_name=name, user="other", password="new")
        await smtp.update(self.admin, update)
        await smtp.update_password(self.admin, "newer")

    async def set_smtp_oauth(self) -> None:
        await self.set_smtp()
        scope = f"scope-{self.choose.random()}"
        await smtp.set_oauth(self.admin, scope=scope, mailbox="noreply@example.com")

    async def remove_smtp_oauth(self) -> None:
        await self.set_smtp_oauth()
        await smtp.remove_oauth(self.admin)

    async def remove_smtp(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError):  # none is set
            await smtp.remove(self.admin)


# Every command, in the order of the class.
COMMANDS: list[Callable[[World], Awaitable[None]]] = [
    method
    for name, method in vars(World).items()
    if inspect.iscoroutinefunction(method) and not name.startswith("_")
]


async def populate(instance: Instance, provider: Provider) -> World:
    """At least one row in every table, after every kind of event."""
    world = World(instance, chooser(1), provider)
    for command in COMMANDS + COMMANDS:
        await command(world)
    await world.add_user()
    await world.add_passkey()
    await world.add_idp()
    await world.add_application()
    await world.add_subscription()
    await world.change_smtp()
    return world
