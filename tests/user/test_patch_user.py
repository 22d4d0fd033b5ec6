"""PatchUser changes the fields that the mask names, and ends links sent to an old address.

Notices to the old address: `test_address_notices.py`.
"""

import asyncio

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.access.caller import OPERATOR
from tests.passkey import ceremonies, links
from tests.passkey.links import Link
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import addresses, calls
from tests.user.conftest import InTurn

_DENIED = grpc.StatusCode.PERMISSION_DENIED


async def _fields(client: Client, user_id: str) -> tuple[str, str]:
    user = await calls.get(client, user_id)
    return user.display_name, user.email


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (["display_name"], ("Countess", "ada@example.com")),
        (["email"], ("Ada", "new@example.com")),
        (["display_name", "email"], ("Countess", "new@example.com")),
        (["email", "email"], ("Ada", "new@example.com")),
        (["*"], ("Countess", "new@example.com")),
    ],
    ids=",".join,
)
async def test_only_the_fields_of_the_mask_change_and_the_others_may_be_anything(
    admin: Client, mask: list[str], expected: tuple[str, str]
) -> None:
    created = await addresses.created(admin, email="ada@example.com")

    patched = await calls.patch(
        admin,
        created.user_id,
        mask,
        display_name="Countess" if expected[0] == "Countess" else "\n",
        email="new@example.com" if expected[1] == "new@example.com" else "none",
        user_name="eve",
        roles=[pb.ROLE_INSTANCE_OWNER],
    )

    user = await calls.get(admin, created.user_id)
    assert (user.display_name, user.email) == expected
    assert (user.user_name, list(user.roles)) == ("ada", [])
    assert user.details == patched.details
    assert user.details.creation_date == created.details.creation_date
    assert user.details.sequence > created.details.sequence


async def test_empty_fields_are_what_they_are_at_creation(admin: Client) -> None:
    user_id = (await addresses.created(admin)).user_id

    await calls.patch(admin, user_id, ["*"])

    assert await _fields(admin, user_id) == ("ada", "")


@pytest.mark.parametrize("path", ["user_name", "roles", "user_id", "details", "displayName"])
async def test_other_fields_cannot_be_named(admin: Client, path: str) -> None:
    user_id = (await addresses.created(admin)).user_id

    refused = await given.refusal(calls.patch(admin, user_id, ["email", path], user_name="eve"))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"updateMask"}
    assert f"'{path}'" in refused.violations["updateMask"]


async def test_an_event_holds_only_what_was_set(admin: Client, sql: asyncpg.Connection) -> None:
    user_id = (await addresses.created(admin)).user_id

    await calls.patch(admin, user_id, ["display_name"])
    await calls.patch(admin, user_id, ["email"])

    payloads = [event["payload"] for event in await given.logged(sql, user_id)]
    makers = sorted([admin.user_id, OPERATOR.user_id])
    assert payloads[1:] == [{"display_name": "ada"}, {"email": "", "makers": makers}]


@pytest.mark.parametrize("mask", [["*"], ["display_name"], ["email"]], ids=",".join)
async def test_a_patch_that_changes_nothing_adds_no_event_and_the_same_address_ends_nothing(
    admin: Client, sql: asyncpg.Connection, mask: list[str]
) -> None:
    user = await addresses.user(admin)
    display_name, email = await _fields(admin, user.user_id)
    await links.create(admin, user, send=True)
    details = (await calls.get(admin, user.user_id)).details
    events = len(await given.logged(sql, user.user_id))

    patched = await calls.patch(admin, user.user_id, mask, display_name=display_name, email=email)
    assert patched.details == details
    assert len(await given.logged(sql, user.user_id)) == events

    await calls.patch(admin, user.user_id, mask, display_name="Countess", email=email)
    assert await _open_links(sql, user) == [email]
    assert await addresses.mails(sql, user) == [("passkey_registration_link", "pending", True)]


# Permissions of callers; `test_authorization.py` has the table of roles.


async def test_a_user_changes_its_own_display_name(admin: Client) -> None:
    user = await addresses.user(admin)

    await calls.patch(user, user.user_id, ["display_name"], display_name="Countess")

    assert (await calls.whoami(user)).display_name == "Countess"


@pytest.mark.parametrize("mask", [["email"], ["display_name", "email"], ["*"]], ids=",".join)
async def test_a_user_does_not_change_its_own_address(
    admin: Client, sql: asyncpg.Connection, mask: list[str]
) -> None:
    user = await addresses.user(admin)
    before = await _fields(admin, user.user_id)

    refused = await given.refusal(
        calls.patch(user, user.user_id, mask, display_name="Countess", email=addresses.unused())
    )

    assert (refused.code, refused.reason) == (_DENIED, "PERMISSION_DENIED")
    assert await _fields(admin, user.user_id) == before
    assert await addresses.mails(sql, user) == []


async def test_a_user_manager_changes_its_own_address(admin: Client) -> None:
    manager = await given.user(admin, roles=[pb.ROLE_ORG_USER_MANAGER])
    address = addresses.unused()

    await calls.patch(manager, manager.user_id, ["email"], email=address)

    assert (await calls.whoami(manager)).email == address


async def test_the_first_administrator_gets_an_address_and_then_a_link(
    admin: Client, sql: asyncpg.Connection
) -> None:
    assert await given.outcome(links.create(admin, admin, send=True)) == "USER_HAS_NO_EMAIL"
    address = addresses.unused()

    await calls.patch(admin, admin.user_id, ["email"], email=address)

    await links.create(admin, admin, send=True)
    assert await _open_links(sql, admin) == [address]


