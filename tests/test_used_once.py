"""Things that are used once, by cases: used again, at once, by another, unknown, expired, ended.

Each thing says how it is made and used; the table has the reason of the refusal in each case. The
uses of a case alternate between two servers, since one server would serialize some of them itself.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from urllib.parse import urlencode

import asyncpg
import pytest
from joserfc.jwk import ECKey, KeySet

from examples.software_authenticator import b64
from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.signin.v1 import signin_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import Keyring, load_keyring
from server.idp.signin.flow_token import flow_tokens, state_of
from server.oauth import authorization, pushed_request
from server.operate.rebuild.run import rebuild
from server.passkey.webauthn.challenge import SIGN_IN, Purpose, new_challenge, reauthentication
from server.passkey.webauthn.checks import PagePolicy
from server.store.database import connected
from server.user.email_change import commands as email_changes
from tests.application import calls as applications
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.idp import signins
from tests.idp.conftest import oidc_authority, provider
from tests.idp.signins import Site
from tests.oauth import devices, flow
from tests.oauth.flow import App
from tests.passkey import ceremonies, links
from tests.passkey.ceremonies import ORIGIN, RP_ID
from tests.passkey.links import Link
from tests.passkey.recovery import Recoveries
from tests.session import sessions
from tests.session.sessions import Person, SignedIn
from tests.signup import calls as sign_ups
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import CODE, Provider
from tests.user import calls as users
from tests.user.test_email_change import Mailbox, confirm

__all__ = ["oidc_authority", "provider"]  # fixtures

Call: TypeAlias = Callable[[], Awaitable[object]]

_SCOPE = "openid offline_access"
_FORGED = "gAAAAAB"


@dataclass(frozen=True)
class Thing:
    """A thing for one use. `use` takes a number; the use is at the server of this number.

    `by_another` is a use by somebody else, `unknown` that of a thing that no server has made.
    """

    use: Callable[[int], Awaitable[object]]
    unknown: Call
    by_another: Call | None = None
    expire: Call | None = None
    remove_user: Call | None = None
    remove_owner: Call | None = None


@dataclass(frozen=True)
class Servers:
    """Two servers of one database, and an organization."""

    pair: tuple[Instance, Instance]
    sql: asyncpg.Connection
    provider: Provider
    patch: pytest.MonkeyPatch
    org_id: str
    owner: Client

    @property
    def admin(self) -> Client:
        return self.pair[0].admin

    @property
    def keyring(self) -> Keyring:
        return load_keyring((), self.pair[0].data_dir / "encryption.keys")

    def at(self, number: int, client: Client) -> Client:
        """The same caller, at the server with this number."""
        return Client(self.pair[number % 2].channel, client.token, client.user_id)

    def app_at(self, number: int, app: App) -> App:
        return replace(app, client=self.at(number, app.client))

    def signed_in(self) -> Awaitable[SignedIn]:
        return sessions.signed_in(self.admin, org_id=self.org_id)

    def person(self) -> Awaitable[Person]:
        return sessions.person(self.admin, org_id=self.org_id)

    def remove_user(self, user_id: str) -> Call:
        return lambda: users.remove(self.admin, user_id)

    def update(self, statement: str, *values: object) -> Call:
        return lambda: self.sql.execute(statement, *values)

    def expired_challenge(self, purpose: Purpose) -> str:
        """A challenge as the servers make it, which has expired."""
        policy = PagePolicy(rp_id=RP_ID, origins=(ORIGIN,))
        now = datetime.now(UTC)
        return b64(new_challenge(self.keyring, purpose=purpose, policy=policy, expires_at=now))


@pytest.fixture(scope="module")
async def pair(
    make_instance: MakeInstance, oidc_authority: Authority
) -> AsyncIterator[tuple[Instance, Instance]]:
    """Servers that mail links to a relay that never answers, for users who ask often."""
    settings: dict[str, Any] = {"recovery_seconds": 0.02} | signins.settings_for(oidc_authority)
    async with contextlib.AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(email_changes, "_PER_USER", (1000, 1000))
            one = await stack.enter_async_context(make_instance(**settings))
            same = {"dsn": one.dsn, "data_dir": one.data_dir}
            two = await stack.enter_async_context(make_instance(**same, **settings))
        await smtp.add(one.admin)
        yield one, two


@pytest.fixture
async def servers(
    pair: tuple[Instance, Instance], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Servers]:
    admin = pair[0].admin
    org_id = await given.organization(admin)
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    async with given.sql(pair[0].dsn) as sql:
        yield Servers(pair, sql, provider, monkeypatch, org_id, owner)


# Requests and codes of applications


async def _code(s: Servers) -> Thing:
    """RFC 6749, section 4.1.2; code injection: RFC 9700, section 4.5."""
    app, other, ada = await flow.app(s.owner), await flow.app(s.owner), await s.signed_in()
    approved = await flow.approved(app, ada.client, scope=_SCOPE)
    expire = "update oauth_authorizations set code_expires_at = clock_timestamp()"
    return Thing(
        lambda n: s.app_at(n, app).redeem(approved),
        lambda: app.redeem(approved, code="kac_unknown"),
        lambda: other.redeem(approved),
        s.update(f"{expire} where application_id = $1", app.client_id),
        s.remove_user(ada.person.user_id),
        lambda: applications.remove(s.owner, app.client_id),
    )


async def _device_code(s: Servers) -> Thing:
    app, other = await devices.app(s.owner), await devices.app(s.owner)
    ada = await s.signed_in()
    code = await devices.approved(app, ada.client, scope=_SCOPE)
    return Thing(
        lambda n: devices.poll(s.app_at(n, app), code),
        lambda: devices.poll(app, "kad_unknown"),
        lambda: devices.poll(other, code),
        lambda: devices.expire(s.sql, app),
        s.remove_user(ada.person.user_id),
        lambda: applications.remove(s.owner, app.client_id),
    )


async def _user_code(s: Servers) -> Thing:
    app, people = await devices.app(s.owner), [await s.signed_in() for _ in range(2)]
    code = (await devices.start(app)).user_code
    return Thing(
        lambda n: devices.approve(s.at(n, people[n % 2].client), code),
        lambda: devices.approve(people[0].client, "BBBB-BBBB"),
        expire=lambda: devices.expire(s.sql, app),
        remove_owner=lambda: applications.remove(s.owner, app.client_id),
    )


async def _authorization_request(s: Servers) -> Thing:
    app, people = await flow.app(s.owner), [await s.signed_in() for _ in range(2)]
    sealed = await flow.sealed(app)

    async def expire() -> None:
        s.patch.setattr(authorization, "_LIFETIME", timedelta(0))

    return Thing(
        lambda n: flow.approve(s.at(n, people[n % 2].client), sealed),
        lambda: flow.approve(people[0].client, _FORGED),
        expire=expire,
        remove_owner=lambda: applications.remove(s.owner, app.client_id),
    )


async def _pushed_request(s: Servers) -> Thing:
    """RFC 9126, section 4. A browser that reloads starts it again, and it is approved once."""
    app, other, ada = await flow.app(s.owner), await flow.app(s.owner), await s.signed_in()
    uri = await app.push()

    async def expire() -> None:
        s.patch.setattr(pushed_request, "PUSHED_LIFETIME", timedelta(0))

    async def use(number: int) -> object:
        sealed = await s.app_at(number, app).start_pushed(uri)
        return await flow.approve(s.at(number, ada.client), sealed)

    return Thing(
        use,
        lambda: app.start_pushed(uri[:34] + _FORGED),
        lambda: other.start_pushed(uri),
        expire,
        remove_owner=lambda: applications.remove(s.owner, app.client_id),
    )


async def _assertion(s: Servers) -> Thing:
    """RFC 7523, section 3."""
    key = ECKey.generate_key("P-256", {"kid": "one", "alg": "ES256", "use": "sig"})
    method = application_pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT
    jwks = json.dumps(KeySet([key]).as_dict(private=False))
    fields = {"token_endpoint_auth_method": method, "jwks": jwks, "scopes": ["orders"]}
    ids = [
        await applications.application(
            s.owner, kind=application_pb.APPLICATION_KIND_SERVICE, redirect_uris=[], **fields
        )
        for _ in range(2)
    ]
    app, other = [App(s.owner.with_token(""), client_id, "") for client_id in ids]
    sent = flow.assertion(app.client_id, await flow.issuer(await flow.app(s.owner)), key)
    grant = {"grant_type": "client_credentials"}
    return Thing(
        lambda n: s.app_at(n, app).exchange(**grant, **sent),
        lambda: app.exchange(**grant, **sent | {"client_assertion": "e30.e30.e30"}),
        lambda: other.exchange(**grant, **sent),
        remove_owner=lambda: applications.remove(s.owner, app.client_id),
    )


# Registrations


async def _ceremony(s: Servers) -> Thing:
    user, other = [await given.user(s.admin, org_id=s.org_id) for _ in range(2)]
    begun = await ceremonies.begin(user)
    credential = begun.credential()
    return Thing(
        lambda n: begun.verify(credential, by=s.at(n, begun.token_holder)),
        lambda: begun.verify(credential, passkey_id="unknown"),
        lambda: begun.verify(credential, by=s.admin, user_id=other.user_id),
        lambda: ceremonies.expire(s.sql, begun),
        s.remove_user(user.user_id),
    )


def _registers(s: Servers, link: Link, other_id: str, remove_owner: Call | None = None) -> Thing:
    return Thing(
        lambda n: replace(link, holder=s.at(n, link.holder)).register(),
        replace(link, code=f"{link.code[:-4]}AAAA").begin,
        replace(link, user_id=other_id).begin,
        lambda: link.expire(s.sql),
        s.remove_user(link.user_id),
        remove_owner,
    )


async def _registration_link(s: Servers) -> Thing:
    user, other = [await given.user(s.admin, org_id=s.org_id) for _ in range(2)]
    roles = [user_pb.ROLE_ORG_USER_MANAGER]
    manager = await given.user(s.admin, org_id=s.org_id, roles=roles)
    link = await links.link(manager, user)
    return _registers(s, link, other.user_id, s.remove_user(manager.user_id))


async def _recovery_link(s: Servers) -> Thing:
    recoveries = Recoveries(s.pair[0], s.sql)
    person, other = await recoveries.person(), await recoveries.person()
    return _registers(s, await recoveries.recovery(person), other.user_id)


async def _sign_up_link(s: Servers) -> Thing:
    await sign_ups.allow(s.admin, s.org_id)
    tokens = [sign_ups.token(s.pair[0].data_dir, s.org_id)]

    def opened(client: Client, token: str) -> Awaitable[pb.ConfirmSignUpResponse]:
        request = pb.ConfirmSignUpRequest(sign_up_token=token)
        return client.call(client.sign_ins.ConfirmSignUp, request)

    async def use(number: int) -> None:
        client = s.at(number, s.pair[0].nobody)
        await Link.of((await opened(client, tokens[-1])).link, client).register()

    async def expire() -> None:
        sealed = sign_ups.sealed(s.pair[0].data_dir)
        sign_up = sealed.opened(tokens[0])
        assert sign_up is not None
        tokens.append(sealed.sealed(replace(sign_up, expires_at=_seconds())))

    async def forbid() -> None:
        await sign_ups.allow(s.admin, s.org_id, allows=False)

    return Thing(use, lambda: opened(s.admin, _FORGED), expire=expire, remove_owner=forbid)


async def _email_change_link(s: Servers) -> Thing:
    ada, other = (await s.signed_in()).client, (await s.signed_in()).client
    _, token = await Mailbox(s.pair[0], s.sql).requested(ada)
    expire = "update users set email_change_expires_at = clock_timestamp() where id = $1"
    return Thing(
        lambda n: confirm(s.at(n, ada), token),
        lambda: confirm(ada, _FORGED),
        lambda: confirm(other, token),
        s.update(expire, ada.user_id),
        s.remove_user(ada.user_id),
    )


# Sign-ins


async def _challenge(s: Servers) -> Thing:
    """A challenge is nobody's: one that a user has used is used for all."""
    people = [await s.person() for _ in range(2)]
    options = await sessions.start(s.admin)
    signed = [each.assertion(options) for each in people]

    async def expire() -> None:
        challenge = s.expired_challenge(SIGN_IN)
        signed[0] = people[0].assertion(options, challenge=challenge)

    return Thing(
        lambda n: sessions.complete(s.at(n, s.admin), signed[n % 2]),
        lambda: sessions.complete(s.admin, people[0].assertion(options, challenge=b64(bytes(64)))),
        expire=expire,
    )


