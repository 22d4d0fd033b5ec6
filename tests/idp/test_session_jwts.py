"""JWTs of sessions that an identity provider has begun."""

import grpc
import jwt

from tests.idp import calls, signins
from tests.session import jwts
from tests.support import given
from tests.support.given import Instance
from tests.support.oidc_provider import Provider


async def test_it_repeats_only_the_time_of_the_sign_in_at_the_provider(
    issuing: Instance, provider: Provider
) -> None:
    """Neither the method nor the strength of the authentication there."""
    site = await signins.site(issuing, provider)
    provider.speak_of("ada", amr=["hwk", "mfa"], acr="urn:example:gold", auth_time=1)
    signed_in = await site.sign_in()

    issued = await jwts.issue(signed_in.client)
    claims = jwts.verified(issued.jwt, await jwts.key_set(issuing))

    session = await signed_in.current()
    assert jwt.get_unverified_header(issued.jwt)["typ"] == "at+jwt"
    assert claims.pop("jti")
    assert claims.pop("exp") == issued.expires_at.seconds
    assert claims.pop("iat") >= session.authenticated_at.seconds
    assert claims == {
        "iss": jwts.ISSUER,
        "sub": signed_in.answer.user_id,
        "aud": jwts.AUDIENCE,
        "client_id": "localhost",
        "sid": signed_in.answer.session_id,
        "org": site.org_id,
        "auth_time": 1,
    }


async def test_a_session_that_ended_with_its_provider_gets_none(
    issuing: Instance, provider: Provider
) -> None:
    site = await signins.site(issuing, provider)
    signed_in = await site.sign_in()
    await jwts.issue(signed_in.client)

    await calls.remove(site.owner, site.idp_id)

    refused = await given.refusal(jwts.issue(signed_in.client))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
