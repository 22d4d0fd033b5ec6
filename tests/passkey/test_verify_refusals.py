"""VerifyPasskeyRegistration: every reason to refuse a credential or a ceremony."""

from collections.abc import Callable
from datetime import timedelta
from secrets import token_bytes
from typing import Any

import asyncpg
import cbor2
import grpc
import pytest

from examples.software_authenticator import (
    EDDSA,
    ES256,
    attestation_certificate,
    cose_key,
    generate_key,
)
from server.passkey import ceremony_store
from server.store.database import Database
from tests.passkey.ceremonies import Begun, begin, expire, register, remove
from tests.support import given
from tests.support.given import Client

OBJECT = "response.attestationObject"
EC_KEY = cose_key(generate_key(ES256))
Change = Callable[[dict[str, Any]], dict[str, Any]]


def _packed(signature: bytes, certificate: bytes) -> dict[str, Any]:
    statement = {"alg": ES256, "sig": signature, "x5c": [certificate]}
    return {"format": "packed", "statement": statement}


# Parts of a credential, and the reason of the refusal.
UNFIT: dict[str, tuple[dict[str, Any], str]] = {
    "client data type": ({"client_data_type": "webauthn.get"}, "CREDENTIAL_NOT_VERIFIED"),
    "challenge": ({"challenge": "A" * 43}, "CREDENTIAL_NOT_VERIFIED"),
    "rpIdHash": ({"rp_id": "evil.example"}, "CREDENTIAL_NOT_VERIFIED"),
    "signature": (
        _packed(b"0\x06\x02\x01\x01\x02\x01\x01", attestation_certificate()[1]),
        "CREDENTIAL_NOT_VERIFIED",
    ),
    "user presence": ({"up": False}, "USER_NOT_VERIFIED"),
    "user verification": ({"uv": False}, "USER_NOT_VERIFIED"),
    "algorithm": ({"public_key": cbor2.dumps(EC_KEY | {3: -35})}, "ALGORITHM_NOT_ALLOWED"),
    "attestation format": ({"format": "tpm"}, "ATTESTATION_NOT_ALLOWED"),
}
# Parts of a credential, and the refused origin.
ORIGINS: dict[str, tuple[dict[str, Any], str]] = {
    "another host": ({"origin": "https://evil.example"}, "https://evil.example"),
    "another port": ({"origin": "http://localhost:8081"}, "http://localhost:8081"),
    "in a frame": ({"cross_origin": True}, "http://localhost:8080"),
    "in a frame of another": ({"top_origin": "https://evil.example"}, "https://evil.example"),
}


def _with(**members: Any) -> Change:
    return lambda credential: credential | members


def _with_response(**members: Any) -> Change:
    return lambda credential: credential | {"response": credential["response"] | members}


# Changes of a valid credential, and the path of the refused member.
SURFACE: dict[str, tuple[Change, str]] = {
    "both ids of somebody else": (_with(id="AAAA", rawId="AAAA"), "id"),
    "rawId that differs": (_with(rawId="AAAA"), "rawId"),
    "id that is a number": (_with(id=7), "id"),
    "no type": (_with(type=None), "type"),
    "response that is a list": (_with(response=[]), "response"),
    "client data not base64": (_with_response(clientDataJSON="A=A"), "response.clientDataJSON"),
    "client data not JSON": (_with_response(clientDataJSON="AAAA"), "response.clientDataJSON"),
    "attestation object not CBOR": (_with_response(attestationObject="_w"), OBJECT),
    "transports not a list": (_with_response(transports="usb"), "response.transports"),
    "attachment not text": (_with(authenticatorAttachment=1), "authenticatorAttachment"),
}
# Parts of a credential, and the path of the refused member.
CORE: dict[str, tuple[dict[str, Any], str]] = {
    "credential id too long": ({"credential_id": bytes(1024)}, f"{OBJECT}.authData.credentialId"),
    "authenticator data cut": ({"data": bytes(36)}, f"{OBJECT}.authData"),
    "key off its curve": (
        {"public_key": cbor2.dumps(EC_KEY | {-3: bytes(32)})},
        f"{OBJECT}.authData.credentialPublicKey",
    ),
    "key of small order": (
        {"public_key": cbor2.dumps({1: 1, 3: EDDSA, -1: 6, -2: b"\x01" + bytes(31)})},
        f"{OBJECT}.authData.credentialPublicKey",
    ),
    "certificate": (_packed(b"s", b"0\x03junk"), f"{OBJECT}.attStmt"),
}


