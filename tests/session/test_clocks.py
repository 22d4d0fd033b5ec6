"""The clock of a server may be wrong: times that the database wrote are judged by its clock."""

import sys
from datetime import datetime, timedelta, tzinfo
from typing import Any

import asyncpg
import grpc
import pytest

from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.browser import OPT_IN, PROTOCOLS, Browser
from tests.support.given import Client, Instance
from tests.support.web_client import web_client
from tests.user import calls as users


def _wrong_by(difference: timedelta) -> type[datetime]:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + difference

    return Wrong


@pytest.fixture(params=[-3600, 3600], ids=["an hour behind", "an hour ahead"])
async def signed_in(
    admin: Client, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> SignedIn:
    """A new session, at a server whose clock is wrong from now on."""
    signed_in = await sessions.signed_in(admin)
    wrong = _wrong_by(timedelta(seconds=request.param))
    for name, module in list(sys.modules.items()):
        if name.startswith(("server.", "bridge.")) and getattr(module, "datetime", 0) is datetime:
            monkeypatch.setattr(module, "datetime", wrong)
    return signed_in


async def test_a_sign_in_just_now_is_recent(signed_in: SignedIn) -> None:
    assert (await users.create_token(signed_in.client, signed_in.person.user_id)).token


async def test_a_sign_in_long_ago_is_not(signed_in: SignedIn, sql: asyncpg.Connection) -> None:
    await sessions.set_sign_in(sql, signed_in, minutes=11)

    refused = await given.refusal(users.create_token(signed_in.client, signed_in.person.user_id))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    assert refused.reason == "REAUTHENTICATION_REQUIRED"


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_cookie_lasts_as_long_as_the_session(
    signed_in: SignedIn, instance: Instance, protocol: Any
) -> None:
    async with web_client(instance.web_port) as http:
        person = signed_in.person
        credential = person.assertion(await sessions.start(person.client))
        answer, message = await Browser(http, protocol).call(
            "CompletePasskeySignIn", {"public_key_credential": credential}, **OPT_IN
        )

    (cookie,) = answer.headers.get_list("set-cookie")
    lifetime = message.expires_at.ToDatetime() - message.details.change_date.ToDatetime()
    assert f"; Max-Age={int(lifetime.total_seconds())}; " in cookie
