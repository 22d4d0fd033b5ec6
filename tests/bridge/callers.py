"""Callers and objects for comparisons of all transports."""

import contextlib
import re
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, cast

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.conftest import MakeInstance
from tests.group import calls as groups
from tests.passkey.ceremonies import begin, register
from tests.passkey.links import link
from tests.push import calls as pushes
from tests.support import given
from tests.support.given import Instance
from tests.support.transports import Answer, Call, Headers, Transports, authorization
from tests.user import calls as users

Fields = Mapping[str, Any]

_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
_METHODS = {**given.METHOD, **_HEALTH.methods_by_name}
_UNKNOWN = "01937f4e-7a3b-7000-8000-000000000001"
_NAME = re.compile("<[^<>]+>")

# A valid request, by the names of its fields.
_RIGHT: Mapping[str, Any] = {
    "user_id": "<user>",
    "passkey_id": "<ceremony>",
    "token_id": "<token>",
    "session_id": "<unknown>",
    "link_id": "<unknown>",
    "idp_id": "<idp>",
    "org_id": "<away>",
    "mail_id": "<unknown>",
    "role": user_pb.ROLE_ORG_USER_MANAGER,
    "idp": {"idp_id": "<idp>", "name": "Provider"},
    "application_id": "<application>",
    "secret_id": "<unknown>",
    "application": {
        "application_id": "<application>",
        "name": "Application",
        "kind": application_pb.APPLICATION_KIND_WEB,
    },
    "group_id": "<group>",
    "group": {"group_id": "<group>", "name": "staff"},
    "subscription_id": "<subscription>",
    "delivery_id": "<unknown>",
    "subscription": {
        "subscription_id": "<subscription>",
        "name": "Directory",
        "url": pushes.URL,
    },
    "update_mask": {"paths": ["name"]},
    "passkey_name": "Key",
    "public_key_credential": {"padding": "x" * 55},
    "return_code": passkey_pb.ReturnCode(),
    "name": "Provider",
    "user_name": "ada",
    "email": "ada@example.com",
    **given.SMTP_FIELDS,
}
# Methods in which a field of this name has another meaning.
_RIGHT_OF: Mapping[str, Fields] = {
    "CreateGroup": {"name": "staff"},
    "PatchUser": {
        "user": {"user_id": "<user>", "display_name": "Ada"},
        "update_mask": {"paths": ["display_name"]},
    },
    "PatchOrganization": {
        "organization": {"org_id": "<away>"},
        "update_mask": {"paths": ["allows_mail_recovery"]},
    },
}
# Without a password, the stored one is kept.
_NOT_USUAL = {"UpdateSMTPConfig": {"password"}}


@dataclass(frozen=True)
class Case:
    """A call that is valid except for these fields; and the fields that its refusal names.

    `over` are the transports that clients can send it over, if not all.
    """

    method: str
    fields: Fields = field(default_factory=dict)
    by: str = "admin"
    headers: Headers = ()
    named: Collection[str] = ()
    over: Collection[str] = ()


@dataclass(frozen=True)
class Callers:
    """Callers by name, and the identifiers that stand for `<name>` in requests and headers.

    `<home>` is the organization of the administrator, `<away>` that of everybody else but the
    outsider. An SMTP configuration is set.
    """

    transports: Transports
    tokens: Mapping[str, str]
    names: Mapping[str, str]

    @classmethod
    @contextlib.asynccontextmanager
    async def on(cls, make_instance: MakeInstance) -> AsyncIterator[Self]:
        """Callers on an instance of their own."""
        async with make_instance() as instance, Transports.of(instance) as transports:
            yield await cls._of(instance, transports)

    @classmethod
    async def _of(cls, instance: Instance, transports: Transports) -> Self:
        admin = instance.admin
        await admin.call(admin.smtp.AddSMTPConfig, given.smtp_config())
        away = await given.organization(admin, name="Away")
        plain, enrolled = [await given.user(admin, org_id=away) for _ in range(2)]
        removed = await given.user(admin, org_id=away)
        owner = await given.user(admin, org_id=away, roles=[user_pb.ROLE_ORG_OWNER])
        manager = await given.user(admin, org_id=away, roles=[user_pb.ROLE_ORG_USER_MANAGER])
        invited = await link(admin, await given.user(admin))
        listed = await plain.call(
            plain.users.ListTokens, user_pb.ListTokensRequest(user_id=plain.user_id)
        )
        passkey = await register(enrolled)
        ceremony, others = await begin(plain), await begin(owner)
        await users.remove(admin, removed.user_id)
        myself = await admin.call(admin.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
        return cls(
            transports,
            {
                "admin": admin.token,
                "owner": owner.token,
                "manager": manager.token,
                "plain": plain.token,
                "nobody": "",
                "removed": removed.token,
                "token holder": ceremony.registration_token,
            },
            {
                "<home>": myself.user.details.resource_owner,
                "<away>": away,
                "<unknown>": _UNKNOWN,
                "<admin>": admin.user_id,
                "<admin's secret>": admin.token,
                "<owner>": owner.user_id,
                "<user>": plain.user_id,
                "<enrolled>": enrolled.user_id,
                "<passkey>": passkey.passkey_id,
                "<token>": listed.tokens[0].token_id,
                "<ceremony>": ceremony.passkey_id,
                "<owner's ceremony>": others.passkey_id,
                "<idp>": await given.idp(admin),
                "<away idp>": await given.idp(owner),
                "<invited>": invited.user_id,
                "<link>": invited.code,
                "<application>": await applications.application(admin),
                "<away application>": await applications.application(owner),
                "<group>": await groups.group(admin, "taken"),
                "<away group>": await groups.group(owner),
                "<subscription>": await pushes.subscription(admin),
                "<away subscription>": await pushes.subscription(owner),
            },
        )

    async def one_answer(self, case: Case) -> Answer:
        """The answer of all transports, or those of the case, which must be the same."""
        method = _METHODS[case.method]
        named = [(name, cast(str, self.named(value))) for name, value in case.headers]
        headers = [*authorization(self.tokens[case.by]), *named]
        call = Call(method, self._request(method, case.fields), headers)
        return await self.transports.one_answer(call, over=case.over)

    def named(self, value: Any) -> Any:
        """A value with the identifiers in place of their names."""
        if isinstance(value, Mapping):
            return {name: self.named(item) for name, item in value.items()}
        if not isinstance(value, str):
            return value
        return _NAME.sub(lambda found: self.names.get(found[0], found[0]), value)

    def _request(self, method: MethodDescriptor, fields: Fields) -> Message:
        """A valid request except for these fields."""
        known = set(method.input_type.fields_by_name) - _NOT_USUAL.get(method.name, set())
        right = {**_RIGHT, **_RIGHT_OF.get(method.name, {})}
        usual = {name: value for name, value in right.items() if name in known}
        return GetMessageClass(method.input_type)(**self.named(usual | dict(fields)))
