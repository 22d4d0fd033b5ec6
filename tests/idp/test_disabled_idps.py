"""Nobody signs in with a provider that is switched off; its links stay."""

import asyncio

import pytest

from keystead.signin.v1 import signin_service_pb2 as signin_pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.idp import calls, oidc_calls, signins
from tests.idp.signins import Session, Site
from tests.session import sessions
from tests.support import given


async def _switch(site: Site, *, is_disabled: bool) -> None:
    await calls.patch(site.owner, site.idp_id, ["is_disabled"], is_disabled=is_disabled)


async def _is_offered(site: Site) -> bool:
    request = signin_pb.ListSignInOptionsRequest(org_id=site.org_id)
    nobody = site.instance.nobody
    return bool((await nobody.call(nobody.sign_ins.ListSignInOptions, request)).idps)


async def test_a_provider_that_is_off_signs_nobody_in_until_it_is_on_again(site: Site) -> None:
    session = await site.sign_in()
    begun = await site.callback()

    await _switch(site, is_disabled=True)

    assert not await session.is_live()
    assert not await _is_offered(site)
    for call in (site.start(), site.complete(begun)):
        refused = await given.refusal(call)
        assert refused.reason == "IDP_DISABLED"
    # Its settings can be tried before it is on.
    assert all(step.succeeded for step in (await oidc_calls.try_out(site.owner, site.idp_id)).steps)

    await _switch(site, is_disabled=False)

    assert await _is_offered(site)
    assert (await site.sign_in()).answer.user_id == session.answer.user_id
    async with connected(site.instance.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


async def test_a_provider_that_is_off_links_nobody(site: Site) -> None:
    person = await sessions.person(site.instance.admin, org_id=site.org_id)
    client = (await person.sign_in()).client
    begun = await site.callback()
    await _switch(site, is_disabled=True)

    refused = await given.refusal(signins.link(client, begun))

    assert refused.reason == "IDP_DISABLED"


@pytest.mark.parametrize("attempt", range(3))
async def test_no_sign_in_survives_the_switch(site: Site, attempt: int) -> None:
    session = await site.sign_in()
    callbacks = [await site.callback() for _ in range(4)]

    results = await asyncio.gather(
        *map(site.complete, callbacks), _switch(site, is_disabled=True), return_exceptions=True
    )

    live = [
        await Session(site.owner.with_token(each.session_token, each.user_id), each).is_live()
        for each in results
        if isinstance(each, signin_pb.SignedIn)
    ]
    assert not any(live), attempt
    assert not await session.is_live()


async def test_old_requests_neither_switch_nor_reset_it(site: Site) -> None:
    await _switch(site, is_disabled=True)
    await calls.update(site.owner, site.idp_id, name="Provider")

    assert (await calls.get(site.owner, site.idp_id)).is_disabled
