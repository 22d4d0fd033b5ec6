"""CreatePasskeyRegistrationLink, and RegisterPasskey by the code of a link."""

import dataclasses
import html
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import asyncpg
import grpc
import pytest
import structlog

from keystead.passkey.v1 import passkey_service_pb2 as pb
from server.access.tokens import TokenKind, new_token
from server.passkey import ceremony_store, link_store
from server.store.database import Database
from server.store.retention import delete_ended
from server.store.statement import statement
from tests.conftest import MakeInstance
from tests.passkey.ceremonies import begin, begun_by, expire, passkeys, register, remove
from tests.passkey.links import Link, create, link, state
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users

_UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.fixture(scope="module")
async def configured(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with settings of links, and with a limit of one passkey per user."""
    async with make_instance(
        passkey_page_url="https://id.example.com/new",
        passkey_link_lifetime=60,
        max_passkeys_per_user=1,
    ) as server:
        yield server


@pytest.fixture
async def by(admin: Client, user: Client) -> Link:
    """A link of the user."""
    return await link(admin, user)


class TestCreate:
    async def test_the_link_opens_the_page_with_user_and_code_in_its_fragment(
        self, admin: Client, user: Client
    ) -> None:
        answer = await create(admin, user)

        page, _, fragment = answer.link.partition("#")
        assert page == "http://localhost:8080/passkeys/"
        assert fragment == f"user={user.user_id};code={answer.code}"
        assert json.dumps(html.escape(fragment)) == f'"{fragment}"'  # printed as it is
        assert answer.code.startswith("ksl_")
        assert answer.mail_id == ""

    async def test_the_page_is_that_of_the_settings(self, configured: Instance) -> None:
        user = await given.user(configured.admin)

        answer = await create(configured.admin, user)

        assert answer.link.startswith("https://id.example.com/new#user=")

    async def test_it_expires_after_the_lifetime_of_the_settings(
        self, configured: Instance
    ) -> None:
        user = await given.user(configured.admin)

        answer = await create(configured.admin, user)

        lifetime = answer.expires_at.ToDatetime(UTC) - answer.details.change_date.ToDatetime(UTC)
        assert timedelta(seconds=59) < lifetime <= timedelta(seconds=60)

    async def test_the_details_are_the_users(
        self, admin: Client, user: Client, org_id: str
    ) -> None:
        details = (await create(admin, user)).details

        assert details == (await users.get(admin, user.user_id)).details
        assert details.resource_owner == org_id
        assert details.sequence == details.change_date.ToMicroseconds()

    async def test_the_log_tells_who_made_it_and_not_its_code(
        self, admin: Client, user: Client, rows: asyncpg.Connection
    ) -> None:
        answer = await create(admin, user)

        [event] = await given.logged(rows, user.user_id, "user.passkey_link_created")
        payload = event["payload"]
        assert event["creator"] == admin.user_id
        assert payload.keys() == {"link_id", "delivery", "expires_at", "purpose"}
        assert payload["purpose"] == "registration"
        assert payload["delivery"] == "return_code"
        assert datetime.fromisoformat(payload["expires_at"]) == answer.expires_at.ToDatetime(UTC)

    async def test_how_it_is_delivered_must_be_chosen(self, admin: Client, user: Client) -> None:
        request = pb.CreatePasskeyRegistrationLinkRequest(user_id=user.user_id)

        refused = await given.refusal(
            admin.call(admin.passkeys.CreatePasskeyRegistrationLink, request)
        )

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == {"sendLink", "returnCode"}

    async def test_an_unknown_user_is_not_found(self, admin: Client) -> None:
        refused = await given.refusal(create(admin, _UNKNOWN))

        assert refused.code is grpc.StatusCode.NOT_FOUND
        assert refused.resource == ("user", _UNKNOWN)

    async def test_a_user_who_may_have_no_more_passkeys_gets_none(
        self, configured: Instance
    ) -> None:
        user = await given.user(configured.admin)
        await register(user)

        refused = await given.refusal(create(configured.admin, user))

        assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refused.reason == "TOO_MANY_PASSKEYS"


class TestByCode:
    """RegisterPasskey without a token."""

    async def test_a_user_without_a_token_registers_a_passkey(
        self, admin: Client, user: Client
    ) -> None:
        by = Link.of((await create(admin, user)).link, admin)

        begun = await by.register()

        [passkey] = await passkeys(user)
        assert passkey.passkey_id == begun.passkey_id
        assert passkey.began_by == admin.user_id

    async def test_the_log_tells_by_which_link_the_user_did_it(
        self, by: Link, admin: Client, user: Client, rows: asyncpg.Connection
    ) -> None:
        await by.register()

        [event] = await given.logged(rows, user.user_id, "user.passkey_verified")
        payload = event["payload"]
        assert (event["creator"], payload["began_by"]) == (user.user_id, admin.user_id)
        assert payload["link_id"] == await by.link_id(rows)

    async def test_a_passkey_that_was_begun_by_a_token_names_no_link(
        self, user: Client, rows: asyncpg.Connection
    ) -> None:
        await register(user)

        [event] = await given.logged(rows, user.user_id, "user.passkey_verified")
        assert "link_id" not in event["payload"]

    async def test_whoever_has_no_code_of_the_user_is_told_nothing(
        self, by: Link, instance: Instance, admin: Client, user: Client, other_user: Client
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
        self, by: Link, admin: Client, user: Client, other_user: Client
    ) -> None:
        for caller in (user, admin, other_user):
            refused = await given.refusal(begun_by(caller, user_id=by.user_id, code=by.code))
            assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
            assert refused.violations.keys() == {"code"}

    @pytest.mark.parametrize("token", ["", "kst_nope"], ids=["empty", "wrong"])
    async def test_a_code_does_not_help_a_token_that_is_no_good(
        self, by: Link, token: str, instance: Instance
    ) -> None:
        request = pb.RegisterPasskeyRequest(user_id=by.user_id, code=by.code)

        call = instance.nobody.passkeys.RegisterPasskey(
            request, metadata=[("authorization", f"Bearer {token}")]
        )

        assert await call.code() is grpc.StatusCode.UNAUTHENTICATED

    async def test_a_code_is_no_token(self, by: Link, admin: Client, user: Client) -> None:
        with_code = admin.with_token(by.code, user.user_id)

        refused = await given.refusal(begin(with_code))

        assert refused.code is grpc.StatusCode.UNAUTHENTICATED

    async def test_only_what_began_by_the_link_ends_with_it(
        self, admin: Client, user: Client
    ) -> None:
        own = await begin(user)
        by = await link(admin, user)

        await by.register()
        await create(admin, user)

        await own.verify()
        assert len(await passkeys(user)) == 2

    async def test_the_log_line_names_the_user_and_the_link_and_never_the_code(
        self, by: Link, user: Client, rows: asyncpg.Connection
    ) -> None:
        with structlog.testing.capture_logs() as logs:
            await by.begin()
            call = await given.call_line(logs, link_id=await by.link_id(rows))

        assert call["user_id"] == user.user_id
        assert by.code[4:-8] not in str(call)


class TestUses:
    """Calls that use a link up, and calls that do not."""

    async def test_a_verified_passkey_does(
        self, by: Link, user: Client, rows: asyncpg.Connection
    ) -> None:
        other = await by.begin()
        await by.register()

        again = await given.refusal(by.begin())
        late = await given.refusal(other.verify(by=other.token_holder))

        assert (again.code, again.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "LINK_USED")
        assert (late.code, late.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "LINK_USED")
        assert await state(rows, user) == ["used"]

    async def test_it_stays_used_without_its_passkey_and_beside_a_new_one(
        self, by: Link, admin: Client, user: Client
    ) -> None:
        begun = await by.register()

        await remove(user, begun.passkey_id)
        await create(admin, user)

        assert await given.outcome(by.begin()) == "LINK_USED"

    async def test_the_ceremony_itself_says_that_it_was_completed(
        self, admin: Client, user: Client
    ) -> None:
        begun = await (await link(admin, user)).register()

        assert await given.outcome(begun.verify(by=begun.token_holder)) == "CHALLENGE_USED"

    async def test_beginning_does_not(
        self, by: Link, user: Client, rows: asyncpg.Connection
    ) -> None:
        for _ in range(9):
            await by.begin()

        assert await state(rows, user) == ["good"]
        await by.register()

    async def test_a_try_that_fails_does_not(self, by: Link) -> None:
        begun = await by.begin()
        for _ in range(10):
            await given.refusal(begun.verify(begun.credential(up=False), by=begun.token_holder))

        await by.register()

    async def test_a_ceremony_that_is_removed_does_not(
        self, by: Link, admin: Client, user: Client
    ) -> None:
        begun = await by.begin()

        await remove(admin, begun.passkey_id, user.user_id)

        await by.register()

    async def test_a_passkey_that_another_one_has_does_not(
        self, admin: Client, user: Client, other_user: Client, rows: asyncpg.Connection
    ) -> None:
        known = await register(other_user, credential_id=b"known" * 4)
        by = await link(admin, user)
        begun = await by.begin()

        refused = await given.refusal(
            begun.verify(begun.credential(credential_id=b"known" * 4), by=begun.token_holder)
        )

        assert refused.reason == "CREDENTIAL_ALREADY_REGISTERED"
        assert await state(rows, user) == ["good"]
        await remove(other_user, known.passkey_id)

    async def test_a_user_who_may_have_no_more_passkeys_does_not(
        self, configured: Instance
    ) -> None:
        user = await given.user(configured.admin)
        by = await link(configured.admin, user)
        begun = await by.begin()
        own = await register(user)

        late = await given.refusal(begun.verify(by=begun.token_holder))
        later = await given.refusal(by.begin())

        assert (late.reason, later.reason) == ("TOO_MANY_PASSKEYS", "TOO_MANY_PASSKEYS")
        await remove(user, own.passkey_id)
        await by.register()


class TestEnd:
    """Other ends of a link."""

    async def test_a_new_one_takes_its_place(
        self, admin: Client, user: Client, rows: asyncpg.Connection
    ) -> None:
        old = await link(admin, user)
        begun = await old.begin()

        new = await link(admin, user)

        again = await given.refusal(old.begin())
        late = await given.refusal(begun.verify(by=begun.token_holder))
        assert (again.code, again.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "LINK_REPLACED")
        assert (late.code, late.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "LINK_REPLACED")
        assert await state(rows, user) == ["replaced", "good"]
        await new.register()

    async def test_that_of_another_user_does_not_take_its_place(
        self, by: Link, admin: Client, other_user: Client
    ) -> None:
        await create(admin, other_user)

        await by.register()

    async def test_it_expires(self, by: Link, rows: asyncpg.Connection) -> None:
        await by.expire(rows)

        refused = await given.refusal(by.begin())
        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "LINK_EXPIRED"

    async def test_who_began_in_time_may_finish(self, by: Link, rows: asyncpg.Connection) -> None:
        begun = await by.begin()

        await by.expire(rows)

        await begun.verify(by=begun.token_holder)
        assert await given.outcome(by.begin()) == "LINK_USED"

    async def test_who_began_in_time_has_the_lifetime_of_the_ceremony(
        self, by: Link, rows: asyncpg.Connection
    ) -> None:
        begun = await by.begin()

        await expire(rows, begun)

        assert await given.outcome(begun.verify(by=begun.token_holder)) == "CHALLENGE_EXPIRED"
        await by.register()

    async def test_a_new_one_ends_what_was_begun_by_one_that_has_expired(
        self, by: Link, admin: Client, user: Client, rows: asyncpg.Connection
    ) -> None:
        begun = await by.begin()
        await by.expire(rows)

        await create(admin, user)

        assert await given.outcome(begun.verify(by=begun.token_holder)) == "LINK_REPLACED"

    async def test_it_begins_ten_ceremonies_and_no_more(
        self, by: Link, rows: asyncpg.Connection
    ) -> None:
        for _ in range(9):
            await expire(rows, await by.begin())
        last = await by.begin()

        refused = await given.refusal(by.begin())

        assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.reason == "TOO_MANY_ATTEMPTS"
        await last.verify(by=last.token_holder)

    async def test_a_ceremony_that_could_not_begin_does_not_count(
        self, admin: Client, user: Client, rows: asyncpg.Connection
    ) -> None:
        others = [await begin(user) for _ in range(10)]
        by = await link(admin, user)

        for _ in range(11):
            assert await given.outcome(by.begin()) == "TOO_MANY_CEREMONIES"

        await expire(rows, others[0])
        await by.register()

    async def test_a_new_one_makes_room_for_ceremonies(
        self, by: Link, admin: Client, user: Client
    ) -> None:
        for _ in range(10):
            await by.begin()

        await (await link(admin, user)).register()

    async def test_it_goes_with_its_user(
        self, by: Link, admin: Client, user: Client, rows: asyncpg.Connection
    ) -> None:
        await users.remove(admin, user.user_id)

        refused = await given.refusal(by.begin())
        assert refused.code is grpc.StatusCode.UNAUTHENTICATED
        assert await state(rows, user) == []

    async def test_one_that_ended_long_ago_is_forgotten(
        self, by: Link, user: Client, rows: asyncpg.Connection, database: Database
    ) -> None:
        await by.expire(rows)
        await delete_ended(database, link_store.ENDED)
        assert await given.outcome(by.begin()) == "LINK_EXPIRED"

        await rows.execute(
            "update passkey_links set expires_at = expires_at - interval '90 days'"
            " where user_id = $1",
            user.user_id,
        )
        await delete_ended(database, link_store.ENDED)

        assert (await given.refusal(by.begin())).code is grpc.StatusCode.UNAUTHENTICATED


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
