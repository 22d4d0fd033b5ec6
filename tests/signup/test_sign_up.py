"""RequestSignUp and ConfirmSignUp: from the address to a user with a passkey."""

import asyncio
import contextlib
import dataclasses
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from keystead.signin.v1 import signin_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import load_keyring
from server.signup import commands
from tests.conftest import MakeInstance
from tests.org import calls as orgs
from tests.passkey.ceremonies import passkeys, remove
from tests.passkey.links import Link
from tests.signup import calls
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.mailed_links import mailed_link
from tests.user import addresses
from tests.user import calls as users

_PAGE = "/signin/#sign-up="


@dataclass(frozen=True)
class SignUps:
    """A server on which people register themselves, and its database."""

    admin: Client
    rows: asyncpg.Connection
    data_dir: Path

    async def organization(self, *, allows: bool = True) -> str:
        """The ID of a new organization."""
        org_id = await given.organization(self.admin)
        await calls.allow(self.admin, org_id, allows=allows)
        return org_id

    def request(self, org_id: str, email: str, **fields: str) -> Any:
        """Asks for a link, without a token."""
        nobody = self.admin.with_token("")
        request = pb.RequestSignUpRequest(org_id=org_id, email=email, **fields)
        return nobody.call(nobody.sign_ins.RequestSignUp, request)

    def confirm(self, token: str) -> Any:
        """Opens a link, without a token."""
        nobody = self.admin.with_token("")
        return nobody.call(
            nobody.sign_ins.ConfirmSignUp, pb.ConfirmSignUpRequest(sign_up_token=token)
        )

    async def mails(self, email: str) -> list[Any]:
        """The mails to an address, oldest first."""
        query = "select * from mails where recipient_address = $1 order by mail_id"
        return await self.rows.fetch(query, email)

    async def token(self, email: str) -> str:
        """The token of the last mailed link."""
        mail = (await self.mails(email))[-1]
        keyring = load_keyring((), self.data_dir / "encryption.keys")
        link = await mailed_link(self.rows, keyring, mail["mail_id"])
        assert _PAGE in link
        return link.partition(_PAGE)[2]

    async def mailed(self, email: str = "", org_id: str = "", **fields: str) -> str:
        """The token of a new sign-up."""
        email = email or addresses.unused()
        await self.request(org_id or await self.organization(), email, **fields)
        return await self.token(email)

    def link(self, confirmed: pb.ConfirmSignUpResponse) -> Link:
        return Link.of(confirmed.link, self.admin)

    def changed(self, token: str, **fields: Any) -> str:
        """The token of another sign-up, which the server has made."""
        sealed = calls.sealed(self.data_dir)
        opened = sealed.opened(token)
        assert opened is not None
        return sealed.sealed(dataclasses.replace(opened, **fields))


