"""CreateCertificate: a client certificate as a token of its user."""

import ssl
from collections.abc import Callable
from datetime import UTC

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.access.caller import OPERATOR
from tests.support import given
from tests.support.certificates import Authority, Certificate
from tests.support.given import Client
from tests.user import calls


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority of services."""
    return Authority(tmp_path_factory.mktemp("services"))


@pytest.fixture(scope="module")
def issued(authority: Authority) -> Certificate:
    """A certificate that no test adds."""
    return authority.certificate()


async def test_a_certificate_is_listed_with_its_thumbprint_and_expires_by_itself(
    admin: Client, authority: Authority
) -> None:
    user_id, certificate = (await calls.create(admin)).user_id, authority.certificate()

    added = await calls.create_certificate(admin, user_id, certificate.pem, name="orders")

    [token] = await calls.tokens(admin, user_id)
    assert token == pb.Token(
        token_id=added.token_id,
        details=added.details,
        name="orders",
        expires_at=token.expires_at,
        created_by=admin.user_id,
        kind=pb.TOKEN_KIND_CERTIFICATE,
        thumbprint=certificate.thumbprint,
        makers=sorted([admin.user_id, OPERATOR.user_id]),
    )
    assert token.expires_at.ToDatetime(UTC) == certificate.expires_at
    assert added.thumbprint == certificate.thumbprint


async def test_a_bearer_token_has_no_thumbprint(admin: Client) -> None:
    user = await given.user(admin)

    [token] = await calls.tokens(admin, user.user_id)

    assert (token.kind, token.thumbprint) == (pb.TOKEN_KIND_BEARER, "")


async def test_the_log_has_the_thumbprint_and_neither_certificate_nor_subject(
    admin: Client, authority: Authority, sql: asyncpg.Connection
) -> None:
    user_id, certificate = (await calls.create(admin)).user_id, authority.certificate(["secret"])

    await calls.create_certificate(admin, user_id, certificate.pem)

    payload = (await given.logged(sql, user_id))[-1]["payload"]
    assert payload["thumbprint"] == certificate.thumbprint
    assert "secret" not in str(payload)
    assert ssl.PEM_cert_to_DER_cert(certificate.pem).hex() not in str(payload)


async def test_a_certificate_belongs_to_one_user_until_it_is_revoked(
    admin: Client, authority: Authority
) -> None:
    pem = authority.certificate().pem
    first, second = [(await calls.create(admin)).user_id for _ in range(2)]
    added = await calls.create_certificate(admin, first, pem)

    for user_id in (first, second):
        refused = await given.refusal(calls.create_certificate(admin, user_id, pem))
        assert refused.code is grpc.StatusCode.ALREADY_EXISTS
        assert refused.reason == "CERTIFICATE_ALREADY_ADDED"
        assert "Revoke that token first" in refused.message
        assert refused.metadata == {"userId": first, "tokenId": added.token_id}

    await calls.revoke_token(admin, first, added.token_id)
    await calls.create_certificate(admin, second, pem)
    await calls.remove(admin, second)
    await calls.create_certificate(admin, first, pem)


async def test_of_many_users_one_gets_the_certificate(admin: Client, authority: Authority) -> None:
    pem = authority.certificate().pem
    user_ids = [(await calls.create(admin)).user_id for _ in range(5)]

    ended = await given.outcomes(
        calls.create_certificate(admin, user_id, pem) for user_id in user_ids
    )

    assert ended == {"OK": 1, "CERTIFICATE_ALREADY_ADDED": 4}


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda _: "", "must not be empty"),
        (lambda _: "x" * 16_385, "must be at most 16384 characters"),
        (lambda _: "certificate", "must be a certificate in PEM format"),
        (lambda pem: pem.replace("M", "!"), "must be a certificate in PEM format"),
        (lambda pem: pem + pem, "must be one certificate, without its chain and without its key"),
    ],
    ids=["empty", "large", "text", "damaged", "two"],
)
async def test_a_text_that_is_not_one_certificate_is_a_field_violation(
    admin: Client, issued: Certificate, spoil: Callable[[str], str], problem: str
) -> None:
    pem = spoil(issued.pem)

    refused = await given.refusal(
        calls.create_certificate(admin, admin.user_id, pem, name="x" * 201)
    )

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations["certificate"] == problem
    assert refused.violations.keys() == {"certificate", "name"}


async def test_keys_and_expired_certificates_are_field_violations(
    admin: Client, issued: Certificate, authority: Authority
) -> None:
    with_key = issued.path.read_text()
    key = with_key.removesuffix(issued.pem)
    expired = authority.certificate(days=-1)

    problems = {}
    for name, pem in {"both": with_key, "key": key, "expired": expired.pem}.items():
        refused = await given.refusal(calls.create_certificate(admin, admin.user_id, pem))
        problems[name] = refused.violations["certificate"]
        assert "PRIVATE" not in refused.message

    assert problems == {
        "both": "must be one certificate, without its chain and without its key",
        "key": "must be a certificate in PEM format",
        "expired": f"expired on {expired.expires_at:%Y-%m-%d}: have another certificate issued",
    }
