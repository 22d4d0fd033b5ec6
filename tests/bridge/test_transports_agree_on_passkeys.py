"""Registration of a passkey has the same answers on every transport.

RegisterPasskey with a link in any state, and more. Refused credentials and ceremonies are in
`tests/passkey/test_verify_refusals.py`.
"""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.bridge.callers import METHODS
from tests.passkey.ceremonies import Begun, begin, register, rename
from tests.passkey.links import Link, create, link
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.transports import Call, Transports, authorization

_INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest.fixture(scope="module")
async def transports(instance: Instance) -> AsyncIterator[Transports]:
    async with Transports.of(instance) as transports:
        yield transports


def _call(begun: Begun, by: Client, credential: dict[str, Any] | None = None) -> Call:
    method = METHODS["VerifyPasskeyRegistration"]
    return Call(method, begun.request(credential), authorization(by.token))


async def test_the_size_of_a_credential_is_measured_alike(
    transports: Transports, admin: Client
) -> None:
    """Numbers count in the notation of ECMAScript: -7 has two characters, also as -7.0."""
    begun = await begin(await given.user(admin))
    credential = {"n": [-7, 1e21, 0.5, 0.00001], "padding": "x" * 5}

    refused = (await transports.one_answer(_call(begun, begun.caller, credential))).refusal

    compact = '{"n":[-7,1e+21,0.5,0.00001],"padding":"xxxxx"}'
    assert refused.violations == {
        "publicKeyCredential": f"must have 55 to 1048576 characters as JSON; it has {len(compact)}"
    }


async def test_a_passkey_is_renamed_alike(transports: Transports, admin: Client) -> None:
    begun = await register(await given.user(admin))
    await rename(begun.caller, begun.passkey_id, "Old phone")
    call = Call(
        METHODS["RenamePasskey"],
        pb.RenamePasskeyRequest(
            user_id=begun.user_id, passkey_id=begun.passkey_id, name="Old phone"
        ),
        authorization(begun.caller.token),
    )

    assert (await transports.one_answer(call)).code is grpc.StatusCode.OK


# Links


def _by_link(by: Link, *headers: tuple[str, str], **fields: str) -> Call:
    request = pb.RegisterPasskeyRequest(**{"user_id": by.user_id, "code": by.code} | fields)
    return Call(METHODS["RegisterPasskey"], request, headers)


@pytest.fixture
async def by(admin: Client) -> Link:
    """A link of a new user."""
    return await link(admin, await given.user(admin))


async def test_a_link_begins_a_ceremony_through_every_door(
    transports: Transports, by: Link
) -> None:
    for transport in transports.all.values():
        answer = await transport.answer(_by_link(by))

        assert isinstance(answer.response, pb.RegisterPasskeyResponse)
        assert answer.response.registration_token.startswith("ksr_")


@pytest.mark.parametrize(
    "fields",
    [
        {"code": ""},
        {"code": "ksl_"},
        {"code": "ksl_" + "0" * 72},
        {"user_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
    ],
    ids=["none", "malformed", "wrong checksum", "another user"],
)
async def test_a_code_that_is_not_one_is_refused_alike(
    transports: Transports, by: Link, fields: dict[str, str]
) -> None:
    refused = (await transports.one_answer(_by_link(by, **fields))).refusal

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_code_beside_a_token_is_refused_alike(
    transports: Transports, admin: Client, by: Link
) -> None:
    call = _by_link(by, *authorization(admin.token))

    refused = (await transports.one_answer(call)).refusal

    assert refused.code is _INVALID
    assert list(refused.violations) == ["code"]


async def test_a_link_that_was_used_is_refused_alike(transports: Transports, by: Link) -> None:
    await by.register()

    refused = (await transports.one_answer(_by_link(by))).refusal

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "LINK_USED")


async def test_a_link_that_was_replaced_is_refused_alike(
    transports: Transports, admin: Client, by: Link
) -> None:
    begun = await by.begin()
    await create(admin, by.user_id)

    again = (await transports.one_answer(_by_link(by))).refusal
    late = (await transports.one_answer(_call(begun, begun.token_holder))).refusal

    for refused in (again, late):
        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "LINK_REPLACED"
