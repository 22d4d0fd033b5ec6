"""JWTs of sessions: claims, audiences, callers, and verification by another library."""

import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from keystead.session.v1 import session_service_pb2 as pb
from server import app
from server.crypto import encryption_keys
from server.crypto.keyring import EncryptionKeyError, Keyring, load_keyring
from server.settings.settings import Settings
from server.signing import commands, signer, store
from server.signing.private_key import Algorithm
from server.signing.schedule import INTERVAL, KEPT, PREPUBLISHED
from server.store.database import Database, connected
from tests.conftest import MakeInstance
from tests.session import jwts, sessions
from tests.session.jwts import AUDIENCE, ISSUER
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance, Refusal
from tests.support.transports import Call, Transports, authorization

_ISSUE = given.METHOD["IssueSessionJWT"]


issuing = jwts.issuing


@pytest.fixture(scope="module")
async def signed_in(issuing: Instance) -> SignedIn:
    return await sessions.signed_in(issuing.admin)


async def test_a_session_jwt_says_who_signed_in_how_and_when(
    issuing: Instance, signed_in: SignedIn
) -> None:
    before = int(time.time())
    issued, other = await jwts.issue(signed_in.client), await jwts.issue(signed_in.client)
    session = await sessions.current(signed_in.client)

    claims = jwts.verified(issued.jwt, await jwts.key_set(issuing))

    header = jwt.get_unverified_header(issued.jwt)
    assert (header["typ"], header["alg"]) == ("at+jwt", "ES256")
    assert claims.pop("jti") != jwts.verified(other.jwt, await jwts.key_set(issuing))["jti"]
    assert before <= claims.pop("iat") <= time.time()
    assert claims.pop("exp") == issued.expires_at.seconds
    assert before + 299 <= issued.expires_at.seconds <= time.time() + 300
    assert claims == {
        "iss": ISSUER,
        "sub": signed_in.answer.user_id,
        "aud": AUDIENCE,
        "client_id": "localhost",
        "sid": signed_in.session_id,
        "org": session.details.resource_owner,
        "auth_time": session.authenticated_at.seconds,
        "amr": ["pop", "user", "mfa"],
    }


async def test_a_sign_in_without_user_verification_is_one_factor(
    issuing: Instance, make_instance: MakeInstance
) -> None:
    same = {"dsn": issuing.dsn, "data_dir": issuing.data_dir, **jwts.SETTINGS}
    async with make_instance(**same, rp_user_verification="discouraged") as instance:
        person = await sessions.person(instance.admin)
        unverified = await person.sign_in(uv=False)
        claims = jwts.verified(
            (await jwts.issue(unverified.client)).jwt, await jwts.key_set(instance)
        )

    assert claims["amr"] == ["pop", "user"]


async def _end_in(issuing: Instance, its: SignedIn, **time: float) -> None:
    """Sets the expiry of a session to this time from now."""
    async with given.sql(issuing.dsn) as sql:
        await sql.execute(
            "update sessions set expires_at = clock_timestamp() + $2::interval"
            " where session_id = $1",
            its.session_id,
            timedelta(**time),
        )


async def test_a_session_jwt_expires_with_its_session(
    issuing: Instance, signed_in: SignedIn
) -> None:
    own = await signed_in.person.sign_in()
    await _end_in(issuing, own, minutes=1)

    session = await sessions.current(own.client)
    issued = await jwts.issue(own.client)

    assert issued.expires_at.seconds == session.expires_at.seconds
    assert issued.expires_at.nanos == 0


async def _refusal(issuing: Instance, client: Client, audience: str) -> Refusal:
    """The refusal, which must be the same over all transports."""
    request = pb.IssueSessionJWTRequest(audience=audience)
    async with Transports.of(issuing) as transports:
        call = Call(_ISSUE, request, authorization(client.token))
        return (await transports.one_answer(call)).refusal