async def _reauthentication(s: Servers) -> Thing:
    ada = await s.signed_in()
    other = await ada.person.sign_in()
    options = await sessions.start_reauthentication(ada.client)
    signed, tokens = [ada.person.assertion(options)], [ada.client.token]

    async def use(number: int) -> None:
        client = s.at(number, ada.client.with_token(tokens[-1]))
        tokens.append((await sessions.reauthenticate(client, signed[-1])).session_token)

    async def expire() -> None:
        challenge = s.expired_challenge(reauthentication(ada.session_id))
        signed.append(ada.person.assertion(options, challenge=challenge))

    forged = ada.person.assertion(options, challenge=b64(bytes(64)))
    return Thing(
        use,
        lambda: sessions.reauthenticate(ada.client, forged),
        lambda: sessions.reauthenticate(other.client, signed[0]),
        expire,
        s.remove_user(ada.person.user_id),
    )


async def _sign_in_after_registration(s: Servers) -> Thing:
    user = await given.user(s.admin, org_id=s.org_id)
    begun = await (await links.link(s.admin, user)).register()
    expire = "update passkey_ceremonies set verified_at = verified_at - interval '5 minutes'"

    def sign_in(client: Client, token: str) -> Awaitable[object]:
        request = pb.SignInAfterRegistrationRequest(registration_token=token)
        return client.call(client.sign_ins.SignInAfterRegistration, request)

    return Thing(
        lambda n: sign_in(s.at(n, s.pair[0].nobody), begun.registration_token),
        lambda: sign_in(s.pair[0].nobody, begun.registration_token[:-4] + "AAAA"),
        expire=s.update(f"{expire} where passkey_id = $1", begun.passkey_id),
        remove_user=s.remove_user(user.user_id),
    )


