"""The challenge of a sign-in is valid for one purpose, policy and session, until it expires."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from server.crypto.keyring import Keyring
from server.passkey.webauthn.challenge import (
    SIGN_IN,
    SIZE,
    Purpose,
    check_challenge,
    new_challenge,
    reauthentication,
)
from server.passkey.webauthn.checks import PagePolicy
from server.values.errors import Failure, Kind

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LIFETIME = timedelta(minutes=10)
OLD, NEW = b"old".ljust(32), b"new".ljust(32)
POLICY = PagePolicy(rp_id="example.org", origins=("https://example.org",))
# Of a former RP ID.
OTHER = PagePolicy(rp_id="old.example", origins=("https://example.org",))


def made(purpose: Purpose = SIGN_IN, keyring: Keyring | None = None) -> bytes:
    return new_challenge(
        keyring or Keyring([NEW, OLD]), purpose=purpose, policy=POLICY, expires_at=NOW + LIFETIME
    )


def check(
    challenge: bytes,
    *,
    keyring: Keyring | None = None,
    purpose: Purpose = SIGN_IN,
    policy: PagePolicy = POLICY,
    now: datetime = NOW,
) -> None:
    found = check_challenge(
        challenge,
        keyring or Keyring([NEW, OLD]),
        purpose=purpose,
        policies=[OTHER, policy],
        now=now,
    )
    assert found == policy


@pytest.mark.parametrize("purpose", [SIGN_IN, reauthentication("session")])
def test_is_good_for_its_purpose_until_it_expires(purpose: Purpose) -> None:
    challenge = made(purpose)

    check(challenge, purpose=purpose)
    check(challenge, purpose=purpose, now=NOW + LIFETIME - timedelta(microseconds=1))

    assert len(challenge) == SIZE == 64


def test_is_another_one_each_time() -> None:
    assert len({made() for _ in range(1_000)}) == 1_000


@pytest.mark.parametrize("late", [timedelta(), timedelta(days=10_000)])
def test_a_challenge_expires_after_its_lifetime(late: timedelta) -> None:
    with pytest.raises(Failure) as caught:
        check(made(), now=NOW + LIFETIME + late)

    assert caught.value.kind is Kind.FAILED_PRECONDITION
    assert caught.value.reason == "CHALLENGE_EXPIRED"


def refused(challenge: bytes, **expected: object) -> str:
    """The reason in the log. Outsiders get the same answer for all of them."""
    with pytest.raises(Failure) as caught:
        check(challenge, **expected)  # type: ignore[arg-type]
    failure = caught.value
    assert (failure.kind, failure.reason) == (Kind.UNAUTHENTICATED, "SIGN_IN_FAILED")
    assert "challenge" not in failure.message
    return failure.log_detail


@pytest.mark.parametrize(
    ("made_for", "used_for"),
    [
        (SIGN_IN, reauthentication("session")),
        (SIGN_IN, reauthentication("")),
        (reauthentication("session"), SIGN_IN),
        (reauthentication("session"), reauthentication("other")),
        (reauthentication("session"), reauthentication("")),
    ],
)
def test_purposes_and_sessions_never_mix(made_for: Purpose, used_for: Purpose) -> None:
    assert "another purpose" in refused(made(made_for), purpose=used_for)


def test_each_purpose_has_a_key_of_its_own() -> None:
    """A purpose with the same number is another purpose."""
    assert "another purpose" in refused(made(), purpose=replace(SIGN_IN, name="other"))


@pytest.mark.parametrize(
    "changes",
    [
        {"rp_id": "example.com"},
        {"origins": ("https://example.org", "https://evil.example")},
        {"top_origins": ("https://shop.example",)},
        {"user_verification": "discouraged"},
    ],
)
def test_is_not_good_under_another_policy(changes: dict[str, object]) -> None:
    policy = replace(POLICY, **changes)  # type: ignore[arg-type]

    assert "policy" in refused(made(), policy=policy)


@pytest.mark.parametrize("size", [0, 1, 63, 65, 1024])
def test_of_another_size_is_refused(size: int) -> None:
    assert "size" in refused(made().ljust(size, b"\0")[:size])


def test_no_bit_can_be_changed() -> None:
    challenge = made()

    for bit in range(SIZE * 8):
        changed = bytearray(challenge)
        changed[bit // 8] ^= 1 << bit % 8
        assert refused(bytes(changed))


def test_outlives_the_change_of_the_writing_key_and_ends_with_its_key() -> None:
    challenge = made(keyring=Keyring([OLD]))

    check(challenge, keyring=Keyring([NEW, OLD]))

    assert "key" in refused(challenge, keyring=Keyring([NEW]))


def test_contains_nothing_of_the_key_and_another_key_makes_another_code() -> None:
    first = Keyring([OLD])

    assert first.derive(first.writing_key_id, purpose="a") != first.derive(
        first.writing_key_id, purpose="b"
    )
    assert OLD not in made(keyring=first)
