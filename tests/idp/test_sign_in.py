"""Signing in with an identity provider: sessions, new users, and all refusals."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import oidc_config_service_pb2 as oidc_pb
from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.signin.v1 import signin_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.idp import oidc_calls, signins
from tests.idp.signins import Site
from tests.session import sessions
from tests.support import given
from tests.support.given import Instance
from tests.support.oidc_provider import CODE, Provider, answer
from tests.user import calls


async def test_the_first_sign_in_registers_and_the_second_does_not(
    site: Site, provider: Provider
) -> None:
    provider.speak_of(
        "ada-1",
        preferred_username="ada",
        name="Ada L.",
        email="Ada@Example.com",
        email_verified=True,
    )

    first, second = await site.sign_in(), await site.sign_in()

    assert (first.answer.registered, second.answer.registered) == (True, False)
    assert first.answer.user_id == second.answer.user_id
    assert first.answer.session_id != second.answer.session_id
    [user] = await site.users()
    assert (user.user_name, user.display_name, user.email) == ("ada", "Ada L.", "Ada@example.com")
    assert list(user.roles) == []
    session = await first.current()
    assert (session.idp_id, session.passkey_id) == (site.idp_id, "")
    assert session.session_id == first.answer.session_id
    [link] = await signins.links(first.client)
    assert (link.link_id, link.idp_id) == (session.link_id, site.idp_id)
    assert (link.issuer, link.subject) == (provider.issuer, "ada-1")


async def test_the_sessions_of_an_organization_by_their_method(
    site: Site, relying: Instance
) -> None:
    by_idp = await site.sign_in()
    by_passkey = await (await sessions.person(relying.admin, org_id=site.org_id)).sign_in()

    for method, expected in (
        (session_pb.SIGN_IN_METHOD_IDP, {by_idp.answer.session_id}),
        (session_pb.SIGN_IN_METHOD_PASSKEY, {by_passkey.session_id}),
        (
            session_pb.SIGN_IN_METHOD_UNSPECIFIED,
            {by_idp.answer.session_id, by_passkey.session_id},
        ),
    ):
        request = session_pb.ListOrganizationSessionsRequest(method=method)
        listed = await site.owner.call(site.owner.sessions.ListOrganizationSessions, request)
        assert {each.session_id for each in listed.sessions} == expected


async def _kept(site: Site, user_id: str) -> session_pb.SignInRefusal:
    """The only refusal of the user, once it is written."""
    request = session_pb.ListSignInRefusalsRequest(user_id=user_id)

    async def listed() -> list[session_pb.SignInRefusal]:
        answer = await site.owner.call(site.owner.sessions.ListSignInRefusals, request)
        return [*answer.refusals]

    async def is_kept() -> bool:
        return bool(await listed())

    await given.eventually(is_kept)
    [refusal] = await listed()
    return refusal


async def test_a_refused_sign_in_of_a_known_user_is_kept(site: Site) -> None:
    user_id = (await site.sign_in()).answer.user_id
    await calls.lock(site.owner, user_id)

    assert await given.outcome(site.sign_in()) == "USER_LOCKED"

    refusal = await _kept(site, user_id)
    assert (refusal.reason, refusal.method) == ("USER_LOCKED", session_pb.SIGN_IN_METHOD_IDP)


async def test_a_callback_that_is_sent_twice_at_once_is_a_kept_refusal(
    site: Site, relying: Instance, provider: Provider
) -> None:
    user_id = (await site.sign_in()).answer.user_id
    started = await site.start()
    asked = dict(parse_qsl(urlsplit(started.authorization_url).query))
    provider.nonce = asked["nonce"]
    callback = pb.CompleteIDPSignInRequest(
        idp_id=site.idp_id,
        flow_token=started.flow_token,
        callback_query=urlencode({"code": CODE, "state": asked["state"]}),
    )
    redeemed = len(provider.requests)

    async def both_are_redeemed() -> bool:
        return provider.requests[redeemed:].count("/token") == 2

    async with given.sql(relying.dsn) as rows, rows.transaction():
        await rows.execute("select from idps where id = $1 for update", site.idp_id)
        both = [asyncio.ensure_future(given.outcome(site.complete(callback))) for _ in range(2)]
        await given.eventually(both_are_redeemed)

    assert sorted(await asyncio.gather(*both)) == ["FLOW_USED", "OK"]
    assert (await _kept(site, user_id)).reason == "FLOW_USED"


@pytest.mark.parametrize(
    ("claims", "name", "address"),
    [
        (
            {"email": "ada@example.com", "email_verified": True},
            "ada@example.com",
            "ada@example.com",
        ),
        ({"email": "ada@example.com"}, "the-subject", ""),
        (
            {"email": "ada@example.com", "email_verified": "true"},
            "ada@example.com",
            "ada@example.com",
        ),
        ({"email": "ada@example.com", "email_verified": "false"}, "the-subject", ""),
        ({"email": "ada@example.com", "email_verified": 1}, "the-subject", ""),
        ({"email": "no address", "email_verified": True}, "the-subject", ""),
        ({"preferred_username": "a\tb", "name": ["x"]}, "the-subject", ""),
        ({"preferred_username": 7}, "the-subject", ""),
        ({"preferred_username": "\u0430da"}, "the-subject", ""),  # Cyrillic and Latin
        ({"preferred_username": "0197a0c0-0000-7000-8000-000000000000"}, "the-subject", ""),
        ({"preferred_username": "O197aOcO-0000-7000-8000-000000000000"}, "the-subject", ""),
    ],
)
async def test_a_new_user_gets_what_the_provider_has_verified(
    site: Site, provider: Provider, claims: dict[str, Any], name: str, address: str
) -> None:
    provider.speak_of("the-subject", **claims)

    await site.sign_in()

    [user] = await site.users()
    assert (user.user_name, user.display_name, user.email) == (name, name, address)


async def test_an_address_of_the_token_is_not_verified_by_the_userinfo(
    site: Site, provider: Provider
) -> None:
    provider.speak_of("the-subject", email="ada@example.com")
    provider.documents["/userinfo"] |= {"email": "else@example.com", "email_verified": True}

    await site.sign_in()

    [user] = await site.users()
    assert (user.user_name, user.email) == ("the-subject", "")


@pytest.mark.parametrize("subject", ["s" * 255, "0197a0c0-0000-7000-8000-000000000000"])
async def test_a_subject_that_is_no_name_gives_the_user_its_id_as_name(
    site: Site, provider: Provider, subject: str
) -> None:
    provider.speak_of(subject)

    signed_in = await site.sign_in()

    [user] = await site.users()
    assert user.user_name == user.user_id == signed_in.answer.user_id


async def test_the_browser_is_sent_to_the_provider_with_pkce_and_nothing_is_stored(
    site: Site, relying: Instance, provider: Provider
) -> None:
    async with given.sql(relying.dsn) as rows:
        before = await rows.fetchval("select count(*) from events")
        started = await site.start()
        assert await rows.fetchval("select count(*) from events") == before
    url = urlsplit(started.authorization_url)
    query = dict(parse_qsl(url.query))
    assert f"{url.scheme}://{url.netloc}{url.path}" == provider.metadata["authorization_endpoint"]
    assert query["response_type"] == "code"
    assert query["code_challenge_method"] == "S256"
    assert query["redirect_uri"] == signins.REDIRECT_URI.format(idp_id=site.idp_id)
    assert query["scope"] == "openid profile email"
    assert len(query["state"]) == 43
    assert query["nonce"] not in started.flow_token
    assert len(started.flow_token) < 1000


async def test_the_session_that_a_sign_in_ends_is_over_at_once(
    issuing: Instance, provider: Provider
) -> None:
    site = await signins.site(issuing, provider)
    first = await site.sign_in()
    assert await first.is_live()  # from here on the server has it in its cache

    second = await site.sign_in()

    assert (await first.is_live(), await second.is_live()) == (False, True)


async def test_options_are_the_providers_that_can_be_used_now(
    relying: Instance, provider: Provider
) -> None:
    site = await signins.site(
        relying, provider, name="Own look", styling_type=idp_pb.STYLING_TYPE_PROVIDER
    )
    await given.idp(site.owner, name="Without settings")
    other = await given.idp(site.owner, name="The page's look")
    button = oidc_pb.OIDCButton(
        logo=oidc_calls.LOGO, background_color="#000000", text_color="#ffffff"
    )
    await site.set_config(button=button)
    google = "https://accounts.google.com"
    await oidc_calls.set_config(site.owner, other, button=button, issuer=google)
    nobody = relying.nobody

    options = await nobody.call(
        nobody.sign_ins.ListSignInOptions, pb.ListSignInOptionsRequest(org_id=site.org_id)
    )
    unknown = await nobody.call(
        nobody.sign_ins.ListSignInOptions, pb.ListSignInOptionsRequest(org_id="unknown")
    )

    assert [(idp.idp_id, idp.name) for idp in options.idps] == [
        (site.idp_id, "Own look"),
        (other, "The page's look"),
    ]
    assert options.idps[0].button.logo == oidc_calls.LOGO
    assert options.idps[0].button.text_color == "#ffffff"
    assert not options.idps[1].HasField("button")
    assert [idp.preset for idp in options.idps] == ["", "google"]
    assert list(unknown.idps) == []
    request = pb.ListSignInOptionsRequest(org_id=site.org_id, page_size=1)
    page = await nobody.call(nobody.sign_ins.ListSignInOptions, request)
    request.page_token = page.next_page_token
    rest = await nobody.call(nobody.sign_ins.ListSignInOptions, request)
    assert [idp.idp_id for idp in (*page.idps, *rest.idps)] == [site.idp_id, other]
    assert not rest.next_page_token


async def test_without_auto_register_only_linked_people_sign_in(
    relying: Instance, provider: Provider
) -> None:
    site = await signins.site(relying, provider, auto_register=False)

    refused = await given.refusal(site.complete(await site.callback()))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "NOT_REGISTERED"
    assert await site.users() == []


@pytest.mark.parametrize(
    "claims",
    [
        {"preferred_username": "ADA"},
        {"preferred_username": "\u0251da"},  # a letter of the Latin script
        {"email": "ADA@example.com", "email_verified": True, "preferred_username": "other"},
    ],
)
async def test_nobody_is_linked_by_a_name_or_an_address(
    site: Site, provider: Provider, claims: dict[str, Any]
) -> None:
    request = user_pb.CreateUserRequest(user_name="ada", email="ada@example.com")
    await site.owner.call(site.owner.users.CreateUser, request)
    provider.speak_of("eve", **claims)

    refused = await given.refusal(site.complete(await site.callback()))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "USER_EXISTS_LINK_FIRST"
    assert [user.user_name for user in await site.users()] == ["ada"]


async def test_names_and_addresses_of_other_organizations_are_free(
    relying: Instance, provider: Provider
) -> None:
    one, other = await signins.site(relying, provider), await signins.site(relying, provider)
    provider.speak_of("ada", preferred_username="ada", email="a@b.example", email_verified=True)

    first, second = await one.sign_in(), await other.sign_in()

    assert (first.answer.registered, second.answer.registered) == (True, True)
    assert first.answer.user_id != second.answer.user_id
    assert first.answer.details.resource_owner == one.org_id
    assert second.answer.details.resource_owner == other.org_id


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        ("access_denied", grpc.StatusCode.PERMISSION_DENIED, "IDP_DENIED"),
        ("login_required", grpc.StatusCode.PERMISSION_DENIED, "IDP_DENIED"),
        ("temporarily_unavailable", grpc.StatusCode.UNAVAILABLE, "IDP_UNREACHABLE"),
        ("server_error", grpc.StatusCode.UNAVAILABLE, "IDP_UNREACHABLE"),
    ],
)
async def test_a_provider_that_refuses_is_told(
    site: Site, error: str, code: grpc.StatusCode, reason: str
) -> None:
    callback = await site.callback()
    state = dict(parse_qsl(callback.callback_query))["state"]
    callback.callback_query = urlencode({"error": error, "state": state})

    refused = await given.refusal(site.complete(callback))

    assert (refused.code, refused.reason) == (code, reason)


async def test_a_provider_that_cannot_be_reached_is_told(
    site: Site, relying: Instance, provider: Provider
) -> None:
    callback = await site.callback()

    async def fail(writer: Any) -> None:
        writer.write(answer(b"", status="503 Service Unavailable"))

    provider.handlers["/token"] = fail
    refused = await given.refusal(site.complete(callback))
    await site.set_config(issuer="https://localhost:1")
    not_started = await given.refusal(signins.start(relying.nobody, site.idp_id))

    for refusal in (refused, not_started):
        assert refusal.code is grpc.StatusCode.UNAVAILABLE
        assert refusal.reason == "IDP_UNREACHABLE"
        assert refusal.retry_seconds == 5


async def test_no_flow_starts_at_a_provider_of_another_issuer(
    site: Site, relying: Instance, provider: Provider
) -> None:
    """Waiting does not help, unlike with a provider that cannot be reached."""
    provider.metadata["issuer"] = "https://other.example"

    refusal = await given.refusal(signins.start(relying.nobody, site.idp_id))

    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.reason == "IDP_NOT_CONFIGURED"
    assert refusal.retry_seconds is None


async def test_a_provider_without_settings_is_like_an_unknown_one(
    site: Site, relying: Instance
) -> None:
    callback = await site.callback()
    await oidc_calls.remove(site.owner, site.idp_id)

    refusals = [
        await given.refusal(signins.start(relying.nobody, site.idp_id)),
        await given.refusal(signins.start(relying.nobody, "unknown")),
        await given.refusal(site.complete(callback)),
    ]

    assert {refusal.reason for refusal in refusals} == {"IDP_NOT_CONFIGURED"}
    assert len({refusal.message for refusal in refusals}) == 1


async def test_settings_that_changed_meanwhile_end_a_flow(site: Site, provider: Provider) -> None:
    callback = await site.callback()
    await site.set_config(scopes=["email"])

    refused = await given.refusal(site.complete(callback))

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "FLOW_EXPIRED")
    assert "/token" not in provider.requests


@pytest.mark.parametrize(("minutes", "is_in_time"), [(9.98, True), (10, False), (60, False)])
async def test_a_flow_is_completed_within_ten_minutes_of_its_start(
    site: Site,
    provider: Provider,
    monkeypatch: pytest.MonkeyPatch,
    minutes: float,
    is_in_time: bool,
) -> None:
    begun = datetime.now(UTC)

    class Clock:
        at = begun

        @classmethod
        def now(cls, _tz: object) -> datetime:
            return cls.at

    monkeypatch.setattr("server.idp.signin.flows.datetime", Clock)
    callback = await site.callback()
    Clock.at = begun + timedelta(minutes=minutes)
    asked = len(provider.requests)

    if is_in_time:
        assert (await site.complete(callback)).registered
        return
    refused = await given.refusal(site.complete(callback))

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "FLOW_EXPIRED")
    assert len(provider.requests) == asked  # the code was not redeemed
    assert await site.users() == []


@pytest.mark.parametrize(
    "redirect_uri",
    [
        "https://evil.example/",
        "https://id.example.com/signin/callback/",
        "https://id.example.com/signin/callback/{idp_id}",
        "HTTPS://id.example.com/signin/callback/right",
        "https://id.example.com/signin/callback/right/",
        "https://id.example.com/signin/callback/right?x=1",
    ],
)
async def test_a_redirect_uri_that_is_not_configured_is_refused(
    site: Site, relying: Instance, redirect_uri: str
) -> None:
    refused = await given.refusal(
        signins.start(relying.nobody, site.idp_id, redirect_uri.replace("right", site.idp_id))
    )

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"redirectUri"}


async def test_every_wrong_field_is_named(relying: Instance) -> None:
    nobody = relying.nobody

    refused = await given.refusal(signins.complete(nobody, pb.CompleteIDPSignInRequest()))
    too_long = pb.CompleteIDPSignInRequest(
        idp_id="idp", flow_token="x" * 4097, callback_query="x" * 8193
    )
    also = await given.refusal(signins.complete(nobody, too_long))
    unnamed = await given.refusal(
        nobody.call(nobody.sign_ins.ListSignInOptions, pb.ListSignInOptionsRequest())
    )

    assert refused.violations.keys() == {"idpId", "flowToken", "callbackQuery"}
    assert also.violations.keys() == {"flowToken", "callbackQuery"}
    assert unnamed.violations.keys() == {"orgId"}