Complete: TypeAlias = Callable[[int, pb.CompleteIDPSignInRequest], Awaitable[object]]


async def _flow(s: Servers, site: Site, complete: Complete) -> Thing:
    """The code is one that the provider redeems again, so that only the servers refuse it."""
    started, of_another = await site.start(), await site.start()
    nonce = flow.parameters(started.authorization_url)["nonce"]
    tokens = [started.flow_token]

    def use(number: int, token: str, state: str) -> Awaitable[object]:
        s.provider.nonce = nonce
        s.provider.speak_of(site.idp_id)
        query = urlencode({"code": CODE, "state": state})
        callback = pb.CompleteIDPSignInRequest(
            idp_id=site.idp_id, flow_token=token, callback_query=query
        )
        return complete(number, callback)

    async def expire() -> None:
        sealed = flow_tokens(s.keyring)
        opened = sealed.opened(tokens[0])
        assert opened is not None
        tokens.append(sealed.sealed(replace(opened, expiry=_seconds())))

    return Thing(
        lambda n: use(n, tokens[-1], state_of(tokens[-1])),
        lambda: use(0, _FORGED, state_of(_FORGED)),
        lambda: use(0, of_another.flow_token, state_of(tokens[0])),
        expire,
        remove_owner=lambda: idps.remove(site.owner, site.idp_id),
    )


