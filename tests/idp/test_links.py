"""ListIDPLinks and UnlinkIDP, and the ends of sessions that watchers get."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import grpc
import pytest

from keystead.session.v1 import session_service_pb2 as session_pb
from keystead.user.v1 import idp_link_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from tests.cli.words import commands_on, done
from tests.idp import calls, ends, signins
from tests.idp.ends import End
from tests.idp.signins import Site
from tests.oauth import flow
from tests.passkey import ceremonies
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider
from tests.user import calls as users


def _page(client: Client, user_id: str, **fields: Any) -> Awaitable[pb.ListIDPLinksResponse]:
    request = pb.ListIDPLinksRequest(user_id=user_id, **fields)
    return client.call(client.idp_links.ListIDPLinks, request)


async def test_links_are_listed_by_pages_oldest_first(
    relying: Instance, provider: Provider
) -> None:
    one = await signins.site(relying, provider)
    person = await sessions.person(relying.admin, org_id=one.org_id)
    client = (await person.sign_in()).client
    assert list((await _page(client, person.user_id)).idp_links) == []
    others = [await signins.site(relying, provider, org_id=one.org_id) for _ in range(2)]
    link_ids = [
        (await signins.link(client, await site.callback())).link_id for site in (one, *others)
    ]

    first = await _page(client, person.user_id, page_size=2)
    rest = await _page(client, person.user_id, page_size=2, page_token=first.next_page_token)
    whole = await _page(client, person.user_id, page_size=3)
    await signins.unlink(client, link_ids[1])
    after = await _page(client, person.user_id, page_size=2, page_token=first.next_page_token)

    assert [link.link_id for link in first.idp_links] == link_ids[:2]
    assert [link.link_id for link in rest.idp_links] == link_ids[2:]
    assert [link.link_id for link in whole.idp_links] == link_ids
    assert (rest.next_page_token, whole.next_page_token) == ("", "")
    assert after == rest  # the page token keeps its place although its link was removed
    for owner, fields, field in (
        (person.user_id, {"page_size": -1}, "pageSize"),
        (person.user_id, {"page_token": "nonsense"}, "pageToken"),
        (one.owner.user_id, {"page_token": first.next_page_token}, "pageToken"),
    ):
        refused = await given.refusal(_page(one.owner, owner, **fields))
        assert refused.violations.keys() == {field}


async def test_a_link_has_the_name_that_its_provider_has_now(
    relying: Instance, provider: Provider
) -> None:
    site = await signins.site(relying, provider, name="Old name")
    person = await sessions.person(relying.admin, org_id=site.org_id)
    client = (await person.sign_in()).client
    await signins.link(client, await site.callback())
    [before] = (await _page(client, person.user_id)).idp_links

    await calls.patch(site.owner, site.idp_id, ["name"], name="New name")
    [after] = (await _page(client, person.user_id)).idp_links

    assert (before.idp_name, after.idp_name) == ("Old name", "New name")


async def test_a_flow_that_linked_is_used_up(site: Site, relying: Instance) -> None:
    person = await sessions.person(relying.admin, org_id=site.org_id)
    client, callback = (await person.sign_in()).client, await site.callback()
    await signins.link(client, callback)

    refusals = [
        await given.refusal(signins.link(client, callback)),
        await given.refusal(site.complete(callback)),
    ]

    assert [refused.reason for refused in refusals] == ["FLOW_USED"] * 2


async def test_a_link_that_is_none_of_the_user_is_not_found(site: Site, relying: Instance) -> None:
    session = await site.sign_in()
    [link] = await signins.links(session.client)
    other = await sessions.person(relying.admin, org_id=site.org_id)

    refusals = [
        await given.refusal(signins.unlink(session.client, "unknown")),
        await given.refusal(signins.unlink(other.client, link.link_id)),
        await given.refusal(signins.unlink(site.owner, link.link_id, other.user_id)),
    ]
    await signins.unlink(site.owner, link.link_id, session.answer.user_id)
    again = signins.unlink(site.owner, link.link_id, session.answer.user_id)
    refusals.append(await given.refusal(again))

    assert {refused.code for refused in refusals} == {grpc.StatusCode.NOT_FOUND}
    assert {refused.reason for refused in refusals} == {"IDP_LINK_NOT_FOUND"}
    assert refusals[1].resource == ("idp_link", link.link_id)


async def test_a_user_may_remove_its_last_way_to_sign_in(
    site: Site, relying: Instance, provider: Provider
) -> None:
    """As with its last passkey. The identity is free then, and the user keeps its name."""
    session = await site.sign_in()
    [link] = await signins.links(session.client)

    await signins.unlink(session.client, link.link_id)

    assert not await session.is_live()
    refused = await given.refusal(site.complete(await site.callback()))
    assert refused.reason == "USER_EXISTS_LINK_FIRST"
    provider.speak_of("ada", preferred_username="another-name")
    next_owner = await site.sign_in()
    assert next_owner.answer.user_id != session.answer.user_id
    async with connected(relying.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


async def test_the_removal_of_a_link_ends_the_registrations_that_its_user_began(site: Site) -> None:
    session = await site.sign_in()
    begun = await ceremonies.begin(session.client)

    await ends.unlink(site, session.answer.user_id)

    refused = await given.refusal(begun.verify(by=begun.token_holder))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_caller_that_signs_out_meanwhile_links_nothing(
    site: Site, relying: Instance
) -> None:
    person = await sessions.person(relying.admin, org_id=site.org_id)
    client, callback = (await person.sign_in()).client, await site.callback()

    async with given.sql(relying.dsn) as rows, given.sql(relying.dsn) as other:
        async with rows.transaction():
            await rows.execute("select from idps where id = $1 for update", site.idp_id)
            linking = asyncio.ensure_future(given.refusal(signins.link(client, callback)))
            await given.waiting_for_a_lock(other)
            await sessions.sign_out(client)
        refused = await linking

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    assert await signins.links(site.owner, person.user_id) == []


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (ends.unlink, session_pb.END_REASON_LINK_REMOVED),
        *((end, session_pb.END_REASON_IDP_REMOVED) for end in ends.OF_PROVIDERS),
    ],
)
async def test_watchers_are_told_why_a_session_has_ended(
    site: Site, relying: Instance, end: End, reason: session_pb.EndReason.ValueType
) -> None:
    by_link = await site.sign_in()
    verifier = await given.user(relying.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
    request = session_pb.WatchEndedSessionsRequest()
    stream = verifier.call(verifier.sessions.WatchEndedSessions, request)
    await stream.read()  # from here on it gets every end

    await end(site, by_link.answer.user_id)

    # Ends of an earlier test may get their positions only now.
    received: dict[str, session_pb.EndedSession] = {}
    while by_link.answer.session_id not in received:
        received |= {each.session_id: each for each in (await stream.read()).ended_sessions}
    stream.cancel()
    ended = received[by_link.answer.session_id]
    assert ended.reason == reason
    assert (ended.user_id, ended.org_id) == (by_link.answer.user_id, site.org_id)


async def test_access_that_began_with_a_lost_account_at_a_provider_ends_with_its_link(
    site: Site,
) -> None:
    app = await flow.app(site.owner)
    session = await site.sign_in()
    client, user_id = session.client, session.answer.user_id
    tokens = await flow.tokens(app, client, scope="openid offline_access")
    await users.create_token(client, user_id)
    [link] = await signins.links(client)

    answer = await signins.unlink(site.owner, link.link_id, user_id, lost_or_stolen=True)

    ended = answer.ended
    assert (ended.sessions, ended.applications, ended.tokens) == (1, 1, 1)
    assert (await given.refusal(app.refresh(tokens.refresh_token))).reason == "INVALID_GRANT"
    assert await users.tokens(site.owner, user_id) == []


async def test_an_operator_ends_the_access_that_began_with_a_lost_account_at_a_provider(
    site: Site, relying: Instance
) -> None:
    session = await site.sign_in()
    user_id = session.answer.user_id
    await users.create_token(session.client, user_id)
    [link] = await signins.links(session.client)

    removed = await done(
        commands_on(relying)("user", "unlink-idp", "--lost-or-stolen", user_id, link.link_id)
    )

    assert removed.splitlines() == [
        f"The link was removed: {link.link_id}",
        "Ended: sessions 1, access of applications 0, tokens 1",
    ]
