"""RequestEmailChange, ConfirmEmailChange and CancelEmailChange: a user changes its own address.

The mistakes of others that these tests look for: a link that works without a session
(https://github.com/better-auth/better-auth/issues/7196), an answer that tells whether somebody has
the address (https://github.com/supabase/supabase/issues/35844), a link that outlives the next one.
"""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.crypto.keyring import load_keyring
from server.event.disclosure import disclosed
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from server.user.email_change import commands
from tests.cli.words import commands_on
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.idp import signins
from tests.idp.test_mappings import FIRST, row
from tests.org import calls as orgs
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.mailed_links import mailed_link
from tests.support.oidc_provider import Provider
from tests.user import addresses, calls

_PAGE = "/account/#email="
# A server that may send none refuses a request once all else is right.
_NO_MAIL = "SMTP_CONFIG_MISSING"
_EXPIRE = "update users set email_change_expires_at = clock_timestamp() where id = $1"


@pytest.fixture(scope="module")
async def instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that may send mail, to a relay that never answers, for users who ask often."""
    async with contextlib.AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(commands, "_PER_USER", (1000, 1000))
            server = await stack.enter_async_context(make_instance())
        await server.admin.call(server.admin.smtp.AddSMTPConfig, given.smtp_config())
        yield server


def request(client: Client, email: str, user_id: str = "") -> Awaitable[Any]:
    message = pb.RequestEmailChangeRequest(user_id=user_id or client.user_id, email=email)
    return client.call(client.users.RequestEmailChange, message)


def confirm(client: Client, token: str) -> Awaitable[Any]:
    message = pb.ConfirmEmailChangeRequest(user_id=client.user_id, email_change_token=token)
    return client.call(client.users.ConfirmEmailChange, message)


def cancel(client: Client, user_id: str = "") -> Awaitable[Any]:
    message = pb.CancelEmailChangeRequest(user_id=user_id or client.user_id)
    return client.call(client.users.CancelEmailChange, message)


@dataclass(frozen=True)
class Mailbox:
    """The links to new addresses, as their recipients read them."""

    instance: Instance
    sql: asyncpg.Connection

    async def token(self, address: str) -> str:
        """The token of the last link to the address."""
        mail_id = await self.sql.fetchval(
            "select max(mail_id) from mails where recipient_address = $1", address
        )
        keyring = load_keyring((), self.instance.data_dir / "encryption.keys")
        link = await mailed_link(self.sql, keyring, mail_id)
        assert _PAGE in link
        return link.partition(_PAGE)[2]

    async def requested(self, client: Client, address: str = "") -> tuple[str, str]:
        """A requested address, and the token of its link."""
        address = address or addresses.unused()
        await request(client, address)
        return address, await self.token(address)


@pytest.fixture
def mailbox(instance: Instance, sql: asyncpg.Connection) -> Mailbox:
    return Mailbox(instance, sql)


async def _signed_in(admin: Client, org_id: str = "", *, email: str | None = None) -> SignedIn:
    """A session of a user with a mail address."""
    org_id = org_id or await given.organization(admin)
    signed_in = await sessions.signed_in(admin, org_id=org_id)
    address = addresses.unused() if email is None else email
    await calls.patch(admin, signed_in.person.user_id, ["email"], email=address)
    return signed_in


@pytest.fixture
async def ada(admin: Client, org_id: str) -> Client:
    return (await _signed_in(admin, org_id)).client


async def _mails(sql: asyncpg.Connection, user: Client, *kinds: str) -> list[tuple[str, str, str]]:
    rows = await sql.fetch(
        """select kind, recipient_address, state from mails
        where user_id = $1 and kind = any($2::text[]) order by mail_id""",
        user.user_id,
        kinds,
    )
    return [tuple(each) for each in rows]


async def test_a_user_changes_its_address_by_a_link(
    ada: Client, mailbox: Mailbox, sql: asyncpg.Connection
) -> None:
    old, new = (await calls.whoami(ada)).email, addresses.unused()

    answer = await request(ada, new)
    pending = await calls.whoami(ada)
    assert (pending.email, pending.email_change.email) == (old, new)
    assert pending.email_change.expires_at == answer.expires_at
    await confirm(ada, await mailbox.token(new))

    user = await calls.whoami(ada)
    assert (user.email, user.HasField("email_change")) == (new, False)
    assert user.email_verification == pb.EMAIL_VERIFICATION_LINK
    assert user.HasField("email_verified_at")
    kinds = ("email_change_link", "email_change_requested", "email_changed")
    assert [each[:2] for each in await _mails(sql, ada, *kinds)] == [
        ("email_change_link", new),
        ("email_change_requested", old),
        ("email_changed", old),
    ]


async def test_neither_notices_nor_events_tell_the_new_address(
    ada: Client, mailbox: Mailbox, sql: asyncpg.Connection
) -> None:
    old = (await calls.whoami(ada)).email
    new, token = await mailbox.requested(ada)
    await confirm(ada, token)

    rows = await sql.fetch("select * from mails where recipient_address = $1", old)
    assert rows
    assert new not in str(rows)
    events = await given.logged(sql, ada.user_id)
    requested = [each for each in events if each["event_type"] == "user.email_change_requested"]
    assert [each["payload"]["email"] for each in requested] == [new]
    for each in events:
        shown, _ = disclosed(each["event_type"], each["payload"], to_operator=True)
        assert new not in json.dumps(shown)
        assert token not in json.dumps(each["payload"])


# What ends a link, with the outcome of its confirmation.
_ENDS: Mapping[str, tuple[Callable[[Client, Client, Mailbox], Awaitable[object]], str]] = {
    "cancelled": (lambda _, user, __: cancel(user), "EMAIL_CHANGE_ENDED"),
    "cancelled by an administrator": (
        lambda admin, user, _: cancel(admin, user.user_id),
        "EMAIL_CHANGE_ENDED",
    ),
    "another request": (
        lambda _, user, __: request(user, addresses.unused()),
        "EMAIL_CHANGE_ENDED",
    ),
    "another address": (
        lambda admin, user, _: calls.patch(
            admin, user.user_id, ["email"], email=addresses.unused()
        ),
        "EMAIL_CHANGE_ENDED",
    ),
    "another address by an earlier release": (
        lambda _, user, mailbox: mailbox.sql.execute(
            "update users set email = $2 where id = $1", user.user_id, addresses.unused()
        ),
        "EMAIL_CHANGE_ENDED",
    ),
    "expired": (
        lambda _, user, mailbox: mailbox.sql.execute(_EXPIRE, user.user_id),
        "EMAIL_CHANGE_EXPIRED",
    ),
}


@pytest.mark.parametrize("name", _ENDS)
async def test_a_link_ends(admin: Client, ada: Client, mailbox: Mailbox, name: str) -> None:
    end, outcome = _ENDS[name]
    new, token = await mailbox.requested(ada)

    await end(admin, ada, mailbox)

    pending = (await calls.whoami(ada)).email_change.email
    assert pending != new or name.endswith("earlier release")
    assert await given.outcome(confirm(ada, token)) == outcome
    assert (await calls.whoami(ada)).email != new


async def test_the_mail_of_a_link_that_ends_is_not_sent(
    admin: Client, ada: Client, sql: asyncpg.Connection
) -> None:
    await request(ada, first := addresses.unused())
    await request(ada, second := addresses.unused())
    await calls.patch(admin, ada.user_id, ["email"], email=second)

    links = await _mails(sql, ada, "email_change_link")

    assert links == [
        ("email_change_link", first, "cancelled"),
        ("email_change_link", second, "cancelled"),
    ]


@pytest.mark.parametrize("ends", ["lock", "removal"])
async def test_a_lock_and_a_removal_end_a_change(
    admin: Client, mailbox: Mailbox, sql: asyncpg.Connection, ends: str
) -> None:
    signed_in = await _signed_in(admin)
    user = signed_in.client
    _, token = await mailbox.requested(user)

    if ends == "removal":
        await calls.remove(admin, user.user_id)
    else:
        await calls.lock(admin, user.user_id)
        await calls.unlock(admin, user.user_id)
        again = await signed_in.person.sign_in()
        assert await given.outcome(confirm(again.client, token)) == "EMAIL_CHANGE_ENDED"
        assert not (await calls.get(admin, user.user_id)).HasField("email_change")

    assert [state for _, _, state in await _mails(sql, user, "email_change_link")] == ["cancelled"]


async def test_only_the_user_itself_with_a_session_uses_a_link(
    admin: Client, owner: Client, org_id: str, mailbox: Mailbox
) -> None:
    signed_in, other = await _signed_in(admin, org_id), await _signed_in(admin, org_id)
    _, token = await mailbox.requested(signed_in.client)
    own_token = signed_in.person.client
    outcomes = {
        "EMAIL_CHANGE_OF_OTHER_USER": [confirm(other.client, token)],
        "EMAIL_CHANGE_INVALID": [
            confirm(signed_in.client, each) for each in (token[:-1], f"{token}=", "x")
        ],
        "PERMISSION_DENIED": [
            confirm(own_token, token),
            request(own_token, addresses.unused()),
            request(owner, addresses.unused(), signed_in.person.user_id),
            request(other.client, addresses.unused(), signed_in.person.user_id),
            cancel(other.client, signed_in.person.user_id),
        ],
    }

    for outcome, refused in outcomes.items():
        for each in refused:
            assert await given.outcome(each) == outcome

    await confirm(signed_in.client, token)


async def test_only_the_mailbox_tells_that_another_user_has_the_address(
    admin: Client, org_id: str, mailbox: Mailbox
) -> None:
    ada, taken = await _signed_in(admin, org_id), addresses.unused()
    await calls.create(admin, org_id=org_id, email=taken)
    elsewhere = addresses.unused()
    await addresses.created(admin, email=elsewhere)

    # Spellings that stand for one mailbox.
    for address in (taken, taken.upper()):
        _, token = await mailbox.requested(ada.client, address.partition("@")[0] + "@example.com")
        assert await given.outcome(confirm(ada.client, token)) == "EMAIL_TAKEN"
    _, token = await mailbox.requested(ada.client, elsewhere)
    await confirm(ada.client, token)


async def test_of_two_users_who_confirm_an_address_at_once_one_has_it(
    admin: Client, org_id: str, mailbox: Mailbox
) -> None:
    pair = [await _signed_in(admin, org_id) for _ in range(2)]
    address = addresses.unused()
    links = [(await mailbox.requested(each.client, address))[1] for each in pair]

    outcomes = await given.outcomes(
        confirm(each.client, token) for each, token in zip(pair, links, strict=True)
    )

    assert outcomes == {"OK": 1, "EMAIL_TAKEN": 1}


async def test_a_user_changes_the_case_of_its_address(admin: Client, mailbox: Mailbox) -> None:
    ada = (await _signed_in(admin, email="ada@example.com")).client

    _, token = await mailbox.requested(ada, "Ada@example.com")
    await confirm(ada, token)

    assert (await calls.whoami(ada)).email == "Ada@example.com"


async def test_a_user_verifies_its_present_address(
    ada: Client, mailbox: Mailbox, sql: asyncpg.Connection
) -> None:
    address = (await calls.whoami(ada)).email

    _, token = await mailbox.requested(ada, address)
    await confirm(ada, token)

    user = await calls.whoami(ada)
    assert (user.email, user.email_verification) == (address, pb.EMAIL_VERIFICATION_LINK)
    assert not user.HasField("email_change")
    assert await _mails(sql, ada, "email_change_requested", "email_changed") == []
    refused = await given.refusal(request(ada, address))
    assert refused.violations.keys() == {"email"}


async def test_a_first_address_tells_nobody(
    admin: Client, mailbox: Mailbox, sql: asyncpg.Connection
) -> None:
    ada = (await _signed_in(admin, email="")).client

    new, token = await mailbox.requested(ada)
    await confirm(ada, token)

    assert (await calls.whoami(ada)).email == new
    assert await _mails(sql, ada, "email_change_requested", "email_changed") == []


@pytest.mark.parametrize("email", ["", "ada", f"{'a' * 190}@example.com"])
async def test_a_wrong_address_is_named(ada: Client, email: str) -> None:
    assert (await given.refusal(request(ada, email))).violations.keys() == {"email"}


async def test_an_organization_that_keeps_profiles_keeps_addresses(
    admin: Client, org_id: str, mailbox: Mailbox
) -> None:
    ada = (await _signed_in(admin, org_id)).client
    manager = await sessions.signed_in(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    _, token = await mailbox.requested(ada)
    await orgs.patch(admin, org_id, keeps_profiles=True)

    assert await given.outcome(confirm(ada, token)) == "PROFILE_KEPT"
    refused = await given.refusal(request(ada, addresses.unused()))
    assert refused.reason == "PROFILE_KEPT"
    assert "mail addresses" in refused.message
    await cancel(ada)
    _, token = await mailbox.requested(manager.client)
    await confirm(manager.client, token)


@pytest.mark.parametrize(
    ("mappings", "follows", "outcome"),
    [
        ([row("email")], False, "EMAIL_FROM_PROVIDER"),
        ([row("email", when=FIRST)], True, _NO_MAIL),
        ([], True, "EMAIL_FROM_PROVIDER"),
        ([row("given_name")], False, _NO_MAIL),
    ],
    ids=["mapped", "mapped at first", "by the setting", "not"],
)
async def test_an_address_that_a_provider_gives_at_every_sign_in_stays(
    relying: Instance, provider: Provider, mappings: list[Any], follows: bool, outcome: str
) -> None:
    site = await signins.site(relying, provider)
    site.provider.speak_of("ada", email=addresses.unused(), email_verified=True)
    session = await site.sign_in()
    await site.set_config(update_email_at_sign_in=follows)
    await idps.patch(site.owner, site.idp_id, ["mappings"], mappings=mappings)

    assert await given.outcome(request(session.client, addresses.unused())) == outcome


async def test_a_user_asks_for_five_links_at_once(
    admin: Client, make_instance: MakeInstance, instance: Instance
) -> None:
    signed_in = await _signed_in(admin)
    same = {"dsn": instance.dsn, "data_dir": instance.data_dir}
    async with make_instance(**same) as other:
        client = other.admin.with_token(signed_in.client.token, signed_in.person.user_id)
        for _ in range(5):
            await request(client, addresses.unused())
        refused = await given.refusal(request(client, addresses.unused()))

    assert refused.reason == "RATE_LIMITED"
    assert refused.retry_seconds
    assert 11 * 60 < refused.retry_seconds <= 12 * 60


async def test_users_send_no_more_mails_to_an_address_than_its_budget_has(
    admin: Client, instance: Instance, sql: asyncpg.Connection
) -> None:
    ada, address = (await _signed_in(admin)).client, addresses.unused()

    outcomes = [await given.outcome(request(ada, address)) for _ in range(40)]

    refused = outcomes.index("TOO_MANY_MAILS")
    assert set(outcomes) == {"OK", "TOO_MANY_MAILS"}
    assert 5 <= refused <= 30


async def test_the_command_line_cancels_a_change(
    instance: Instance, admin: Client, org_id: str, ada: Client
) -> None:
    await request(ada, addresses.unused())
    name = (await calls.whoami(ada)).user_name

    printed = await commands_on(instance)(*("user", "cancel-email-change", name, "--org", org_id))

    assert printed.output == f"No change of the mail address of '{name}' is pending.\n"
    assert not (await calls.whoami(ada)).HasField("email_change")


async def test_a_rebuild_restores_pending_changes(
    instance: Instance, admin: Client, mailbox: Mailbox, sql: asyncpg.Connection
) -> None:
    people = [(await _signed_in(admin)).client for _ in range(4)]
    for each in people:
        await request(each, addresses.unused())
    await cancel(people[1])
    requested = (await calls.whoami(people[2])).email_change.email
    await confirm(people[2], await mailbox.token(requested))
    await calls.lock(admin, people[3].user_id)
    query = "select * from users where id = any($1::text[]) order by id"
    ids = [each.user_id for each in people]
    before = await sql.fetch(query, ids)
    assert [bool(each["email_change_id"]) for each in before].count(True) == 1

    async with connected(instance.dsn, pool_size=2) as database:
        await rebuild(database, repair=True)

    assert await sql.fetch(query, ids) == before
