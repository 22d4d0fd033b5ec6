"""A provider with hostile claims: the user signs in without them, or is refused."""

import json

import grpc
import pytest

from tests.idp.signins import Site
from tests.support import given
from tests.support.oidc_provider import Provider

_MEBIBYTE = 1024 * 1024
TEXTS = {
    "a lone surrogate": "ada\ud800",
    "NUL": "ada\0",
    "an override of direction": "ada\u202egro.elpmaxe",
    "isolates of direction": "\u2066ada\u2069",
    "a line": "ada\nBcc: eve@example.com",
    "no character": "\ufeff\u200b",
    "7,000 characters": "a" * 7_000,
}
VALUES = {
    "a boolean": True,
    "a number": 7,
    "a large number": 10**300,
    "a list": ["ada"],
    "an object": {"a": "b"},
    "a deep list": json.loads("[" * 150 + "]" * 150),
}


async def _profiles(site: Site) -> dict[str, tuple[str, str]]:
    """The display names and addresses of the users, by user name."""
    return {user.user_name: (user.display_name, user.email) for user in await site.users()}


@pytest.mark.parametrize("source", ["ID token", "userinfo"])
async def test_who_has_no_usable_name_or_address_signs_in_without_them(
    site: Site, provider: Provider, source: str
) -> None:
    for case, value in {**TEXTS, **VALUES}.items():
        provider.speak_of(case)
        into = provider.claims if source == "ID token" else provider.documents["/userinfo"]
        address = f"{value}@example.com" if isinstance(value, str) else value
        into |= {"preferred_username": value, "name": value}
        into |= {"email": address, "email_verified": True}
        await site.sign_in()

    assert await _profiles(site) == {case: (case, "") for case in {**TEXTS, **VALUES}}


async def test_a_subject_that_is_no_usable_text_signs_nobody_in(
    site: Site, provider: Provider
) -> None:
    for value in [*TEXTS.values(), *VALUES.values()]:
        provider.claims = {"sub": value}
        provider.documents["/userinfo"] = {"sub": value}

        refused = await given.refusal(site.complete(await site.callback()))

        assert (refused.code, refused.reason) == (grpc.StatusCode.UNAUTHENTICATED, "SIGN_IN_FAILED")
    assert await site.users() == []


@pytest.mark.parametrize("source", ["ID token", "userinfo"])
async def test_a_claim_of_a_mebibyte_signs_nobody_in(
    site: Site, provider: Provider, source: str
) -> None:
    """The answer with this claim is longer than 256 KiB."""
    for claim in ("sub", "name", "email"):
        provider.speak_of("the-subject")
        into = provider.claims if source == "ID token" else provider.documents["/userinfo"]
        into |= {claim: "a" * _MEBIBYTE}

        refused = await given.refusal(site.complete(await site.callback()))

        assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "IDP_UNREACHABLE")
    assert await site.users() == []