async def _flow_of_a_sign_in(s: Servers) -> Thing:
    """The callback of another browser has its own flow: it is planted, or the code is stolen."""
    site = await signins.site(s.pair[0], s.provider, org_id=s.org_id)
    return await _flow(s, site, lambda n, sent: signins.complete(s.at(n, s.admin), sent))


async def _flow_of_a_link(s: Servers) -> Thing:
    site, ada = await signins.site(s.pair[0], s.provider, org_id=s.org_id), await s.signed_in()
    return await _flow(s, site, lambda n, sent: signins.link(s.at(n, ada.client), sent))


def _seconds() -> int:
    return int(datetime.now(UTC).timestamp())


# The cases, each of which returns the reasons of the refused calls.
Case: TypeAlias = Callable[[Servers, Thing], Awaitable[set[str]]]


async def _again(_: Servers, thing: Thing) -> set[str]:
    await thing.use(0)
    return {await given.outcome(thing.use(number)) for number in (1, 2)}


async def _at_once(s: Servers, thing: Thing) -> set[str]:
    """Uses that mark a value do so only after another one has looked whether it was used."""
    async with s.sql.transaction():
        await s.sql.execute("lock table used_values in share row exclusive mode")
        uses = asyncio.ensure_future(given.outcomes(thing.use(number) for number in range(6)))

        async def have_begun() -> bool:
            return uses.done() or await given.waiting_statements(s.sql) > 1

        await given.eventually(have_begun)
    ended = await uses
    assert ended.pop("OK") == 1
    return set(ended)


def _refused(call: str) -> Case:
    """The call is refused, and the thing is as good as before."""

    async def case(_: Servers, thing: Thing) -> set[str]:
        refused = {await given.outcome(getattr(thing, call)())}
        await thing.use(0)
        return refused

    return case


def _ended(change: str) -> Case:
    async def case(_: Servers, thing: Thing) -> set[str]:
        await getattr(thing, change)()
        return {await given.outcome(thing.use(0))}

    return case


CASES: Mapping[str, Case] = {
    "used again": _again,
    "at once": _at_once,
    "unknown": _refused("unknown"),
    "another's": _refused("by_another"),
    "expired": _ended("expire"),
    "its user removed": _ended("remove_user"),
    "its owner removed": _ended("remove_owner"),
}


