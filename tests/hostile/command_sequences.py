"""Commands as data, to run on one server or on several that share a database.

A command names an object by its place in the order of creation, so that a sequence of commands
means the same on every database. Removed objects keep their place, and commands name them too.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import Any

import asyncpg
import grpc
from google.protobuf import json_format
from google.protobuf.message import Message

from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.hostile.target import FAULTS
from tests.passkey import links
from tests.passkey.ceremonies import begin, begun_by
from tests.support import given
from tests.support.given import Client, Refusal

_ROLES = (user_pb.ROLE_INSTANCE_OWNER, user_pb.ROLE_ORG_OWNER, user_pb.ROLE_ORG_USER_MANAGER)
_MASKS = (["name"], ["styling_type", "auto_register"], ["*"], ["nothing"])
_USER_MASKS = (["display_name"], ["email"], ["*"], ["user_name"])
# The fields of answers whose values no server chooses, and those around them.
_KNOWN = {
    *("user", "user_name", "display_name", "email", "roles", "tokens", "passkeys", "name", "idp"),
    *("styling_type", "auto_register", "smtp_config", "sender_address", "sender_name", "tls"),
    *("host", "password_set"),
}
_LAST_EVENT = """
select sequence, created_at, owner, count(*) over () as events from events
where aggregate_id = $1 order by sequence desc limit 1"""
# The sequence of an object within its aggregate, by the identifier in its events.
_LAST_EVENT_OF = """
select sequence, created_at from events
where aggregate_id = $1 and ($2 = '' or $2 in (payload->>'token_id', payload->>'passkey_id'))
order by sequence desc limit 1"""
# Objects of a user's aggregate, by the identifier in their events.
_FIRST_EVENT = """
select min(created_at) from events
where aggregate_id = $1 and ($2 = '' or $2 in (payload->>'token_id', payload->>'passkey_id'))"""
# The sequence of an answer; of an answer without a change, that of the last change.
_EVENT = "select created_at, owner from events where aggregate_id = $1 and sequence = $2"
_SMTP_AGGREGATE = """
select aggregate_id from events where aggregate_type = 'smtp_config' and sequence = $1"""


@dataclass(frozen=True)
class Step:
    """A command. The numbers choose its object and its variant."""

    command: str
    which: int
    what: int


@dataclass
class CommandSequence:
    """The objects that the steps have made. The servers of the database take turns."""

    servers: Sequence[Client]
    sql: asyncpg.Connection
    title: str
    # Whether no other writer changes the same objects.
    is_alone: bool = True
    org_ids: list[str] = field(default_factory=list)
    user_ids: list[str] = field(default_factory=list)
    token_ids: list[tuple[str, str]] = field(default_factory=list)
    passkey_ids: list[tuple[str, str]] = field(default_factory=list)
    link_codes: list[tuple[str, str]] = field(default_factory=list)
    mail_ids: list[tuple[str, str]] = field(default_factory=list)
    idp_ids: list[tuple[str, str]] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    _turn: int = 0
    _known: dict[str, tuple[int, int]] = field(default_factory=dict)

    async def run(self, steps: Sequence[Step]) -> None:
        """Makes every step, and accepts every result."""
        for step in steps:
            try:
                await COMMANDS[step.command](self, step.which, step.what)
            except grpc.aio.AioRpcError as error:
                refused = given.read_refusal(error)
                _must_be_no_fault(step, refused)
                self.outcomes.append(f"{step.command}: {refused.reason}")
            except IndexError:
                self.outcomes.append(f"{step.command}: there is none yet")
            else:
                self.outcomes.append(f"{step.command}: OK")

    def on(self, server: Client, sql: asyncpg.Connection) -> "CommandSequence":
        """The same objects on one of the servers, beside other writers."""
        return replace(self, servers=[server], sql=sql, is_alone=False, outcomes=[])

    async def state(self, server: Client) -> Mapping[str, Any]:
        """All readable data of the objects, without values that a server chooses."""
        return {
            "users": [
                [
                    await _read(server, "users", user_pb.GetUserRequest(user_id=user_id)),
                    await _read(server, "users", user_pb.ListTokensRequest(user_id=user_id)),
                    await _read(
                        server, "passkeys", passkey_pb.ListPasskeysRequest(user_id=user_id)
                    ),
                ]
                for user_id in self.user_ids
            ],
            "mails": [await _mail(server, *names) for names in self.mail_ids],
            "idps": [
                await _read(
                    server, "idps", idp_pb.GetIDPRequest(idp_id=idp_id), x_service_orgid=org_id
                )
                for org_id, idp_id in self.idp_ids
            ],
            "smtp": await _read(server, "smtp", smtp_pb.GetSMTPConfigRequest()),
        }

    @property
    def _server(self) -> Client:
        """The server of this turn."""
        self._turn += 1
        return self.servers[self._turn % len(self.servers)]

    async def _call(self, service: str, method: str, request: Any, **headers: Any) -> Any:
        server = self._server
        return await server.call(getattr(getattr(server, service), method), request, **headers)

    async def _check(
        self, details: details_pb2.Details, aggregate_id: str, object_id: str = ""
    ) -> None:
        """Compares the details with the last event; each event raises the aggregate's sequence."""
        if not self.is_alone:
            event = await self.sql.fetchrow(_EVENT, aggregate_id, details.sequence)
            assert event is not None
            assert details.resource_owner == event["owner"]
            assert details.change_date.ToDatetime(UTC) == event["created_at"]
            return
        last = await self.sql.fetchrow(_LAST_EVENT, aggregate_id)
        own = await self.sql.fetchrow(_LAST_EVENT_OF, aggregate_id, object_id)
        assert last is not None
        assert own is not None
        assert (details.sequence, details.resource_owner) == (own["sequence"], last["owner"])
        assert details.change_date.ToDatetime(UTC) == own["created_at"]
        if details.HasField("creation_date"):
            first = await self.sql.fetchval(_FIRST_EVENT, aggregate_id, object_id)
            assert details.creation_date.ToDatetime(UTC) == first
        sequence, events = self._known.get(aggregate_id, (0, 0))
        assert (last["sequence"] > sequence) == (last["events"] > events)
        self._known[aggregate_id] = (last["sequence"], last["events"])

    async def _add_organization(self, _which: int, what: int) -> None:
        request = org_pb.CreateOrganizationRequest(name=f"{self.title} {what}")
        added = await self._call("orgs", "CreateOrganization", request)
        self.org_ids.append(added.org_id)
        await self._check(added.details, added.org_id)

    async def _add_user(self, which: int, what: int) -> None:
        # An address of this sequence alone, because mails to an address are limited per hour.
        address = f"user{what}@{self.title.replace(' ', '')}.example.com" if what % 2 else ""
        request = user_pb.CreateUserRequest(user_name=f"user {what}", email=address)
        org_id = _chosen(self.org_ids, which)
        added = await self._call("users", "CreateUser", request, x_service_orgid=org_id)
        self.user_ids.append(added.user_id)
        await self._check(added.details, added.user_id)

    async def _patch_user(self, which: int, what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        address = f"patched{what}@{self.title.replace(' ', '')}.example.com" if what % 2 else ""
        request = user_pb.PatchUserRequest(
            user=user_pb.User(user_id=user_id, display_name=f"display {what}", email=address)
        )
        request.update_mask.paths.extend(_chosen(_USER_MASKS, what))
        patched = await self._call("users", "PatchUser", request)
        await self._check(patched.details, user_id)

    async def _remove_user(self, which: int, _what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        request = user_pb.RemoveUserRequest(user_id=user_id)
        await self._check((await self._call("users", "RemoveUser", request)).details, user_id)

    async def _grant_role(self, which: int, what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        request = user_pb.GrantRoleRequest(user_id=user_id, role=_chosen(_ROLES, what))
        await self._check((await self._call("users", "GrantRole", request)).details, user_id)

    async def _revoke_role(self, which: int, what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        request = user_pb.RevokeRoleRequest(user_id=user_id, role=_chosen(_ROLES, what))
        await self._check((await self._call("users", "RevokeRole", request)).details, user_id)

    async def _create_token(self, which: int, what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        request = user_pb.CreateTokenRequest(user_id=user_id, name=f"token {what}")
        created = await self._call("users", "CreateToken", request)
        self.token_ids.append((user_id, created.token_id))
        await self._check(created.details, user_id, created.token_id)

    async def _revoke_token(self, which: int, _what: int) -> None:
        user_id, token_id = _chosen(self.token_ids, which)
        request = user_pb.RevokeTokenRequest(user_id=user_id, token_id=token_id)
        revoked = await self._call("users", "RevokeToken", request)
        await self._check(revoked.details, user_id, token_id)

    async def _add_passkey(self, which: int, what: int) -> None:
        begun = await begin(self._server, _chosen(self.user_ids, which))
        verified = await begun.verify(by=self._server, passkey_name=f"passkey {what}")
        self.passkey_ids.append((begun.user_id, begun.passkey_id))
        await self._check(verified.details, begun.user_id, begun.passkey_id)

    async def _rename_passkey(self, which: int, what: int) -> None:
        user_id, passkey_id = _chosen(self.passkey_ids, which)
        request = passkey_pb.RenamePasskeyRequest(
            user_id=user_id, passkey_id=passkey_id, name=f"passkey {what}"
        )
        renamed = await self._call("passkeys", "RenamePasskey", request)
        await self._check(renamed.details, user_id, passkey_id)

    async def _create_link(self, which: int, _what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        request = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, return_code=passkey_pb.ReturnCode()
        )
        created = await self._call("passkeys", "CreatePasskeyRegistrationLink", request)
        self.link_codes.append((user_id, created.code))
        await self._check(created.details, user_id)

    async def _create_mailed_link(self, which: int, _what: int) -> None:
        user_id = _chosen(self.user_ids, which)
        created = await links.create(self._server, user_id, send=True)
        self.mail_ids.append((user_id, created.mail_id))
        await self._check(created.details, user_id)

    async def _retry_mail(self, which: int, _what: int) -> None:
        _, mail_id = _chosen(self.mail_ids, which)
        await self._call("mails", "RetryMail", mail_pb.RetryMailRequest(mail_id=mail_id))

    async def _add_passkey_by_link(self, which: int, what: int) -> None:
        user_id, code = _chosen(self.link_codes, which)
        nobody = self._server.with_token("")
        begun = await begun_by(nobody, user_id=user_id, code=code)
        verified = await begun.verify(by=begun.token_holder, passkey_name=f"passkey {what}")
        self.passkey_ids.append((begun.user_id, begun.passkey_id))
        await self._check(verified.details, begun.user_id, begun.passkey_id)

    async def _remove_passkey(self, which: int, _what: int) -> None:
        user_id, passkey_id = _chosen(self.passkey_ids, which)
        request = passkey_pb.RemovePasskeyRequest(user_id=user_id, passkey_id=passkey_id)
        removed = await self._call("passkeys", "RemovePasskey", request)
        await self._check(removed.details, user_id, passkey_id)

    async def _add_idp(self, which: int, what: int) -> None:
        org_id = _chosen(self.org_ids, which)
        request = idp_pb.CreateIDPRequest(name=f"idp {what}", auto_register=what % 2 == 0)
        added = await self._call("idps", "CreateIDP", request, x_service_orgid=org_id)
        self.idp_ids.append((org_id, added.idp_id))
        await self._check(added.details, added.idp_id)

    async def _update_idp(self, which: int, what: int) -> None:
        org_id, idp_id = _chosen(self.idp_ids, which)
        request = idp_pb.UpdateIDPRequest(idp_id=idp_id, name=f"idp {what}")
        updated = await self._call("idps", "UpdateIDP", request, x_service_orgid=org_id)
        await self._check(updated.details, idp_id)

    async def _patch_idp(self, which: int, what: int) -> None:
        org_id, idp_id = _chosen(self.idp_ids, which)
        request = idp_pb.PatchIDPRequest(
            idp=idp_pb.IDP(idp_id=idp_id, name=f"idp {what}", auto_register=what % 2 == 1)
        )
        request.update_mask.paths.extend(_chosen(_MASKS, what))
        patched = await self._call("idps", "PatchIDP", request, x_service_orgid=org_id)
        await self._check(patched.details, idp_id)

    async def _remove_idp(self, which: int, _what: int) -> None:
        org_id, idp_id = _chosen(self.idp_ids, which)
        request = idp_pb.RemoveIDPRequest(idp_id=idp_id)
        removed = await self._call("idps", "RemoveIDP", request, x_service_orgid=org_id)
        await self._check(removed.details, idp_id)

    async def _add_smtp(self, _which: int, what: int) -> None:
        request = given.smtp_config(sender_name=f"sender {what}")
        await self._check_smtp(await self._call("smtp", "AddSMTPConfig", request))

    async def _update_smtp(self, which: int, what: int) -> None:
        password = (None, "secret", "another")[which % 3]
        request = given.smtp_update(
            sender_name=f"sender {what}", host=f"smtp{what % 2}.example.com:587", password=password
        )
        await self._check_smtp(await self._call("smtp", "UpdateSMTPConfig", request))

    async def _update_smtp_password(self, _which: int, what: int) -> None:
        request = smtp_pb.UpdateSMTPConfigPasswordRequest(password=f"password {what}")
        await self._check_smtp(await self._call("smtp", "UpdateSMTPConfigPassword", request))

    async def _remove_smtp(self, _which: int, _what: int) -> None:
        request = smtp_pb.RemoveSMTPConfigRequest()
        await self._check_smtp(await self._call("smtp", "RemoveSMTPConfig", request))

    async def _check_smtp(self, answer: Any) -> None:
        config_id = await self.sql.fetchval(_SMTP_AGGREGATE, answer.details.sequence)
        await self._check(answer.details, config_id)


COMMANDS: Mapping[str, Callable[[CommandSequence, int, int], Awaitable[None]]] = {
    name.removeprefix("_"): command
    for name, command in vars(CommandSequence).items()
    if name.startswith(("_add_", "_create_", "_grant_", "_patch_", "_re", "_update_"))
}


def _must_be_no_fault(step: Step, refused: Refusal) -> None:
    assert refused.code not in FAULTS, (step, refused)


def _chosen(things: Sequence[Any], number: int) -> Any:
    """One of the objects. IndexError if there are none."""
    return things[number % len(things)] if things else things[0]


async def _read(server: Client, service: str, request: Message, **headers: Any) -> object:
    """The known fields of an answer, or the reason of the refusal."""
    method = request.DESCRIPTOR.name.removesuffix("Request")
    try:
        answer = await server.call(getattr(getattr(server, service), method), request, **headers)
    except grpc.aio.AioRpcError as error:
        return given.read_refusal(error).reason
    return _known(json_format.MessageToDict(answer, preserving_proto_field_name=True))


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _known(item) for name, item in value.items() if name in _KNOWN}
    return list(map(_known, value)) if isinstance(value, list) else value


async def _mail(server: Client, user_id: str, mail_id: str) -> object:
    """A mail without its attempts, whose times the servers choose."""
    request = mail_pb.ListMailsRequest(user_id=user_id)
    try:
        listed = await server.call(server.mails.ListMails, request)
    except grpc.aio.AioRpcError as error:
        return given.read_refusal(error).reason
    return [
        [mail.kind, mail.recipient_address, mail.state]
        for mail in listed.mails
        if mail.mail_id == mail_id
    ]
