"""Registration of a passkey has the same answers on every transport.

VerifyPasskeyRegistration with any credential; RegisterPasskey with a link in any state.
"""

from collections.abc import AsyncIterator
from itertools import cycle
from secrets import token_bytes
from typing import Any

import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.bridge.callers import METHODS
from tests.passkey.ceremonies import Begun, begin, expire, register, remove, rename
from tests.passkey.links import Link, create, link
from tests.passkey.test_verify_refusals import CORE, ORIGINS, SURFACE, UNFIT, Change
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.transports import Answer, Call, Transports, authorization

_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_ATTEMPTS = 10


@pytest.fixture(scope="module")
async def transports(instance: Instance) -> AsyncIterator[Transports]:
    async with Transports.of(instance) as transports:
        yield transports


@pytest.fixture
async def begun(admin: Client) -> Begun:
    """A ceremony of a new user. A failed attempt changes only the number of attempts."""
    return await begin(await given.user(admin))


def _call(
    begun: Begun, credential: dict[str, Any] | None = None, *, by: Client | None = None
) -> Call:
    return Call(
        METHODS["VerifyPasskeyRegistration"],
        begun.request(credential),
        authorization((by or begun.caller).token),
    )


async def _one_answer(
    transports: Transports, begun: Begun, credential: dict[str, Any] | None = None
) -> Answer:
    return await transports.one_answer(_call(begun, credential))


async def test_the_size_of_a_credential_is_measured_alike(
    transports: Transports, begun: Begun
) -> None:
    """Numbers count in the notation of ECMAScript: -7 has two characters, also as -7.0."""
    credential = {"n": [-7, 1e21, 0.5, 0.00001], "padding": "x" * 5}

    refused = (await _one_answer(transports, begun, credential)).refusal

    compact = '{"n":[-7,1e+21,0.5,0.00001],"padding":"xxxxx"}'
    assert refused.violations == {
        "publicKeyCredential": f"must have 55 to 1048576 characters as JSON; it has {len(compact)}"
    }


@pytest.mark.parametrize(("parts", "reason"), UNFIT.values(), ids=UNFIT.keys())
async def test_a_credential_that_does_not_fit_is_refused_alike(
    transports: Transports, begun: Begun, parts: dict[str, Any], reason: str
) -> None:
    refused = (await _one_answer(transports, begun, begun.credential(**parts))).refusal

    assert (refused.code, refused.reason) == (_INVALID, reason)


@pytest.mark.parametrize(("parts", "origin"), ORIGINS.values(), ids=ORIGINS.keys())
async def test_a_page_that_is_not_allowed_is_refused_alike(
    transports: Transports, begun: Begun, parts: dict[str, Any], origin: str
) -> None:
    refused = (await _one_answer(transports, begun, begun.credential(**parts))).refusal

    assert (refused.code, refused.reason) == (_INVALID, "ORIGIN_NOT_ALLOWED")
    assert refused.metadata == {"origin": origin}


@pytest.mark.parametrize("origin", ["https://é.example/\N{GRINNING FACE}%", "é" * 200])
async def test_an_origin_that_is_hard_to_send_is_shown_alike(
    transports: Transports, begun: Begun, origin: str
) -> None:
    refused = (await _one_answer(transports, begun, begun.credential(origin=origin))).refusal

    assert refused.reason == "ORIGIN_NOT_ALLOWED"
    assert refused.metadata == {"origin": origin}


@pytest.mark.parametrize(("change", "path"), SURFACE.values(), ids=SURFACE.keys())
async def test_a_malformed_member_is_named_alike(
    transports: Transports, begun: Begun, change: Change, path: str
) -> None:
    refused = (await _one_answer(transports, begun, change(begun.credential()))).refusal

    assert (refused.code, refused.reason) == (_INVALID, "CREDENTIAL_MALFORMED")
    assert refused.metadata == {"path": path}
    assert list(refused.violations) == [f"publicKeyCredential.{path}"]


@pytest.mark.parametrize(("parts", "path"), CORE.values(), ids=CORE.keys())
async def test_a_malformed_core_is_named_alike(
    transports: Transports, begun: Begun, parts: dict[str, Any], path: str
) -> None:
    refused = (await _one_answer(transports, begun, begun.credential(**parts))).refusal

    assert (refused.code, refused.reason) == (_INVALID, "CREDENTIAL_MALFORMED")
    assert refused.metadata == {"path": path}


async def test_a_credential_that_somebody_has_is_refused_alike(
    transports: Transports, begun: Begun, admin: Client
) -> None:
    credential_id = token_bytes(32)
    await register(await given.user(admin), credential_id=credential_id)

    refused = (
        await _one_answer(transports, begun, begun.credential(credential_id=credential_id))
    ).refusal

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "CREDENTIAL_ALREADY_REGISTERED"


async def test_a_ceremony_that_was_completed_is_refused_alike(
    transports: Transports, begun: Begun
) -> None:
    await begun.verify()

    refused = (await _one_answer(transports, begun)).refusal

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "CHALLENGE_USED"


async def test_a_ceremony_that_has_expired_is_refused_alike(
    instance: Instance, transports: Transports, begun: Begun
) -> None:
    async with given.sql(instance.dsn) as rows:
        await expire(rows, begun)

    refused = (await _one_answer(transports, begun)).refusal

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "CHALLENGE_EXPIRED"


async def test_a_ceremony_that_was_tried_too_often_is_refused_alike(
    transports: Transports, begun: Begun
) -> None:
    for _ in range(_ATTEMPTS):
        await given.refusal(begun.verify(begun.credential(up=False)))

    refused = (await _one_answer(transports, begun)).refusal

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "TOO_MANY_ATTEMPTS"


async def test_a_try_counts_through_whatever_door_it_comes(
    transports: Transports, begun: Begun
) -> None:
    call = _call(begun, begun.credential(up=False))
    for _, transport in zip(range(_ATTEMPTS), cycle(transports.all.values()), strict=False):
        assert (await transport.answer(call)).refusal.reason == "USER_NOT_VERIFIED"

    refused = (await transports.one_answer(call)).refusal

    assert refused.reason == "TOO_MANY_ATTEMPTS"


async def test_a_ceremony_that_was_removed_is_refused_alike(
    transports: Transports, begun: Begun
) -> None:
    await remove(begun.caller, begun.passkey_id)

    refused = (await _one_answer(transports, begun)).refusal

    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "PASSKEY_NOT_FOUND")


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
    late = (await transports.one_answer(_call(begun, by=begun.token_holder))).refusal

    for refused in (again, late):
        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "LINK_REPLACED"
