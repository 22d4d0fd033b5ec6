"""Stolen callbacks and flow tokens, and sign-ins that race with removals."""

import asyncio
from contextlib import AbstractContextManager, nullcontext
from urllib.parse import parse_qsl, urlencode

import grpc
import pytest

from keystead.signin.v1 import signin_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import OPERATOR
from server.idp import commands
from server.idp.oidc import store as oidc_store
from server.idp.signin import store as signin_store
from server.idp.signin.flow_token import state_of
from server.operate.rebuild.run import rebuild
from server.rpc.call import Call
from server.store.database import Transaction, connected
from server.store.statement import statement
from server.store.turns import current_claimant
from server.values.errors import deadline_exceeded
from server.wiring.dependencies import end_sessions_of_idp
from tests.idp import calls, ends, signins
from tests.idp.ends import End
from tests.idp.signins import Site
from tests.session import sessions
from tests.support import given
from tests.support.given import Instance
from tests.support.oidc_provider import Provider


async def _refused(site: Site, request: object) -> tuple[grpc.StatusCode, str]:
    refused = await given.refusal(site.complete(request))  # type: ignore[arg-type]
    return refused.code, refused.reason


FAILED = (grpc.StatusCode.UNAUTHENTICATED, "SIGN_IN_FAILED")


@pytest.mark.parametrize(
    "query",
    [
        *(
            "code=x",
            "state=x&code=x",
            "code=a&{right}",
            "{right}&state=x",
            "%",
            "a=1;b",
            "?",
            "\x00",
        ),
        *("code={code}", "code={code}&state=", "code={code}&state=x"),
        "{right}&iss=https%3A%2F%2Fevil.example",
    ],
)
async def test_a_crafted_callback_is_refused(site: Site, provider: Provider, query: str) -> None:
    callback = await site.callback()
    right = callback.callback_query
    callback.callback_query = query.format(right=right, code=dict(parse_qsl(right))["code"])

    assert await _refused(site, callback) == FAILED
    assert "/token" not in provider.requests


async def test_a_forged_flow_token_is_refused(site: Site) -> None:
    callback = await site.callback()
    for forged in ("x", "gAAAAA", callback.flow_token[:-4] + "AAA=", "ä" * 100):
        callback.flow_token = forged
        assert await _refused(site, callback) == FAILED


@pytest.mark.parametrize("junk", ["!", "\n", "ä"])
async def test_a_flow_is_completed_once_however_its_token_is_spelled(
    site: Site, provider: Provider, junk: str
) -> None:
    """Lenient decoders of base64 skip other characters, so a flow would have many tokens."""
    started = await site.start()
    callback = pb.CompleteIDPSignInRequest(
        idp_id=site.idp_id,
        flow_token=started.flow_token,
        callback_query=provider.authorize(started.authorization_url),
    )
    await site.complete(callback)

    callback.flow_token = started.flow_token + junk
    url = started.authorization_url.replace(
        state_of(started.flow_token), state_of(callback.flow_token)
    )
    callback.callback_query = provider.authorize(url)

    assert await _refused(site, callback) == FAILED


async def test_providers_cannot_be_mixed_up(
    relying: Instance, provider: Provider, other_provider: Provider
) -> None:
    """A browser that began with one provider and returns from another one is not signed in."""
    honest = await signins.site(relying, provider)
    evil = await signins.site(relying, other_provider, org_id=honest.org_id)
    callback = await evil.callback()
    state = dict(parse_qsl(callback.callback_query))["state"]
    stolen = dict(parse_qsl((await honest.callback()).callback_query))["code"]

    callback.callback_query = urlencode({"code": stolen, "state": state})
    assert await _refused(honest, callback) == FAILED  # the flow is that of the other provider
    callback.idp_id = honest.idp_id
    assert await _refused(honest, callback) == FAILED
    assert [user.user_id for user in await honest.users()] == [evil.owner.user_id]


async def test_a_callback_for_another_provider_than_that_of_its_flow_is_refused(
    site: Site, relying: Instance, provider: Provider
) -> None:
    callback = await site.callback()
    callback.idp_id = (await signins.site(relying, provider, org_id=site.org_id)).idp_id

    assert await _refused(site, callback) == FAILED
    assert "/token" not in provider.requests


async def test_the_issuer_of_a_callback_is_demanded_where_it_is_announced(
    relying: Instance, provider: Provider
) -> None:
    provider.metadata["authorization_response_iss_parameter_supported"] = True
    site = await signins.site(relying, provider)
    callback = await site.callback()
    right = callback.callback_query

    assert await _refused(site, callback) == FAILED
    callback.callback_query = f"{right}&{urlencode({'iss': 'https://evil.example'})}"
    assert await _refused(site, callback) == FAILED
    callback.callback_query = f"{right}&{urlencode({'iss': provider.issuer})}"
    assert (await site.complete(callback)).registered


async def test_sixteen_first_sign_ins_of_one_person_make_one_user(
    site: Site, provider: Provider
) -> None:
    provider.speak_of("ada", preferred_username="ada", email="a@b.example", email_verified=True)
    callbacks = [await site.callback() for _ in range(16)]

    async def complete(callback: object) -> str:
        while True:
            try:
                return (await site.complete(callback)).user_id  # type: ignore[arg-type]
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.ABORTED:
                    raise

    user_ids = await asyncio.gather(*map(complete, callbacks[:8]))
    user_ids += await asyncio.gather(*map(complete, callbacks[8:]))

    assert len(set(user_ids)) == 1
    assert [user.user_id for user in await site.users()] == [user_ids[0]]


