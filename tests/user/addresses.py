"""Users with an email address, and the mails to them."""

from typing import Any
from uuid import uuid4

import asyncpg

from keystead.user.v1 import user_service_pb2 as pb
from tests.support import given
from tests.support.given import Client
from tests.user import calls


def unused() -> str:
    """An address that has got no mail yet."""
    return f"{uuid4().hex}@example.com"


async def created(admin: Client, *, org_id: str = "", **fields: str) -> pb.CreateUserResponse:
    """A user, by default in an organization of its own."""
    fields = {"user_name": "ada", "display_name": "Ada", "email": unused()} | fields
    return await calls.create(admin, org_id=org_id or await given.organization(admin), **fields)


async def user(admin: Client, **fields: str) -> Client:
    """A user without roles, with a token, who has got no mail yet."""
    email = fields.pop("email", unused())
    user_id = (await created(admin, email="", **fields)).user_id
    user = admin.with_token(await given.token(admin, user_id), user_id)
    if email:
        await calls.patch(admin, user_id, ["email"], email=email)
    return user


async def mails(sql: asyncpg.Connection, user: Client) -> list[tuple[Any, ...]]:
    """Kind and state of the mails to a user, and whether they have a secret."""
    return [
        tuple(row)
        for row in await sql.fetch(
            """
            select kind, state, exists (select from secrets where aggregate_id = mail_id)
            from mails where user_id = $1 order by mail_id""",
            user.user_id,
        )
    ]
