"""A tour of a server: every command, every method, and the work beside calls.

The tour does most things twice with the same values, so that a value that a new unique index would
forbid is there twice.
"""

import contextlib
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch
from uuid import UUID, uuid4

import grpc
from google.protobuf.descriptor import MethodDescriptor

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.idp.v1 import mail_domain_service_pb2 as domain_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server import app
from server.access.caller import OPERATOR
from server.access.roles import Role
from server.crypto.encryption_keys import Presence
from server.crypto.keyring import Keyring, load_keyring
from server.deliveries.loop import PACE, DeliveryLoop
from server.deliveries.results import AttemptResult, DeliveryState
from server.figures import store as figure_store
from server.figures.store import PeopleFigures
from server.idp.domains import commands as domain_commands
from server.idp.domains import store as domain_store
from server.idp.domains.commands import OneMailDomain
from server.idp.domains.events import MailDomainLapsed, MailDomainProven
from server.log import checkpoints, lives, positions
from server.mail import leases
from server.mail.captured import capture
from server.mail.loop import MailLoop
from server.net.txt_records import TXTAnswer, TXTRecords
from server.oauth.refresh_token import RefreshToken
from server.oauth.refused import store as refusal_store
from server.oauth.refused.recorder import Refusals
from server.oauth.refused.store import KeptRefusal
from server.operate.housekeeping import forget_ended
from server.org import store as org_store
from server.push import leases as push_leases
from server.push import position_store
from server.push.delivery_store import NewDelivery, PushKind
from server.push.leases import Tier
from server.rpc.preconditions import idempotent_answers
from server.session import store as session_store
from server.session.refused import RefusedSignIn, RefusedSignIns
from server.settings.settings import Settings
from server.signing import commands as signing
from server.signing.private_key import Algorithm
from server.signing.signer import Signer
from server.store import counted
from server.store.database import Database, connected
from server.telemetry.metrics import Metrics
from server.user.figures import UserFigures
from server.user.roles import end_role
from server.wiring import services
from server.wiring.dependencies import OTHER_FEATURES
from tests.hostile.target import Target
from tests.idp import mail_domains
from tests.oauth import devices, flow
from tests.oauth.flow import App
from tests.operate.world import populate, settings_of_world
from tests.passkey.recovery import Recoveries
from tests.preconditions.conftest import CHANGES
from tests.push import calls as pushes
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.store.recording import recorded
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import oidc_provider
from tests.support.statements import statements
from tests.support.web_client import web_client
from tests.user import calls as users

# Methods that end what others need, in their order.
_LAST = ("End", "SignOut", "Unlink", "Revoke", "Remove")
_VERY_LAST = ("RemovePasskey", "RemoveIDP", "LockUser", "RemoveUser")
# Webhooks of more events would only make the recording longer.
_PUSHED_EVENTS = 10
# Mails need the configuration that the tour begins with, and no call writes the row of a server.
_SKIPPED = {"AddSMTPConfig", "RemoveSMTPConfig", "GetSystem"}


async def tour(dsn: str, folder: Path) -> None:
    """Starts a server on an empty database, and makes the tour. Its statements can be recorded."""
    authority = Authority(folder)
    settings = Settings.model_validate(
        {
            "data_dir": folder / "data",
            "grpc_address": "127.0.0.1:0",
            "http_address": "127.0.0.1:0",
            "drain_delay": 0,
            "jwt_audiences": ["orders"],
            **settings_of_world(authority),
        }
    )
    with recorded():
        await app.prepare(settings, dsn)
    async with oidc_provider(authority) as provider, _serving(settings, dsn) as instance:
        await populate(instance, provider)
        async with connected(dsn, pool_size=1) as database, _target(instance) as target:
            for name, with_keys in (("one", False), ("another", True)):
                await _call_every_method(target, name, with_keys=with_keys)
                await _recover(instance, database, settings)
                with recorded():
                    await _prove(instance.admin, database)
                    await _end_role(instance.admin, database)
                await _use_applications(instance.admin)
                keyring = load_keyring((), settings.key_file)
                with recorded():
                    await _push(database, settings, keyring)
                    await _work(database, keyring)


