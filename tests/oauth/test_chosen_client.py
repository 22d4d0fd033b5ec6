"""A client ID and a secret of another provider, through everything that reads them."""

import secrets
from uuid import uuid4

import pytest

from tests.application import calls
from tests.oauth import flow
from tests.oauth.flow import CALLBACK, SCOPES, App
from tests.session import jwts
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.json_client import JsonClient

issuing = jwts.issuing


@pytest.fixture
async def moved(owner: Client) -> App:
    """An application that keeps both."""
    client_id, secret = f"~My_App.{uuid4().hex}-", f"{secrets.token_urlsafe(24)}+/:=~!"
    await calls.add(
        owner, application_id=client_id, secret=secret, redirect_uris=[CALLBACK], scopes=SCOPES
    )
    return App(owner.with_token(""), client_id, secret)


async def test_an_application_with_a_chosen_client_id_signs_users_in_and_reads_its_tokens(
    moved: App, ada: SignedIn
) -> None:
    approved = await flow.approved(moved, ada.client, scope="openid email offline_access")
    tokens = await moved.redeem(approved)
    again = await moved.refresh(tokens.refresh_token)

    for token in (tokens.access_token, tokens.id_token, again.access_token):
        assert jwts.unverified(token)["aud"] == moved.client_id
    introspected = await moved.introspect(tokens.access_token)
    assert introspected is not None
    assert introspected["client_id"] == moved.client_id
    assert (await flow.user_info(moved.client, tokens.access_token))["sub"] == ada.person.user_id
    pushed = await moved.start_pushed(await moved.push(id_token_hint=tokens.id_token))
    assert (await flow.describe(moved.client, pushed)).client_id == moved.client_id


async def test_its_grant_is_listed_and_revoked_over_json(
    moved: App, ada: SignedIn, instance: Instance
) -> None:
    tokens = await flow.tokens(moved, ada.client)
    async with JsonClient.connected(instance, ada.client) as json:
        path = f"/v1/users/{ada.person.user_id}/grants"
        listed = await json.send("GET", path)
        revoked = await json.send("DELETE", f"{path}/{moved.client_id}")

    assert [each["applicationId"] for each in listed.json()["grants"]] == [moved.client_id]
    assert revoked.status_code == 200, revoked.text
    assert await moved.introspect(tokens.access_token) is None


async def test_another_client_id_in_other_letters_is_unknown(moved: App) -> None:
    assert await given.outcome(moved.start(client_id=moved.client_id.lower())) == "UNKNOWN_CLIENT"


async def test_an_audience_that_was_added_later_ends_its_tokens(issuing: Instance) -> None:
    """KEYSTEAD_JWT_AUDIENCES may name the ID of an application that is older."""
    public = await flow.public_app(issuing.admin)
    async with given.sql(issuing.dsn) as sql:
        await sql.execute("update applications set id = 'reports' where id = $1", public.client_id)
    app = App(public.client, "reports", "")

    exchanged = app.exchange(grant_type="authorization_code", code="any", redirect_uri=CALLBACK)

    assert await given.outcome(exchanged) == "INVALID_TARGET"