@pytest.mark.parametrize(
    ("audience", "violation"),
    [
        ("", "must not be empty"),
        ("x" * 501, "must be at most 500 characters"),
        ("https://orders.example.com/", "KEYSTEAD_JWT_AUDIENCES"),
        ("Reports", "KEYSTEAD_JWT_AUDIENCES"),
    ],
)
async def test_an_audience_must_be_listed(
    issuing: Instance, signed_in: SignedIn, audience: str, violation: str
) -> None:
    refused = await _refusal(issuing, signed_in.client, audience)

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert violation in refused.violations["audience"]


async def test_a_service_token_gets_none(issuing: Instance, signed_in: SignedIn) -> None:
    refused = await _refusal(issuing, signed_in.person.client, AUDIENCE)

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "SESSION_NOT_FOUND"
    assert "not a session token" in refused.message


async def test_a_session_that_another_process_has_ended_gets_none(
    issuing: Instance, signed_in: SignedIn
) -> None:
    own = await signed_in.person.sign_in()
    await jwts.issue(own.client)  # its caller is cached now
    async with given.sql(issuing.dsn) as sql:
        await sql.execute("delete from sessions where session_id = $1", own.session_id)

    refused = await given.refusal(jwts.issue(own.client))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_all_transports_issue_it(issuing: Instance, signed_in: SignedIn) -> None:
    request = pb.IssueSessionJWTRequest(audience="reports")
    call = Call(_ISSUE, request, authorization(signed_in.client.token))

    async with Transports.of(issuing) as transports:
        answers = [await transport.answer(call) for transport in transports.all.values()]

    keys = await jwts.key_set(issuing)
    for answer in answers:
        response = answer.response
        assert isinstance(response, pb.IssueSessionJWTResponse)
        claims = jwts.verified(response.jwt, keys, audience="reports")
        assert claims["sid"] == signed_in.session_id


async def test_another_audience_issuer_or_algorithm_is_refused(
    issuing: Instance, signed_in: SignedIn
) -> None:
    token, keys = (await jwts.issue(signed_in.client)).jwt, await jwts.key_set(issuing)

    def refused(by: type[Exception], token: str = token, **expected: Any) -> None:
        with pytest.raises(by):
            jwts.verified(token, keys, **expected)

    refused(jwt.InvalidAudienceError, audience="reports")
    refused(jwt.InvalidIssuerError, issuer=f"{ISSUER}/")
    refused(jwt.InvalidAlgorithmError, algorithms=["ES384"])
    kid = jwt.get_unverified_header(token)["kid"]
    claims = jwts.verified(token, keys)
    foreign = ec.generate_private_key(ec.SECP256R1())
    refused(jwt.InvalidSignatureError, jwt.encode(claims, foreign, "ES256", headers={"kid": kid}))
    refused(KeyError, jwt.encode(claims, foreign, "ES256", headers={"kid": "unknown"}))
    refused(jwt.InvalidAlgorithmError, jwt.encode(claims, "x" * 32, "HS256", headers={"kid": kid}))
    refused(jwt.InvalidAlgorithmError, jwt.encode(claims, "", "none", headers={"kid": kid}))


async def test_an_expired_one_is_refused(issuing: Instance, signed_in: SignedIn) -> None:
    """A JWT that expires with its session, used after that."""
    own = await signed_in.person.sign_in()
    await _end_in(issuing, own, seconds=2)
    issued, keys = await jwts.issue(own.client), await jwts.key_set(issuing)

    async def is_over() -> bool:
        return time.time() >= issued.expires_at.seconds

    await given.eventually(is_over)

    with pytest.raises(jwt.ExpiredSignatureError):
        jwts.verified(issued.jwt, keys)
    assert jwts.verified(issued.jwt, keys, leeway=60)["sid"] == own.session_id