@pytest.fixture
async def begun(user: Client) -> Begun:
    """A ceremony of the user."""
    return await begin(user)


class TestCredential:
    """Refused credentials. The ceremony can still be completed after a failed attempt."""

    @pytest.mark.parametrize(("parts", "reason"), UNFIT.values(), ids=UNFIT.keys())
    async def test_that_does_not_fit_the_ceremony(
        self, parts: dict[str, Any], reason: str, begun: Begun
    ) -> None:
        refused = await given.refusal(begun.verify(begun.credential(**parts)))

        assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
        assert not refused.metadata
        assert not refused.violations
        await begun.verify()

    @pytest.mark.parametrize(("parts", "origin"), ORIGINS.values(), ids=ORIGINS.keys())
    async def test_from_a_page_that_is_not_allowed(
        self, parts: dict[str, Any], origin: str, begun: Begun
    ) -> None:
        refused = await given.refusal(begun.verify(begun.credential(**parts)))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.reason == "ORIGIN_NOT_ALLOWED"
        assert refused.metadata == {"origin": origin}
        assert "localhost" not in refused.message
        await begun.verify()

    @pytest.mark.parametrize(("change", "path"), SURFACE.values(), ids=SURFACE.keys())
    async def test_with_a_malformed_member(self, change: Change, path: str, begun: Begun) -> None:
        refused = await given.refusal(begun.verify(change(begun.credential())))

        _assert_malformed_at(path, refused)
        await begun.verify()

    @pytest.mark.parametrize(("parts", "path"), CORE.values(), ids=CORE.keys())
    async def test_with_a_malformed_core(
        self, parts: dict[str, Any], path: str, begun: Begun
    ) -> None:
        refused = await given.refusal(begun.verify(begun.credential(**parts)))

        _assert_malformed_at(path, refused)
        await begun.verify()

    async def test_of_another_ceremony_of_the_same_user(self, user: Client, begun: Begun) -> None:
        other = await begin(user)

        refused = await given.refusal(begun.verify(other.credential()))

        assert refused.reason == "CREDENTIAL_NOT_VERIFIED"
        await begun.verify()

    async def test_that_somebody_has_already(self, other_user: Client, begun: Begun) -> None:
        credential_id = token_bytes(32)
        await register(other_user, credential_id=credential_id)

        refused = await given.refusal(begun.verify(begun.credential(credential_id=credential_id)))

        assert refused.code is grpc.StatusCode.ALREADY_EXISTS
        assert refused.reason == "CREDENTIAL_ALREADY_REGISTERED"
        assert (refused.metadata, refused.resource) == ({}, None)
        assert other_user.user_id not in refused.message
        await begun.verify()

    async def test_that_the_user_has_already_in_spite_of_the_exclude_list(
        self, user: Client, begun: Begun
    ) -> None:
        credential_id = token_bytes(32)
        await register(user, credential_id=credential_id)

        refused = await given.refusal(begun.verify(begun.credential(credential_id=credential_id)))

        assert refused.reason == "CREDENTIAL_ALREADY_REGISTERED"


def _assert_malformed_at(path: str, refused: given.Refusal) -> None:
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "CREDENTIAL_MALFORMED"
    assert refused.metadata == {"path": path}
    assert list(refused.violations) == [f"publicKeyCredential.{path}"]


