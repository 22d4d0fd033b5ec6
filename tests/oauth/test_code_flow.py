"""From the request of an application to its tokens."""

from tests.oauth import flow
from tests.oauth.flow import App
from tests.session.sessions import SignedIn


async def test_an_application_gets_tokens_of_a_person(app: App, ada: SignedIn) -> None:
    tokens = await flow.tokens(app, ada.client)

    claims = await flow.user_info(app.client, tokens.access_token)
    assert claims["sub"] == ada.person.user_id
    assert tokens.scope == "openid profile"
    assert (tokens.token_type, tokens.expires_in) == ("Bearer", 300)
    assert not tokens.refresh_token