@contextlib.asynccontextmanager
async def _serving(settings: Settings, dsn: str) -> AsyncIterator[Instance]:
    """A server without work beside calls, whose statements would have no order."""
    with (
        patch.object(app, "repeatedly", _nothing),
        patch.object(DeliveryLoop, "run", _nothing),
        patch.object(Refusals, "write", _nothing),
        patch.object(RefusedSignIns, "write", _nothing),
    ):
        async with (
            app.serving(settings, dsn) as ports,
            Instance.connected(dsn, ports.grpc, settings.data_dir, web_port=ports.http) as instance,
        ):
            yield instance


async def _nothing(*_arguments: object, **_options: object) -> None:
    """In place of a loop."""


class _Tour(Target):
    async def _link(self, user: Client, idp_id: str) -> str:
        """No link, because a row that is written directly would not be recorded."""
        return "none"

    async def _failed_delivery(self, subscription_id: str) -> str:
        """No delivery, for the same reason."""
        return str(UUID(int=0))


@contextlib.asynccontextmanager
async def _target(instance: Instance) -> AsyncIterator[Target]:
    """The server as the tests of all methods see it, which have a valid request for each."""
    async with web_client(instance.web_port) as http:
        document = (await http.get("/openapi.json")).json()
        yield _Tour(cast(Any, None), instance, http, given.METHODS, document)


async def _call_every_method(target: Target, name: str, *, with_keys: bool) -> None:
    """Calls each unary method for a new user; `with_keys`, each change twice by one key."""
    victim = await target.victim()
    for method in sorted(given.UNARY_METHODS, key=_order):
        if method.name in _SKIPPED:
            continue
        request: Any = victim.right_request(method)
        for field in {"name", "user_name"} & set(method.input_type.fields_by_name):
            if method.name.startswith("Create"):
                setattr(request, field, f"The {field} of {name}")
        is_keyed = with_keys and method.name in CHANGES
        headers = {"x_idempotency_key": f"{name}-{method.name}"} if is_keyed else {}
        for _ in range(2 if is_keyed else 1):
            with contextlib.suppress(grpc.aio.AioRpcError):  # some need a credential
                await victim.caller_of(method).invoke(method, request, **headers)


def _order(method: MethodDescriptor) -> tuple[int, int]:
    """Reads, changes, and then the methods that end objects."""
    if method.name in _VERY_LAST:
        return 3, _VERY_LAST.index(method.name)
    for place, prefix in enumerate(_LAST):
        if method.name.startswith(prefix):
            return 2, place
    return int(method.name in CHANGES), 0


async def _recover(instance: Instance, database: Database, settings: Settings) -> None:
    """A user signs in and out, and recovers the account by a mailed link."""
    async with given.sql(instance.dsn) as rows:
        recoveries = Recoveries(instance, rows)
        person = await recoveries.person()
        await sessions.sign_out((await person.sign_in()).client)
        await _use(database, await person.sign_in())
        await recoveries.request(await recoveries.address(person))
        loop = cast(MailLoop, SimpleNamespace(wake=lambda: None))
        keyring = load_keyring((), settings.key_file)
        with recorded():
            await services.recovery(settings, database, keyring, loop, Metrics()).mail_links()
        await (await recoveries.link(person)).register()


async def _use(database: Database, signed_in: SignedIn) -> None:
    """The session is used after a part of a short idle timeout."""
    ids = {"user_id": signed_in.person.user_id, "session_id": signed_in.session_id}
    session = await session_store.GET.one_or_none(database, **ids, idle_timeout=timedelta(hours=1))
    assert session is not None
    later = session.last_seen_at + timedelta(seconds=1)
    with recorded():
        await session_store.use(
            database, session, now=later, idle_timeout=timedelta(microseconds=20)
        )