async def test_a_service_refuses_nothing_through_a_rotation(
    issuing: Instance, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service caches each key set as long as it may, so it is one rotation step behind."""
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    kids = set()
    kept, before = await jwts.key_set(issuing), (await jwts.issue(signed_in.client)).jwt
    steps = [INTERVAL - PREPUBLISHED, PREPUBLISHED - timedelta(minutes=1), timedelta(minutes=1)]
    for step in [*steps, KEPT]:
        await jwts.time_passes(issuing, step)
        await _housekeeping(issuing)
        fetched = await jwts.key_set(issuing)
        token = (await jwts.issue(signed_in.client)).jwt
        # the cached keys and the token on its way are both of the step before
        jwts.verified(token, kept)
        jwts.verified(token, fetched)
        if step != KEPT:
            jwts.verified(before, fetched)
        kids.add(jwt.get_unverified_header(token)["kid"])
        kept, before = fetched, token

    assert len(kids) == 2
    es256 = [key.key_id for key in kept.keys if key.algorithm_name == "ES256"]
    assert es256 == [jwt.get_unverified_header(before)["kid"]]


async def _housekeeping(instance: Instance) -> None:
    async with connected(instance.dsn, pool_size=1) as database:
        await app.keep_signing(database, jwts.settings(instance))


async def _withdraw_all(database: Database, keyring: Keyring) -> None:
    """As `keystead rotate-signing-key --now`, under a new encryption key."""
    await encryption_keys.admit(database, keyring)
    for algorithm in Algorithm:
        await commands.withdraw_all(database, keyring, algorithm)


async def test_a_withdrawn_key_signs_no_more_and_is_not_published(
    issuing: Instance, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    stolen = (await jwts.issue(signed_in.client)).jwt
    keyring = load_keyring((), issuing.data_dir / "encryption.keys")
    async with connected(issuing.dsn, pool_size=1) as database:
        await commands.withdraw_all(database, keyring, Algorithm.ES256)

    keys = await jwts.key_set(issuing)
    jwts.verified((await jwts.issue(signed_in.client)).jwt, keys)
    with pytest.raises(KeyError):
        jwts.verified(stolen, keys)


async def test_a_key_under_a_lost_encryption_key_stops_the_start_and_names_the_key(
    dsn: str, tmp_path: Path
) -> None:
    settings = Settings.model_validate({"data_dir": tmp_path, **jwts.SETTINGS})
    await app.prepare(settings, dsn)
    lost = load_keyring((), settings.key_file).writing_key_id
    settings.key_file.write_text("b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4=\n")

    with pytest.raises(EncryptionKeyError, match=lost):
        await app.prepare(settings, dsn)
    async with connected(dsn, pool_size=1) as database:
        await _withdraw_all(database, load_keyring((), settings.key_file))
    await app.prepare(settings, dsn)


async def test_without_a_readable_key_the_caller_is_asked_to_wait(
    issuing: Instance, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    async with connected(issuing.dsn, pool_size=1) as database:
        await _withdraw_all(database, Keyring([b"x" * 32]))
    unreadable = await given.refusal(jwts.issue(signed_in.client))
    async with given.sql(issuing.dsn) as sql:
        await sql.execute("delete from signing_keys")
    missing = await given.refusal(jwts.issue(signed_in.client))
    await _housekeeping(issuing)  # makes a key again
    await jwts.issue(signed_in.client)  # which the signer caches

    for refused in (unreadable, missing):
        assert refused.code is grpc.StatusCode.UNAVAILABLE
        assert refused.reason == "SIGNING_KEY_UNAVAILABLE"
        assert "keystead doctor" in refused.message


async def test_a_session_jwt_has_the_database_time_and_is_refused_where_the_clock_is_an_hour_off(
    issuing: Instance, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = store.get

    async def an_hour_ahead(database: Any) -> Any:
        schedules, secrets = await get(database)
        ahead = {
            algorithm: replace(schedule, now=schedule.now + timedelta(hours=1))
            for algorithm, schedule in schedules.items()
        }
        return ahead, secrets

    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    monkeypatch.setattr(store, "get", an_hour_ahead)
    issued = await jwts.issue(signed_in.client)
    keys = await jwts.key_set(issuing)

    with pytest.raises(jwt.ImmatureSignatureError):
        jwts.verified(issued.jwt, keys)
    claims = jwts.verified(issued.jwt, keys, leeway=3600)
    assert claims["iat"] > time.time() + 3500
    assert claims["exp"] <= (await sessions.current(signed_in.client)).expires_at.seconds
