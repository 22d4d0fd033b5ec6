"""The authorization of devices without a browser (RFC 8628)."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.oauth.v1 import oauth_service_pb2 as pb
from server.oauth.device import commands
from server.operate import housekeeping
from server.store.database import Database
from tests.application import calls
from tests.group import calls as groups
from tests.oauth import devices, flow, shared
from tests.oauth.flow import App
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, outcome

org_id, owner = shared.org_id, shared.owner


@pytest.fixture
async def tv(owner: Client) -> App:
    return await devices.app(owner)


@pytest.fixture
async def eve(admin: Client, org_id: str) -> SignedIn:
    return await sessions.signed_in(admin, org_id=org_id)


# The start


async def test_a_device_gets_tokens_of_the_user_who_approves(tv: App, ada: SignedIn) -> None:
    """RFC 8628, sections 3.1 to 3.5."""
    started = await devices.start(tv)
    assert await outcome(devices.poll(tv, started.device_code)) == "AUTHORIZATION_PENDING"
    described = await devices.describe(ada.client, started.user_code)
    await devices.approve(ada.client, started.user_code)

    tokens = await devices.poll(tv, started.device_code)

    assert (described.client_id, described.client_name) == (tv.client_id, "Application")
    assert list(described.scopes) == ["openid", "profile"]
    assert described.user_code == started.user_code
    assert tokens.scope == "openid profile"
    assert tokens.id_token
    claims = await flow.user_info(tv.client, tokens.access_token)
    assert claims["sub"] == ada.person.user_id


async def test_the_response_tells_where_to_enter_the_code_and_how_often_to_poll(tv: App) -> None:
    """RFC 8628, section 3.2."""
    started = await devices.start(tv)

    assert re.fullmatch("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", started.user_code)
    assert started.device_code.startswith("kad_")
    assert started.verification_uri.endswith("/device/")
    complete = f"{started.verification_uri}#code={started.user_code}"
    assert started.verification_uri_complete == complete
    assert (started.expires_in, started.interval) == (600, 5)


async def test_only_hashes_of_the_codes_are_stored(tv: App, sql: asyncpg.Connection) -> None:
    started = await devices.start(tv)

    row = str(
        await sql.fetchrow(
            "select * from device_authorizations where application_id = $1", tv.client_id
        )
    )

    assert started.device_code not in row
    assert started.user_code not in row
    assert started.user_code.replace("-", "") not in row


async def test_a_web_application_starts_with_its_secret(app: App, ada: SignedIn) -> None:
    code = await devices.approved(app, ada.client, scope="openid offline_access")

    tokens = await devices.poll(app, code)

    assert (await app.refresh(tokens.refresh_token)).access_token
    refusal = await given.refusal(devices.start(app, client_secret="wrong"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "INVALID_CLIENT")
    assert await outcome(devices.poll(app, code, client_secret="")) == "INVALID_CLIENT"


@pytest.mark.parametrize("make", [flow.public_app, flow.service], ids=["browser", "service"])
async def test_no_application_starts_that_runs_in_a_browser_or_has_no_people(
    owner: Client, make: Callable[[Client], Awaitable[App]]
) -> None:
    """A public client_id is all that a phisher needs (RFC 8628, section 5.4)."""
    assert await outcome(devices.start(await make(owner))) == "UNAUTHORIZED_CLIENT"


@pytest.mark.parametrize("scope", ["", "unknown"])
async def test_a_device_requests_scopes_of_its_application(tv: App, scope: str) -> None:
    refusal = await given.refusal(devices.start(tv, scope=scope))

    assert refusal.reason == "INVALID_SCOPE"
    assert refusal.message.endswith("Send one of the application's, such as openid.")


async def test_a_device_requests_resources(tv: App, owner: Client, ada: SignedIn) -> None:
    api = await flow.api(owner)
    code = await devices.approved(tv, ada.client, resource=[api.identifier], scope="read")

    tokens = await devices.poll(tv, code)

    claims = await tv.introspect(tokens.access_token)
    assert claims is not None
    assert (claims["aud"], claims["scope"]) == (api.identifier, "read")


async def test_two_devices_that_wait_never_have_the_same_user_code(
    tv: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: Iterator[str] = iter(["YYYY-YYYY", "YYYY-YYYY", "YYYY-YYYZ"])
    monkeypatch.setattr(commands, "new_user_code", lambda: next(codes))

    started = [await devices.start(tv) for _ in range(2)]

    assert [each.user_code for each in started] == ["YYYY-YYYY", "YYYY-YYYZ"]


# The user code


@pytest.mark.parametrize(
    ("before", "between"), [("", ""), ("", "--"), (" ", " "), ("\t", "\u2013")]
)
async def test_a_user_code_has_several_spellings(
    tv: App, ada: SignedIn, before: str, between: str
) -> None:
    """RFC 8628, section 6.1."""
    started = await devices.start(tv)
    spelling = before + started.user_code.lower().replace("-", between)

    described = await devices.describe(ada.client, spelling)

    assert described.user_code == started.user_code


@pytest.mark.parametrize("act", [devices.describe, devices.approve, devices.deny])
async def test_only_a_session_uses_codes(tv: App, ada: SignedIn, act: Any) -> None:
    started = await devices.start(tv)

    by_token = await given.refusal(act(ada.person.client, started.user_code))
    by_nobody = await given.refusal(act(tv.client, started.user_code))

    assert (by_token.code, by_token.reason) == (grpc.StatusCode.NOT_FOUND, "SESSION_NOT_FOUND")
    assert by_nobody.code is grpc.StatusCode.UNAUTHENTICATED
    assert await outcome(devices.poll(tv, started.device_code)) == "AUTHORIZATION_PENDING"


@pytest.mark.parametrize("act", [devices.describe, devices.approve, devices.deny])
async def test_unknown_used_and_expired_codes_are_refused_alike(
    tv: App, ada: SignedIn, sql: asyncpg.Connection, act: Any
) -> None:
    expired, used, denied = [(await devices.start(tv)).user_code for _ in range(3)]
    await sql.execute(
        "update device_authorizations set expires_at = clock_timestamp() where application_id = $1"
        " and user_code_hash = sha256(convert_to($2, 'utf8'))",
        tv.client_id,
        expired,
    )
    await devices.approve(ada.client, used)
    await devices.deny(ada.client, denied)

    refusals = [
        await given.refusal(act(ada.client, code))
        for code in ("BBBB-BBBB", "?", expired, used, denied)
    ]

    assert {each.reason for each in refusals} == {"USER_CODE_INVALID"}
    assert len({each.message for each in refusals}) == 1


@pytest.mark.parametrize("act", [devices.describe, devices.approve])
async def test_a_code_of_a_removed_application_is_refused(
    tv: App, owner: Client, ada: SignedIn, act: Any
) -> None:
    started = await devices.start(tv)
    await calls.remove(owner, tv.client_id)

    assert await outcome(act(ada.client, started.user_code)) == "USER_CODE_INVALID"


@pytest.mark.parametrize("act", [devices.describe, devices.approve, devices.deny])
async def test_guesses_of_a_user_are_limited(
    tv: App, ada: SignedIn, eve: SignedIn, sql: asyncpg.Connection, act: Any
) -> None:
    """RFC 8628, section 5.1."""
    started = await devices.start(tv)
    guesses = await given.outcomes(act(eve.client, "BBBB-BBBB") for _ in range(25))

    assert guesses == {"TOO_MANY_USER_CODES": 5, "USER_CODE_INVALID": 20}
    spent = await given.refusal(act(eve.client, started.user_code))
    assert spent.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert spent.reason == "TOO_MANY_USER_CODES"
    assert spent.retry_seconds == 30
    # Another person is not concerned, and half a minute gives one more.
    assert await devices.describe(ada.client, started.user_code)
    await sql.execute(
        "update user_code_budgets set theoretical_arrival_at = theoretical_arrival_at"
        " - interval '30 seconds' where user_id = $1",
        eve.person.user_id,
    )
    await act(eve.client, started.user_code)
    assert await outcome(act(eve.client, started.user_code)) == "TOO_MANY_USER_CODES"


async def test_a_guess_that_only_validates_counts(tv: App, eve: SignedIn) -> None:
    guess = pb.ApproveDeviceRequest(user_code="BBBB-BBBB", consents=True)
    method = eve.client.oauth.ApproveDevice

    reasons = [
        await outcome(eve.client.call(method, guess, x_validate_only="true")) for _ in range(21)
    ]

    assert reasons == ["USER_CODE_INVALID"] * 20 + ["TOO_MANY_USER_CODES"]


# The decision


@pytest.mark.parametrize("fields", [{}, {"first_party": True}])
async def test_the_user_is_asked_each_time(
    owner: Client, ada: SignedIn, fields: dict[str, Any]
) -> None:
    """RFC 8628, section 5.4: somebody else may have the device."""
    tv = await devices.app(owner, **fields)
    await devices.poll(tv, await devices.approved(tv, ada.client))
    started = await devices.start(tv)

    call = devices.approve(ada.client, started.user_code, consents=False)

    assert await outcome(call) == "CONSENT_REQUIRED"
    assert await outcome(devices.poll(tv, started.device_code)) == "AUTHORIZATION_PENDING"
    await devices.approve(ada.client, started.user_code)
    assert (await devices.poll(tv, started.device_code)).access_token


async def test_the_consent_is_a_grant_of_the_user(
    tv: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    await devices.approved(tv, ada.client)

    scopes = await sql.fetchval(
        "select scopes from application_grants where user_id = $1 and application_id = $2",
        ada.person.user_id,
        tv.client_id,
    )
    assert scopes == ["openid", "profile"]


async def test_only_members_of_the_allowed_groups_approve(
    owner: Client, ada: SignedIn, eve: SignedIn
) -> None:
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, ada.person.user_id)
    tv = await devices.app(owner, admits_groups_only=True, allowed_groups=[group_id])
    started = await devices.start(tv)

    assert await outcome(devices.approve(eve.client, started.user_code)) == (
        "APPLICATION_NOT_ALLOWED"
    )
    await devices.approve(ada.client, started.user_code)
    await groups.remove_member(owner, group_id, ada.person.user_id)

    assert await outcome(devices.poll(tv, started.device_code)) == "INVALID_GRANT"


async def test_a_session_that_just_ended_approves_nothing(
    tv: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    started = await devices.start(tv)
    await sessions.current(ada.client)  # cached now
    await sql.execute("delete from sessions where session_id = $1", ada.session_id)

    refusal = await given.refusal(devices.approve(ada.client, started.user_code))

    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    assert await outcome(devices.poll(tv, started.device_code)) == "AUTHORIZATION_PENDING"


async def test_a_denied_device_gets_nothing(tv: App, ada: SignedIn) -> None:
    """RFC 8628, section 3.5."""
    started = await devices.start(tv)

    await devices.deny(ada.client, started.user_code)

    for _ in range(2):
        assert await outcome(devices.poll(tv, started.device_code)) == "ACCESS_DENIED"


async def test_an_approval_and_a_denial_at_the_same_time_are_one_decision(
    tv: App, ada: SignedIn, eve: SignedIn
) -> None:
    started = await devices.start(tv)

    answers = await asyncio.gather(
        devices.approve(ada.client, started.user_code),
        devices.deny(eve.client, started.user_code),
        return_exceptions=True,
    )

    is_approved, is_denied = [not isinstance(each, BaseException) for each in answers]
    assert is_approved != is_denied
    if is_approved:
        assert (await devices.poll(tv, started.device_code)).access_token
    else:
        assert await outcome(devices.poll(tv, started.device_code)) == "ACCESS_DENIED"


async def test_an_approval_that_waits_for_its_user_while_the_code_expires_is_of_no_use(
    tv: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    started = await devices.start(tv)
    await sql.execute(
        "update device_authorizations set expires_at = clock_timestamp() + interval '1 second'"
        " where application_id = $1",
        tv.client_id,
    )
    async with sql.transaction():
        await sql.execute("select from users where id = $1 for update", ada.person.user_id)
        approval = devices.approve(ada.client, started.user_code)
        await given.waiting_for_a_lock(sql)
        await asyncio.sleep(1)
    await approval

    assert await outcome(devices.poll(tv, started.device_code)) == "EXPIRED_TOKEN"


# The polls; `test_codes.py` has the exchanges that device codes share with other codes


async def test_a_device_that_polls_too_early_slows_down(
    tv: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    """RFC 8628, section 3.5: the interval is 5 seconds longer then, for all polls."""
    code = (started := await devices.start(tv)).device_code
    assert await outcome(devices.poll(tv, code)) == "AUTHORIZATION_PENDING"

    assert await outcome(devices.poll(tv, code)) == "SLOW_DOWN"
    await devices.wait(sql, tv, 9)
    assert await outcome(devices.poll(tv, code)) == "SLOW_DOWN"
    await devices.wait(sql, tv, 15)
    assert await outcome(devices.poll(tv, code)) == "AUTHORIZATION_PENDING"

    # The interval stays, and an approved device need not wait for it.
    await devices.wait(sql, tv, 14)
    assert await outcome(devices.poll(tv, code)) == "SLOW_DOWN"
    await devices.approve(ada.client, started.user_code)
    assert (await devices.poll(tv, code)).access_token


async def test_codes_expire_after_ten_minutes(
    tv: App, ada: SignedIn, sql: asyncpg.Connection
) -> None:
    pending = await devices.start(tv)
    approved = await devices.approved(tv, ada.client)
    lifetimes = await sql.fetch(
        "select expires_at - clock_timestamp() as rest from device_authorizations"
        " where application_id = $1 union all"
        " select code_expires_at - clock_timestamp() from oauth_authorizations"
        " where application_id = $1",
        tv.client_id,
    )
    await devices.expire(sql, tv)

    assert len(lifetimes) == 3
    assert all(timedelta(minutes=9) < each["rest"] < timedelta(minutes=10) for each in lifetimes)
    assert await outcome(devices.poll(tv, pending.device_code)) == "EXPIRED_TOKEN"
    assert await outcome(devices.poll(tv, approved)) == "EXPIRED_TOKEN"
    assert await outcome(devices.approve(ada.client, pending.user_code)) == "USER_CODE_INVALID"


async def test_a_device_code_is_no_code_and_a_code_is_no_device_code(
    owner: Client, ada: SignedIn
) -> None:
    app = await flow.app(owner)
    code = (await flow.approved(app, ada.client, **flow.WITHOUT_CHALLENGE)).code
    device_code = await devices.approved(app, ada.client)

    for verifier in ("", devices.GRANT_TYPE):
        exchange = {"code": device_code, "redirect_uri": "", "code_verifier": verifier}
        call = app.exchange(grant_type="authorization_code", **exchange)
        assert await outcome(call) == "INVALID_GRANT"
    assert await outcome(devices.poll(app, code)) == "INVALID_GRANT"
    assert (await devices.poll(app, device_code)).access_token


# The end


async def test_housekeeping_forgets_devices_an_hour_after_their_expiry(
    tv: App, ada: SignedIn, database: Database, sql: asyncpg.Connection
) -> None:
    started = [await devices.start(tv) for _ in range(2)]
    await devices.describe(ada.client, started[0].user_code)
    for each, ago in zip(started, ("59 minutes", "61 minutes"), strict=True):
        await sql.execute(
            "update device_authorizations set expires_at = clock_timestamp() - $1::text::interval"
            " where user_code_hash = sha256(convert_to($2, 'utf8'))",
            ago,
            each.user_code,
        )
    await sql.execute(
        "update user_code_budgets set theoretical_arrival_at = now() - interval '1 second'"
    )

    await housekeeping.forget_ended(database)

    reasons = [await outcome(devices.poll(tv, each.device_code)) for each in started]
    assert reasons == ["EXPIRED_TOKEN", "INVALID_GRANT"]
    assert await sql.fetchval("select count(*) from user_code_budgets") == 0


@pytest.mark.parametrize(
    "fields", [{"scope": "openid\x00"}, {"resource": ["https://a.example/\x00"]}]
)
async def test_texts_of_a_device_have_no_control_characters(
    tv: App, fields: dict[str, Any]
) -> None:
    assert await outcome(devices.start(tv, **fields)) == "INVALID_FIELDS"