async def _use_applications(admin: Client) -> None:
    """A user signs in again; tokens are refreshed, used again and revoked; a device polls."""
    audience = application_pb.APPLICATION_AUDIENCE_ALL
    person = (await sessions.signed_in(admin)).client
    again = await sessions.signed_in(admin)
    options = await sessions.start_reauthentication(again.client)
    await sessions.reauthenticate(again.client, again.person.assertion(options))
    shop = await flow.app(admin, audience=audience)
    revoked, ended, kept = [
        (await flow.tokens(shop, person, scope="openid offline_access")) for _ in range(3)
    ]
    await shop.refresh(kept.refresh_token)
    await _rotate(await flow.public_app(admin, audience=audience), person)
    await shop.revoke(revoked.access_token)
    await shop.revoke(ended.refresh_token)
    device = await devices.app(admin, audience=audience)
    started = await devices.start(device)
    with contextlib.suppress(grpc.aio.AioRpcError):  # nobody has decided
        await devices.poll(device, started.device_code)
    await devices.approve(person, started.user_code)
    with contextlib.suppress(grpc.aio.AioRpcError):  # too early
        await devices.poll(device, started.device_code)
    await sessions.sign_out(person)
    await pushes.subscription(admin)


async def _rotate(browser: App, person: Client) -> None:
    """A refresh token is replaced, one of another generation used, and a code used twice."""
    replaced, reused = [
        await flow.approved(browser, person, scope="openid offline_access") for _ in range(2)
    ]
    token = RefreshToken((await browser.redeem(replaced)).refresh_token)
    await browser.refresh(token.text)
    with contextlib.suppress(grpc.aio.AioRpcError):
        await browser.refresh(token.successor(b"another").text)
    await browser.redeem(reused)
    with contextlib.suppress(grpc.aio.AioRpcError):
        await browser.redeem(reused)


class _Records(TXTRecords):
    """The values of every name in DNS."""

    found: Sequence[str] = ()

    async def look_up(self, name: str) -> TXTAnswer:
        """The same for every name."""
        return TXTAnswer(self.found)


async def _prove(admin: Client, database: Database) -> None:
    """A domain is proven by two organizations; then its record is missing, and there again."""
    records, domain = _Records(), mail_domains.unused()

    async def prove() -> dict[str, str]:
        organization_id = await given.organization(admin)
        request = domain_pb.CreateMailDomainRequest(domain=domain)
        claim = await admin.call(
            admin.mail_domains.CreateMailDomain, request, x_service_orgid=organization_id
        )
        records.found = (claim.record_value,)
        of_domain = {"mail_domain_id": claim.mail_domain_id, "organization_id": organization_id}
        command = OneMailDomain(mail_domain_id=claim.mail_domain_id)
        await domain_commands.verify(
            database,
            command,
            actor=OPERATOR,
            organization_id=organization_id,
            records=records,
        )
        return of_domain

    await prove()
    of_domain = await prove()
    records.found = ()
    await domain_commands.check_proofs(database, records)
    proven = MailDomainProven(domain)
    await domain_store.FIND.row(database, proven, creator=OPERATOR.user_id, **of_domain)
    lapsed = MailDomainLapsed(domain)
    await domain_store.LAPSE_MISSING.row(database, lapsed, creator=OPERATOR.user_id, **of_domain)


async def _end_role(admin: Client, database: Database) -> None:
    """The time of the role has not passed, since a time that a test sets is not recorded."""
    user, ends = await given.user(admin), datetime.now(UTC) + timedelta(days=1)
    await users.grant(admin, user.user_id, user_pb.ROLE_ORG_AUDITOR, expires_at=ends)
    await end_role(database, user.user_id, Role.ORG_AUDITOR, others=OTHER_FEATURES)


