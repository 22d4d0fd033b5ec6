"""A transaction of the test that executes a command and stays open.

So a test can run a call of the server between two statements of another transaction.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import asyncpg

from server.access.caller import OPERATOR, Caller, LinkCaller, RegistrationCaller
from server.access.roles import Role
from server.access.tokens import token_hash
from server.application.return_targets import ReturnTargets
from server.crypto.keyring import Keyring
from server.mail.outbox import Outbox
from server.org.store import allows_mail_recovery
from server.passkey import ceremonies, commands, links
from server.passkey.links import LinkChannel, RegistrationPolicy
from server.passkey.webauthn.registration import CeremonyPolicy
from server.rpc.messages import details_message
from server.smtp.store import find_sender
from server.store.database import Transaction
from server.store.statement import statement
from server.user import commands as user_commands
from server.user import roles, token_store, tokens
from server.user.commands import verify_address
from server.wiring.dependencies import (
    OTHER_FEATURES,
    describe_invitation,
    end_begun_with,
    end_of_recovered,
)
from tests.passkey.ceremonies import ORIGIN, RP_ID, Begun
from tests.support.given import Client

Answer = TypeVar("Answer")

POLICY = RegistrationPolicy(
    max_passkeys=20,
    link_page="http://localhost:8080/passkeys/",
    link_lifetime=timedelta(days=1),
    allows_recovery=allows_mail_recovery,
    check_return=ReturnTargets(()).check,
    allows_return=ReturnTargets(()).allows,
    describe_invitation=describe_invitation,
    end_of_recovered=end_of_recovered,
    verify_address=verify_address,
)
OUTBOX = Outbox(hourly_limit=20, find_sender=find_sender)
_BLOCKED = "select count(*) from pg_stat_activity where $1 = any(pg_blocking_pids(pid))"
_LOCK_USER = statement("select from users where id = :user_id for update")
_DELETE_LINKS = statement("delete from passkey_links where user_id = :user_id")
_EXPIRE_CEREMONY = statement(
    "update passkey_ceremonies set expires_at = clock_timestamp() where passkey_id = :passkey_id"
)
_RENEW_CEREMONY = statement("""
update passkey_ceremonies set expires_at = clock_timestamp() + interval '1 minute'
where passkey_id = :passkey_id""")


class RolledBackError(Exception):
    """Rolls the first transaction back."""


@dataclass
class First:
    """The first transaction, still open, with its commands and the calls that wait for it."""

    transaction: Transaction
    rows: asyncpg.Connection
    pid: int
    blocked: int = 0

    async def verify(self, begun: Begun, **parts: Any) -> None:
        command = ceremonies.VerifyPasskeyRegistration(
            user_id=begun.user_id,
            passkey_id=begun.passkey_id,
            public_key_credential=json.dumps(begun.credential(**parts)),
            passkey_name="Key",
        )
        await ceremonies.verify(
            self.transaction,
            command,
            actor=RegistrationCaller(begun.user_id, begun.passkey_id),
            policy=POLICY,
            outbox=OUTBOX,
        )

    async def register(
        self, user: Client, *, link_id: str | None = None, by: Client | None = None
    ) -> Begun:
        begun = await ceremonies.register(
            self.transaction,
            ceremonies.RegisterPasskey(user_id=user.user_id),
            actor=LinkCaller(user.user_id, link_id) if link_id else await self._caller(by or user),
            policy=POLICY,
            ceremony_policy=CeremonyPolicy(rp_id=RP_ID, rp_name="Keystead", origins=(ORIGIN,)),
        )
        return Begun(
            user,
            user.user_id,
            begun.passkey_id,
            begun.options,
            begun.registration_token,
            details_message(begun.details),
        )

    async def create_link(self, user: Client) -> None:
        await links.create(
            self.transaction,
            links.CreatePasskeyRegistrationLink(
                user_id=user.user_id, return_to="", is_invitation=False, application_id=""
            ),
            LinkChannel.RETURN_CODE,
            actor=OPERATOR,
            policy=POLICY,
            keyring=Keyring([bytes(32)]),
            outbox=OUTBOX,
        )

    async def _caller(self, client: Client) -> Caller:
        caller = await token_store.find_caller(self.transaction, token_hash(client.token))
        assert caller is not None
        return caller

    async def forget_links(self, user: Client) -> None:
        await self.transaction.fetch(_LOCK_USER, user_id=user.user_id)
        await self.transaction.fetch(_DELETE_LINKS, user_id=user.user_id)

    async def remove(self, begun: Begun) -> None:
        command = commands.RemovePasskey(
            user_id=begun.user_id, passkey_id=begun.passkey_id, lost_or_stolen=False
        )
        await commands.remove(
            self.transaction, command, actor=OPERATOR, end_begun_with=end_begun_with
        )

    async def remove_user(self, user: Client) -> None:
        command = user_commands.OneUser(user_id=user.user_id)
        await user_commands.remove(self.transaction, command, actor=OPERATOR, others=OTHER_FEATURES)

    async def revoke_tokens(self, user: Client) -> None:
        for token in await token_store.LIST.all(
            self.transaction, user_id=user.user_id, after="", limit=10
        ):
            command = tokens.OneToken(user_id=user.user_id, token_id=token.token_id)
            await tokens.revoke_token(
                self.transaction, command, actor=OPERATOR, others=OTHER_FEATURES
            )

    async def revoke_role(self, user: Client, role: Role) -> None:
        command = roles.ChangeRole(user_id=user.user_id, role=role)
        await roles.revoke_role(self.transaction, command, actor=OPERATOR, others=OTHER_FEATURES)

    async def create_token(self, user: Client, *, by: Client) -> str:
        command = tokens.CreateToken(user_id=user.user_id, name="", expires_at=None)
        created = await tokens.create_token(
            self.transaction, command, actor=await self._caller(by), limit=10, outbox=OUTBOX
        )
        return created.token

    async def grant_role(self, user: Client, role: Role) -> None:
        command = roles.GrantRole(
            user_id=user.user_id, role=role, end_foreign_credentials=True, expires_at=None
        )
        await roles.grant_role(self.transaction, command, actor=OPERATOR, others=OTHER_FEATURES)

    async def expire(self, begun: Begun) -> None:
        await self.transaction.fetch(_EXPIRE_CEREMONY, passkey_id=begun.passkey_id)

    async def renew(self, begun: Begun) -> None:
        await self.transaction.fetch(_RENEW_CEREMONY, passkey_id=begun.passkey_id)

    async def lock_ceremonies(self) -> None:
        await self.transaction.script("lock table passkey_ceremonies in access exclusive mode")

    async def blocks(self, call: Awaitable[Answer]) -> "asyncio.Future[Answer]":
        """The call, as soon as it waits for this transaction."""
        self.blocked += 1
        second = asyncio.ensure_future(call)
        while await self.rows.fetchval(_BLOCKED, self.pid) < self.blocked:
            assert not second.done(), f"the call did not wait: {second}"
            await asyncio.sleep(0.005)
        return second


OpenFirst = Callable[[], AbstractAsyncContextManager[First]]
