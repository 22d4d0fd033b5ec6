"""The statements of the calls of applications, each of which is a round trip to PostgreSQL."""

import pytest

from tests.group import calls as groups
from tests.oauth import flow
from tests.oauth.flow import App
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client


async def _used(app: App) -> None:
    """Records a use of the secret, which is written once an hour."""
    await given.refusal(app.refresh("unknown"))


@pytest.mark.parametrize(("scope", "expected"), [("openid profile", 4), ("openid groups", 5)])
async def test_a_code_costs_the_application_the_code_the_session_and_the_user(
    app: App, ada: SignedIn, statements: list[str], scope: str, expected: int
) -> None:
    await _used(app)
    approved = await flow.approved(app, ada.client, scope=scope)
    statements.clear()

    await app.redeem(approved)

    assert len(statements) == expected


async def test_the_groups_of_a_user_are_read_for_an_application_that_admits_groups_only(
    owner: Client, ada: SignedIn, statements: list[str]
) -> None:
    group_id = await groups.group(owner)
    await groups.add_member(owner, group_id, ada.person.user_id)
    app = await flow.app(owner, allowed_groups=[group_id])
    await _used(app)
    approved = await flow.approved(app, ada.client)
    statements.clear()

    await app.redeem(approved)

    assert len(statements) == 5


async def test_a_refresh_costs_as_much_as_a_code(
    app: App, ada: SignedIn, statements: list[str]
) -> None:
    tokens = await flow.tokens(app, ada.client, scope="openid offline_access")
    statements.clear()

    await app.refresh(tokens.refresh_token)

    assert len(statements) == 4


async def test_a_service_costs_one_statement(owner: Client, statements: list[str]) -> None:
    service = await flow.service(owner)
    await service.exchange(grant_type="client_credentials")  # records the use of the secret
    statements.clear()

    await service.exchange(grant_type="client_credentials")

    assert len(statements) == 1