class TestPair:
    """Only the ceremony of this user and this passkey ID; all others give the same NOT_FOUND."""

    @pytest.mark.parametrize("passkey_id", ["nope", "01890a5d-ac96-774b-bcce-b302099a8057"])
    async def test_an_unknown_passkey_id(self, passkey_id: str, begun: Begun) -> None:
        refused = await given.refusal(begun.verify(passkey_id=passkey_id))

        _assert_passkey_not_found(passkey_id, refused)

    async def test_the_ceremony_of_another_user(self, other_user: Client, begun: Begun) -> None:
        foreign = await begin(other_user)

        refused = await given.refusal(begun.verify(passkey_id=foreign.passkey_id))

        _assert_passkey_not_found(foreign.passkey_id, refused)

    async def test_another_user_for_an_administrator(
        self, admin: Client, other_user: Client, begun: Begun
    ) -> None:
        refused = await given.refusal(begun.verify(by=admin, user_id=other_user.user_id))

        _assert_passkey_not_found(begun.passkey_id, refused)

    async def test_a_ceremony_that_was_removed(self, user: Client, begun: Begun) -> None:
        await remove(user, begun.passkey_id)

        refused = await given.refusal(begun.verify())

        _assert_passkey_not_found(begun.passkey_id, refused)

    @pytest.mark.parametrize("user_id", ["nope", "01890a5d-ac96-774b-bcce-b302099a8057"])
    async def test_an_unknown_user(self, user_id: str, admin: Client, begun: Begun) -> None:
        refused = await given.refusal(begun.verify(by=admin, user_id=user_id))
        denied = await given.refusal(begun.verify(user_id=user_id))

        assert (refused.code, refused.resource) == (grpc.StatusCode.NOT_FOUND, ("user", user_id))
        assert denied.code is grpc.StatusCode.PERMISSION_DENIED


def _assert_passkey_not_found(passkey_id: str, refused: given.Refusal) -> None:
    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "PASSKEY_NOT_FOUND")
    assert refused.resource == ("passkey", passkey_id)
    assert refused.message == (
        "The user has no such passkey. List the user's passkeys to find the right id, or begin a"
        " registration with RegisterPasskey."
    )


class TestEnded:
    """A ceremony that no credential can complete any more."""

    async def test_expired(self, begun: Begun, rows: asyncpg.Connection) -> None:
        await expire(rows, begun)

        refused = await given.refusal(begun.verify())

        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "CHALLENGE_EXPIRED"

    async def test_used(self, begun: Begun) -> None:
        await begun.verify()

        refused = await given.refusal(begun.verify())

        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "CHALLENGE_USED"

    async def test_tried_ten_times(self, begun: Begun) -> None:
        for _ in range(10):
            refused = await given.refusal(begun.verify(begun.credential(up=False)))
            assert refused.reason == "USER_NOT_VERIFIED"

        refused = await given.refusal(begun.verify())

        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "TOO_MANY_ATTEMPTS"

    async def test_a_credential_that_somebody_has_is_a_try_too(
        self, other_user: Client, begun: Begun
    ) -> None:
        credential_id = token_bytes(32)
        await register(other_user, credential_id=credential_id)
        known = begun.credential(credential_id=credential_id)
        for _ in range(10):
            await given.refusal(begun.verify(known))

        refused = await given.refusal(begun.verify())

        assert refused.reason == "TOO_MANY_ATTEMPTS"

    async def test_the_registration_token_still_tells_how_it_ended(
        self, begun: Begun, rows: asyncpg.Connection
    ) -> None:
        await expire(rows, begun)

        refused = await given.refusal(begun.verify(by=begun.token_holder))

        assert refused.reason == "CHALLENGE_EXPIRED"

    @pytest.mark.parametrize(
        ("hours", "reason"), [(23, "CHALLENGE_EXPIRED"), (25, "PASSKEY_NOT_FOUND")]
    )
    async def test_forgotten_a_day_after_it_expired(
        self, hours: int, reason: str, begun: Begun, rows: asyncpg.Connection, database: Database
    ) -> None:
        await expire(rows, begun, ago=timedelta(hours=hours))

        await ceremony_store.forget_ended(database)

        assert (await given.refusal(begun.verify())).reason == reason

    async def test_nine_tries_leave_one(self, begun: Begun) -> None:
        for _ in range(9):
            await given.refusal(begun.verify(begun.credential(up=False)))

        await begun.verify()

    async def test_a_request_with_invalid_fields_is_no_try(self, begun: Begun) -> None:
        for _ in range(10):
            await given.refusal(begun.verify(passkey_name=""))

        await begun.verify()

    async def test_a_request_for_another_user_is_no_try(
        self, admin: Client, other_user: Client, begun: Begun
    ) -> None:
        for _ in range(10):
            await given.refusal(begun.verify(by=admin, user_id=other_user.user_id))

        await begun.verify()
