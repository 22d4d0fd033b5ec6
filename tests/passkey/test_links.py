"""CreatePasskeyRegistrationLink, and RegisterPasskey by the code of a link."""

import dataclasses
import html
import json
from datetime import UTC, datetime, timedelta

import asyncpg
import grpc
import pytest
import structlog

from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import TokenKind, new_token
from server.passkey import ceremony_store, link_store
from server.store.database import Database
from server.store.retention import delete_ended
from server.store.statement import statement
from tests.passkey.ceremonies import begun_by, passkeys, register
from tests.passkey.links import Link, create, link
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import addresses
from tests.user import calls as users

_UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.fixture
async def by(admin: Client, user: Client) -> Link:
    """A link of the user."""
    return await link(admin, user)


async def test_the_link_opens_the_page_with_user_and_code_in_its_fragment(
    admin: Client, user: Client
) -> None:
    answer = await create(admin, user)

    page, _, fragment = answer.link.partition("#")
    assert page == "http://localhost:8080/passkeys/"
    assert fragment == f"user={user.user_id};code={answer.code}"
    assert json.dumps(html.escape(fragment)) == f'"{fragment}"'  # printed as it is
    assert answer.code.startswith("ksl_")
    assert answer.mail_id == ""


async def test_page_and_lifetime_of_a_link_are_those_of_the_settings(limited: Instance) -> None:
    user = await given.user(limited.admin)

    answer = await create(limited.admin, user)

    lifetime = answer.expires_at.ToDatetime(UTC) - answer.details.change_date.ToDatetime(UTC)
    assert answer.link.startswith("https://id.example.com/new#user=")
    assert timedelta(hours=2, seconds=-1) < lifetime <= timedelta(hours=2)


async def test_the_details_of_a_new_link_are_the_users(
    admin: Client, user: Client, org_id: str
) -> None:
    details = (await create(admin, user)).details

    assert details == (await users.get(admin, user.user_id)).details
    assert details.resource_owner == org_id
    assert details.sequence == details.change_date.ToMicroseconds()


async def test_the_log_tells_who_made_a_link_and_not_its_code(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    answer = await create(admin, user)

    [event] = await given.logged(rows, user.user_id, "user.passkey_link_created")
    payload = event["payload"]
    assert event["creator"] == admin.user_id
    assert payload.keys() == {"link_id", "delivery", "expires_at", "purpose"}
    assert payload["purpose"] == "registration"
    assert payload["delivery"] == "return_code"
    assert datetime.fromisoformat(payload["expires_at"]) == answer.expires_at.ToDatetime(UTC)


async def test_how_a_link_is_delivered_must_be_chosen(admin: Client, user: Client) -> None:
    request = pb.CreatePasskeyRegistrationLinkRequest(user_id=user.user_id)

    refused = await given.refusal(admin.call(admin.passkeys.CreatePasskeyRegistrationLink, request))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"sendLink", "returnCode"}


# RegisterPasskey without a token.


async def test_a_help_desk_mails_links_and_gets_no_code(limited: Instance) -> None:
    admin = limited.admin
    org_id = await given.organization(admin)
    desk = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_HELP_DESK])
    user = await given.user(admin, org_id=org_id)
    await users.patch(admin, user.user_id, ["email"], email=addresses.unused())

    assert await given.outcome(create(desk, user)) == "PERMISSION_DENIED"
    assert not (await create(desk, user, send=True)).code


async def test_a_user_without_a_token_registers_a_passkey(admin: Client, user: Client) -> None:
    by = Link.of((await create(admin, user)).link, admin)

    begun = await by.register()

    [passkey] = await passkeys(user)
    assert passkey.passkey_id == begun.passkey_id
    assert passkey.began_by == admin.user_id


async def test_the_log_tells_by_which_link_a_passkey_was_registered(
    by: Link, admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await by.register()

    [event] = await given.logged(rows, user.user_id, "user.passkey_verified")
    payload = event["payload"]
    assert (event["creator"], payload["began_by"]) == (user.user_id, admin.user_id)
    assert payload["link_id"] == await by.link_id(rows)


async def test_a_passkey_that_was_begun_by_a_token_names_no_link(
    user: Client, rows: asyncpg.Connection
) -> None:
    await register(user)

    [event] = await given.logged(rows, user.user_id, "user.passkey_verified")
    assert "link_id" not in event["payload"]


async def test_whoever_has_no_code_of_the_user_is_told_nothing(
    by: Link, instance: Instance, admin: Client, user: Client, other_user: Client
) -> None:
    outsider = await given.user(admin)  # in another organization
    missing = await given.refusal(
        instance.nobody.passkeys.RegisterPasskey(pb.RegisterPasskeyRequest())
    )

    for fields in (
        {"user_id": user.user_id},
        {"user_id": user.user_id, "code": "code"},
        {"user_id": user.user_id, "code": by.code.upper()},
        {"user_id": user.user_id, "code": f" {by.code}"},
        {"user_id": user.user_id, "code": new_token(TokenKind.LINK)},
        {"user_id": user.user_id, "code": user.token},
        {"user_id": other_user.user_id, "code": by.code},
        {"user_id": outsider.user_id, "code": by.code},
        {"user_id": _UNKNOWN, "code": by.code},
        {"user_id": "", "code": by.code},
    ):
        refused = await given.refusal(begun_by(instance.nobody, **fields))
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED
        assert dataclasses.replace(refused, request_id="") == dataclasses.replace(
            missing, request_id=""
        )
    await by.register()


async def test_a_call_with_a_token_must_have_no_code(
    by: Link, admin: Client, user: Client, other_user: Client
) -> None:
    for caller in (user, admin, other_user):
        refused = await given.refusal(begun_by(caller, user_id=by.user_id, code=by.code))
        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == {"code"}


@pytest.mark.parametrize("token", ["", "kst_nope"], ids=["empty", "wrong"])
async def test_a_code_does_not_help_a_token_that_is_no_good(
    by: Link, token: str, instance: Instance
) -> None:
    request = pb.RegisterPasskeyRequest(user_id=by.user_id, code=by.code)

    call = instance.nobody.passkeys.RegisterPasskey(
        request, metadata=[("authorization", f"Bearer {token}")]
    )

    assert await call.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_the_log_line_names_the_user_and_the_link_and_never_the_code(
    by: Link, user: Client, rows: asyncpg.Connection
) -> None:
    with structlog.testing.capture_logs() as logs:
        await by.begin()
        call = await given.call_line(logs, link_id=await by.link_id(rows))

    assert call["user_id"] == user.user_id
    assert by.code[4:-8] not in str(call)


@pytest.mark.parametrize("table", ["passkey_links", "passkey_ceremonies"])
async def test_what_ended_long_ago_is_found_by_an_index(table: str, database: Database) -> None:
    """The server searches every ten minutes, among any number of open links."""
    scanned = statement(
        "select seq_scan, idx_scan from pg_stat_xact_user_tables where relname = :table"
    )
    async with database.transaction() as transaction:
        # Other tests may have left cached plans for tables that were almost empty.
        await transaction.script("set local enable_seqscan = off; discard plans")
        before = await transaction.fetch_one(scanned, table=table)

        await delete_ended(transaction, link_store.ENDED)
        await delete_ended(transaction, ceremony_store.ENDED)

        after = await transaction.fetch_one(scanned, table=table)
    assert after["seq_scan"] == before["seq_scan"]
    assert after["idx_scan"] > before["idx_scan"]
