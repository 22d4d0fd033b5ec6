"""The SMTP configuration, over each transport."""

from typing import Any

from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from tests.secrets.client import Client
from tests.smtp import calls
from tests.support import given
from tests.support.transports import Transport

_TOO_LARGE = 5 * 1024 * 1024


async def configure(client: Client, transport: Transport) -> None:
    """Sets, changes and removes it, with valid and invalid fields. None is set at the end."""
    password = client.marks.password
    assert await client.send(transport, "AddSMTPConfig", client.config())
    assert await client.send(transport, "UpdateSMTPConfig", given.smtp_update(password=password))
    changed = smtp_pb.UpdateSMTPConfigPasswordRequest(password=password)
    assert await client.send(transport, "UpdateSMTPConfigPassword", changed)
    for name in ("client_secret", "refresh_token"):
        settings = calls.oauth(**{"client_secret": "", name: password})
        assert await client.send(transport, "SetSMTPOAuth", settings)
    assert await client.send(transport, "GetSMTPConfig", smtp_pb.GetSMTPConfigRequest())
    refused: list[tuple[str, Any]] = [
        ("AddSMTPConfig", client.config()),
        ("UpdateSMTPConfig", given.smtp_update(host="other.example.com:25")),
        ("UpdateSMTPConfigPassword", type(changed)(password=f"{password}\n")),
        ("TestSMTPConfig", _trial(host="other.example.com:25")),
        ("TestSMTPConfig", _trial(password=password, host=password)),
        ("AddSMTPConfig", client.config(password=password * (_TOO_LARGE // len(password)))),
        *(
            ("AddSMTPConfig", client.config(**{"host": "nowhere"} | {name: wrong}))
            for name in ("sender_address", "sender_name", "host", "user", "password")
            for wrong in (password, f"{password}@{password}", f"{password}:{password}", "\0")
        ),
        ("UpdateSMTPConfig", given.smtp_update(user="", password=password)),
        *(
            ("SetSMTPOAuth", calls.oauth(**{"client_secret": "", name: f"{password}\n"}))
            for name in ("client_secret", "private_key", "service_account_key", "refresh_token")
        ),
        (
            "SetSMTPOAuth",
            calls.oauth(client_secret=password, refresh_token=password, private_key=password),
        ),
    ]
    for method, request in refused:
        assert await client.send(transport, method, request) is None
    assert await client.send(transport, "TestSMTPConfig", _trial(password=password))
    assert await client.send(transport, "RemoveSMTPOAuth", smtp_pb.RemoveSMTPOAuthRequest())
    assert await client.send(transport, "RemoveSMTPConfig", smtp_pb.RemoveSMTPConfigRequest())
    assert await client.send(transport, "UpdateSMTPConfigPassword", changed) is None


def _trial(**fields: Any) -> smtp_pb.TestSMTPConfigRequest:
    return smtp_pb.TestSMTPConfigRequest(
        unsaved_config=given.smtp_update(**({"host": "127.0.0.1:1"} | fields))
    )
