"""Credentials of both ceremonies: each row for a registration and for a sign-in.

`test_registration.py` and `test_assertion.py` have what only one of them accepts or refuses. The
tests of the methods only show that they use these checks.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from examples.software_authenticator import b64
from server.passkey.webauthn.checks import PagePolicy
from server.values.errors import Failure, Kind
from tests.passkey import assertions, credentials
from tests.passkey.credentials import CHALLENGE, ORIGIN

Credential = dict[str, Any]
OTHER = b64(b"somebody else's")
_CLIENT_DATA = "response.clientDataJSON"


@dataclass(frozen=True)
class Ceremony:
    """How credentials are made and verified, and by which call of the browser."""

    made: Callable[..., Credential]
    verified: Callable[..., Any]
    policy: PagePolicy
    call: str
    foreign: tuple[Kind, str]
    members: tuple[str, ...]
    data: str


CEREMONIES = {
    "registration": Ceremony(
        credentials.made,
        credentials.verified,
        credentials.REQUIRED,
        call="webauthn.create",
        foreign=(Kind.INVALID_ARGUMENT, "CREDENTIAL_NOT_VERIFIED"),
        members=("clientDataJSON", "attestationObject"),
        data="response.attestationObject.authData",
    ),
    "sign-in": Ceremony(
        assertions.asserted,
        lambda credential, policy: assertions.signed_in(credential, policy=policy),
        assertions.POLICY,
        call="webauthn.get",
        foreign=(Kind.UNAUTHENTICATED, "SIGN_IN_FAILED"),
        members=("clientDataJSON", "authenticatorData", "signature"),
        data="response.authenticatorData",
    ),
}


@pytest.fixture(params=CEREMONIES)
def ceremony(request: pytest.FixtureRequest) -> Ceremony:
    return CEREMONIES[request.param]


def refusal(ceremony: Ceremony, credential: Credential, **policy: Any) -> Failure:
    """The failure of a credential that must be refused, after checks that all failures share."""
    with pytest.raises(Failure) as caught:
        ceremony.verified(credential, replace(ceremony.policy, **policy))
    failure = caught.value
    assert failure.log_detail
    assert failure.log_detail not in failure.message
    assert ORIGIN not in failure.message
    return failure


def malformed_at(ceremony: Ceremony, credential: Credential) -> str:
    """The path of the member for which the credential is malformed."""
    failure = refusal(ceremony, credential)
    path = failure.metadata["path"]
    assert failure.reason == "CREDENTIAL_MALFORMED"
    assert [violation.field for violation in failure.violations] == [f"publicKeyCredential.{path}"]
    assert not any("Error" in violation.description for violation in failure.violations)
    return path


_FACET = "android:apk-key-hash:7d1043473d55bfa90e8530d35801d4e381bc69f0"
_SHOP = "https://shop.example"
# Parts of the credential, and the policy. §7.1 step 10 and §7.2 step 13 ask whether frames are
# expected; the next steps have nothing to compare if the browser does not name the page.
ACCEPTED: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "an Android app": ({"origin": _FACET}, {"origins": (ORIGIN, _FACET)}),
    "a frame in an allowed page": (
        {"cross_origin": True, "top_origin": _SHOP},
        {"top_origins": (_SHOP,)},
    ),
    "an allowed page around the page": (
        {"cross_origin": False, "top_origin": _SHOP},
        {"top_origins": (_SHOP,)},
    ),
    "a frame without the page around it": ({"cross_origin": True}, {"top_origins": (_SHOP,)}),
    "not verified where that is preferred": ({"uv": False}, {"user_verification": "preferred"}),
    "backed up": ({"be": True, "bs": True}, {}),
}


@pytest.mark.parametrize(("parts", "policy"), ACCEPTED.values(), ids=ACCEPTED)
def test_a_credential_that_its_policy_allows(
    ceremony: Ceremony, parts: dict[str, Any], policy: dict[str, Any]
) -> None:
    result = ceremony.verified(ceremony.made(**parts), replace(ceremony.policy, **policy))

    assert result.origin == parts.get("origin", ORIGIN)
    assert result.top_origin == parts.get("top_origin", "")
    assert result.user_verified == parts.get("uv", True)
    assert (result.backup_eligible, result.backed_up) == (parts.get("be", False),) * 2


@pytest.mark.parametrize(
    "members",
    [
        b"\xef\xbb\xbf{%s}",
        b'{%s,"extra":"\xff\xc0\xaf\xed\xa0\x80"}',
        b'{%s,"tokenBinding":{"status":"not-supported"}}',
        b'{%s,"tokenBinding":{}}',
    ],
    ids=["byte order mark", "not UTF-8 where nothing reads it", "token binding", "no status"],
)
def test_client_data_is_read_as_the_specification_says(ceremony: Ceremony, members: bytes) -> None:
    """Step 5 of §7.1, step 8 of §7.2. The signature covers the received bytes."""
    regular = {"type": ceremony.call, "challenge": b64(CHALLENGE), "origin": ORIGIN}
    client_data = members % json.dumps(regular)[1:-1].encode()

    result = ceremony.verified(ceremony.made(client_data=client_data), ceremony.policy)

    assert result.origin == ORIGIN


_OTHER = {"webauthn.create": "webauthn.get", "webauthn.get": "webauthn.create"}
FOREIGN: Mapping[str, Callable[[Ceremony], Credential]] = {
    "another call of the browser": lambda c: c.made(client_data_type=_OTHER[c.call]),
    "another challenge": lambda c: c.made(challenge=b64(bytes(32))),
    "a part of the challenge": lambda c: c.made(challenge=b64(CHALLENGE[:31])),
    "no challenge": lambda c: c.made(challenge=""),
    "another relying party": lambda c: c.made(rp_id="evil.example"),
    "another type": lambda c: c.made() | {"type": "password"},
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_a_credential_of_another_ceremony(
    ceremony: Ceremony, make: Callable[[Ceremony], Credential]
) -> None:
    failure = refusal(ceremony, make(ceremony))

    assert (failure.kind, failure.reason) == ceremony.foreign


_A, _B = "https://a.example", "https://b.example"
# Parts of the credential, the origins of pages that may embed ours, and the refused origin.
ORIGINS: list[tuple[dict[str, Any], tuple[str, ...], str]] = [
    *(
        ({"origin": origin}, (), origin)
        for origin in (
            *("https://evil.example", "https://login.example.org.evil.example"),
            *("https://login.example.org:8443", "http://login.example.org"),
            *("https://login.example.org/", "https://LOGIN.example.org"),
            *("https://sub.login.example.org", ""),
        )
    ),
    ({"cross_origin": True, "top_origin": _A}, (), _A),
    ({"top_origin": _A}, (), _A),
    ({"cross_origin": True}, (), ORIGIN),
    ({"cross_origin": True, "top_origin": _A}, (_B,), _A),
]


@pytest.mark.parametrize(("parts", "allowed", "shown"), ORIGINS)
def test_another_page_or_a_frame_in_another_page(
    ceremony: Ceremony, parts: dict[str, Any], allowed: tuple[str, ...], shown: str
) -> None:
    failure = refusal(ceremony, ceremony.made(**parts), top_origins=allowed)

    assert (failure.kind, failure.reason) == (Kind.INVALID_ARGUMENT, "ORIGIN_NOT_ALLOWED")
    assert failure.metadata == {"origin": shown}


def test_an_origin_is_shown_short_and_without_characters_that_do_harm(ceremony: Ceremony) -> None:
    origin = "https://\r\n\0\ud800\u202eevil.example/" + "x" * 5000

    failure = refusal(ceremony, ceremony.made(origin=origin))

    shown = failure.metadata["origin"]
    assert shown.startswith("https://evil.example/xxx")
    assert len(shown) <= 256
    assert len(failure.log_detail) < 400


@pytest.mark.parametrize("flag", ["up", "uv"])
def test_nobody_was_present_or_the_user_was_not_verified(ceremony: Ceremony, flag: str) -> None:
    assert refusal(ceremony, ceremony.made(**{flag: False})).reason == "USER_NOT_VERIFIED"


def test_backed_up_but_not_eligible_for_backup(ceremony: Ceremony) -> None:
    assert malformed_at(ceremony, ceremony.made(bs=True)) == f"{ceremony.data}.flags"


@pytest.mark.parametrize("parts", [{"extensions": [1]}, {"flags": 0xC5}, {"flags": 0x85}])
def test_extensions_that_are_not_one_map(ceremony: Ceremony, parts: dict[str, Any]) -> None:
    assert malformed_at(ceremony, ceremony.made(**parts)).startswith(ceremony.data)


def test_a_challenge_in_another_text(ceremony: Ceremony) -> None:
    padded = b64(CHALLENGE) + "=" * (-len(b64(CHALLENGE)) % 4)
    assert padded != b64(CHALLENGE)

    path = malformed_at(ceremony, ceremony.made(challenge=padded))

    assert path == f"{_CLIENT_DATA}.challenge"


_WRONG: tuple[Any, ...] = (None, 7.0, True, [], ...)  # ...: it is missing
# Members of the credential, and the path that is named.
MALFORMED: list[tuple[dict[str, Any], str]] = [
    *(({name: wrong}, name) for name in ("id", "rawId", "type", "response") for wrong in _WRONG),
    ({"id": OTHER}, "rawId"),
    ({"rawId": OTHER}, "rawId"),
    ({"id": "", "rawId": ""}, "id"),
    ({"id": "="}, "id"),
    ({"id": b64(bytes(1024)), "rawId": b64(bytes(1024))}, "id"),
]


@pytest.mark.parametrize(("members", "path"), MALFORMED)
def test_a_wrong_member_of_a_credential_is_named(
    ceremony: Ceremony, members: dict[str, Any], path: str
) -> None:
    credential = ceremony.made() | members
    sent = {name: value for name, value in credential.items() if value is not ...}

    assert malformed_at(ceremony, sent) == path


@pytest.mark.parametrize("wrong", [None, 7.0, True, [], {}, "=", "A" * 100_000])
def test_a_wrong_member_of_a_response_is_named(ceremony: Ceremony, wrong: object) -> None:
    for name in ceremony.members:
        credential = ceremony.made()
        credential["response"][name] = wrong

        assert malformed_at(ceremony, credential) == f"response.{name}"