def _reasons(*reasons: str, also_at_once: str = "") -> dict[str, set[str]]:
    """The reasons for each case but "at once", in their order; "": the thing has no such case."""
    found = {case: {reason} for case, reason in zip(_OTHERS, reasons, strict=True) if reason}
    return found | {"at once": found["used again"] | {*also_at_once.split()}}


_OTHERS = [case for case in CASES if case != "at once"]
_GRANT, _CREDENTIALS, _NOBODY = "INVALID_GRANT", "INVALID_CLIENT", "UNAUTHENTICATED"
_REQUEST, _USER_CODE = "AUTHORIZATION_REQUEST_EXPIRED", "USER_CODE_INVALID"
_SIGN_IN, _USED, _EXPIRED = "SIGN_IN_FAILED", "CHALLENGE_USED", "CHALLENGE_EXPIRED"
_OF_FLOW = ("FLOW_USED", _SIGN_IN, _SIGN_IN, "FLOW_EXPIRED", "", "IDP_NOT_CONFIGURED")

# The owner is the application, provider, or manager of the thing, or the setting that allows it.
# used again, unknown, another's, expired, its user removed, its owner removed
TABLE: Mapping[Callable[[Servers], Awaitable[Thing]], Mapping[str, set[str]]] = {
    _code: _reasons(_GRANT, _GRANT, _GRANT, _GRANT, _GRANT, _CREDENTIALS),
    _device_code: _reasons(_GRANT, _GRANT, _GRANT, "EXPIRED_TOKEN", _GRANT, _CREDENTIALS),
    _user_code: _reasons(_USER_CODE, _USER_CODE, "", _USER_CODE, "", _USER_CODE),
    _authorization_request: _reasons(_REQUEST, _REQUEST, "", _REQUEST, "", "UNKNOWN_CLIENT"),
    _pushed_request: _reasons(_REQUEST, _REQUEST, _REQUEST, _REQUEST, "", "UNKNOWN_CLIENT"),
    _assertion: _reasons(_CREDENTIALS, _CREDENTIALS, _CREDENTIALS, "", "", _CREDENTIALS),
    _ceremony: _reasons(_USED, "PASSKEY_NOT_FOUND", "PASSKEY_NOT_FOUND", _EXPIRED, _NOBODY, ""),
    _registration_link: _reasons("LINK_USED", _NOBODY, _NOBODY, "LINK_EXPIRED", _NOBODY, _NOBODY),
    _recovery_link: _reasons("LINK_USED", _NOBODY, _NOBODY, "LINK_EXPIRED", _NOBODY, ""),
    _sign_up_link: _reasons(
        *("SIGN_UP_USED", "SIGN_UP_EXPIRED", "", "SIGN_UP_EXPIRED", "", "SIGN_UP_NOT_ALLOWED"),
        also_at_once="LINK_REPLACED",
    ),
    _email_change_link: _reasons(
        *("EMAIL_CHANGE_ENDED", "EMAIL_CHANGE_INVALID", "EMAIL_CHANGE_OF_OTHER_USER"),
        *("EMAIL_CHANGE_EXPIRED", _NOBODY, ""),
    ),
    _challenge: _reasons(_USED, _SIGN_IN, "", _EXPIRED, "", ""),
    _reauthentication: _reasons(
        *(_USED, _SIGN_IN, _SIGN_IN, _EXPIRED, _NOBODY, ""), also_at_once=_NOBODY
    ),
    _sign_in_after_registration: _reasons(_USED, _SIGN_IN, "", _SIGN_IN, _SIGN_IN, ""),
    _flow_of_a_sign_in: _reasons(*_OF_FLOW),
    _flow_of_a_link: _reasons(*_OF_FLOW, also_at_once="IDENTITY_LINKED"),
}
_THINGS = {make.__name__.replace("_", " ").strip(): make for make in TABLE}


@pytest.mark.parametrize(
    ("thing", "case"), [(name, case) for name, make in _THINGS.items() for case in TABLE[make]]
)
async def test_a_thing_is_used_once(servers: Servers, thing: str, case: str) -> None:
    make = _THINGS[thing]

    refused = await CASES[case](servers, await make(servers))

    assert refused
    assert refused <= TABLE[make][case]


async def test_a_rebuild_keeps_which_things_were_used(servers: Servers) -> None:
    things = {make: [await make(servers) for _ in range(2)] for make in TABLE}
    for used, _ in things.values():
        await used.use(0)

    async with connected(servers.pair[0].dsn, pool_size=2) as database:
        await rebuild(database, repair=True)

    for make, (used, unused) in things.items():
        refused = {await given.outcome(used.use(1))}
        assert (make.__name__, refused) == (make.__name__, TABLE[make]["used again"])
        await unused.use(1)
