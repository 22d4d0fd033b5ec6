"""Registration links over the native port."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg

from keystead.passkey.v1 import passkey_service_pb2 as pb
from server.access.tokens import token_hash
from server.crypto.keyring import load_keyring
from tests.passkey.ceremonies import Begun, begun_by
from tests.support.given import Client, Instance
from tests.support.mailed_links import mailed_link


@dataclass(frozen=True)
class Link:
    """A link in the hands of its user, who has no token."""

    holder: Client
    user_id: str
    code: str

    @classmethod
    def of(cls, url: str, client: Client) -> "Link":
        """Reads the link like the page that it opens."""
        fragment = parse_qs(urlsplit(url).fragment, strict_parsing=True, separator=";")
        return cls(client.with_token(""), *(fragment[name][0] for name in ("user", "code")))

    @classmethod
    async def mailed(cls, instance: Instance, sql: asyncpg.Connection, mail_id: str) -> "Link":
        """Reads the link in a mail of the server."""
        keyring = load_keyring((), instance.data_dir / "encryption.keys")
        return cls.of(await mailed_link(sql, keyring, mail_id), instance.admin)

    async def begin(self, **fields: Any) -> Begun:
        """Begins a ceremony, which its registration token completes."""
        return await begun_by(self.holder, **{"user_id": self.user_id, "code": self.code} | fields)

    async def register(self) -> Begun:
        """Registers a passkey."""
        begun = await self.begin()
        await begun.verify(by=begun.token_holder)
        return begun

    async def check(self) -> pb.CheckPasskeyRegistrationResponse:
        """What the page shows before the registration."""
        request = pb.CheckPasskeyRegistrationRequest(user_id=self.user_id, code=self.code)
        return await self.holder.call(self.holder.passkeys.CheckPasskeyRegistration, request)

    async def link_id(self, rows: asyncpg.Connection) -> str:
        """The ID of the link in the log."""
        return await rows.fetchval(
            "select link_id from passkey_links where code_hash = $1", token_hash(self.code)
        )

    async def expire(self, rows: asyncpg.Connection) -> None:
        """Sets the times of the link back by its lifetime."""
        await rows.execute(
            "update passkey_links set expires_at = clock_timestamp() where code_hash = $1",
            token_hash(self.code),
        )


async def create(
    admin: Client, user: Client | str, *, send: bool = False, **fields: Any
) -> pb.CreatePasskeyRegistrationLinkResponse:
    """Creates a link. Its code is in the answer unless the link is mailed."""
    request = pb.CreatePasskeyRegistrationLinkRequest(
        user_id=user if isinstance(user, str) else user.user_id,
        send_link=pb.SendLink() if send else None,
        return_code=None if send else pb.ReturnCode(),
        **fields,
    )
    return await admin.call(admin.passkeys.CreatePasskeyRegistrationLink, request)


async def link(admin: Client, user: Client, **fields: Any) -> Link:
    """A new link of the user."""
    return Link(admin.with_token(""), user.user_id, (await create(admin, user, **fields)).code)


async def state(rows: asyncpg.Connection, user: Client) -> list[str]:
    """The state of each link of a user, in the order of their creation."""
    return [
        row["state"]
        for row in await rows.fetch(
            """
            select case when used_at is not null then 'used'
                when replaced_at is not null then 'replaced' else 'good' end as state
            from passkey_links where user_id = $1 order by link_id""",
            user.user_id,
        )
    ]
