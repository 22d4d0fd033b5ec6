"""People sign in with providers whose documents and tokens have the documented shapes."""

import time
from typing import Any

import pytest

from server.idp.oidc.presets import PRESETS
from tests.idp import oidc_calls
from tests.idp.provider_shapes import SHAPES, Shape
from tests.idp.signins import Site
from tests.support import given
from tests.support.oidc_provider import Provider

_WELL_KNOWN = "/.well-known/openid-configuration"


def _filled(members: Any, issuer: str) -> dict[str, Any]:
    return {name: issuer if value == "{issuer}" else value for name, value in members.items()}


def _take(provider: Provider, shape: Shape) -> None:
    """Gives the provider the shape."""
    provider.issuer += shape.path
    document = provider.metadata | {
        "issuer": provider.issuer,
        "claims_supported": [*shape.lists],
        "scopes_supported": ["openid", "profile", "email"],
        **shape.metadata,
    }
    key = provider.key.as_dict(private=False) | _filled(shape.key, provider.issuer)
    provider.documents["/keys"] = {"keys": [key]}
    times = {name: int(time.time()) + seconds for name, seconds in shape.times.items()}
    provider.claims = {**shape.claims, **times}
    if shape.userinfo is None:
        del document["userinfo_endpoint"]
    else:
        provider.documents["/userinfo"] = shape.userinfo
    provider.documents[f"{shape.path.removesuffix('/')}{_WELL_KNOWN}"] = document


@pytest.mark.parametrize("shape", SHAPES, ids=[shape.name for shape in SHAPES])
async def test_people_sign_in_with_this_provider(
    site: Site, provider: Provider, shape: Shape
) -> None:
    _take(provider, shape)
    settings = PRESETS.get(shape.preset)
    if settings is None:
        await site.set_config()
    else:
        await site.set_config(
            scopes=settings.scopes, token_endpoint_auth_method=settings.auth_method
        )

    steps = (await oidc_calls.try_out(site.owner, site.idp_id)).steps
    first = await site.sign_in()
    again = await site.sign_in()

    assert [step.succeeded for step in steps] == [True] * 3
    assert (first.answer.registered, again.answer.registered) == (True, False)
    [user] = await site.users()
    assert (user.user_name, user.display_name, user.email) == shape.user
    session = await again.current()
    age = session.details.creation_date.ToSeconds() - session.authenticated_at.ToSeconds()
    assert 0 <= age + shape.times.get("auth_time", 0) < 60


def test_every_preset_has_a_shape() -> None:
    assert {shape.preset for shape in SHAPES} - {""} == {*PRESETS}


async def test_the_document_of_all_tenants_of_entra_signs_nobody_in(
    site: Site, provider: Provider
) -> None:
    """Its issuer has a placeholder for the tenant."""
    provider.metadata["issuer"] = f"{provider.issuer}/{{tenantid}}/v2.0"

    [step] = (await oidc_calls.try_out(site.owner, site.idp_id)).steps
    refused = await given.refusal(site.start())

    assert step.reason == "ISSUER_MISMATCH"
    assert refused.reason == "IDP_NOT_CONFIGURED"