async def _open_links(sql: asyncpg.Connection, user: Client) -> list[str]:
    """The addresses of a user's mailed links that are neither used nor replaced."""
    return [
        row["recipient_address"]
        for row in await sql.fetch(
            """
            select recipient_address from passkey_links as link
            join mails on mails.reference = link.link_id
            where link.user_id = $1 and used_at is null and replaced_at is null""",
            user.user_id,
        )
    ]


# Links and mails that were sent to the old address, or wait to be sent.


@pytest.mark.parametrize("state", ["pending", "sent"])
@pytest.mark.parametrize("address", ["", "new@example.com"], ids=["none", "another"])
async def test_a_link_to_the_old_address_lets_nobody_in(
    instance: Instance, admin: Client, sql: asyncpg.Connection, state: str, address: str
) -> None:
    user = await addresses.user(admin)
    mail_id = (await links.create(admin, user, send=True)).mail_id
    link = await Link.mailed(instance, sql, mail_id)
    begun = await link.begin()
    if state == "sent":
        await sql.execute(
            "update mails set state = 'sent', ended_at = now() where mail_id = $1", mail_id
        )

    await calls.patch(admin, user.user_id, ["email"], email=address)

    begin = await given.refusal(link.begin())
    verify = await given.refusal(begun.verify(by=begun.token_holder))
    assert begin.code is grpc.StatusCode.UNAUTHENTICATED
    assert verify.code is grpc.StatusCode.NOT_FOUND
    assert await ceremonies.passkeys(user) == []


async def test_only_the_mail_with_the_link_is_not_sent_and_its_secret_is_erased(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user, other = await addresses.user(admin), await addresses.user(admin)
    await ceremonies.register(user)
    for each in (user, other):
        await links.create(admin, each, send=True)
    link = ("passkey_registration_link", "pending", True)
    assert link in await addresses.mails(sql, user)

    await calls.patch(admin, user.user_id, ["email"], email=addresses.unused())

    assert await addresses.mails(sql, user) == [
        ("passkey_added", "pending", False),
        ("passkey_registration_link", "cancelled", False),
        ("email_changed", "pending", False),
    ]
    assert await addresses.mails(sql, other) == [link]
    assert await _open_links(sql, other) == [(await calls.get(admin, other.user_id)).email]


async def test_a_link_that_was_returned_stays_good(admin: Client) -> None:
    user = await addresses.user(admin)
    link = await links.link(admin, user)

    await calls.patch(admin, user.user_id, ["email"], email=addresses.unused())

    await link.register()


async def test_a_used_link_still_says_that_it_was_used(
    instance: Instance, admin: Client, sql: asyncpg.Connection
) -> None:
    user = await addresses.user(admin)
    mail_id = (await links.create(admin, user, send=True)).mail_id
    link = await Link.mailed(instance, sql, mail_id)
    await link.register()

    await calls.patch(admin, user.user_id, ["email"], email=addresses.unused())

    assert await given.outcome(link.begin()) == "LINK_USED"


async def test_patches_of_different_fields_lose_nothing(admin: Client) -> None:
    user_ids = [(await addresses.created(admin)).user_id for _ in range(10)]

    await asyncio.gather(
        *(
            patch
            for user_id in user_ids
            for patch in (
                calls.patch(admin, user_id, ["display_name"], display_name="Countess"),
                calls.patch(admin, user_id, ["email"], email="new@example.com"),
            )
        )
    )

    read = [await _fields(admin, user_id) for user_id in user_ids]
    assert read == [("Countess", "new@example.com")] * 10


@pytest.mark.parametrize("link_first", [True, False])
async def test_a_link_is_mailed_to_the_old_address_and_ends_or_to_the_new_one(
    admin: Client,
    elsewhere: Client,
    sql: asyncpg.Connection,
    in_turn: InTurn,
    link_first: bool,
) -> None:
    user, address = await addresses.user(admin), addresses.unused()
    made = [
        lambda: links.create(admin, user, send=True),
        lambda: calls.patch(elsewhere, user.user_id, ["email"], email=address),
    ]

    await in_turn(user, *(made if link_first else reversed(made)))

    assert await _open_links(sql, user) == ([] if link_first else [address])
    assert sorted(await addresses.mails(sql, user)) == [
        ("email_changed", "pending", False),
        ("passkey_registration_link", "cancelled" if link_first else "pending", not link_first),
    ]


async def test_simultaneous_changes_of_users_do_not_deadlock(
    admin: Client, sql: asyncpg.Connection
) -> None:
    users = [await addresses.user(admin) for _ in range(8)]

    ended = await given.outcomes(
        call
        for user in users
        for call in (
            calls.patch(admin, user.user_id, ["email"], email=addresses.unused()),
            links.create(admin, user, send=True),
            calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER),
            calls.patch(admin, user.user_id, ["*"], email=addresses.unused()),
            links.create(admin, user),
            calls.remove(admin, user.user_id),
        )
    )

    assert ended.keys() <= {"OK", "USER_NOT_FOUND"}
    pending = "select count(*) from mails where user_id = any($1) and state = 'pending'"
    assert await sql.fetchval(pending, [user.user_id for user in users]) == 0
