"""Sealed values, between servers of two releases."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic_core import to_json

from server.crypto import sealed
from server.crypto.keyring import Keyring
from server.idp.signin.flow_token import Flow, flow_tokens, new_flow

_KEYRING = Keyring([bytes(range(32))])


@pytest.fixture
def flow() -> Flow:
    return new_flow(
        idp_id="idp",
        sequence=1,
        redirect_uri="https://id.example.com",
        reauthenticates=False,
        now=datetime.now(UTC),
    )


def _token(fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patched:
        patched.setattr(sealed, "to_json", lambda _flow: to_json(fields))
        return flow_tokens(_KEYRING).sealed(None)  # type: ignore[arg-type]


def _fields(flow: Flow) -> dict[str, Any]:
    return {name: getattr(flow, name) for name in Flow.__match_args__}


def test_a_field_of_a_later_release_is_ignored(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    token = _token(_fields(flow) | {"added": "later"}, monkeypatch)

    assert flow_tokens(_KEYRING).opened(token) == flow


def test_a_flow_without_a_field_that_this_release_needs_is_refused(
    flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = _fields(flow)
    del fields["nonce"]

    assert flow_tokens(_KEYRING).opened(_token(fields, monkeypatch)) is None
