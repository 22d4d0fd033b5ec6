"""A name or an address that was changed at the provider arrives, if the settings say so."""

from typing import Any

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.idp import mail_domains
from tests.idp.signins import Site
from tests.support import given
from tests.support.dns_server import Zone
from tests.support.given import Instance
from tests.support.oidc_provider import Provider
from tests.user import calls

_BEFORE = {"name": "Ada Byron", "email": "ada@example.com", "email_verified": True}
_AFTER = {"name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True}


async def _sign_in_twice(site: Site, provider: Provider, claims: dict[str, Any]) -> tuple[str, str]:
    """The name and address of a person who signs in with other claims than at first."""
    provider.speak_of("ada", **_BEFORE)
    first = await site.sign_in()
    provider.speak_of("ada", **claims)
    second = await site.sign_in()
    assert await first.is_live()
    assert await second.is_live()
    [user] = [each for each in await site.users() if each.user_id == second.answer.user_id]
    assert user.user_name == "ada@example.com"
    return user.display_name, user.email


@pytest.mark.parametrize(
    ("settings", "name", "address"),
    [
        ((), "Ada Byron", "ada@example.com"),
        (("name",), "Ada Lovelace", "ada@example.com"),
        (("email",), "Ada Byron", "ada@example.org"),
        (("name", "email"), "Ada Lovelace", "ada@example.org"),
    ],
)
async def test_each_sign_in_sets_the_fields_that_the_settings_name(
    site: Site,
    relying: Instance,
    provider: Provider,
    settings: tuple[str, ...],
    name: str,
    address: str,
) -> None:
    await site.set_config(**{f"update_{each}_at_sign_in": True for each in settings})

    assert await _sign_in_twice(site, provider, _AFTER) == (name, address)
    async with connected(relying.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"name": "", "email": "", "email_verified": True},
        {"name": ["Ada"], "email": "ada@example.org"},
        {"name": "\0", "email": "ada@example.org", "email_verified": False},
        {"name": "a" * 7000, "email": "no address", "email_verified": True},
        {"email": "ADA@example.com", "email_verified": True},  # another spelling
        _BEFORE,
    ],
)
async def test_without_a_usable_new_value_nothing_changes(
    site: Site, relying: Instance, provider: Provider, claims: dict[str, Any]
) -> None:
    await site.set_config(update_name_at_sign_in=True, update_email_at_sign_in=True)

    assert await _sign_in_twice(site, provider, claims) == ("Ada Byron", "ada@example.com")
    [user] = await site.users()
    async with given.sql(relying.dsn) as rows:
        events = [each["event_type"] for each in await given.logged(rows, user.user_id)]
    assert "user.changed" not in events


async def test_an_address_of_another_user_is_not_taken(site: Site, provider: Provider) -> None:
    await site.set_config(update_name_at_sign_in=True, update_email_at_sign_in=True)
    request = user_pb.CreateUserRequest(user_name="other", email="ADA@example.org")
    await site.owner.call(site.owner.users.CreateUser, request)

    assert await _sign_in_twice(site, provider, _AFTER) == ("Ada Lovelace", "ada@example.com")


async def test_of_two_people_with_one_address_at_the_provider_the_first_gets_it(
    site: Site, provider: Provider
) -> None:
    await site.set_config(update_email_at_sign_in=True)
    for claims in ({}, {"email": "both@example.com", "email_verified": True}):
        for subject in ("ada", "grace"):
            provider.speak_of(subject, **claims)
            await site.sign_in()

    assert {user.user_name: user.email for user in await site.users()} == {
        "ada": "both@example.com",
        "grace": "",
    }


@pytest.mark.parametrize("trusted", [["example.com"], ["example.org"], []], ids=str)
@pytest.mark.parametrize("updates", [False, True])
async def test_an_address_is_verified_by_a_provider_that_is_trusted_for_its_domain(
    site: Site, zone: Zone, provider: Provider, trusted: list[str], updates: bool
) -> None:
    provider.speak_of("ada", **_BEFORE)
    first = await site.sign_in()
    await site.set_config(
        auto_register_mail_domains=["example.com", "example.org"], update_email_at_sign_in=updates
    )
    for each in trusted:
        await mail_domains.prove(site.owner, zone, each)
    for _ in range(2):
        await site.sign_in()
    user = await calls.get(site.owner, first.answer.user_id)
    by_provider = user_pb.EMAIL_VERIFICATION_PROVIDER
    assert (user.email_verification == by_provider) == (trusted == ["example.com"])

    provider.speak_of("ada", **_AFTER)
    await site.sign_in()

    user = await calls.get(site.owner, first.answer.user_id)
    is_trusted = trusted == [user.email.partition("@")[2]]
    assert (user.email_verification == by_provider) == is_trusted


async def test_a_registered_address_is_verified_by_a_trusted_provider(
    site: Site, zone: Zone, provider: Provider
) -> None:
    await mail_domains.prove(site.owner, zone, "example.com")
    provider.speak_of("ada", **_BEFORE)

    session = await site.sign_in()

    user = await calls.get(site.owner, session.answer.user_id)
    assert user.email_verification == user_pb.EMAIL_VERIFICATION_PROVIDER