async def _push(database: Database, settings: Settings, keyring: Keyring) -> None:
    """Of two pushes, one is sent, and the other is given up."""
    signer = Signer(database, keyring)
    _, follower = services.pushes(settings, database, keyring, signer, Metrics(), PACE)
    last = await positions.last_position(database)
    await position_store.advance(database, max(0, last - _PUSHED_EVENTS))
    await follower.advance(last)
    target_id = str(uuid4())
    new = NewDelivery("", target_id, PushKind.WEBHOOK, "organization", "", "user.added", 1, "{}")
    ids = [str(uuid4()) for _ in range(2)]
    organization_id = await org_store.default_organization_id(database) or ""
    new = new._replace(owner=organization_id)
    async with database.transaction() as transaction:
        await push_leases.add(
            transaction, [new._replace(delivery_id=each, aggregate_id=each) for each in ids]
        )
    lease = timedelta(minutes=1)
    sent, refused = await push_leases.acquire(database, {Tier.NEW_OR_SLOW: 2}, lease=lease)
    result = AttemptResult(DeliveryState.SENT, destination_works=True, status=204)
    await push_leases.record(database, [(sent, result)])
    no_answer = AttemptResult(DeliveryState.PENDING, "NO_ANSWER", destination_works=False)
    await push_leases.record(database, [(refused, no_answer)])
    await push_leases.give_up(database, target_id, no_answer)
    await push_leases.look(database)


async def _work(database: Database, keyring: Keyring) -> None:
    """The work beside calls."""
    presence = Presence(database, keyring)
    for _ in range(2):
        await presence.announce()
    await database.fetch(statements()["rpc.health._WRITE"])
    [server] = await leases.list_due(database)
    sent, postponed = await leases.acquire(database, {server: 2}, lease=timedelta(minutes=1))
    await leases.get_content(database, sent)
    captured = {"mail_id": sent.delivery_id, "recipient_address": "ada@example.com"}
    await capture(database, keyring, EmailMessage(), **captured)
    await leases.record(database, [(sent, AttemptResult(DeliveryState.SENT))])
    refused = AttemptResult(DeliveryState.PENDING, "REFUSED", "450", destination_works=False)
    await leases.record(database, [(postponed, refused)])
    await leases.record(database, [(postponed, refused)])  # the lease is lost
    await leases.acquire_urgent(database, [server], lease=timedelta(minutes=1))
    await leases.give_up(database, server, refused)
    await leases.look(database)
    await lives.begin(database, is_set_back=True)
    last = await positions.assign(database)
    await positions.read_positions(database, after=last - 10, until=last, types=())
    await checkpoints.take(database, keyring)
    for algorithm in Algorithm:
        await signing.withdraw_all(database, keyring, algorithm)
    await signing.keep_up(database, keyring)
    await idempotent_answers.rotate(database, keyring)
    refusal = KeptRefusal(
        *("shop", "organization", "authorize", "PKCE_MISSING", "code_challenge", ""),
        count=1,
        refused_at=datetime.now(UTC),
        request_ids=["request"],
    )
    await refusal_store.add(database, [refusal])
    refused_sign_in = RefusedSignIn(
        *("ada", "organization", "PASSKEY", "USER_LOCKED", "192.0.2.0/24"),
        count=1,
        refused_at=datetime.now(UTC),
        request_ids=["request"],
    )
    kept = statements()
    await database.fetch(kept["session.refused._OWNERS"], user_ids=["ada"])
    await counted.add(
        database, kept["session.refused._ADD"], kept["session.refused._TRIM"], [refused_sign_in]
    )
    now = datetime.now(UTC)
    today = now.date()
    people = PeopleFigures(UserFigures(now, *[0] * 6), 0)
    await figure_store.keep(database, "organization", {today: 1}, people)
    await figure_store.count_refused(database, {("organization", today): 1})
    await forget_ended(database)
    await presence.leave()