@pytest.mark.parametrize("end", ends.ALL)
async def test_what_a_session_stands_on_ends_it(site: Site, relying: Instance, end: End) -> None:
    session = await site.sign_in()
    assert await session.is_live()

    await end(site, session.answer.user_id)

    assert not await session.is_live()
    async with connected(relying.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


@pytest.mark.parametrize("end", ends.ALL)
async def test_a_call_that_is_stopped_once_it_is_committed_ends_sessions_at_once(
    site: Site, end: End, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await site.sign_in()
    assert await session.is_live()  # its caller is cached

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "commit", _commit_and_stop)
        refused = await given.refusal(end(site, session.answer.user_id))

    assert refused.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert not await session.is_live()


_commit = Transaction.commit


async def _commit_and_stop(transaction: Transaction) -> None:
    """Commits, and ends the call at its deadline before it learns of that."""
    await _commit(transaction)
    call = current_claimant.get()
    if isinstance(call, Call):
        call.stop(deadline_exceeded())
        await asyncio.sleep(0)


async def test_a_provider_is_removed_by_the_same_statements_however_many_people_use_it(
    relying: Instance, provider: Provider
) -> None:
    """A statement for each person would exceed the deadline of the call for a large provider."""
    executed: list[str] = []

    def observe(sql: str) -> AbstractContextManager[None]:
        executed.append(sql)
        return nullcontext()

    counts = []
    async with connected(relying.dsn, pool_size=2, observe=observe) as database:
        for people in (1, 4):
            site = await signins.site(relying, provider)
            for number in range(people):
                provider.speak_of(f"person-{number}")
                await site.sign_in()
            executed.clear()
            await commands.remove(
                database,
                commands.OneIDP(idp_id=site.idp_id),
                actor=OPERATOR,
                organization_id=site.org_id,
                end_sessions=end_sessions_of_idp,
            )
            counts.append(len(executed))
            ended = (
                "select count(*) as ended from events where event_type = 'user.idp_sessions_ended'"
            )
            row = await database.fetch_one(
                statement(f"{ended} and payload->>'idp_id' = :idp_id"), idp_id=site.idp_id
            )
            assert row["ended"] == people

    assert counts[0] == counts[1]


@pytest.mark.parametrize("end", ends.ALL)
async def test_a_sign_in_meanwhile_leaves_no_live_session(
    relying: Instance, provider: Provider, end: End
) -> None:
    site = await signins.site(relying, provider, auto_register=True)
    user_id = (await site.sign_in()).answer.user_id
    await calls.patch(site.owner, site.idp_id, ["auto_register"], auto_register=False)
    callbacks = [await site.callback() for _ in range(4)]

    results = await asyncio.gather(
        end(site, user_id), *map(site.complete, callbacks), return_exceptions=True
    )

    assert results[0] is None
    async with given.sql(relying.dsn) as rows:
        left = await rows.fetchval("select count(*) from sessions where idp_id = $1", site.idp_id)
    assert left == 0


@pytest.mark.parametrize("end", ends.OF_PROVIDERS)
async def test_a_provider_stays_as_it_is_until_a_sign_in_has_ended(
    site: Site, relying: Instance, end: End
) -> None:
    async with (
        connected(relying.dsn, pool_size=2) as database,
        given.sql(relying.dsn) as rows,
    ):
        config = await oidc_store.get(database, site.idp_id)
        assert config is not None
        sequence = config.details.sequence
        async with database.transaction() as transaction:
            await signin_store.LOCK_PROVIDER.one(transaction, idp_id=site.idp_id, sequence=sequence)
            ending = asyncio.ensure_future(end(site, ""))
            await asyncio.wait(
                [ending, waits := asyncio.ensure_future(given.waiting_for_a_lock(rows))],
                return_when=asyncio.FIRST_COMPLETED,
            )
            assert waits.done(), "it did not wait"
        await ending


async def test_organizations_with_one_issuer_never_meet(
    relying: Instance, provider: Provider
) -> None:
    one, other = await signins.site(relying, provider), await signins.site(relying, provider)
    person = await sessions.person(relying.admin, org_id=one.org_id)
    client = (await person.sign_in()).client

    refused = await given.refusal(signins.link(client, await other.callback()))

    assert refused.reason == "IDP_NOT_CONFIGURED"
    linked = await signins.link(client, await one.callback())
    assert [link.link_id for link in await signins.links(client)] == [linked.link_id]
    assert (await one.sign_in()).answer.user_id == person.user_id
    assert (await other.sign_in()).answer.user_id != person.user_id


async def test_only_a_passkey_of_the_user_itself_links(site: Site, relying: Instance) -> None:
    person = await sessions.person(relying.admin, org_id=site.org_id)
    by_idp = (await site.sign_in()).client
    session = (await person.sign_in()).client
    roles = [user_pb.ROLE_ORG_OWNER]
    owner = await sessions.person(relying.admin, org_id=site.org_id, roles=roles)

    by_token = await given.refusal(signins.link(person.client, await site.callback()))
    by_provider = await given.refusal(signins.link(by_idp, await site.callback()))
    of_another = await given.refusal(
        signins.link((await owner.sign_in()).client, await site.callback(), user_id=person.user_id)
    )
    taken = await given.refusal(signins.link(session, await site.callback()))

    assert by_token.code is of_another.code is grpc.StatusCode.PERMISSION_DENIED
    assert by_provider.reason == "REAUTHENTICATION_REQUIRED"
    assert (taken.code, taken.reason) == (grpc.StatusCode.ALREADY_EXISTS, "IDENTITY_LINKED")
    assert await signins.links(session) == []
