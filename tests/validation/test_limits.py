"""The limits of commands, as they are told to whoever describes the API."""

from typing import Annotated

import pytest
from google.protobuf.descriptor import MethodDescriptor
from pydantic import Field

from server.idp import commands as idp_commands
from server.mail import commands as mail_commands
from server.org import commands as org_commands
from server.passkey import commands as passkey_commands
from server.smtp import commands as smtp_commands
from server.user import commands as user_commands
from server.validation.fields import Command
from server.validation.json_schema import limits_of
from tests.support import given

COMMANDS = {
    "keystead.idp.v1": idp_commands,
    "keystead.mail.v1": mail_commands,
    "keystead.org.v1": org_commands,
    "keystead.passkey.v1": passkey_commands,
    "keystead.smtp.v1": smtp_commands,
    "keystead.user.v1": user_commands,
}


@pytest.mark.parametrize("method", given.METHODS, ids=lambda method: method.name)
def test_every_method_that_takes_something_has_a_command(method: MethodDescriptor) -> None:
    request = method.input_type

    limits = limits_of(method.name, request.fields_by_name, COMMANDS[request.file.package])

    assert limits.keys() <= set(request.fields_by_name)
    assert bool(limits) == bool(request.fields)


def test_the_command_of_a_method_has_its_name() -> None:
    limits = limits_of("RegisterPasskey", ["user_id", "code"], passkey_commands)

    assert list(limits) == ["user_id"]
    assert limits["user_id"].items() >= {"type": "string", "maxLength": 200}.items()


def test_a_command_that_methods_share_has_the_fields_of_their_requests() -> None:
    granted = limits_of("GrantRole", ["user_id", "role"], user_commands)

    assert granted == limits_of("RevokeRole", ["user_id", "role"], user_commands)
    assert list(granted) == ["user_id", "role"]


def test_a_list_has_the_limits_of_pages() -> None:
    limits = limits_of("ListIDPs", ["page_size", "page_token"], idp_commands)

    assert limits["page_size"] == {"type": "integer", "minimum": 0}


def test_what_may_be_none_is_described_as_what_it_is_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Inner(Command):
        number: Annotated[int, Field(ge=7)] | None

    class Outer(Command):
        inner: Inner | None

    monkeypatch.setattr(org_commands, "Outer", Outer, raising=False)

    assert limits_of("Outer", [], org_commands) == {
        "inner": {
            "type": "object",
            "properties": {"number": {"type": "integer", "minimum": 7}},
            "required": ["number"],
        }
    }
