"""The limits of commands, as the descriptions of the API contain them."""

import sys
from datetime import UTC, datetime
from typing import Annotated, Any
from unittest.mock import MagicMock

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from pydantic import Field

from server.access.caller import Caller, CallerSession
from server.application.service import Applications
from server.event.service import EventService
from server.figures.service import OrganizationFigures
from server.gate.service import GateService
from server.group.service import GroupService
from server.idp.domains.service import MailDomainService
from server.idp.links.service import IDPLinkService
from server.idp.oidc.service import OIDCConfigService
from server.idp.service import IdentityProviderService
from server.idp.signin.service import IDPSignIn
from server.mail.service import Mails
from server.moving.service import MovingUsers
from server.oauth.grants.service import Grants
from server.oauth.preview.service import ClaimsPreview
from server.oauth.refused.service import RefusedRequests
from server.oauth.service import OAuthService
from server.org.brand.service import BrandService
from server.org.mail_texts.service import MailTexts
from server.org.service import Organizations
from server.passkey.service import PasskeyService
from server.passkey.signin.service import PasskeySignIn
from server.push.service import PushService
from server.session.service import Sessions
from server.signup.service import SignUpMethods
from server.smtp.service import SMTPService
from server.store.clock import DatabaseClock
from server.system.service import SystemService
from server.user.attributes.service import AttributeService
from server.user.email_change.service import EmailChangeMethods
from server.user.service import UserService
from server.validation.fields import Command, Commands
from tests.support import given
from tests.support.openapi.limits import limits_of

# Several features may have methods in one service.
SERVICES: tuple[Any, ...] = (
    Applications,
    EventService,
    Grants,
    GateService,
    GroupService,
    IDPLinkService,
    IDPSignIn,
    IdentityProviderService,
    MailDomainService,
    Mails,
    MailTexts,
    MovingUsers,
    OAuthService,
    OIDCConfigService,
    BrandService,
    ClaimsPreview,
    OrganizationFigures,
    Organizations,
    PasskeyService,
    PasskeySignIn,
    PushService,
    RefusedRequests,
    Sessions,
    SignUpMethods,
    SMTPService,
    SystemService,
    UserService,
    EmailChangeMethods,
    AttributeService,
)


# Some methods require a session.
_CALLER = Caller(
    "user",
    "organization",
    frozenset(),
    session=CallerSession("session", datetime.now(UTC), datetime.now(UTC), "user", "", True),
    clock=DatabaseClock(datetime.now(UTC)),
)


class ReadError(Exception):
    """Ends a method that has begun to read its request."""


def _service(method: MethodDescriptor) -> Any:
    [service] = [service for service in SERVICES if method.name in vars(service)]
    return service


def _commands(method: MethodDescriptor) -> Commands:
    return sys.modules[_service(method).__module__].COMMANDS


def test_every_method_that_takes_something_has_a_command() -> None:
    for method in given.METHODS:
        command = _commands(method).get(method.name)

        assert (command is None) == (not method.input_type.fields), method.name
        if command is not None:
            fields = set(method.input_type.fields_by_name)
            assert limits_of(command).keys() <= fields, method.name


@pytest.mark.parametrize(
    "method",
    [method for method in given.METHODS if method.input_type.fields],
    ids=lambda method: method.name,
)
async def test_a_method_reads_its_request_into_its_command(
    method: MethodDescriptor, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = _service(method)
    call = MagicMock(caller=_CALLER)
    read: list[type[Command]] = []

    def model_validate(command: type[Command], _fields: object) -> None:
        read.append(command)
        raise ReadError

    monkeypatch.setattr(Command, "model_validate", classmethod(model_validate))
    request = GetMessageClass(method.input_type)()

    answer = getattr(service, method.name)(MagicMock(), request, call)
    with pytest.raises(ReadError):
        await (anext(answer) if method.server_streaming else answer)

    assert read == [_commands(method)[method.name]]


@pytest.mark.parametrize("service", SERVICES)
def test_commands_are_of_methods_that_exist(service: Any) -> None:
    methods = {each.name for each in given.METHODS if _service(each) is service}

    assert sys.modules[service.__module__].COMMANDS.keys() <= methods


def test_an_optional_field_is_described_like_a_required_one() -> None:
    class Inner(Command):
        number: Annotated[int, Field(ge=7)] | None

    class Outer(Command):
        inner: Inner | None

    assert limits_of(Outer) == {
        "inner": {
            "type": "object",
            "properties": {"number": {"type": "integer", "minimum": 7}},
            "required": ["number"],
        }
    }