@pytest.fixture(scope="module")
async def instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that may send mail, to a relay that never answers, for a network of many people."""
    async with contextlib.AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(commands, "_PER_NETWORK", (1000, 1000))
            server = await stack.enter_async_context(make_instance())
        await server.admin.call(server.admin.smtp.AddSMTPConfig, given.smtp_config())
        yield server


@pytest.fixture
async def sign_ups(instance: Instance) -> AsyncIterator[SignUps]:
    async with given.sql(instance.dsn) as rows:
        yield SignUps(instance.admin, rows, instance.data_dir)


async def test_a_person_registers_with_an_address(sign_ups: SignUps) -> None:
    org_id, email = await sign_ups.organization(), addresses.unused()

    await sign_ups.request(org_id, email, display_name="Ada Lovelace")
    [mail] = await sign_ups.mails(email)
    confirmed = await sign_ups.confirm(await sign_ups.token(email))
    begun = await sign_ups.link(confirmed).register()

    assert (mail["kind"], mail["user_id"]) == ("sign_up_link", "")
    assert mail["recipient_name"] == ""  # the name of an outsider is in no mail
    user = await users.get(sign_ups.admin, confirmed.user_id)
    assert user.email_verification == user_pb.EMAIL_VERIFICATION_LINK
    assert (user.user_name, user.display_name, user.email) == (email, "Ada Lovelace", email)
    assert user.details.resource_owner == org_id
    assert confirmed.link.endswith(confirmed.code)
    remaining = confirmed.expires_at.ToDatetime(UTC) - datetime.now(UTC)
    assert timedelta(minutes=55) < remaining <= timedelta(hours=1)
    [passkey] = await passkeys(sign_ups.admin, confirmed.user_id)
    assert passkey.passkey_id == begun.passkey_id


async def test_a_request_looks_up_no_user(sign_ups: SignUps) -> None:
    """It stores nothing but the mail, and neither the response nor the mail tells of an account."""
    org_id, email = await sign_ups.organization(), addresses.unused()
    await users.create(sign_ups.admin, org_id=org_id, email=email)
    unknown = addresses.unused()

    answers = [await sign_ups.request(org_id, each) for each in (email, unknown)]

    assert answers[0] == answers[1]
    mails = [(await sign_ups.mails(each))[-1] for each in (email, unknown)]
    assert mails[0]["kind"] == mails[1]["kind"]
    assert json.loads(mails[0]["parameters"]).keys() == {"expiry", "organization_name"}


async def test_the_link_works_until_the_user_has_a_passkey(sign_ups: SignUps) -> None:
    token = await sign_ups.mailed()
    first = await sign_ups.confirm(token)

    again = await sign_ups.confirm(token)

    assert again.user_id == first.user_id
    assert (await given.refusal(sign_ups.link(first).begin())).reason == "LINK_REPLACED"
    await sign_ups.link(again).register()
    assert (await given.refusal(sign_ups.confirm(token))).reason == "SIGN_UP_USED"


async def test_a_link_gives_a_limited_number_of_registration_links(sign_ups: SignUps) -> None:
    """Each is an event that stays for ever."""
    token = await sign_ups.mailed()
    confirmed = [await sign_ups.confirm(token) for _ in range(commands.MAX_LINKS)]

    refused = await given.refusal(sign_ups.confirm(token))

    assert refused.reason == "SIGN_UP_USED"
    query = "select count(*) from events where aggregate_id = $1"
    assert await sign_ups.rows.fetchval(query, confirmed[0].user_id) == 1 + commands.MAX_LINKS
    await sign_ups.link(confirmed[-1]).register()


async def test_several_confirmations_at_once_register_one_user(sign_ups: SignUps) -> None:
    email = addresses.unused()
    token = await sign_ups.mailed(email)

    confirmed = await asyncio.gather(*(sign_ups.confirm(token) for _ in range(4)))

    assert len({each.user_id for each in confirmed}) == 1
    query = "select count(*) from users where email = $1"
    assert await sign_ups.rows.fetchval(query, email) == 1


async def test_of_several_links_to_an_address_one_registers_a_user(sign_ups: SignUps) -> None:
    org_id, email = await sign_ups.organization(), addresses.unused()
    tokens = [await sign_ups.mailed(email, org_id) for _ in range(2)]
    await sign_ups.confirm(tokens[0])

    refused = await given.refusal(sign_ups.confirm(tokens[1]))

    assert refused.reason == "SIGN_UP_USER_EXISTS"
    query = "select count(*) from users where email = $1"
    assert await sign_ups.rows.fetchval(query, email) == 1


async def test_an_address_of_another_user_is_not_registered_again(sign_ups: SignUps) -> None:
    org_id, email = await sign_ups.organization(), addresses.unused()
    await users.create(sign_ups.admin, org_id=org_id, email=email.upper())

    refused = await given.refusal(sign_ups.confirm(await sign_ups.mailed(email, org_id)))

    assert refused.reason == "SIGN_UP_USER_EXISTS"


async def test_an_organization_with_the_name_of_the_address_gives_another_name(
    sign_ups: SignUps,
) -> None:
    """The user of that name may have any address."""
    org_id, email = await sign_ups.organization(), addresses.unused()
    await users.create(sign_ups.admin, org_id=org_id, user_name=email)

    confirmed = await sign_ups.confirm(await sign_ups.mailed(email, org_id))

    user = await users.get(sign_ups.admin, confirmed.user_id)
    assert (user.user_name, user.email) == (confirmed.user_id, email)


@pytest.mark.parametrize("letter", ["\N{CYRILLIC SMALL LETTER A}", "\N{BRAILLE PATTERN BLANK}"])
async def test_an_address_that_looks_like_another_is_no_name(
    sign_ups: SignUps, letter: str
) -> None:
    email = f"{uuid4().hex}{letter}da@example.com"

    confirmed = await sign_ups.confirm(await sign_ups.mailed(email))

    assert (await users.get(sign_ups.admin, confirmed.user_id)).user_name == confirmed.user_id


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (users.remove, "SIGN_UP_USED"),
        # The mailbox alone is not enough for a role.
        (partial(users.grant, role=user_pb.ROLE_ORG_OWNER), "SIGN_UP_USED"),
        (users.lock, "USER_LOCKED"),
    ],
    ids=["removed", "raised", "locked"],
)
async def test_a_link_registers_no_passkey_of_a_user_who_was(
    sign_ups: SignUps, change: Callable[[Client, str], Awaitable[object]], reason: str
) -> None:
    token = await sign_ups.mailed()
    confirmed = await sign_ups.confirm(token)
    await change(sign_ups.admin, confirmed.user_id)

    assert (await given.refusal(sign_ups.confirm(token))).reason == reason
    assert (await given.refusal(sign_ups.link(confirmed).begin())).reason == "UNAUTHENTICATED"


async def test_the_user_can_be_granted_a_role(sign_ups: SignUps) -> None:
    """Nobody else has made the passkey or the address."""
    confirmed = await sign_ups.confirm(await sign_ups.mailed())
    await sign_ups.link(confirmed).register()

    await users.grant(sign_ups.admin, confirmed.user_id, user_pb.ROLE_ORG_OWNER)

    assert (await users.get(sign_ups.admin, confirmed.user_id)).roles == [user_pb.ROLE_ORG_OWNER]
    assert len(await passkeys(sign_ups.admin, confirmed.user_id)) == 1


async def test_an_organization_that_does_not_allow_it_mails_and_registers_nobody(
    sign_ups: SignUps,
) -> None:
    org_id, email = await sign_ups.organization(), addresses.unused()
    token = await sign_ups.mailed(email, org_id)
    await calls.allow(sign_ups.admin, org_id, allows=False)

    refused = [
        await given.refusal(sign_ups.request(org_id, addresses.unused())),
        await given.refusal(sign_ups.request(str(uuid4()), addresses.unused())),
        await given.refusal(sign_ups.confirm(token)),
    ]

    assert [each.reason for each in refused] == ["SIGN_UP_NOT_ALLOWED"] * 3


async def test_the_page_knows_whether_people_can_register_and_recover(sign_ups: SignUps) -> None:
    nobody = sign_ups.admin.with_token("")

    async def allowed(org_id: str) -> tuple[bool, bool]:
        request = pb.ListSignInOptionsRequest(org_id=org_id)
        answer = await nobody.call(nobody.sign_ins.ListSignInOptions, request)
        return answer.allows_sign_up, answer.allows_mail_recovery

    recovering = await sign_ups.organization(allows=False)
    await orgs.patch(sign_ups.admin, recovering, allows_mail_recovery=True)
    assert await allowed(await sign_ups.organization()) == (True, False)
    assert await allowed(recovering) == (False, True)
    assert await allowed(str(uuid4())) == (False, False)


async def test_a_link_is_valid_for_a_day(sign_ups: SignUps) -> None:
    token = await sign_ups.mailed()
    expired = sign_ups.changed(token, expires_at=int(datetime.now(UTC).timestamp()))

    for text in (expired, token[:-8], f"{token}=", "gAAAAAB", "x"):
        assert (await given.refusal(sign_ups.confirm(text))).reason == "SIGN_UP_EXPIRED"


async def test_the_link_leads_to_an_allowed_page(sign_ups: SignUps) -> None:
    org_id = await sign_ups.organization()
    refused = await given.refusal(
        sign_ups.request(org_id, addresses.unused(), return_to="https://evil.example/")
    )
    page = "http://localhost:8080/today"

    confirmed = await sign_ups.confirm(await sign_ups.mailed(org_id=org_id, return_to=page))

    assert refused.violations.keys() == {"returnTo"}
    assert (await sign_ups.link(confirmed).check()).return_to == page


async def test_a_spent_budget_of_an_address_is_not_told(sign_ups: SignUps) -> None:
    org_id, email = await sign_ups.organization(), addresses.unused()

    for _ in range(60):
        await sign_ups.request(org_id, email)

    assert 1 <= len(await sign_ups.mails(email)) < 60


async def test_other_failures_are_told(make_instance: MakeInstance) -> None:
    async with make_instance() as server, given.sql(server.dsn) as rows:
        sign_ups = SignUps(server.admin, rows, server.data_dir)
        org_id = await sign_ups.organization()

        refused = await given.refusal(sign_ups.request(org_id, addresses.unused()))

        assert refused.reason == "SMTP_CONFIG_MISSING"


async def test_a_network_causes_a_limited_number_of_mails(make_instance: MakeInstance) -> None:
    async with make_instance() as server, given.sql(server.dsn) as rows:
        await server.admin.call(server.admin.smtp.AddSMTPConfig, given.smtp_config())
        sign_ups = SignUps(server.admin, rows, server.data_dir)
        org_id = await sign_ups.organization()
        for _ in range(20):
            await sign_ups.request(org_id, addresses.unused())

        refused = await given.refusal(sign_ups.request(org_id, addresses.unused()))

        assert refused.reason == "RATE_LIMITED"
        assert await rows.fetchval("select count(*) from mails") == 20


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("org_id", "a\0"),
        ("email", "ada"),
        ("email", "a\0@example.com"),
        ("display_name", "a\nb"),
        ("display_name", "a\0b"),
        ("return_to", "https://shop.example.com/\0"),
    ],
)
async def test_wrong_fields_are_named(sign_ups: SignUps, field: str, value: str) -> None:
    valid = {"org_id": await sign_ups.organization(), "email": addresses.unused()}

    refused = await given.refusal(sign_ups.request(**(valid | {field: value})))

    names = {"org_id": "orgId", "display_name": "displayName", "return_to": "returnTo"}
    assert refused.reason == "INVALID_FIELDS"
    assert [*refused.violations] == [names.get(field, field)]


async def test_a_replaced_address_registers_no_passkey(sign_ups: SignUps) -> None:
    """Neither by the mailed link, nor by the link that its confirmation gave."""
    token = await sign_ups.mailed()
    confirmed = await sign_ups.confirm(token)

    await _move(sign_ups, confirmed.user_id, addresses.unused())

    assert (await given.refusal(sign_ups.confirm(token))).reason == "SIGN_UP_USED"
    assert (await given.refusal(sign_ups.link(confirmed).begin())).reason == "UNAUTHENTICATED"
    assert not await passkeys(sign_ups.admin, confirmed.user_id)


async def test_a_user_whose_passkey_was_removed_registers_no_other_one(sign_ups: SignUps) -> None:
    token = await sign_ups.mailed()
    confirmed = await sign_ups.confirm(token)
    begun = await sign_ups.link(confirmed).register()

    await remove(sign_ups.admin, begun.passkey_id, confirmed.user_id)

    assert (await given.refusal(sign_ups.confirm(token))).reason == "SIGN_UP_USED"


async def test_a_lock_does_not_open_the_sign_up_again(sign_ups: SignUps) -> None:
    """The lock ends the links of the user, and yet the one that was used counts."""
    token = await sign_ups.mailed()
    confirmed = await sign_ups.confirm(token)
    begun = await sign_ups.link(confirmed).register()
    await remove(sign_ups.admin, begun.passkey_id, confirmed.user_id)
    await users.lock(sign_ups.admin, confirmed.user_id)
    await users.unlock(sign_ups.admin, confirmed.user_id)

    assert (await given.refusal(sign_ups.confirm(token))).reason == "SIGN_UP_USED"


async def _move(sign_ups: SignUps, user_id: str, email: str) -> None:
    request = user_pb.PatchUserRequest(user=user_pb.User(user_id=user_id, email=email))
    request.update_mask.paths.append("email")
    await sign_ups.admin.call(sign_ups.admin.users.PatchUser, request)
