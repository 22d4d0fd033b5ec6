"""Recovery by mail over the native port: people with a passkey, and the mails that they get."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as pb
from tests.conftest import MakeInstance
from tests.org import calls as orgs
from tests.passkey.links import Link
from tests.session import sessions
from tests.session.sessions import Person
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import addresses
from tests.user import calls as users


@pytest.fixture(scope="module")
async def recovering(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that mails recovery links at once, to a relay that never answers."""
    async with make_instance(recovery_seconds=0.02) as server:
        await smtp.add(server.admin)
        yield server


@dataclass(frozen=True)
class Recoveries:
    """A server that may send mail, and its database."""

    instance: Instance
    rows: asyncpg.Connection

    @property
    def admin(self) -> Client:
        return self.instance.admin

    async def organization(self, *, allows: bool = True) -> str:
        """The ID of a new organization."""
        org_id = await given.organization(self.admin)
        if allows:
            await self.allow(org_id, allows=True)
        return org_id

    async def allow(self, org_id: str, *, allows: bool) -> None:
        """Changes the setting."""
        await orgs.patch(self.admin, org_id, allows_mail_recovery=allows)

    async def user(self, org_id: str, *, email: str = "") -> Client:
        """A user with a mail address and no passkey."""
        user = await given.user(self.admin, org_id=org_id)
        await self.move(user, email or addresses.unused())
        return user

    async def person(self, *, org_id: str = "", email: str = "") -> Person:
        """A user with an address and a passkey. Its organization allows recovery by default."""
        org_id = org_id or await self.organization()
        return await sessions.with_passkey(await self.user(org_id, email=email))

    async def move(self, user: Client, email: str) -> None:
        """Changes the mail address."""
        await users.patch(self.admin, user.user_id, ["email"], email=email)

    async def address(self, person: Person) -> str:
        """The mail address."""
        return await self.rows.fetchval("select email from users where id = $1", person.user_id)

    async def request(self, email: str, **fields: str) -> pb.RequestPasskeyRecoveryResponse:
        """Asks for a link, without a token."""
        return await ask(self.admin, email, **fields)

    async def answered(self) -> None:
        """Waits until no request is pending."""

        async def is_answered() -> bool:
            return not await self.rows.fetchval("select count(*) from recovery_requests")

        await given.eventually(is_answered)

    async def mails(self, person: Person, kind: str = "passkey_recovery_link") -> list[Any]:
        """The mails of this kind to a user, oldest first."""
        query = "select * from mails where user_id = $1 and kind = $2 order by mail_id"
        return await self.rows.fetch(query, person.user_id, kind)

    async def told(self, person: Person) -> list[tuple[str, Any]]:
        """The notices about recovery: the address and the kind of each."""
        return [
            (mail["recipient_address"], json.loads(mail["parameters"]))
            for mail in await self.mails(person, "account_recovered")
        ]

    async def link(self, person: Person) -> Link:
        """The link in the last mail."""
        mail = (await self.mails(person))[-1]
        return await Link.mailed(self.instance, self.rows, mail["mail_id"])

    async def request_and_wait(self, email: str, **fields: str) -> None:
        """Asks for a link, and waits until the request is answered."""
        await self.request(email, **fields)
        await self.answered()

    async def recovery(self, person: Person) -> Link:
        """Requests a link for the user and returns it."""
        await self.request_and_wait(await self.address(person))
        return await self.link(person)


def ask(client: Client, email: str, **fields: str) -> Any:
    """Asks for a link, without a token."""
    nobody = client.with_token("")
    return nobody.call(
        nobody.passkeys.RequestPasskeyRecovery,
        pb.RequestPasskeyRecoveryRequest(email=email, **fields),
    )
