"""Domains limit who is registered at a first sign-in."""

from typing import Any

import grpc
import pytest

from tests.idp import oidc_calls, signins
from tests.idp.signins import Site
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider

_MAIL = {"auto_register_mail_domains": ["example.com", "example.org"]}
_HOSTED = {"auto_register_hosted_domains": ["example.com"]}
_ADA = {"email": "ada@example.com", "email_verified": True}


@pytest.mark.parametrize(
    ("limits", "claims"),
    [
        ({}, {}),
        (_MAIL, _ADA),
        (_MAIL, {"email": "ada@EXAMPLE.org", "email_verified": "true"}),
        (_HOSTED, {"hd": "example.com"}),
        (_HOSTED, {"hd": "Example.com"}),
        ({"auto_register_hosted_domains": ["bücher.example"]}, {"hd": "xn--bcher-kva.example"}),
        (_MAIL | _HOSTED, _ADA | {"hd": "example.com"}),
    ],
)
async def test_people_of_these_domains_are_registered(
    site: Site, provider: Provider, limits: dict[str, Any], claims: dict[str, Any]
) -> None:
    await site.set_config(**limits)
    provider.speak_of("ada", **claims)

    assert (await site.sign_in()).answer.registered


@pytest.mark.parametrize(
    ("limits", "claims"),
    [
        (_MAIL, {}),
        (_MAIL, {"email": "ada@example.com"}),
        (_MAIL, {"email": "ada@example.com", "email_verified": False}),
        (_MAIL, {"email": "ada@sub.example.com", "email_verified": True}),
        (_MAIL, {"email": "ada@notexample.com", "email_verified": True}),
        (_MAIL, {"email": "ada@example.com@evil.example", "email_verified": True}),
        (_MAIL, {"email": ["ada@example.com"], "email_verified": True}),
        (_MAIL, {"hd": "example.com"}),
        (_HOSTED, _ADA),
        (_HOSTED, {"hd": "evil.example"}),
        (_HOSTED, {"hd": ["example.com"]}),
        (_HOSTED, {"hd": ""}),
        (_HOSTED, {"hd": "example.com\0"}),
        (_MAIL | _HOSTED, _ADA),
        (_MAIL | _HOSTED, {"hd": "example.com"}),
    ],
)
async def test_nobody_else_is_registered(
    site: Site, provider: Provider, limits: dict[str, Any], claims: dict[str, Any]
) -> None:
    await site.set_config(**limits)
    provider.speak_of("ada", **claims)

    refused = await given.refusal(site.complete(await site.callback()))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "NOT_REGISTERED"
    assert await site.users() == []


async def test_who_has_an_account_signs_in_and_links_whatever_the_domains(
    site: Site, relying: Instance, provider: Provider
) -> None:
    provider.speak_of("ada")
    await site.sign_in()
    await site.set_config(**_MAIL, **_HOSTED)

    assert not (await site.sign_in()).answer.registered
    provider.speak_of("grace")
    person = await sessions.person(relying.admin, org_id=site.org_id)
    assert (await signins.link((await person.sign_in()).client, await site.callback())).link_id


async def test_domains_are_stored_in_normal_form_and_replaced(admin: Client) -> None:
    idp_id = await given.idp(admin)
    domains = ["Example.COM", "xn--bcher-kva.example", "example.com"]
    await oidc_calls.set_config(
        admin, idp_id, auto_register_mail_domains=domains, update_email_at_sign_in=True
    )
    first = await oidc_calls.get(admin, idp_id)
    await oidc_calls.set_config(admin, idp_id, client_secret=None, update_name_at_sign_in=True)
    second = await oidc_calls.get(admin, idp_id)

    assert first.auto_register_mail_domains == ["example.com", "bücher.example"]
    assert (first.update_name_at_sign_in, first.update_email_at_sign_in) == (False, True)
    assert second.auto_register_mail_domains == []
    assert (second.update_name_at_sign_in, second.update_email_at_sign_in) == (True, False)


@pytest.mark.parametrize("field", ["auto_register_mail_domains", "auto_register_hosted_domains"])
async def test_every_wrong_domain_is_named(admin: Client, field: str) -> None:
    idp_id = await given.idp(admin)
    wrong = ["example.com", "", "ada@example.com", "https://example.com", "a b", "x" * 300]

    refused = await given.refusal(oidc_calls.set_config(admin, idp_id, **{field: wrong}))
    too_many = await given.refusal(
        oidc_calls.set_config(admin, idp_id, **{field: [f"{n}.example" for n in range(51)]})
    )

    name = {"auto_register_mail_domains": "autoRegisterMailDomains"}.get(
        field, "autoRegisterHostedDomains"
    )
    assert refused.violations.keys() == {f"{name}.{index}" for index in range(1, 6)}
    assert too_many.violations.keys() == {name}


@pytest.mark.parametrize(
    ("issuer", "limits", "admits_anybody"),
    [
        ("https://accounts.google.com", {}, True),
        ("https://accounts.google.com", _HOSTED, False),
        ("https://accounts.google.com", _MAIL, False),
        ("https://gitlab.com", {}, True),
        (
            "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
            {},
            True,
        ),
        ("https://login.example.com", {}, False),
    ],
)
async def test_settings_say_whether_they_admit_anybody(
    admin: Client, issuer: str, limits: dict[str, Any], admits_anybody: bool
) -> None:
    idp_id = await given.idp(admin)

    await oidc_calls.set_config(admin, idp_id, issuer=issuer, **limits)

    assert (await oidc_calls.get(admin, idp_id)).admits_anybody == admits_anybody
