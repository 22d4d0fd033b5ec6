"""The limits of commands, as they are told to whoever describes the API."""

import sys
from datetime import UTC, datetime
from typing import Annotated, Any
from unittest.mock import MagicMock

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from pydantic import Field

from server.access.caller import Caller, CallerSession
from server.idp.service import IdentityProviderService
from server.mail.service import MailService
from server.org.service import OrganizationService
from server.passkey.service import PasskeyService
from server.passkey.signin.service import SignInService
from server.session.service import SessionService
from server.smtp.service import SMTPService
from server.user.service import UserService
from server.validation.fields import Command, Commands
from server.validation.json_schema import limits_of
from tests.support import given

SERVICES: dict[str, Any] = {
    service.__name__: service
    for service in (
        IdentityProviderService,
        MailService,
        OrganizationService,
        PasskeyService,
        SessionService,
        SignInService,
        SMTPService,
        UserService,
    )
}


# Some methods are for callers with a session.
_CALLER = Caller(
    "user", "organization", frozenset(), session=CallerSession("session", datetime.now(UTC))
)


class ReadError(Exception):
    """Ends a method that has begun to read its request."""


def _commands(method: MethodDescriptor) -> Commands:
    module = sys.modules[SERVICES[method.containing_service.name].__module__]
    commands: Commands = module.COMMANDS
    return commands


@pytest.mark.parametrize("method", given.METHODS, ids=lambda method: method.name)
def test_every_method_that_takes_something_has_a_command(method: MethodDescriptor) -> None:
    command = _commands(method).get(method.name)

    assert (command is None) == (not method.input_type.fields)
    if command is not None:
        assert limits_of(command).keys() <= set(method.input_type.fields_by_name)


@pytest.mark.parametrize(
    "method",
    [method for method in given.METHODS if method.input_type.fields],
    ids=lambda method: method.name,
)
async def test_a_method_reads_its_request_into_its_command(
    method: MethodDescriptor, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = SERVICES[method.containing_service.name]
    call = MagicMock(return_value=MagicMock(caller=_CALLER))
    monkeypatch.setattr(sys.modules[service.__module__], "current_call", call, raising=False)
    read: list[type[Command]] = []

    def model_validate(command: type[Command], _fields: object) -> None:
        read.append(command)
        raise ReadError

    monkeypatch.setattr(Command, "model_validate", classmethod(model_validate))
    request = GetMessageClass(method.input_type)()

    with pytest.raises(ReadError):
        await getattr(service, method.name)(MagicMock(), request, None)

    assert read == [_commands(method)[method.name]]


@pytest.mark.parametrize("name", SERVICES)
def test_commands_are_of_methods_that_exist(name: str) -> None:
    methods = {each.name for each in given.METHODS if each.containing_service.name == name}

    assert sys.modules[SERVICES[name].__module__].COMMANDS.keys() <= methods


def test_what_may_be_none_is_described_as_what_it_is_otherwise() -> None:
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
